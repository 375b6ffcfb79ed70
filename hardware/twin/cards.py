"""Playing cards lying about: faces simple enough, edges and shine like the real ones."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.twin.camera import CameraPose
from hardware.twin.ground import Ground
from hardware.twin.pieces import Patch
from hardware.twin.shade import LINEAR, Floats, flat_lux

WIDTH, HEIGHT = 58.0, 88.0
SCALE = 4  # pixels a millimetre of a face
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
RED, BLACK = (36, 30, 190), (30, 28, 28)
BACK = "back"
PLAIN_BACK = "plain"


@dataclass(frozen=True)
class LyingCard:
    """A card or a pile: its middle, its turn in degrees, its face (`7H`, `back`, `plain`)."""

    x: float
    y: float
    turn: float
    face: str = BACK
    z: float = 0.3


def suit_shape(suit: str, size: float) -> list[NDArray[np.float64]]:
    t = np.linspace(0, 2 * math.pi, 40)
    if suit == "D":
        return [np.array([[0, -1.0], [0.72, 0], [0, 1.0], [-0.72, 0]]) * size]
    if suit == "H":
        x = np.sin(t) ** 3
        y = -(13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t)) / 16
        return [np.stack([x, y], axis=1) * size]
    stem = np.array([[0, 0.1], [0.35, 1.0], [-0.35, 1.0]]) * size
    if suit == "S":
        x = np.sin(t) ** 3
        y = (13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t)) / 16
        return [np.stack([x, y * 0.85 - 0.1], axis=1) * size, stem]
    leaf = np.stack([np.cos(t), np.sin(t)], axis=1) * 0.45
    return [(leaf + spot) * size for spot in ((0, -0.5), (-0.5, 0.15), (0.5, 0.15))] + [stem]


def put_suit(sheet: NDArray[np.uint8], suit: str, x: float, y: float, size: float) -> None:
    colour = RED if suit in "HD" else BLACK
    for shape in suit_shape(suit, size):
        points = ((shape + np.array((x, y))) * SCALE * 16).round().astype(np.int32)
        cv2.fillPoly(sheet, [points], colour, cv2.LINE_AA, 4)


@lru_cache(maxsize=64)
def sheet_of(face: str) -> NDArray[np.uint8]:
    """The printed side, with the rounded corner's cover as a fourth channel."""
    size = (round(HEIGHT * SCALE), round(WIDTH * SCALE))
    sheet = np.full((*size, 3), (236, 242, 244), np.uint8)
    if face == PLAIN_BACK:
        sheet[10:-10, 10:-10] = (176, 178, 226)
    elif face == BACK:
        inner = sheet[12:-12, 12:-12]
        y, x = np.mgrid[0 : inner.shape[0], 0 : inner.shape[1]]
        inner[((x + y) // 7 % 2 == 0) | ((x - y) // 7 % 2 == 0)] = (120, 60, 40)
    else:
        rank, suit = face[:-1], face[-1]
        half = sheet[: size[0] // 2]
        colour = RED if suit in "HD" else BLACK
        cv2.putText(half, rank, (10, 50), cv2.FONT_HERSHEY_SIMPLEX, 1.3, colour, 4, cv2.LINE_AA)
        put_suit(half, suit, 5.2, 18.0, 2.6)
        if rank in "JQK":
            cv2.rectangle(half, (46, 34), (size[1] - 46, size[0]), (150, 120, 60), 2)
            rng = np.random.default_rng([ord(rank), ord(suit)])
            for _ in range(26):
                x, y = rng.uniform(52, size[1] - 52), rng.uniform(40, size[0] / 2)
                ink = tuple(int(n) for n in rng.choice([20, 40, 120, 200, 220], 3))
                cv2.ellipse(
                    half, (int(x), int(y)), (int(rng.integers(5, 22)), int(rng.integers(4, 16))),
                    float(rng.uniform(0, 180)), 0, 360, ink, -1, cv2.LINE_AA,
                )  # fmt: skip
        else:
            count = RANKS.index(rank) + 1
            for n in range((count + 1) // 2):
                across = WIDTH / 2 if count < 4 else WIDTH * (0.34 if n % 2 else 0.66)
                put_suit(half, suit, across, 16.0 + 11.0 * (n // (1 if count < 4 else 2)), 5.0)
        sheet[size[0] - size[0] // 2 :] = half[::-1, ::-1]
    cover = np.zeros(size, np.uint8)
    edge = round(3.5 * SCALE)
    cv2.rectangle(cover, (edge, 0), (size[1] - edge - 1, size[0]), 255, -1)
    cv2.rectangle(cover, (0, edge), (size[1], size[0] - edge - 1), 255, -1)
    for x in (edge, size[1] - edge - 1):
        for y in (edge, size[0] - edge - 1):
            cv2.circle(cover, (x, y), edge, 255, -1, cv2.LINE_AA)
    return np.dstack([sheet, cover])


def draw_card(card: LyingCard, camera: CameraPose, ground: Ground) -> Patch | None:
    angle = math.radians(card.turn)
    c, s = math.cos(angle), math.sin(angle)
    corners = [
        (card.x + c * u - s * v, card.y + s * u + c * v, card.z)
        for u in (-WIDTH / 2, WIDTH / 2)
        for v in (-HEIGHT / 2, HEIGHT / 2)
    ]
    spots = camera.project(corners)
    low = np.maximum(np.floor(spots.min(axis=0)) - 1, 0).astype(int)
    high = np.minimum(np.ceil(spots.max(axis=0)) + 2, camera.size).astype(int)
    if (low >= high).any():
        return None
    part = (slice(low[1], high[1]), slice(low[0], high[0]))
    eye = camera.eye
    nearer = (eye[2] - card.z) / eye[2]  # where the ray meets the card's own level
    x = eye[0] + (ground.x[part] - eye[0]) * nearer
    y = eye[1] + (ground.y[part] - eye[1]) * nearer
    u = (c * (x - card.x) + s * (y - card.y) + WIDTH / 2) * SCALE - 0.5
    v = (-s * (x - card.x) + c * (y - card.y) + HEIGHT / 2) * SCALE - 0.5
    sheet = cv2.GaussianBlur(sheet_of(card.face), (0, 0), 1.2)
    seen = cv2.remap(
        sheet, u.astype(np.float32), v.astype(np.float32), cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT, borderValue=0,
    )  # fmt: skip
    cover = seen[..., 3].astype(np.float32) / 255
    colour: Floats = LINEAR[seen[..., :3]] * cover[..., None]
    layers = [colour * ground.ambient]
    layers += [colour * flat_lux(lamp, x, y)[..., None] * lamp.colour for lamp in ground.lamps]
    layers.append(np.zeros_like(colour))
    return Patch(int(low[0]), int(low[1]), cover, tuple(layers))
