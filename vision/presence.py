"""Whether a hole holds a piece, as one log odds of all that was weighed there."""

from __future__ import annotations

import numpy as np

from calibration.view import Array
from vision.evidence import Evidence
from vision.explain import CLIP, Explanation
from vision.likeness import likeness
from vision.outlook import Learned, Outlook

LEAST = 4.0  # points of a part below which it says nothing
TEN = 10.0  # points of one log odds each that count as one sign
FAR = 10.0  # what one sign may be at most
VERY = 0.8  # likeness from which hardly anything can have come between
SIGNS = ("mean", "total", "inner", "outer", "odd", "odd in shine", "alike", "fit", "shine",
         "same", "very alike")  # fmt: skip
# learned by logistic regression on drawn tables of the split that is for development
WEIGHTS = np.array([0.752, 0.276, 0.816, -0.027, 1.05, 0.077, 1.163, 0.183, -0.682, -2.344, -1.944])
START = 0.37
WEIGHTS_GUESSED = np.array(
    [0.526, 0.696, 0.586, 0.465, -0.47, -0.832, -1.755, 0.89, 2.976, -2.506, -3.632]
)
START_GUESSED = 2.036


def log_odds(seen: Array, guessed: Array) -> Array:
    """(sites,) for a piece and against emptiness, from signs; `guessed` (sites,): true where one
    does not know what the empty place looks like.
    """
    held = np.clip(seen, -FAR, FAR)
    known = held @ WEIGHTS + START
    odds: Array = np.where(guessed, held @ WEIGHTS_GUESSED + START_GUESSED, known)
    return odds


def presence(
    learned: Learned, outlook: Outlook, evidence: Evidence, explained: Explanation
) -> Array:
    """(sites,) the log odds for a piece in each hole."""
    return log_odds(signs(learned, outlook, evidence, explained), outlook.guessed)


def signs(learned: Learned, outlook: Outlook, evidence: Evidence, explained: Explanation) -> Array:
    """(sites, SIGNS) of the best piece at each hole, zeros where there is no hole.

    How it does against emptiness: over all its points, within the hole and beyond; how unlike its
    neighbours' the hole's inside is; how alike the pattern of light is to the empty look's; how
    usual the piece's colours are; how much shines, and how much is just as expected.
    """
    usual, points_of_all = learned.kinds.usual, len(outlook.flat)
    found = np.zeros((len(explained.sites), len(SIGNS)))
    free_of_all = np.append(explained.bare, False)
    trust = np.append(explained.trust, 0.0)
    kinds = np.vstack([explained.kinds, np.zeros((1, explained.kinds.shape[1]))])
    nothing = np.append(explained.background, 0.0)
    odd = np.append(evidence.strange, 0.0)
    within, shiny = np.append(outlook.inside, False), np.append(evidence.shine, False)
    unchanged = np.append(evidence.same, False)
    one, other = np.append(evidence.marks[:, 0], 0.0), np.append(outlook.relief[:, 0], 0.0)
    for batch in outlook.batches:
        numbers, points = batch.numbers, batch.points
        if explained.sites[numbers[0]].cell.shape != "hole":
            continue
        own = [explained.foremost(n) for n in numbers]
        rows = np.arange(len(numbers))
        kind = np.array([standing.kind for standing in own])
        stance = np.minimum([standing.stance for standing in own], batch.cover.shape[1] - 1)
        cover = batch.cover[rows, stance]
        claimed = np.array([bool(explained.found[n]) for n in numbers])
        free = free_of_all[points] | (claimed[:, None] & (cover > 0.5))
        weight = cover * free * trust[points]
        fits = kinds[points, kind[:, None]]
        odds = np.clip(fits - nothing[points], -CLIP, CLIP)
        hole = within[points] & free
        shine = mean(shiny[points], points < points_of_all)
        match = likeness(one[points], other[points], free).match
        oddness = mean(odd[points], hole)
        found[numbers] = np.column_stack(
            [
                mean(odds, weight),
                (odds * weight).sum(axis=1) / TEN,
                mean(odds, weight * within[points]),
                mean(odds, weight * ~within[points]),
                oddness * (1.0 - shine),
                oddness * shine,
                match,
                mean(fits, weight) - usual[kind],
                shine,
                mean(unchanged[points], weight),
                np.maximum(match - VERY, 0.0) / (1.0 - VERY),
            ]
        )
    return found


def mean(values: Array, weight: Array) -> Array:
    """Of each row; 0 where next to nothing counts."""
    whole = weight.sum(axis=1)
    sums = (values * weight).sum(axis=1)
    found: Array = np.where(whole >= LEAST, sums / np.maximum(whole, 1e-6), 0.0)
    return found
