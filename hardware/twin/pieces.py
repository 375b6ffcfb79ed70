"""Pieces on their cells: where each stands, how it leans, its paint, its picture and shadow."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from hardware.boards import Board, Cell, Piece
from hardware.twin.camera import CameraPose
from hardware.twin.looks import PieceSet, Table, generator
from hardware.twin.shade import (
    Floats,
    Source,
    ball_shadow,
    linear_bgr,
    lux,
    shine,
)
from hardware.twin.solids import Solid, trace, trace_block, turned

SUB = ((-0.25, -0.25), (0.25, -0.25), (-0.25, 0.25), (0.25, 0.25))
OFF_CENTRE = 1.5
LEAN = 6.0
BARE = (205.0, 170.0, 120.0)  # wood under scratched paint


@dataclass(frozen=True)
class Standing:
    """One piece at one place: millimetres, leaning by radians in x and y, turned in the plane."""

    cell: str
    name: str
    x: float
    y: float
    z: float
    lean: tuple[float, float] = (0.0, 0.0)
    turn: float = 0.0
    number: int = 0


@dataclass(frozen=True)
class Patch:
    """Part of the picture: cover, and light layer by layer, each already times the cover."""

    left: int
    top: int
    cover: Floats
    layers: tuple[Floats, ...]


def stand(
    board: Board,
    table: Table,
    pieces: Mapping[str, Sequence[str]],
    seed: int,
    off_centre: float = OFF_CENTRE,
    lean: float = LEAN,
) -> list[Standing]:
    """Everybody on their cells, tiles first, nobody quite in the middle or upright."""
    placed: list[Standing] = []
    by_name = {piece.name: piece for piece in board.pieces}
    for cell_id in sorted(pieces):
        cell = board.cell(cell_id)
        number = int.from_bytes(cell_id.encode(), "little") % (1 << 62)
        rng = np.random.default_rng([seed & 0x7FFFFFFF, number])
        names = sorted(pieces[cell_id], key=lambda name: by_name[name].kind != "tile")
        level = 0.0
        upright = [name for name in names if by_name[name].kind != "tile"]
        spots = iter(spread(rng, cell, [by_name[name] for name in upright], off_centre))
        for name in names:
            piece = by_name[name]
            if piece.kind == "tile":
                dx, dy = rng.normal(0, 0.35, 2)
                placed.append(
                    Standing(cell_id, name, cell.x + float(dx), cell.y + float(dy), 0.0,
                             turn=float(rng.normal(0, 0.006)))
                )  # fmt: skip
                level = piece.height
                continue
            dx, dy = next(spots)
            tilt, way = float(rng.uniform(0, lean)), float(rng.uniform(0, 2 * math.pi))
            sink = table.pieces.sink if cell.shape == "hole" and level == 0 else 0.0
            if cell.shape == "square" or piece.kind == "barricade" or cell.reach > piece.diameter:
                sink, tilt = 0.0, tilt * 0.15
            radians = math.radians(tilt)
            placed.append(
                Standing(
                    cell_id,
                    name,
                    cell.x + dx,
                    cell.y + dy,
                    level - sink,
                    (radians * math.cos(way), radians * math.sin(way)),
                    float(rng.uniform(0, math.pi)),
                    int(rng.integers(1 << 30)),
                )
            )
    return placed


def spread(
    rng: np.random.Generator, cell: Cell, pieces: Sequence[Piece], off_centre: float
) -> list[tuple[float, float]]:
    """Places in one cell, no two pieces in each other."""
    if cell.shape == "hole" or len(pieces) <= 1:
        room = off_centre
        if cell.shape == "square" and cell.kind != "tile" and cell.size is not None and pieces:
            room = max(off_centre, 0.7 * (min(cell.size) - pieces[0].diameter) / 2)
        angle, far = rng.uniform(0, 2 * math.pi), room * math.sqrt(rng.random())
        return [(float(far * math.cos(angle)), float(far * math.sin(angle)))] * len(pieces)
    free = cell.reach - max(piece.diameter for piece in pieces) / 2 - 1.0
    best: list[tuple[float, float]] = []
    gap = max(piece.diameter for piece in pieces) + 1.0
    for _ in range(400):
        tried = [(float(x), float(y)) for x, y in rng.uniform(-free, free, (len(pieces), 2))]
        apart = min((math.dist(a, b) for n, a in enumerate(tried) for b in tried[:n]), default=gap)
        if apart >= gap:
            return tried
        best = tried
    return best


def solid_of(piece: Piece, kit: PieceSet) -> Solid:
    drum = piece.kind == "barricade"
    return turned("drum" if drum else kit.profile, piece.diameter / 2, piece.height)


def rotation(item: Standing) -> Floats:
    """From the piece's own frame to the board's."""
    ax, ay = item.lean
    up = np.array([math.sin(ax), math.sin(ay), 0.0])
    up[2] = math.sqrt(max(0.0, 1 - up[0] ** 2 - up[1] ** 2))
    first = np.array([math.cos(item.turn), math.sin(item.turn), 0.0])
    first -= up * (first @ up)
    first /= np.linalg.norm(first)
    return np.stack([first, np.cross(up, first), up], axis=1).astype(np.float32)


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
    side = radius if piece.kind != "tile" else piece.diameter / 2 * 1.42
    box = bounds(item, side, piece.height, camera)
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
    if piece.kind == "tile" or (piece.kind == "barricade" and table.pieces.block == "block"):
        half = (radius, radius if piece.kind == "tile" else radius * 0.62, piece.height / 2)
        hit, run, normals = trace_block(half, starts, own_rays)
    else:
        hit, run, normals = trace(solid_of(piece, table.pieces), starts, own_rays)
    own = own_eye + run[:, None] * own_rays[hit]
    points = own @ turn.T + centre
    above = points[:, 2] > (-0.05 if item.z >= 0 else 0.0) * np.ones(len(points))
    hit, own, points, normals = hit[above], own[above], points[above], (normals @ turn.T)[above]
    colour, rough = paint(item, piece, table.pieces, own, points)
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
        for ball, size in others:
            free *= 1 - ball_shadow(lamp, points[:, 0], points[:, 1], points[:, 2], ball, size)
        direct = lux(lamp, points, normals) * (0.55 + 0.45 * near)
        level = lamp.power * lamp.at[2] / np.linalg.norm(lamp.at - centre) ** 3
        direct += bounce * 0.35 * level * float(ground.mean())
        gloss = shine(lamp, points, normals, rays[hit], table.pieces.roughness)
        value = colour * direct[:, None] + (table.pieces.shine * rough * gloss)[:, None]
        layers.append(gather(value * (free[:, None] * lamp.colour)))
    if glow is not None:
        low = np.exp(-np.clip(points[:, 2] - max(item.z, 0.0), 0, 60) / 3.0)
        layers.append(gather(colour * glow * (0.35 * low)[:, None]))
    else:
        layers.append(np.zeros((*shape, 3), np.float32))
    cover = np.bincount(hit % (shape[0] * shape[1]), minlength=shape[0] * shape[1]) / count
    return Patch(left, top, cover.reshape(shape).astype(np.float32), tuple(layers))


def paint(
    item: Standing, piece: Piece, kit: PieceSet, own: Floats, points: Floats
) -> tuple[Floats, Floats]:
    """The paint at spots of a piece, with its wear; and where it still shines."""
    rng = np.random.default_rng([item.number, kit.number])
    tone = float(rng.normal(1, 0.04))
    colour = np.broadcast_to(linear_bgr(kit.colours[piece.name]) * tone, own.shape).copy()
    rough = np.ones(len(own), np.float32)
    if piece.kind == "tile":
        lamp = np.hypot(own[:, 0], own[:, 1])
        share = np.clip((piece.diameter * 0.26 - lamp) / 0.5 + 0.5, 0, 1)
        share *= own[:, 2] > piece.height - 0.3
        plate_rng = generator("plate", kit.number)
        plate = linear_bgr(tuple(plate_rng.uniform([120, 105, 80], [225, 205, 180])))
        grain = 1 + 0.12 * np.sin(own[:, 1] * 2.1 + 0.7 * np.sin(own[:, 0] * 0.11 + item.number))
        colour = plate * grain[:, None] * (1 - share[:, None]) + colour * share[:, None]
    elif kit.worn > 0:
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
