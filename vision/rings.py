"""What a pawn leaves of a disc: the points around it that have one kind's colour and no other."""

from __future__ import annotations

import numpy as np

from calibration.view import Array
from vision.discs import Present, squares
from vision.light import GAMMA, levels

STEP = 1.05  # millimetres between points
SHOWS = 0.6  # the share of disc a point shows at least
LIT = (0.3, 0.42, 0.55, 0.7, 0.85, 1.0, 1.12)  # in a pawn's shadow and out of it
BLENDED = 0.5  # at the disc's edge so much of the wood may be mixed in
GREYS = np.array([0.8, 0.25, 0.08])  # linear light of what has no colour, as a pawn has none
HALF = 0.5  # of the least gap between kinds: from here on a point is of neither colour
LEAST = 12.0  # grey levels


def rings(now: Present, seen: Array) -> Array:
    """For each of some tiles' points (cells, points, 3), BGR levels, how many square millimetres
    only one kind explains: (cells, kinds).
    """
    kinds = len(now.discs)
    light = np.array(LIT, dtype=np.float32)[:, None]
    blended = (1 - BLENDED) * now.discs + BLENDED * now.wood
    looks = np.concatenate(
        [now.discs, blended, [now.wood], np.repeat(GREYS[:, None], 3, axis=1)]
    ).astype(np.float32)
    clear = np.ones(len(looks), dtype=np.float32)  # how far apart they are, against the discs
    clear[kinds : 2 * kinds] = 1 - 0.5 * BLENDED
    clear[2 * kinds + 1 :] = (GREYS / GREYS[0]) ** (1 / GAMMA)
    wide = np.maximum(LEAST, HALF * least_gap(now) * light ** (1 / GAMMA) * clear)
    targets = levels(light[..., None] * looks)  # (lights, looks, 3)
    flat = seen.reshape(-1, 3).astype(np.float32)
    # how far from each look under each light, squared, in what is let pass: a parabola of levels
    away = np.concatenate([-2 * targets, np.ones_like(wide)[..., None]], axis=2)
    away = (away / (wide * wide)[..., None]).astype(np.float32)
    own = np.column_stack([flat, squares(flat)])
    near = np.matmul(away, own.T)  # (lights, looks, points)
    near += (squares(targets) / (wide * wide))[..., None].astype(np.float32)
    speaks = 1.0 - np.minimum(near.min(axis=0), 1.0)
    own = np.maximum(speaks[:kinds], speaks[kinds : 2 * kinds])
    first, points = own.argmax(axis=0), np.arange(len(flat))
    highest = own[first, points]
    own[first, points] = 0.0
    rival = np.maximum(own.max(axis=0), speaks[2 * kinds :].max(axis=0))
    told = np.maximum(highest - rival, 0.0).reshape(seen.shape[:2])
    kind = first.reshape(seen.shape[:2])
    area = np.stack([(told * (kind == k)).sum(axis=1) for k in range(kinds)], axis=1)
    whole: Array = area * STEP**2
    return whole


def least_gap(now: Present) -> float:
    """Grey levels between the two kinds of disc that are most alike."""
    full = levels(now.discs.astype(np.float32))
    gaps = np.linalg.norm(full[:, None] - full[None], axis=2)[~np.eye(len(full), dtype=bool)]
    return float(gaps.min()) if len(gaps) else LEAST / HALF
