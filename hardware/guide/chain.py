"""The chain of LEDs on one board, drawn as the builder sees it: from below."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from hardware.boards import Board, Cell
from hardware.drawings.svg import box, circle, document, layer, outline, tag

EVERY = 10
INK, PATH, FEED, FIRST = "#222222", "#3366aa", "#c0392b", "#1e8449"


def order(board: Board) -> tuple[Cell, ...]:
    lit = [cell for cell in board.cells if cell.led is not None]
    return tuple(sorted(lit, key=lambda cell: cell.led or 0))


def wire(board: Board) -> float:
    """Millimetres of data wire from LED to LED."""
    cells = order(board)
    return sum(math.dist((a.x, a.y), (b.x, b.y)) for a, b in pairwise(cells))


def fed(board: Board, every: int) -> frozenset[int]:
    """The LEDs at which the supply is joined again."""
    return frozenset(range(0, board.lights, every))


def drawing(board: Board, every: int, words: Sequence[str]) -> str:
    """`words`: below, first LED, supply joined here."""
    width, height = board.size
    below, first, joined = words
    margin, foot = 20.0, 66.0

    def at(cell: Cell) -> tuple[float, float]:
        return width - cell.x, cell.y  # from below

    cells, feeds = order(board), fed(board, every)
    dots, numbers = [], []
    for cell in cells:
        led = cell.led or 0
        x, y = at(cell)
        colour = FIRST if led == 0 else FEED if led in feeds else "#ffffff"
        dots.append(circle(x, y, 6, fill=colour, stroke=INK, stroke_width=1))
        if led % EVERY == 0 or led == len(cells) - 1:
            numbers.append(
                tag("text", str(led), x=x + 8, y=y - 7, font_size=13, fill=INK, font_weight="bold")
            )
    path = tag("path", d=outline(at(cell) for cell in cells), fill="none", stroke=PATH)
    legend = [
        tag("text", f"{board.name} – {below}", x=0, y=height + 26, font_size=16, fill=INK),
        circle(6, height + 44, 6, fill=FIRST, stroke=INK),
        tag("text", first, x=18, y=height + 49, font_size=14, fill=INK),
        circle(6, height + 66, 6, fill=FEED, stroke=INK),
        tag("text", joined, x=18, y=height + 71, font_size=14, fill=INK),
    ]
    return document(
        width + 2 * margin,
        height + 2 * margin + foot,
        (-margin, -margin),
        box(-margin, -margin, width + 2 * margin, height + 2 * margin + foot, fill="#ffffff"),
        box(0, 0, width, height, fill="#f6efe2", stroke=INK, stroke_width=1.5),
        layer("path", [path], stroke_width=2.5),
        layer("leds", dots),
        layer("numbers", numbers, font_family="sans-serif"),
        layer("legend", legend, font_family="sans-serif"),
    )
