"""A grid of steps over the board, in which one looks at what lies beside pieces."""

from __future__ import annotations

import numpy as np

from calibration.view import Array

PITCH, FAR = 4.0, 18  # millimetres of one step, steps from a foot that are looked at
ACROSS, DOWN = np.meshgrid(*2 * [np.arange(-FAR, FAR + 1) * PITCH])
AWAY = np.hypot(ACROSS, DOWN).ravel()  # millimetres from a foot to each step around it


class Grid:
    """The steps that points at some places of the `ground` are in; made once for a view."""

    def __init__(self, ground: Array, fields: Array) -> None:
        """`fields` (P,): true for points of fields."""
        self.low = ground.min(axis=0)
        columns, rows = (np.ceil((ground.max(axis=0) - self.low) / PITCH).astype(int) + 1).tolist()
        self.width, self.size = columns + 2 * FAR, (rows + 2 * FAR) * (columns + 2 * FAR)
        self.steps = self.step_of(ground)
        self.spread = float(ground.std(axis=0).max())  # how far the points lie from each other
        self.many = np.bincount(self.steps[fields], minlength=self.size)  # points of fields

    def step_of(self, places: Array) -> Array:
        """(N,) the number of the step at each place."""
        column, row = np.rint((places - self.low) / PITCH).astype(np.int64).T
        found: Array = (row + FAR) * self.width + column + FAR
        return found

    def around(self, places: Array) -> Array:
        """(N, 2 * FAR + 1, 2 * FAR + 1) the steps around some places."""
        reach = np.arange(-FAR, FAR + 1)
        found: Array = self.step_of(places)[:, None, None] + reach[:, None] * self.width + reach
        return found
