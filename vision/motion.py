"""Whether anything moves between two frames, with the noise of the camera taken into account."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.view import Array

SMALL = 4  # how much smaller the frames are that are compared
LEAST = 7.0  # grey levels
NOISY = 6.0  # how many times the noise a difference must be
EVEN = 0.15  # the part by which a picture may get lighter or darker at once
SPECK = 5  # small pixels a change covers at least


@dataclass(frozen=True)
class Change:
    """How much of the board differs between two frames."""

    area: int  # small pixels
    overall: float  # change of brightness of the whole, as a part of it

    @property
    def still(self) -> bool:
        return self.area == 0 and abs(self.overall) < EVEN


def small(image: Array, mask: Array) -> Array:
    """A small grey copy, dark outside the board."""
    height, width = mask.shape
    shrunk = cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(shrunk, cv2.COLOR_BGR2GRAY).astype(np.float32)
    inside: Array = cv2.blur(grey, (3, 3)) * mask
    return inside


def board_mask(outline: Array, size: tuple[int, int]) -> Array:
    """1 on the board's outline (pixels) in a small picture, 0 elsewhere."""
    mask = np.zeros((size[1] // SMALL, size[0] // SMALL), dtype=np.uint8)
    hull = cv2.convexHull(outline.astype(np.float32) / SMALL)
    cv2.fillConvexPoly(mask, np.rint(hull).astype(np.int32), 1)
    return mask.astype(np.float32)


def change(one: Array, other: Array, mask: Array) -> Change:
    """Compare two small frames; an even change of brightness alone is no motion."""
    apart = other - one
    inside = apart[mask > 0]
    if not len(inside):
        return Change(0, 0.0)
    overall = float(np.median(inside))
    noise = float(np.median(np.abs(inside - overall))) * 1.48
    middle = max(float(np.median(one[mask > 0])), 1.0)
    level = np.maximum(one, 1.0) / middle
    rest = np.abs(apart - overall * np.minimum(level, 2.0)) * mask
    strong = (rest > max(LEAST, NOISY * noise)).astype(np.uint8)
    count, _, stats, _ = cv2.connectedComponentsWithStats(strong, connectivity=8)
    areas = [int(stats[n, cv2.CC_STAT_AREA]) for n in range(1, count)]
    return Change(sum(a for a in areas if a >= SPECK), overall / middle)
