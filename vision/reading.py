"""One picture of a calibrated table to one reading: what stands where, how sure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from calibration.table import Table


class PictureError(ValueError):
    """A picture that cannot be read on this table, with what to do about it."""


@dataclass(frozen=True)
class Seen:
    """One piece on one cell."""

    cell: str
    name: str
    confidence: float


@dataclass(frozen=True)
class Reading:
    """What one picture shows; a cell neither in `pieces` nor in `unsure` is claimed empty."""

    pieces: tuple[Seen, ...]
    unsure: tuple[str, ...]
    blocked: bool
    warnings: tuple[str, ...]
    ms: float
    steps: tuple[tuple[str, int], ...] = ()  # each step's name and nanoseconds


class Reader:
    """Reads pictures of one table."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def read(
        self, image: np.ndarray, lights: Mapping[str, tuple[int, int, int]] | None = None
    ) -> Reading:
        """Read a BGR picture of the size the table was learned in.

        `lights`: the colours the LEDs under the cells are known to show, if anybody knows. Raises
        `PictureError` for a picture that cannot be of this table.
        """
        raise PictureError("not built yet")
