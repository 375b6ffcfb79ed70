"""Surfaces made from numbers: wood with its grain, cloth with its weave, patterns in print."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[Any]
Bytes = NDArray[np.uint8]
Colour = tuple[float, float, float]  # blue, green, red: as OpenCV keeps pictures, 0 to 255

# light and dark of the grain, and how strongly the year rings show
WOODS: dict[str, tuple[Colour, Colour, float]] = {
    "beech": ((128, 168, 208), (100, 140, 184), 0.35),
    "pine": ((128, 180, 222), (70, 126, 184), 0.75),
    "oak": ((104, 148, 186), (62, 102, 142), 0.8),
    "cherry": ((82, 122, 178), (54, 84, 140), 0.5),
    "walnut": ((58, 82, 116), (30, 46, 72), 0.9),
    "ash": ((160, 192, 212), (118, 152, 180), 0.9),
    "mahogany": ((48, 66, 128), (28, 38, 86), 0.6),
    "birch": ((150, 192, 218), (128, 168, 200), 0.3),
    "wenge": ((40, 50, 66), (22, 28, 38), 0.8),
    "painted": ((70, 96, 60), (64, 90, 55), 0.2),
}
CLOTHS = ("plain", "check", "stripe", "leaf", "print", "felt")


@dataclass(frozen=True)
class Surface:
    """A flat material: what it reflects, and how it shines."""

    colour: Bytes  # sRGB
    relief: Floats  # slope across the grain, breaking up reflections
    scale: float  # pixels a millimetre


def noise(rng: np.random.Generator, size: tuple[int, int], cell: tuple[float, float]) -> Floats:
    """Smooth noise around 0, about 1 strong, with features `cell` (x, y) pixels wide."""
    width, height = size
    grid = (
        max(2, int(height / cell[1]) + 3),
        max(2, int(width / cell[0]) + 3),
    )
    seed = rng.standard_normal(grid, dtype=np.float32)
    large = cv2.resize(seed, (width, height), interpolation=cv2.INTER_CUBIC)
    return np.asarray(large, dtype=np.float32)


def wood(
    rng: np.random.Generator, kind: str, size: tuple[float, float], scale: float, along: bool
) -> Surface:
    """Boards glued side by side, `along` x or y; `size` in millimetres."""
    across, down = size if along else size[::-1]
    shape = (round(across * scale), round(down * scale))
    light, dark, strength = WOODS[kind]
    x = np.arange(shape[0], dtype=np.float32)[None, :] / scale
    y = np.arange(shape[1], dtype=np.float32)[:, None] / scale
    plank = float(rng.uniform(60, 260)) if rng.random() < 0.6 else 1e6
    index = np.floor((y + float(rng.uniform(0, 200))) / plank)
    shift = ((index * 917.3 + 131.0 * rng.random()) % 1000).astype(np.float32)
    bend = noise(rng, shape, (260 * scale, 46 * scale)) * 9 + noise(
        rng, shape, (90 * scale, 14 * scale)
    )
    # year rings are cut at a shallow angle, so they widen and close into the flames of a plank
    depth = y + shift + bend + 0.00009 * (x - float(rng.uniform(0, across))) ** 2
    pitch = float(rng.uniform(5, 16))
    ring = np.mod(depth / pitch, 1.0)
    ring = np.where(ring < 0.78, ring / 0.78, (1 - ring) / 0.22) ** 1.8
    fibre = noise(rng, shape, (22 * scale, 0.5 * scale)) * 0.5
    fibre += noise(rng, shape, (70 * scale, 1.1 * scale)) * 0.5
    tone = noise(rng, shape, (300 * scale, 60 * scale)) * 0.10
    tone += ((np.sin(index * 12.9 + shift) * 437.5) % 1.0 * 0.16 - 0.08).astype(np.float32)
    mix = np.clip(ring * strength * 0.75 + fibre * 0.16 + tone + 0.1, 0, 1.25)[..., None]
    colour = np.array(light, np.float32) * (1 - mix) + np.array(dark, np.float32) * mix
    relief = fibre * 0.02
    if not along:
        colour, relief = colour.transpose(1, 0, 2), relief.T
    return Surface(
        np.ascontiguousarray(np.clip(colour, 0, 255)).astype(np.uint8),
        np.ascontiguousarray(relief, dtype=np.float32),
        scale,
    )


def cloth(rng: np.random.Generator, kind: str, size: tuple[float, float], scale: float) -> Surface:
    """A table cloth, a mat or a printed oilcloth."""
    shape = (round(size[0] * scale), round(size[1] * scale))
    first = random_colour(rng, 60, 225)
    second = random_colour(rng, 40, 235)
    x = np.arange(shape[0], dtype=np.float32)[None, :] / scale
    y = np.arange(shape[1], dtype=np.float32)[:, None] / scale
    pitch = float(rng.uniform(12, 46))
    patterns: dict[str, Callable[[], Floats]] = {
        "plain": lambda: noise(rng, shape, (90 * scale, 90 * scale)) * 0.06,
        "felt": lambda: noise(rng, shape, (3 * scale, 3 * scale)) * 0.10,
        "check": lambda: (np.mod(x / pitch, 1) < 0.5) * 0.5 + (np.mod(y / pitch, 1) < 0.5) * 0.5,
        "stripe": lambda: (np.mod((x * 0.9 + y * 0.4) / pitch, 1) < 0.4) * 0.9 + 0 * y,
        "leaf": lambda: (noise(rng, shape, (pitch * scale, pitch * scale)) > 0.25) * 0.9,
        "print": lambda: (
            (np.hypot(np.mod(x, pitch) - pitch / 2, np.mod(y, pitch) - pitch / 2) < pitch * 0.28)
            * 1.0
        ),
    }
    mix = patterns[kind]().astype(np.float32)
    weave = noise(rng, shape, (0.8 * scale + 0.5, 7 * scale)) * 0.04
    weave += noise(rng, shape, (7 * scale, 0.8 * scale + 0.5)) * 0.04
    folds = noise(rng, shape, (180 * scale, 120 * scale)) * 0.03
    mix = mix[..., None]
    colour = np.array(first, np.float32) * (1 - mix) + np.array(second, np.float32) * mix
    colour = colour * (1 + (weave + folds)[..., None])
    return Surface(
        np.clip(colour, 0, 255).astype(np.uint8), (weave * 0.5).astype(np.float32), scale
    )


def random_colour(rng: np.random.Generator, low: float, high: float) -> Colour:
    """Any colour, mostly a quiet one."""
    hue, strength = float(rng.uniform(0, 180)), float(rng.uniform(0.05, 1.0) ** 2)
    bright = float(rng.uniform(low, high))
    pixel = np.array([[[hue, 255 * strength * 0.8, bright]]], np.uint8)
    blue, green, red = cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0]
    return float(blue), float(green), float(red)
