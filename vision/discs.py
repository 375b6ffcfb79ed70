"""Which kind of disc each tile shows: all tiles of a picture weighed together, for they share one
wood and one light, and their discs fall into as many groups as there are kinds.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import permutations

import numpy as np

from calibration.view import Array
from vision import lanes
from vision.colour import opponent, tint
from vision.light import BURNT, levels, linear
from vision.tiles import Faces

NOISE, DARK = 0.08, 0.05  # how far light may be off: a part of it, and of what is added to it
SHADE, SHINE = 0.35, 0.06  # how much a tile's shade and the shine on it vary
UNUSUAL = 12.0  # grey levels that count as much as a sigma of shade
SHADES, SHINES = (0.35, 2.5), (-0.02, 0.6)
DISC = 0.3  # what the disc tells of the light on a tile, against the wood
ROUNDS, FEW = 2, 3  # how often groups are formed; tiles from which a group has a colour
MOST = 6  # kinds that are told by their groups alone
GROUPED = 8  # how often groups of colours are formed that nobody foresaw
SPREAD, ODD = 0.4, 0.15  # of the gap between these: how far from its own; how many may be farther
SETTLED, CLOSE = 0.3, 0.6  # margin and misfit, parts of the gap between kinds, to form a group
TELLS = 0.5  # the share of disc from which a point has a vote
HALF = 0.5  # of the gap between two looks: from here on a point speaks for neither
LEAST = 15.0  # grey levels within which a point always speaks for a look
MIRRORED = 10.0  # grey levels a disc may be off its colour with white light on it


@dataclass(frozen=True)
class Middles:
    """The usual grey levels of every tile's wood and disc: (cells, 3) each, BGR."""

    wood: Array
    disc: Array


@dataclass(frozen=True)
class Present:
    """What the tiles look like in one picture, in linear light."""

    wood: Array  # (3,)
    discs: Array  # (kinds, 3)
    shade: Array  # (kinds, cells): how much lighter a tile lies than most, if it is of a kind
    shine: Array  # (kinds, cells): the white light on it
    plain: bool = False  # there is no wood: its light is 0 and tells nothing

    def shown(self, share: Array, kinds: Array, cells: Array) -> Array:
        """Grey levels of tiles if they are of these kinds, where so much disc shows (points,):
        (cells, points, 3).
        """
        shade, shine = self.shade[kinds, cells][:, None], self.shine[kinds, cells][:, None]
        disc, wood = shade * self.discs[kinds] + shine, shade * self.wood + shine
        far, near = (disc - wood).astype(np.float32), wood.astype(np.float32)
        return levels(near[:, None] + share[None, :, None] * far[:, None])


@dataclass(frozen=True)
class Laid:
    """The verdict on every tile cell."""

    best: Array  # (cells,) kind of tile
    margin: Array  # (cells,) how much more of the disc speaks for it than for any other, 0 to 1
    fit: Array  # (cells,) how much of the disc speaks for it, 0 to 1


def middles(faces: Faces, seen: Array) -> Middles:
    """From BGR levels (cells, points, 3) of eight bits."""
    body, disc = (lanes.middles(seen[:, part]) for part in (faces.body, faces.disc))
    return Middles(body.astype(np.float32), disc.astype(np.float32))


def unevenness(faces: Faces, seen: Array) -> Array:
    """Grey levels between the middle and the edge of every disc: many where a light shines
    through it, or something lies on it.
    """
    inner, outer = (lanes.middles(seen[:, part]) for part in (faces.inner, faces.outer))
    away = inner.astype(np.float32) - outer
    found: Array = np.sqrt(squares(away))
    return found


def present(
    faces: Faces,
    seen: Middles,
    gain: Array,
    there: Array | None = None,
    even: Array | None = None,
) -> Present:
    """The light on the tiles and their kinds' colours, from those places where a tile is `there`,
    or from all. `gain`: how much lighter each colour of light is than when the kinds were learned,
    as far as known; `even`: true for discs on which nothing seems to stand.
    """
    if there is None or not there.any():
        there = np.ones(len(seen.disc), dtype=bool)
    wood_light, disc_light = linear(seen.wood), linear(seen.disc)
    if faces.plain:
        wood = np.zeros(3)
    elif faces.wood is None:
        wood = np.median(wood_light[there], axis=0)
    else:
        wood = usual(wood_light[there], faces.wood * gain)
        gain = np.where(faces.wood_burnt, gain, wood / (faces.wood + 1e-3))
    discs, burnt = faces.colours * gain, faces.burnt.copy()
    told = np.full(len(seen.disc), DISC)
    shade, shine = lighting(wood, discs, seen, told, burnt, faces.plain)
    for _ in range(ROUNDS):
        first, clear = groups(discs, seen.disc, shade, shine, burnt)
        discs = discs.copy()
        for kind in range(len(discs)):
            own = there & clear & (first == kind)
            many = int(own.sum())
            if many >= FEW:
                bare = (disc_light[own] - shine[kind, own, None]) / shade[kind, own, None]
                discs[kind] = (many * np.median(bare, axis=0) + discs[kind]) / (many + 1)
                burnt[kind] = False
        discs = np.maximum(discs, 1e-4)
        shade, shine = lighting(wood, discs, seen, np.where(clear, told, 0.0), burnt, faces.plain)
    if even is not None:
        kinds = unforeseen(discs, seen.disc, there & even, clear, first)
        for kind in np.unique(kinds[kinds >= 0]):
            discs[kind] = np.maximum(np.median(disc_light[kinds == kind], axis=0), 1e-4)
            burnt[kind] = False
        if (kinds >= 0).any():
            told = np.where(kinds >= 0, told, 0.0)
            shade, shine = lighting(wood, discs, seen, told, burnt, faces.plain)
    return Present(wood, discs, shade, shine, faces.plain)


def unforeseen(discs: Array, seen: Array, even: Array, clear: Array, first: Array) -> Array:
    """(cells,) the kind of each `even` disc, where there is a kind of which hardly any is `clear`
    though some are left: all of them by their colours alone; -1 for others, or where that fails.
    """
    kinds = np.full(len(seen), -1)
    clear = clear & even
    few = np.bincount(first[clear], minlength=len(discs)) < FEW
    if few.any() and (even & ~clear).sum() >= FEW:
        found = by_colour(seen[even], levels(discs.astype(np.float32)))
        if found is not None:
            kinds[even] = found
    return kinds


def by_colour(seen: Array, wanted: Array) -> Array | None:
    """The kind of each disc, by BGR levels, where these fall into as many clear groups as there are
    kinds: the groups most like what is `wanted` (kinds, 3) of them together; -1 for what is in
    none of them. None where they do not.
    """
    if not 2 <= len(wanted) <= MOST or len(seen) < 2 * len(wanted):
        return None
    tints, expected = tint(opponent(seen)), tint(opponent(wanted.astype(np.float32)))
    middles = tints[[int(np.argmax(np.hypot(*tints.T)))]]
    while len(middles) < len(wanted):  # the one farthest from all groups begins the next
        away = np.linalg.norm(tints[:, None] - middles, axis=2).min(axis=1)
        middles = np.vstack([middles, tints[away.argmax()]])
    for begun in (middles, expected):  # what is in no group may have begun one
        found = grouped(tints, begun)
        if found is not None:
            group, middles, odd = found
            order = min(
                permutations(range(len(wanted))),
                key=lambda those: float(
                    np.linalg.norm(middles - expected[list(those)], axis=1).sum()
                ),
            )
            return np.where(odd, -1, np.array(order)[group])
    return None


def grouped(tints: Array, middles: Array) -> tuple[Array, Array, Array] | None:
    """The group of each tint, their middles, and what is far from its own; None unless they are
    clear. `middles`: where the groups begin.
    """
    for _ in range(GROUPED):
        group = np.linalg.norm(tints[:, None] - middles, axis=2).argmin(axis=1)
        if np.bincount(group, minlength=len(middles)).min() == 0:
            return None
        middles = np.stack([np.median(tints[group == n], axis=0) for n in range(len(middles))])
    gaps = np.linalg.norm(middles[:, None] - middles, axis=2)[~np.eye(len(middles), dtype=bool)]
    odd = np.linalg.norm(tints - middles[group], axis=1) > SPREAD * float(gaps.min())
    if odd.mean() > ODD or np.bincount(group[~odd], minlength=len(middles)).min() < FEW:
        return None
    return group, middles, odd


def usual(light: Array, expected: Array) -> Array:
    """The colour of most tiles' wood: that of the half most like what is expected, for where
    tiles are missing something else shows.
    """
    away = np.abs(np.log(light + DARK) - np.log(expected + DARK)).sum(axis=1)
    nearer = away <= np.median(away)
    colour: Array = np.median(light[nearer], axis=0)
    return colour


def groups(
    discs: Array, seen: Array, shade: Array, shine: Array, burnt: Array
) -> tuple[Array, Array]:
    """The kind each disc is nearest to, and true where it clearly is of that kind. More of a
    colour that is `burnt` out where it was learned is as good.
    """
    light = shade[..., None] * discs[:, None] + shine[..., None]
    wanted = levels(light.astype(np.float32))
    off = wanted - seen
    odd = ((shade - 1) / SHADE) ** 2
    away = squares(np.where(burnt[:, None], np.maximum(off, 0.0), off))
    away = np.sqrt(away + UNUSUAL**2 * (odd - odd.min(axis=0)))
    cells = np.arange(len(seen))
    if len(discs) < 2:
        return np.zeros(len(seen), dtype=np.int64), np.ones(len(seen), dtype=bool)
    first, second = np.argsort(away, axis=0)[:2]
    gap = np.sqrt(squares(wanted[first, cells] - wanted[second, cells]))
    near, next_near = away[first, cells], away[second, cells]
    return first, (next_near - near > SETTLED * gap) & (near < CLOSE * gap)


def lighting(
    wood: Array, discs: Array, seen: Middles, told: Array, burnt: Array, plain: bool
) -> tuple[Array, Array]:
    """Shade and shine on every tile, for every kind it may be: (kinds, cells) each. Colours that
    are burnt out, now or where kinds were learned (`burnt`: kinds, 3), tell nothing of them;
    `told` (cells,): how much the discs do; `plain`: there is no wood.
    """
    wood_light, disc_light, colours = linear(seen.wood), linear(seen.disc), discs[:, None]
    of_wood = (not plain) * (seen.wood < BURNT) / (NOISE * (wood + DARK)) ** 2
    of_disc = (
        told[:, None] * ((seen.disc < BURNT) & ~burnt[:, None]) / (NOISE * (colours + DARK)) ** 2
    )
    aa = (of_wood * wood * wood).sum(1) + (of_disc * colours * colours).sum(2) + SHADE**-2
    ab = (of_wood * wood).sum(1) + (of_disc * colours).sum(2)
    bb = of_wood.sum(1) + of_disc.sum(2) + SHINE**-2
    one = (of_wood * wood * wood_light).sum(1) + (of_disc * colours * disc_light).sum(2) + SHADE**-2
    two = (of_wood * wood_light).sum(1) + (of_disc * disc_light).sum(2)
    size = aa * bb - ab * ab
    shade = np.clip((bb * one - ab * two) / size, *SHADES)
    shine = np.clip((aa * two - ab * one) / size, *SHINES)
    return shade, shine


def by_wood(now: Present, seen: Middles, cells: Array) -> Present:
    """The same, but for some tiles the light by their wood alone: what stands on a disc tells
    nothing of it.
    """
    own = Middles(seen.wood[cells], seen.disc[cells])
    shade, shine = now.shade.copy(), now.shine.copy()
    nothing = np.zeros(len(cells)), np.zeros_like(now.discs, dtype=bool)
    shade[:, cells], shine[:, cells] = lighting(now.wood, now.discs, own, *nothing, now.plain)
    return replace(now, shade=shade, shine=shine)


def vote(faces: Faces, now: Present, seen: Array, wood: Array) -> Laid:
    """Ask every point of every disc which kind it shows, or but more of the tile's `wood`."""
    use = np.flatnonzero(faces.share > TELLS)
    share = faces.share[use]
    cells = np.arange(len(seen))
    kinds = len(now.discs)
    looks = [now.shown(share, np.full(len(seen), kind), cells) for kind in range(kinds)]
    if not faces.plain:
        looks.append(np.broadcast_to(wood[:, None], looks[0].shape))
    own = seen[:, use].astype(np.float32)
    away = [squares(look - own) for look in looks]
    weight = share / share.sum()
    fit, margin = np.zeros((kinds, len(seen))), np.ones((kinds, len(seen)))
    for other in range(1, len(looks)):
        for kind in range(other):
            wide = within(squares(looks[kind] - looks[other]))
            ours, theirs = speaking(away[kind], wide) @ weight, speaking(away[other], wide) @ weight
            fit[kind] = np.maximum(fit[kind], ours)
            margin[kind] = np.minimum(margin[kind], ours - theirs)
            if other < kinds:
                fit[other] = np.maximum(fit[other], theirs)
                margin[other] = np.minimum(margin[other], theirs - ours)
    best = margin.argmax(axis=0)
    return Laid(best, margin[best, cells], fit[best, cells])


def under_shine(faces: Faces, now: Present, seen: Array) -> tuple[Array, Array]:
    """For tiles (cells, points, 3) the kind whose colour, with white light on it that their wood
    does not show, is most like what is darker of their discs; and how sure that is. What lies on
    a tile has no disc: it looks the same beside it.
    """
    discs = seen[:, faces.disc]
    dark = np.argsort(discs.astype(np.int64).sum(axis=2), axis=1)[:, : discs.shape[1] // 2 + 1]
    usual = np.median(np.take_along_axis(discs, dark[..., None], axis=1), axis=1)
    light, colours = linear(usual.astype(np.float32)), now.discs
    away = np.empty((len(colours), len(seen)))
    for kind, colour in enumerate(colours):
        apart = colour - colour.mean()
        shade = (light - light.mean(axis=1, keepdims=True)) @ apart
        shade = np.clip(shade / max(float(apart @ apart), 1e-9), *SHADES)
        shine = np.clip(light.mean(axis=1) - shade * colour.mean(), 0.0, SHINES[1])
        there = shade[:, None] * colour + shine[:, None]
        away[kind] = np.sqrt(squares(levels(there.astype(np.float32)) - usual))
    order = np.sort(away, axis=0)
    lead = order[1] - order[0] if len(order) > 1 else np.full(len(seen), np.inf)
    beside = np.sqrt(squares(usual - np.median(seen[:, faces.body], axis=1))) - 2 * LEAST
    sure = np.minimum((MIRRORED - order[0]) / MIRRORED, np.minimum(lead - LEAST, beside) / LEAST)
    return away.argmin(axis=0), sure


def wood_fit(faces: Faces, now: Present, seen: Array, best: Array, cells: Array) -> Array:
    """How much of the wood of some tiles looks as foreseen, 0 to 1; all where there is none."""
    if faces.plain:
        return np.ones(len(cells))
    wanted = now.shown(np.zeros(1, dtype=np.float32), best[cells], cells)
    away = squares(seen[cells][:, faces.body] - wanted)
    fit: Array = speaking(away, (2 * LEAST) ** 2).mean(axis=1)
    return fit


def ahead_of(seen: Array, one: Array, other: Array) -> tuple[Array, Array]:
    """How much more of each tile's points (cells, points, 3) speaks for one look than for another,
    and how much for the one at all, over the points at which the two differ.
    """
    gap = squares(one - other)
    wide = within(gap)
    weight = np.minimum(np.sqrt(gap) / (2 * LEAST), 1.0)
    many = np.maximum(weight.sum(axis=1), 1.0)
    own = (speaking(squares(seen - one), wide) * weight).sum(axis=1) / many
    its = (speaking(squares(seen - other), wide) * weight).sum(axis=1) / many
    return own - its, own


def squares(away: Array) -> Array:
    found: Array = np.einsum("...c,...c->...", away, away)
    return found


def within(gap: Array) -> Array:
    """How far a point may be from a look, squared, where looks are so far apart, squared."""
    wide: Array = np.maximum(HALF * HALF * gap, LEAST * LEAST)
    return wide


def speaking(away: Array, wide: Array | float) -> Array:
    """1 for a point just as foreseen, 0 for one that is too far from it; both squared."""
    found: Array = 1.0 - np.minimum(away / wide, 1.0)
    return found
