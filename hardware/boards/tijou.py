"""Tijou: a square ring of 36 cells, ten a side, an arrival beside each corner."""

from __future__ import annotations

from functools import cache

from hardware.boards.layout import DICTIONARY, THICKNESS, corner_markers, grid, holes, lit, pawns
from hardware.boards.shapes import Board, Cell, Point, Zone

SEATS = "abcdef"
CORNERS = (1, 10, 19, 28)
RING = 36
SQUARE = 45.0
SIDE = 580.0
PAWNS = 3
PLACE = 22.0  # across one waiting place; two sets wait side by side on two of the edges


def arrival_name(seat: str) -> str:
    return f"A-{seat}"


@cache
def tijou() -> Board:
    """Cell 1 lies at the bottom right; the ring runs along the bottom first, then clockwise."""
    middle = SIDE / 2
    half = 4.5 * SQUARE

    def turned(x: float, y: float, quarters: int) -> Point:
        """A point seen from the bottom edge's player, turned clockwise to another edge."""
        for _ in range(quarters % 4):
            x, y = -y, x
        return middle + x, middle + y

    cells = []
    for n in range(RING):
        edge, step = divmod(n, 9)
        x, y = turned(half - step * SQUARE, half, edge)
        cells.append(
            Cell(
                id=str(n + 1),
                kind="ring",
                x=round(x, 3),
                y=round(y, 3),
                shape="square",
                size=(SQUARE, SQUARE),
                seat=SEATS[edge] if n + 1 in CORNERS else None,
                links=(str((n + 1) % RING + 1),),
            )
        )
    for edge in range(4):
        x, y = turned(half - 1.15 * SQUARE, half - 1.15 * SQUARE, edge)
        seat = SEATS[edge]
        size = (SQUARE, SQUARE)
        cells.append(
            Cell(arrival_name(seat), "arrival", round(x, 3), round(y, 3), "square", size=size,
                 seat=seat)
        )  # fmt: skip
    # the guests e and f sit at the right of a and c
    for seat, edge, along in (
        ("a", 0, -60.0),
        ("b", 1, 0.0),
        ("c", 2, -60.0),
        ("d", 3, 0.0),
        ("e", 0, 60.0),
        ("f", 2, 60.0),
    ):
        spots = [
            turned(along + dx, SIDE / 2 - 26.0, edge) for dx, _ in grid((0.0, 0.0), PAWNS, 1, 26.0)
        ]
        names = [f"{seat}c{n}" for n in range(1, PAWNS + 1)]
        cells += holes(names, spots, PLACE, kind="camp", seat=seat)
    runs = [
        [str(n + 1) for n in range(RING)],
        *([arrival_name(seat)] for seat in SEATS[:4]),
        *([f"{seat}c{n}" for n in range(1, PAWNS + 1)] for seat in SEATS),
    ]
    return Board(
        name="tijou",
        size=(SIDE, SIDE),
        thickness=THICKNESS,
        cells=lit(cells, runs),
        pieces=pawns(SEATS, count=PAWNS, diameter=12.0, height=25.0),
        dictionary=DICTIONARY,
        markers=corner_markers(0, (SIDE, SIDE)),
        card_zone=Zone(middle - 60.0, middle - 60.0, 120.0, 120.0),
    )
