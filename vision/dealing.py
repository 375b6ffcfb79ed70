"""Pieces whose kind is open are told together: what is left of all kinds is dealt out to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from calibration.view import Array
from vision.claims import Seen, claimed, confidence
from vision.doubts import ALIKE, RIVAL, RIVAL_ODD, SURE, Judge, Said, ahead, usualness
from vision.explain import Standing
from vision.presence import Presence

MOST = 6  # pieces that are told together
SURER_GUESSED = 4.0  # log odds of a piece where one does not know what the empty place looks like
SCALE = 4.0  # log odds that are as good as one log odds a point


def told_together(
    said: list[Said], there: Presence, judge: Judge, left: Mapping[int, int]
) -> list[Said]:
    """Name pieces in holes that surely are some, and look most like a kind of which there are some
    `left`, where the kinds of all of them are far likelier than any others that are left.
    """
    explained, kinds = judge.explained, judge.kinds
    asked = [
        (n, standing)
        for n, standing in open_pieces(said, there, judge)
        if n not in judge.cover.cells and not judge.dazzled(n, [standing])
    ]
    if not asked or len(asked) > MOST:
        return said
    every = [ahead(explained, n, standing) for n, standing in asked]
    names, many = list(left), [left[kind] for kind in left]
    likely = np.array([-own[names] for own in every])  # how much likelier than what it looks like
    best = likely.argmax(axis=1)
    own = [names.index(standing.kind) if standing.kind in left else -1 for _, standing in asked]
    wanted = np.bincount(best, minlength=len(names))
    if (wanted > many).any():
        return said
    doubtful = [unsure_of(kind, said, there, judge) for kind in names]
    found = list(said)
    for row, (n, standing) in enumerate(asked):
        kind = best[row]
        if own[row] != kind or wanted[kind] + doubtful[kind] > many[kind]:
            continue
        others = likely.copy()
        others[row, kind] = -np.inf
        margin = likely.max(axis=1).sum() - most_of(others, many)
        odd = usualness(explained, n, standing) - kinds.usual[standing.kind] < -ALIKE
        sure = min(margin - (RIVAL_ODD if odd else RIVAL), (there.holes[n] - SURE) / SCALE)
        if sure > 0:
            cell = explained.sites[n].cell.id
            found[n] = (Seen(cell, kinds.names[standing.kind], confidence(float(sure))),)
    return found


def open_pieces(said: Sequence[Said], there: Presence, judge: Judge) -> list[tuple[int, Standing]]:
    """What stands in holes that surely hold a piece and of which nothing is said."""
    least = np.where(judge.outlook.guessed, SURER_GUESSED, SURE)
    foremost = [
        (n, judge.explained.foremost(n))
        for n, own in enumerate(said)
        if own is None and judge.outlook.holed[n] and there.holes[n] > least[n]
    ]
    return [(n, own) for n, own in foremost if not judge.kinds.flat[own.kind]]


def unsure_of(kind: int, said: Sequence[Said], there: Presence, judge: Judge) -> int:
    """How many places may hold a piece that looks most like one of a kind, if they hold any."""
    sure = {n for n, _ in open_pieces(said, there, judge)}
    return sum(
        own is None and n not in sure and judge.explained.foremost(n).kind == kind
        for n, own in enumerate(said)
    )


def most_of(likely: Array, many: Sequence[int]) -> float:
    """The most that (pieces, kinds) come to when no more than so `many` are of each kind."""
    if not len(likely):
        return 0.0
    best = -np.inf
    for kind, own in enumerate(likely[0].tolist()):
        if many[kind] and own > -np.inf:
            fewer = [one - (one_of == kind) for one_of, one in enumerate(many)]
            best = max(best, own + most_of(likely[1:], fewer))
    return best


def left_of(most: Mapping[str, int], said: list[Said], judge: Judge) -> dict[int, int]:
    """By kind, how many of it may stand where nothing is said yet."""
    counts = claimed(said)
    many = {kind: most.get(name, 0) - counts[name] for kind, name in enumerate(judge.kinds.names)}
    return {kind: own for kind, own in many.items() if own > 0}
