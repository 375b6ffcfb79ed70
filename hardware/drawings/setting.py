"""Pieces before a game: pawns in their camps, barricades on their points, tiles laid."""

from __future__ import annotations

from hardware.boards import Board
from hardware.boards.barricades import FIRST_BARRICADES
from hardware.drawings import plan

Placed = dict[str, tuple[str, ...]]


def waiting(board: Board) -> Placed:
    """Every pawn in its camp, every barricade on its point."""
    found: Placed = {}
    for piece in board.pieces:
        if piece.kind == "pawn" and piece.seat is not None:
            camp = plan.owned(board, piece.seat, "camp")
            found |= {cell.id: (piece.name,) for cell in camp[: piece.count]}
        elif piece.kind == "barricade":
            known = [name for name in FIRST_BARRICADES if name in board.by_id]
            found |= dict.fromkeys(known[: piece.count], (piece.name,))
    return found


def laid(board: Board) -> Placed:
    """Tiles on every tile cell, evenly mixed; a game lays its own at random."""
    left = {piece.name: piece.count for piece in board.pieces if piece.kind == "tile"}
    total = sum(left.values())
    found: Placed = {}
    step = max(1, round(total * 0.382))  # a golden step spreads each colour over the bed
    while total > 1 and any(total % n == 0 and step % n == 0 for n in range(2, step + 1)):
        step += 1
    bag = [name for name, count in left.items() for _ in range(count)]
    for n, cell in enumerate(board.of_kind("tile")[: len(bag)]):
        found[cell.id] = (bag[n * step % len(bag)],)
    return found
