"""Drawing on a flat board: millimetres as OpenCV takes them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

SHIFT = 4  # OpenCV draws on sixteenths of a pixel


def at(x: float, y: float, scale: float) -> tuple[int, int]:
    """Millimetres to the picture's sixteenths; pixel centres lie at half a pixel."""
    half = 1 << (SHIFT - 1)
    return sixteenths(x, scale) - half, sixteenths(y, scale) - half


def sixteenths(length: float, scale: float) -> int:
    return round(length * scale * (1 << SHIFT))


def star(x: float, y: float, wide: float, points: int, turn: float, scale: float) -> NDArray[Any]:
    """The corners of a star."""
    turns = np.pi * np.arange(2 * points) / points + turn
    away = np.where(np.arange(2 * points) % 2, 0.45, 1.0) * wide
    corners = np.column_stack([x + away * np.cos(turns), y + away * np.sin(turns)])
    return np.array([at(u, v, scale) for u, v in corners.tolist()], np.int32)
