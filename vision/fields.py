"""Fields one sees the face of beside a piece: what on them is as it was, and what is not."""

from __future__ import annotations

import numpy as np

from calibration.view import Array

VEIL = np.array([32.0, 20.0, 20.0], dtype=np.float32)  # opponent colours that a veil may add
MOST_OF_FIELD = 0.5  # that is not as it was: then it is no piece that did it
HARDLY, SHADOWY = -13.5, -12.0  # log density of emptiness where it is not as it was; of a shadow
DEEPEST = 0.4  # the part of its light that a shadow leaves at least


def as_they_lie(marks: Array, wanted: Array, fields: Array) -> Array:
    """The opponent colours `wanted`, on each field changed by what most of it shows: a veil of
    light, or paint that looks another way under another lamp, lies on all of a field alike.
    """
    if not len(fields):
        return wanted
    steps, half = (marks - wanted)[fields], fields.shape[1] // 2
    middle = np.partition(steps, half, axis=1)[:, half]
    middle[(np.abs(middle) > VEIL).any(axis=1)] = 0.0
    changed = wanted.copy()
    changed[fields] = wanted[fields] + middle[:, None]
    return changed


def without_whole(away: Array, fields: Array) -> Array:
    """(P,) such points without those of fields of which most is so: pieces leave more room."""
    odd = away.copy()
    if len(fields):
        odd[fields[away[fields].mean(axis=1) > MOST_OF_FIELD]] = False
    return odd


def hardly_empty(nothing: Array, marks: Array, wanted: Array, slack: Array) -> Array:
    """The log density of emptiness of points that are not as they were; a shadow may do that."""
    shade = (marks[:, 0] + 4.0) / (wanted[:, 0] + 4.0)
    tints = np.hypot(*(marks[:, 1:] - shade[:, None] * wanted[:, 1:]).T)
    play = 0.035 * wanted[:, 0] * shade + 5.0 + 0.5 * slack
    shadow = (shade > DEEPEST) & (shade < 1.0) & (tints < play)
    found: Array = np.where(shadow, SHADOWY, np.minimum(nothing, HARDLY))
    return found


def altered(marks: Array, wanted: Array, slack: Array, uneven: float) -> Array:
    """(P,) true where opponent colours are not those `wanted`, in a picture so `uneven`."""
    play = uneven * wanted[:, 0]
    step = np.abs(marks - wanted)
    tint = np.maximum(step[:, 1], step[:, 2])
    found: Array = (step[:, 0] > 4.0 * play + 3.0 + slack) | (tint > 3.0 * play + 4.0 + 0.5 * slack)
    return found
