"""How alike the pattern of light at a place runs to the one expected there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.view import Array
from vision.batches import Batch
from vision.explain import Explanation

SHOWN = 12  # points of a place that must be seen to be recognised
LEAST_RELIEF = 4.0  # grey levels of pattern below which it tells nothing


@dataclass(frozen=True)
class Likeness:
    """Of some sites' points, row by row."""

    match: Array  # the correlation
    relief: Array  # how much pattern is expected
    seen: Array  # on how many points


def likeness(now: Array, then: Array, use: Array) -> Likeness:
    """Of two rows of grey levels, as far as they are of `use`."""
    seen = np.maximum(use.sum(axis=1), 1)
    a, b = now * use, then * use
    a = (a - (a.sum(axis=1) / seen)[:, None]) * use
    b = (b - (b.sum(axis=1) / seen)[:, None]) * use
    power = np.einsum("np,np->n", b, b)
    shared, own = np.einsum("np,np->n", a, b), np.einsum("np,np->n", a, a)
    match = shared / np.sqrt(own * power + 1e-6)
    return Likeness(match, np.sqrt(power / seen), seen)


def patterns(explained: Explanation, ready: Sequence[Batch], now: Array, then: Array) -> Likeness:
    """For every site, where no piece hides it: how alike the present and the expected colours run
    (in the best of lightness and the two opponent axes), how much relief they have, and on how
    many points. `now` and `then` are opponent colours (P, 3).
    """
    free = np.append(explained.bare & (explained.trust > 0.5), False)
    none = np.float32(0.0)
    match, relief, seen = (np.zeros(len(explained.sites)) for _ in range(3))
    for axis in range(3):
        one, other = (np.append(own[:, axis], none).astype(np.float32) for own in (now, then))
        for batch in ready:
            own = likeness(one[batch.points], other[batch.points], free[batch.points])
            told = np.where(own.relief > LEAST_RELIEF, own.match, 0.0)
            match[batch.numbers] = np.maximum(match[batch.numbers], told)
            relief[batch.numbers] = np.maximum(relief[batch.numbers], own.relief)
            seen[batch.numbers] = own.seen
    return Likeness(match, relief, seen)


def outlined(explained: Explanation, ready: Sequence[Batch], now: Array, inside: Array) -> Array:
    """For every site, where no piece hides it: how clearly the lightness `now` (P,) tells what is
    `inside` its hole from what is around, be it darker or lighter; 0 where that cannot be seen.
    """
    free = np.append(explained.bare, False)
    one, other = (np.append(own, False).astype(np.float32) for own in (now, inside))
    found = np.zeros(len(explained.sites))
    for batch in ready:
        own = likeness(one[batch.points], other[batch.points], free[batch.points])
        found[batch.numbers] = np.abs(own.match) * (own.seen >= SHOWN)
    return found
