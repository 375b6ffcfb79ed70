"""Fields one sees the face of beside a piece: what on them is as it was, and what is not."""

from __future__ import annotations

import numpy as np

from calibration.view import Array
from vision.colour import unopponent
from vision.lanes import middles
from vision.light import ROUGH, linear, split

VEIL = np.array([40.0, 30.0, 30.0], dtype=np.float32)  # opponent colours that a veil may add
LEAST_SHADE, MOST_SHADE = 0.75, 1.5  # of a field under such a veil
ADDED, TINTED_BY = 0.22, 0.24  # the light of the veil at most, and how far it may be from white
TINGED = 1.15  # how much lighter or darker a colour is made at most, for the light's own
MOST_OF_FIELD = 0.5  # that is not as it was: then it may be no piece that did it
ALL_OF_FIELD = 0.85  # then it can be no piece
HARDLY, SHADOWY = -13.5, -12.0  # log density of emptiness where it is not as it was; of a shadow
DEEPEST, FAINTEST = 0.4, 0.95  # the part of its grey level that a shadow leaves
UNTINTED, TINTED = 0.035, 0.13  # parts of its grey level by which a shadow's colour may be off


def as_they_lie(marks: Array, wanted: Array, fields: Array) -> Array:
    """The opponent colours `wanted`, on each field changed by what most of it shows: a veil of
    light, or paint that looks another way under another lamp, lies on all of a field alike.
    """
    if not len(fields):
        return wanted
    then = wanted.take(fields, axis=0)
    middle = middles(marks.take(fields, axis=0) - then)
    usual = middles(then)
    veil = (np.abs(middle) < VEIL).all(axis=1)
    veil |= veiled(unopponent(usual + middle), unopponent(usual))
    middle[~veil] = 0.0
    changed = wanted.copy()
    changed[fields] = then + middle[:, None]
    return changed


def veiled(now: Array, then: Array) -> Array:
    """(N,) true where BGR levels are those of `then` but for white light that came or went."""
    light = linear(then)
    shade, shine, tint = split(linear(now), light)
    even = (shade > LEAST_SHADE) & (shade < MOST_SHADE)
    found: Array = even & (np.abs(shine) < ADDED) & (tint < TINTED_BY)
    return found


def tinge(seen: Array, expected: Array, fields: Array) -> Array:
    """(3,) what BGR levels have to be multiplied with so that most fields look as `expected`: they
    show better than the wood in which colour of light the pieces on them stand.
    """
    own, wanted = (middles(levels.take(fields, axis=0)) + 1.0 for levels in (seen, expected))
    found: Array = np.clip(np.median(wanted / own, axis=0), 1 / TINGED, TINGED)
    return found.astype(np.float32)


def unevenness(marks: Array, wanted: Array, fields: Array, most: float) -> Array:
    """(P,) how far most of each field is from what is `wanted`, a part of its grey level; at most,
    and beside fields, what is said of the whole picture.
    """
    uneven = np.full(len(marks), most, dtype=np.float32)
    if len(fields):
        light = wanted[:, 0].take(fields)
        off = np.abs(marks[:, 0].take(fields) - light) / np.maximum(light, 1.0)
        own = ROUGH * middles(off[..., None])[:, 0]
        uneven[fields] = np.minimum(own, most)[:, None]
    return uneven


def without_whole(away: Array, fields: Array, most: float = MOST_OF_FIELD) -> Array:
    """(P,) such points without those of fields of which most is so: pieces leave more room."""
    odd = away.copy()
    if len(fields):
        odd[fields[away[fields].mean(axis=1) > most]] = False
    return odd


def shadows(marks: Array, wanted: Array, slack: Array, tinted: float = UNTINTED) -> Array:
    """(P,) true where opponent colours are those `wanted` in less light, which may be
    `tinted`: what is left where a lamp is hidden comes from another.
    """
    shade = (marks[:, 0] + 4.0) / (wanted[:, 0] + 4.0)
    tints = np.hypot(*(marks[:, 1:] - shade[:, None] * wanted[:, 1:]).T)
    play = tinted * wanted[:, 0] * shade + 5.0 + 0.5 * slack
    found: Array = (shade > DEEPEST) & (shade < FAINTEST) & (tints < play)
    return found


def hardly_empty(nothing: Array, marks: Array, wanted: Array, slack: Array) -> Array:
    """The log density of emptiness of points that are not as they were; a shadow may do that."""
    shaded = shadows(marks, wanted, slack)
    found: Array = np.where(shaded, SHADOWY, np.minimum(nothing, HARDLY))
    return found


def altered(marks: Array, wanted: Array, slack: Array, uneven: Array | float) -> Array:
    """(P,) true where opponent colours are not those `wanted`, on a face so `uneven`."""
    play = uneven * wanted[:, 0]
    step = np.abs(marks - wanted)
    tint = np.maximum(step[:, 1], step[:, 2])
    found: Array = (step[:, 0] > 4.0 * play + 3.0 + slack) | (tint > 3.0 * play + 4.0 + 0.5 * slack)
    return found
