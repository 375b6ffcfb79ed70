"""What was probably tried on a Tock board: the moves that would explain it, with their faults.

Every fault comes from the generator's own checks, run tolerantly; only what no card's walk
could be (a wrong count, another's pawn) is named here.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import TYPE_CHECKING, NamedTuple

from referee import cards
from referee.cross import PAWNS
from referee.plays import CAMP, Part, Play, Refusal, refuse
from referee.seven import SEVEN
from referee.track import BRANCH, Pawns, bits

if TYPE_CHECKING:
    from referee.moves import Landing, Moves

Masks = tuple[int, ...]


class Moved(NamedTuple):
    """A pawn that is somewhere else than before; from its camp where `cell` is None."""

    seat: int
    cell: int | None
    to: int


def tried(moves: Moves, card: str, seen: Masks) -> Iterator[Play]:
    """Plays that leave this board and break a rule. `moves` is tolerant."""
    before = moves.before.masks
    come = [
        (seat, cell) for seat, mask in enumerate(seen) for cell, _ in bits(mask & ~before[seat])
    ]
    if len(come) > 4:
        return
    exact = False
    if cards.RANK[card] != "7":
        for play in moves.of_card(card):
            if agrees(play, before, seen):
                exact = True
                yield with_missing(play, seen)
    if exact:
        return
    if len(come) == 1:
        for moved in origins(moves, *come[0], seen):
            yield from single(moves, card, moved, seen)
    elif len(come) > 1 and len({seat for seat, _ in come}) == 1:
        yield from shared(moves, card, [cell for _, cell in come], come[0][0], seen)
    elif len(come) == 2:
        yield from crossed_over(moves, card, come, seen)


def agrees(play: Play, before: Masks, seen: Masks) -> bool:
    """The board a play leaves, but for pieces taken too many or not yet taken."""
    return all(
        not now & ~after & ~was and not after & ~now & ~was
        for after, was, now in zip(play.position.masks, before, seen, strict=True)
    ) and moved_seats(play.position.masks, before) == moved_seats(seen, before)


def moved_seats(after: Masks, before: Masks) -> list[int]:
    return [mask & ~was for mask, was in zip(after, before, strict=True)]


def with_missing(play: Play, seen: Masks) -> Play:
    """The play, with BOARD broken where pieces are gone that it does not take."""
    if any(after & ~now for after, now in zip(play.position.masks, seen, strict=True)):
        return play._replace(broken=(*play.broken, refuse("BOARD", more=0, fewer=1)))
    return play


def origins(moves: Moves, seat: int, to: int, seen: Masks) -> Iterator[Moved]:
    """Where the pawn came from: from where one is missing, else from the camp."""
    before = moves.before.masks[seat]
    gone = before & ~seen[seat]
    for cell, _ in bits(gone):
        yield Moved(seat, cell, to)
    if not gone and before.bit_count() < PAWNS:
        yield Moved(seat, None, to)


def single(moves: Moves, card: str, moved: Moved, seen: Masks) -> Iterator[Play]:
    """One pawn went somewhere this card does not take it."""
    rank, why = cards.RANK[card], list(ownership(moves, card, moved.seat))
    letter = moves.letter(moved.seat)
    if moved.cell is None:
        entries = list(moves.entering(moved.seat, card)) if moved.to % BRANCH == 0 else []
        right = [play for play in entries if agrees(play, moves.before.masks, seen)]
        for play in right:
            faults = (*play.broken, *why)
            yield with_missing(play, seen)._replace(broken=(*faults, *misfit(moves, card, seen)))
        if not right:
            why.append(refuse("TOCK-ENTER", seat=letter, cell=moves.laws.names[moved.to]))
            yield made(moves, card, moved, tuple(why))
        return
    known = False
    for steps, landing in walks_to(moves, moved):
        known = True
        play = moves.play(card, moved.seat, moved.cell, 1 << moved.cell, landing)
        if not agrees(play, moves.before.masks, seen):
            continue
        faults = (*landing.broken, *count(moves, rank, letter, steps), *why)
        yield with_missing(play, seen)._replace(broken=(*faults, *misfit(moves, card, seen)))
    if not known:
        rule = "TOCK-HOUSE" if max(moved.cell, moved.to) >= moves.laws.track.ring else "TOCK-EXACT"
        faults = (refuse(rule, seat=letter), *why)
        yield made(moves, card, moved, (*faults, *misfit(moves, card, seen)))


def made(moves: Moves, card: str, moved: Moved, broken: tuple[Refusal, ...]) -> Play:
    names = moves.laws.names
    path = (CAMP if moved.cell is None else names[moved.cell], names[moved.to])
    way = (None, (Part(moves.letter(moved.seat), path),))
    return Play(card, way, moves.before, broken=broken)


def walks_to(moves: Moves, moved: Moved) -> Iterator[tuple[int, Landing]]:
    """The walks between two cells, steps counted, backward ones below zero."""
    laws, cell = moves.laws, moved.cell
    assert cell is not None
    ring, meets = laws.track.ring, moves.meets(moved.seat)
    fresh = bool(moves.fresh & 1 << cell)
    span = ring // 2 if moved.to < ring else ring
    for steps in range(1, span + 1):
        for walk in laws.track.walks(moved.seat, cell, steps, fresh):
            jump = int(laws.jumps)
            for landing in moves.landings(moved.seat, walk, meets, jump, laws.cross == "never"):
                if landing.bit == 1 << moved.to and (len(landing.path) == 1 or steps <= 18):
                    yield steps, landing
    if cell < ring and moved.to < ring:
        steps = (cell - moved.to) % ring
        if steps < ring // 2:
            for landing in moves.landings(moved.seat, laws.track.back(cell, steps), meets, 0):
                yield -steps, landing


def count(moves: Moves, rank: str, letter: str, steps: int) -> tuple[Refusal, ...]:
    """What is wrong with so many steps for this card."""
    if rank == "J":
        return (refuse("TOCK-SWAP", seat=letter),)
    if rank == "7":
        return () if steps == SEVEN else (refuse("TOCK-SEVEN", seat=letter, moved=steps),)
    worth = moves.steps_of(rank)
    if steps == worth:
        return ()
    if (steps < 0) != (worth < 0):
        return (refuse("TOCK-BACK", seat=letter, moved=abs(steps)),)
    return (refuse("TOCK-EXACT", seat=letter, moved=abs(steps), worth=abs(worth)),)


def ownership(moves: Moves, card: str, seat: int) -> Iterator[Refusal]:
    """Whether this player may move that seat's pawns at all."""
    laws = moves.laws
    lent = cards.RANK[card] == "5" and laws.lends_five
    if lent and seat not in laws.rivals[moves.player]:
        yield refuse("TOCK-FIVE", seat=moves.letter(seat))
    elif not lent and seat not in moves.movers:
        if seat in laws.mates[moves.player]:
            yield refuse("TOCK-PARTNER", seat=moves.letter(seat))
        yield refuse("OWN", seat=moves.letter(seat))
        other = type(moves)(laws, moves.before, seat)
        if any(True for rank in cards.RANKS for _ in other.of_card(rank + "S")):
            yield refuse("TURN", seat=moves.letter(seat))


def misfit(moves: Moves, card: str, seen: Masks) -> tuple[Refusal, ...]:
    """The cards that would have been right, if any."""
    strict = type(moves)(moves.laws, moves.before, moves.player)
    deck = [rank + "S" for rank in cards.RANKS]
    if moves.laws.lends_five:  # the games that lend it are those with jokers
        deck.append(cards.JOKERS[0])
    fits = [
        cards.RANK[other]
        for other in deck
        if cards.RANK[other] != cards.RANK[card]
        and any(play.position.masks == seen for play in strict.of_card(other))
    ]
    return (refuse("CARD", card=card, fits=" ".join(fits)),) if fits else ()


def shared(moves: Moves, card: str, come: list[int], seat: int, seen: Masks) -> Iterator[Play]:
    """Several pawns of one seat moved: parts of a seven, whatever the card says."""
    gone = [cell for cell, _ in bits(moves.before.masks[seat] & ~seen[seat])]
    why = tuple(ownership(moves, card, seat)) if seat not in moves.movers else ()
    for left in permutations(gone, len(come)) if len(gone) <= 4 else ():
        for order in permutations(zip(left, come, strict=True)):
            yield from parted(moves, card, seat, order, seen, why)
    moves.stand(*moves.before)


def parted(
    moves: Moves,
    card: str,
    seat: int,
    order: tuple[tuple[int, int], ...],
    seen: Masks,
    why: tuple[Refusal, ...],
) -> Iterator[Play]:
    """These walks one after the other, on the board as each finds it."""
    state, spent, broken, parts = moves.before, 0, why, []
    for cell, to in order:
        moves.stand(*state)
        found = [one for one in walks_to(moves, Moved(seat, cell, to)) if one[0] > 0]
        if not found or not moves.masks[seat] & 1 << cell:
            return
        steps, landing = min(found, key=lambda one: (len(one[1].broken), one[0]))
        spent += steps
        broken += landing.broken
        parts.append(moves.play(card, seat, cell, 1 << cell, landing))
        state = Pawns(*moves.after(seat, 1 << cell, landing))
    letter = moves.letter(seat)
    if cards.RANK[card] != "7":
        broken += (refuse("CARD", card=card, fits="7"),)
    elif spent != SEVEN or not broken:
        broken += (refuse("TOCK-SEVEN", seat=letter, moved=spent),)
    play = Play(card, parts[-1].way, state, broken=broken)
    if agrees(play, moves.before.masks, seen):
        yield with_missing(play, seen)


def crossed_over(
    moves: Moves, card: str, come: list[tuple[int, int]], seen: Masks
) -> Iterator[Play]:
    """Two pawns of two seats stand where each other stood."""
    for play in type(moves)(moves.laws, moves.before, moves.player, True).swapping("JS"):
        if play.position.masks == seen:
            broken = play.broken
            if cards.RANK[card] != "J":
                broken += (refuse("CARD", card=card, fits="J"),)
            yield play._replace(card=card, broken=broken)
