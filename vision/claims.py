"""What is said of one picture: pieces claimed, and what is left open."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Seen:
    """One piece on one cell."""

    cell: str
    name: str
    confidence: float


@dataclass(frozen=True)
class Claims:
    """Pieces claimed and cells left open."""

    pieces: tuple[Seen, ...]
    unsure: tuple[str, ...]


def confidence(margin: float) -> float:
    return float(1.0 / (1.0 + np.exp(-2.0 - 4.0 * margin)))
