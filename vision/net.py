"""A small net that tells how likely something stands there, from what its dots and signs show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from calibration.view import Array

GENTLE = 0.05  # what passes of a sum below zero


@dataclass(frozen=True)
class Net:
    """Three layers: each dot by itself, all dots together, and once more."""

    dot: Array  # (DOTS, marks, told)
    dot_start: Array  # (DOTS, told)
    layers: tuple[tuple[Array, Array], ...]

    def odds(self, seen: Array, signs: Array) -> Array:
        """(pieces,) log odds from (pieces, DOTS, marks) and (pieces, signs)."""
        each = np.matmul(seen.transpose(1, 0, 2), self.dot) + self.dot_start[:, None]
        each = gently(each).transpose(1, 0, 2).reshape(len(seen), -1)
        sums = np.concatenate([each, signs], axis=1)
        for weights, start in self.layers[:-1]:
            sums = gently(sums @ weights + start)
        weights, start = self.layers[-1]
        odds: Array = (sums @ weights + start)[:, 0]
        return odds


def gently(sums: Array) -> Array:
    found: Array = np.maximum(sums, GENTLE * sums)
    return found


def net_of(parts: Mapping[str, Array]) -> Net:
    layers = tuple((parts[f"weights{n}"], parts[f"start{n}"]) for n in (1, 2, 3))
    return Net(parts["dot"], parts["dot_start"], layers)


def read_net(name: str) -> Net:
    """As it was learned from drawn tables of the split that is for development."""
    return read(Path(__file__).parent / name)


def read(path: Path) -> Net:
    with np.load(path, allow_pickle=False) as stored:
        return net_of({part: stored[part].astype(np.float32) for part in stored.files})
