"""Every board once: cells, links, millimetres, LED order, markers, pieces. Data and formulas only.

`board(name)` makes one of ours, `read` and `write` are their JSON form; files are read elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable

from hardware.boards.barricades import barricades
from hardware.boards.form import read, write
from hardware.boards.shapes import (
    Board,
    BoardError,
    Cell,
    CellKind,
    Marker,
    Piece,
    PieceKind,
    Point,
    Zone,
)
from hardware.boards.tijou import tijou
from hardware.boards.tock import tock
from hardware.boards.trikolos import trikolos

__all__ = [
    "Board",
    "BoardError",
    "Cell",
    "CellKind",
    "Marker",
    "Piece",
    "PieceKind",
    "Point",
    "Zone",
    "board",
    "names",
    "read",
    "write",
]

TOCK = {"tock4": 4, "tock6": 6, "tock8": 8}
OTHERS: dict[str, Callable[[], Board]] = {
    "tijou": tijou,
    "barricades": barricades,
    "trikolos": trikolos,
}


def names() -> tuple[str, ...]:
    return ("tijou", *TOCK, "barricades", "trikolos")


def board(name: str, house_entry: int = 16) -> Board:
    """One of our own boards; `house_entry` is a fact of a physical Tock board."""
    if name in TOCK:
        return tock(TOCK[name], house_entry)
    if name in OTHERS:
        return OTHERS[name]()
    raise BoardError(f'no board "{name}"; there are: {", ".join(names())}')
