"""The present light against that of the empty look: a gain for each colour, place by place."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.view import Array
from hardware.boards import Board

PER_SIDE = 60  # lattice points along the board's longer side
DARK = 3.0


@dataclass(frozen=True)
class Lattice:
    """Points spread over the bare surface of a board, row by row."""

    rows: int
    columns: int
    step: float
    points: Array  # (rows * columns, 2) millimetres
    bare: Array  # (rows * columns,) false on cells, markers and beside the board


def lattice(board: Board, margin: float = 3.5) -> Lattice:
    width, height = board.size
    step = max(width, height) / PER_SIDE
    columns, rows = max(int(width / step), 2), max(int(height / step), 2)
    xs, ys = (np.arange(columns) + 0.5) * width / columns, (np.arange(rows) + 0.5) * height / rows
    points = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
    bare = np.ones(len(points), dtype=bool)
    for cell in board.cells:
        dx, dy = np.abs(points[:, 0] - cell.x), np.abs(points[:, 1] - cell.y)
        if cell.size is not None:
            if cell.kind == "tile":
                bare &= (dx > cell.size[0] / 2) | (dy > cell.size[1] / 2)
        else:
            bare &= np.hypot(dx, dy) > cell.reach + margin
    for marker in board.markers:
        middle = np.mean(marker.corners, axis=0)
        reach = max(float(np.hypot(*(np.array(c) - middle))) for c in marker.corners) + margin
        bare &= np.hypot(*(points - middle).T) > reach
    return Lattice(rows, columns, step, points, bare)


@dataclass(frozen=True)
class Light:
    """Log gains that bring the present picture into the light of the empty look."""

    overall: Array  # (3,)
    field: Array  # (rows * columns, 3): overall and local together
    odd: Array  # (rows * columns,): how strange the surface looks there, in colour and light
    seen: float  # share of the bare surface that looks like itself


def relight(place: Lattice, now: Array, then: Array) -> Light:
    """Compare BGR samples of the lattice with those of the empty look."""
    good = place.bare & (now.max(axis=1) < 250) & (then.max(axis=1) < 250) & (then.max(axis=1) > 8)
    ratio = np.log((then + DARK) / (now + DARK))
    if good.sum() < 12:
        good = place.bare
    overall = np.median(ratio[good], axis=0) if good.any() else np.zeros(3)
    apart = ratio - overall
    bright = apart.mean(axis=1)
    tint = apart - bright[:, None]
    colour = np.sqrt((tint**2).sum(axis=1))
    trust = good * np.exp(-0.5 * (colour / 0.12) ** 2) * np.exp(-0.5 * (bright / 0.45) ** 2)
    shape = (place.rows, place.columns)
    weight = cv2.GaussianBlur(trust.reshape(shape).astype(np.float32), (0, 0), 2.0)
    parts = [
        cv2.GaussianBlur((trust * apart[:, n]).reshape(shape).astype(np.float32), (0, 0), 2.0)
        for n in range(3)
    ]
    local = np.stack(parts, axis=-1) / (weight[..., None] + 0.08)
    mean = local.mean(axis=-1, keepdims=True)
    local = np.clip(mean, -0.9, 0.9) + np.clip(local - mean, -0.2, 0.2)
    field = overall + local.reshape(-1, 3)
    rest = ratio - field
    middle = rest.mean(axis=1)
    off = np.sqrt(((rest - middle[:, None]) ** 2).sum(axis=1)) / 0.12
    odd = np.sqrt(off**2 + (middle / 0.4) ** 2)
    odd[~place.bare] = 0.0
    seen = float((odd[place.bare] < 1.5).mean()) if place.bare.any() else 1.0
    return Light(overall, field, odd, seen)
