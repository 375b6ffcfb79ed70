"""A grid of steps over the board, in which one looks at what lies beside pieces: the shadows they
throw are alike under the same lamps, so most of them tell all.
"""

from __future__ import annotations

import cv2
import numpy as np

from calibration.view import Array

FAR = 18  # steps from a foot that are looked at
MOSTLY = 0.5  # the part of a step, and of the pieces, that must show a shadow
SHOWN = 2.5  # pieces of which a place beside them is seen, for that place to be told
FEET = 0.5  # the part of a piece's width within which it stands itself
NEAR = 1.0  # how far from each other, against the spread of the places, pieces have like shadows


class Grid:
    """The steps that points at some places of the `ground` are in; made once for a view."""

    def __init__(self, ground: Array, shown: Array, pitch: float) -> None:
        """`shown` (P,): true for points that tell of shadows; `pitch`: millimetres of a step."""
        self.pitch, self.low = pitch, ground.min(axis=0)
        columns, rows = (np.ceil((ground.max(axis=0) - self.low) / pitch).astype(int) + 1).tolist()
        self.width, self.size = columns + 2 * FAR, (rows + 2 * FAR) * (columns + 2 * FAR)
        self.steps = self.step_of(ground)
        self.spread = float(ground.std(axis=0).max())  # how far the points lie from each other
        self.many = np.bincount(self.steps[shown], minlength=self.size)
        # millimetres from a foot to each step around it
        across, down = np.meshgrid(*2 * [np.arange(-FAR, FAR + 1) * pitch])
        self.away = np.hypot(across, down).ravel()

    def step_of(self, places: Array) -> Array:
        """(N,) the number of the step at each place."""
        column, row = np.rint((places - self.low) / self.pitch).astype(np.int64).T
        found: Array = (row + FAR) * self.width + column + FAR
        return found

    def around(self, places: Array) -> Array:
        """(N, 2 * FAR + 1, 2 * FAR + 1) the steps around some places."""
        reach = np.arange(-FAR, FAR + 1)
        found: Array = self.step_of(places)[:, None, None] + reach[:, None] * self.width + reach
        return found

    def thrown(self, dim: Array, spots: Array, wide: float, asked: Array | None = None) -> Array:
        """(P,) true for `dim` points that lie where pieces have shadows which stand at these spots,
        and are so wide; all of them tell where that is, or those `asked`.
        """
        told = np.ones(len(spots), dtype=bool) if asked is None else asked
        if not told.any():
            return np.zeros(len(dim), dtype=bool)
        dark = np.bincount(self.steps[dim], minlength=self.size) > MOSTLY * self.many
        around = self.around(spots)
        apart = np.hypot(*(spots[:, None] - spots[told]).transpose(2, 0, 1))
        near = np.exp(-0.5 * (apart / max(NEAR * self.spread, 1.0)) ** 2)
        seen = near @ softened((self.many > 0)[around[told]])
        share = near @ softened(dark[around[told]])
        alike = (seen >= SHOWN) & (share > MOSTLY * seen) & (FEET * wide < self.away)
        shaded = np.zeros(self.size, dtype=bool)
        shaded[around.reshape(len(around), -1)[alike]] = True
        found: Array = shaded[self.steps] & dim
        return found


def softened(shown: Array) -> Array:
    """Such steps in one row; feet are not known to a step: each counts with those beside it."""
    every = [cv2.blur(own.astype(np.float32), (3, 3)).ravel() for own in shown]
    return np.array(every)
