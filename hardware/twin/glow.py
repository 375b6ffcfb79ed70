"""LEDs seen from above: bright hole bottoms, lit walls, a halo in the wood around."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np

from hardware.boards import Board, Cell
from hardware.twin.camera import CameraPose
from hardware.twin.ground import Ground
from hardware.twin.looks import Table
from hardware.twin.shade import Floats

WINDOW = 5.0  # radius of the frosted window in the middle of a square cell
HALO = 9.0


def add_glow(
    layer: Floats,
    board: Board,
    table: Table,
    camera: CameraPose,
    ground: Ground,
    lights: Mapping[str, tuple[int, int, int]],
    plugged: Collection[str],
) -> None:
    """Add the light of every lit cell to the layer of LEDs."""
    for cell_id, rgb in lights.items():
        cell = board.cell(cell_id)
        strength = np.array(rgb[::-1], np.float32) * np.float32(table.led_lux / 255)
        shape = spot(cell, camera, ground, table.depth_of(cell), cell_id in plugged)
        if shape is not None:
            part, weight = shape
            layer[part] += weight[..., None] * strength


def spot(
    cell: Cell, camera: CameraPose, ground: Ground, deep: float, plugged: bool
) -> tuple[tuple[slice, slice], Floats] | None:
    """The part of the picture a light reaches, and how much of it arrives there."""
    reach = cell.reach + 4 * HALO
    corners = [(cell.x + sx * reach, cell.y + sy * reach, 0.0) for sx in (-1, 1) for sy in (-1, 1)]
    spots = camera.project(corners)
    low = np.maximum(np.floor(spots.min(axis=0)), 0).astype(int)
    high = np.minimum(np.ceil(spots.max(axis=0)) + 1, camera.size).astype(int)
    if (low >= high).any():
        return None
    part = (slice(low[1], high[1]), slice(low[0], high[0]))
    dx, dy = ground.x[part] - cell.x, ground.y[part] - cell.y
    far = np.hypot(dx, dy)
    if cell.shape == "square":
        weight = 0.85 * np.clip((WINDOW - far) / 0.8 + 0.5, 0, 1)
        weight += 0.05 * np.exp(-np.maximum(far - WINDOW, 0) / 5)
        return part, weight.astype(np.float32)
    radius = cell.reach
    # the lit floor lies deep in the hole, so a slanting view sees it shifted behind the rim
    eye = camera.eye
    lean = deep / max(eye[2], 1.0)
    fx, fy = dx + (cell.x - eye[0]) * lean, dy + (cell.y - eye[1]) * lean
    mouth = np.clip((radius - far) / 0.7 + 0.5, 0, 1)
    floor = np.clip((radius - np.hypot(fx, fy)) / 0.8 + 0.5, 0, 1)
    core = 0.5 + 0.9 * np.exp(-(fx * fx + fy * fy) / (0.3 * radius * radius))
    inside = mouth * (floor * core + (1 - floor) * 0.45)
    halo = 0.06 * np.exp(-np.maximum(far - radius, 0) / 4) * (1 - mouth)
    if plugged:  # light creeps out between peg and hole
        gap = np.exp(-(((far - 0.92 * radius) / 0.9) ** 2))
        inside = mouth * gap * 0.5
        halo = halo * 0.5
    return part, (inside + halo).astype(np.float32)
