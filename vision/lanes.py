"""Medians of many rows at once; of short ones by exchanges, which is quicker than sorting."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from calibration.view import Array

MOST = 8
# which of eight lanes to put in order, one pair after the other; fewer lanes are the first of them
EXCHANGES = ((0, 1), (2, 3), (4, 5), (6, 7), (0, 2), (1, 3), (4, 6), (5, 7), (1, 2), (5, 6),
             (0, 4), (1, 5), (2, 6), (3, 7), (2, 4), (3, 5), (1, 2), (3, 4), (5, 6))  # fmt: skip


def ordered(lanes: Sequence[Array]) -> list[Array]:
    """At most eight arrays of one shape: at each place what they hold there, from least to most."""
    order = list(lanes)
    if len(order) > MOST:
        raise ValueError(f"{len(order)} lanes, {MOST} at most")
    for one, other in EXCHANGES:
        if other < len(order):
            low, high = order[one], order[other]
            order[one], order[other] = np.minimum(low, high), np.maximum(low, high)
    return order


def middles(values: Array) -> Array:
    """(..., M) the medians of (..., N, M) over N: of two in the middle the greater one."""
    rows, half = np.ascontiguousarray(values.swapaxes(-1, -2)), values.shape[-2] // 2
    found: Array = np.partition(rows, half, axis=-1)[..., half]
    return found
