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
    """The plays from one position for one side."""

    def __init__(self, setup: Setup, position: Lights, player: int) -> None:
        self.seats = setup.seats
        self.player = player
        self.before = position

    def turns(self) -> Iterator[Play]:
        for row in range(SIZE):
            pushed, fallen = self.push(row)
            driven = [self.play(row, path, after, fallen) for path, after in self.drives(pushed)]
            yield from driven or [self.play(row, (), pushed, fallen)]

    def play(self, row: int, path: tuple[str, ...], after: Lights, fallen: Captured) -> Play:
        parts = [Part(SPARE, (f"push{row + 1}",))]
        if path:
            parts.append(Part(self.seats[self.player], path))
        return Play(None, (None, tuple(parts)), after, fallen)

    # what was tried

    def pushing(self) -> Iterator[Play]:
        """Plays on their way: pushed, not yet driven; a fallen pawn still in the hand."""
        for row in range(SIZE):
            pushed, fallen = self.push(row)
            play = self.play(row, (), pushed, fallen)._replace(left=1)
            if any(True for _ in self.drives(pushed)):
                yield play
            for seat, back in self.fell(row, pushed):
                for after in (pushed, *[after for _, after in self.drives(pushed)]):
                    if back in after.pawns[seat]:
                        own = moved(after.pawns[seat], back, OFF)
                        pawns = (*after.pawns[:seat], own, *after.pawns[seat + 1 :])
                        yield play._replace(position=after._replace(pawns=pawns))

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

    def tried(self, seen: Lights) -> Iterator[Play]:
        """Whatever could have been done to leave this board, right or wrong."""
        rows = [row for row in range(SIZE) if self.push(row)[0][1:] == seen[1:]]
        if not rows:
            why = refuse("TRI-PUSH", seat=self.seats[self.player])
            yield self.play(0, (), seen, ())._replace(broken=(why,))
        for row in rows:
            pushed, fallen = self.push(row)
            for base, faults in self.fallen(row, pushed, seen):
                faults += self.driven(base, seen)
                yield self.play(row, (), seen, fallen)._replace(broken=faults)

    def fallen(self, row: int, pushed: Lights, seen: Lights) -> Iterator[tuple[Lights, Faults]]:
        """The board after a push, and with a fallen pawn put elsewhere by mistake."""
        yield pushed, ()
        for seat, back in self.fell(row, pushed):
            why = refuse("TRI-FALL", seat=self.seats[seat], cell=place_name(back))
            for place in {OFF, *seen.pawns[seat]} - {back, ARRIVED}:
                pawns = list(pushed.pawns)
                left = list(pawns[seat])
                left[left.index(back)] = place
                pawns[seat] = tuple(sorted(left))
                yield pushed._replace(pawns=tuple(pawns)), (why,)

    def driven(self, base: Lights, seen: Lights) -> Faults:
        """What is wrong with the moves that lead from one board to another."""
        ways = list(self.drives(base))
        if any(after.pawns == seen.pawns for _, after in ways):
            return ()
        letter = self.seats[self.player]
        if seen.pawns == base.pawns:
            return (refuse("TRI-STEP", seat=letter, moved=0),) if ways else ()
        faults: Faults = ()
        for seat, (was, now) in enumerate(zip(base.pawns, seen.pawns, strict=True)):
            come = list((Counter(now) - Counter(was)).elements())
            if set(come) == {OFF}:
                faults += (refuse("BOARD", more=0, fewer=len(come)),)
            elif come and seat != self.player:
                faults += (refuse("OWN", seat=self.seats[seat]),)
            elif ARRIVED in come:
                faults += (refuse("TRI-ARRIVE", seat=letter, moved=len(come)),)
            elif come:
                to = place_name(come[0])
                faults += (refuse("TRI-STEP", seat=letter, moved=len(come), cell=to),)
        return faults

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

    def drives(self, lights: Lights) -> Iterator[tuple[tuple[str, ...], Lights]]:
        """Every move of one of the player's own pawns."""
        side, own = DRIVES[self.seats[self.player]], lights.pawns[self.player]
        taken = frozenset(cell for one in lights.pawns for cell in one)
        for cell in sorted(set(own)):
            if cell == OFF:
                first = range(SIZE * side.first, SIZE * (side.first + 1))
                ways = [(CAMP, to) for to in first if may_stand(side, to, lights.tiles, taken)]
            elif cell == ARRIVED:
                continue
            elif cell // SIZE == side.last:
                ways = [(NAMES[cell], ARRIVED)]
            else:
                to = cell + side.step
                ways = [(NAMES[cell], to)] if may_stand(side, to, lights.tiles, taken) else []
            for origin, to in ways:
                left = list(own)
                left[left.index(cell)] = to
                pawns = list(lights.pawns)
                pawns[self.player] = tuple(sorted(left))
                yield (origin, place_name(to)), lights._replace(pawns=tuple(pawns))


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
    flow = Flow(begins_by="first seat", draw_by_repetition=True)
    seatings = SEATINGS
    guests: tuple[str, ...] = ()
    partners: Partners = "never"
    house_entries: tuple[int, ...] = ()

    def flow_of(self, setup: Setup) -> Flow:
        return self.flow

    def check(self, setup: Setup) -> None:
        if sorted(setup.seats) != sorted(SIDES):
            raise RefereeError("trikolos is played by white and black")

    def start(self, setup: Setup) -> Lights:
        """An orderly mix of the tiles; a table plays with what lies on it."""
        bag = GREEN * 13 + ORANGE * 12 + RED * 12
        tiles = "".join(bag[n * 5 % len(bag)] for n in range(len(bag)))
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
        self, setup: Setup, position: Lights, seat: str, hand: Sequence[str], card: str
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
        other = next(letter for letter in setup.seats if letter != seat)
        turns = Moves(setup, position, setup.seats.index(other)).turns()
        if any(play.position == after for play in turns):  # then it was that player's own play
            why = refuse("OWN", seat=other), refuse("TURN", seat=other)
            yield Play(None, None, position, broken=why)
        else:
            yield from Moves(setup, position, setup.seats.index(seat)).tried(after)

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
