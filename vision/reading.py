"""One picture of a calibrated table to one reading: what stands where, how sure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from time import perf_counter_ns

import numpy as np

from calibration.table import Table
from calibration.view import Array, View
from vision.colour import against, likelihoods, opponent
from vision.cover import KNOWN, RELIEF, Cover, Surroundings, find_cover, unrecognised
from vision.explain import Explanation, Standing, batches
from vision.light import Light, lattice, relight, surface
from vision.looks import decode, empty, kinds, soften
from vision.relit import back_then, nearest, on_surface, with_shine
from vision.sites import look_out

MEAN, RIVAL = 0.65, 0.6  # log odds a point below which a piece, or its kind, is not claimed
FIT = 3.2  # how much less usual than it should be a piece's colour may be
SPILL = 0.5  # the part of the surroundings that may have a piece's colour
EMPTY = 0.3  # log odds a point below which emptiness is not claimed
SHOWN = 0.3  # the part of a place that must be seen to claim anything
LOW = 60.0


class PictureError(ValueError):
    """A picture that cannot be read on this table, with what to do about it."""


@dataclass(frozen=True)
class Seen:
    """One piece on one cell."""

    cell: str
    name: str
    confidence: float


@dataclass(frozen=True)
class Reading:
    """What one picture shows; a cell neither in `pieces` nor in `unsure` is claimed empty."""

    pieces: tuple[Seen, ...]
    unsure: tuple[str, ...]
    blocked: bool
    warnings: tuple[str, ...]
    ms: float
    steps: tuple[tuple[str, int], ...] = ()  # each step's name and nanoseconds


def confidence(margin: float) -> float:
    return float(1.0 / (1.0 + np.exp(-2.0 - 4.0 * margin)))


class Reader:
    """Reads pictures of one table."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.kinds = kinds(table)
        self.lattice = lattice(table.board)
        self.empty = empty(decode(table), View(table.lens, table.empty.pose))
        self.then = surface(self.lattice, self.empty.sample(self.lattice.points)[0])
        self.settle(table.view)

    def settle(self, view: View) -> None:
        """Make ready for a board that lies as in `view`."""
        self.view = view
        self.sites = look_out(view, self.table.board, self.kinds.solids)
        self.flat = self.sites.pixels[:, 1] * view.lens.size[0] + self.sites.pixels[:, 0]
        self.batches = batches(self.sites.sites, len(self.flat))
        self.around = Surroundings(self.lattice, self.sites.sites, view)
        self.cellwise = nearest(self.lattice, self.sites.ground)
        expected, self.slack = self.empty.sample(self.sites.ground)
        self.expected = expected
        self.relief = opponent(expected)[:, 0]
        self.open = on_surface(self.table.board, self.sites.ground)
        spots = np.rint(view.project(self.lattice.points)).astype(np.int64)
        width, height = view.lens.size
        spots = np.clip(spots, 0, (width - 1, height - 1))
        self.spots = spots[:, 1] * width + spots[:, 0]

    def read(
        self, image: np.ndarray, lights: Mapping[str, tuple[int, int, int]] | None = None
    ) -> Reading:
        """Read a BGR picture of the size the table was learned in.

        `lights`: the colours the LEDs under the cells are known to show, if anybody knows. Raises
        `PictureError` for a picture that cannot be of this table.
        """
        began = perf_counter_ns()
        steps: list[tuple[str, int]] = []

        def tick(name: str) -> None:
            steps.append((name, perf_counter_ns() - began - sum(n for _, n in steps)))

        pixels = soften(image).reshape(-1, 3)
        tick("soften")
        light = relight(self.lattice, pixels.take(self.spots, axis=0).astype(np.float32), self.then)
        tick("light")
        marks, expected = self.normalised(pixels, light)
        chances = likelihoods(self.kinds.tables, marks)
        nothing = against(marks, expected, self.slack)
        tick("colour")
        explained = Explanation(
            self.sites.sites,
            self.batches,
            chances,
            nothing,
            self.kinds.allowed,
            self.kinds.diameters,
        )
        tick("weigh")
        explained.pursue()
        tick("explain")
        cover = self.covered(explained, light, marks)
        tick("cover")
        pieces, unsure = self.claims(explained, cover)
        return Reading(
            tuple(pieces),
            tuple(unsure),
            cover.blocked,
            (),
            (perf_counter_ns() - began) / 1e6,
            tuple(steps),
        )

    def normalised(self, pixels: Array, light: Light) -> tuple[Array, Array]:
        """The points as under the light of the empty look, and that look with present shine."""
        raw = pixels.take(self.flat, axis=0)
        return (
            opponent(back_then(raw, light, self.cellwise)),
            opponent(with_shine(self.expected, light, self.cellwise, self.open)),
        )

    def covered(self, explained: Explanation, light: Light, marks: Array) -> Cover:
        match, relief, seen = explained.patterns(self.batches, marks[:, 0], self.relief)
        lost = unrecognised(match, relief, seen)
        known = (relief > RELIEF) & (match > KNOWN) & (seen >= 12)
        standing = []
        for n, site in enumerate(self.sites.sites):
            many = len(site.stances)
            for found in explained.found[n]:
                solid, stance = divmod(found.stance, many)
                standing.append((site.stances[stance], self.kinds.solids[solid]))
                lost[n] = known[n] = False
        return find_cover(self.around, light, standing, lost, known, self.sites.sites)

    def claims(self, explained: Explanation, cover: Cover) -> tuple[list[Seen], list[str]]:
        pieces: list[Seen] = []
        unsure: list[str] = list(self.sites.outside)
        for n, site in enumerate(self.sites.sites):
            verdict = explained.verdict(n)
            margins = [self.margin(explained, n, standing) for standing in verdict.pieces]
            hidden = not verdict.pieces and verdict.shown < SHOWN
            if (
                n in cover.cells
                or hidden
                or verdict.next_mean > -EMPTY
                or min(margins, default=1) < 0
            ):
                unsure.append(site.cell.id)
                continue
            pieces += [
                Seen(site.cell.id, self.kinds.names[standing.kind], confidence(margin))
                for standing, margin in zip(verdict.pieces, margins, strict=True)
            ]
        return pieces, unsure

    def margin(self, explained: Explanation, n: int, standing: Standing) -> float:
        """How far a claim is from every reason to doubt it; below 0 it is not made."""
        fit = explained.fit(n, standing) - self.kinds.usual[standing.kind]
        spill = explained.spills(n, standing)
        unusual = max(standing.mean - 2 * MEAN, fit + 0.75 * FIT)
        sheet = max(2.0 * (SPILL - spill), min(2.0 * (0.9 - spill), fit + 0.5 * FIT))
        least = min(standing.mean - MEAN, standing.rival - RIVAL, fit + FIT, unusual, sheet)
        return float(least)
