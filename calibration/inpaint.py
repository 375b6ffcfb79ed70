"""A board with pieces on it, as it would look without them: what is hidden is borrowed."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.view import Array, View, sample
from hardware.boards import Board, Cell

MARGIN = 2.5  # millimetres around a piece that its shadow and its lean may touch


def guessed(board: Board, view: View, taken: frozenset[str]) -> Array:
    """A mask (255) of what pieces on the `taken` cells hide of the empty board's picture."""
    tallest = max((p.height for p in board.pieces if p.kind != "tile"), default=25.0)
    widest = max((p.diameter for p in board.pieces if p.kind != "tile"), default=12.0)
    width, height = view.lens.size
    mask = np.zeros((height, width), dtype=np.uint8)
    turn = 2 * np.pi * np.arange(24) / 24
    ring = np.column_stack([np.cos(turn), np.sin(turn), np.zeros(24)])
    for cell in (cell for cell in board.cells if cell.id in taken):
        parts = ((0.0, 1.0), (0.5, 0.9), (1.0, 0.75), (1.2, 0.6))
        reach = max(widest / 2, min(cell.reach, 2 * widest))
        spots = [
            np.array([cell.x, cell.y, part * tallest])
            + ring * ((reach if part == 0 else widest / 2 * wide) + MARGIN)
            for part, wide in parts
        ]
        hull = cv2.convexHull(view.project(np.concatenate(spots)).astype(np.float32))
        cv2.fillConvexPoly(mask, np.rint(hull).astype(np.int32), 255)
    return mask


def hole_mask(board: Board, view: View, taken: frozenset[str]) -> Array:
    """A mask (255) of the `taken` holes, where the look of other holes can be borrowed."""
    width, height = view.lens.size
    mask = np.zeros((height, width), dtype=np.uint8)
    turn = 2 * np.pi * np.arange(24) / 24
    ring = np.column_stack([np.cos(turn), np.sin(turn)])
    for cell in board.cells:
        if cell.id in taken and cell.shape == "hole" and lenders(board, cell, taken):
            rim = view.project(np.array([cell.x, cell.y]) + ring * cell.reach)
            cv2.fillPoly(mask, [np.rint(rim).astype(np.int32)], 255)
    return mask


def without_pieces(board: Board, view: View, image: Array, taken: frozenset[str]) -> Array:
    """Fill what stands on the `taken` cells: surface from around it, holes from other holes."""
    filled: Array = cv2.inpaint(image, guessed(board, view, taken), 5, cv2.INPAINT_TELEA)
    for cell in board.cells:
        if cell.id in taken and cell.shape == "hole":
            borrow(board, view, image, filled, cell, taken)
    return filled


def lenders(board: Board, cell: Cell, taken: frozenset[str]) -> list[Cell]:
    """The nearest free holes of about the same size."""
    free = [
        c
        for c in board.cells
        if c.shape == "hole" and c.id not in taken and abs(c.reach - cell.reach) < 0.6
    ]
    return sorted(free, key=lambda c: np.hypot(c.x - cell.x, c.y - cell.y))[:7]


def borrow(
    board: Board, view: View, image: Array, filled: Array, cell: Cell, taken: frozenset[str]
) -> None:
    """Paint a hole as the nearest free holes of its size look."""
    free = lenders(board, cell, taken)
    if not free:
        return
    reach = cell.reach
    x0, y0, x1, y1 = bounds(view, cell, reach, image.shape)
    if x1 <= x0 or y1 <= y0:
        return
    grid = np.stack(np.meshgrid(np.arange(x0, x1), np.arange(y0, y1)), axis=-1).reshape(-1, 2)
    ground = view.ground(grid) - (cell.x, cell.y)
    inside = np.hypot(ground[:, 0], ground[:, 1]) < reach
    offsets, grid = ground[inside], grid[inside]
    looks = []
    for other in free:
        place = np.array([other.x, other.y])
        looks.append(sample(image, view.project(offsets + place)))
    filled[grid[:, 1], grid[:, 0]] = np.median(np.stack(looks), axis=0).astype(np.uint8)


def bounds(
    view: View, cell: Cell, reach: float, shape: tuple[int, ...]
) -> tuple[int, int, int, int]:
    corners = [(cell.x + u * reach, cell.y + v * reach) for u in (-1, 1) for v in (-1, 1)]
    pixels = view.project(np.array(corners))
    (x0, y0), (x1, y1) = np.floor(pixels.min(axis=0)), np.ceil(pixels.max(axis=0)) + 1
    height, width = shape[:2]
    return max(int(x0), 0), max(int(y0), 0), min(int(x1), width), min(int(y1), height)
