"""Trikolos: push a row of traffic lights, then drive one pawn on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from hardware.boards.trikolos import COLUMNS, PAWNS, SPARE
from referee.flow import Flow
from referee.form import pawns_of, sight_of, written
from referee.game import Judged, Partners, Seatings, Setup, Sight, Value
from referee.plays import CAMP, HOME, Part, Play, RefereeError, Refusal, once, refuse

SIZE = 6
SIDES = ("white", "black")
GREEN, ORANGE, RED = "G", "O", "R"
TILE_NAMES = {GREEN: "tile-green", ORANGE: "tile-orange", RED: "tile-red"}
OFF, ARRIVED = -1, SIZE * SIZE  # beside the cells 0 to 35: a1 … f1, a2 …
NAMES = tuple(f"{column}{row}" for row in range(1, SIZE + 1) for column in COLUMNS)
CELLS = {name: n for n, name in enumerate(NAMES)}
PLACES = CELLS | {HOME: ARRIVED}
COLOURS = {name: colour for colour, name in TILE_NAMES.items()}


Captured = tuple[str, ...]
Faults = tuple[Refusal, ...]


class Lights(NamedTuple):
    """The pawns of each side in the order of the seats, the tiles row by row, the spare."""

    pawns: tuple[tuple[int, ...], ...]
    tiles: str
    spare: str


class Side(NamedTuple):
    """How one side drives: its first row, its last, the step from a tile to the next."""

    first: int
    last: int
    step: int


DRIVES = {"white": Side(0, SIZE - 1, SIZE), "black": Side(SIZE - 1, 0, -SIZE)}


class Moves:
    """The plays from one position for one side.

    Told what is seen, the same checks also yield the plays that break a rule and may have left
    that: whatever takes a pawn to where one stands now.
    """

    def __init__(
        self, setup: Setup, position: Lights, player: int, seen: Lights | None = None
    ) -> None:
        self.seats = setup.seats
        self.player = player
        self.letter = setup.seats[player]
        self.before = position
        self.seen = seen

    def turns(self) -> Iterator[Play]:
        rows = list(range(SIZE))
        if self.seen is not None:
            rows = [row for row in rows if self.push(row)[0][1:] == self.seen[1:]]
            yield from () if rows else self.unpushed()
        for row in rows:
            after, fallen = self.push(row)
            for base, why in self.falls(row, after):
                yield from self.moves(base, row, fallen, why)

    def unpushed(self) -> Iterator[Play]:
        """A row has to be pushed before any move."""
        assert self.seen is not None
        why = (refuse("TRI-PUSH", seat=self.letter),)
        if self.before[1:] == self.seen[1:]:
            yield from self.moves(self.before, None, (), why)
        else:
            yield self.play(None, (), self.seen, (), why)

    def falls(self, row: int, pushed: Lights) -> Iterator[tuple[Lights, Faults]]:
        """Where a pushed pawn falls to; told what is seen, where it was put by mistake."""
        seen = self.seen
        for seat, back in self.fell(row, pushed) if seen is not None else ():
            why = refuse("TRI-FALL", seat=self.seats[seat], cell=place_name(back))
            for place in sorted({OFF, *(seen or pushed).pawns[seat]} - {back, ARRIVED}):
                own = moved(pushed.pawns[seat], back, place)
                yield with_pawns(pushed, seat, own), (why,)
        yield pushed, ()

    def moves(self, base: Lights, row: int | None, fallen: Captured, why: Faults) -> Iterator[Play]:
        """One's move after a push: it must be made if one can be."""
        for path, after, wrong in self.drives(base):
            yield self.play(row, path, after, fallen, why + wrong)
        own = base.pawns[self.player]
        stuck = not any(self.ahead(base, cell) for cell in set(own) - {ARRIVED})
        if stuck or (self.seen is not None and row is not None):
            left = () if stuck else (refuse("TRI-STEP", seat=self.letter, moved=0),)
            yield self.play(row, (), base, fallen, why + left)

    def drives(self, lights: Lights) -> Iterator[tuple[tuple[str, ...], Lights, Faults]]:
        """Every move of one of the player's own pawns."""
        own = lights.pawns[self.player]
        for cell in sorted(set(own) - {ARRIVED}):
            right = self.ahead(lights, cell)
            for to in right if self.seen is None else self.come(own):
                why: Faults = ()
                if to not in right:
                    rule = "TRI-ARRIVE" if to == ARRIVED else "TRI-STEP"
                    why = (refuse(rule, seat=self.letter, moved=1, cell=place_name(to)),)
                after = with_pawns(lights, self.player, moved(own, cell, to))
                yield (place_name(cell), place_name(to)), after, why

    def ahead(self, lights: Lights, cell: int) -> list[int]:
        """Where a pawn may go: straight ahead, home from its last row, in on its first."""
        side = DRIVES[self.letter]
        if cell != OFF and cell // SIZE == side.last:
            return [ARRIVED]
        taken = frozenset(cell for one in lights.pawns for cell in one)
        first = range(SIZE * side.first, SIZE * (side.first + 1))
        tiles = first if cell == OFF else [cell + side.step]
        return [to for to in tiles if may_stand(side, to, lights.tiles, taken)]

    def come(self, own: tuple[int, ...]) -> list[int]:
        """Where pawns are seen that are not among these."""
        assert self.seen is not None
        return sorted({*(Counter(self.seen.pawns[self.player]) - Counter(own))} - {OFF})

    def play(
        self,
        row: int | None,
        path: tuple[str, ...],
        after: Lights,
        fallen: Captured,
        broken: Faults = (),
    ) -> Play:
        parts: tuple[Part, ...] = () if row is None else (Part(SPARE, (f"push{row + 1}",)),)
        if path:
            parts += (Part(self.letter, path),)
        return Play(None, (None, parts), after, fallen, broken=broken)

    def pushing(self) -> Iterator[Play]:
        """Plays on their way: pushed, not yet driven; a fallen pawn still in the hand."""
        for row in range(SIZE):
            pushed, fallen = self.push(row)
            play = self.play(row, (), pushed, fallen)._replace(left=1)
            driven = [after for _, after, _ in self.drives(pushed)]
            if driven:
                yield play
            for seat, back in self.fell(row, pushed):
                for after in (pushed, *driven):
                    if back != OFF and back in after.pawns[seat]:
                        held = with_pawns(after, seat, moved(after.pawns[seat], back, OFF))
                        yield play._replace(position=held)

    def fell(self, row: int, pushed: Lights) -> Iterator[tuple[int, int]]:
        """Whose pawn fell off a pushed row, and where it went."""
        low = SIZE * row
        for seat, own in enumerate(self.before.pawns):
            if low in own:
                stayed = [cell - (low < cell < low + SIZE) for cell in own if cell != low]
                left = list(pushed.pawns[seat])
                for cell in stayed:
                    left.remove(cell)
                yield seat, left[0]

    def tried(self) -> Iterator[Play]:
        """The plays that leave what is seen, with what is wrong besides."""
        assert self.seen is not None
        now = self.seen.pawns
        several = []  # less likely than one pawn gone astray
        for play in self.turns():
            why, was, more = play.broken, play.position.pawns, 0
            for seat, (had, has) in enumerate(zip(was, now, strict=True)):
                come = Counter(has) - Counter(had)
                if set(come) == {OFF}:  # the move may still come
                    why = tuple(fault for fault in why if ("moved", 0) not in fault.facts)
                    why += (refuse("BOARD", more=0, fewer=come.total()),)
                elif come and seat != self.player:
                    break
                elif come:  # one pawn a turn
                    to, more = max(come), come.total()
                    rule = "TRI-ARRIVE" if to == ARRIVED else "TRI-STEP"
                    why += (refuse(rule, seat=self.letter, moved=2, cell=place_name(to)),)
            else:
                if more:
                    several.append(play._replace(broken=why))
                else:
                    yield play._replace(broken=why)
        yield from several

    def push(self, row: int) -> tuple[Lights, Captured]:
        """The board after a push; whose pawn fell back into its camp."""
        low, high = SIZE * row, SIZE * (row + 1)
        tiles = self.before.tiles
        tiles = tiles[:low] + tiles[low + 1 : high] + self.before.spare + tiles[high:]
        pawns = [
            [cell - (low < cell < high) for cell in own if cell != low] for own in self.before.pawns
        ]
        fallen: Captured = ()
        for seat, own in enumerate(self.before.pawns):
            if low in own:
                taken = frozenset(cell for one in pawns for cell in one)
                back = falls_to(DRIVES[self.seats[seat]], high - 1, tiles, taken)
                pawns[seat].append(back)
                if back == OFF:
                    fallen = (self.seats[seat],)
        standing = tuple([tuple(sorted(own)) for own in pawns])
        return Lights(standing, tiles, self.before.tiles[low]), fallen


def with_pawns(lights: Lights, seat: int, own: tuple[int, ...]) -> Lights:
    return lights._replace(pawns=(*lights.pawns[:seat], own, *lights.pawns[seat + 1 :]))


def moved(own: tuple[int, ...], cell: int, to: int) -> tuple[int, ...]:
    left = list(own)
    left[left.index(cell)] = to
    return tuple(sorted(left))


def may_stand(side: Side, cell: int, tiles: str, taken: frozenset[int]) -> bool:
    """A free green tile; or a free orange one, not of the last row, before a free green one."""
    if cell in taken:
        return False
    if tiles[cell] == ORANGE and cell // SIZE != side.last:
        cell += side.step
        return cell not in taken and tiles[cell] == GREEN
    return tiles[cell] == GREEN


def falls_to(side: Side, inserted: int, tiles: str, taken: frozenset[int]) -> int:
    """Where a pawn pushed off the board goes: the new tile, or back to a free green one."""
    if may_stand(side, inserted, tiles, taken):
        return inserted
    cell = inserted
    while cell // SIZE != side.first:
        cell -= side.step
        if cell not in taken and tiles[cell] == GREEN:
            return cell
    return OFF


def place_name(place: int) -> str:
    return {OFF: CAMP, ARRIVED: HOME}.get(place) or NAMES[place]


SEATINGS: Seatings = {"trikolos": (SIDES,)}


class Trikolos:
    name = "trikolos"
    boards = ("trikolos",)
    seats = SIDES
    options: Mapping[str, tuple[Value, ...]] = {}
    deck: tuple[str, ...] = ()
    die = False
    flow = Flow(begins_by="first seat", draw_by_repetition=True, carries=True)
    seatings = SEATINGS
    guests: tuple[str, ...] = ()
    partners: Partners = "never"
    bag = GREEN * 13 + ORANGE * 12 + RED * 12
    house_entries: tuple[int, ...] = ()

    def flow_of(self, setup: Setup) -> Flow:
        return self.flow

    def check(self, setup: Setup) -> None:
        if sorted(setup.seats) != sorted(SIDES):
            raise RefereeError("trikolos is played by white and black")

    def start(self, setup: Setup) -> Lights:
        """An orderly mix of the tiles; a table plays with what lies on it."""
        tiles = "".join(self.bag[n * 5 % len(self.bag)] for n in range(len(self.bag)))
        return Lights(((OFF,) * PAWNS,) * 2, tiles[:-1], tiles[-1])

    def winners(self, setup: Setup, position: Lights) -> tuple[str, ...]:
        return tuple(
            seat
            for seat, own in zip(setup.seats, position.pawns, strict=True)
            if own == (ARRIVED,) * PAWNS
        )

    def judge(
        self, setup: Setup, position: Lights, seat: str, hand: Sequence[str], card: str | None
    ) -> Judged:
        if self.winners(setup, position):
            return Judged([], None)
        return Judged(once(Moves(setup, position, setup.seats.index(seat)).turns()), None)

    def partials(
        self,
        setup: Setup,
        position: Lights,
        seat: str,
        hand: Sequence[str],
        card: str,
        seen: Sight | None = None,
    ) -> Iterator[Play]:
        yield from Moves(setup, position, setup.seats.index(seat)).pushing()

    def attempts(
        self,
        setup: Setup,
        position: Lights,
        seat: str,
        hand: Sequence[str],
        card: str,
        seen: Sight,
    ) -> Iterator[Play]:
        after = self.seen_as(setup, seen)
        if after is None:
            return
        yield from Moves(setup, position, setup.seats.index(seat), after).tried()

    def penalties(
        self, setup: Setup, position: Lights, seat: str
    ) -> tuple[tuple[str, Lights], ...]:
        return ()

    def read(self, setup: Setup, form: Mapping[str, Any]) -> Lights:
        pawns, taken = [], set()
        for cells in pawns_of(setup, form, PAWNS).values():
            own = []
            for cell in cells:
                place = {CAMP: OFF, HOME: ARRIVED}.get(cell, CELLS.get(cell))
                if place is None:
                    raise RefereeError(f'cell "{cell}" is not on trikolos')
                if place in taken:
                    raise RefereeError(f'two pawns on "{cell}"')
                if place not in (OFF, ARRIVED):
                    taken.add(place)
                own.append(place)
            pawns.append(tuple(sorted(own)))
        tiles, spare = read_tiles(form)
        return Lights(tuple(pawns), tiles, spare)

    def write(self, setup: Setup, position: Lights) -> dict[str, Any]:
        pawns = {
            seat: [place_name(place) for place in own]
            for seat, own in zip(setup.seats, position.pawns, strict=True)
        }
        return written(pawns) | {"tiles": self.rows(position.tiles), "spare": position.spare}

    def read_sight(self, setup: Setup, form: Mapping[str, Any], before: Lights) -> Sight:
        sight = sight_of(setup, form, {*CELLS, HOME})
        tiles, spare = before.tiles, before.spare
        if form.get("tiles") is not None or form.get("spare") is not None:
            tiles, spare = read_tiles({"tiles": self.rows(tiles), "spare": spare} | dict(form))
        return sight + tile_sight(tiles, spare)

    def rows(self, tiles: str) -> list[str]:
        return [tiles[n : n + SIZE] for n in range(0, SIZE * SIZE, SIZE)]

    def sight(self, setup: Setup, position: Lights) -> Sight:
        pawns = Sight(
            (seat, place_name(place))
            for seat, own in zip(setup.seats, position.pawns, strict=True)
            for place in own
            if place != OFF
        )
        return pawns + tile_sight(position.tiles, position.spare)

    def seen(self, position: Lights) -> Lights:
        return position

    def seen_as(self, setup: Setup, sight: Sight) -> Lights | None:
        pawns: dict[str, list[int]] = {seat: [] for seat in setup.seats}
        tiles: dict[str, str] = {}
        for (piece, cell), count in sight.items():
            if piece in COLOURS:
                if count > 1 or tiles.setdefault(cell, COLOURS[piece]) != COLOURS[piece]:
                    return None
            elif piece not in pawns or PLACES.get(cell) is None:
                return None
            else:
                pawns[piece] += [PLACES[cell]] * count
        try:
            whole, spare = "".join([tiles.pop(name) for name in NAMES]), tiles.pop(SPARE)
        except KeyError:  # a cell without its tile
            return None
        if tiles or any(len(own) > PAWNS for own in pawns.values()):
            return None
        places = [sorted([*own, *[OFF] * (PAWNS - len(own))]) for own in pawns.values()]
        return Lights(tuple([tuple(own) for own in places]), whole, spare)


def read_tiles(form: Mapping[str, Any]) -> tuple[str, str]:
    rows, spare = form.get("tiles"), form.get("spare")
    known = set(TILE_NAMES)
    if (
        not isinstance(rows, list)
        or len(rows) != SIZE
        or not all(isinstance(r, str) and len(r) == SIZE and set(r) <= known for r in rows)
    ):
        raise RefereeError('"tiles" is six rows of six letters G, O, R, row 1 first')
    if not isinstance(spare, str) or spare not in known:
        raise RefereeError(f'"spare" is one of G, O, R, not {spare!r}')
    return "".join(rows), spare


def tile_sight(tiles: str, spare: str) -> Sight:
    cells = zip((*NAMES, SPARE), (*tiles, spare), strict=True)
    return Sight((TILE_NAMES[tile], cell) for cell, tile in cells)


GAMES = (Trikolos(),)
