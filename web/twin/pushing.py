"""Trikolos: a row pushed with the spare tile; what stands on it rides along, who falls off returns.

Who stood on the tile that falls out is put where the rules say: that is no move of anybody's.
"""

from __future__ import annotations

from collections.abc import Sequence

from hardware.boards import Board, BoardError
from hardware.boards.trikolos import COLUMNS, SPARE
from referee.games.trikolos import CELLS, COLOURS, DRIVES, NAMES, OFF, RED, falls_to
from referee.plays import CAMP
from web.twin.orders import Standing, places


def row_of(row: int) -> tuple[str, ...]:
    """Its cells from the one that falls out to the one that is pushed."""
    return tuple(f"{column}{row}" for column in COLUMNS)


def pushed(board: Board, standing: Standing, row: int) -> dict[str, tuple[str, ...]]:
    """The board after the push; BoardError where no whole row lies there, or no tile beside it."""
    cells = row_of(row)
    for cell in (*cells, SPARE):
        board.cell(cell)
        if len(tiles(standing.get(cell, ()))) != 1:
            raise BoardError(f'no tile, or more than one, lies on "{cell}"')
    now = dict(standing)
    for cell, behind in zip(cells, (*cells[1:], SPARE), strict=True):
        now[cell] = standing[behind]
    fallen = standing[cells[0]]
    now[SPARE] = tiles(fallen)
    for name in fallen:
        if name not in COLOURS:
            place = caught(board, now, name, cells[-1])
            now[place] = (*now.get(place, ()), name)
    return now


def tiles(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for name in names if name in COLOURS)


def caught(board: Board, now: Standing, name: str, inserted: str) -> str:
    """Where a pawn that fell off goes: the new tile, back along its column, or its camp."""
    seat = board.piece(name).seat or ""
    lying = {cell: tiles(now.get(cell, ())) for cell in NAMES}
    colours = "".join(COLOURS[lying[cell][0]] if lying[cell] else RED for cell in NAMES)
    taken = frozenset(CELLS[cell] for cell in NAMES if len(now.get(cell, ())) > len(lying[cell]))
    place = falls_to(DRIVES[seat], CELLS[inserted], colours, taken)
    if place != OFF:
        return NAMES[place]
    camp = places(board, seat, CAMP)
    return next((cell for cell in camp if not now.get(cell)), camp[0])
