"""The colour cast of the pieces: light falls on them from another side than on the board's face."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from calibration.view import Array
from vision.colour import likelihoods, opponent, unopponent
from vision.evidence import Evidence
from vision.explain import Explanation
from vision.lanes import middles
from vision.light import levels, linear
from vision.looks import Kinds

CLEAR = 1.0  # mean log odds of pieces that are asked
INNER = 0.6  # the part of a point that a piece covers, for it to be asked
FEWEST, ASKED = 8, 40  # points a piece needs, and points that are asked of each
PIECES = 4  # that are needed at least
HALFWAY = 8  # of so many half of what they say is believed
TELLING, MOST = 0.3, 1.2  # logarithms of light from which that matters, and up to which it goes
NOTHING = 0.004  # light that even black sends back


def cast(kinds: Kinds, evidence: Evidence, explained: Explanation) -> Array | None:
    """(3,) what the light of the pieces found has to be multiplied with so that most of them look
    as they were learned, blue, green, red; None where they do, or where few are found.
    """
    asked, theirs = [], []
    for site, found in zip(explained.sites, explained.found, strict=True):
        if len(found) != 1 or kinds.flat[found[0].kind] or found[0].mean < CLEAR:
            continue
        points = site.points[site.cover[found[0].stance] > INNER]
        points = points[~(evidence.shine | evidence.burnt)[points]]
        if len(points) >= FEWEST:
            asked.append(points[np.linspace(0, len(points) - 1, ASKED).astype(np.int64)])
            theirs.append(found[0].kind)
    if len(asked) < PIECES:
        return None
    light = linear(unopponent(evidence.marks[np.concatenate(asked)])).reshape(-1, ASKED, 3)
    off = np.log((middles(light) + NOTHING) / (kinds.light[theirs] + NOTHING))
    off = np.median(off, axis=0) * len(asked) / (len(asked) + HALFWAY)
    if np.abs(off).max() < TELLING:
        return None
    light_of_most: Array = np.exp(-np.clip(off, -MOST, MOST))
    return light_of_most


def without_cast(kinds: Kinds, evidence: Evidence, light: Array) -> Evidence:
    """What the points speak for when the light of all of them is multiplied so."""
    paint = levels(linear(unopponent(evidence.marks)) * light.astype(np.float32))
    chances, nothing, same = evidence.chances.copy(), evidence.nothing.copy(), evidence.same
    chances[:, : kinds.tables.shape[1]] = likelihoods(kinds.tables, opponent(paint))
    nothing[same] = np.maximum(nothing[same], chances[same].max(axis=1))
    return replace(evidence, chances=chances, nothing=nothing)
