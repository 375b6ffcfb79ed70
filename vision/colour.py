"""Colours as densities: lightness and two opponent axes, learned looks as tables of likelihood."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import cv2
import numpy as np

from calibration.view import Array

BIN = 8.0
SHAPE = (32, 64, 64)  # lightness, red against green, yellow against blue
FLOOR = -17.0  # log density of a pixel that fits nothing
OUTLIER = -15.0  # the same of any pixel whatever is there: scratches, specks, edges
GAMMA = 2.2
DARK = 12.0  # grey levels below which a colour tells nothing
SHADES = ((0.5, 0.4), (0.65, 0.8), (0.8, 1.0), (0.92, 1.2), (1.0, 1.4), (1.1, 1.0), (1.25, 0.6))
SHADOW = 0.09
SHINE = ((0.25, 0.12), (0.5, 0.05))  # how far towards white, how often
# how many times as much light there may have been as the most that a sensor tells
BEYOND = (1.0, 1.3, 1.7)
# light that varnish throws back whatever its colour, and how often: much beside black alone
GLOSS = ((0.008, 0.8), (0.02, 0.6), (0.04, 0.4), (0.08, 0.3), (0.14, 0.15))


def least(colours: Array) -> Array:
    """The least part of each colour (N, 3)."""
    # column by column: reducing rows of three takes ten times as long
    found: Array = np.minimum(np.minimum(colours[:, 0], colours[:, 1]), colours[:, 2])
    return found


def most(colours: Array) -> Array:
    """The greatest part of each colour (N, 3)."""
    found: Array = np.maximum(np.maximum(colours[:, 0], colours[:, 1]), colours[:, 2])
    return found


def total(colours: Array) -> Array:
    """The parts of each colour (N, 3) together."""
    found: Array = colours[:, 0] + colours[:, 1] + colours[:, 2]
    return found


def opponent(bgr: Array) -> Array:
    """(N, 3) blue, green, red to lightness, red-green, yellow-blue; floats, same scale."""
    b, g, r = bgr[:, 0], bgr[:, 1], bgr[:, 2]
    return np.stack([(b + g + r) / 3.0, r - g, (r + g) / 2.0 - b], axis=1)


def unopponent(colours: Array) -> Array:
    """(N, 3) such colours back to blue, green, red."""
    light, red_green, yellow_blue = colours[:, 0], colours[:, 1], colours[:, 2]
    yellow = (3.0 * light + yellow_blue) / 1.5  # red and green together
    blue = yellow / 2.0 - yellow_blue
    return np.stack([blue, (yellow - red_green) / 2.0, (yellow + red_green) / 2.0], axis=1)


def bins(colours: Array) -> Array:
    """The flat index of each opponent colour in a table of SHAPE."""
    light = np.clip(colours[:, 0] / BIN, 0, SHAPE[0] - 1).astype(np.int32)
    red = np.clip(colours[:, 1] / BIN + SHAPE[1] / 2, 0, SHAPE[1] - 1).astype(np.int32)
    yellow = np.clip(colours[:, 2] / BIN + SHAPE[2] / 2, 0, SHAPE[2] - 1).astype(np.int32)
    return (light * SHAPE[1] + red) * SHAPE[2] + yellow


def smooth(counts: Array, sigma: float) -> Array:
    """A Gaussian over the three axes."""
    flat = counts.reshape(SHAPE[0], -1)
    flat = cv2.GaussianBlur(flat, (1, 0), sigmaX=1e-3, sigmaY=sigma) if sigma else flat
    planes = flat.reshape(SHAPE)
    return np.stack([cv2.GaussianBlur(plane, (0, 0), sigma) for plane in planes])


def density(samples: Array, spread: float = 1.0, shades: bool = True) -> Array:
    """Log density over the colour table of BGR samples, lit more and less and with some shine."""
    colours = np.asarray(samples, dtype=np.float32).reshape(-1, 3)
    counts = np.zeros(int(np.prod(SHAPE)), dtype=np.float64)
    for shade, weight in SHADES if shades else ((1.0, 1.0),):
        shaded = np.minimum(colours * shade, 255.0)
        counts += weight * np.bincount(bins(opponent(shaded)), minlength=len(counts))
        for white, share in SHINE if shades and shade == 1.0 else ():
            shiny = colours + white * (255.0 - colours)
            counts += share * weight * np.bincount(bins(opponent(shiny)), minlength=len(counts))
    for light, share in GLOSS if shades else ():
        glossy = 255.0 * ((colours / 255.0) ** GAMMA + light) ** (1.0 / GAMMA)
        glossy = np.minimum(glossy, 255.0)
        counts += share * np.bincount(bins(opponent(glossy)), minlength=len(counts))
    wide = smooth(counts.reshape(SHAPE).astype(np.float32), spread)
    wider = smooth(wide, 2.5 * spread)
    mixed = 0.75 * wide / max(float(wide.sum()), 1e-12) + 0.25 * wider / max(
        float(wider.sum()), 1e-12
    )
    table: Array = np.log(mixed / BIN**3 + np.exp(FLOOR)).astype(np.float32).ravel()
    return table


def nominal(srgb: Sequence[int], white: Array) -> Array:
    """BGR samples of a nominal colour where white paper looks like `white` (BGR)."""
    base = np.array(srgb[::-1], dtype=float) / 255.0 * np.asarray(white, dtype=float)
    shades = np.linspace(0.45, 1.1, 14)
    tinted = [base * s + mix * 0.08 * np.asarray(white) for s in shades for mix in (0.0, 1.0)]
    clipped: Array = np.clip(np.array(tinted), 0, 255)
    return clipped


def likelihoods(tables: Array, colours: Array) -> Array:
    """Log density of opponent colours (N, 3) under each of K tables: (N, K)."""
    return np.take(tables, bins(colours), axis=0)


def likelihoods_full(tables: Array, bgr: Array, full: Array) -> Array:
    """Log density of colours (N, 3) under each of K tables: (N, K); where a channel is `full` (N,
    3) the sensor tells no more than that there is at least so much of it.
    """
    found = likelihoods(tables, opponent(bgr))
    rows = np.flatnonzero(full[:, 0] | full[:, 1] | full[:, 2])
    if not len(rows):
        return found
    own, filled = bgr[rows], full[rows]
    each = [
        likelihoods(tables, opponent(np.where(filled, own * np.float32(more ** (1 / GAMMA)), own)))
        for more in BEYOND
    ]
    found[rows] = reduce(np.logaddexp, each) - np.float32(np.log(len(BEYOND)))
    return found


def against(colours: Array, expected: Array, slack: Array, ease: Array | float = 1.0) -> Array:
    """Log density of opponent colours where an `expected` one is foreseen, in more or less light.

    `slack` (N,): how much the expected colour changes around its place; `ease`: how much of the
    usual play is given to light and colour.
    """
    light, wanted = colours[:, 0], expected[:, 0]
    ratio = np.clip((light + 4.0) / (wanted + 4.0), 0.4, 1.5)
    wide = ease * (0.16 * wanted + 5.0) + slack
    narrow = ease * tint_play(wanted) + 0.5 * slack
    away = light - wanted
    # a shadow takes away more than a change of light brings
    off = (away / (wide + np.where(away < 0, ease * SHADOW * wanted, 0.0))) ** 2
    tint = (colours[:, 1] - ratio * expected[:, 1]) ** 2
    tint += (colours[:, 2] - ratio * expected[:, 2]) ** 2
    squared = narrow * narrow
    fits = -0.5 * (off + tint / squared) - np.log(wide * squared) - 2.757
    floored: Array = np.maximum(fits, FLOOR)
    return floored


def tint_play(light: Array) -> Array:
    """How far the tint of what is so light may be from what is foreseen, as a sigma."""
    found: Array = 0.035 * light + 5.0
    return found


def unchanged(colours: Array, expected: Array) -> Array:
    """(N,) true where opponent colours are just those expected: so speaks for no piece."""
    light = 0.06 * expected[:, 0] + 4.0
    tint = 0.04 * expected[:, 0] + 4.0
    step = np.abs(colours - expected)
    same: Array = (step[:, 0] < light) & (np.maximum(step[:, 1], step[:, 2]) < tint)
    return same


def tint(marks: Array) -> Array:
    """(N, 2) of opponent colours: red-green and yellow-blue as parts of the lightness."""
    told: Array = marks[:, 1:] / (marks[:, :1] + DARK)
    return told
