"""Pieces of layout the boards share: corner markers, clusters of places, colours, LED order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from hardware.boards.shapes import Cell, CellKind, Marker, Piece, Point

DICTIONARY = "DICT_4X4_50"
THICKNESS = 18.0

COLOURS: dict[str, tuple[int, int, int]] = {
    "red": (196, 30, 36),
    "blue": (34, 78, 180),
    "green": (22, 125, 62),
    "yellow": (240, 190, 25),
    "white": (238, 236, 228),
    "black": (34, 33, 36),
    "violet": (122, 56, 148),
    "orange": (236, 112, 22),
}


def corner_markers(
    first: int, size: Point, side: float = 30.0, inset: float = 8.0
) -> tuple[Marker, ...]:
    """Four upright markers in the corners, numbered clockwise from the top left."""
    width, height = size
    right, low = width - inset - side, height - inset - side
    places = ((inset, inset), (right, inset), (right, low), (inset, low))
    return tuple(
        Marker(first + n, ((x, y), (x + side, y), (x + side, y + side), (x, y + side)))
        for n, (x, y) in enumerate(places)
    )


def holes(
    names: Iterable[str],
    points: Iterable[Point],
    diameter: float,
    *,
    kind: CellKind,
    seat: str | None = None,
    links: tuple[str, ...] = (),
) -> list[Cell]:
    """Round places, one a name."""
    return [
        Cell(name, kind, round(x, 3), round(y, 3), "hole", diameter, seat=seat, links=links)
        for name, (x, y) in zip(names, points, strict=True)
    ]


def grid(centre: Point, columns: int, rows: int, pitch: float) -> list[Point]:
    """Places in rows around a centre, in reading order."""
    left = centre[0] - pitch * (columns - 1) / 2
    top = centre[1] - pitch * (rows - 1) / 2
    return [(left + pitch * c, top + pitch * r) for r in range(rows) for c in range(columns)]


def lit(cells: Iterable[Cell]) -> tuple[Cell, ...]:
    """The cells with an LED each, chained in the order given."""
    return tuple(replace(cell, led=n) for n, cell in enumerate(cells))


def pawns(seats: Iterable[str], *, count: int, diameter: float, height: float) -> tuple[Piece, ...]:
    """One set a seat, in the house's order of colours."""
    return tuple(
        Piece("pawn", colour, COLOURS[colour], diameter, height, seat, count)
        for seat, colour in zip(seats, COLOURS, strict=False)
    )
