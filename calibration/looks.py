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
from vision.outline import Shown
from vision.relit import back_then, nearest, on_surface, with_shine
from vision.sites import Site, Sites, look_out
from vision.solids import SHAPES, Solid, Stance

HEIGHTS = (0.6, 0.72, 0.84, 0.92, 1.0, 1.08, 1.2, 1.4, 1.65)
WIDTHS = (0.85, 0.93, 1.0, 1.08, 1.18)
MEASURED = 12  # pieces by which the measures of a kind of solid are found
PALETTE = 240  # colours kept of each kind
SURE = 0.85  # cover from which a point's colour is the piece's own
LIKE_EMPTY = -11.5  # log density from which a point looks empty and tells no piece's colour
OWN = 0.3  # the part of what a piece covers that must not look empty to be told apart


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
    now = Empty(Shown(soft, view), empty.slack).sample(place.points)[0]
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


def learn_kinds(
    scene: Scene, board: Board, cells: Mapping[str, Sequence[Cell]], white: Array
) -> list[Learned]:
    """Colours of every kind that stands, and measures that sets turned alike share."""
    kinds = board.standing
    solids = {p.name: Solid(p.diameter, p.height, p.kind == "barricade") for p in kinds}
    palettes = {p.name: first_palette(scene, board, p, cells[p.name], white) for p in kinds}
    tables = {name: density(colours) for name, colours in palettes.items() if colours is not None}
    for basic in dict.fromkeys(solids.values()):
        alike = [p for p in kinds if solids[p.name] == basic and p.name in tables]
        if alike:
            fitted = fit_solid(scene, board, basic, {p.name: cells[p.name] for p in alike}, tables)
            solids |= {p.name: fitted for p in kinds if solids[p.name] == basic}
    learned = []
    for piece in kinds:
        solid = solids[piece.name]
        if piece.name not in tables:
            learned.append(Learned(piece, solid, nominal(piece.srgb, white), 0, 0.0))
            continue
        samples, total, seen = gather(
            scene, board, solid, cells[piece.name], tables[piece.name], False
        )
        fit = total / max(len(samples), 1)
        learned.append(Learned(piece, solid, thin(samples), seen, fit))
    return learned


def first_palette(
    scene: Scene, board: Board, piece: Piece, cells: Sequence[Cell], white: Array
) -> Array | None:
    """Colours from the lower middle of where pieces of a kind stand; None where none do."""
    if not cells:
        return None
    block = piece.kind == "barricade"
    table = density(nominal(piece.srgb, white), 2.0)
    samples = np.zeros((0, 3))
    for wide, high, first in ((0.75, 0.5, True), (1.0, 1.0, False)):
        solid = Solid(piece.diameter * wide, piece.height * high, block)
        samples = gather(scene, board, solid, cells, table, first)[0]
        if len(samples) < 12:
            return None
        table = density(samples)
    return samples


def fit_solid(
    scene: Scene,
    board: Board,
    basic: Solid,
    cells: Mapping[str, Sequence[Cell]],
    tables: Mapping[str, Array],
) -> Solid:
    """Height and width that explain best what stands there."""

    most = max(MEASURED // max(len(cells), 1), 1)
    measured = {name: spread_over(own, most) for name, own in cells.items()}

    def value(high: float, wide: float, shape: str) -> float:
        solid = Solid(basic.diameter * wide, basic.height * high, basic.block, shape=shape)
        many = sum(len(own) for own in measured.values())
        held = many * (3.0 * np.log(high) ** 2 + 6.0 * np.log(wide) ** 2)
        totals = [
            gather(scene, board, solid, own, tables[name], False)[1]
            for name, own in measured.items()
        ]
        return float(sum(totals) - held)

    rough = max(HEIGHTS, key=lambda h: value(h, 1.0, basic.shape))
    shape = basic.shape
    if not basic.block:
        shape = max(SHAPES, key=lambda s: value(rough, 1.0, s))
    wide = max(WIDTHS, key=lambda w: value(rough, w, shape))
    place = HEIGHTS.index(rough)
    high = max(HEIGHTS[max(place - 1, 0) : place + 2], key=lambda h: value(h, wide, shape))
    return Solid(basic.diameter * wide, basic.height * high, basic.block, shape=shape)


def spread_over(cells: Sequence[Cell], most: int) -> Sequence[Cell]:
    """At most so many of some cells, from first to last."""
    if len(cells) <= most:
        return cells
    return [cells[round(n * (len(cells) - 1) / max(most - 1, 1))] for n in range(most)]


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
        own = covered[nothing[covered] < LIKE_EMPTY]
        kept.append(colours[own if len(own) > OWN * len(covered) else covered])
    return (np.concatenate(kept) if kept else np.zeros((0, 3))), total, seen


def stances(
    scene: Scene, board: Board, kind: Learned, cells: Sequence[Cell]
) -> list[tuple[str, Stance]]:
    """How the pieces of a learned kind stand on these cells."""
    sites = look_out(scene.view, replace(board, cells=tuple(cells)), (kind.solid,))
    colours, expected, slack = scene.colours(sites, board)
    marks = opponent(colours)
    own = likelihoods(density(kind.palette)[:, None], marks)[:, 0]
    odds = np.clip(own - against(marks, opponent(expected), slack), -5.0, 5.0)
    return [(s.cell.id, s.stances[best_stance(s, odds, False)[0]]) for s in sites.sites]


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
