"""Tiles in one picture of one table: votes, the background they make for pawns, claims."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration.table import Table
from calibration.view import Array, View
from vision.claims import Claims, Seen, confidence
from vision.colour import against, opponent
from vision.explain import Explanation
from vision.light import Light
from vision.looks import Empty
from vision.relit import back_then
from vision.sites import Sites
from vision.tiles import SLACK, Laid, TileGrid, TileLook, vote

MARGIN, FIT = 0.06, -14.6  # evidence and mean log density from which a tile is claimed
USUAL, STRICT = -12.5, 0.12  # below this fit so much more evidence is asked for, a unit
SHOWN = 0.12  # the part of a tile that must show
PAWN = 0.08  # the part of a tile a pawn hides at least


@dataclass(frozen=True)
class Laying:
    """All tiles of one picture."""

    seen: Array  # (cells, points, 3) BGR levels under the learned light
    laid: Laid


class Tiles:
    """The tiles of one table in one view."""

    def __init__(self, table: Table, view: View, sites: Sites, bare: Empty) -> None:
        cells = table.board.of_kind("tile")
        pieces = [p for p in table.board.pieces if p.kind == "tile"]
        self.height = max(p.height for p in pieces)
        self.looks = [TileLook(t.name, np.array(t.colours, dtype=np.float32)) for t in table.tiles]
        side = max(p.diameter for p in pieces)
        self.grid = TileGrid(view, cells, side, self.height)
        flat = view.ground(view.project(with_height(self.grid.ground.reshape(-1, 2), self.height)))
        self.under = bare.sample(flat)[0].reshape(len(cells), -1, 3)
        unknown = set(table.empty.unknown)
        self.known_bare = np.array([cell.id not in unknown for cell in cells])
        self.tile, self.point = self.grid.locate(view.ground(sites.pixels, self.height))

    def lay(self, pixels: Array, light: Light) -> Laying:
        flat = self.grid.flat.reshape(-1)
        # the surface between the tiles tells nothing of the light on them
        even = light.evenly()
        seen = back_then(pixels.take(flat, axis=0), even, np.zeros(len(flat), dtype=np.int64))
        cube = seen.reshape(*self.grid.flat.shape, 3)
        return Laying(cube, self.judge(cube, None))

    def judge(self, cube: Array, hidden: Array | None) -> Laid:
        looks: list[Array] = [look.colours for look in self.looks]
        if not self.known_bare.all():
            return vote(cube, looks, hidden)
        free = vote(cube, [*looks, self.under], hidden)
        if hidden is None or not (pawns := hidden.mean(axis=1) > PAWN).any():
            return free
        # a pawn does not stand where a tile is missing
        laid = vote(cube[pawns], looks, hidden[pawns])
        free.best[pawns], free.margin[pawns] = laid.best, laid.margin
        free.fit[pawns], free.shade[pawns] = laid.fit, laid.shade
        return free

    def background(self, nothing: Array, seen: Array, laying: Laying) -> Array:
        """What the points of pawns look like if only the tiles lie there."""
        own = np.flatnonzero(self.tile >= 0)
        tile, point = self.tile[own], self.point[own]
        best = laying.laid.best[tile]
        real = best < len(self.looks)
        own, tile, point, best = own[real], tile[real], point[real], best[real]
        if not len(own):
            return nothing
        every = np.stack([look.colours for look in self.looks])
        shade = np.exp(laying.laid.shade[tile])[:, None]
        wanted = opponent(np.minimum(every[best, point] * shade, 255.0))
        changed = nothing.copy()
        changed[own] = against(opponent(seen[own]), wanted, np.full(len(own), 2 * SLACK))
        return changed

    def add(
        self, claims: Claims, laying: Laying, explained: Explanation, pixels: Array, sites: Sites
    ) -> Claims:
        """Claim the tiles, each judged by what no pawn hides of it."""
        hidden = self.hidden(explained, sites)
        laid = self.judge(laying.seen, hidden)
        shown = 1.0 - hidden.mean(axis=1)
        doubtful = set(claims.unsure)
        pieces = list(claims.pieces)
        for n, cell in enumerate(self.grid.cells):
            kind = int(laid.best[n])
            if cell.id in doubtful:
                continue
            asked = MARGIN + STRICT * max(0.0, USUAL - float(laid.fit[n]))
            sure = min(float(laid.margin[n]) - asked, float(laid.fit[n]) - FIT)
            if sure < 0 or shown[n] < SHOWN:
                doubtful.add(cell.id)
                pieces = [seen for seen in pieces if seen.cell != cell.id]
            elif kind < len(self.looks):
                pieces.append(Seen(cell.id, self.looks[kind].name, confidence(sure)))
        unsure = [*claims.unsure]
        unsure += [c.id for c in self.grid.cells if c.id in doubtful and c.id not in claims.unsure]
        return Claims(tuple(pieces), tuple(unsure))

    def hidden(self, explained: Explanation, sites: Sites) -> Array:
        """(cells, points): 1 where a pawn hides a point of a tile."""
        hidden = np.zeros(self.grid.flat.shape)
        covered = np.flatnonzero((explained.owner_away < np.inf) & (self.tile >= 0))
        hidden[self.tile[covered], self.point[covered]] = 1.0
        return hidden


def with_height(points: Array, height: float) -> Array:
    return np.column_stack([points, np.full(len(points), height)])


def tiles_of(table: Table, view: View, sites: Sites, bare: Empty) -> Tiles | None:
    """None for a board without tiles."""
    if not table.tiles or not table.board.of_kind("tile"):
        return None
    return Tiles(table, view, sites, bare)
