"""The set of pieces is known: what is missing of it is looked for, what is too many is doubted."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from vision.claims import TOO_MANY
from vision.doubts import RIVAL, SURE, Judge, Said
from vision.outlook import Learned
from vision.presence import NO_LIGHT, Presence, presence

UNLIKELY = -1.0  # log odds of the likeliest of some pieces that were found by mistake
LARGE = 10.0  # log odds from which there is no doubt
ROUNDS = 3  # how often sites left open are asked again
MANY = 24  # places at most that are thought of for the missing pieces of one kind
TRUST = 0.8  # how much of their log odds counts when places are weighed against each other
SET_UP = 0.5  # the part of the pieces that is on the board while one plays
GONE = 0.05  # how likely a missing piece is to lie on the floor, against a place of no log odds
HINTED = -2.0  # log odds of a place from which a kind seems to be in play that is not seen surely
HIDES = 0.5  # log odds of a piece on a tile which something hides, from which it is that piece
SLIGHTLY = 0.2  # the same where a piece is missing that is thought to be nowhere
ALTERED, BESIDE_PIECES = 0.65, 0.95  # the part of one more piece's place that is not as it was
FOUND, LOST = 1.5, -2.3  # log odds from which a missing piece is claimed, and emptiness is not


@dataclass(frozen=True)
class Set:
    """How many pieces of a kind are in play: as many as were shown, at most as many as exist."""

    least: int
    most: int


def sets(learned: Learned) -> dict[str, Set]:
    """Of kinds that were shown; of others nobody knows how many lie about."""
    shown, kinds = {look.name: look.shown for look in learned.table.pieces}, learned.kinds
    return {
        name: Set(shown[name], int(most))
        for name, most in zip(kinds.names, kinds.exist[:-1], strict=True)
        if shown[name]
    }


def recount(learned: Learned, judge: Judge, there: Presence, strange: frozenset[str]) -> list[Said]:
    """What is said of every site; on `strange` cells something hides what a tile would show."""
    there = with_overlooked(learned, judge, without_mistakes(learned, judge, there), strange)
    known, names = sets(learned), learned.kinds.names
    said = [() if empty else judge.say(n, there) for n, empty in enumerate(judge.clear(there))]
    said = without_too_many(said, known)
    if judge.cover.cells or judge.cover.blocked:  # a hand may hold what is missing
        return said
    for _ in range(ROUNDS):  # what is found leaves less for what is not sure yet
        before = list(said)
        there = ask_unsure(learned, judge, there, said, known)
        if cleared(judge, there, known):
            break
        for kind, name in enumerate(names):
            lost = known[name].least - claimed(said)[name] if name in known else 0
            if lost > 0 and in_play(kind, name, said, there, judge):
                look_for(kind, lost, said, there, judge)
        if said == before or None not in said:
            break
    counts = claimed(said)
    if any(own.least > counts[name] for name, own in known.items()):
        counts += thought_of(said, judge)
        nowhere = any(own.least > counts[name] for name, own in known.items())
        least = SLIGHTLY if nowhere else ALTERED
        said = [
            without_altered(pieces, float(judge.altered[n]), least) for n, pieces in enumerate(said)
        ]
    return without_too_many(said, known)


def cleared(judge: Judge, there: Presence, known: Mapping[str, Set]) -> bool:
    """Whether most pieces are off the board: then what is missing need not stand anywhere."""
    flat = judge.kinds.flat
    found = int((there.holes > 0).sum()) + sum(
        not flat[standing.kind] for n in there.others for standing in judge.explained.found[n]
    )
    return found < SET_UP * sum(own.least for own in known.values())


def ask_unsure(
    learned: Learned, judge: Judge, there: Presence, said: list[Said], known: Mapping[str, Set]
) -> Presence:
    """Say of sites left open what they show if no kind stands there all pieces of which are known
    to stand elsewhere.
    """
    explained, unsure = judge.explained, [n for n, pieces in enumerate(said) if pieces is None]
    if not unsure:
        return there
    counts = claimed(said)
    spent = [name in known and counts[name] >= known[name].most for name in learned.kinds.names]
    before = {n: explained.foremost(n) for n in unsure if there.holes[n] > 0}
    for n in unsure:
        explained.ask_again(n, np.array([*spent, False]))
    there = presence(learned, judge.outlook, judge.evidence, explained, there, unsure)
    for n in unsure:
        was, kind = before.get(n), explained.foremost(n).kind
        # what clearly is of a kind of which there are no more stays open: one is a mistake
        if was is None or was.rival <= RIVAL or was.kind == kind:
            said[n] = judge.say(n, there)
    return there


def without_altered(said: Said, altered: float, least: float) -> Said:
    """While a piece is missing nothing is said of a field so much of which is not as it was; of an
    empty one from the `least` on.
    """
    return None if altered > (BESIDE_PIECES if said else least) else said


def thought_of(said: list[Said], judge: Judge) -> Counter[str]:
    """The pieces that may stand on sites that are left open."""
    explained, kinds = judge.explained, judge.kinds
    open_still = [n for n, pieces in enumerate(said) if pieces is None]
    found = [s for n in open_still for s in explained.found[n]]
    found += [explained.scores[n].best for n in open_still if explained.thinkable(n)]
    return Counter(kinds.names[s.kind] for s in found if not kinds.flat[s.kind])


def without_mistakes(learned: Learned, judge: Judge, there: Presence) -> Presence:
    """Squares in which kinds were found by mistake are looked at once more without these kinds:
    what was found in their place may hide a piece.
    """
    explained, many, again = judge.explained, len(learned.kinds.names), []
    for n, (odds, _) in there.others.items():
        own = np.array([s.kind for s in explained.found[n] if s.kind < many])
        mistaken = [
            kind
            for kind in np.unique(own)
            if odds[own == kind].mean() < -SURE and odds[own == kind].max() < UNLIKELY
        ]
        if mistaken:
            explained.ask_again(n, np.isin(np.arange(many + 1), mistaken))
            again.append(n)
    if not again:
        return there
    return presence(learned, judge.outlook, judge.evidence, explained, there, again)


def with_overlooked(
    learned: Learned, judge: Judge, there: Presence, strange: frozenset[str]
) -> Presence:
    """Where a tile surely holds a piece that was not clear enough to be found, it counts as found:
    the rest of the tile is read by what the piece leaves of it. Where something hides what a
    tile would show, it need not be sure by itself.
    """
    explained, flat = judge.explained, judge.kinds.flat
    again = [
        n
        for n, (_, more) in there.others.items()
        if explained.sites[n].cell.kind == "tile"
        and more > (HIDES if explained.sites[n].cell.id in strange else SURE)
        and not explained.found[n]
        and not flat[explained.scores[n].best.kind]
    ]
    for n in again:
        explained.accept(n)
    if not again:
        return there
    there = presence(learned, judge.outlook, judge.evidence, explained, there, again)
    for n in again:
        there = there.surer(n, 0, SURE)
    return there


def in_play(kind: int, name: str, said: list[Said], there: Presence, judge: Judge) -> bool:
    """Whether any piece of a kind is seen, be it doubtfully."""
    if claimed(said)[name] > 0:
        return True
    chances = (chance(kind, n, own, there, judge) for n, own in enumerate(said))
    return any(odds is not None and odds > HINTED for odds in chances)


def look_for(kind: int, lost: int, said: list[Said], there: Presence, judge: Judge) -> None:
    """Say where the missing pieces of a kind are, or could be."""
    chances = {n: chance(kind, n, own, there, judge) for n, own in enumerate(said)}
    could = {n: odds for n, odds in chances.items() if odds is not None}
    places = sorted(could, key=lambda n: -could[n])[:MANY]
    for n, sure in zip(places, occupied([could[n] for n in places], lost), strict=True):
        if said[n] is None and sure > FOUND:
            said[n] = judge.say(
                n, there.surer(n, doubted(kind, n, there, judge), SURE + sure - FOUND)
            )
        elif said[n] is not None and sure > LOST:
            said[n] = None


def chance(kind: int, n: int, own: Said, there: Presence, judge: Judge) -> float | None:
    """The log odds of one more piece of a kind on a site than is said; None where it cannot be."""
    explained = judge.explained
    if explained.sites[n].cell.shape == "hole":
        possible = not own and explained.foremost(n).kind == kind
        return float(there.holes[n]) if possible else None
    if n not in there.others:
        return None
    odds, more = there.others[n]
    which = doubted(kind, n, there, judge) if own is None else None
    if which is not None:
        return float(odds[which])
    return more if explained.scores[n].best.kind == kind and more > NO_LIGHT else None


def doubted(kind: int, n: int, there: Presence, judge: Judge) -> int | None:
    """Which of the pieces found on a square is the likeliest of a kind that is not sure."""
    flat = judge.kinds.flat
    standing = [s for s in judge.explained.found[n] if not flat[s.kind]]
    odds = there.others[n][0] if n in there.others else ()
    sure = {m: float(own) for m, own in enumerate(odds) if standing[m].kind == kind and own < SURE}
    return max(sure, key=lambda m: sure[m]) if sure else None


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


def claimed(said: list[Said]) -> Counter[str]:
    return Counter(seen.name for pieces in said for seen in pieces or ())


def without_too_many(said: list[Said], known: Mapping[str, Set]) -> list[Said]:
    """Where there are more of a kind than exist, the least sure of them are left open; of two in
    one place one is a mistake rather than what stands alone.
    """
    left = list(said)
    for name, count in claimed(said).items():
        over = count - known[name].most if name in known else 0
        if over > 0:
            own = [[seen for seen in pieces or () if seen.name == name] for pieces in said]
            sure = sorted(
                (len(seen) == 1, one.confidence, n) for n, seen in enumerate(own) for one in seen
            )
            for *_, n in sure if count > TOO_MANY * known[name].most else sure[:over]:
                left[n] = None
    return left
