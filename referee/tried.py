"""What was probably tried on a Tock board: the moves that would explain it, with their faults.

Every fault comes from the generator's own checks, run tolerantly; only what no card's walk
could be (a wrong count, another's pawn) is named here.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import islice, permutations, product
from typing import TYPE_CHECKING, NamedTuple

from referee import cards
from referee.cross import PAWNS
from referee.plays import CAMP, Part, Play, Refusal, refuse
from referee.seven import SEVEN
from referee.track import BRANCH, Pawns, bits
from referee.walking import Landing

if TYPE_CHECKING:
    from referee.games.tock import Moves

Masks = tuple[int, ...]
Faults = tuple[Refusal, ...]
FARTHEST = 18  # no play jumps after a longer walk
NEAREST, TRIES = 4, 24  # ways to match the pawns of a seat; orders in all


class Moved(NamedTuple):
    """A pawn that is somewhere else than before; from its camp where `cell` is None."""

    seat: int
    cell: int | None
    to: int


class Walked(NamedTuple):
    """A pawn that went from cell to cell, and how that could be walked."""

    seat: int
    cell: int
    steps: int  # backward below zero
    landing: Landing


class Route(NamedTuple):
    """Walks one after the other, each with the board it finds, and the board they leave."""

    walks: tuple[tuple[Walked, Pawns], ...]
    state: Pawns


class Clues:
    """What is found out once about a board that was seen, whatever the cards."""

    def __init__(self, moves: Moves, seen: Masks) -> None:
        self.moves = moves
        self.seen = seen

    @cached_property
    def routes(self) -> tuple[Route, ...]:
        moves = self.moves
        own = type(moves)(moves.laws, moves.before, moves.player, True)
        return tuple(routes(own, arrived(own, self.seen), self.seen))


def arrived(moves: Moves, seen: Masks) -> list[tuple[int, int]]:
    """The seats and cells of the pawns that stand where none of theirs stood."""
    return [
        (seat, cell)
        for seat, mask in enumerate(seen)
        for cell, _ in bits(mask & ~moves.before.masks[seat])
    ]


def tried(moves: Moves, card: str, seen: Masks, clues: Clues) -> Iterator[Play]:
    """Plays that leave this board and break a rule. `moves` is tolerant."""
    before, come = moves.before.masks, arrived(moves, seen)
    if len(come) > PAWNS:
        return
    exact = False
    if cards.RANK[card] == "7":
        yield from loosened(moves, card, seen)
    else:
        for play in moves.of_card(card):
            if agrees(play, before, seen) and departed(moves, play, seen):
                lost = missing(moves, play, seen)
                exact = exact or all(fault.rule != "BOARD" for fault in lost)
                yield play._replace(broken=play.broken + lost)
    if exact:
        return
    if len(come) == 1:
        for moved in origins(moves, *come[0], seen):
            yield from single(moves, card, moved, seen)
    elif len(come) > 1:
        if len(come) == 2:
            yield from changed_places(moves, card, come, seen)
        yield from several(moves, card, seen, clues)


def loosened(moves: Moves, card: str, seen: Masks) -> Iterator[Play]:
    """Sevens that are right, or would be if one law were looser: by that law they are wrong."""
    if not within_seven(moves, seen):
        return
    yield from (play for play in moves.of_card(card) if play.position.masks == seen)
    for why, other in moves.looser():
        if other != moves.laws:
            for play in type(moves)(other, moves.before, moves.player).of_card(card):
                if play.position.masks == seen:
                    yield play._replace(broken=(why,))


def within_seven(moves: Moves, seen: Masks) -> bool:
    """A quick look: whether whoever came somewhere is of one's own, and no more than seven off."""
    mine = (*moves.movers, *moves.laws.mates[moves.player])
    for seat, (was, now) in enumerate(zip(moves.before.masks, seen, strict=True)):
        if not now & ~was:
            continue
        reach = 0
        for cell, _ in bits(was & ~now):
            reach |= moves.track.reach(seat, cell, SEVEN, True)
        if seat not in mine or now & ~was & ~reach:
            return False
    return True


def agrees(play: Play, before: Masks, seen: Masks) -> bool:
    """The board a play leaves, but for pieces taken too many or not yet taken."""
    triples = zip(play.position.masks, before, seen, strict=True)
    return not any((now ^ after) & ~was for after, was, now in triples)


def departed(moves: Moves, play: Play, seen: Masks) -> bool:
    """Whether the pawn that moved is gone from where it stood, or has come from its camp."""
    track, before = moves.laws.track, moves.before.masks
    for part in play.parts:
        if not part.swap:
            seat, entered = track.branches[part.piece], part.path[0] == CAMP
            mask = ~seen[seat] | before[seat] if entered else seen[seat]
            if mask >> track.cells[part.path[entered]] & 1:
                return False
    return True


def missing(moves: Moves, play: Play, seen: Masks) -> Faults:
    """The rule broken where pawns are gone that the play does not take."""
    lost = 0
    for after, now in zip(play.position.masks, seen, strict=True):
        lost |= after & ~now
    if not lost:
        return ()
    track = moves.laws.track
    passed = touched = 0
    for part in play.parts:
        for stop in part.path[1:-1]:
            touched |= 1 << track.cells[stop]
        if part.path[0] != CAMP and not part.swap:
            seat = track.cells[f"{part.piece}{BRANCH}"] // BRANCH
            passed |= over(moves, seat, track.cells[part.path[0]], track.cells[part.path[1]])
    if lost & ~(passed | touched):
        return (refuse("BOARD", more=0, fewer=lost.bit_count()),)
    moves.stand(*moves.before)
    if lost & touched:
        return moves.about("TOCK-CENTRE", lost & touched)
    if play.card is not None and cards.RANK[play.card] == "7":
        return moves.about("TOCK-SEVEN", lost)
    return moves.about("TOCK-KING" if moves.laws.sweeps else "TOCK-PASS", lost)


def over(moves: Moves, seat: int, cell: int, to: int) -> int:
    """The cells between two, on the way forward."""
    for steps in range(1, FARTHEST + 1):
        for walk in moves.laws.track.walks(seat, cell, steps):
            if walk.to == to:
                return walk.over
    return 0


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
    letter = moves.letter(moved.seat)
    why = ownership(moves, card, moved.seat)
    if why:  # however it went
        yield put(moves, card, moved, why)
        return
    if moved.cell is None:
        at_start = moved.to == moved.seat * BRANCH
        entries = moves.entering(moved.seat, card) if at_start else ()
        right = [play for play in entries if agrees(play, moves.before.masks, seen)]
        for play in right:
            faults = play.broken
            if not faults and cards.RANK[card] not in cards.ENTERS:
                faults = (refuse("TOCK-ENTER", seat=letter, card=card),)
            yield play._replace(broken=faults + missing(moves, play, seen))
        if not right:
            why = (refuse("TOCK-ENTER", seat=letter, cell=moves.laws.names[moved.to]),)
            yield put(moves, card, moved, why)
        return
    known = False
    for walked in walks_to(moves, moved.seat, moved.cell, moved.to):
        known = True
        play = moves.play(card, moved.seat, moved.cell, 1 << moved.cell, walked.landing)
        if agrees(play, moves.before.masks, seen):
            faults = count(moves, card, letter, walked.steps)
            if cards.RANK[card] != "J":  # with a jack nobody walks, however
                faults += play.broken
            yield play._replace(broken=faults + missing(moves, play, seen))
    if not known:
        yield put(moves, card, moved, (nowhere(moves, moved.seat, moved.cell, moved.to),))


def stacked(moves: Moves, card: str, twice: list[tuple[str, str]], seen: Masks) -> Iterator[Play]:
    """A pawn put down in the hole where one of its own stands."""
    (piece, name), track = twice[0], moves.laws.track
    seat, cell = track.branches[piece], track.cells[name]
    was, now = moves.before.masks[seat], seen[seat]
    gone, bit, letter = was & ~now, 1 << cell, moves.letter(seat)
    if len(twice) > 1 or now & ~was or gone.bit_count() > 1:
        return
    if any(other & ~before for other, before in zip(seen, moves.before.masks, strict=True)):
        return
    broken: Faults = ()
    if not gone and was.bit_count() == PAWNS:
        return
    if not gone:
        broken = moves.about("TOCK-ENTER", bit, seat)
    for origin, _ in bits(gone):
        ways = [
            walked.landing.broken + count(moves, card, letter, walked.steps)
            for walked in walks_to(moves, seat, origin, cell)
        ]
        broken = min(ways, key=len, default=()) or moves.about("TOCK-LAND", bit, seat)
        broken = tuple(sorted(broken, key=lambda one: one.rule != "TOCK-LAND"))
    yield Play(card, None, moves.before, broken=ownership(moves, card, seat) or broken)


def put(moves: Moves, card: str, moved: Moved, broken: Faults) -> Play:
    """A pawn simply put somewhere."""
    names = moves.laws.names
    path = (CAMP if moved.cell is None else names[moved.cell], names[moved.to])
    way = (None, (Part(moves.letter(moved.seat), path),))
    return Play(card, way, moves.before, broken=broken)


def walks_to(moves: Moves, seat: int, cell: int, to: int) -> Iterator[Walked]:
    """The walks from a cell to another on the board as it stands."""
    laws = moves.laws
    ring, meets = laws.track.ring, moves.meets(seat)
    fresh = bool(moves.fresh & 1 << cell)
    never = laws.cross == "never" and seat in moves.own()
    for steps in range(1, FARTHEST + 1):
        for walk in laws.track.walks(seat, cell, steps, fresh):
            jump = int(laws.jumps)
            for landing in moves.landings(seat, walk, meets, jump, never):
                if landing.bit == 1 << to:
                    yield Walked(seat, cell, steps, landing)
    if cell < ring and to < ring:
        steps = (cell - to) % ring
        if steps <= FARTHEST:
            for landing in moves.landings(seat, laws.track.back(cell, steps), meets, 0):
                if landing.bit == 1 << to:
                    yield Walked(seat, cell, -steps, landing)


def nowhere(moves: Moves, seat: int, cell: int, to: int) -> Refusal:
    """No card walks there."""
    in_house = max(cell, to) >= moves.laws.track.ring
    return refuse("TOCK-HOUSE" if in_house else "TOCK-EXACT", seat=moves.letter(seat))


def count(moves: Moves, card: str, letter: str, steps: int) -> Faults:
    """What is wrong with so many steps for this card."""
    rank = cards.RANK[card]
    if rank == "J":
        return (refuse("TOCK-SWAP", seat=letter),)
    if rank == "7":
        return () if steps == SEVEN else (refuse("TOCK-SEVEN", seat=letter, moved=steps),)
    worth = moves.steps_of(rank)
    if steps == worth:
        return ()
    if (steps < 0) != (worth < 0):
        return (refuse("TOCK-BACK", seat=letter, moved=steps, card=card),)
    return (refuse("TOCK-EXACT", seat=letter, moved=steps, worth=abs(worth), card=card),)


def ownership(moves: Moves, card: str, seat: int) -> Faults:
    """Whether this player may move that seat's pawns at all."""
    laws, letter = moves.laws, moves.letter(seat)
    if cards.RANK[card] == "5" and laws.lends_five:
        rival = seat in laws.rivals[moves.player]
        return () if rival else (refuse("TOCK-FIVE", seat=letter),)
    if seat in moves.movers:
        return ()
    partner = (refuse("TOCK-PARTNER", seat=letter),) if seat in laws.mates[moves.player] else ()
    return (*partner, refuse("OWN", seat=letter))


def several(moves: Moves, card: str, seen: Masks, clues: Clues) -> Iterator[Play]:
    """Several pawns moved: parts of a seven, whatever the card says."""
    for route in clues.routes:
        play = parted(moves, card, route)
        yield play._replace(broken=play.broken + missing(moves, play, seen))


def routes(moves: Moves, come: list[tuple[int, int]], seen: Masks) -> Iterator[Route]:
    """How several pawns could have come where they stand: the nearest first, a few at most."""
    ways = []
    for seat in dict.fromkeys(seat for seat, _ in come):
        here = [cell for one, cell in come if one == seat]
        gone = [cell for cell, _ in bits(moves.before.masks[seat] & ~seen[seat])]
        far = {pair: distance(moves, seat, *pair) for pair in product(gone, here)}
        pairs = [tuple(zip(one, here, strict=True)) for one in permutations(gone, len(here))]
        pairs.sort(key=lambda one: sum(far[pair] for pair in one))
        ways.append([[(seat, *pair) for pair in one] for one in pairs[:NEAREST]])
    known: dict[tuple[int, int, int, Pawns], Walked] = {}
    orders = (
        order
        for matched in product(*ways)
        for order in permutations(move for one in matched for move in one)
    )
    for order in islice(orders, TRIES):
        state, route = moves.before, []
        for seat, cell, to in order:
            key = seat, cell, to, state
            moves.stand(*state)
            if key not in known and moves.masks[seat] & 1 << cell:
                stray = Landing(1 << to, (to,), broken=(nowhere(moves, seat, cell, to),))
                found = walks_to(moves, seat, cell, to)
                known[key] = min(found, key=badness, default=Walked(seat, cell, 0, stray))
            walked = known.get(key)
            if walked is None:
                break
            route.append((walked, state))
            state = Pawns(*moves.after(seat, 1 << cell, walked.landing))
        else:
            if agrees(Play(None, None, state), moves.before.masks, seen):
                yield Route(tuple(route), state)
                if not any(walked.landing.broken for walked, _ in route):
                    return


def distance(moves: Moves, seat: int, cell: int, to: int) -> int:
    """How far a pawn would have walked, at a rough guess."""
    track, jumps = moves.laws.track, moves.laws.jumps
    for steps in range(1, FARTHEST + 1):
        for walk in track.walks(seat, cell, steps):
            jumped = jumps and walk.central
            if to == walk.to or (jumped and to == track.jump(walk.to, 1)):
                return steps
        if cell < track.ring and to == track.back(cell, steps).to:
            return steps
    return track.ring


def parted(moves: Moves, card: str, route: Route) -> Play:
    """These walks one after the other, on the board as each finds it."""
    rank, laws = cards.RANK[card], moves.laws
    crosses = any(walked.landing.crosses for walked, _ in route.walks)
    wrong: Faults = ()
    whose: Faults = ()
    parts: list[Part] = []
    for walked, state in route.walks:
        moves.stand(*state)
        seat, letter = walked.seat, moves.letter(walked.seat)
        wrong += walked.landing.broken
        if walked.steps < 0:
            wrong += (refuse("TOCK-SEVEN", seat=letter, moved=walked.steps),)
        own = moves.own() if laws.seven_partner else moves.movers
        if seat in laws.mates[moves.player] and seat not in own:
            whose += (refuse("TOCK-PARTNER", seat=letter),)
        elif seat not in own:
            whose += (refuse("OWN", seat=letter),)
        parts.append(moves.part(seat, walked.cell, walked.landing))
    moves.stand(*moves.before)
    seats = [walked.seat for walked, _ in route.walks]
    mine = [seat for seat in seats if seat in moves.movers]
    letter = moves.letter((mine or seats)[0])
    spent = sum(abs(walked.steps) for walked, _ in route.walks)
    if rank == "J":  # however they went
        wrong = (refuse("TOCK-SWAP", seat=letter),)
    elif rank != "7" and len(mine) > 1:
        wrong = (refuse("TOCK-SEVEN", seat=letter, card=card),)
    elif rank == "7" and spent != SEVEN and all(walked.steps for walked, _ in route.walks):
        wrong += (refuse("TOCK-SEVEN", seat=letter, moved=spent),)
    broken = wrong + whose
    return Play(card, (None, tuple(parts)), route.state, crosses=crosses, broken=broken)


def badness(walked: Walked) -> tuple[int, int]:
    backward = walked.steps < 0
    return len(walked.landing.broken) + backward, abs(walked.steps)


def changed_places(
    moves: Moves, card: str, come: list[tuple[int, int]], seen: Masks
) -> Iterator[Play]:
    """Two pawns of two seats stand where each other stood."""
    (one, to_one), (two, to_two) = come
    here, there = 1 << to_two, 1 << to_one
    before = moves.before.masks
    if one == two or not (before[one] & here and before[two] & there):
        return
    play = next(
        (play for play in moves.swapping("JS") if play.position.masks == seen),
        moves.swap("JS", (one, to_two), (two, to_one), ()),
    )
    if play.position.masks != seen:
        return
    broken = play.broken
    if not broken and cards.RANK[card] != "J":
        broken = (refuse("TOCK-SWAP", seat=moves.letter(one), card=card),)
    in_house = (here | there) & ~moves.laws.track.ring_mask
    if in_house:
        broken = moves.about("TOCK-SWAP", in_house) + broken
    if not {one, two} & set(moves.movers):
        broken += (refuse("TOCK-SWAP", seat=moves.letter(moves.player)),)
        broken += (refuse("OWN", seat=moves.letter(one)),)
    yield play._replace(card=card, broken=broken)
