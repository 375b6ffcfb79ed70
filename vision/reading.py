"""One picture of a calibrated table to one reading: what stands where, how sure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from time import perf_counter_ns

import numpy as np

from calibration.table import Table
from calibration.view import Array, View, sample
from vision.claims import Claims, Seen, make_claims
from vision.colour import OUTLIER, against, likelihoods, opponent, unchanged
from vision.cover import KNOWN, RELIEF, Cover, Surroundings, find_cover, unrecognised
from vision.explain import Explanation, batches
from vision.glow import burning, disguised, glow_density, holes_of, shone_upon
from vision.hollow import Hollows, filled, shares
from vision.laying import Laying, tiles_of
from vision.light import Light, lattice, relight, surface
from vision.looks import decode, empty, kinds, soften
from vision.picture import PictureError
from vision.place import anchors, relocate, stay
from vision.presence import log_odds, signs
from vision.relit import back_then, face_now, nearest, on_surface, with_shine
from vision.sites import look_out

LOW = 60.0  # degrees of elevation below which pieces hide each other too much
BLACK, DIM = 6.0, 22.0  # mean grey levels: nothing to see, little to see
ANYTHING = -14.3  # log density of a place whose empty look is only guessed
HALO = 30.0  # millimetres around a lit cell
GLARY = 8.0  # how much the face may change from place to place where it shines
ENOUGH = 5  # points of a hole from which what is in it tells more than what is guessed around it
WHITE = 228  # the least part of a colour from which it is burnt out
STRANGE = 0.5  # the part of the surface that must look like itself if no marker does

__all__ = ["PictureError", "Reader", "Reading", "Seen"]


@dataclass(frozen=True)
class Reading:
    """What one picture shows; a cell neither in `pieces` nor in `unsure` is claimed empty."""

    pieces: tuple[Seen, ...]
    unsure: tuple[str, ...]
    blocked: bool
    warnings: tuple[str, ...]
    ms: float
    steps: tuple[tuple[str, int], ...] = ()  # each step's name and nanoseconds


class Stopwatch:
    """Nanoseconds of one step after the other."""

    def __init__(self) -> None:
        self.began = self.last = perf_counter_ns()
        self.steps: list[tuple[str, int]] = []

    def tick(self, name: str) -> None:
        now = perf_counter_ns()
        self.steps.append((name, now - self.last))
        self.last = now


class Reader:
    """Reads pictures of one table."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.kinds = kinds(table)
        self.lattice = lattice(table.board)
        self.coloured = any(max(c) - min(c) > 20 for p in table.pieces for c in p.palette)
        self.picture, self.known = decode(table)
        self.empty = empty(self.picture, View(table.lens, table.empty.pose))
        self.then = surface(self.lattice, self.empty.sample(self.lattice.points)[0])
        self.settle(table.view)

    def settle(self, view: View) -> None:
        """Make ready for a board that lies as in `view`."""
        board = self.table.board
        self.view = view
        self.sites = look_out(view, board, self.kinds.solids)
        self.flat = self.sites.pixels[:, 1] * view.lens.size[0] + self.sites.pixels[:, 0]
        self.batches = batches(self.sites.sites, len(self.flat))
        self.holes = holes_of(self.sites.sites, len(self.kinds.solids), len(self.flat))
        self.middles = nearest(
            self.lattice, np.array([(s.cell.x, s.cell.y) for s in self.sites.sites]).reshape(-1, 2)
        )
        self.around = Surroundings(self.lattice, self.sites.sites, view, board.card_zone)
        self.shade_at = nearest(self.lattice, self.sites.ground)
        self.expected, self.slack = self.empty.sample(self.sites.ground)
        self.relief = opponent(self.expected)
        self.open = on_surface(board, self.sites.ground)
        known = sample(self.known, self.empty.view.project(self.sites.ground))
        self.guess = known < 0.5
        self.wired = np.array([site.cell.led is not None for site in self.sites.sites])
        self.halos = [
            np.flatnonzero(
                np.hypot(*(self.sites.ground - (s.cell.x, s.cell.y)).T) < s.cell.reach + HALO
            )
            for s in self.sites.sites
        ]
        self.trust = self.trusted()
        self.inner = shares([s.points[~self.open[s.points]] for s in self.sites.sites])
        self.every = shares([s.points for s in self.sites.sites])
        self.hollows = Hollows(
            view,
            self.sites.sites,
            self.sites.ground,
            ~self.open,
            self.lattice,
            opponent(self.then.colours),
            self.relief,
            self.empty,
            frozenset(self.table.empty.unknown),
        )
        self.masses = tuple(s.cover @ self.trust[s.points] for s in self.sites.sites)
        unknown = set(self.table.empty.unknown)
        # on a tile one knows what lies behind a pawn, whatever is under the tile
        self.guessed_cells = frozenset(unknown - {cell.id for cell in board.of_kind("tile")})
        self.guessed_sites = np.array([s.cell.id in unknown for s in self.sites.sites])
        self.surely = np.array(
            [s.cell.shape == "hole" and s.cell.id not in unknown for s in self.sites.sites]
        )
        spots = np.rint(view.project(self.lattice.points)).astype(np.int64)
        width, height = view.lens.size
        spots = np.clip(spots, 0, (width - 1, height - 1))
        self.spots = spots[:, 1] * width + spots[:, 0]
        self.tiles = tiles_of(self.table, view, self.sites, self.empty)
        self.anchors = anchors(board, self.picture, self.empty.view, view)
        middle = (board.size[0] / 2, board.size[1] / 2)
        self.low = view.elevation(middle) < LOW

    def trusted(self) -> Array:
        """1, but 0 where a hole's surroundings are only guessed and the hole itself is known."""
        trust = np.ones(len(self.guess), dtype=np.float32)
        for site in self.sites.sites:
            points = site.points
            hole = points[~self.open[points] & ~self.guess[points]]
            if site.cell.id in self.table.empty.unknown and len(hole) >= ENOUGH:
                trust[points[self.guess[points] & self.open[points]]] = 0.0
        return trust

    def read(
        self, image: np.ndarray, lights: Mapping[str, tuple[int, int, int]] | None = None
    ) -> Reading:
        """Read a BGR picture of the size the table was learned in.

        `lights`: the colours the LEDs under the cells are known to show, if anybody knows. Raises
        `PictureError` for a picture that cannot be of this table.
        """
        self.check(image)
        watch = Stopwatch()
        soft = soften(image)
        warnings = self.warnings(soft)
        moved = self.follow(image)
        watch.tick("place")
        pixels = soft.reshape(-1, 3)
        spots = pixels.take(self.spots, axis=0)
        light = relight(self.lattice, spots.astype(np.float32), self.then)
        self.face = face_now(self.lattice, spots, light)
        watch.tick("light")
        if moved is None and light.seen < STRANGE:
            every = tuple(cell.id for cell in self.table.board.cells)
            return self.reading(Claims((), every), True, (*warnings, "not recognised"), watch)
        laid = self.tiles.lay(pixels, image.reshape(-1, 3), light) if self.tiles else None
        watch.tick("tiles")
        explained, marks = self.explain(pixels, light, laid, lights)
        watch.tick("explain")
        cover = self.covered(explained, light, marks)
        watch.tick("cover")
        odds = self.presence(explained, marks, light)
        claims = make_claims(
            self.sites,
            self.kinds,
            explained,
            cover,
            self.guessed_cells,
            frozenset(self.table.alike),
            ~self.open & ~self.guess,
            odds,
            lights is not None,
            disguised(self.table.board, lights or {}),
            pixels.take(self.flat, axis=0).min(axis=1) > WHITE,
        )
        if laid is not None and self.tiles is not None:
            claims = self.tiles.add(claims, laid, explained, self.sites)
        watch.tick("claims")
        if moved:
            warnings = (*warnings, "moved")
        return self.reading(claims, cover.blocked, warnings, watch)

    def reading(
        self, claims: Claims, blocked: bool, warnings: tuple[str, ...], watch: Stopwatch
    ) -> Reading:
        ms = (perf_counter_ns() - watch.began) / 1e6
        return Reading(claims.pieces, claims.unsure, blocked, warnings, ms, tuple(watch.steps))

    def check(self, image: np.ndarray) -> None:
        width, height = self.table.lens.size
        if image.dtype != np.uint8 or image.ndim != 3 or image.shape[2] != 3:
            raise PictureError("not a colour picture of eight bits")
        if image.shape[:2] != (height, width):
            raise PictureError(
                f"{image.shape[1]}x{image.shape[0]} pixels, the table was learned at "
                f"{width}x{height}: use that camera mode, or calibrate again"
            )

    def warnings(self, soft: Array) -> tuple[str, ...]:
        few = soft[::7, ::7]
        bright = float(few.mean())
        if bright < BLACK and float(np.percentile(few, 99)) < 4 * BLACK:
            raise PictureError("all black: take the cap off, switch on a light")
        if float(few.std()) < 2.0:
            raise PictureError("nothing to see: the picture is of one colour")
        if self.coloured and not np.ptp(few, axis=2).any():
            raise PictureError("a grey picture: pieces are told by their colours")
        told = ("camera too low",) if self.low else ()
        return (*told, "too dark") if bright < DIM else told

    def follow(self, image: Array) -> bool | None:
        """True where the board had moved and was found again, None where nothing is recognised."""
        now = stay(image, self.anchors)
        if now.still or not self.anchors:
            return False
        found = relocate(self.table.board, image, self.table.lens, self.view)
        if found is None:
            return None
        before = self.view
        self.settle(found.view)
        if not stay(image, self.anchors).still:
            self.settle(before)
            return None
        return True

    def explain(
        self,
        pixels: Array,
        light: Light,
        laid: Laying | None,
        lights: Mapping[str, tuple[int, int, int]] | None,
    ) -> tuple[Explanation, Array]:
        """Pieces that together explain the picture, and its points as under the learned light."""
        raw = pixels.take(self.flat, axis=0)
        seen = back_then(raw, light, self.shade_at)
        expected = with_shine(self.expected, light, self.shade_at, self.open)
        marks = opponent(seen)
        nothing = against(marks, opponent(expected), self.slack)
        glow = glow_density(raw, seen, expected)
        lit = self.lit(lights, raw)
        shiny = light.glare[self.shade_at]
        if lights:
            shiny = shiny | self.near(lit)
        nothing = shone_upon(nothing, seen, self.expected, self.open & shiny)
        glary = np.flatnonzero(self.open & (light.glare | self.then.shiny)[self.shade_at])
        if len(glary):  # the known face tells little there, the face around more
            face = opponent(self.face[self.shade_at[glary]])
            here = against(marks[glary], face, np.full(len(glary), GLARY))
            nothing[glary] = np.maximum(nothing[glary], here)
        nothing, self.strange = self.hollows.lift(nothing, marks, pixels, light)
        nothing = np.where(self.guess, np.maximum(nothing, ANYTHING), nothing)
        same = unchanged(marks, opponent(expected)) & ~self.guess
        if laid is not None and self.tiles is not None:
            nothing, same = self.tiles.background(nothing, same, seen, laid, light)
        chances = np.column_stack([likelihoods(self.kinds.tables, marks), glow])
        nothing = np.maximum(nothing, OUTLIER)
        self.same = same
        nothing[same] = np.maximum(nothing[same], chances[same].max(axis=1))
        self.filled = filled(self.inner, self.every, self.strange, light.glare[self.shade_at])
        explained = Explanation(
            self.sites.sites,
            self.batches,
            chances,
            nothing,
            self.kinds.allowed,
            self.kinds.diameters,
            self.kinds.flat,
            self.trust,
            self.masses,
            ~lit[:, None] & self.kinds.flat[None, :],
            self.filled,
        )
        explained.pursue()
        return explained, marks

    def lit(self, lights: Mapping[str, tuple[int, int, int]] | None, raw: Array) -> Array:
        """(sites,) where a light burns: where lights are told those, else what is burnt out."""
        if lights is None:
            lit: Array = self.wired & burning(raw, self.holes)
            return lit
        return np.array([any(lights.get(s.cell.id, (0, 0, 0))) for s in self.sites.sites])

    def near(self, lit: Array) -> Array:
        """Points to which the light of lit cells may spread."""
        near = np.zeros(len(self.flat), dtype=bool)
        for n in np.flatnonzero(lit):
            near[self.halos[n]] = True
        return near

    def presence(self, explained: Explanation, marks: Array, light: Light) -> Array:
        """(sites,) the log odds for a piece in each hole."""
        seen = signs(
            explained,
            self.batches,
            ~self.open,
            self.strange,
            self.same,
            marks[:, 0],
            self.relief[:, 0],
            light.glare[self.shade_at],
            self.kinds.usual,
        )
        return log_odds(seen, self.guessed_sites)

    def covered(self, explained: Explanation, light: Light, marks: Array) -> Cover:
        match, relief, seen = explained.patterns(self.batches, marks, self.relief)
        sharp = self.surely & (relief > RELIEF) & (seen >= 12)
        lost = sharp & unrecognised(match, relief, seen)
        shone = (light.glare | self.then.shiny)[self.middles]
        known = sharp & (match > KNOWN)
        standing = []
        for n, site in enumerate(self.sites.sites):
            many = len(site.stances)
            for found in explained.found[n]:
                lost[n] = known[n] = False
                if not self.kinds.flat[found.kind]:
                    solid, stance = divmod(found.stance, many)
                    standing.append((site.stances[stance], self.kinds.solids[solid]))
        return find_cover(self.around, light, standing, lost, known, self.sites.sites, shone)
