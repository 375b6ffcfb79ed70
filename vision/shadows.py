"""The shadows that pieces throw on fields: alike under the same lamps, so most of them tell all."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from calibration.view import Array
from vision.evidence import Evidence
from vision.explain import Explanation
from vision.grid import AWAY, Grid
from vision.looks import Kinds
from vision.outlook import Outlook

LEAST = 0.01  # the part of all fields that must be in shadow for it to matter
MOSTLY = 0.5  # the part of a step, and of the pieces, that must show a shadow
SHOWN = 2.5  # pieces of which a place beside them is seen, for that place to be told
FEET = 0.5  # the part of a piece's width within which it stands itself
NEAR = 1.0  # how far from each other, against the spread of the fields, pieces have like shadows
CHANGED = 0.25  # the part of a piece that may lie in shadow before it is looked for again


def without_shadows(
    outlook: Outlook, kinds: Kinds, evidence: Evidence, explained: Explanation
) -> Evidence:
    """What the points speak for when shadows speak for no piece; explains anew what they made."""
    changed = np.count_nonzero(evidence.dim & evidence.altered)
    if changed == 0 or changed < LEAST * np.count_nonzero(outlook.wide):
        return evidence
    shaded = thrown(outlook.grid, evidence.dim, *feet(kinds, explained))
    if not shaded.any():
        return evidence
    nothing = evidence.nothing.copy()
    nothing[shaded] = np.maximum(nothing[shaded], evidence.chances[shaded].max(axis=1))
    same, altered = evidence.same | shaded, evidence.altered & ~shaded
    unlike = evidence.unlike & ~shaded
    explained.lessen(shaded, nothing, CHANGED)
    return replace(evidence, nothing=nothing, same=same, altered=altered, unlike=unlike)


def feet(kinds: Kinds, explained: Explanation) -> tuple[Array, float]:
    """Where pieces stand, and how wide the widest of them is."""
    spots, wide = [], 0.0
    for site, found in zip(explained.sites, explained.found, strict=True):
        for standing in found:
            if not kinds.flat[standing.kind]:
                spots.append(site.spots[standing.stance % len(site.stances)])
                wide = max(wide, float(kinds.diameters[standing.kind]))
    return np.array(spots).reshape(-1, 2), wide


def thrown(grid: Grid, dim: Array, spots: Array, wide: float) -> Array:
    """(P,) true for `dim` points that lie where pieces have shadows which stand at these spots, and
    are so wide.
    """
    dark = np.bincount(grid.steps[dim], minlength=grid.size) > MOSTLY * grid.many
    around = grid.around(spots)
    apart = np.hypot(*(spots[:, None] - spots).transpose(2, 0, 1))
    near = np.exp(-0.5 * (apart / max(NEAR * grid.spread, 1.0)) ** 2)
    seen = near @ softened((grid.many > 0)[around])
    share = near @ softened(dark[around])
    alike = (seen >= SHOWN) & (share > MOSTLY * seen) & (FEET * wide < AWAY)
    shaded = np.zeros(grid.size, dtype=bool)
    shaded[around.reshape(len(around), -1)[alike]] = True
    found: Array = shaded[grid.steps] & dim
    return found


def softened(shown: Array) -> Array:
    """Such steps in one row; feet are not known to a step: each counts with those beside it."""
    every = cv2.blur(np.ascontiguousarray(shown.transpose(1, 2, 0), dtype=np.float32), (3, 3))
    soft: Array = every.reshape(-1, len(shown)).T
    return soft
