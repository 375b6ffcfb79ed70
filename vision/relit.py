"""Pictures under one light as they would look under another."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from calibration.view import Array
from hardware.boards import Board, Cell
from vision.light import BURNT, Lattice, Light, amounts, levels, linear

FILL = 2.0  # lattice points over which the face is borrowed for what hides it
GRAINY = 7  # lattice points over which its grain goes
MARGIN = 12  # lattice points that matter for one: four times the first, and half the second


def nearest(place: Lattice, ground: Array) -> Array:
    """The lattice point closest to each place of the board."""
    (x0, y0), (x1, y1) = place.points[0], place.points[-1]
    width, height = max(x1 - x0, 1e-6), max(y1 - y0, 1e-6)
    column = np.rint((ground[:, 0] - x0) / width * (place.columns - 1))
    row = np.rint((ground[:, 1] - y0) / height * (place.rows - 1))
    column = np.clip(column, 0, place.columns - 1).astype(np.int64)
    row = np.clip(row, 0, place.rows - 1).astype(np.int64)
    flat: Array = row * place.columns + column
    return flat


def face_now(place: Lattice, pixels: Array, spots: Array, light: Light, at: Array) -> Array:
    """The board's face as this picture shows it, in the empty look's light, without its grain:
    BGR levels at some lattice points, all of which lie at `spots` in the picture.
    """
    row, column = np.divmod(at, place.columns)
    top, left = (max(int(own.min()) - MARGIN, 0) for own in (row, column))
    part = np.s_[top : row.max() + MARGIN + 1, left : column.max() + MARGIN + 1]
    here = np.arange(place.rows * place.columns).reshape(place.shape)[part]
    shade = here if len(light.shade) > 1 else 0 * here
    seen = back_then(pixels.take(spots[here], axis=0), light, shade)
    bare = place.bare[here]
    weight = bare.astype(np.float32)
    known = cv2.GaussianBlur(weight, (0, 0), FILL)[..., None] + 1e-3
    around = cv2.GaussianBlur(seen * weight[..., None], (0, 0), FILL) / known
    filled = np.where(bare[..., None], seen, around)
    smooth = cv2.medianBlur(np.clip(np.rint(filled), 0, 255).astype(np.uint8), GRAINY)
    found: Array = smooth[row - top, column - left].astype(np.float32)
    return found


def on_surface(board: Board, ground: Array) -> Array:
    """True where the board's face is, which can shine; false inside its holes."""
    face = np.ones(len(ground), dtype=bool)
    for cell in board.cells:
        if cell.shape == "hole":
            face &= np.hypot(ground[:, 0] - cell.x, ground[:, 1] - cell.y) > cell.reach
    return face


def in_squares(cells: Sequence[Cell], ground: Array) -> Array:
    """The number of the field at each place, -1 where none is: fields are neither holes nor tiles,
    one sees their face beside a piece.
    """
    inside = np.full(len(ground), -1)
    for n, cell in enumerate(cells):
        if cell.is_field:
            away = np.abs(ground - (cell.x, cell.y)).max(axis=1)
            inside[away < cell.reach] = n
    return inside


def rows_of(groups: Array) -> Array:
    """(groups, N) the places of each group from 0 on, the shorter rows filled with their own."""
    return even([np.flatnonzero(groups == n) for n in np.unique(groups[groups >= 0])])


def even(rows: Sequence[Array]) -> Array:
    """(rows, N) the rows in one array, the shorter ones filled with their own."""
    widest = max((len(row) for row in rows), default=1)
    return np.array([np.resize(row, widest) for row in rows], dtype=np.int64).reshape(-1, widest)


def back_then(raw: Array, light: Light, spots: Array) -> Array:
    """BGR levels (uint8) brought into the empty look's light, without its shine."""
    gain = (light.overall[None, :] / light.shade[:, None]).astype(np.float32)
    return levels(amounts(raw) * gain.take(spots, axis=0))


def with_full(seen: Array, raw: Array, expected: Array, light: Light, spots: Array) -> Array:
    """The BGR levels `seen` of a picture's `raw` ones in the empty look's light, with those
    `expected` for colours of which the sensor can tell no more than that they are as bright.
    """
    full = raw >= BURNT
    rows = np.flatnonzero(full.any(axis=1))
    if not len(rows):
        return seen
    gain = (light.overall / light.shade.take(spots[rows])[:, None]).astype(np.float32)
    now = levels(linear(expected[rows]) / gain)
    told = seen.copy()
    told[rows] = np.where(full[rows] & (now >= BURNT), expected[rows], seen[rows])
    return told


def with_shine(expected: Array, light: Light, spots: Array, face: Array) -> Array:
    """The empty look (BGR levels) with the shine that has come or gone since."""
    shine = np.where(face, (light.shine / light.shade).astype(np.float32).take(spots), 0.0)
    changed = np.abs(shine) > 0.01
    if not changed.any():
        return expected
    shown = expected.copy()
    lit = linear(expected[changed]) + shine[changed][:, None]
    shown[changed] = levels(np.maximum(lit, 0.25 * linear(expected[changed])))
    return shown
