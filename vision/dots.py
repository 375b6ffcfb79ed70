"""A few dots on every piece and around it, the same ones in every view of every board."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from calibration.view import Array, View
from vision.explain import Standing
from vision.sites import Sites
from vision.solids import Solid

LEVELS = (0.1, 0.3, 0.5, 0.7, 0.9)  # of a piece's height
EIGHT = [(float(np.cos(a)), float(np.sin(a))) for a in np.arange(8) * np.pi / 4]
# across the line of sight, along it, and up: in half diameters and in heights of the piece
ON = [(u, 0.0, z) for z in LEVELS for u in (-0.6, 0.0, 0.6)]
BESIDE = [(u, 0.0, z) for z in (0.3, 0.7) for u in (-1.6, 1.6)] + [(0.0, 0.0, 1.25)]
# the same in half diameters of its place
UNDER = [(0.0, 0.0, 0.0), *((0.75 * u, 0.75 * v, 0.0) for u, v in EIGHT)]
AROUND = [(1.4 * u, 1.4 * v, 0.0) for u, v in EIGHT]
WAYS = np.array([*ON, *BESIDE, *UNDER, *AROUND])
DOTS = len(WAYS)
PLUS = ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))  # the points at a dot, from its nearest one
MARGIN = 3  # places around the grid of points: one for the plus, and the plus around that one
NEAR = 8  # holes beside one that it is compared with

Where = Sequence[tuple[int, Standing]]  # sites, and what stands there or might


class Dots:
    """Where the dots of every piece lie in one view."""

    def __init__(self, view: View, sites: Sites, solids: Sequence[Solid]) -> None:
        self.view, self.sites, self.solids = view, sites, tuple(solids)
        self.eye = np.array(view.camera[:2])
        profiles = [np.array(solid.profile) for solid in self.solids]
        self.shapes = [np.interp(LEVELS, own[:, 0], own[:, 1]) for own in profiles]
        self.holes = [n for n, site in enumerate(sites.sites) if site.cell.shape == "hole"]
        self.row = {n: row for row, n in enumerate(self.holes)}
        self.known: dict[tuple[int, int], Array] = {}  # by site that is no hole, and stance

    @cached_property
    def lattice(self) -> Array:
        """The number of the point at each place of the grid they lie on, with a margin."""
        width, height = self.view.lens.size
        pixels, step = self.sites.pixels, self.sites.step
        shape = (int(height / step) + 2 * MARGIN + 2, int(width / step) + 2 * MARGIN + 2)
        lattice = np.full(shape, len(pixels), dtype=np.int32)
        at = np.rint(pixels / step).astype(np.int64) + MARGIN
        lattice[at[:, 1], at[:, 0]] = np.arange(len(pixels))
        return lattice

    @cached_property
    def every(self) -> tuple[Array, ...]:
        """Of every hole, the points at the dots of each solid in each stance."""
        sites = self.sites.sites
        return tuple(
            self.points([(n, row) for row in range(len(sites[n].cover))]) for n in self.holes
        )

    @cached_property
    def beside(self) -> Array:
        """(holes, NEAR) the rows of the holes nearest to each."""
        cells = [self.sites.sites[n].cell for n in self.holes]
        at = np.array([(cell.x, cell.y) for cell in cells]).reshape(-1, 2)
        apart = np.linalg.norm(at[:, None] - at[None], axis=2)
        apart[np.diag_indices(len(at))] = np.inf
        near: Array = np.argsort(apart, axis=1, kind="stable")[:, :NEAR]
        return near

    def points(self, upon: Sequence[tuple[int, int]]) -> Array:
        """(pieces, DOTS, PLUS) numbers of points, one more than there are where is none; `upon`:
        sites, and which solid in which stance.
        """
        sites = [self.sites.sites[n] for n, _ in upon]
        kinds = [row // len(site.stances) for site, (_, row) in zip(sites, upon, strict=True)]
        solids = [self.solids[kind] for kind in kinds]
        holes = np.array([site.cell.shape == "hole" for site in sites])
        tall = np.array([solid.height for solid in solids])
        tall -= holes * np.array([solid.sunk for solid in solids])
        half = np.array([solid.diameter / 2 for solid in solids])
        shapes = np.array([self.shapes[kind] for kind in kinds])
        at = [row % len(site.stances) for site, (_, row) in zip(sites, upon, strict=True)]
        foot = np.array([site.spots[row] for site, row in zip(sites, at, strict=True)])
        lean = np.array([site.leans[row] for site, row in zip(sites, at, strict=True)])
        reach = np.where(holes, [site.cell.reach for site in sites], half)
        cells = np.array([(site.cell.x, site.cell.y) for site in sites])
        middle = np.where(holes[:, None], cells, foot)
        along = foot - self.eye
        along = along / np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-6)
        across = np.stack([-along[:, 1], along[:, 0]], axis=1)
        wide = np.concatenate(
            [
                np.repeat(half[:, None] * shapes, 3, axis=1),
                np.repeat(half[:, None], len(BESIDE), axis=1),
                np.repeat(reach[:, None], len(UNDER), axis=1),
                np.repeat(np.maximum(reach, half)[:, None], len(AROUND), axis=1),
            ],
            axis=1,
        )
        low = len(ON) + len(BESIDE)
        start = np.concatenate(
            [
                np.repeat(foot[:, None], low, axis=1),
                np.repeat(middle[:, None], DOTS - low, axis=1),
            ],
            axis=1,
        )
        up = WAYS[:, 2] * tall[:, None]
        ground = start + across[:, None] * (WAYS[:, 0] * wide)[..., None]
        ground += along[:, None] * (WAYS[:, 1] * wide)[..., None] + lean[:, None] * up[..., None]
        pixels = self.view.project(np.concatenate([ground, up[..., None]], axis=2).reshape(-1, 3))
        column, row = (np.rint(pixels / self.sites.step).astype(np.int64) + MARGIN).T
        rows, columns = self.lattice.shape
        # what lies beyond the picture comes to lie in the margin, with all of its plus
        middle = np.clip(row, 1, rows - 2) * columns + np.clip(column, 1, columns - 2)
        plus = np.array([v * columns + u for u, v in PLUS])
        found: Array = self.lattice.take(middle[:, None] + plus)
        return found.reshape(len(upon), DOTS, len(PLUS))

    def points_of(self, where: Where) -> Array:
        """(pieces, DOTS, PLUS) for pieces of sites."""
        if all(n in self.row for n, _ in where):
            return np.stack([self.every[self.row[n]][s.stance] for n, s in where])
        upon = [(n, standing.stance) for n, standing in where]
        new = [one for one in dict.fromkeys(upon) if one not in self.known]
        if new:
            self.known.update(zip(new, self.points(new), strict=True))
        return np.stack([self.known[one] for one in upon])
