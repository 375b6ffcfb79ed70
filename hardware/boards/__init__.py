"""Every board once: cells, links, millimetres, LED order, markers, pieces.

`board(name)` makes one of ours, `load(name_or_path)` also reads a board file.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

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
    "load",
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


def load(name_or_path: str) -> Board:
    """One of ours by name, or a board file by path."""
    if name_or_path in names():
        return board(name_or_path)
    path = Path(name_or_path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        ours = ", ".join(names())
        raise BoardError(f'no board "{name_or_path}" and no such file; ours: {ours}') from None
    except UnicodeDecodeError:
        raise BoardError(f"{path.name}: not a text file in UTF-8") from None
    except OSError as error:
        raise BoardError(f"{path.name}: cannot be read: {error.strerror}") from None
    try:
        form = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BoardError(f"{path.name}: not a JSON file: {error}") from None
    try:
        return read(form)
    except BoardError as error:
        raise BoardError(f"{path.name}: {error}") from None
