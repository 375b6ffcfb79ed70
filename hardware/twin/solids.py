"""Turned and cut pieces as solids: how far a point is from one, where a ray meets one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[Any]
GRAIN = 0.1  # millimetres a step of the distance tables
ROOM = 2.0  # millimetres of air around a solid in its table

# radius and height of the outline from the bottom up, both as shares of the piece
OUTLINES: dict[str, tuple[tuple[float, float], ...]] = {
    "turned": (
        (0.96, 0.0), (1.0, 0.05), (1.0, 0.16), (0.86, 0.22), (0.70, 0.34), (0.54, 0.50),
        (0.46, 0.60), (0.62, 0.63), (0.62, 0.66), (0.46, 0.68),
    ),
    "halma": (
        (0.95, 0.0), (1.0, 0.04), (0.97, 0.12), (0.80, 0.30), (0.60, 0.50), (0.44, 0.64),
    ),
    "skittle": (
        (0.80, 0.0), (0.98, 0.08), (1.0, 0.25), (0.92, 0.40), (0.62, 0.55), (0.46, 0.66),
    ),
    "peg": ((0.94, 0.0), (1.0, 0.04), (0.98, 0.90), (0.90, 0.97), (0.70, 1.0), (0.0, 1.0)),
    "cone": ((0.94, 0.0), (1.0, 0.03), (0.95, 0.10), (0.40, 0.86), (0.30, 0.97), (0.0, 1.0)),
    "barrel": (
        (0.78, 0.0), (0.92, 0.12), (1.0, 0.40), (0.96, 0.62), (0.80, 0.88), (0.60, 0.97),
        (0.0, 1.0),
    ),
    "mushroom": (
        (0.96, 0.0), (1.0, 0.05), (0.90, 0.12), (0.50, 0.22), (0.44, 0.55), (0.80, 0.62),
        (0.92, 0.70), (0.84, 0.84), (0.50, 0.97), (0.0, 1.0),
    ),
    "drum": (
        (0.90, 0.0), (1.0, 0.06), (1.0, 0.42), (0.92, 0.46), (0.92, 0.54), (1.0, 0.58),
        (1.0, 0.94), (0.90, 1.0), (0.0, 1.0),
    ),
}  # fmt: skip
HEADS = {"turned": 0.62, "halma": 0.56, "skittle": 0.58}  # radius of the head, as a share


@dataclass(frozen=True)
class Solid:
    """A solid of revolution: signed distance and its slope over (radius, height)."""

    distance: Floats
    slope: Floats  # (rows, columns, 2): across, up
    height: float
    radius: float
    balls: tuple[tuple[float, float], ...]  # (height, radius) of balls that fill it, for shadows


def outline(profile: str, radius: float, height: float) -> list[tuple[float, float]]:
    points = [(r * radius, z * height) for r, z in OUTLINES[profile]]
    if profile in HEADS:
        head = HEADS[profile] * radius
        middle = height - head
        low = np.arcsin(min(1.0, max(-1.0, (points[-1][1] - middle) / head)))
        points += [
            (head * float(np.cos(angle)), middle + head * float(np.sin(angle)))
            for angle in np.linspace(low, np.pi / 2, 14)
        ]
    return points


@lru_cache(maxsize=64)
def turned(profile: str, radius: float, height: float) -> Solid:
    """The solid a lathe makes of an outline."""
    points = [(0.0, 0.0), *outline(profile, radius, height), (0.0, height)]
    fine = 4
    rows, columns = round((height + 2 * ROOM) / GRAIN), round((radius + ROOM) / GRAIN)
    mask = np.zeros((rows * fine, 2 * columns * fine), np.uint8)
    scale = fine / GRAIN
    half = columns * fine
    right = [(half + r * scale, (z + ROOM) * scale) for r, z in points]
    left = [(half - r * scale, (z + ROOM) * scale) for r, z in reversed(points)]
    cv2.fillPoly(mask, [np.array(right + left).round().astype(np.int32)], 255)
    out = cv2.distanceTransform(255 - mask, cv2.DIST_L2, 5)
    deep = cv2.distanceTransform(mask, cv2.DIST_L2, 5)
    signed = ((out - deep) / scale)[fine // 2 :: fine, half + fine // 2 :: fine]
    signed = np.ascontiguousarray(signed[:rows, :columns], dtype=np.float32)
    up, across = np.gradient(cv2.GaussianBlur(signed, (0, 0), 2.0), GRAIN)
    widths = [(r, z) for r, z in points if r > 0.2 * radius]
    heights = np.linspace(0.12, 0.88, 5) * height
    profile_radii = np.interp(heights, [z for _, z in widths], [r for r, _ in widths])
    balls = tuple(
        (float(z), float(min(r, max(z, 0.3 * r) * 1.2)))
        for z, r in zip(heights, profile_radii, strict=True)
    )
    return Solid(signed, np.stack([across, up], axis=-1), height, radius, balls)


def measure(solid: Solid, points: Floats) -> tuple[Floats, NDArray[np.int64]]:
    """Distance of points (n, 3) in the piece's own frame, and their place in the table."""
    rho = np.sqrt(points[:, 0] ** 2 + points[:, 1] ** 2)
    column = rho * np.float32(1 / GRAIN)
    row = (points[:, 2] + np.float32(ROOM)) * np.float32(1 / GRAIN)
    rows, columns = solid.distance.shape
    inner_c = np.clip(column, 0, columns - 1)
    inner_r = np.clip(row, 0, rows - 1)
    place = inner_r.astype(np.int64) * columns + inner_c.astype(np.int64)
    away = np.hypot(column - inner_c, row - inner_r) * np.float32(GRAIN)
    return solid.distance.ravel()[place] + away, place


def trace(
    solid: Solid, starts: Floats, rays: Floats, steps: int = 22
) -> tuple[NDArray[np.int64], Floats, Floats]:
    """Walk along rays until they meet the solid: which do, how far, and the normals there."""
    # begin where the ray passes through the sphere around the piece
    middle = np.array([0, 0, solid.height / 2], np.float32)
    reach = np.float32(np.hypot(solid.radius, solid.height / 2) + 0.5)
    to_middle = middle - starts
    along = np.einsum("ij,ij->i", to_middle, rays)
    beside = np.einsum("ij,ij->i", to_middle, to_middle) - along * along
    active = np.flatnonzero(beside < reach * reach)
    half = np.sqrt(np.maximum(reach * reach - beside[active], 0))
    run = along[active] - half
    stop = along[active] + half
    hits: list[NDArray[np.int64]] = []
    runs: list[Floats] = []
    places: list[NDArray[np.int64]] = []
    origin, ray = starts[active], rays[active]
    for step in range(steps):
        gap, place = measure(solid, origin + run[:, None] * ray)
        met = gap < 0.08
        if met.any():
            hits.append(active[met])
            runs.append(run[met])
            places.append(place[met])
        go = ~met & (run < stop)
        if step % 3 == 2 or met.any():
            active, origin, ray = active[go], origin[go], ray[go]
            run, stop, gap = run[go], stop[go], gap[go]
        if not len(active):
            break
        run = run + np.maximum(gap * np.float32(0.97), np.float32(0.04))
    if not hits:
        return np.zeros(0, np.int64), np.zeros(0, np.float32), np.zeros((0, 3), np.float32)
    hit, distance = np.concatenate(hits), np.concatenate(runs)
    slope = solid.slope.reshape(-1, 2)[np.concatenate(places)]
    spots = starts[hit] + distance[:, None] * rays[hit]
    rho = np.maximum(np.hypot(spots[:, 0], spots[:, 1]), 1e-4)
    normals = np.stack(
        [slope[:, 0] * spots[:, 0] / rho, slope[:, 0] * spots[:, 1] / rho, slope[:, 1]], axis=-1
    )
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-6)
    return hit, distance, normals.astype(np.float32)


def trace_block(
    half: tuple[float, float, float], starts: Floats, rays: Floats, bevel: float = 0.8
) -> tuple[NDArray[np.int64], Floats, Floats]:
    """The same for a block standing on its frame's ground; edges a little rounded to the eye."""
    size = np.array(half, np.float32)
    origin = starts - np.array([0, 0, half[2]], np.float32)
    safe = np.where(np.abs(rays) < 1e-6, 1e-6, rays)
    one, two = (-size - origin) / safe, (size - origin) / safe
    near, far = np.minimum(one, two), np.maximum(one, two)
    enter, leave = near.max(axis=1), far.min(axis=1)
    hit = np.flatnonzero((enter < leave) & (enter > 0))
    distance = enter[hit]
    spots = origin[hit] + distance[:, None] * rays[hit]
    # each face's normal, leaning over within the bevel
    lean = np.clip((np.abs(spots) - (size - bevel)) / bevel, 0, 1)
    normals = np.sign(spots) * lean**2
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-6)
    return hit, distance, normals.astype(np.float32)
