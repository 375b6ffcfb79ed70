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


class Net(NamedTuple):
    """Everybody's pawns out of their houses as bits, in the order of the seats; the barricades."""

    masks: tuple[int, ...]
    barricades: int


class Moves:
    """The plays from one position for one player."""

    def __init__(self, setup: Setup, position: Net, player: int) -> None:
        self.seats = setup.seats
        self.clear_first = bool(setup.chosen["clear_last_line"])
        self.before = position
        self.player = player
        self.own = position.masks[player]
        self.pawns = 0
        for mask in position.masks:
            self.pawns |= mask

    def of_throw(self, steps: int) -> Iterator[Play]:
        for cell, bit in bits(self.own & ~GOAL_BIT):
            for to in self.ends(cell, steps):
                yield from self.arriving(NAMES[cell], bit, to)
        if self.own.bit_count() < PAWNS:
            door = CELLS[DOORS[self.seats[self.player]]]
            if steps == 1:
                yield from self.arriving(CAMP, 0, door)
            elif not self.before.barricades & 1 << door:
                for to in self.ends(door, steps - 1):
                    yield from self.arriving(CAMP, 0, to)

    def ends(self, cell: int, steps: int, walls: int | None = None) -> list[int]:
        """Where so many steps may end, never turning back, no barricade walked over."""
        if walls is None:
            walls = self.before.barricades
        reached = {(cell, -1)}
        for n in range(steps):
            if n:
                reached = {at for at in reached if not walls & 1 << at[0]}
            reached = {(to, here) for here, came in reached for to in NEXT[here] if to != came}
        return sorted({here for here, _ in reached})

    def arriving(self, origin: str, bit: int, to: int) -> Iterator[Play]:
        """A pawn ends its walk: what it hits, and where a lifted barricade may go."""
        end = 1 << to
        if end & self.own & ~bit:
            return
        if end == GOAL_BIT and self.clear_first and self.pawns & ~self.own & LAST_ROW:
            return
        masks = tuple([mask & ~end for mask in self.before.masks])
        own = self.own & ~bit | end
        masks = (*masks[: self.player], own, *masks[self.player + 1 :])
        takes: tuple[Standing, ...] = ()
        if self.pawns & end & ~bit:
            takes = tuple(
                (seat, NAMES[to])
                for seat, mask in zip(self.seats, self.before.masks, strict=True)
                if mask & end
            )
        captured = tuple([seat for seat, _ in takes])
        letter, path = self.seats[self.player], (origin, NAMES[to])
        walls = self.before.barricades
        walk = Part(letter, path, takes)
        if not walls & end:
            yield Play(None, (None, (walk,)), Net(masks, walls), captured)
            return
        walls &= ~end
        free = WALLABLE & ~((self.pawns & ~bit) | walls | end)
        for cell, place in bits(free):
            way = (None, (walk, Part(BARRICADE, (NAMES[to], NAMES[cell]))))
            yield Play(None, way, Net(masks, walls | place), captured)

    # what was tried

    def lifting(self, steps: int) -> Iterator[Play]:
        """Plays on their way: a pawn has come to a barricade that has no new place yet."""
        for play in self.of_throw(steps):
            walk = play.parts[0]
            if len(play.parts) > 1:
                place = 1 << CELLS[walk.path[-1]]
                held = self.before.barricades & ~place
                for walls in (held, held | place):
                    yield play._replace(position=Net(play.position.masks, walls), left=1)

    def tried(self, steps: int, seen: Net) -> Iterator[Play]:
        """Whatever one of these pawns could have done to leave this board, right or wrong."""
        before, own = self.before, seen.masks[self.player]
        come, gone = own & ~self.own, self.own & ~own
        if not come and gone.bit_count() == 1:
            yield from self.struck(steps, gone, seen)
        elif not come and not gone and seen.barricades != before.barricades:
            why = refuse("BAR-LIFT", seat=self.seats[self.player])
            yield Play(None, None, seen, broken=(why,))
        if come.bit_count() > 1:  # one pawn a throw
            why = refuse("BAR-STEP", seat=self.seats[self.player])
            yield Play(None, None, seen, broken=(why,))
        if come.bit_count() != 1 or gone.bit_count() > 1:
            return
        ((to, end),) = bits(come)
        letter = self.seats[self.player]
        origin = next((cell for cell, _ in bits(gone)), CELLS[DOORS[letter]])
        entered = not gone
        faults: tuple[Refusal, ...] = ()
        # the same walk with other numbers, then over barricades, then turning back
        reach = [n for n in range(1, 7) if self.reaches(origin, to, n - entered)]
        if steps not in reach:
            over = self.reaches(origin, to, steps - entered, jumping=True)
            if over:
                faults += (refuse("BAR-JUMP", seat=letter),)
            elif entered and not reach:
                faults += (refuse("BAR-ENTER", seat=letter, cell=NAMES[to]),)
            else:
                moved = reach[0] if reach else 0
                faults += (refuse("BAR-STEP", seat=letter, moved=moved, worth=steps),)
        guarded = self.clear_first and self.pawns & ~self.own & LAST_ROW
        if end == GOAL_BIT and (guarded or faults):
            faults = (refuse("BAR-GOAL", seat=letter), *faults)
        lost = any(
            was & ~now & ~end
            for n, (was, now) in enumerate(zip(before.masks, seen.masks, strict=True))
            if n != self.player
        )
        lifted, put = before.barricades & ~seen.barricades, seen.barricades & ~before.barricades
        if lost and not put & self.pawns:
            faults += (refuse("BAR-HIT", seat=letter),)
        fair = lifted == end and put.bit_count() == 1 and not put & (self.pawns & ~gone | ~WALLABLE)
        if (lifted | put) and not fair:
            faults += (refuse("BAR-LIFT", seat=letter),)
        part = Part(letter, (NAMES[origin] if gone else CAMP, NAMES[to]))
        yield Play(None, (None, (part,)), seen, broken=faults)

    def struck(self, steps: int, gone: int, seen: Net) -> Iterator[Play]:
        """One's own pawn is gone because another came to stand where it stood."""
        ((cell, _),) = bits(gone)
        own = [to for to in self.ends(cell, steps) if 1 << to & self.own]
        if own and seen == self.before._replace(masks=seen.masks):
            letter = self.seats[self.player]
            part = Part(letter, (NAMES[cell], NAMES[own[0]]))
            why = refuse("BAR-HIT", seat=letter, by=letter, cell=NAMES[own[0]])
            yield Play(None, (None, (part,)), seen, broken=(why,))

    def reaches(self, origin: int, to: int, steps: int, *, jumping: bool = False) -> bool:
        if steps <= 0:
            return steps == 0 and origin == to
        return to in self.ends(origin, steps, 0 if jumping else None)


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
        self, setup: Setup, position: Net, seat: str, hand: Sequence[str], card: str
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
        after = self.seen_as(setup, seen)
        if after is None:
            yield from self.stacked(setup, position, seat, seen)
            return
        for number, letter in enumerate(setup.seats):
            if letter != seat and after.masks[number] == position.masks[number]:
                continue
            moves = Moves(setup, position, number)
            fits = [
                str(n)
                for n in range(1, 7)
                if any(play.position == after for play in moves.of_throw(n))
            ]
            if letter != seat:
                turn = (refuse("TURN", seat=letter),) if fits else ()
                why = (refuse("OWN", seat=letter), *turn)
            else:
                why = (refuse("CARD", card=card, fits=" ".join(fits)),) if fits else ()
            if letter != seat and fits:  # then it was that player's own play
                yield Play(None, None, position, broken=why)
            else:
                for play in moves.tried(int(card), after):
                    if play.broken or letter == seat:
                        yield play._replace(broken=play.broken + why)

    def stacked(self, setup: Setup, position: Net, seat: str, seen: Sight) -> Iterator[Play]:
        """One's own pawn put down where one of its own already stands."""
        twice = [one for one, count in seen.items() if count > 1]
        if twice and twice[0][0] == seat and self.seen_as(setup, Sight(set(seen))) is not None:
            own = sum(count for (piece, _), count in seen.items() if piece == seat)
            if own <= PAWNS:
                why = refuse("BAR-HIT", seat=seat, by=seat, cell=twice[0][1])
                yield Play(None, None, position, broken=(why,))

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
