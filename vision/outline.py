"""How something begins: things do so at once, shine little by little; seen pixel by pixel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.view import Array, View, sample
from vision.colour import least
from vision.light import Lattice, linear
from vision.relit import nearest

REACH, FINE = 27.0, 0.8  # millimetres that are seen across an outline, and from place to place
SIDE, GAP = 7, 3  # places on either side of a step, and between them
FEW = 4  # places of either side that are needed
WHITE = 0.9  # light from which a place is burnt out
TELLS, PART = 0.01, 0.4  # light that tells; the part of what a region has more of that tells
AT_ONCE = 0.55  # the part of it that is gained or lost in one step where a thing begins
NEAR = 13  # lattice points over which an outline is asked
MOSTLY = 0.5  # the part of them at which it begins at once

Added = Callable[[Array], Array]  # by places of the board: light that has come, in one way or two


@dataclass(frozen=True)
class Shown:
    """A board as a picture (BGR, blurred a little) shows it."""

    picture: Array
    view: View

    def light(self, ground: Array) -> Array:
        """At some places of the board."""
        return linear(sample(self.picture, self.view.project(ground)).astype(np.float32))


def added(now: Shown, then: Shown, gain: Array) -> Added:
    """How much more light there is than then in the least lighter colour, beyond the `gain` of all
    light; and the same with as much as can be where it is burnt out, for there one sees no more.
    """

    def more(ground: Array) -> Array:
        light, scale = now.light(ground), gain.astype(np.float32)
        come = least(light * scale - then.light(ground))
        return np.stack([come, np.where(least(light) > WHITE, np.float32(scale.min()), come)])

    return more


def crisp(here: Array, free: Array, place: Lattice, more: Added) -> Array:
    """(rows, columns) the part of a region that belongs to a thing: there it begins at once,
    and where that can be seen nowhere, all of it.
    """
    edge, ground = across(here, free, place)
    if not edge.any():
        return here
    inside = np.atleast_2d(more(place.points[(here & free).ravel()]))
    usual = np.median(np.abs(inside), axis=1)
    seen = free.ravel()[nearest(place, ground.reshape(-1, 2))].reshape(ground.shape[:2])
    ways = np.atleast_2d(more(ground.reshape(-1, 2))).reshape(-1, *seen.shape)
    every = [
        suddenly(seen, light, max(PART * float(most), TELLS))
        for light, most in zip(ways, usual, strict=True)
    ]
    steps, known = (np.all(part, axis=0) for part in zip(*every, strict=True))
    told, sudden = np.zeros((2, *here.shape), dtype=np.float32)
    told[edge], sudden[edge] = known, known & steps
    if not known.any():
        return here
    wide = (NEAR, NEAR)
    many = cv2.boxFilter(told, -1, wide, normalize=False, borderType=cv2.BORDER_CONSTANT)
    part = cv2.boxFilter(sudden, -1, wide, normalize=False, borderType=cv2.BORDER_CONSTANT)
    part = part / np.maximum(many, 1.0)
    # what lies inside is of what it lies nearest to
    _, labels = cv2.distanceTransformWithLabels(
        (told == 0).astype(np.uint8), cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL
    )
    of = np.zeros(int(labels.max()) + 1, dtype=bool)
    of[labels[told > 0]] = part[told > 0] > MOSTLY
    found: Array = here & of[labels]
    return found


def suddenly(free: Array, more: Array, least_rise: float) -> tuple[Array, Array]:
    """Of places of an outline, where most of the light that they gain or lose comes in one step;
    and where it can be told. Each is a row from inside to outside: what is `free`, how much `more`
    light there is.
    """
    seen, light = free.astype(np.float32), more.astype(np.float32)
    side = np.ones((1, SIDE), dtype=np.float32)
    told = cv2.filter2D(seen, -1, side, borderType=cv2.BORDER_CONSTANT)
    means = cv2.filter2D(seen * light, -1, side, borderType=cv2.BORDER_CONSTANT)
    means = means / np.maximum(told, 1.0)
    whole = told > SIDE - 1
    apart = SIDE + GAP
    half = seen.shape[1] // 2
    within = mean_of(means[:, :half], whole[:, :half])
    beyond = mean_of(means[:, half:], whole[:, half:])
    way = np.where(within > beyond, np.float32(1.0), np.float32(-1.0))
    both = whole[:, :-apart] & whole[:, apart:]
    step = np.where(both, way[:, None] * (means[:, :-apart] - means[:, apart:]), 0.0).max(axis=1)
    rise = np.where(whole, means, -np.inf).max(axis=1) - np.where(whole, means, np.inf).min(axis=1)
    known = both.any(axis=1) & (rise > least_rise) & np.isfinite(within) & np.isfinite(beyond)
    return step > AT_ONCE * rise, known


def mean_of(values: Array, told: Array) -> Array:
    """Of each row's told values; none where few are."""
    many = told.sum(axis=1)
    found: Array = np.where(many > FEW, (values * told).sum(axis=1) / np.maximum(many, 1), np.nan)
    return found


def across(here: Array, free: Array, place: Lattice) -> tuple[Array, Array]:
    """Which places (rows, columns) are a region's outline, but for where it goes along what is not
    `free`; and (places, steps, 2) where one goes from inside to outside there.
    """
    outside = (free & ~here).astype(np.uint8)
    edge = here & (cv2.dilate(outside, np.ones((3, 3), np.uint8)) > 0)
    slope = cv2.GaussianBlur(here.astype(np.float32), (0, 0), 2.0)
    out = -np.stack([cv2.Sobel(slope, -1, 1, 0), cv2.Sobel(slope, -1, 0, 1)], axis=-1)[edge]
    out = out / np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-6)
    way = np.arange(-REACH, REACH, FINE)
    middles = place.points[edge.ravel()]
    return edge, middles[:, None] + way[:, None] * out[:, None]
