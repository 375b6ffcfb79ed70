"""Barricades: a die, a net of paths, and walls that change place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from hardware.boards.barricades import (
    DOORS,
    FIRST_BARRICADES,
    GOAL,
    PAWNS,
    ROWS,
    cell_names,
    neighbours,
)
from referee.flow import Flow
from referee.form import filled, pawns_of, sight_of, written
from referee.game import Judged, Partners, Seatings, Setup, Sight, Value
from referee.plays import CAMP, Part, Play, RefereeError, Refusal, Standing, once, refuse
from referee.track import bits, mask_of

NAMES = (*cell_names(), GOAL)
CELLS = {name: n for n, name in enumerate(NAMES)}
NEXT = tuple(tuple(CELLS[other] for other in neighbours(name)) for name in NAMES)
GOAL_BIT = 1 << CELLS[GOAL]
ROW_1 = mask_of(CELLS[f"{column}1"] for column in ROWS[1])
LAST_ROW = mask_of(CELLS[f"{column}13"] for column in ROWS[13])
WALLABLE = mask_of(range(len(NAMES))) & ~(ROW_1 | GOAL_BIT)
BARRICADE = "barricade"
SIX = 6
FARTHEST = 13  # steps counted of a walk that was too long

Faults = tuple[Refusal, ...]


class Net(NamedTuple):
    """Everybody's pawns out of their houses as bits, in the order of the seats; the barricades."""

    masks: tuple[int, ...]
    barricades: int


class Moves:
    """The plays from one position for one player.

    Told what is seen, the same checks also yield the plays that break a rule and may have left
    that: whatever takes a pawn to where one of the player's stands now.
    """

    def __init__(self, setup: Setup, position: Net, player: int, seen: Net | None = None) -> None:
        self.seats = setup.seats
        self.letter = setup.seats[player]
        self.clear_first = bool(setup.chosen["clear_last_line"])
        self.before = position
        self.player = player
        self.own = position.masks[player]
        self.pawns = 0
        for mask in position.masks:
            self.pawns |= mask
        self.seen = seen
        if seen is not None:
            now = seen.masks[player]
            self.come, self.gone = now & ~self.own, self.own & ~now

    def of_throw(self, steps: int) -> Iterator[Play]:
        """Every play of a throw; a pawn that leaves its house counts its door."""
        for cell, bit in bits(self.own & ~GOAL_BIT):
            if self.seen is None or bit & self.gone:
                for to, why in self.ends(cell, steps, steps):
                    yield from self.arriving(NAMES[cell], bit, to, why)
        if self.own.bit_count() < PAWNS and (self.seen is None or not self.gone):
            door = CELLS[DOORS[self.letter]]
            for to, why in self.ends(door, steps - 1, steps):
                yield from self.arriving(CAMP, 0, to, why)

    def ends(self, cell: int, steps: int, thrown: int) -> Iterator[tuple[int, Faults]]:
        """Where so many steps may end; told what is seen, where they may not."""
        right = self.reached(cell, steps)
        if self.seen is None:
            yield from ((to, ()) for to in sorted(right))
            return
        jumped = self.reached(cell, steps, 0)
        for to, _ in bits(self.come or self.own & ~self.gone):
            if to in right:
                yield to, ()
            elif to in jumped:
                yield to, (refuse("BAR-JUMP", seat=self.letter),)
            else:
                yield to, (self.miscounted(cell, to, steps, thrown),)

    def miscounted(self, cell: int, to: int, steps: int, thrown: int) -> Refusal:
        """A walk of another number than was thrown, or of none."""
        house = thrown - steps
        moved = next((n for n in range(FARTHEST) if to in self.reached(cell, n)), -house)
        beside = house and thrown == 1 and NAMES[to] in DOORS.values()
        if house and (moved == thrown or beside or not 0 < moved + house <= SIX):
            return refuse("BAR-ENTER", seat=self.letter, cell=NAMES[to])
        return refuse("BAR-STEP", seat=self.letter, moved=moved + house, worth=thrown)

    def reached(self, cell: int, steps: int, walls: int | None = None) -> set[int]:
        """Where so many steps end, never turning back, no barricade walked over."""
        if walls is None:
            walls = self.before.barricades
        at = {(cell, -1)}
        for n in range(steps):
            if n:
                at = {one for one in at if not walls & 1 << one[0]}
            at = {(to, here) for here, came in at for to in NEXT[here] if to != came}
        return {here for here, _ in at}

    def arriving(self, origin: str, bit: int, to: int, why: Faults) -> Iterator[Play]:
        """A pawn ends its walk: what it hits, and where a lifted barricade may go."""
        end, tolerant = 1 << to, self.seen is not None
        if end & self.own & ~bit:
            if not tolerant:
                return
            why = (refuse("BAR-HIT", seat=self.letter, by=self.letter, cell=NAMES[to]), *why)
        guarded = self.clear_first and self.pawns & ~self.own & LAST_ROW
        if end == GOAL_BIT and (guarded or why):
            if not tolerant:
                return
            why = (refuse("BAR-GOAL", seat=self.letter), *why)
        masks = tuple([mask & ~end for mask in self.before.masks])
        own = self.own & ~bit | end
        masks = (*masks[: self.player], own, *masks[self.player + 1 :])
        takes: tuple[Standing, ...] = ()
        if self.pawns & end & ~self.own:
            takes = tuple(
                (seat, NAMES[to])
                for seat, mask in zip(self.seats, self.before.masks, strict=True)
                if mask & end
            )
        captured = tuple([seat for seat, _ in takes])
        walls = self.before.barricades
        walk = Part(self.letter, (origin, NAMES[to]), takes)
        if not walls & end:
            yield Play(None, (None, (walk,)), Net(masks, walls), captured, broken=why)
            return
        for place, wrong in self.places(walls & ~end, bit, end):
            way = (None, (walk, Part(BARRICADE, (NAMES[to], NAMES[place]))))
            after = Net(masks, walls & ~end | 1 << place)
            yield Play(None, way, after, captured, broken=why + wrong)

    def places(self, walls: int, left: int, end: int) -> Iterator[tuple[int, Faults]]:
        """Where a lifted barricade may be put; told what is seen, where it was put."""
        free = WALLABLE & ~((self.pawns & ~left) | walls | end)
        put = free if self.seen is None else self.seen.barricades & ~walls & ~end
        for cell, bit in bits(put or end):
            yield cell, () if bit & free or not put else (refuse("BAR-LIFT", seat=self.letter),)

    def lifting(self, steps: int) -> Iterator[Play]:
        """Plays on their way: a pawn has come to a barricade that has no new place yet."""
        for play in self.of_throw(steps):
            walk = play.parts[0]
            if len(play.parts) > 1:
                place = 1 << CELLS[walk.path[-1]]
                held = self.before.barricades & ~place
                for walls in (held, held | place):
                    yield play._replace(position=Net(play.position.masks, walls), left=1)

    def tried(self, steps: int, *, stacked: bool) -> Iterator[Play]:
        """The plays that leave what is seen, with what is wrong besides.

        `stacked`: two of the player's pawns are seen in one hole.
        """
        assert self.seen is not None
        if self.come.bit_count() > 1:  # one pawn a throw
            yield Play(
                None, None, self.seen, broken=(refuse("BAR-STEP", seat=self.letter, pawns=2),)
            )
        if not self.come and not self.gone and not stacked:
            yield from self.unmoved()
        elif self.come.bit_count() < 2 and self.gone.bit_count() < 2:
            for play in self.of_throw(steps):
                if self.come or stacked or len(play.broken) == 1:
                    yield from self.besides(play, steps)

    def unmoved(self) -> Iterator[Play]:
        """No pawn has moved, but a barricade."""
        assert self.seen is not None
        walls, now = self.before.barricades, self.seen.barricades
        if walls != now and walls.bit_count() == now.bit_count():
            yield Play(None, None, self.seen, broken=(refuse("BAR-LIFT", seat=self.letter),))

    def besides(self, play: Play, steps: int) -> Iterator[Play]:
        """What a play does not explain: pawns that are gone, barricades that stand elsewhere."""
        assert self.seen is not None
        after, why = play.position, play.broken
        walls, now = after.barricades, self.seen.barricades
        end = 1 << CELLS[play.parts[0].path[-1]]
        lost = 0
        for n, (mask, stands) in enumerate(zip(after.masks, self.seen.masks, strict=True)):
            lost |= mask & ~stands
            if stands & ~mask & ~(end if n != self.player else 0):
                return
        if lost & self.passed(play.parts[0], steps):
            why += (refuse("BAR-HIT", seat=self.letter),)
        elif lost:
            why += (refuse("BOARD", more=0, fewer=lost.bit_count()),)
        if now.bit_count() != self.before.barricades.bit_count():
            fewer, more = (walls & ~now & ~end).bit_count(), (now & ~walls & ~end).bit_count()
            why += (refuse("BOARD", more=more, fewer=fewer),) if fewer or more else ()
        elif walls != now and not any(fault.rule == "BAR-LIFT" for fault in why):
            why += (refuse("BAR-LIFT", seat=self.letter),)
        yield play._replace(broken=why)

    def passed(self, walk: Part, steps: int) -> int:
        """The cells a walk may have led over."""
        house = walk.path[0] == CAMP
        start = CELLS[DOORS[self.letter] if house else walk.path[0]]
        steps, to, over = steps - house, CELLS[walk.path[-1]], 1 << start
        for n in range(1, steps):
            over |= mask_of(self.reached(start, n)) & mask_of(self.reached(to, steps - n))
        return over


SEATINGS: Seatings = {"barricades": (tuple("ac"), tuple("abc"), tuple("abcd"))}


class Barricades:
    name = "barricades"
    boards = ("barricades",)
    seats = ("a", "b", "c", "d")
    options: Mapping[str, tuple[Value, ...]] = {"clear_last_line": (False, True)}
    deck: tuple[str, ...] = ()
    die = True
    flow = Flow(begins_by="highest throw")
    seatings = SEATINGS
    guests: tuple[str, ...] = ()
    partners: Partners = "never"
    bag = ""
    house_entries: tuple[int, ...] = ()

    def flow_of(self, setup: Setup) -> Flow:
        return self.flow

    def check(self, setup: Setup) -> None:
        pass

    def start(self, setup: Setup) -> Net:
        return Net((0,) * len(setup.seats), mask_of(CELLS[name] for name in FIRST_BARRICADES))

    def winners(self, setup: Setup, position: Net) -> tuple[str, ...]:
        return tuple(
            seat for seat, mask in zip(setup.seats, position.masks, strict=True) if mask & GOAL_BIT
        )

    def judge(
        self, setup: Setup, position: Net, seat: str, hand: Sequence[str], card: str | None
    ) -> Judged:
        if self.winners(setup, position):
            return Judged([], None)
        moves = Moves(setup, position, setup.seats.index(seat))
        found = once(moves.of_throw(int(hand[0])))
        return Judged(found, None if found else "pass")

    def partials(
        self,
        setup: Setup,
        position: Net,
        seat: str,
        hand: Sequence[str],
        card: str,
        seen: Sight | None = None,
    ) -> Iterator[Play]:
        yield from Moves(setup, position, setup.seats.index(seat)).lifting(int(card))

    def attempts(
        self,
        setup: Setup,
        position: Net,
        seat: str,
        hand: Sequence[str],
        card: str,
        seen: Sight,
    ) -> Iterator[Play]:
        twice = [one for one, count in seen.items() if count > 1]
        after = self.seen_as(setup, Sight(set(seen)))
        own = sum(count for (piece, _), count in seen.items() if piece == seat)
        if after is None or own > PAWNS or any(piece != seat for piece, _ in twice):
            return
        moves = Moves(setup, position, setup.seats.index(seat), after)
        yield from moves.tried(int(card), stacked=bool(twice))

    def penalties(self, setup: Setup, position: Net, seat: str) -> tuple[tuple[str, Net], ...]:
        return ()

    def read(self, setup: Setup, form: Mapping[str, Any]) -> Net:
        masks, taken = [], 0
        for cells in pawns_of(setup, form, PAWNS).values():
            mask = 0
            for cell in cells:
                if cell != CAMP:
                    taken = taking(cell, taken)
                    mask |= 1 << CELLS[cell]
            masks.append(mask)
        given = form.get("barricades")
        if not isinstance(given, list) or not all(isinstance(cell, str) for cell in given):
            raise RefereeError('"barricades" is missing: the list of their cells')
        walls = 0
        for cell in given:
            taken = taking(cell, taken)
            walls |= 1 << CELLS[cell]
            if not walls & WALLABLE == walls:
                raise RefereeError(f'no barricade may stand on "{cell}"')
        return Net(tuple(masks), walls)

    def write(self, setup: Setup, position: Net) -> dict[str, Any]:
        pawns = {
            seat: filled([NAMES[cell] for cell, _ in bits(mask)], PAWNS)
            for seat, mask in zip(setup.seats, position.masks, strict=True)
        }
        walls = sorted(NAMES[cell] for cell, _ in bits(position.barricades))
        return written(pawns) | {"barricades": walls}

    def read_sight(self, setup: Setup, form: Mapping[str, Any], before: Net) -> Sight:
        sight = sight_of(setup, form, CELLS)
        walls = form.get("barricades")
        if walls is None:
            walls = [NAMES[cell] for cell, _ in bits(before.barricades)]
        if not isinstance(walls, list):
            raise RefereeError('"barricades" is a list of cells')
        for cell in walls:
            if not isinstance(cell, str) or cell not in CELLS:
                raise RefereeError(f'cell "{cell}" is not on barricades')
            sight[BARRICADE, cell] += 1
        return sight

    def sight(self, setup: Setup, position: Net) -> Sight:
        sight = Sight(
            (seat, NAMES[cell])
            for seat, mask in zip(setup.seats, position.masks, strict=True)
            for cell, _ in bits(mask)
        )
        for cell, _ in bits(position.barricades):
            sight[BARRICADE, NAMES[cell]] = 1
        return sight

    def seen(self, position: Net) -> Net:
        return position

    def seen_as(self, setup: Setup, sight: Sight) -> Net | None:
        masks = dict.fromkeys((*setup.seats, BARRICADE), 0)
        for (piece, cell), count in sight.items():
            if count > 1 or piece not in masks or cell not in CELLS:
                return None
            masks[piece] |= 1 << CELLS[cell]
        if any(masks[seat].bit_count() > PAWNS for seat in setup.seats):
            return None
        return Net(tuple(masks[seat] for seat in setup.seats), masks[BARRICADE])


def taking(cell: str, taken: int) -> int:
    """The cells in use with one more among them."""
    if cell not in CELLS:
        raise RefereeError(f'cell "{cell}" is not on barricades')
    if taken & 1 << CELLS[cell]:
        raise RefereeError(f'two pieces on "{cell}"')
    return taken | 1 << CELLS[cell]


GAMES = (Barricades(),)
