"""LEDs under empty cells: light that is added in a hole and nowhere above the board."""

from __future__ import annotations

import numpy as np

from calibration.view import Array
from vision.colour import FLOOR
from vision.light import LINEAR

GLOWS = -13.4  # log density of a pixel to which light of any colour was added
KEPT = 0.8  # the part of its own light a lit pixel keeps at least
ADDED = 0.012  # light added, at least, for it to be called lit


def glow_density(seen: Array, expected: Array) -> Array:
    """Log density (N,) of lit points, from BGR levels seen and expected."""
    now = LINEAR[np.clip(np.rint(seen), 0, 255).astype(np.uint8)]
    then = LINEAR[np.clip(np.rint(expected), 0, 255).astype(np.uint8)]
    added = now - KEPT * then
    lit = (added.min(axis=1) > -0.004) & ((now - then).sum(axis=1) > 3 * ADDED)
    return np.where(lit, GLOWS, FLOOR).astype(np.float32)
