"""The shadows that pieces throw on fields: alike under the same lamps, so most of them tell all."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from calibration.view import Array
from vision.evidence import Evidence, tell
from vision.explain import Explanation
from vision.looks import Kinds
from vision.outlook import Outlook

LEAST = 0.01  # the part of all fields that must be in shadow for it to matter
PITCH, FAR = 4.0, 18  # millimetres of one step of a grid, steps from a foot that are looked at
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
    ground = outlook.sites.ground
    shaded = thrown(ground, outlook.wide, evidence.dim, *feet(kinds, explained))
    if not shaded.any():
        return evidence
    nothing = evidence.nothing.copy()
    nothing[shaded] = np.maximum(nothing[shaded], evidence.chances[shaded].max(axis=1))
    same, altered = evidence.same | shaded, evidence.altered & ~shaded
    told = tell(outlook, evidence.marks, nothing, evidence.strange, same, evidence.shine, altered)
    explained.lessen(shaded, nothing, CHANGED)
    return replace(evidence, nothing=nothing, same=same, altered=altered, told=told)


def feet(kinds: Kinds, explained: Explanation) -> tuple[Array, float]:
    """Where pieces stand, and how wide the widest of them is."""
    spots, wide = [], 0.0
    for site, found in zip(explained.sites, explained.found, strict=True):
        for standing in found:
            if not kinds.flat[standing.kind]:
                spots.append(site.spots[standing.stance % len(site.stances)])
                wide = max(wide, float(kinds.diameters[standing.kind]))
    return np.array(spots).reshape(-1, 2), wide


def thrown(ground: Array, fields: Array, dim: Array, spots: Array, wide: float) -> Array:
    """(P,) true for dim points of fields that lie where pieces have shadows which stand at these
    spots, and are so wide.
    """
    low = ground.min(axis=0)
    columns, rows = (np.ceil((ground.max(axis=0) - low) / PITCH).astype(int) + 1).tolist()
    shape = (rows + 2 * FAR, columns + 2 * FAR)

    def step_of(places: Array) -> Array:
        column, row = np.rint((places - low) / PITCH).astype(np.int64).T
        found: Array = (row + FAR) * shape[1] + column + FAR
        return found

    steps = step_of(ground)
    size = shape[0] * shape[1]
    many = np.bincount(steps[fields], minlength=size)
    dark = np.bincount(steps[fields & dim], minlength=size) > MOSTLY * many
    around = beside(step_of(spots), shape[1])
    apart = np.hypot(*(spots[:, None] - spots).transpose(2, 0, 1))
    near = np.exp(-0.5 * (apart / np.maximum(NEAR * ground.std(axis=0).max(), 1.0)) ** 2)
    seen = near @ softened((many > 0)[around])
    share = near @ softened((dark & (many > 0))[around])
    across, down = np.meshgrid(*2 * [np.arange(-FAR, FAR + 1) * PITCH])
    beyond = (np.hypot(across, down) > FEET * wide).ravel()
    alike = (seen >= SHOWN) & (share > MOSTLY * seen) & beyond
    shaded = np.zeros(size, dtype=bool)
    shaded[around.reshape(len(around), -1)[alike]] = True
    found: Array = shaded[steps] & dim & fields
    return found


def beside(steps: Array, width: int) -> Array:
    """(N, 2 * FAR + 1, 2 * FAR + 1) the steps around some of a grid."""
    reach = np.arange(-FAR, FAR + 1)
    around: Array = steps[:, None, None] + reach[:, None] * width + reach
    return around


def softened(shown: Array) -> Array:
    """Such steps in one row; feet are not known to a step: each counts with those beside it."""
    every = cv2.blur(np.ascontiguousarray(shown.transpose(1, 2, 0), dtype=np.float32), (3, 3))
    soft: Array = every.reshape(-1, len(shown)).T
    return soft
