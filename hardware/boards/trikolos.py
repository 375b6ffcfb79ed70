"""Trikolos: six by six sliding tiles with a lamp each, and one to spare."""

from __future__ import annotations

from functools import cache

from hardware.boards.layout import (
    COLOURS,
    DICTIONARY,
    THICKNESS,
    corner_markers,
    grid,
    holes,
    lit,
)
from hardware.boards.shapes import Board, Cell, Piece, Zone

COLUMNS = "abcdef"
ROWS = range(1, 7)
SPARE = "spare"
PAWNS = 4
TILE = 50.0
WIDTH = 560.0
HEIGHT = 520.0
HOLE = 22.0
TILES = {
    "tile-green": ((30, 150, 70), 13),
    "tile-orange": ((240, 140, 20), 12),
    "tile-red": ((205, 35, 35), 12),
}


@cache
def trikolos() -> Board:
    """Row 1 at the bottom, where white enters; the spare waits at the right, beyond column f."""
    left, bottom = (WIDTH - 5 * TILE) / 2, (HEIGHT + 5 * TILE) / 2
    size = (TILE, TILE)
    cells: list[Cell] = []
    for row in ROWS:
        for n, column in enumerate(COLUMNS):
            links = [f"{column}{r}" for r in (row - 1, row + 1) if r in ROWS]
            x, y = left + n * TILE, bottom - (row - 1) * TILE
            cells.append(
                Cell(f"{column}{row}", "tile", x, y, "square", size=size, links=tuple(links))
            )
    cells.append(Cell(SPARE, "tile", left + 6.6 * TILE, HEIGHT / 2, "square", size=size))
    low, high = HEIGHT - 70.0, 70.0
    # a camp and the other side's arrival share an edge: waiting to the left, arrived to the right
    for seat, letter, camp_y, home_y in (("white", "w", low, high), ("black", "b", high, low)):
        for kind, mark, x, y in (("camp", "c", -80.0, camp_y), ("arrival", "h", 80.0, home_y)):
            spots = grid((WIDTH / 2 + x, y), PAWNS, 1, 30.0)
            names = [f"{letter}{mark}{n}" for n in range(1, PAWNS + 1)]
            cells += holes(names, spots, HOLE, kind=kind, seat=seat)  # type: ignore[arg-type]
    snake = [f"{c}{row}" for row in ROWS for c in (COLUMNS if row % 2 else COLUMNS[::-1])]
    sides = [[f"{mark}{n}" for n in range(1, PAWNS + 1)] for mark in ("wc", "wh", "bc", "bh")]
    runs = [snake, [SPARE], *sides]
    tiles = tuple(
        Piece("tile", name, srgb, 48.0, 4.0, None, count) for name, (srgb, count) in TILES.items()
    )
    pawns = tuple(
        Piece("pawn", seat, COLOURS[seat], 20.0, 25.0, seat, PAWNS) for seat in ("white", "black")
    )
    return Board(
        name="trikolos",
        size=(WIDTH, HEIGHT),
        thickness=THICKNESS,
        cells=lit(cells, runs),
        pieces=(*pawns, *tiles),
        dictionary=DICTIONARY,
        markers=corner_markers(20, (WIDTH, HEIGHT)),
        card_zone=Zone(20.0, HEIGHT / 2 - 50.0, 80.0, 100.0),
    )
