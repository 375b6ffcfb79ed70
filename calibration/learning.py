"""From pictures of one table to all that reading it needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from calibration.table import Table
from calibration.view import Lens
from hardware.boards import Board

Setup = Mapping[str, str | Sequence[str]]


class CalibrationError(ValueError):
    """Pictures from which this table cannot be learned, with what to do about it."""


def learn(
    board: Board,
    empty: Sequence[np.ndarray] = (),
    pieces: np.ndarray | None = None,
    setup: Setup | None = None,
    lens: Lens | None = None,
    points: Mapping[str, tuple[float, float]] | None = None,
) -> Table:
    """Learn a table from BGR pictures: `empty` ones, one with known pieces, or that one alone.

    `setup` says which pieces (by name) stand on which cells in `pieces`; left out, all pawns wait
    in their camps. `points` places a board without markers: cell to pixel. Grades and advice are
    in the table. Raises `CalibrationError` where nothing can be learned.
    """
    raise CalibrationError("not built yet")
