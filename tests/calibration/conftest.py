"""A table drawn in plain colours: cheap, sharp and exactly known."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
import pytest

from calibration.markers import dictionary
from calibration.view import Lens, Pose, View
from hardware.boards import Board, board

SIZE = (960, 720)
WOOD, HOLE = (110, 160, 200), (35, 45, 55)


def known_view(tilt: float = 0.35, focal: float = 0.9, k1: float = -0.05) -> View:
    """A board of 500 mm seen from a little aside."""
    lens = Lens(
        SIZE,
        (focal * SIZE[0],) * 2,
        ((SIZE[0] - 1) / 2, (SIZE[1] - 1) / 2),
        (k1, 0.0, 0.0, 0.0, 0.0),
    )
    turn = cv2.Rodrigues(np.array([tilt, 0.0, 0.0]))[0] @ cv2.Rodrigues(np.array([0, 0, 0.05]))[0]
    middle = turn @ np.array([250.0, 250.0, 0.0])
    x, y, z = np.array([0.0, 0.0, 820.0]) - middle
    a, b, c = cv2.Rodrigues(turn)[0].ravel()
    return View(lens, Pose((float(a), float(b), float(c)), (float(x), float(y), float(z))))


def drawn(
    shape: Board, view: View, pieces: Mapping[str, str] | None = None, floor: tuple[int, ...] = HOLE
) -> np.ndarray:
    """The board's plane point by point, with upright pieces as discs that rise to their top."""
    rng = np.random.default_rng(3)
    width, height = view.lens.size
    xs, ys = np.meshgrid(np.arange(width), np.arange(height))
    ground = view.ground(np.stack([xs, ys], axis=-1).reshape(-1, 2)).reshape(height, width, 2)
    scale = 4
    flat = np.full((int(shape.size[1] * scale), int(shape.size[0] * scale), 3), WOOD, np.uint8)
    grain = cv2.GaussianBlur(
        rng.normal(0, 40, flat.shape[:2]).astype(np.float32), (0, 0), 6, None, 40
    )
    flat = np.clip(flat + grain[..., None], 0, 255).astype(np.uint8)
    for cell in shape.cells:
        if cell.shape == "hole":
            at = (int(cell.x * scale), int(cell.y * scale))
            cv2.circle(flat, at, int(cell.reach * scale), floor, -1)
    for marker in shape.markers:
        (x, y), side = marker.corners[0], marker.corners[1][0] - marker.corners[0][0]
        many = int(side * scale)
        bits = dictionary(shape.dictionary or "").generateImageMarker(marker.id, many)
        left, top, rim = int(x * scale), int(y * scale), int(4 * scale)
        flat[max(top - rim, 0) : top + many + rim, max(left - rim, 0) : left + many + rim] = 235
        flat[top : top + many, left : left + many] = bits[..., None]
    place = (ground * scale).astype(np.float32)
    picture = cv2.remap(
        flat, place[..., 0], place[..., 1], cv2.INTER_LINEAR, borderValue=(120, 130, 90)
    )
    for cell_id, name in (pieces or {}).items():
        piece, cell = shape.piece(name), shape.cell(cell_id)
        for part in np.linspace(0, 1, 24):
            wide = piece.diameter / 2 * (1 - 0.45 * part)
            turn = 2 * np.pi * np.arange(24) / 24
            ring = np.column_stack([
                cell.x + wide * np.cos(turn), cell.y + wide * np.sin(turn),
                np.full(24, part * piece.height),
            ])  # fmt: skip
            shade = 0.7 + 0.3 * part
            colour = tuple(float(v * shade) for v in piece.srgb[::-1])
            cv2.fillPoly(picture, [np.rint(view.project(ring)).astype(np.int32)], colour)
    soft = cv2.GaussianBlur(picture, (0, 0), 0.8)
    return np.clip(soft + rng.normal(0, 2, soft.shape), 0, 255).astype(np.uint8)


@pytest.fixture(scope="session")
def shape() -> Board:
    return board("tock4")


@pytest.fixture(scope="session")
def view() -> View:
    return known_view()


@pytest.fixture(scope="session")
def empty(shape: Board, view: View) -> np.ndarray:
    return drawn(shape, view)


@pytest.fixture(scope="session")
def camps(shape: Board) -> dict[str, str]:
    own = {piece.seat: piece.name for piece in shape.pieces}
    return {cell.id: own[cell.seat] for cell in shape.of_kind("camp")}


@pytest.fixture(scope="session")
def start(shape: Board, view: View, camps: dict[str, str]) -> np.ndarray:
    return drawn(shape, view, camps)


@pytest.fixture(scope="session")
def draw():
    return drawn
