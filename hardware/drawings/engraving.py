"""What is burnt into the wood: path, outlines and letters, for the picture and the laser alike."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from hardware.boards import Board, Cell, Point, Zone
from hardware.boards.barricades import DOORS, GOAL
from hardware.boards.tijou import CORNERS, RING
from hardware.drawings import plan

START = re.compile(r"[a-z]18")
CENTRAL = re.compile(r"[a-z]7")
EDGE = 3.5  # the line that frames the board, from its edge


@dataclass(frozen=True)
class Line:
    points: tuple[Point, ...]
    closed: bool = False
    name: str = "path"


@dataclass(frozen=True)
class Label:
    """Letters centred on a point; `angle` clockwise, 0 for a reader at the lower edge."""

    text: str
    x: float
    y: float
    height: float  # of a capital, in millimetres
    angle: float = 0.0
    cell: str | None = None  # the cell it stands on, if it stands on one
    spaced: bool = False


def lines(board: Board) -> tuple[Line, ...]:
    return (*path(board), *squares(board), *zone_lines(board), *own_lines(board))


def labels(board: Board) -> tuple[Label, ...]:
    write = LETTERS.get(board.name)
    return tuple(write(board)) if write else ()


def own_lines(board: Board) -> tuple[Line, ...]:
    draw = LINES.get(board.name)
    return tuple(draw(board)) if draw else ()


def path(board: Board) -> Iterator[Line]:
    """The way the pieces go, from hole to hole."""
    ring = plan.circuit(board)
    if ring and all(cell.size is None for cell in ring):
        yield Line(tuple((c.x, c.y) for c in ring), closed=True)
    elif not ring:
        for one, other in plan.steps(board, "ring", "goal"):
            if one.size is None or other.size is None:
                yield Line(((one.x, one.y), (other.x, other.y)))
    for one, other in plan.steps(board, "ring", "house"):
        if "house" in (one.kind, other.kind):
            yield Line(((one.x, one.y), (other.x, other.y)), name="turning")


def squares(board: Board) -> Iterator[Line]:
    for cell in board.cells:
        if cell.size is not None and cell.is_field:
            yield Line(rectangle(cell.x, cell.y, *cell.size), True, "square")


def rectangle(x: float, y: float, width: float, height: float) -> tuple[Point, ...]:
    w, h = width / 2, height / 2
    return (x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h)


def zone_lines(board: Board) -> Iterator[Line]:
    """Short angles at the corners of the place for cards or the die."""
    if board.card_zone is None:
        return
    zone = board.card_zone
    arm = min(zone.width, zone.height) * 0.1
    right, low = zone.x + zone.width, zone.y + zone.height
    for x, y, dx, dy in (
        (zone.x, zone.y, arm, arm),
        (right, zone.y, -arm, arm),
        (right, low, -arm, -arm),
        (zone.x, low, arm, -arm),
    ):
        yield Line(((x + dx, y), (x, y), (x, y + dy)), name="zone")


def middle_of(zone: Zone) -> Point:
    return zone.x + zone.width / 2, zone.y + zone.height / 2


def turned(x: float, y: float, angle: float) -> Point:
    """A vector seen by a reader at that side of the table."""
    turn = math.radians(angle)
    return (
        x * math.cos(turn) - y * math.sin(turn),
        x * math.sin(turn) + y * math.cos(turn),
    )


def on(board: Board, cell_id: str, text: str, dx: float, dy: float, height: float,
       angle: float) -> Iterator[Label]:  # fmt: skip
    """A label beside or on a cell, if the board has that cell."""
    cell = board.by_id.get(cell_id)
    if cell is not None:
        x, y = turned(dx, dy, angle)
        yield Label(text, cell.x + x, cell.y + y, height, angle, cell_id)


# Tijou -----------------------------------------------------------------------


def tijou_letters(board: Board) -> Iterator[Label]:
    for number in range(1, RING + 1):
        cell = board.by_id.get(str(number))
        if cell is None or cell.size is None:
            continue
        edge = (number - 1) // 9
        angle, half = 90.0 * edge, min(cell.size) / 2
        if number in CORNERS:
            yield from on(board, cell.id, "SORTIE", 0, half - 6.0, 3.2, angle)
        elif number - 1 in CORNERS:
            yield from on(board, cell.id, "ENTRÉE", 0, half - 6.0, 3.2, angle)
        yield from on(board, cell.id, str(number), half - 5.0, 5.5 - half, 3.0, angle)
    for arrival in board.of_kind("arrival"):
        seat = plan.owner(board, arrival)
        angle = plan.facing(board, seat) if seat else 0.0
        yield from on(board, arrival.id, "ARRIVÉE", 0, arrival.reach - 6.0, 3.2, angle)


def tijou_lines(board: Board) -> Iterator[Line]:
    """An arrow into each ENTRÉE, and a line from corner to opposite corner."""
    for one, other in (CORNERS[::2], CORNERS[1::2]):
        ends = [board.by_id.get(f"A-{'abcd'[CORNERS.index(n)]}") for n in (one, other)]
        if ends[0] is not None and ends[1] is not None and board.card_zone is not None:
            yield from towards(ends[0], board.card_zone)
            yield from towards(ends[1], board.card_zone)
    for edge, corner in enumerate(CORNERS):
        cell = board.by_id.get(str(corner + 1))
        if cell is not None:
            tip, wide = cell.reach + 3.5, 4.0
            arrow = [(-wide, tip + wide), (0.0, tip), (wide, tip + wide)]
            yield Line(tuple(moved(cell, *turned(x, y, 90.0 * edge)) for x, y in arrow),
                       name="arrow")  # fmt: skip


def towards(cell: Cell, zone: Zone) -> Iterator[Line]:
    """From a square's corner to the circle around the place for cards."""
    x, y = middle_of(zone)
    away = math.dist((x, y), (cell.x, cell.y)) or 1.0
    u, v = (cell.x - x) / away, (cell.y - y) / away
    near, far = zone.width * 0.84, away - cell.reach * math.sqrt(2) - 4.0
    if far > near:
        yield Line(((x + u * near, y + v * near), (x + u * far, y + v * far)), name="diagonal")


def moved(cell: Cell, x: float, y: float) -> Point:
    return cell.x + x, cell.y + y


# Tock ------------------------------------------------------------------------


def tock_letters(board: Board) -> Iterator[Label]:
    """18 at the starts and 7 at the central cells, as the players call them."""
    for cell in board.of_kind("ring"):
        start, central = START.fullmatch(cell.id), CENTRAL.fullmatch(cell.id)
        if start or central:
            x, y = plan.clear_spot(board, cell, cell.reach + (8.5 if start else 7.0))
            angle = plan.facing(board, cell.id[0])
            text, height = ("18", 5.6) if start else ("7", 4.8)
            yield Label(text, x, y, height, angle, cell.id)


# Barricades ------------------------------------------------------------------


def barricades_letters(board: Board) -> Iterator[Label]:
    """D where the pawns come in, as the sheet calls it, and the word at the goal."""
    for door in DOORS.values():
        yield from on(board, door, "D", 0.0, 19.0, 5.0, 0.0)
    goal = board.by_id.get(GOAL)
    if goal is not None:
        yield from on(board, GOAL, "BUT", 0.0, -goal.reach - 17.0, 5.0, 0.0)


# Trikolos --------------------------------------------------------------------


def trikolos_letters(board: Board) -> Iterator[Label]:
    """Rows are called by their numbers, columns by their letters; tiles go in beside f."""
    for row in range(1, 7):
        for column, side in (("a", -1), ("f", 1)):
            cell = board.by_id.get(f"{column}{row}")
            if cell is not None:
                away = side * (cell.reach + (9.0 if side < 0 else 17.0))
                yield from on(board, cell.id, str(row), away, 0.0, 5.0, 0.0)
    for column in "abcdef":
        for row, side, angle in ((1, 1, 0.0), (6, 1, 180.0)):
            cell = board.by_id.get(f"{column}{row}")
            if cell is not None:
                away = side * (cell.reach + 8.0)
                yield from on(board, cell.id, column, 0.0, away, 5.0, angle)
    for kind, word in (("camp", "DÉPART"), ("arrival", "ARRIVÉE")):
        for seat in plan.seats(board):
            cells = plan.owned(board, seat, kind)
            if cells:
                x, y = plan.centroid(cells)
                angle = 0.0 if y > board.size[1] / 2 else 180.0
                dx, dy = turned(0.0, cells[0].reach + 11.0, angle)
                yield Label(word, x + dx, y + dy, 4.0, angle, spaced=True)


def trikolos_lines(board: Board) -> Iterator[Line]:
    """A chevron at every row, pointing the way the tiles are pushed."""
    for row in range(1, 7):
        cell = board.by_id.get(f"f{row}")
        if cell is not None:
            tip, wide = cell.x + cell.reach + 4.0, 4.5
            points = ((tip + wide, cell.y - wide), (tip, cell.y), (tip + wide, cell.y + wide))
            yield Line(points, name="arrow")


LETTERS: dict[str, Callable[[Board], Iterator[Label]]] = {
    "tijou": tijou_letters,
    "tock4": tock_letters,
    "tock6": tock_letters,
    "tock8": tock_letters,
    "barricades": barricades_letters,
    "trikolos": trikolos_letters,
}
LINES: dict[str, Callable[[Board], Iterator[Line]]] = {
    "tijou": tijou_lines,
    "trikolos": trikolos_lines,
}
