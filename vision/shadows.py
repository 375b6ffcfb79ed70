"""The shadows that pieces throw on fields speak for no piece."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from calibration.view import Array
from vision.evidence import Evidence
from vision.explain import Explanation
from vision.looks import Kinds
from vision.outlook import Outlook

LEAST = 0.01  # the part of all fields that must be in shadow for it to matter
CHANGED = 0.25  # the part of a piece that may lie in shadow before it is looked for again


def without_shadows(
    outlook: Outlook, kinds: Kinds, evidence: Evidence, explained: Explanation
) -> Evidence:
    """What the points speak for when shadows speak for no piece; explains anew what they made."""
    changed = np.count_nonzero(evidence.dim & evidence.altered)
    if changed == 0 or changed < LEAST * np.count_nonzero(outlook.wide):
        return evidence
    shaded = outlook.grid.thrown(evidence.dim, *feet(kinds, explained))
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
