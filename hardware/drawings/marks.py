"""Marks laid over a picture to explain a rule: rings around cells, arrows along them, notes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape

from hardware.boards import Board, Cell, Point
from hardware.drawings.lettering import FONT
from hardware.drawings.svg import circle, outline, place, tag

GOOD, BAD, PLAIN = "#1f7a3d", "#b3261e", "#1d4e89"


@dataclass(frozen=True)
class Halo:
    """A ring around a cell."""

    cell: str
    colour: str = PLAIN


@dataclass(frozen=True)
class Arrow:
    """From the first cell over the others to the last; `stopped` puts a cross at its end."""

    cells: tuple[str, ...]
    colour: str = PLAIN
    stopped: bool = False


@dataclass(frozen=True)
class Note:
    """A word in a bubble on a cell, such as the number of a step."""

    cell: str
    text: str
    colour: str = PLAIN


Mark = Halo | Arrow | Note


def drawn(board: Board, mark: Mark, upright: float) -> str:
    if isinstance(mark, Halo):
        return halo(board.cell(mark.cell), mark.colour)
    if isinstance(mark, Note):
        return note(board.cell(mark.cell), mark, upright)
    return arrow([board.cell(name) for name in mark.cells], mark)


def halo(cell: Cell, colour: str) -> str:
    radius = cell.reach + 3.5
    rings = (("#fff", 4.4, 0.85), (colour, 2.4, 1.0))
    return tag(
        "g",
        *(
            circle(cell.x, cell.y, radius, fill="none", stroke=ink, stroke_width=wide, opacity=dim)
            for ink, wide, dim in rings
        ),
        cls="halo",
        data_mark=cell.id,
    )


def note(cell: Cell, mark: Note, upright: float) -> str:
    tall = min(9.0, max(5.0, cell.reach * 1.1))
    wide = max(tall * 1.5, tall * (0.62 * len(mark.text) + 0.8))
    return tag(
        "g",
        tag("rect", x=-wide / 2, y=-tall * 0.75, width=wide, height=tall * 1.5, rx=tall * 0.75,
            fill="#fffdf7", stroke=mark.colour, stroke_width=0.8),
        tag("text", escape(mark.text), y=tall * 0.36, font_size=tall, font_family=FONT,
            font_weight="bold", text_anchor="middle", fill=mark.colour),
        cls="note", data_mark=cell.id, transform=place(cell.x, cell.y, upright),
    )  # fmt: skip


def arrow(cells: list[Cell], mark: Arrow) -> str:
    """A band through the cells' centres, with a head at the last."""
    points = [(cell.x, cell.y) for cell in cells]
    if len(points) < 2 or points[-1] == points[-2]:
        return ""
    (x0, y0), (x1, y1) = points[-2], points[-1]
    long = math.hypot(x1 - x0, y1 - y0)
    u, v = (x1 - x0) / long, (y1 - y0) / long
    head = min(9.0, long * 0.6)
    neck = (x1 - u * head, y1 - v * head)
    wing = head * 0.55
    sides: tuple[Point, ...] = (
        (x1, y1),
        (neck[0] - v * wing, neck[1] + u * wing),
        (neck[0] + v * wing, neck[1] - u * wing),
    )
    shaft = outline([*points[:-1], neck])
    parts = []
    for ink, more in (("#fffdf7", 1.8), (mark.colour, 0.0)):
        parts += [
            tag("path", d=shaft, fill="none", stroke=ink, stroke_width=2.8 + more,
                stroke_linejoin="round", stroke_linecap="round"),
            tag("path", d=outline(sides, closed=True), fill=ink, stroke=ink,
                stroke_width=0.6 + more, stroke_linejoin="round"),
        ]  # fmt: skip
    if mark.stopped:
        parts.append(crossed(points[-1], mark.colour))
    return tag("g", *parts, cls="arrow", data_from=cells[0].id, data_to=cells[-1].id)


def crossed(spot: Point, colour: str) -> str:
    x, y = spot
    strokes = outline([(x - 6, y - 6), (x + 6, y + 6)]) + outline([(x - 6, y + 6), (x + 6, y - 6)])
    return "".join(
        tag("path", d=strokes, fill="none", stroke=ink, stroke_width=wide, stroke_linecap="round")
        for ink, wide in (("#fffdf7", 5.0), (colour, 2.6))
    )
