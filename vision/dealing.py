"""Pieces whose kind is open are told together: what is left of all kinds is dealt out to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import cache

import numpy as np

from calibration.view import Array
from vision.claims import Seen, claimed, confidence
from vision.doubts import (
    ALIKE,
    DISGUISE,
    RIVAL,
    RIVAL_ODD,
    SCALE,
    SPILL,
    SURE,
    Judge,
    Said,
    ahead,
    spilt,
    usualness,
)
from vision.explain import Standing
from vision.presence import Presence

MOST = 6  # pieces that are told together
SURER_GUESSED = 4.0  # log odds of a piece where one does not know what the empty place looks like
ENOUGH = (
    1.0  # log odds a point by which one way to deal is likelier than another, and no doubt left
)


def told_together(
    said: list[Said],
    there: Presence,
    judge: Judge,
    left: Mapping[int, float],
    where: Collection[int],
) -> list[Said]:
    """Name pieces in holes `where` nothing but their kind is open, if they look most like a kind of
    which there are some `left`, and the kinds of all of them are far likelier than any others.
    """
    explained, kinds = judge.explained, judge.kinds
    asked = [
        (n, standing, own)
        for n, standing in open_pieces(said, there, judge, where)
        if np.isfinite(own := ahead(explained, n, standing)).all() and standing.kind in left
    ]
    if not asked or len(asked) > MOST:
        return said
    names = list(left)
    many = tuple(left[kind] for kind in names)
    likely = np.array([-own[names] for *_, own in asked])  # 0 for what it looks like
    wanted = np.bincount(
        [names.index(standing.kind) for _, standing, _ in asked], minlength=len(names)
    )
    if (wanted > many).any():
        return said
    doubtful = may_hold(said, judge, {n for n, *_ in asked})
    found = list(said)
    for row, (n, standing, own) in enumerate(asked):
        kind, name = names.index(standing.kind), kinds.names[standing.kind]
        others = likely.copy()
        others[row, kind] = -np.inf
        if wanted[kind] + doubtful[name] > many[kind] or (own < -RIVAL).any():
            continue
        odd = usualness(explained, n, standing) - kinds.usual[standing.kind] < -ALIKE
        before = min(-most_of(others, many), ENOUGH) - (RIVAL_ODD if odd else RIVAL)
        sure = float(min(before, apart_from_kind(n, standing, there, judge)))
        if sure > 0:
            found[n] = (Seen(explained.sites[n].cell.id, name, confidence(sure)),)
    return found


def apart_from_kind(n: int, standing: Standing, there: Presence, judge: Judge) -> float:
    """How far a piece in a hole is from every reason to doubt it but those of its kind."""
    cell = judge.explained.sites[n].cell.id
    hides = judge.kinds.names[standing.kind] in judge.colours.get(cell, ())
    sheet = 2.0 * (SPILL - spilt(judge.explained, n, standing))
    return min((float(there.holes[n]) - SURE) / SCALE, sheet) - DISGUISE * hides


def open_pieces(
    said: Sequence[Said], there: Presence, judge: Judge, where: Collection[int]
) -> list[tuple[int, Standing]]:
    """What stands in holes that surely hold a piece and of which nothing is said."""
    least = np.where(judge.outlook.guessed, SURER_GUESSED, SURE)
    foremost = [
        (n, judge.explained.foremost(n))
        for n in where
        if said[n] is None and judge.outlook.holed[n] and there.holes[n] > least[n]
    ]
    return [
        (n, own)
        for n, own in foremost
        if not judge.kinds.flat[own.kind] and not judge.dazzled(n, [own])
    ]


def may_hold(said: Sequence[Said], judge: Judge, but: Collection[int]) -> Counter[str]:
    """The pieces that open sites may hold, of each kind, without some of them."""
    explained, kinds = judge.explained, judge.kinds
    open_still = [n for n, pieces in enumerate(said) if pieces is None and n not in but]
    found = [s for n in open_still for s in explained.found[n] or [explained.foremost(n)]]
    found += [
        explained.scores[n].best
        for n in open_still
        if explained.found[n] and explained.thinkable(n)
    ]
    return Counter(kinds.names[s.kind] for s in found if not kinds.flat[s.kind])


def most_of(likely: Array, many: Sequence[float]) -> float:
    """The most that (pieces, kinds) come to when no more than so `many` are of each kind; of what
    costs more than is asked for nothing is told but that.
    """
    choices = [
        [(kind, float(own)) for kind, own in enumerate(row) if own >= -ENOUGH] for row in likely
    ]

    @cache
    def best(row: int, left: tuple[float, ...]) -> float:
        if row == len(choices):
            return 0.0
        return max(
            (
                own + best(row + 1, (*left[:kind], left[kind] - 1, *left[kind + 1 :]))
                for kind, own in choices[row]
                if left[kind] > 0
            ),
            default=-np.inf,
        )

    return best(0, tuple(many))


def left_of(most: Mapping[str, int], said: list[Said], judge: Judge) -> dict[int, float]:
    """By kind, how many of it may stand where nothing is said yet; of kinds of which nobody knows
    how many are in play all that exist.
    """
    counts, kinds = claimed(said), judge.kinds
    many = {
        kind: float(most.get(name, kinds.exist[kind])) - counts[name]
        for kind, name in enumerate(kinds.names)
    }
    return {kind: own for kind, own in many.items() if own > 0}
