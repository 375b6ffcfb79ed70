"""Learning how pieces look: colours and true height, from pieces on known places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.view import Array, View
from hardware.boards import Board, Cell, Piece
from vision.colour import against, density, likelihoods, nominal, opponent
from vision.light import Lattice, Light, relight, surface
from vision.looks import Empty, soften
from vision.relit import back_then, nearest, on_surface, with_shine
from vision.sites import Site, Sites, look_out
from vision.solids import Solid

HEIGHTS = (0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.35, 1.5, 1.7, 2.0)
WIDTHS = (0.85, 0.93, 1.0, 1.08, 1.16)
PALETTE = 240  # colours kept of each kind
SURE = 0.85  # cover from which a point's colour is the piece's own
ABSENT = 0.35  # the part of a place that must not look empty for a piece to be there


@dataclass(frozen=True)
class Scene:
    """A picture beside the empty look, and how the light differs."""

    image: Array  # softened
    view: View
    empty: Empty
    place: Lattice
    light: Light

    def colours(self, sites: Sites, board: Board) -> tuple[Array, Array, Array]:
        """At every point: BGR as under the empty look's light, the expected BGR, its slack."""
        x, y = sites.pixels[:, 0], sites.pixels[:, 1]
        spots = nearest(self.place, sites.ground)
        expected, slack = self.empty.sample(sites.ground)
        then = back_then(self.image[y, x], self.light, spots)
        surface = on_surface(board, sites.ground)
        return then, with_shine(expected, self.light, spots, surface), slack


def scene(image: Array, view: View, empty: Empty, place: Lattice) -> Scene:
    soft = soften(image)
    now = Empty(soft, empty.slack, view).sample(place.points)[0]
    then = surface(place, empty.sample(place.points)[0])
    return Scene(soft, view, empty, place, relight(place, now, then))


@dataclass(frozen=True)
class Learned:
    """What is known of one kind after looking."""

    piece: Piece
    solid: Solid
    palette: Array  # (N, 3) BGR
    seen: int  # on how many cells
    fit: float  # mean log odds a point against the empty look


def learn_kind(
    scene: Scene, board: Board, piece: Piece, cells: Sequence[Cell], white: Array
) -> Learned:
    """Colours and measures of one kind from the cells it stands on."""
    basic = Solid(piece.diameter, piece.height, piece.kind == "barricade")
    prior = nominal(piece.srgb, white)
    if not cells:
        return Learned(piece, basic, prior, 0, 0.0)
    palette = prior
    low = Solid(piece.diameter * 0.75, piece.height * 0.5, basic.block)
    table = density(prior, 2.0)
    for solid, first in ((low, True), (basic, False)):
        samples, _, seen = gather(scene, board, solid, cells, table, first)
        if len(samples) < 12:
            return Learned(piece, basic, prior, 0, 0.0)
        palette = samples
        table = density(palette)
    best = (-np.inf, basic)
    for high in HEIGHTS:
        for wide in WIDTHS:
            solid = Solid(piece.diameter * wide, piece.height * high, basic.block)
            total = gather(scene, board, solid, cells, table, False)[1]
            total -= len(cells) * (3.0 * np.log(high) ** 2 + 6.0 * np.log(wide) ** 2)
            if total > best[0]:
                best = (total, solid)
    solid = best[1]
    samples, total, seen = gather(scene, board, solid, cells, table, False)
    return Learned(piece, solid, thin(samples), seen, total / max(len(samples), 1))


def gather(
    scene: Scene, board: Board, solid: Solid, cells: Sequence[Cell], table: Array, first: bool
) -> tuple[Array, float, int]:
    """The colours a solid covers on these cells, and how well they tell it from the empty board."""
    sites = look_out(scene.view, replace(board, cells=tuple(cells)), (solid,))
    colours, expected, slack = scene.colours(sites, board)
    marks = opponent(colours)
    nothing = against(marks, opponent(expected), slack)
    kind = likelihoods(table[:, None], marks)[:, 0]
    odds = np.clip(kind - nothing, -5.0, 5.0)
    kept, total, seen = [], 0.0, 0
    for site in sites.sites:
        stance, score = best_stance(site, odds, first)
        covered = site.points[site.cover[stance] > SURE]
        if len(covered) < 4:
            continue
        total += score
        seen += 1
        kept.append(colours[covered])
    return (np.concatenate(kept) if kept else np.zeros((0, 3))), total, seen


def best_stance(site: Site, odds: Array, first: bool) -> tuple[int, float]:
    scores = site.cover @ odds[site.points].astype(np.float32)
    stance = 0 if first and site.cell.shape == "hole" else int(np.argmax(scores))
    return stance, float(scores[stance])


def thin(samples: Array) -> Array:
    """A few hundred of many colours, the same ones each time."""
    if len(samples) <= PALETTE:
        return samples
    order = np.argsort(samples.sum(axis=1), kind="stable")
    kept: Array = samples[order[np.linspace(0, len(order) - 1, PALETTE).astype(int)]]
    return kept


def by_kind(board: Board, setup: Mapping[str, Sequence[str]]) -> dict[str, list[Cell]]:
    """Each kind's cells in a setup."""
    cells: dict[str, list[Cell]] = {piece.name: [] for piece in board.pieces}
    for cell, names in setup.items():
        for name in names:
            cells[name].append(board.cell(cell))
    return cells
