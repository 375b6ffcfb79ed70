"""Small drawings for the rules book: a corner of a board, some pieces, an arrow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from hardware.boards import Board, Cell, board
from hardware.drawings import plan
from hardware.drawings.marks import BAD, GOOD, Arrow, Halo, Mark, Note, drawn
from hardware.drawings.svg import num, tag
from web.rulesbook.flat import cells, ground, labels, symbols

ROOM = 15.0  # wood shown around the cells a drawing is about
NUDGE = 9.0  # between pieces that share a cell


@dataclass(frozen=True)
class Diagram:
    """`pieces` by cell, `way` an arrow, `stopped` a forbidden one, `out` pieces sent off."""

    pieces: dict[str, str] = field(default_factory=dict)  # cell: seats, or a piece's name
    way: tuple[str, ...] = ()
    more: tuple[tuple[str, ...], ...] = ()  # further arrows
    stopped: tuple[str, ...] = ()
    out: tuple[str, ...] = ()
    marked: tuple[str, ...] = ()
    notes: dict[str, str] = field(default_factory=dict)
    around: tuple[str, ...] = ()  # cells to be seen; those that matter if nothing is said
    whole: bool = False
    tiles: tuple[str, ...] = ()


def shapes(shown: Board) -> str:
    """What the drawings of a page share: the bare board and its pieces, drawn once, not seen."""
    bare = tag("g", *ground(shown), *cells(shown), labels(shown), id="bare")
    return tag("svg", *symbols(shown), tag("defs", bare), width=0, height=0, cls="shapes",
               aria_hidden="true", focusable="false")  # fmt: skip


def draw(name: str, diagram: Diagram) -> str:
    shown = board(name)
    left, top, width, height = view(shown, diagram)
    share = height / width
    tall = "tall" if share > 1.2 else "wide" if share < 0.55 else "square"
    return tag(
        "svg",
        tag("use", href="#bare"),
        *(tag("use", href=f"#p-tile-{colour}", x=cell.x, y=cell.y)
          for cell, colour in tiled(shown, diagram)),
        *standing(shown, diagram),
        *(drawn(shown, mark, 0.0) for mark in marks(diagram)),
        viewBox=" ".join(map(num, (left, top, width, height))),
        cls=f"diagram {'whole' if diagram.whole else tall}",
        aria_hidden="true",
        focusable="false",
    )  # fmt: skip


def view(shown: Board, diagram: Diagram) -> tuple[float, float, float, float]:
    """The part of the board that is looked at."""
    if diagram.whole:
        left, top, right, low = plan.bounds(shown.cells)
    else:
        cells_told = diagram.around or mattering(diagram)
        left, top, right, low = plan.bounds([shown.cell(one) for one in cells_told])
    return left - ROOM, top - ROOM, right - left + 2 * ROOM, low - top + 2 * ROOM


def mattering(diagram: Diagram) -> tuple[str, ...]:
    ways = (diagram.way, diagram.stopped, *diagram.more)
    return (*diagram.pieces, *diagram.marked, *(cell for way in ways for cell in way))


def tiled(shown: Board, diagram: Diagram) -> Iterator[tuple[Cell, str]]:
    names = {"G": "green", "O": "orange", "R": "red"}
    for row, letters in enumerate(diagram.tiles, 1):
        for column, letter in zip("abcdef", letters, strict=False):
            yield shown.cell(f"{column}{row}"), names[letter]
    if diagram.tiles:
        yield shown.cell("spare"), "green"


def standing(shown: Board, diagram: Diagram) -> Iterator[str]:
    for name, who in diagram.pieces.items():
        cell = shown.cell(name)
        seats = [who] if len(who) > 3 else list(who)
        for n, seat in enumerate(seats):
            across = (n - (len(seats) - 1) / 2) * NUDGE * 2
            pale = 0.45 if name in diagram.out else None
            yield tag("use", href=f"#p-{seat}", x=cell.x + across, y=cell.y, opacity=pale)


def marks(diagram: Diagram) -> Iterator[Mark]:
    for cell in diagram.marked:
        yield Halo(cell, GOOD)
    for way in (diagram.way, *diagram.more):
        if way:
            yield Arrow(way, GOOD)
    if diagram.stopped:
        yield Arrow(diagram.stopped, BAD, stopped=True)
    for cell in diagram.out:
        yield Halo(cell, BAD)
    for cell, text in diagram.notes.items():
        yield Note(cell, text)
