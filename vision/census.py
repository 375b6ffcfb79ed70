"""The set of pieces is known: what is missing of it is looked for, what is too many is doubted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping
from dataclasses import dataclass

import numpy as np

from calibration.view import Array
from vision.claims import TOO_MANY, claimed
from vision.dealing import left_of, told_together
from vision.doubts import RIVAL, SURE, Judge, Said, ahead
from vision.missing import Close, look_closely, look_for, missing_of
from vision.outlook import Learned
from vision.presence import Presence, presence

UNLIKELY = -1.0  # log odds of the likeliest of some pieces that were found by mistake
ROUNDS = 3  # how often sites left open are asked again
SET_UP = 0.5  # the part of the pieces that is on the board while one plays
HIDES = 0.5  # log odds of a piece on a tile which something hides, from which it is that piece
SLIGHTLY = 0.2  # the same where a piece is missing that is thought to be nowhere
SWAPS = 1  # pieces left open for each that is missing
SWAPPED = 0.5  # log odds a point before a kind that is missing, from which a piece is not of it
# log odds from which an open hole may be the one that holds the last piece of a kind, and by which
# another must be likelier to hold it
UNDECIDED_HOLE, LIKELIER = 1.0, 2.0
SEVERAL = 3  # covered cells in which a thing passes for pieces of one kind
FORCED = 0.7  # log odds a point that two pieces lose at least, were they of each other's kind
# the part of one more piece's place that is not as it was: on an empty field, beside pieces, and
# beside pieces where one is missing that is thought to be nowhere
ALTERED, BESIDE_PIECES, AMONG_PIECES = 0.65, 0.95, 0.7
STRANGE_BESIDE = 0.6  # the same that looks like no piece and not empty


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
    known = sets(learned)
    least = {name: own.least for name, own in known.items()}
    said = [() if empty else judge.say(n, there) for n, empty in enumerate(judge.clear(there))]
    said = without_too_many(said, known)
    if judge.cover.cells or judge.cover.blocked:  # a hand may hold what is missing
        counts = claimed(said)
        if any(many > counts[name] for name, many in least.items()):
            said = [
                without_altered(own, *changed, False)
                for own, changed in zip(said, changes(judge), strict=True)
            ]
        return without_its_kind(said, judge)
    close: Close | None = None
    even = as_likely(said, there, judge, known)
    for n in even:
        said[n] = None
    for _ in range(ROUNDS):  # what is found leaves less for what is not sure yet
        before = list(said)
        there = ask_unsure(learned, judge, there, said, known, even)
        if cleared(judge, there, known):
            break
        missing = missing_of(least, said, there, judge)
        there = without_surplus(said, there, judge, known)
        if close is None or not close.most:
            close = look_closely(learned, missing, said, judge)
        for kind, lost in missing.items():
            there = look_for(kind, lost, said, there, judge, close)
        if said == before or None not in said:
            break
    counts = claimed(said)
    if any(many > counts[name] for name, many in least.items()):
        of_kind = [n for n, own in enumerate(said) if own is None and n not in even]
        missing = missing_of(least, said, there, judge)
        counts += thought_of(said, judge)
        nowhere = any(many > counts[name] for name, many in least.items())
        said = [
            own
            if own == () and close is not None and close.cleared(n, missing)
            else without_altered(own, *changed, nowhere)
            for n, (own, changed) in enumerate(zip(said, changes(judge), strict=True))
        ]
        said = without_too_many(said, known)
        missing = missing_of(least, said, there, judge)
        said = without_swapped(said, judge, nowhere_of(missing, said, judge))
        most = {name: own.most for name, own in known.items()}
        said = told_together(said, there, judge, left_of(most, said, judge), of_kind)
        return without_forced(said, judge)
    return without_forced(without_too_many(said, known), judge)


def cleared(judge: Judge, there: Presence, known: Mapping[str, Set]) -> bool:
    """Whether most pieces are off the board: then what is missing need not stand anywhere."""
    flat = judge.kinds.flat
    found = int((there.holes > 0).sum()) + sum(
        not flat[standing.kind] for n in there.others for standing in judge.explained.found[n]
    )
    return found < SET_UP * sum(own.least for own in known.values())


def ask_unsure(
    learned: Learned,
    judge: Judge,
    there: Presence,
    said: list[Said],
    known: Mapping[str, Set],
    but: Container[int] = (),
) -> Presence:
    """Say of sites left open what they show if no kind stands there all pieces of which are known
    to stand elsewhere; where none is left they are empty, unless there seemed to be a piece. Of
    some sites, `but`, that is not asked.
    """
    explained = judge.explained
    unsure = [n for n, pieces in enumerate(said) if pieces is None and n not in but]
    if not unsure:
        return there
    counts = claimed(said)
    spent = [name in known and counts[name] >= known[name].most for name in learned.kinds.names]
    before = {n: explained.foremost(n) for n in unsure if there.holes[n] > 0}
    seemed = {n for n in unsure if there.holes[n] > SURE or seems(n, there)}
    hidden = {n for n in unsure if judge.hidden(n) or judge.strange[n] > STRANGE_BESIDE}
    for n in unsure:
        explained.ask_again(n, np.array([*spent, False]))
    judge.forget()
    there = presence(learned, judge.outlook, judge.evidence, explained, there, unsure)
    for n in unsure:
        was, kind = before.get(n), explained.foremost(n).kind
        # what clearly is of a kind of which there are no more stays open: one is a mistake
        nothing_there = all(spent) or (explained.vain(n) and n not in hidden)
        if n not in seemed and nothing_there:
            said[n] = ()
        elif was is None or was.rival <= RIVAL or was.kind == kind:
            said[n] = judge.say(n, there)
    return there


def as_likely(
    said: list[Said], there: Presence, judge: Judge, known: Mapping[str, Set]
) -> set[int]:
    """Holes that may hold the last piece of a kind, and those that are said to hold one of it but
    are hardly likelier to hold any.
    """
    explained, kinds, counts = judge.explained, judge.kinds, claimed(said)
    found: set[int] = set()
    for n in np.flatnonzero(judge.outlook.holed & (there.holes > -UNDECIDED_HOLE)).tolist():
        kind, odds = explained.foremost(n).kind, float(there.holes[n])
        if said[n] is not None or kinds.flat[kind] or odds > SURE + UNDECIDED_HOLE:
            continue  # surely a piece: it is open for its colour
        name = kinds.names[kind]
        if name not in known or counts[name] < known[name].most:
            continue
        rivals = [
            m
            for m, pieces in enumerate(said)
            if judge.outlook.holed[m]
            and any(seen.name == name for seen in pieces or ())
            and there.holes[m] < odds + LIKELIER
        ]
        found.update((n, *rivals) if rivals else ())
    return found


def seems(n: int, there: Presence) -> bool:
    """Whether pieces found on a square are likely to be some."""
    return n in there.others and bool((there.others[n][0] > 0).any())


def changes(judge: Judge) -> list[tuple[float, float]]:
    """The part of every site, of what one more piece would hide, that is not as it was; and the
    part that is strange.
    """
    return list(zip(judge.altered.tolist(), judge.strange.tolist(), strict=True))


def without_altered(said: Said, altered: float, strange: float, nowhere: bool) -> Said:
    """While a piece is missing nothing is said of a field so much of which is not as it was, or is
    strange; least of all while that piece is thought to be `nowhere`.
    """
    if said:
        least = AMONG_PIECES if nowhere else BESIDE_PIECES
        return None if altered > least or strange > STRANGE_BESIDE else said
    return None if altered > (SLIGHTLY if nowhere else ALTERED) else said


def without_swapped(said: list[Said], judge: Judge, nowhere: Mapping[int, int]) -> list[Said]:
    """Of pieces that could as well be of a kind of which some are missing, and thought to be
    `nowhere`, the likeliest are left open.
    """
    left, names = list(said), judge.kinds.names
    for kind, many in nowhere.items():
        near = []
        for n, pieces in enumerate(said):
            told = {seen.name for seen in pieces or ()} - {names[kind]}
            odds = [
                ahead(judge.explained, n, standing)[kind]
                for standing in judge.explained.found[n] or [judge.explained.foremost(n)]
                if not judge.kinds.flat[standing.kind] and names[standing.kind] in told
            ]
            near.append((min(odds, default=np.inf), n))
        for odd, n in sorted(near)[: SWAPS * many]:
            if odd < SWAPPED:
                left[n] = None
    return left


def without_its_kind(said: list[Said], judge: Judge) -> list[Said]:
    """Beside what lies over the board no pieces are told of kinds for which it passes itself, in
    several of the cells it covers.
    """
    explained, kinds = judge.explained, judge.kinds
    its = Counter(
        kinds.names[kind]
        for n in judge.cover.cells
        for kind in {standing.kind for standing in explained.found[n]}
        if not kinds.flat[kind]
    )
    own = {name for name, many in its.items() if many >= SEVERAL}
    return [
        None if judge.cover.beside[n] and any(seen.name in own for seen in pieces or ()) else pieces
        for n, pieces in enumerate(said)
    ]


def without_forced(said: list[Said], judge: Judge) -> list[Said]:
    """A piece that looks more like one of another kind, which was ruled out there, and those of
    that kind that could as well be of its own: one of them is misread, so all are left open.
    """
    explained, left = judge.explained, list(said)
    names = judge.kinds.names
    ruled_out = np.isneginf(explained.barred[:, : len(names)])
    for n in np.flatnonzero(ruled_out.any(axis=1)).tolist():
        for kind, own in kinds_of(n, said[n], judge):
            for other in np.flatnonzero((own[: len(names)] < 0) & ruled_out[n]).tolist():
                near = [
                    m
                    for m, pieces in enumerate(said)
                    if any(seen.name == names[other] for seen in pieces or ())
                    for its, more in kinds_of(m, pieces, judge)
                    if its == other and more[kind] + own[other] < FORCED
                ]
                for m in (n, *near) if near else ():
                    left[m] = None
    return left


def kinds_of(n: int, said: Said, judge: Judge) -> list[tuple[int, Array]]:
    """The kinds of the pieces said to stand on a site, and how much before each other kind."""
    explained, kinds = judge.explained, judge.kinds
    told = {seen.name for seen in said or ()}
    found = explained.found[n] or [explained.foremost(n)] if told else []
    return [
        (standing.kind, ahead(explained, n, standing))
        for standing in found
        if not kinds.flat[standing.kind] and kinds.names[standing.kind] in told
    ]


def nowhere_of(missing: Mapping[int, int], said: list[Said], judge: Judge) -> dict[int, int]:
    """How many pieces of each kind are missing, beyond those that are thought of somewhere."""
    thought, names = thought_of(said, judge), judge.kinds.names
    return {
        kind: many - thought[names[kind]]
        for kind, many in missing.items()
        if many > thought[names[kind]]
    }


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
    judge.forget()
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
    judge.forget()
    there = presence(learned, judge.outlook, judge.evidence, explained, there, again)
    for n in again:
        there = there.surer(n, 0, SURE)
    return there


def without_surplus(
    said: list[Said], there: Presence, judge: Judge, known: Mapping[str, Set]
) -> Presence:
    """On open squares no more pieces of a kind are thought of than are left of it."""
    explained, counts = judge.explained, claimed(said)
    for kind, name in enumerate(judge.kinds.names):
        left = known[name].most - counts[name] if name in known else 0
        for n in there.others if left > 0 else ():
            standing = [s for s in explained.found[n] if not judge.kinds.flat[s.kind]]
            own = [m for m, s in enumerate(standing) if s.kind == kind]
            if said[n] is not None or len(own) <= left or len(standing) < len(explained.found[n]):
                continue
            odds, more = there.others[n]
            gone = sorted(own, key=lambda m: odds[m])[: len(own) - left]
            explained.keep(n, [s for m, s in enumerate(standing) if m not in gone])
            judge.forget()
            there = there.holding(n, np.delete(odds, gone), more)
    return there


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
