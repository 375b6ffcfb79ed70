"""How a board and its pieces look, for whoever draws or names them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from hardware import boards


@lru_cache(maxsize=16)
def pieces(board: str) -> dict[str, dict[str, Any]]:
    """What each seat's pieces look like."""
    return {
        piece.seat: {"name": piece.name, "srgb": list(piece.srgb), "letter": piece.seat[0].upper()}
        for piece in boards.board(board).pieces
        if piece.seat is not None
    }


def branches(board: str) -> int:
    """How many arms a board of the Tock family has; its cells are told by them. Others: none."""
    return len({cell.seat for cell in boards.board(board).of_kind("house")})
