"""Fields one sees the face of beside a piece: what on them is as it was, and what is not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from calibration.view import Array
from hardware.boards import Cell
from vision.colour import tint, tint_play, unopponent
from vision.lanes import middles
from vision.light import ROUGH, linear, split
from vision.relit import even

VEIL = np.array([40.0, 30.0, 30.0], dtype=np.float32)  # opponent colours that a veil may add
LEAST_SHADE, MOST_SHADE = 0.75, 1.5  # of a field under such a veil
ADDED, TINTED_BY = 0.22, 0.24  # the light of the veil at most, and how far it may be from white
TINGED = 1.15  # how much lighter or darker a colour is made at most, for the light's own
MOST_OF_FIELD = 0.5  # that is not as it was: then it may be no piece that did it
ALL_OF_FIELD = 0.85  # then it can be no piece
HARDLY, SHADOWY = -13.5, -12.0  # log density of emptiness where it is not as it was; of a shadow
DEEPEST, FAINTEST = 0.4, 0.95  # the part of its grey level that a shadow leaves
OUTER = 0.55  # of half a field's width, from which it is its border
BORDER = 0.5  # the part of three quarters of a field's border that must be as the face it has now
LEAST_LIGHT, MOST_LIGHT = 0.45, 1.8  # of what the face had
USUAL, FACE = 0.75, 0.5  # part of a field from which it is as it was, or has one look now
PLAINER = 0.1  # the part more that must look so if its grain is thought to be gone
NEAR, ONE_HUE = 0.15, 0.94  # how near tints are in another light; cosine of an angle between hues
NOISIEST = 2.0  # times the usual play of tints
SAME_LIGHT, SAME_TINT, PLAY = 0.12, 0.08, 6.0  # within which a face is the same
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


class Borders(NamedTuple):
    """Where the borders of fields are, of which pieces leave most."""

    quarters: Array  # (fields, N) which quarter of it each point of a field belongs to, or -1
    rows: Array  # (fields, M) the points of each that belong to any

    def middles(self, values: Array) -> Array:
        """(fields, 1, M) what most of each border shows, of what its field does (fields, N, M)."""
        own: Array = middles(np.take_along_axis(values, self.rows[..., None], axis=1))[:, None]
        return own

    def of(self, chosen: Array) -> Borders:
        return Borders(self.quarters[chosen], self.rows[chosen])


def borders_of(cells: Sequence[Cell], ground: Array, fields: Array, numbers: Array) -> Borders:
    """Of fields (fields, N points), the cells with these numbers."""
    reach = np.array([cells[n].reach for n in numbers]).reshape(-1, 1, 1)
    middle = np.array([(cells[n].x, cells[n].y) for n in numbers]).reshape(-1, 1, 2)
    away = (ground[fields] - middle) / reach
    outer = np.abs(away).max(axis=2) > OUTER
    quarters = np.where(outer, 2 * (away[..., 0] > 0) + (away[..., 1] > 0), -1)
    rows = [np.flatnonzero(own) if own.any() else np.arange(len(own)) for own in outer]
    return Borders(quarters, even(rows))


def as_seen_now(marks: Array, wanted: Array, fields: Array, borders: Borders) -> Array:
    """The opponent colours `wanted`, on fields of which much is not so as their borders show them:
    shine lay on them when they were learned, say, or another lamp makes another paint of them.
    """
    if not len(fields):
        return wanted
    now, then = marks.take(fields, axis=0), wanted.take(fields, axis=0)
    before = alike(now, then).mean(axis=1)
    odd = np.flatnonzero(before < USUAL)
    if not len(odd):
        return wanted
    now, then, its = now[odd], then[odd], borders.of(odd)
    repainted = then + its.middles(now - then)
    smooth = np.broadcast_to(its.middles(now), now.shape)
    shares = [support(now, look, then, its.quarters) for look in (repainted, smooth)]
    better = shares[0] > np.maximum(FACE, before[odd])
    plain = shares[1] > np.maximum(FACE, np.maximum(before[odd], shares[0]) + PLAINER)
    changed = wanted.copy()
    for look, chosen in ((repainted, better & ~plain), (smooth, plain)):
        changed[fields[odd[chosen]]] = look[chosen]
    return changed


def support(now: Array, look: Array, then: Array, quarters: Array) -> Array:
    """(fields,) the part of each field that has such a look; none where this is so of less than
    half of any quarter of its border but one, or where no light makes it of the paint.
    """
    fits = alike(now, look)
    sides = np.stack(
        [
            (fits & (quarters == n)).sum(axis=1) / np.maximum((quarters == n).sum(axis=1), 1)
            for n in range(4)
        ]
    )
    paint = of_one_paint(middles(look), middles(then))
    found: Array = fits.mean(axis=1) * (paint & (np.sort(sides, axis=0)[1] > BORDER))
    return found


def of_one_paint(now: Array, then: Array) -> Array:
    """(N,) true where opponent colours may be those of the same paint in another light, or without
    the shine that lay on it: neither makes another hue of it, nor does shine that goes grey it.
    """
    shade = now[:, 0] / np.maximum(then[:, 0], 1.0)
    own, its = tint(now), tint(then)
    near = np.hypot(*(own - its).T) < NEAR
    size, before = np.hypot(*own.T), np.hypot(*its.T)
    hue = (own * its).sum(axis=1) > ONE_HUE * size * before
    found: Array = (shade > LEAST_LIGHT) & (shade < MOST_LIGHT) & (near | (hue & (size > before)))
    return found


def as_borders(marks: Array, fields: Array, borders: Borders) -> Array:
    """The opponent colours `marks`, on fields those of most of their borders."""
    usual = marks.copy()
    if len(fields):
        usual[fields] = borders.middles(marks.take(fields, axis=0))
    return usual


def with_noise(ease: Array, marks: Array, wanted: Array, fields: Array, at: Borders) -> Array:
    """The play (P,) given to colours, more of it on fields most of whose borders are noisier."""
    if not len(fields):
        return ease
    step = np.abs(marks.take(fields, axis=0)[..., 1:] - wanted.take(fields, axis=0)[..., 1:])
    rough = ROUGH * at.middles(step.max(axis=2, keepdims=True))[:, 0, 0]
    usual = tint_play(middles(wanted.take(fields, axis=0)[..., :1])[:, 0])
    more = ease.copy()
    noisy = np.minimum(rough / usual, NOISIEST).astype(np.float32)
    more[fields] = np.maximum(ease[fields], noisy[:, None])
    return more


def alike(now: Array, then: Array) -> Array:
    """(..., N) true where opponent colours (..., N, 3) are near enough to be the same face."""
    light = then[..., 0]
    step = np.abs(now - then)
    other = np.maximum(step[..., 1], step[..., 2])
    found: Array = (step[..., 0] < SAME_LIGHT * light + PLAY) & (other < SAME_TINT * light + PLAY)
    return found


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
