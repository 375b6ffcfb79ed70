"""Where a point of the board appears in the picture, and back: lens and pose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import cv2
import numpy as np

Array = np.ndarray
Size = tuple[int, int]  # width, height in pixels


def floats(values: Any) -> tuple[float, ...]:
    return tuple(float(v) for v in np.ravel(values))


def sample(image: Array, pixels: Array) -> Array:
    """An image at fractional pixels (N, 2): (N,) or (N, channels); its border goes on outside."""
    spots = np.asarray(pixels, dtype=np.float32).reshape(-1, 1, 2)
    if not len(spots):  # remap refuses to take nothing
        return np.zeros((0, *image.shape[2:]), dtype=image.dtype)
    nothing: Any = None  # no second map
    seen = [
        cv2.remap(image, part, nothing, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for part in np.array_split(spots, 1 + len(spots) // 30_000)  # remap takes 32767 rows
    ]
    whole: Array = np.concatenate(seen).reshape((len(spots), *image.shape[2:]))
    return whole


@dataclass(frozen=True)
class Lens:
    """A camera's picture size, focal lengths, centre and distortion (k1 k2 p1 p2 k3)."""

    size: Size
    focal: tuple[float, float]
    centre: tuple[float, float]
    distortion: tuple[float, ...] = (0.0,) * 5

    @cached_property
    def matrix(self) -> Array:
        (fx, fy), (cx, cy) = self.focal, self.centre
        return np.array([[fx, 0.0, cx], [0.0, fy, cy], [0.0, 0.0, 1.0]])

    @cached_property
    def coefficients(self) -> Array:
        return np.array(self.distortion, dtype=float)

    def write(self) -> dict[str, Any]:
        return {
            "size": list(self.size),
            "focal": list(self.focal),
            "centre": list(self.centre),
            "distortion": list(self.distortion),
        }


def read_lens(data: Mapping[str, Any]) -> Lens:
    width, height = (int(v) for v in data["size"])
    fx, fy = floats(data["focal"])
    cx, cy = floats(data["centre"])
    distortion = floats(data["distortion"])
    if len(distortion) != 5 or min(width, height, fx, fy) <= 0:
        raise ValueError("a lens has a size, focal lengths above zero and five distortion terms")
    return Lens((width, height), (fx, fy), (cx, cy), distortion)


@dataclass(frozen=True)
class Pose:
    """How the board lies before the camera: a rotation vector and a translation in millimetres."""

    rotation: tuple[float, float, float]
    translation: tuple[float, float, float]

    @property
    def rvec(self) -> Array:
        return np.array(self.rotation, dtype=float)

    @property
    def tvec(self) -> Array:
        return np.array(self.translation, dtype=float)

    def write(self) -> dict[str, Any]:
        return {"rotation": list(self.rotation), "translation": list(self.translation)}


def read_pose(data: Mapping[str, Any]) -> Pose:
    (a, b, c), (x, y, z) = floats(data["rotation"]), floats(data["translation"])
    return Pose((a, b, c), (x, y, z))


@dataclass(frozen=True)
class View:
    """One lens looking at one board: millimetres (x right, y down, z up) to pixels and back."""

    lens: Lens
    pose: Pose

    @cached_property
    def turn(self) -> Array:
        turn: Array = cv2.Rodrigues(self.pose.rvec)[0]
        return turn

    def project(self, points: Array) -> Array:
        """Pixels (N, 2) of points in millimetres (N, 2) on the board or (N, 3) above it."""
        given = np.asarray(points, dtype=float)
        solid = np.zeros((len(given), 3))
        solid[:, : given.shape[1]] = given
        solid[:, 2] *= -1.0  # board coordinates are left-handed: y down, z up
        pose, lens = self.pose, self.lens
        if not len(solid):
            return np.zeros((0, 2))
        seen = cv2.projectPoints(solid, pose.rvec, pose.tvec, lens.matrix, lens.coefficients)[0]
        pixels: Array = seen.reshape(-1, 2)
        return pixels

    def ground(self, pixels: Array, height: float = 0.0) -> Array:
        """Millimetres (N, 2) on the plane `height` above the board, seen at these pixels."""
        one: Array = self.planes(pixels, (height,))[0]
        return one

    def planes(self, pixels: Array, heights: Sequence[float]) -> Array:
        """The same on several planes: (heights, N, 2)."""
        given = np.asarray(pixels, dtype=float).reshape(-1, 1, 2)
        if not len(given):
            return np.zeros((len(heights), 0, 2))
        flat = cv2.undistortPoints(given, self.lens.matrix, self.lens.coefficients).reshape(-1, 2)
        rays = np.column_stack([flat, np.ones(len(flat))]) @ self.turn
        origin = -self.turn.T @ self.pose.tvec
        scale = (-np.array(heights)[:, None] - origin[2]) / rays[:, 2]
        meeting: Array = origin[:2] + scale[..., None] * rays[:, :2]
        return meeting

    @cached_property
    def camera(self) -> tuple[float, float, float]:
        """The camera's place in board coordinates, millimetres, z up."""
        x, y, z = -self.turn.T @ self.pose.tvec
        return float(x), float(y), float(-z)

    def elevation(self, at: tuple[float, float]) -> float:
        """Degrees above the board's plane at which the camera is seen from a point of it."""
        x, y, z = self.camera
        return float(np.degrees(np.arctan2(z, np.hypot(x - at[0], y - at[1]))))
