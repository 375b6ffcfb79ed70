"""Where the camera stands and how its lens bends: points to pixels, pixels to rays.

Everything is in the board's own millimetres: x to the right, y down, z up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.boards import Board

Floats = NDArray[Any]
STRIDE = 8  # the lens is so smooth that every eighth ray is enough


@dataclass(frozen=True)
class Bump:
    """How far board and camera were moved against each other, in millimetres and degrees."""

    dx: float = 0.0
    dy: float = 0.0
    turn: float = 0.0

    def apply(self, x: float, y: float, about: tuple[float, float]) -> tuple[float, float]:
        angle = math.radians(self.turn)
        c, s = math.cos(angle), math.sin(angle)
        u, v = x - about[0], y - about[1]
        return about[0] + c * u - s * v + self.dx, about[1] + s * u + c * v + self.dy


@dataclass(frozen=True)
class Lens:
    """Focal length in pixels, and the five numbers of distortion that OpenCV knows."""

    size: tuple[int, int]
    focal: float
    centre: tuple[float, float]
    distortion: tuple[float, float, float, float, float] = (0.0, 0.0, 0.0, 0.0, 0.0)

    @property
    def matrix(self) -> NDArray[np.float64]:
        return np.array(
            [[self.focal, 0, self.centre[0]], [0, self.focal, self.centre[1]], [0, 0, 1.0]]
        )


@dataclass(frozen=True)
class CameraPose:
    """A lens at a place, looking along `ahead`; `right` and `down` are the picture's axes."""

    lens: Lens
    eye: tuple[float, float, float]
    right: tuple[float, float, float]
    down: tuple[float, float, float]
    ahead: tuple[float, float, float]

    @property
    def size(self) -> tuple[int, int]:
        return self.lens.size

    @cached_property
    def axes(self) -> NDArray[np.float64]:
        return np.array([self.right, self.down, self.ahead])

    def project(self, points: object) -> NDArray[np.float64]:
        """Pixels of points (n, 3) on or above the board."""
        seen = (np.asarray(points, dtype=np.float64).reshape(-1, 3) - self.eye) @ self.axes.T
        flat, _ = cv2.projectPoints(
            seen.reshape(-1, 1, 3),
            np.zeros(3),
            np.zeros(3),
            self.lens.matrix,
            np.array(self.lens.distortion),
        )
        return np.asarray(flat, dtype=np.float64).reshape(-1, 2)

    @cached_property
    def coarse(self) -> Floats:
        """Unit rays of every eighth pixel, with one row and column to spare."""
        width, height = self.size
        columns = np.arange(0, width + 2 * STRIDE, STRIDE, dtype=np.float64)
        rows = np.arange(0, height + 2 * STRIDE, STRIDE, dtype=np.float64)
        pixels = np.stack(np.meshgrid(columns, rows), axis=-1).reshape(-1, 1, 2)
        flat = cv2.undistortPoints(pixels, self.lens.matrix, np.array(self.lens.distortion))
        rays = np.concatenate([flat.reshape(-1, 2), np.ones((len(pixels), 1))], axis=1)
        rays = rays @ self.axes
        rays /= np.linalg.norm(rays, axis=1, keepdims=True)
        return rays.reshape(len(rows), len(columns), 3).astype(np.float32)

    def rays_at(self, x: Floats, y: Floats) -> Floats:
        """Unit rays of any pixels, (…, 3)."""
        shape = x.shape
        u = (x.reshape(1, -1) / STRIDE).astype(np.float32)
        v = (y.reshape(1, -1) / STRIDE).astype(np.float32)
        parts = []
        for start in range(0, u.shape[1], 30000):  # remap takes no longer rows than 32767
            stop = start + 30000
            parts.append(
                cv2.remap(
                    self.coarse,
                    u[:, start:stop],
                    v[:, start:stop],
                    cv2.INTER_LINEAR,
                    borderMode=cv2.BORDER_REPLICATE,
                )
            )
        return np.concatenate(parts, axis=1).reshape(*shape, 3)

    @cached_property
    def rays(self) -> Floats:
        """Unit rays of all pixels, (height, width, 3)."""
        width, height = self.size
        u, v = np.meshgrid(
            np.arange(width, dtype=np.float32) / STRIDE,
            np.arange(height, dtype=np.float32) / STRIDE,
        )
        return np.asarray(cv2.remap(self.coarse, u, v, cv2.INTER_LINEAR), dtype=np.float32)

    def bumped(self, bump: Bump, about: tuple[float, float]) -> CameraPose:
        """The same camera after it and the board were moved against each other."""
        x, y = bump.apply(self.eye[0], self.eye[1], about)

        def turned(axis: tuple[float, float, float]) -> tuple[float, float, float]:
            u, v = replace(bump, dx=0.0, dy=0.0).apply(axis[0], axis[1], (0.0, 0.0))
            return (u, v, axis[2])

        return CameraPose(
            self.lens, (x, y, self.eye[2]), turned(self.right), turned(self.down),
            turned(self.ahead),
        )  # fmt: skip


def looking(
    lens: Lens,
    target: tuple[float, float],
    distance: float,
    elevation: float,
    azimuth: float = 90.0,
    roll: float = 0.0,
) -> CameraPose:
    """A camera at `elevation` degrees over the table; azimuth 90 stands below the board."""
    up, round_ = math.radians(elevation), math.radians(azimuth)
    back = np.array(
        [math.cos(up) * math.cos(round_), math.cos(up) * math.sin(round_), math.sin(up)]
    )
    eye = np.array([*target, 0.0]) + distance * back
    ahead = -back
    right = np.array([math.sin(round_), -math.cos(round_), 0.0])
    down = np.cross(right, ahead)
    c, s = math.cos(math.radians(roll)), math.sin(math.radians(roll))
    right, down = c * right + s * down, c * down - s * right
    return CameraPose(lens, triple(eye), triple(right), triple(down), triple(ahead))


def framing(
    board: Board,
    lens: Lens,
    elevation: float,
    azimuth: float = 90.0,
    roll: float = 0.0,
    margin: float = 0.06,
    aim: tuple[float, float] = (0.0, 0.0),
) -> CameraPose:
    """As near as the whole board still fits, `margin` of the picture left free around it."""
    width, height = board.size
    middle = (width / 2 + aim[0], height / 2 + aim[1])
    tall = max((piece.height for piece in board.pieces), default=0.0)
    corners = [(x, y, z) for x in (0.0, width) for y in (0.0, height) for z in (0.0, tall)]
    across, along = lens.size

    def fits(distance: float) -> bool:
        pose = looking(lens, middle, distance, elevation, azimuth, roll)
        if np.min((np.array(corners) - pose.eye) @ np.array(pose.ahead)) < 50.0:
            return False
        spots = pose.project(corners)
        low, high = spots.min(axis=0), spots.max(axis=0)
        free = np.array([across, along]) * margin
        return bool((low >= free).all() and (high <= np.array([across, along]) - free).all())

    near, far = 100.0, 20000.0
    for _ in range(24):
        distance = (near + far) / 2
        near, far = (near, distance) if fits(distance) else (distance, far)
    return looking(lens, middle, far, elevation, azimuth, roll)


def triple(vector: NDArray[np.float64]) -> tuple[float, float, float]:
    return float(vector[0]), float(vector[1]), float(vector[2])
