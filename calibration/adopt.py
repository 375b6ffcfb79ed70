"""An old board adopted: its cells are ours, its millimetres its own, found in one picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.fit import FitError, adjust, guess, hole_pitch, sights
from calibration.holes import find_edges
from calibration.learning import CalibrationError
from calibration.view import Array, Lens, View
from hardware.boards import Board, Cell

FEWEST = 4
SMOOTH = 0.35  # pitches a fitted cell may lie off the smooth bending of the known board


@dataclass(frozen=True)
class Adopted:
    """The board with its own measures, and how far that can be trusted."""

    board: Board
    pixels: dict[str, tuple[float, float]]  # where each cell was found, to show and correct
    unsure: tuple[str, ...]  # cells whose edge was not found: placed by their neighbours


def adopt(
    model: Board,
    image: Array,
    points: Mapping[str, tuple[float, float]],
    size: tuple[float, float] | None = None,
    name: str | None = None,
) -> Adopted:
    """Fit `model`'s cells to a picture in which some of them were named by hand.

    `points`: cell to pixel, four or more, spread over the board; more of them bend the board
    further. `size`: the board's real width and height in millimetres, if measured. Corrections
    are further points.
    """
    unknown = [cell for cell in points if cell not in model.by_id]
    if unknown:
        raise CalibrationError(f'cell "{unknown[0]}" is not on {model.name}')
    if len(points) < FEWEST:
        raise CalibrationError(f"name at least {FEWEST} cells on the picture, {len(points)} are")
    known = [model.cell(cell) for cell in points]
    there = np.array([(c.x, c.y) for c in known])
    seen = np.array([points[c.id] for c in known], dtype=float)
    if np.linalg.matrix_rank(there - there.mean(axis=0), tol=1.0) < 2:
        raise CalibrationError("the named cells lie in one line: name some on other sides too")
    grey = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    scale = (size[0] / model.size[0], size[1] / model.size[1]) if size else (1.0, 1.0)
    flat = homography(there * scale, seen)
    view = flat_view(flat, (grey.shape[1], grey.shape[0]))
    places = bend(model, there, view.ground(seen), scale)
    found, unsure = snap(model, view, grey, places, points, min(scale))
    cells = tuple(replace(c, x=round(x, 3), y=round(y, 3)) for c, (x, y) in zip(
        (resized(c, scale) for c in model.cells), found, strict=True))  # fmt: skip
    board = replace(
        model,
        name=name or f"{model.name}-own",
        size=size or model.size,
        cells=cells,
        markers=(),
        dictionary=None,
        card_zone=None,
    )
    pixels = view.project(found)
    return Adopted(
        board,
        {c.id: (float(x), float(y)) for c, (x, y) in zip(cells, pixels, strict=True)},
        unsure,
    )


def resized(cell: Cell, scale: tuple[float, float]) -> Cell:
    even = min(scale)
    return replace(
        cell,
        diameter=None if cell.diameter is None else round(cell.diameter * even, 3),
        size=None if cell.size is None else (cell.size[0] * scale[0], cell.size[1] * scale[1]),
        led=None,
    )


def homography(there: Array, seen: Array) -> Array:
    """From millimetres to pixels."""
    found, _ = cv2.findHomography(there, seen, 0)
    if found is None or not np.all(np.isfinite(found)) or abs(np.linalg.det(found)) < 1e-9:
        raise CalibrationError("these points fit no board: check which cells were named")
    off = np.linalg.norm(
        cv2.perspectiveTransform(there.reshape(-1, 1, 2), found).reshape(-1, 2) - seen, axis=1
    )
    if float(np.median(off)) > 0.05 * float(np.ptp(seen, axis=0).max()):
        raise CalibrationError("these points do not lie as on that board: check their names")
    return np.asarray(found)


def flat_view(flat: Array, size: tuple[int, int]) -> View:
    """A view that maps the board's plane as the homography does, through a usual lens."""
    focal = 0.95 * max(size)
    lens = Lens(size, (focal, focal), ((size[0] - 1) / 2, (size[1] - 1) / 2))
    grid = np.stack(np.meshgrid(np.linspace(0, 500, 5), np.linspace(0, 500, 5)), axis=-1)
    spots = grid.reshape(-1, 2)
    pixels = cv2.perspectiveTransform(spots.reshape(-1, 1, 2), flat).reshape(-1, 2)
    known = sights(spots, pixels, 1.0)
    try:
        return adjust(guess(known, size, lens), known, None)[0]
    except FitError as error:
        raise CalibrationError(f"{error}: check which cells were named") from None


def bend(model: Board, there: Array, ground: Array, scale: tuple[float, float]) -> Array:
    """Where all cells should be: the model, bent smoothly through the named ones."""
    spots = np.array([(c.x, c.y) for c in model.cells]) * scale
    anchors = there * scale
    miss = ground - anchors
    if len(anchors) < 6:
        return spots
    away = np.linalg.norm(anchors[:, None] - anchors[None], axis=2)
    reach = float(np.median(away)) + 1e-6
    kernel = np.exp(-((away / reach) ** 2)) + 0.05 * np.eye(len(anchors))
    weight = np.linalg.solve(kernel, miss)
    near = np.exp(-((np.linalg.norm(spots[:, None] - anchors[None], axis=2) / reach) ** 2))
    bent: Array = spots + near @ weight
    return bent


def snap(
    model: Board,
    view: View,
    grey: Array,
    places: Array,
    points: Mapping[str, tuple[float, float]],
    scale: float,
) -> tuple[Array, tuple[str, ...]]:
    """Move every round cell to the edge found near it; the named ones stay where they were put."""
    found = places.copy()
    pitch = hole_pitch(model) * scale
    rounds = np.array([c.shape == "hole" for c in model.cells])
    unsure: list[str] = []
    if rounds.any():
        radii = np.array([c.reach * scale for c in model.cells])[rounds]
        for part in (0.35, 0.2):
            edges = find_edges(view, grey, found[rounds], radii, part * pitch)
            strong = np.abs(edges.contrast) > 0.35 * np.median(np.abs(edges.contrast))
            spots = view.ground(edges.pixels)
            close = np.linalg.norm(spots - places[rounds], axis=1) < SMOOTH * pitch
            good = strong & close
            moved = np.where(good[:, None], spots, found[rounds])
            found[rounds] = moved
        names = [c.id for c, r in zip(model.cells, rounds, strict=True) if r]
        unsure = [n for n, g in zip(names, good, strict=True) if not g and n not in points]
    order = {cell.id: n for n, cell in enumerate(model.cells)}
    for cell, pixel in points.items():
        told = view.ground(np.array([pixel], dtype=float))[0]
        near = found[order[cell]]
        if np.linalg.norm(near - told) > 0.3 * pitch:
            found[order[cell]] = told
    return found, tuple(unsure)
