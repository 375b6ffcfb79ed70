"""Boards that are wrong by one rule, thrown by chance: that rule is the first to be named.

What hands do here is worked out from the board alone, without the referee's own moves.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from typing import Literal, NamedTuple

from hardware import boards
from hardware.boards.barricades import DOORS, neighbours
from hardware.boards.tijou import CORNERS
from referee.game import Position, Setup, Sight
from referee.games import game as game_named
from referee.plays import CAMP
from referee.verdict import verdict

Throw = Callable[[str, int], tuple[Setup, Position, random.Random]]
THROWS = 14
EIGHT = 8

Kind = Literal["ring", "house", "tile"]


class Wrong(NamedTuple):
    """A board that breaks a rule, whatever else could be said of it."""

    rule: str
    card: str
    seen: Sight


class Scene:
    """A thrown position, and hands that move its pieces."""

    def __init__(self, setup: Setup, position: Position, chance: random.Random) -> None:
        self.setup, self.position, self.chance = setup, position, chance
        self.game = game_named(setup.game)
        self.before = self.game.sight(setup, position)
        self.seat = chance.choice(setup.seats)
        self.taken = {cell for _, cell in self.before}

    def own(self, kind: Kind) -> list[str]:
        cells = {cell.id for cell in boards.board(self.setup.board).of_kind(kind)}
        return sorted(cell for piece, cell in self.before if piece == self.seat and cell in cells)

    def moved(self, *hands: tuple[str, str, str]) -> Sight:
        """Pieces from cell to cell; from and to the camp they come and go."""
        seen = Counter(self.before)
        for piece, origin, to in hands:
            seen[piece, origin] -= origin != CAMP
            seen[piece, to] += to != CAMP
        return +seen

    def free(self, cells: list[str]) -> bool:
        return not self.taken & set(cells)

    @property
    def waits(self) -> bool:
        return CAMP in self.game.write(self.setup, self.position)["pawns"][self.seat]


@cache
def ring(board: str) -> list[str]:
    return [cell.id for cell in boards.board(board).of_kind("ring")]


def along(board: str, cell: str, steps: int) -> list[str]:
    """The cells of a walk on a ring, backward below zero."""
    cells, way = ring(board), 1 if steps > 0 else -1
    here = cells.index(cell)
    return [cells[(here + n) % len(cells)] for n in range(way, steps + way, way)]


def on_the_cross(scene: Scene) -> Iterator[Wrong]:
    board, seat, chance = scene.setup.board, scene.seat, scene.chance
    start = f"{seat}18"
    for cell in scene.own("ring"):
        far = chance.choice([n for n in range(1, 12) if n != EIGHT])
        for rule, card, steps in (
            ("TOCK-EXACT", "8S", far),
            ("TOCK-BACK", "8S", -EIGHT),
            ("TOCK-BACK", "4S", 4),
            ("TOCK-SWAP", "JS", far),
        ):
            path = along(board, cell, steps)
            clear = scene.free(path) and start not in (*path, cell)
            if clear and not any(one[1:] == "7" for one in path):  # there it could have jumped
                yield Wrong(rule, card, scene.moved((seat, cell, path[-1])))
    ways = [cell for cell in ring(board) if cell not in scene.taken and cell != start]
    for cell in scene.own("house"):
        yield Wrong("TOCK-HOUSE", "8S", scene.moved((seat, cell, chance.choice(ways))))
    if scene.waits:
        yield Wrong("TOCK-ENTER", "KS", scene.moved((seat, CAMP, chance.choice(ways))))
        if start not in scene.taken:
            yield Wrong("TOCK-ENTER", "8S", scene.moved((seat, CAMP, start)))
    yield from of_others(scene, ring(board), scene.setup.mates(seat))


def on_the_square(scene: Scene) -> Iterator[Wrong]:
    board, seat, chance = scene.setup.board, scene.seat, scene.chance
    host = dict(scene.setup.shares).get(seat, seat)
    sortie, arrival = str(CORNERS["abcd".index(host)]), f"A-{host}"
    corners = {str(corner) for corner in CORNERS}
    for cell in scene.own("ring"):
        path = along(board, cell, EIGHT)
        wrong = chance.choice([n for n in range(1, 14) if n != EIGHT])
        for steps in (wrong, -EIGHT):
            to = along(board, cell, steps)[-1]
            if to not in corners:
                yield Wrong("TIJOU-WALK", "8S", scene.moved((seat, cell, to)))
        if path[-1] not in corners:
            for piece, eaten in scene.before:
                if eaten in path[: -1 if piece == seat else None]:
                    hands = (seat, cell, path[-1]), (piece, eaten, CAMP)
                    yield Wrong("TIJOU-EAT", "8S", scene.moved(*hands))
        elif path[-1] == sortie:
            across = along(board, sortie, 18)[-1]
            yield Wrong("TIJOU-CORNER", "8S", scene.moved((seat, cell, across)))
        if cell != sortie or scene.waits:
            yield Wrong("TIJOU-ARRIVE", "10S", scene.moved((seat, cell, arrival)))
        for piece, other in scene.before:
            swapped = piece != seat and other in ring(board) and not {cell, other} & corners
            if swapped and abs(int(other) - int(cell)) not in (0, EIGHT, 36 - EIGHT):
                hands = (seat, cell, other), (piece, other, cell)
                yield Wrong("TIJOU-SWAP", "8S", scene.moved(*hands))
    if scene.waits:
        elsewhere = [cell for cell in ring(board) if cell != along(board, sortie, 1)[0]]
        yield Wrong("TIJOU-ENTER", "2S", scene.moved((seat, CAMP, chance.choice(elsewhere))))
    yield from of_others(scene, ring(board), ())


def reached(cell: str, steps: int, walls: set[str]) -> set[str]:
    """Where so many steps end in the net of paths."""
    at = {(cell, "")}
    for n in range(steps):
        if n:
            at = {one for one in at if one[0] not in walls}
        at = {(to, here) for here, came in at for to in neighbours(here) if to != came}
    return {here for here, _ in at}


def in_the_net(scene: Scene) -> Iterator[Wrong]:
    seat, chance = scene.seat, scene.chance
    walls = {cell for piece, cell in scene.before if piece == "barricade"}
    throw = chance.randint(1, 6)
    for cell in scene.own("ring"):
        right, over = reached(cell, throw, walls), reached(cell, throw, set())
        far = reached(cell, chance.choice([n for n in range(1, 9) if n != throw]), walls)
        for rule, ends in (
            ("BAR-STEP", far - right - over - scene.taken - {"goal"}),
            ("BAR-JUMP", over - right - scene.taken - {"goal"}),
            ("BAR-GOAL", (far - right - over) & {"goal"}),
            ("BAR-HIT", {one for one in right - {cell} if (seat, one) in scene.before}),
        ):
            for to in sorted(ends)[:2]:
                yield Wrong(rule, str(throw), scene.moved((seat, cell, to)))
        for to in sorted(right & walls)[:1]:
            for place in {"a1", "q1", "goal"} - scene.taken:
                hands = (seat, cell, to), ("barricade", to, place)
                yield Wrong("BAR-LIFT", str(throw), scene.moved(*hands))
    if scene.waits and "q13" not in scene.taken and DOORS[seat] != "q13":
        yield Wrong("BAR-ENTER", str(throw), scene.moved((seat, CAMP, "q13")))
    nets = [cell for cell in ring("barricades") if cell[1:] in ("11", "13")]
    yield from of_others(scene, nets, ())


def of_others(scene: Scene, cells: list[str], mates: tuple[str, ...]) -> Iterator[Wrong]:
    """Somebody else's piece is put elsewhere, or taken away, by nobody's card."""
    free = [cell for cell in cells if cell not in scene.taken]
    card = str(scene.chance.randint(1, 6)) if scene.game.die else "8S"
    for piece, cell in sorted(scene.before):
        if piece in scene.setup.seats and piece != scene.seat and cell in ring(scene.setup.board):
            rule = "TOCK-PARTNER" if piece in mates else "OWN"
            yield Wrong(rule, card, scene.moved((piece, cell, scene.chance.choice(free))))


def on_the_tiles(scene: Scene) -> Iterator[Wrong]:
    seat, chance = scene.seat, scene.chance
    standing = {cell for piece, cell in scene.before if piece in scene.setup.seats}
    row = chance.choice([n for n in range(1, 7) if f"a{n}" not in standing] or [1])
    lying = {cell: piece for piece, cell in scene.before if piece.startswith("tile-")}
    rides = {f"{here}{row}": f"{to}{row}" for here, to in zip("bcdef", "abcde", strict=True)}
    pushed = lying | {to: lying[here] for here, to in rides.items()}
    pushed |= {f"f{row}": lying["spare"], "spare": lying[f"a{row}"]}
    pawns = [one for one in scene.before.elements() if one[0] in scene.setup.seats]
    ridden = Sight((piece, rides.get(cell, cell)) for piece, cell in pawns)
    tiles = Sight((tile, cell) for cell, tile in pushed.items())
    free = {cell for cell, tile in pushed.items() if tile == "tile-red"} - {"spare"}
    red = sorted(free - {cell for _, cell in ridden})
    last = "6" if seat == "white" else "1"
    for cell in sorted(cell for piece, cell in ridden if piece == seat and cell != "home"):
        base = tiles + ridden - Sight([(seat, cell)])
        yield Wrong("TRI-STEP", "", base + Sight([(seat, chance.choice(red))]))
        if cell[1:] != last:
            yield Wrong("TRI-ARRIVE", "", base + Sight([(seat, "home")]))
    for cell in scene.own("tile"):
        yield Wrong("TRI-PUSH", "", scene.moved((seat, cell, chance.choice(red))))


ON = {"trikolos": on_the_tiles, "tijou": on_the_square, "barricades": in_the_net}


def test_the_rule_is_the_first_that_is_named(table: str, throw: Throw) -> None:
    shown: dict[str, int] = defaultdict(int)
    for seed in range(THROWS):
        scene = Scene(*throw(table, seed))
        game, setup, position, seat = scene.game, scene.setup, scene.position, scene.seat
        if game.winners(setup, position):
            continue
        for wrong in ON.get(setup.game, on_the_cross)(scene):
            hand, card = [wrong.card], wrong.card or None
            judged = game.judge(setup, position, seat, hand, card)
            found = verdict(game, setup, position, seat, hand, card, judged, wrong.seen)
            if found.kind == "illegal":  # else what was done by mistake is a play, or part of one
                assert found.reasons[0].rule == wrong.rule, (seat, wrong, found.reasons)
                shown[wrong.rule] += 1
    assert len(shown) >= (3 if table.startswith("trikolos") else 4), shown
