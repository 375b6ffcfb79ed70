"""Tiles in one picture of one table: verdicts, the background they make for pawns, claims."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

import numpy as np

from calibration.table import Table
from calibration.view import Array, View
from vision.claims import TOO_MANY, Claims, Seen, confidence
from vision.colour import against, opponent, tint
from vision.discs import (
    FEW,
    Laid,
    Present,
    ahead_of,
    by_wood,
    middles,
    present,
    under_shine,
    unevenness,
    vote,
    wood_fit,
)
from vision.explain import Explanation
from vision.light import Light, levels, linear
from vision.looks import Empty
from vision.relit import back_then
from vision.rings import SHOWS, STEP, rings
from vision.sites import Sites
from vision.tiles import TileGrid, TileLook, faces

MARGIN, FIT = 0.13, 0.4  # parts of a disc that must speak for a kind, before others and at all
ALONE = 0.2  # so much more of it where most places show no disc
HARDLY = 0.2  # how sure a tile must be by its disc not to be asked whether the board shows
ALL_LIE = 0.7  # the part of the places at which a disc is told if tiles lie at all of them
EVEN = 25.0  # grey levels that may lie between the middle of a disc and its edge
RING, MIXED = 7.0, 0.4  # square millimetres beside a pawn, and how much of another kind's colour
WOOD = 0.4  # the part of the wood around a disc that must look like that of a tile
AS_OTHERS = 0.7  # as well as that of other tiles where a disc mirrors a lamp and nothing lies on it
WIDE = 20.0  # square millimetres of a ring that leave no doubt
BARE, BARE_FIT = 0.25, 0.5  # the same for a place without a tile
WOODY = 0.3  # parts of the lightness by which a kind's colour is not the board's
SHADE = 0.8  # how much lighter or darker, as a logarithm, such a place may lie
SLACK = 12.0  # grey levels: the grain of the wood under a pawn
SAME = 2.5  # log density by which a point may miss what a tile shows and speak for no pawn
STRANGE = 1.5  # how far from every kind of tile a disc must be for something to lie over it
LIKELY = 0.4  # how little may speak against a tile of which all others tell that it lies there
PAWN = 0.08  # the part of a tile a pawn hides at least
LIES = 3  # cells beside each other that cannot be told where something lies on them
TOUCHES, BESIDE = 1.2, 1.6  # of a tile's side: from one middle to the next, and across a corner
SCALE = 2.0  # what is sure here, as log odds are counted elsewhere


@dataclass(frozen=True)
class Laying:
    """All tiles of one picture."""

    now: Present
    best: Array  # (cells,) the likeliest kind
    sure: Array  # (cells,) how sure a tile is by its disc; below 0 it is not
    ring: Array  # (cells,) how sure it is by what shows around a pawn
    bare: Array  # (cells,) how sure it is that none lies there
    mirrored: Array  # (cells,) the likeliest kind if a lamp is mirrored in its disc
    sure_mirrored: Array  # (cells,) how sure that is


class Tiles:
    """The tiles of one table in one view."""

    def __init__(self, table: Table, view: View, sites: Sites, bare: Empty) -> None:
        cells = table.board.of_kind("tile")
        pieces = [p for p in table.board.pieces if p.kind == "tile"]
        self.height = max(p.height for p in pieces)
        self.looks = [TileLook(t.name, np.array(t.colours, dtype=np.float32)) for t in table.tiles]
        side = max(p.diameter for p in pieces)
        counts = {p.name: p.count for p in pieces}
        enough = sum(counts.values()) >= len(cells)  # or else nobody has said how many there are
        many = [counts[k.name] if enough else len(cells) for k in self.looks]
        self.many, self.counted = np.array(many, dtype=np.int64), enough
        self.faces = faces(self.looks, side)
        self.grid = TileGrid(view, cells, side, self.height)
        self.closer = self.grid.closer(self.faces.share, SHOWS, STEP)
        flat = view.ground(view.project(with_height(self.grid.ground.reshape(-1, 2), self.height)))
        self.under = linear(bare.sample(flat)[0]).reshape(len(cells), -1, 3)
        wood = tint(opponent(np.median(levels(self.under), axis=1)))
        kinds = tint(opponent(levels(self.faces.colours)))
        apart = np.linalg.norm(kinds[:, None] - wood, axis=2).min(axis=1)
        self.woody = apart < WOODY  # kinds whose colour the board itself may have
        unknown = set(table.empty.unknown)
        self.known_bare = np.array([cell.id not in unknown for cell in cells])
        self.tile, self.point = self.grid.locate(view.ground(sites.pixels, self.height))
        self.own = np.flatnonzero(self.tile >= 0)

    def lay(self, pixels: Array, sharp: Array, light: Light) -> Laying:
        """Judge every tile by BGR levels row by row, softened and as the camera gave them."""
        seen = pixels.take(self.grid.flat.reshape(-1), axis=0).reshape(*self.grid.flat.shape, 3)
        gain = (1.0 / light.overall).astype(np.float32)
        usual = middles(self.faces, seen)
        there = np.ones(len(seen), dtype=bool)
        uneven = unevenness(self.faces, seen)
        even = uneven < EVEN
        now = present(self.faces, usual, gain)
        laid = vote(self.faces, now, seen, usual.wood)
        told = sureness(laid) >= 0
        # people are laying them and some are missing yet, or a kind looks as nobody foresaw
        if np.mean(told) < ALL_LIE or np.sum(even & ~told) >= FEW:
            missing = self.missing(seen, now, laid.best, gain, np.arange(len(seen)))
            there = (missing < 0) | ~self.known_bare
            now = present(self.faces, usual, gain, there, even)
            laid = vote(self.faces, now, seen, usual.wood)
        best = laid.best.copy()
        sure = np.minimum(sureness(laid), (EVEN - uneven) / EVEN)
        if not there.any() or np.mean(sure[there] >= 0) < 0.5:
            sure = sure - ALONE  # the discs of a few tell too little of the light
        ring, bare = np.full(len(best), -1.0), np.full(len(best), -1.0)
        mirrored, sure_mirrored = best.copy(), np.full(len(best), -1.0)
        open_still = np.flatnonzero(sure < 0)
        if len(open_still):
            now = by_wood(now, usual, open_still)
            area = rings(now, sharp[self.closer[open_still]])
            order = np.sort(area, axis=1)
            most, next_most = order[:, -1], order[:, -2] if area.shape[1] > 1 else 0.0
            clear = MIXED - next_most / np.maximum(most, 1e-6)
            best[open_still] = np.where(most > 0, area.argmax(axis=1), best[open_still])
            around = wood_fit(self.faces, now, seen, best, open_still)
            ring[open_still] = np.minimum(np.minimum((most - RING) / WIDE, clear), around - WOOD)
            others = np.flatnonzero(sure >= 0)
            if len(others) and not self.faces.plain:
                theirs = wood_fit(self.faces, now, seen, best, others)
                plain = around > AS_OTHERS * np.median(theirs)  # nothing hides more than the disc
                mirrored[open_still], surely = under_shine(self.faces, now, seen[open_still])
                sure_mirrored[open_still] = np.where(plain, surely, -1.0)
        doubted = self.woody[best] | (sure < HARDLY) | ~there.all()
        asked = np.flatnonzero(self.known_bare & doubted)
        if len(asked):
            bare[asked] = self.missing(seen, now, best, gain, asked)
            sure[bare >= 0] = sure_mirrored[bare >= 0] = -1.0
        return Laying(now, best, sure, ring, bare, mirrored, sure_mirrored)

    def missing(self, seen: Array, now: Present, best: Array, gain: Array, cells: Array) -> Array:
        """How sure it is that the board itself shows where a tile could lie."""
        own = seen[cells].astype(np.float32)
        board = levels(self.under[cells] * gain)
        away = np.log(own.sum(axis=2) + 9.0) - np.log(board.sum(axis=2) + 9.0)
        shade = np.clip(np.median(away, axis=1), -SHADE, SHADE)
        board = np.minimum(board * np.exp(shade)[:, None, None], 255.0)
        tile = now.shown(self.faces.share, best[cells], cells)
        before, fit = ahead_of(own, board, tile)
        sure: Array = np.minimum(before - BARE, fit - BARE_FIT)
        return sure

    def background(
        self, nothing: Array, same: Array, seen: Array, laying: Laying, light: Light
    ) -> tuple[Array, Array]:
        """How likely the points of pawns are if only the tiles lie there, and which look just as
        the tiles do.
        """
        own = self.own[(laying.bare < 0)[self.tile[self.own]]]
        if not len(own):
            return nothing, same
        every = np.arange(len(self.grid.cells))
        shown = laying.now.shown(self.faces.share, laying.best, every)
        raw = np.rint(shown[self.tile[own], self.point[own]]).astype(np.uint8)
        wanted = back_then(raw, light.evenly(), np.zeros(len(own), dtype=np.int64))
        marks, tiles = opponent(seen[own]), opponent(wanted)
        changed, alike = nothing.copy(), same.copy()
        slack = np.full(len(own), SLACK)
        changed[own] = against(marks, tiles, slack)
        alike[own] = changed[own] > against(tiles, tiles, slack) - SAME
        return changed, alike

    def add(
        self, claims: Claims, laying: Laying, explained: Explanation, glow: Container[str] = ()
    ) -> tuple[Claims, bool]:
        """Claim the tiles, those with pawns on them by what the pawns leave of them; and whether
        something lies on them, other than the light of lit cells (`glow`: those it may reach).
        """
        under_pawns = self.hidden(explained) > PAWN
        doubtful = set(claims.unsure)
        found: list[tuple[float, int, int]] = []  # how sure, which kind, which cell
        for n, cell in enumerate(self.grid.cells):
            if cell.id in doubtful:
                continue
            sure, missing = float(laying.sure[n]), float(laying.bare[n]) >= 0
            if sure < 0 and missing and not under_pawns[n]:
                continue
            kind = int(laying.best[n])
            if sure < 0 and under_pawns[n] and not missing:
                sure = float(laying.ring[n])
            elif sure < 0 and not under_pawns[n] and laying.sure_mirrored[n] >= 0:
                kind, sure = int(laying.mirrored[n]), float(laying.sure_mirrored[n])
            if sure < 0:
                doubtful.add(cell.id)
            else:
                found.append((sure, kind, n))
        held = {seen.cell for seen in claims.pieces}  # what a pawn hides needs no other reason
        dark = {
            cell.id
            for cell, shine in zip(self.grid.cells, laying.sure_mirrored, strict=True)
            if cell.id not in glow and cell.id not in held and shine < 0
        }
        over = self.covered(dark & doubtful)
        doubtful |= over
        if not over:
            left = self.left_over(found, laying, doubtful, under_pawns)
            left = [own for own in left if self.grid.cells[own[2]].id not in claims.unsure]
            doubtful -= {self.grid.cells[n].id for _, _, n in left}
            found += left
        found = [own for own in found if self.grid.cells[own[2]].id not in over]
        tiles: list[Seen] = []
        claimed = np.bincount([kind for _, kind, _ in found], minlength=len(self.looks))
        for sure, kind, n in sorted(found, reverse=True):
            name, cell = self.looks[kind].name, self.grid.cells[n]
            taken = sum(seen.name == name for seen in tiles)
            if taken < self.many[kind] and claimed[kind] <= TOO_MANY * self.many[kind]:
                tiles.append(Seen(cell.id, name, confidence(SCALE * sure)))
            else:  # there are not so many of a kind: somewhere one is taken for another
                doubtful.add(cell.id)
        order = {cell.id: n for n, cell in enumerate(self.grid.cells)}
        pieces = [seen for seen in claims.pieces if seen.cell not in doubtful]
        pieces += sorted(tiles, key=lambda seen: order[seen.cell])
        unsure = [*claims.unsure]
        unsure += [c.id for c in self.grid.cells if c.id in doubtful and c.id not in claims.unsure]
        return Claims(tuple(pieces), tuple(unsure)), bool(over)

    def left_over(
        self,
        found: Sequence[tuple[float, int, int]],
        laying: Laying,
        doubtful: set[str],
        under_pawns: Array,
    ) -> list[tuple[float, int, int]]:
        """The tiles left open of which one knows what they are, for all others lie elsewhere: how
        sure, which kind, which cell. What tells little of each says so, too.
        """
        at = [n for n, cell in enumerate(self.grid.cells) if cell.id in doubtful]
        left = self.many - np.bincount([kind for _, kind, _ in found], minlength=len(self.many))
        best = laying.best[at]
        if not self.counted or (left < 0).any() or left.sum() != len(at):  # some lie elsewhere
            return []
        one = np.count_nonzero(left) == 1
        if not one and (np.bincount(best, minlength=len(left)) != left).any():
            return []
        # without a pawn on it something else may be what makes it doubtful
        sure = np.where(under_pawns[at], laying.ring[at], laying.sure[at])
        told = (sure > -LIKELY) | (under_pawns[at] & one)
        return [
            (0.0, int(kind), n)
            for n, kind, own in zip(at, best, told, strict=True)
            if own and left[kind] and laying.bare[n] < 0
        ]

    def covered(self, doubtful: set[str]) -> set[str]:
        """The cells something lies on, and those beside them: some that touch each other and of
        which none can be told, while most others can.
        """
        spots = np.array([(cell.x, cell.y) for cell in self.grid.cells])
        open_still = np.array([cell.id in doubtful for cell in self.grid.cells])
        if open_still.mean() > 0.5:
            return set()
        apart = np.linalg.norm(spots[:, None] - spots, axis=2) / self.grid.side
        touching = (apart < TOUCHES) & open_still[:, None] & open_still
        for _ in range(len(spots).bit_length()):  # whatever touches what touches
            touching = touching @ touching
        lying = touching.sum(axis=1) >= LIES
        near = (apart[:, lying] < BESIDE).any(axis=1)
        return {cell.id for cell, there in zip(self.grid.cells, near, strict=True) if there}

    def disguised(self, laying: Laying) -> frozenset[str]:
        """The cells on which something hides what a tile, or the board, would show."""
        strange = (laying.sure < -STRANGE) & (laying.bare < 0) & (laying.sure_mirrored < 0)
        return frozenset(self.grid.cells[n].id for n in np.flatnonzero(strange))

    def hidden(self, explained: Explanation) -> Array:
        """(cells,) the part of each tile that a pawn hides."""
        hidden = explained.owner_away[self.own] < np.inf
        many = len(self.grid.cells)
        there = np.bincount(self.tile[self.own], minlength=many)
        part: Array = np.bincount(self.tile[self.own][hidden], minlength=many)
        return part / np.maximum(there, 1)


def sureness(laid: Laid) -> Array:
    """How sure each tile's kind is by its disc; below 0 it is not."""
    sure: Array = np.minimum(laid.margin - MARGIN, laid.fit - FIT)
    return sure


def with_height(points: Array, height: float) -> Array:
    return np.column_stack([points, np.full(len(points), height)])


def tiles_of(table: Table, view: View, sites: Sites, bare: Empty) -> Tiles | None:
    """None for a board without tiles."""
    if not table.tiles or not table.board.of_kind("tile"):
        return None
    return Tiles(table, view, sites, bare)
