"""What stands still: the table, the board's top and sides, its holes; lit, without pieces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.boards import Board
from hardware.twin.camera import Bump, CameraPose
from hardware.twin.face import face
from hardware.twin.holes import paint_holes
from hardware.twin.looks import Light, Table, generator
from hardware.twin.shade import (
    LINEAR,
    Source,
    ambient_colour,
    flat_lux,
    glare,
    sources,
)
from hardware.twin.surface import WOODS, Surface, cloth, noise, wood

Floats = NDArray[Any]
GROUND_SCALE = 1.5
GROUND_SIZE = (1100.0, 1000.0)


@dataclass(frozen=True)
class Materials:
    """The flat pictures of one table; they outlive lamps and bumps."""

    board: Board
    table: Table
    top: Surface
    cloth: Surface
    floor: Surface


def materials(board: Board, table: Table) -> Materials:
    rng = generator("ground", table.number)
    density = min(4.0, 1.35 * 0.8 * table.lens.size[1] / max(board.size))
    if table.ground in WOODS:
        ground = wood(rng, table.ground, GROUND_SIZE, GROUND_SCALE, bool(rng.random() < 0.5))
    else:
        ground = cloth(rng, table.ground, GROUND_SIZE, GROUND_SCALE)
    floor = wood(rng, str(rng.choice(list(WOODS))), (1400.0, 900.0), 0.6, True)
    return Materials(board, table, face(board, table, density), ground, floor)


@dataclass(frozen=True)
class Ground:
    """The empty scene in layers: light from everywhere, then each lamp's, linear, in lux."""

    x: Floats  # where each pixel's ray meets the board's level
    y: Floats
    layers: tuple[Floats, ...]
    on_board: NDArray[np.bool_]
    lamps: tuple[Source, ...]
    ambient: Floats


def sample(surface: Surface, x: Floats, y: Floats, border: int) -> tuple[Floats, Floats]:
    """Linear colour and relief at millimetres x, y."""
    u = (x * surface.scale - 0.5).astype(np.float32)
    v = (y * surface.scale - 0.5).astype(np.float32)
    colour = cv2.remap(surface.colour, u, v, cv2.INTER_LINEAR, borderMode=border)
    relief = cv2.remap(surface.relief, u, v, cv2.INTER_LINEAR, borderMode=border)
    return LINEAR[colour], np.asarray(relief, dtype=np.float32)


def lay(stuff: Materials, camera: CameraPose, light: Light, bump: Bump) -> Ground:
    """The empty scene; `bump` says how the board lies on the table."""
    board, table = stuff.board, stuff.table
    width, height = board.size
    rays = camera.rays
    steep = np.minimum(rays[..., 2], -0.02)
    eye = np.array(camera.eye, np.float32)
    span = -eye[2] / steep
    x, y = eye[0] + span * rays[..., 0], eye[1] + span * rays[..., 1]
    inside = np.minimum(np.minimum(x, width - x), np.minimum(y, height - y))
    pixel = np.float32(eye[2] / camera.lens.focal)  # about one pixel in millimetres
    top = np.clip(inside / pixel + 0.5, 0, 1)
    on_board = inside > 0

    under = (eye[2] + table_depth(board)) / -steep
    gx, gy = eye[0] + under * rays[..., 0], eye[1] + under * rays[..., 1]
    lamps = sources(board, light)
    colour, relief = sample(stuff.top, x, y, cv2.BORDER_REPLICATE)
    ground, ground_relief = beside_board(stuff, gx, gy, bump)
    side = side_share(board, eye, rays, x, y)
    ambient = ambient_colour(light)

    edge = np.clip(np.hypot(np.maximum(np.maximum(-gx, gx - width), 0),
                            np.maximum(np.maximum(-gy, gy - height), 0)) / 22.0, 0, 1)  # fmt: skip
    below = ground * (ambient * (0.45 + 0.55 * edge)[..., None])
    below = np.where(side[..., None] > 0, colour * ambient * 0.5, below)
    layers = [mix(colour * ambient, below, top)]
    for n, lamp in enumerate(lamps):
        veil = occluders(light, n, x, y)
        upper = colour * flat_lux(lamp, x, y)[..., None]
        if table.varnish > 0:
            upper += (
                table.varnish
                * glare(lamp, x, y, rays, table.roughness, relief, table.along)[..., None]
            )
        free = 1 - board_shadow(board, lamp, gx, gy)
        lower = ground * (flat_lux(lamp, gx, gy, -table_depth(board)) * free)[..., None]
        if table.ground_shine > 0:
            lower += (
                table.ground_shine
                * free
                * glare(lamp, gx, gy, rays, 0.18, ground_relief, True, -table_depth(board))
            )[..., None]
        facing = side_lux(board, lamp, side, x, y)
        lower = np.where(side[..., None] > 0, colour * facing[..., None], lower)
        layers.append(mix(upper, lower, top) * lamp.colour * veil[..., None])
    holes = paint_holes(board, table, camera, x, y, lamps, ambient, stuff.top)
    for layer, patch in zip(layers, holes.layers, strict=True):
        layer.reshape(-1, 3)[holes.pixels] += holes.share[:, None] * (
            patch - layer.reshape(-1, 3)[holes.pixels]
        )
    return Ground(x, y, tuple(layers), on_board, lamps, ambient)


def mix(upper: Floats, lower: Floats, share: Floats) -> Floats:
    return np.asarray(lower + (upper - lower) * share[..., None], dtype=np.float32)


def table_depth(board: Board) -> float:
    return max(2.0, board.thickness)


def beside_board(stuff: Materials, x: Floats, y: Floats, bump: Bump) -> tuple[Floats, Floats]:
    """The table cloth, and the floor where the table ends."""
    board, table = stuff.board, stuff.table
    middle = (board.size[0] / 2, board.size[1] / 2)
    angle = np.deg2rad(-bump.turn)
    c, s = np.float32(np.cos(angle)), np.float32(np.sin(angle))
    u, v = x - middle[0] - bump.dx, y - middle[1] - bump.dy
    tx, ty = c * u - s * v, s * u + c * v
    shift = GROUND_SIZE[0] / 2, GROUND_SIZE[1] / 2
    colour, relief = sample(stuff.cloth, tx + shift[0], ty + shift[1], cv2.BORDER_REFLECT)
    if table.table_edge is not None:
        nx, ny, far = table.table_edge
        beyond = tx * nx + ty * ny - far
        if (beyond > 0).any():
            floor, _ = sample(stuff.floor, tx * 0.6 + 700, ty * 0.6 + 450, cv2.BORDER_REFLECT)
            share = np.clip(beyond / 1.5, 0, 1)[..., None]
            dim = (0.55 * np.clip(1 - beyond / 4000, 0.4, 1))[..., None]
            colour = colour + (floor * dim - colour) * share
            relief = relief * (1 - share[..., 0])
    return colour, relief


def side_share(board: Board, eye: Floats, rays: Floats, x: Floats, y: Floats) -> NDArray[np.int8]:
    """Which of the board's sides a pixel shows: 0 none, 1 left, 2 right, 3 top, 4 bottom."""
    width, height = board.size
    found = np.zeros(x.shape, np.int8)
    deep = table_depth(board)
    for number, axis, place, seen in (
        (1, 0, 0.0, eye[0] < 0),
        (2, 0, width, eye[0] > width),
        (3, 1, 0.0, eye[1] < 0),
        (4, 1, height, eye[1] > height),
    ):
        if not seen:
            continue
        ray = rays[..., axis]
        span = (place - eye[axis]) / np.where(np.abs(ray) < 1e-6, 1e-6, ray)
        other = eye[1 - axis] + span * rays[..., 1 - axis]
        z = eye[2] + span * rays[..., 2]
        limit = board.size[1 - axis]
        hit = (span > 0) & (other >= 0) & (other <= limit) & (z <= 0) & (z >= -deep)
        found[hit] = number
    return found


def side_lux(board: Board, lamp: Source, side: NDArray[np.int8], x: Floats, y: Floats) -> Floats:
    """Lux on upright sides: enough to take each as one flat thing."""
    middle = np.array([board.size[0] / 2, board.size[1] / 2, 0.0])
    way = lamp.at - middle
    far = float(np.linalg.norm(way))
    facing = (0.0, -way[0], way[0], -way[1], way[1])
    amounts = [lamp.power * max(0.0, float(f)) / far**3 for f in facing]
    return np.array(amounts, np.float32)[side]


def board_shadow(board: Board, lamp: Source, x: Floats, y: Floats) -> Floats:
    """The share of a lamp that the board's edge hides from the table."""
    deep = table_depth(board)
    up = deep / (lamp.at[2] + deep)
    qx, qy = x + (lamp.at[0] - x) * up, y + (lamp.at[1] - y) * up
    width, height = board.size
    inside = np.minimum(np.minimum(qx, width - qx), np.minimum(qy, height - qy))
    soft = max(0.6, lamp.radius * deep / lamp.at[2])
    return np.asarray(np.clip(inside / (2 * soft) + 0.5, 0, 1), dtype=np.float32)


def occluders(light: Light, n: int, x: Floats, y: Floats) -> Floats:
    """Soft shadows of what stands outside the picture: people, shelves, the camera's arm."""
    rng = generator("occluders", light.number * 8 + n)
    small = noise(rng, (160, 120), (50, 50))
    soft = 1 - light.occluders * np.clip(small * 0.7 + 0.1, 0, 1)
    u = (x[::8, ::8] * 0.1 + 40).astype(np.float32)
    v = (y[::8, ::8] * 0.1 + 30).astype(np.float32)
    veil = cv2.remap(soft.astype(np.float32), u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return np.asarray(cv2.resize(veil, x.shape[::-1], interpolation=cv2.INTER_LINEAR))
