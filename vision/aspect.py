"""What a piece and its place show, dot by dot, and how that differs from other places."""

from __future__ import annotations

import numpy as np

from calibration.view import Array
from vision.dots import PLUS, Dots, Where
from vision.evidence import Evidence
from vision.explain import CLIP, Explanation

MARKS = 12  # what each dot tells by itself
BRIGHT, CHANGED, EMPTY = 8, 6, 2  # of these: what is compared with other holes' dots
COMPARED = (BRIGHT, CHANGED, EMPTY)
TELLS = 0.3  # the part of a dot that must be seen before it is compared


def marks_of(evidence: Evidence, relief: Array, guess: Array, nothing: Array) -> Array:
    """(P + 1, MARKS - 3) what every point tells whatever may stand there; the last is none."""
    step = evidence.marks - relief
    marks = np.zeros((len(relief) + 1, MARKS - 3), dtype=np.float32)
    own = marks[:-1]
    own[:, 0] = np.clip((nothing + 13.0) / 5.0, -1.0, 1.0)
    own[:, 1] = evidence.strange / 16.0
    own[:, 2], own[:, 3] = evidence.same, evidence.shine
    own[:, 4] = np.clip(step[:, 0] / 64.0, -2.0, 2.0)
    own[:, 5] = np.minimum(np.hypot(step[:, 1], step[:, 2]) / 24.0, 2.5)
    own[:, 6] = evidence.marks[:, 0] / 128.0
    own[:, 7] = relief[:, 0] / 128.0
    own[:, 8] = guess
    return marks


def look(
    dots: Dots,
    evidence: Evidence,
    relief: Array,
    guess: Array,
    usual: Array,
    explained: Explanation,
    where: Where,
) -> Array:
    """(pieces, DOTS, MARKS): how far a dot speaks for the piece and how usual it is for one, then
    `marks_of` it, then how much of it can be seen.
    """
    index = dots.points_of(where)
    sites = dots.sites.sites
    kind = np.array([standing.kind for _, standing in where])
    away = [sites[n].away[s.stance % len(sites[n].stances)] for n, s in where]
    nearer = np.append(explained.owner_away, -1.0).astype(np.float32)
    free = nearer[index] >= np.array(away, dtype=np.float32)[:, None, None] - 1e-3
    chances = np.vstack([explained.kinds, np.zeros((1, explained.kinds.shape[1]))])
    fits = chances.astype(np.float32)[index, kind[:, None, None]]
    bare = np.append(explained.background, 0.0).astype(np.float32)[index]
    unusual = fits - usual[kind].astype(np.float32)[:, None, None]
    many = free.sum(axis=2)
    seen = np.zeros((*index.shape[:2], MARKS), dtype=np.float32)
    part = (free / np.maximum(many, 1)[..., None]).astype(np.float32)
    seen[..., 0] = (np.clip(fits - bare, -CLIP, CLIP) / CLIP * part).sum(axis=2)
    seen[..., 1] = (np.clip(unusual / 5.0, -1.5, 1.0) * part).sum(axis=2)
    marks = marks_of(evidence, relief, guess, explained.background)
    seen[..., 2:-1] = np.einsum("nspm,nsp->nsm", marks[index], part)
    seen[..., -1] = many / len(PLUS)
    return seen


def beside_others(seen: Array, beside: Array) -> Array:
    """(holes, DOTS, 2 * COMPARED): how each dot differs from the same one of most holes of the
    board, and of those nearest to it.
    """
    told = seen[..., -1] > TELLS
    apart = []
    for mark in COMPARED:
        own = np.where(told, seen[..., mark], np.nan)
        many = 1.0 if mark == EMPTY else 2.0
        for usual in (median(own[None], 1)[0], median(own[beside], 1)):
            away = np.nan_to_num(many * (own - usual))
            apart.append(np.clip(away, -2.0, 2.0))
    return np.stack(apart, axis=-1).astype(np.float32)


def median(values: Array, axis: int) -> Array:
    """Of what is no nan; nan where there is nothing."""
    order = np.sort(values, axis=axis)  # nan comes last
    many = (~np.isnan(values)).sum(axis=axis, keepdims=True)
    low = np.take_along_axis(order, np.maximum((many - 1) // 2, 0), axis=axis)
    high = np.take_along_axis(order, np.minimum(many // 2, values.shape[axis] - 1), axis=axis)
    found: Array = np.where(many > 0, 0.5 * (low + high), np.nan)
    return found.squeeze(axis)
