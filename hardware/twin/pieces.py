"""Turned and cut pieces in their paint: their pictures and what they shade."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hardware.boards import Piece
from hardware.twin.camera import CameraPose
from hardware.twin.looks import PieceSet, Table
from hardware.twin.shade import Floats, Source, ball_shadow, linear_bgr, lux, shine
from hardware.twin.solids import Solid, trace, trace_block, turned
from hardware.twin.standing import Standing, rotation

SUB = ((-0.25, -0.25), (0.25, -0.25), (-0.25, 0.25), (0.25, 0.25))
BARE = (205.0, 170.0, 120.0)  # wood under scratched paint
BOUNCE = 0.7  # of the light that the board throws back at a piece, what is not in its own shadow


@dataclass(frozen=True)
class Patch:
    """Part of the picture: cover, and light layer by layer, each already times the cover."""

    left: int
    top: int
    cover: Floats
    layers: tuple[Floats, ...]


def solid_of(piece: Piece, kit: PieceSet) -> Solid:
    drum = piece.kind == "barricade"
    return turned("drum" if drum else kit.profile, piece.diameter / 2, piece.height)


def bounds(
    item: Standing, radius: float, height: float, camera: CameraPose
) -> tuple[int, int, int, int] | None:
    turn = rotation(item)
    corners = [
        (dx, dy, z) for dx in (-radius, radius) for dy in (-radius, radius) for z in (0.0, height)
    ]
    spots = camera.project(np.array(corners) @ turn.T + (item.x, item.y, item.z))
    low = np.floor(spots.min(axis=0)).astype(int) - 1
    high = np.ceil(spots.max(axis=0)).astype(int) + 2
    width, tall = camera.size
    left, top = max(0, low[0]), max(0, low[1])
    right, bottom = min(width, high[0]), min(tall, high[1])
    return (left, top, right, bottom) if left < right and top < bottom else None


def draw_piece(
    item: Standing,
    piece: Piece,
    table: Table,
    camera: CameraPose,
    lamps: tuple[Source, ...],
    ambient: Floats,
    ground: Floats,
    others: Sequence[tuple[Floats, float]] = (),
    glow: Floats | None = None,
) -> Patch | None:
    """One solid, four rays a pixel; `others` are balls of neighbours that shade it."""
    radius = piece.diameter / 2
    box = bounds(item, radius, piece.height, camera)
    if box is None:
        return None
    left, top, right, bottom = box
    columns, rows = np.meshgrid(
        np.arange(left, right, dtype=np.float32), np.arange(top, bottom, dtype=np.float32)
    )
    u = np.concatenate([(columns + du).ravel() for du, _ in SUB])
    v = np.concatenate([(rows + dv).ravel() for _, dv in SUB])
    rays = camera.rays_at(u, v)
    turn = rotation(item)
    centre = np.array([item.x, item.y, item.z], np.float32)
    own_eye = ((np.array(camera.eye, np.float32) - centre) @ turn).astype(np.float32)
    own_rays = rays @ turn
    starts = np.broadcast_to(own_eye, own_rays.shape)
    if piece.kind == "barricade" and table.pieces.block == "block":
        half = (radius, radius * 0.8, piece.height / 2)
        hit, run, normals = trace_block(half, starts, own_rays)
    else:
        hit, run, normals = trace(solid_of(piece, table.pieces), starts, own_rays)
    own = own_eye + run[:, None] * own_rays[hit]
    points = own @ turn.T + centre
    above = points[:, 2] > (-0.05 if item.z >= 0 else 0.0) * np.ones(len(points))
    hit, own, points, normals = hit[above], own[above], points[above], (normals @ turn.T)[above]
    colour, rough = paint(item, piece, table.pieces, own)
    shape = rows.shape
    count = len(SUB)

    def gather(values: Floats) -> Floats:
        flat = np.zeros((shape[0] * shape[1], values.shape[1]), np.float32)
        cells = hit % (shape[0] * shape[1])
        for channel in range(values.shape[1]):
            flat[:, channel] = np.bincount(cells, values[:, channel], len(flat))
        return (flat / count).reshape(*shape, values.shape[1])

    near = np.clip(points[:, 2] / (1.2 * piece.height), 0, 1)
    sky = (0.5 + 0.5 * normals[:, 2]) * (0.35 + 0.65 * near)
    bounce = (0.5 - 0.5 * normals[:, 2]) * 0.7
    surroundings = sky[:, None] * ambient + (bounce[:, None] * ground * ambient)
    mirror = 0.04 * table.pieces.shine * np.clip(normals[:, 2], 0, 1)
    layers = [gather(colour * surroundings + mirror[:, None] * ambient)]
    for lamp in lamps:
        free = np.ones(len(points), np.float32)
        for ball, size in near_enough(others, lamp, centre, radius):
            free *= 1 - ball_shadow(lamp, points[:, 0], points[:, 1], points[:, 2], ball, size)
        direct = lux(lamp, points, normals) * (0.55 + 0.45 * near)
        level = lamp.power * lamp.at[2] / np.linalg.norm(lamp.at - centre) ** 3
        direct = direct[:, None] + (BOUNCE * level * bounce)[:, None] * ground
        gloss = shine(lamp, points, normals, rays[hit], table.pieces.roughness)
        value = colour * direct + (table.pieces.shine * rough * gloss)[:, None]
        layers.append(gather(value * (free[:, None] * lamp.colour)))
    if glow is not None:
        low = np.exp(-np.clip(points[:, 2] - max(item.z, 0.0), 0, 60) / 3.0)
        layers.append(gather(colour * glow * (0.35 * low)[:, None]))
    else:
        layers.append(np.zeros((*shape, 3), np.float32))
    cover = np.bincount(hit % (shape[0] * shape[1]), minlength=shape[0] * shape[1]) / count
    return Patch(left, top, cover.reshape(shape).astype(np.float32), tuple(layers))


def near_enough(
    balls: Sequence[tuple[Floats, float]], lamp: Source, centre: Floats, radius: float
) -> list[tuple[Floats, float]]:
    """The balls whose shadow can reach a piece at `centre`."""
    way = lamp.at - centre
    flat = float(np.hypot(way[0], way[1]) / way[2])
    found = []
    for ball, size in balls:
        tall = float(ball[2]) + size
        gap = float(np.hypot(ball[0] - centre[0], ball[1] - centre[1])) - radius - size
        if gap < tall * flat + lamp.radius * tall / float(way[2]):
            found.append((ball, size))
    return found


def paint(item: Standing, piece: Piece, kit: PieceSet, own: Floats) -> tuple[Floats, Floats]:
    """The paint at spots of a piece, with its wear; and where it still shines."""
    rng = np.random.default_rng([item.number, kit.number])
    tone = float(rng.normal(1, 0.04))
    colour = np.broadcast_to(linear_bgr(kit.colours[piece.name]) * tone, own.shape).copy()
    rough = np.ones(len(own), np.float32)
    if kit.worn > 0:
        pattern = np.zeros(len(own), np.float32)
        for _ in range(5):
            wave = rng.normal(0, 0.5, 3)
            pattern += np.sin(own @ wave.astype(np.float32) + float(rng.uniform(0, 6.3)))
        edge = 2.1 - 4.5 * kit.worn
        bare = np.clip((pattern - edge) * 3, 0, 1)[:, None]
        other = (
            BARE
            if rng.random() < 0.6
            else tuple(float(np.clip(part * 0.8 + 10, 0, 255)) for part in kit.colours[piece.name])
        )
        colour = colour * (1 - bare) + linear_bgr(other) * bare
        rough = 1 - 0.7 * bare[:, 0]
    return colour.astype(np.float32), rough


def balls_of(item: Standing, piece: Piece, kit: PieceSet) -> list[tuple[Floats, float]]:
    """A piece as a few balls, enough for its shadow."""
    turn = rotation(item)
    solid = solid_of(piece, kit)
    return [
        (np.array([item.x, item.y, item.z], np.float32) + turn[:, 2] * np.float32(z), r)
        for z, r in solid.balls
    ]
