"""Pieces that are missing: where they are likeliest, asked the more closely the fewer they are."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Mapping
from typing import NamedTuple

import numpy as np

from vision.claims import claimed
from vision.doubts import SURE, Judge, Said
from vision.explain import Standing
from vision.outlook import Learned
from vision.presence import NO_LIGHT, Presence, likeliest

UNDECIDED = 0.35  # log odds a point of a kind against the next below which it may be that one
LARGE = 10.0  # log odds from which there is no doubt
MANY = 24  # places at most that are thought of for the missing pieces of one kind
TRUST = 0.8  # how much of their log odds counts when places are weighed against each other
GONE = 0.05  # how likely a missing piece is to lie on the floor, against a place of no log odds
HINTED = -2.0  # log odds of a place from which a kind seems to be in play that is not seen surely
TOUCHED = 0.15  # the part of a place that is not as it was, from which a missing piece may be there
BESIDE = 0.4  # the same of one more piece's place beside others
ASKED = 16  # places that are looked at closely
FEW, MOST = 4, 9  # missing pieces up to which each is looked for so closely
HOPE, SURER = -3.3, -1.0  # log odds below which nothing looks like a piece; where many are missing
CLEARED = -4.5  # log odds below which none of a kind can be there, whatever has changed
PLAUSIBLE = -0.6  # the same from which they may be, but of a piece on a field of its colour
UNLIKE = -2.5  # log odds a point below which colours are not of a kind
NEVER = -6.0  # log odds below which none is there, be it of that colour
CLOSER = 3.0  # log odds for what looks like a piece where one is missing
ALONE = 1.0  # log odds a point by which the colour of one missing kind must be before the next
SURELY = 4.0  # log odds from which one more piece is claimed beside others
FOUND, LOST = 1.5, -2.3  # log odds from which a missing piece is claimed, and emptiness is not

Closely = dict[int, tuple[float, Standing]]  # by site: log odds of a piece, and where it stands


class Close(NamedTuple):
    """What one sees who looks closely for missing pieces."""

    found: dict[int, Closely]  # by kind, where one may stand
    before: dict[int, tuple[Standing, ...]]  # by site, what had been found there
    most: dict[int, dict[int, tuple[float, Standing]]]  # by site and kind, what comes nearest

    def cleared(self, n: int, missing: Iterable[int]) -> bool:
        """Whether no piece of the `missing` kinds can stand in a site."""
        most = self.most.get(n, {})
        return all(kind in most and cannot_be(*most[kind]) for kind in missing)

    def beside(self, kind: int, said: list[Said], known: Container[int]) -> list[int]:
        """Sites left open where a piece of a kind may stand though nothing speaks for it, but for
        those `known`.
        """
        return [
            n for n, own in self.most.items() if said[n] is None and n not in known and kind in own
        ]


def cannot_be(odds: float, standing: Standing) -> bool:
    return odds < NEVER or (odds < CLEARED and standing.mean < UNLIKE)


class Place(NamedTuple):
    """Where one more piece of a kind may stand than is said."""

    odds: float
    n: int  # the site
    which: int | None  # of the pieces found on a square; None for one that was not


def missing_of(
    least: Mapping[str, int], said: list[Said], there: Presence, judge: Judge
) -> dict[int, int]:
    """By kind in play, how many pieces are missing of as many as there are at `least`."""
    counts, lost = claimed(said), {}
    for kind, name in enumerate(judge.kinds.names):
        many = least.get(name, 0) - counts[name]
        if many > 0 and in_play(kind, name, said, there, judge):
            lost[kind] = many
    return lost


def in_play(kind: int, name: str, said: list[Said], there: Presence, judge: Judge) -> bool:
    """Whether any piece of a kind is seen, be it doubtfully."""
    if claimed(said)[name] > 0:
        return True
    return any(place.odds > HINTED for place in places(kind, said, there, judge))


def places(kind: int, said: list[Said], there: Presence, judge: Judge) -> list[Place]:
    """All places of one more piece of a kind; an open square may be as many as look like it."""
    explained, flat, found = judge.explained, judge.kinds.flat, []
    for n, own in enumerate(said):
        if explained.sites[n].cell.shape == "hole":
            if not own and explained.foremost(n).kind == kind:
                found.append(Place(float(there.holes[n]), n, None))
            continue
        odds, more = there.others[n]
        standing = [s for s in explained.found[n] if not flat[s.kind]] if own is None else []
        found += [
            Place(float(odds[m]), n, m)
            for m, s in enumerate(standing)
            if s.kind == kind and odds[m] < SURE
        ]
        if explained.scores[n].best.kind == kind and more > NO_LIGHT:
            found.append(Place(more, n, None))
    return found


def others(kind: int, said: list[Said], there: Presence, judge: Judge) -> list[Place]:
    """Holes that are said to be empty, or nothing of, that look most like a piece of another kind,
    though none of these is left or it is hardly more like one of them: it may be of this kind.
    """
    explained, kinds, counts = judge.explained, judge.kinds, claimed(said)
    left = [counts[name] < many for name, many in zip(kinds.names, kinds.exist[:-1], strict=True)]
    found = []
    for n, own in enumerate(said):
        if own or explained.sites[n].cell.shape != "hole":
            continue
        likest = explained.foremost(n)
        if likest.kind == kind or kinds.flat[likest.kind]:
            continue
        if likest.rival < UNDECIDED or not left[likest.kind]:
            found.append(Place(float(there.holes[n]), n, None))
    return sorted(found, key=lambda place: -place.odds)[:MANY]


def look_closely(
    learned: Learned, missing: Mapping[int, int], said: list[Said], judge: Judge
) -> Close:
    """Where a missing piece may stand that nobody found, though its place is open or not quite as
    it was: by kind and site its log odds, as one of those that are missing and not of any. If many
    are missing nobody asks.
    """
    explained, outlook = judge.explained, judge.outlook
    close = Close({kind: {} for kind in missing}, {}, {})
    many = sum(missing.values())
    if not 0 < many <= MOST:
        return close
    hope = HOPE if many <= FEW else SURER
    where = [
        n
        for n in outlook.others
        if n not in judge.cover.cells
        and (
            explained.may_hold_more(n) and judge.altered[n] > BESIDE
            if explained.found[n]
            else said[n] is None or judge.altered[n] > TOUCHED
        )
    ]
    where = sorted(where, key=lambda n: (said[n] is not None, -judge.altered[n]))[:ASKED]
    asked = [(n, kind) for n in where for kind in missing]
    if not asked:
        return close
    odds = likeliest(learned, outlook, judge.evidence, explained, asked)
    for n in where:
        own = {kind: one for (m, kind), one in zip(asked, odds, strict=True) if m == n}
        close.most[n], close.before[n] = own, tuple(explained.found[n])
        means = sorted((standing.mean for _, standing in own.values()), reverse=True)
        clear = len(means) < 2 or means[0] - means[1] > ALONE
        for kind, (found, standing) in own.items():
            # of kinds their colours tell, of pieces their shape
            its = standing.mean > PLAUSIBLE or bool(outlook.akin[n, kind])
            if standing.mean == means[0] and found > hope and its:
                close.found[kind][n] = (found if clear else min(found, -CLOSER), standing)
    return close


def look_for(
    kind: int, lost: int, said: list[Said], there: Presence, judge: Judge, close: Close
) -> Presence:
    """Say where the missing pieces of a kind are, or could be."""
    name = judge.kinds.names[kind]
    before, known = claimed(said)[name], places(kind, said, there, judge)
    explained, closely = judge.explained, close.found.get(kind, {})
    fresh = {n: own for n, own in closely.items() if tuple(explained.found[n]) == close.before[n]}
    could = [place for place in known if place.n not in fresh or place.which is not None]
    could += [Place(odds, n, None) for n, (odds, _) in fresh.items()]
    could = sorted(could, key=lambda place: -place.odds)[:MANY]
    odds = [place.odds for place in could]
    odds += [close.most[n][kind][0] for n in close.beside(kind, said, {p.n for p in could})]
    doubts = occupied(odds, lost)[: len(could)]
    found = occupied([own + CLOSER for own in odds], lost)[: len(could)] if closely else doubts
    squares = []  # that were open and are not
    for (_, n, which), sure, doubt in zip(could, found, doubts, strict=True):
        beside = which is None and bool(close.before.get(n))
        if beside and FOUND < sure <= SURELY:
            said[n] = None
        elif sure > (SURELY if beside else FOUND) and n in fresh and which is None:
            beside_it = there.others[n][0] if beside else ()
            explained.accept(n, fresh[n][1])
            judge.forget()
            there = there.holding(n, np.array([*beside_it, SURE + sure - FOUND]))
            said[n] = judge.say(n, there)
        elif sure > FOUND and said[n] is None:
            there = there.surer(n, which, SURE + sure - FOUND)
            said[n] = judge.say(n, there)
            squares += [n] if which is not None else []
        elif doubt > LOST and said[n] is not None:
            said[n] = None
    still = before + lost - claimed(said)[name]
    if still > 0:
        more = others(kind, said, there, judge)
        odds = [own for place, own in zip(could, odds, strict=False) if not said[place.n]]
        for place, doubt in zip(
            more, occupied(odds + [p.odds for p in more], still)[len(odds) :], strict=True
        ):
            said[place.n] = None if doubt > LOST else said[place.n]
        for n in squares:  # it may stand beside the others, too
            said[n] = None
    return there


def occupied(odds: list[float], lost: int) -> list[float]:
    """The log odds of each place to hold a piece, when `lost` pieces stand on these places or lie
    on the floor, and `odds` is what each place by itself tells.
    """
    weights = [math.exp(TRUST * min(own, LARGE)) for own in odds]
    found = []
    for n, weight in enumerate(weights):
        ways = [1.0] + [0.0] * lost  # of a number of pieces to stand on the other places
        for other in weights[:n] + weights[n + 1 :]:
            for many in range(lost, 0, -1):
                ways[many] += other * ways[many - 1]
        here = sum(GONE ** (lost - 1 - many) * ways[many] for many in range(lost))
        away = sum(GONE ** (lost - many) * ways[many] for many in range(lost + 1))
        found.append(math.log(weight * here / away))
    return found
