"""Where pieces stand on their cells: off the middle, leaning, several in one square."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hardware.boards import Board, Cell, Piece
from hardware.twin.looks import WIDE, Table
from hardware.twin.shade import Floats

OFF_CENTRE = 1.5
LEAN = 6.0


@dataclass(frozen=True)
class Standing:
    """One piece at one place: millimetres, leaning by radians in x and y, turned in the plane."""

    cell: str
    name: str
    x: float
    y: float
    z: float
    lean: tuple[float, float] = (0.0, 0.0)
    turn: float = 0.0
    number: int = 0


def stand(
    board: Board,
    table: Table,
    pieces: Mapping[str, Sequence[str]],
    seed: int,
    off_centre: float = OFF_CENTRE,
    lean: float = LEAN,
) -> list[Standing]:
    """Everybody on their cells, tiles first, nobody quite in the middle or upright."""
    placed: list[Standing] = []
    by_name = {piece.name: piece for piece in board.pieces}
    for cell_id in sorted(pieces):
        cell = board.cell(cell_id)
        number = int.from_bytes(cell_id.encode(), "little") % (1 << 62)
        rng = np.random.default_rng([seed & 0x7FFFFFFF, number])
        names = sorted(pieces[cell_id], key=lambda name: by_name[name].kind != "tile")
        level = 0.0
        upright = [name for name in names if by_name[name].kind != "tile"]
        spots = iter(spread(rng, cell, [by_name[name] for name in upright], off_centre))
        for name in names:
            piece = by_name[name]
            if piece.kind == "tile":
                dx, dy = rng.normal(0, 0.35, 2)
                placed.append(
                    Standing(cell_id, name, cell.x + float(dx), cell.y + float(dy), 0.0,
                             turn=float(rng.normal(0, 0.006)), number=int(rng.integers(1 << 30)))
                )  # fmt: skip
                level = piece.height
                continue
            dx, dy = next(spots)
            tilt, way = float(rng.uniform(0, lean)), float(rng.uniform(0, 2 * math.pi))
            sink = min(table.pieces.sink, table.depth_of(cell))
            if cell.shape == "square" or piece.diameter > 2 * cell.reach:
                sink = 0.0  # it stands on the board
            elif 2 * cell.reach > WIDE:
                sink = table.depth_of(cell)  # it stands in the dish
            if cell.shape == "square" or piece.kind == "barricade" or 2 * cell.reach > WIDE:
                tilt *= 0.15
            radians = math.radians(tilt)
            placed.append(
                Standing(
                    cell_id,
                    name,
                    cell.x + dx,
                    cell.y + dy,
                    level - sink,
                    (radians * math.cos(way), radians * math.sin(way)),
                    float(rng.uniform(0, math.pi)),
                    int(rng.integers(1 << 30)),
                )
            )
    return placed


def shoved(placed: Sequence[Standing], aside: Mapping[str, tuple[float, float]]) -> list[Standing]:
    """The same, but what is being moved from some cells is so many millimetres off them."""
    nowhere = (0.0, 0.0)
    return [
        replace(item, x=item.x + dx, y=item.y + dy)
        for item in placed
        for dx, dy in (aside.get(item.cell, nowhere),)
    ]


def spread(
    rng: np.random.Generator, cell: Cell, pieces: Sequence[Piece], off_centre: float
) -> list[tuple[float, float]]:
    """Places in one cell, no two pieces in each other."""
    if cell.shape == "hole" or len(pieces) <= 1:
        room = off_centre
        if cell.is_field and cell.size is not None and pieces:
            room = max(off_centre, 0.7 * (min(cell.size) - pieces[0].diameter) / 2)
        angle, far = rng.uniform(0, 2 * math.pi), room * math.sqrt(rng.random())
        return [(float(far * math.cos(angle)), float(far * math.sin(angle)))] * len(pieces)
    free = cell.reach - max(piece.diameter for piece in pieces) / 2 - 1.0
    best: list[tuple[float, float]] = []
    gap = max(piece.diameter for piece in pieces) + 1.0
    for _ in range(400):
        tried = [(float(x), float(y)) for x, y in rng.uniform(-free, free, (len(pieces), 2))]
        apart = min((math.dist(a, b) for n, a in enumerate(tried) for b in tried[:n]), default=gap)
        if apart >= gap:
            return tried
        best = tried
    return best


def rotation(item: Standing) -> Floats:
    """From the piece's own frame to the board's."""
    ax, ay = item.lean
    up = np.array([math.sin(ax), math.sin(ay), 0.0])
    up[2] = math.sqrt(max(0.0, 1 - up[0] ** 2 - up[1] ** 2))
    first = np.array([math.cos(item.turn), math.sin(item.turn), 0.0])
    first -= up * (first @ up)
    first /= np.linalg.norm(first)
    return np.stack([first, np.cross(up, first), up], axis=1).astype(np.float32)
