"""Flat tiles with a lamp disc in the middle, lying side by side."""

from __future__ import annotations

import math

import numpy as np

from hardware.boards import Piece
from hardware.twin.camera import CameraPose
from hardware.twin.looks import PieceSet, Table, generator
from hardware.twin.pieces import Patch, bounds
from hardware.twin.shade import LINEAR, Floats, Source, flat_lux, glare, linear_bgr
from hardware.twin.standing import Standing
from hardware.twin.surface import WOODS, wood

DISC = 0.26  # radius of the disc as a share of the tile's side
STAINED = 0.35  # the part of the sets without discs
SHEET = 5.0  # pixels a millimetre of the material tiles are sawn from


def plate(kit: PieceSet, size: float) -> Floats:
    """What the tiles are sawn from: a wood, or one quiet colour."""
    rng = generator("plate", kit.number)
    if rng.random() < 0.6:
        kind = str(rng.choice(list(WOODS)))
        return LINEAR[wood(rng, kind, (4 * size, 4 * size), SHEET / 2, True).colour]
    tone = float(rng.uniform(35, 225))
    warm = float(rng.uniform(0.85, 1.0))
    flat = np.array([warm * warm, warm, 1.0]) * tone
    side = round(2 * size * SHEET)
    return np.broadcast_to(LINEAR[flat.astype(np.uint8)], (side, side, 3)).astype(np.float32)


def stained(kit: PieceSet) -> bool:
    """Whether the tiles are of their colour all over, with the wood's grain in it."""
    return bool(generator("stained tiles", kit.number).random() < STAINED)


def draw_tile(
    item: Standing,
    piece: Piece,
    table: Table,
    camera: CameraPose,
    lamps: tuple[Source, ...],
    ambient: Floats,
    sheet: Floats,
    glow: Floats | None = None,
) -> Patch | None:
    """One tile: its top by the exact edge, its sides behind it; the disc lets light through."""
    half, top_level = piece.diameter / 2, item.z + piece.height
    box = bounds(item, half * 1.02, piece.height, camera)
    if box is None:
        return None
    left, top, right, bottom = box
    rays = camera.rays[top:bottom, left:right]
    eye = np.array(camera.eye, np.float32)
    c, s = math.cos(item.turn), math.sin(item.turn)

    def own(level: float) -> tuple[Floats, Floats, Floats, Floats]:
        span = (level - eye[2]) / rays[..., 2]
        x, y = eye[0] + span * rays[..., 0], eye[1] + span * rays[..., 1]
        u, v = x - item.x, y - item.y
        return x, y, c * u + s * v, c * v - s * u

    x, y, u, v = own(top_level)
    pixel = float((eye[2] - item.z) / camera.lens.focal)
    inside = half - np.maximum(np.abs(u), np.abs(v))
    face = np.clip(inside / pixel + 0.5, 0, 1)
    _, _, low_u, low_v = own(item.z)
    foot = np.clip((half - np.maximum(np.abs(low_u), np.abs(low_v))) / pixel + 0.5, 0, 1)
    _, _, mid_u, mid_v = own((item.z + top_level) / 2)
    waist = np.clip((half - np.maximum(np.abs(mid_u), np.abs(mid_v))) / pixel + 0.5, 0, 1)
    cover = np.maximum(np.maximum(face, foot), waist)

    number = item.number
    shift = (number % 97 / 97 * half, number % 89 / 89 * half)
    column = ((u + half + shift[0]) * SHEET / 2).astype(np.int32) % sheet.shape[1]
    row = ((v + half + shift[1]) * SHEET / 2).astype(np.int32) % sheet.shape[0]
    colour = sheet[row, column]
    disc = np.clip((DISC * piece.diameter - np.hypot(u, v)) / pixel + 0.5, 0, 1)[..., None]
    paint = linear_bgr(table.pieces.colours[piece.name])
    rim = np.clip(1 - inside / 1.0, 0, 1)[..., None]  # the sawn edge is a little rounded
    if stained(table.pieces):
        colour = np.minimum(colour / sheet.mean() * paint, 1.0).astype(np.float32)
    else:
        colour = colour * (1 - disc) + paint * disc
    upright = (1 - face)[..., None]
    layers = [colour * ambient * (1 - 0.45 * upright) * cover[..., None]]
    for lamp in lamps:
        direct = flat_lux(lamp, x, y, top_level)[..., None]
        gloss = glare(lamp, x, y, rays, table.pieces.roughness, 0.0, True, top_level)
        facing = 1 - 0.6 * upright - 0.2 * rim
        value = (
            colour * direct * facing
            + (table.pieces.shine * 0.6 * gloss)[..., None] * face[..., None]
        )
        layers.append(value * lamp.colour * cover[..., None])
    if glow is None:
        layers.append(np.zeros_like(layers[0]))
    else:
        through = paint / max(0.05, float(paint.max()))
        core = np.exp(-(u * u + v * v) / (0.12 * piece.diameter) ** 2)[..., None]
        light = disc * (0.25 + 0.5 * core) * (0.35 + 0.65 * through) + 0.01
        layers.append((light * glow * cover[..., None]).astype(np.float32))
    return Patch(left, top, cover.astype(np.float32), tuple(p.astype(np.float32) for p in layers))
