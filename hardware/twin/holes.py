"""Holes with a dark depth: what a ray sees that falls into one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.boards import Board
from hardware.twin.camera import CameraPose
from hardware.twin.looks import Table, generator
from hardware.twin.make import insides
from hardware.twin.shade import LINEAR, Source, linear_bgr
from hardware.twin.surface import Surface

Floats = NDArray[Any]
SUB = ((-0.25, -0.25), (0.25, -0.25), (-0.25, 0.25), (0.25, 0.25))


@dataclass(frozen=True)
class HolePixels:
    """The pixels holes cover, by how much, and their light layer by layer."""

    pixels: NDArray[np.int64]
    share: Floats
    layers: tuple[Floats, ...]


def near_holes(board: Board, x: Floats, y: Floats) -> tuple[NDArray[np.int64], Floats]:
    """Pixels on or beside a hole, and which hole."""
    scale = 0.5
    shape = (round(board.size[1] / scale) + 1, round(board.size[0] / scale) + 1)
    index = np.full(shape, -1, np.int16)
    for n, cell in enumerate(board.cells):
        if cell.shape == "hole":
            spot = (round(cell.x / scale), round(cell.y / scale))
            cv2.circle(index, spot, round((cell.reach + 2.0) / scale), n, -1)
    found = cv2.remap(
        index, (x / scale).astype(np.float32), (y / scale).astype(np.float32), cv2.INTER_NEAREST,
        borderMode=cv2.BORDER_CONSTANT, borderValue=-1,
    )  # fmt: skip
    pixels = np.flatnonzero(found.ravel() >= 0)
    return pixels, found.ravel()[pixels]


def paint_holes(
    board: Board,
    table: Table,
    camera: CameraPose,
    x: Floats,
    y: Floats,
    lamps: tuple[Source, ...],
    ambient: Floats,
    top: Surface,
) -> HolePixels:
    pixels, which = near_holes(board, x, y)
    width = x.shape[1]
    if not len(pixels):
        none = np.zeros((0, 3), np.float32)
        return HolePixels(pixels, np.zeros(0, np.float32), (none,) * (1 + len(lamps)))
    rows, columns = np.divmod(pixels, width)
    cells = board.cells
    cx = np.array([cell.x for cell in cells], np.float32)[which]
    cy = np.array([cell.y for cell in cells], np.float32)[which]
    radius = np.array([cell.reach for cell in cells], np.float32)[which]
    wall = LINEAR[top.colour.reshape(-1, 3).mean(axis=0).astype(np.uint8)] * 0.55
    rng = generator("holes", table.number)
    dirt = rng.uniform(0.6, 1.1, len(cells)).astype(np.float32)[which]
    floor = linear_bgr(table.hole_floor) * (1 - table.floor_wood) + wall * table.floor_wood
    walls, floors = (np.tile(part, (len(cells), 1)) for part in (wall, floor))
    if table.make is not None:
        maker = generator("insides", table.number)
        own = insides(board, table.make, table.seat_colours(board), maker)
        for n, cell in enumerate(cells):
            if cell.id in own:
                walls[n] = floors[n] = linear_bgr(own[cell.id])
    walls, floors = walls[which], floors[which] * dirt[:, None]
    deep = np.array([table.depth_of(cell) for cell in cells], np.float32)[which]
    share = np.zeros(len(pixels), np.float32)
    sums = [np.zeros((len(pixels), 3), np.float32) for _ in range(1 + len(lamps))]
    eye = np.array(camera.eye, np.float32)
    for du, dv in SUB:
        rays = camera.rays_at((columns + du).astype(np.float32), (rows + dv).astype(np.float32))
        span = -eye[2] / rays[:, 2]
        hx, hy = eye[0] + span * rays[:, 0] - cx, eye[1] + span * rays[:, 1] - cy
        inside = hx * hx + hy * hy < radius * radius
        depth, on_wall, px, py = fall(hx, hy, rays, radius, deep)
        colour = np.where(on_wall[:, None], walls, floors)
        open_ = radius * radius / (radius * radius + depth * depth)
        amount = np.where(on_wall, 0.5 * np.sqrt(open_), open_) * inside
        share += inside
        sums[0] += colour * ambient * amount[:, None]
        for n, lamp in enumerate(lamps):
            seen = lamp_in_hole(lamp, px, py, depth, cx, cy, radius, on_wall)
            sums[1 + n] += colour * lamp.colour * (seen * inside + 0.04 * amount)[:, None]
    count = np.maximum(share, 1)[:, None]
    return HolePixels(pixels, share / len(SUB), tuple(part / count for part in sums))


def fall(
    hx: Floats, hy: Floats, rays: Floats, radius: Floats, deep: Floats
) -> tuple[Floats, NDArray[np.bool_], Floats, Floats]:
    """Where a ray entering a hole ends: how deep, whether on the wall, and the spot."""
    a = np.maximum(rays[:, 0] ** 2 + rays[:, 1] ** 2, 1e-8)
    b = hx * rays[:, 0] + hy * rays[:, 1]
    c = hx * hx + hy * hy - radius * radius
    to_wall = (-b + np.sqrt(np.maximum(b * b - a * c, 0))) / a
    to_floor = deep / np.maximum(-rays[:, 2], 0.02)
    on_wall = to_wall < to_floor
    run = np.where(on_wall, to_wall, to_floor)
    return (
        np.minimum(run * -rays[:, 2], deep),
        on_wall,
        hx + run * rays[:, 0],
        hy + run * rays[:, 1],
    )


def lamp_in_hole(
    lamp: Source,
    px: Floats,
    py: Floats,
    depth: Floats,
    cx: Floats,
    cy: Floats,
    radius: Floats,
    on_wall: NDArray[np.bool_],
) -> Floats:
    """Lux of a lamp at spots inside holes, through their mouths."""
    lx, ly, lz = lamp.at[0] - cx - px, lamp.at[1] - cy - py, lamp.at[2] + depth
    up = depth / lz
    mx, my = px + lx * up, py + ly * up  # where the way to the lamp leaves the hole
    soft = np.maximum(0.4, lamp.radius * up)
    free = np.clip((radius - np.sqrt(mx * mx + my * my)) / (2 * soft) + 0.5, 0, 1)
    square = lx * lx + ly * ly + lz * lz
    far = np.sqrt(square)
    inward = np.clip(-(px * lx + py * ly) / (radius * far), 0, 1)
    cosine = np.where(on_wall, inward, lz / far)
    return np.asarray(lamp.power * cosine / square * free, dtype=np.float32)
