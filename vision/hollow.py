"""The inside of empty holes as this picture shows it: what its neighbours' insides look like.

The face of a board looks the same under another lamp but for shade and shine. The floor of a hole
does not: the lamp's side decides how much of it lies in shadow. But holes near each other change
alike, and most of them are empty.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from calibration.view import Array, View
from vision.colour import OUTLIER, opponent, tint
from vision.lanes import ordered
from vision.light import Lattice, Light
from vision.looks import Empty
from vision.relit import back_then, nearest
from vision.sites import Site

AROUND = 14.0  # millimetres around a hole from which one knows its wood
HOLLOW = -12.6  # log density of a colour that a floor may have
SHADOW = 0.08  # the part of a floor's light that its neighbours' shadows may take
ODD = 16.0  # what one point may say at most
TINT = 0.06  # how far, as a part of the lightness, a floor's colour may lie off
BRIGHT = 1.05  # how much lighter than the face around it a floor may be
BLACK = np.array([2.0, -255.0, -255.0], dtype=np.float32)  # no floor is darker
NEAR, ASKED = 16, 7  # holes near one, and how many of them say how it looks
FACE = -13.0  # log density from which a point of the face looks empty
BARE = 0.6  # the part of its surroundings that looks empty around a hole that seems so
ENOUGH = 3  # such holes, at least
RINGS = ((0.0, 1), (0.42, 6), (0.75, 6))  # where one looks into a hole: part of its radius, points


class Hollows:
    """The points within holes, and what their floors may look like; made once for a view."""

    def __init__(
        self,
        view: View,
        sites: Sequence[Site],
        ground: Array,
        inside: Array,
        place: Lattice,
        face: Array,
        expected: Array,
        empty: Empty,
        guessed: frozenset[str],
    ) -> None:
        """`guessed`: cells whose empty look is not known. `inside` (P,): true in holes. `face`:
        opponent colours of the empty look at the lattice. `expected`: the same at all points,
        which lie at `ground`.
        """
        low, high = np.zeros((len(inside), 2)), np.zeros((len(inside), 2))
        bright = np.zeros(len(inside))
        holes = [n for n, site in enumerate(sites) if site.cell.shape == "hole"]
        owner = np.zeros(len(inside), dtype=np.int64)
        for row, n in enumerate(holes):
            site = sites[n]
            points = site.points[inside[site.points]]
            away = np.hypot(*(ground[points] - (site.cell.x, site.cell.y)).T)
            points = points[away <= site.cell.reach]
            if not len(points):
                continue
            owner[points] = row
            away = np.hypot(*(place.points - (site.cell.x, site.cell.y)).T)
            near = place.bare & (away < site.cell.reach + AROUND)
            if not near.any():
                near = place.bare
            wood = np.median(face[near], axis=0) if near.any() else np.median(face, axis=0)
            floor = np.median(expected[points], axis=0)
            tints = np.stack([np.zeros(2), tint(wood[None])[0], tint(floor[None])[0]])
            low[points], high[points] = tints.min(axis=0), tints.max(axis=0)
            bright[points] = max(BRIGHT * wood[0], 1.4 * floor[0])
        self.points = np.flatnonzero(inside & (bright > 0))
        self.low, self.high = (part[self.points].astype(np.float32) for part in (low, high))
        self.bright = bright[self.points].astype(np.float32)
        self.owner = owner[self.points]
        self.expected = expected[self.points]
        self.prepare(view, [sites[n] for n in holes], ground, inside, place, empty, guessed)

    def prepare(
        self,
        view: View,
        holes: Sequence[Site],
        ground: Array,
        inside: Array,
        place: Lattice,
        empty: Empty,
        guessed: frozenset[str],
    ) -> None:
        """Where to look into every hole, and which holes are near it."""
        ways = [
            (part * np.cos(2 * np.pi * n / many), part * np.sin(2 * np.pi * n / many))
            for part, many in RINGS
            for n in range(many)
        ]
        unit = np.array(ways)
        middles = np.array([(s.cell.x, s.cell.y) for s in holes]).reshape(-1, 2)
        reach = np.array([s.cell.reach for s in holes])
        spots = (middles[:, None] + reach[:, None, None] * unit[None]).reshape(-1, 2)
        width, height = view.lens.size
        pixels = np.clip(np.rint(view.project(spots)), 0, (width - 1, height - 1)).astype(np.int64)
        self.looked = pixels[:, 1] * width + pixels[:, 0]
        self.shade_at = nearest(place, spots)
        self.shape = (len(holes), len(unit))
        self.then = opponent(empty.sample(spots)[0]).reshape(*self.shape, 3).astype(np.float32)
        own = (ground[self.points] - middles[self.owner]) / reach[self.owner, None]
        self.spot = ((own[:, None] - unit[None]) ** 2).sum(axis=2).argmin(axis=1)
        apart = np.linalg.norm(middles[:, None] - middles[None], axis=2)
        apart[np.abs(reach[:, None] - reach[None]) > 0.6] = np.inf
        apart[np.diag_indices(len(holes))] = np.inf
        apart[:, [site.cell.id in guessed for site in holes]] = np.inf
        self.near = np.argsort(apart, axis=1, kind="stable")[:, :NEAR]
        self.alike = np.isfinite(np.take_along_axis(apart, self.near, axis=1))
        rims = [s.points[~inside[s.points]] for s in holes]
        self.rims = np.full((len(holes), max((len(r) for r in rims), default=0) or 1), len(inside))
        for row, rim in enumerate(rims):
            self.rims[row, : len(rim)] = rim
        self.rim = np.maximum((self.rims < len(inside)).sum(axis=1), 1)

    def lift(
        self, nothing: Array, marks: Array, pixels: Array, light: Light
    ) -> tuple[Array, Array]:
        """The log density of emptiness, with all that a floor may look like let pass; and how far
        every point is from what the holes around it look like (0 where that is not known).
        """
        strange = np.zeros(len(nothing), dtype=np.float32)
        if not len(self.points):
            return nothing, strange
        seen = marks[self.points]
        own = tint(seen)
        off = np.maximum(np.maximum(self.low - own, own - self.high), 0.0) / TINT
        over = np.maximum(seen[:, 0] - self.bright, 0.0) / (0.12 * self.bright + 4.0)
        likely = HOLLOW - 0.5 * (off[:, 0] ** 2 + off[:, 1] ** 2 + over**2)
        bare = np.append(nothing > FACE, False)[self.rims].sum(axis=1) / self.rim
        wanted, spread, told = self.neighbours(pixels, light, bare)
        at = (self.owner, self.spot)
        wide = spread[at]
        off, alike = distance(seen, np.maximum(self.expected + wanted[at], BLACK), wide)
        same = distance(seen, self.expected, wide)[0]
        known = told[self.owner]
        changed = nothing.copy()
        lenient = np.maximum(nothing[self.points], likely)
        changed[self.points] = np.where(known, np.maximum(alike, OUTLIER), lenient)
        strange[self.points] = np.where(known, 0.5 * np.minimum(np.minimum(off, same), ODD), 0.0)
        return changed, strange

    def neighbours(self, pixels: Array, light: Light, bare: Array) -> tuple[Array, Array, Array]:
        """How the empty holes around every hole have changed at each spot (holes, spots, 3), how
        much they differ in that, and whether there are enough of them.
        """
        raw = pixels.take(self.looked, axis=0)
        marks = opponent(back_then(raw, light, self.shade_at)).astype(np.float32)
        marks = marks.reshape(*self.shape, 3) - self.then
        good = np.where(self.alike, bare[self.near], -1.0)
        order = np.argsort(-np.round(good, 1), axis=1, kind="stable")[:, :ASKED]
        asked = np.take_along_axis(self.near, order, axis=1)
        usable = (np.take_along_axis(good, order, axis=1) > BARE).sum(axis=1)
        looks = [marks[near] for near in asked.T]  # of each of them (holes, spots, 3)
        half = len(looks) // 2
        middle = ordered(looks)[half]
        spread = ordered([np.abs(own - middle) for own in looks])[half]
        told: Array = usable >= ENOUGH
        return middle, spread, told


def distance(seen: Array, mean: Array, wide: Array) -> tuple[Array, Array]:
    """How far colours are from those wanted, squared in sigmas, and their log density."""
    level = 0.05 * mean[:, 0] + 4.0
    level += np.minimum(1.5 * wide[:, 0], level)
    chroma = 0.03 * mean[:, 0] + 3.5
    chroma += np.minimum(1.5 * np.maximum(wide[:, 1], wide[:, 2]), chroma)
    step = seen - mean
    darker = np.where(step[:, 0] < 0, SHADOW * mean[:, 0], 0.0)  # a neighbour's shadow
    off = (step[:, 0] / (level + darker)) ** 2 + (step[:, 1] ** 2 + step[:, 2] ** 2) / chroma**2
    return off, -0.5 * off - np.log(level * chroma * chroma) - 2.757
