"""Pieces of layout the boards share: corner markers, clusters of places, colours, LED order."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

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


def lit(cells: Sequence[Cell], runs: Iterable[Sequence[str]]) -> tuple[Cell, ...]:
    """The cells with an LED each, on one chain that a builder can wire without long leaps.

    The first run is the chain; each other run is hung into it, from whichever end or place,
    where that takes the least wire.
    """
    by_id = {cell.id: cell for cell in cells}

    def wire(path: Sequence[Cell]) -> float:
        return sum(math.dist((a.x, a.y), (b.x, b.y)) for a, b in pairwise(path))

    chain: list[Cell] = []
    for run in runs:
        way = [by_id[name] for name in run]
        turns = [way[n:] + way[:n] for n in range(len(way))] if chain else [way]
        hung = (
            (wire([*chain[max(0, at - 1) : at], *turn, *chain[at : at + 1]])
             - wire(chain[max(0, at - 1) : at + 1]), at, turn)
            for at in range(len(chain) + 1)
            for turn in (*turns, *(turn[::-1] for turn in turns))
        )  # fmt: skip
        _, at, turn = min(hung, key=lambda found: round(found[0], 3))
        chain[at:at] = turn
    order = {cell.id: n for n, cell in enumerate(chain)}
    return tuple(replace(cell, led=order[cell.id]) for cell in cells)


def clockwise(names: Sequence[str]) -> tuple[str, str, str, str]:
    """Four places laid out in reading order, as one walks around them."""
    return names[0], names[1], names[3], names[2]


def pawns(seats: Iterable[str], *, count: int, diameter: float, height: float) -> tuple[Piece, ...]:
    """One set a seat, in the house's order of colours."""
    return tuple(
        Piece("pawn", colour, COLOURS[colour], diameter, height, seat, count)
        for seat, colour in zip(seats, COLOURS, strict=False)
    )
