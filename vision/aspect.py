"""What a piece and its place show, dot by dot, and how that differs from other places."""

from __future__ import annotations

import numpy as np

from calibration.view import Array
from vision.dots import PLUS, Dots, Where
from vision.evidence import Evidence
from vision.explain import CLIP, Explanation
from vision.lanes import ordered

MARKS = 12  # what each dot tells by itself
MARKS_ON_TILES, MARKS_ON_FIELDS = 13, 15  # the same on squares, of which one knows more
BRIGHT, CHANGED, EMPTY = 8, 6, 2  # of these: what is compared with other holes' dots
COMPARED = (BRIGHT, CHANGED, EMPTY)
TELLS = 0.3  # the part of a dot that must be seen before it is compared


def look(
    dots: Dots,
    evidence: Evidence,
    usual: Array,
    explained: Explanation,
    where: Where,
    many_marks: int = MARKS,
) -> Array:
    """(pieces, DOTS, marks): how far a dot speaks for the piece and how usual it is for one, then
    what it `told`, as many marks as are asked for, then how much of it can be seen.
    """
    index = dots.points_of(where)
    sites = dots.sites.sites
    kind = np.array([standing.kind for _, standing in where])
    away = [sites[n].away[s.stance % len(sites[n].stances)] for n, s in where]
    nearer = np.append(explained.owner_away, -1.0).astype(np.float32)
    free = nearer.take(index) >= np.array(away, dtype=np.float32)[:, None, None] - 1e-3
    many = free.sum(axis=2)
    part = (free / np.maximum(many, 1)[..., None]).astype(np.float32)
    kinds = evidence.every.shape[1]
    fits = evidence.every.ravel().take(index * kinds + kind[:, None, None])
    bare = np.append(evidence.nothing, np.float32(0.0)).take(index)
    unusual = fits - usual[kind].astype(np.float32)[:, None, None]
    seen = np.zeros((*index.shape[:2], many_marks), dtype=np.float32)
    seen[..., 0] = (np.clip(fits - bare, -CLIP, CLIP) / CLIP * part).sum(axis=2)
    seen[..., 1] = (np.clip(unusual / 5.0, -1.5, 1.0) * part).sum(axis=2)
    told = np.einsum("pdn,pdnm->pdm", part, evidence.told.take(index, axis=0))
    seen[..., 2:-1] = told[..., : many_marks - 3]
    seen[..., -1] = many / len(PLUS)
    return seen


def compared(seen: Array, mark: int) -> Array:
    """(rows, DOTS) a mark of every dot, infinite where it cannot be seen."""
    found: Array = np.where(seen[..., -1] > TELLS, seen[..., mark], np.inf)
    return found


def of_most(seen: Array) -> Array:
    """(COMPARED, DOTS) what each dot tells of most holes of the board."""
    return np.stack([median(np.sort(compared(seen, mark), axis=0)) for mark in COMPARED])


def beside_others(seen: Array, most: Array, beside: Array, rows: Array) -> Array:
    """(rows, DOTS, 2 * COMPARED): how each dot of some holes differs from the same one of most
    holes of the board, and of those nearest to it.
    """
    apart = []
    for mark, everywhere in zip(COMPARED, most, strict=True):
        every = compared(seen, mark)
        many = 1.0 if mark == EMPTY else 2.0
        own = every[rows]
        near = np.stack(ordered([every[hole] for hole in beside[rows].T]))
        for usual in (everywhere, median(near)):
            with np.errstate(invalid="ignore"):
                away = np.where(np.isfinite(own) & np.isfinite(usual), many * (own - usual), 0.0)
            apart.append(np.clip(away, -2.0, 2.0))
    return np.stack(apart, axis=-1).astype(np.float32)


def median(order: Array) -> Array:
    """Along the first axis of what is in order, without what is infinite; or infinite itself."""
    many = np.isfinite(order).sum(axis=0)
    low, high = np.maximum((many - 1) // 2, 0), np.minimum(many // 2, len(order) - 1)
    ends = [np.take_along_axis(order, end[None], axis=0)[0] for end in (low, high)]
    found: Array = 0.5 * (ends[0] + ends[1])
    return found
