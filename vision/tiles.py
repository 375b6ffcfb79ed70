"""Tiles on the board: which kind lies where, by what each kind looks like point by point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.view import Array, View
from hardware.boards import Cell
from vision.colour import against, opponent

GRID = 15  # points a side of a tile that are compared
SLACK = 6.0
CLIP = 4.0  # what one point may say against a kind
EVIDENCE = 50.0  # log odds that leave no doubt between kinds
SHADE = 0.8  # how much lighter or darker, as a logarithm, one tile may lie than another


@dataclass(frozen=True)
class TileLook:
    """One kind of tile: BGR levels at GRID x GRID points, row by row, in board directions."""

    name: str
    colours: Array  # (GRID * GRID, 3)


def offsets(side: float) -> Array:
    """(GRID * GRID, 2) millimetres from a tile's middle, a little inside its edge."""
    along = (np.arange(GRID) + 0.5) / GRID * side * 0.94 - side * 0.47
    return np.stack(np.meshgrid(along, along), axis=-1).reshape(-1, 2)


class TileGrid:
    """Where in one view the points of every tile lie."""

    def __init__(self, view: View, cells: Sequence[Cell], side: float, height: float) -> None:
        self.cells = tuple(cells)
        self.side, self.height = side, height
        steps = offsets(side)
        spots = np.array([(c.x, c.y) for c in cells]).reshape(-1, 1, 2) + steps
        flat = spots.reshape(-1, 2)
        solid = np.column_stack([flat, np.full(len(flat), height)])
        width, tall = view.lens.size
        pixels = np.clip(np.rint(view.project(solid)).astype(np.int64), 0, (width - 1, tall - 1))
        self.flat = (pixels[:, 1] * width + pixels[:, 0]).reshape(len(self.cells), -1)
        self.ground = flat.reshape(len(self.cells), -1, 2)

    def locate(self, plane: Array) -> tuple[Array, Array]:
        """For places on the tiles' upper face: which tile (-1: none), which of its points."""
        tile = np.full(len(plane), -1, dtype=np.int64)
        point = np.zeros(len(plane), dtype=np.int64)
        for n, cell in enumerate(self.cells):
            part = (plane - (cell.x, cell.y)) / (self.side * 0.94) + 0.5
            inside = np.all((part >= -0.03) & (part <= 1.03), axis=1)
            place = np.clip((part[inside] * GRID).astype(np.int64), 0, GRID - 1)
            tile[inside] = n
            point[inside] = place[:, 1] * GRID + place[:, 0]
        return tile, point


@dataclass(frozen=True)
class Laid:
    """The verdict on every tile cell."""

    best: Array  # (cells,) kind of tile
    margin: Array  # (cells,) log odds before the next kind, in EVIDENCE
    fit: Array  # (cells,) mean log density a point of the best
    shade: Array  # (cells,) how much lighter than its look the best one lies


def vote(seen: Array, looks: Sequence[Array], hidden: Array | None = None) -> Laid:
    """Compare BGR levels (cells, points, 3) with each kind's look: (points, 3), or (cells, points,
    3) where every cell has its own. `hidden` points (cells, points) have no vote.
    """
    cells, points = seen.shape[:2]
    count = np.ones((cells, points)) if hidden is None else 1.0 - hidden
    many = np.maximum(count.sum(axis=1), 1.0)
    light = np.log(seen.sum(axis=2) + 9.0)
    scores, shades = [], []
    for look in looks:
        wanted = np.broadcast_to(look, seen.shape)
        away = light - np.log(wanted.sum(axis=2) + 9.0)
        shade = np.clip(middle(away, count), -SHADE, SHADE)
        even = seen / np.exp(shade)[:, None, None]
        odds = against(
            opponent(even.reshape(-1, 3)), opponent(wanted.reshape(-1, 3)),
            np.full(cells * points, SLACK, dtype=np.float32),
        )  # fmt: skip
        scores.append(odds.reshape(cells, points))
        shades.append(shade)
    every = np.stack(scores)
    every = np.maximum(every, every.max(axis=0) - CLIP)
    whole = (every * count).sum(axis=2)
    total = whole / many
    order = np.argsort(total, axis=0)
    rows = np.arange(cells)
    best = order[-1]
    following = total[order[-2], rows] if len(looks) > 1 else np.full(cells, -20.0)
    return Laid(
        best, total[best, rows] - following, total[best, rows], np.stack(shades)[best, rows]
    )


def middle(values: Array, count: Array) -> Array:
    """The median of each row over the points that count."""
    known = np.sort(np.where(count > 0.5, values, np.inf), axis=1)
    many = (count > 0.5).sum(axis=1)
    rows = np.arange(len(values))
    low, high = (
        known[rows, np.maximum(many - 1, 0) // 2],
        known[rows, np.minimum(many // 2, known.shape[1] - 1)],
    )
    median: Array = np.where(many > 0, 0.5 * (low + high), 0.0)
    return median
