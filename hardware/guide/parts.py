"""What to buy for each board, counted from the board."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from hardware.boards import Board
from hardware.drawings.workshop import well
from hardware.guide.chain import wire
from hardware.guide.power import Budget, budget

SPARE = 1.05
SLACK = 1.3  # wire between two LEDs goes round corners and into solder
HOLE = 7.0  # how deep the pieces' holes are
POCKET = (12.0, 6.0)  # bore from below for an LED on its 10 mm board, and its depth


def floor(board: Board) -> float:
    """What is left between a piece's hole and the LED's pocket."""
    return board.thickness - HOLE - POCKET[1]


def bores(board: Board) -> tuple[float, ...]:
    """The diameters of the light's bores, largest first."""
    lit = (cell for cell in board.cells if cell.led is not None)
    return tuple(sorted({2 * well(cell) for cell in lit}, reverse=True))


def rod(board: Board) -> float:
    """Metres of opal rod, a plug an LED."""
    return math.ceil(board.lights * floor(board) * SPARE / 100) / 10


def metres(millimetres: float) -> int:
    return math.ceil(millimetres * SLACK / 1000)


@dataclass(frozen=True)
class Part:
    """A line of the list: its text's name, and how many of it a board takes."""

    name: str
    count: Callable[[Board, Budget], str]


def _length(value: float) -> str:
    return f"{value:g} m"


PARTS = (
    Part("led", lambda board, need: str(math.ceil(need.leds * SPARE))),
    Part("controller", lambda board, need: "1"),
    Part("resistor", lambda board, need: "1"),
    Part("capacitor", lambda board, need: "1"),
    Part("supply", lambda board, need: f"1 × {need.supply:g} A"),
    Part("fuse", lambda board, need: f"1 × {need.fuse:g} A"),
    Part("data_wire", lambda board, need: _length(metres(wire(board)))),
    Part("thin_wire", lambda board, need: _length(2 * metres(wire(board)))),
    Part("rail_wire", lambda board, need: _length(2 * metres(2 * sum(board.size)))),
    Part("feeds", lambda board, need: str(need.feeds)),
    Part("rod", lambda board, need: _length(rod(board))),
    Part(
        "wood", lambda board, need: f"{board.size[0]:g} × {board.size[1]:g} × {board.thickness:g}"
    ),
    Part("buttons", lambda board, need: "2"),
    Part("usb", lambda board, need: "1"),
    Part("computer", lambda board, need: "1"),
    Part("camera", lambda board, need: "1"),
)


def rows(boards: tuple[Board, ...]) -> list[tuple[str, list[str]]]:
    """For each part its name and how many for each board."""
    needs = [(board, budget(board)) for board in boards]
    return [(part.name, [part.count(board, need) for board, need in needs]) for part in PARTS]
