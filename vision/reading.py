"""One picture of a calibrated table to one reading: what stands where, how sure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter_ns

import cv2
import numpy as np

from calibration.table import Table
from calibration.view import Array, View
from vision.cast import cast, without_cast
from vision.census import recount
from vision.claims import Claims, Seen, gathered
from vision.cover import KNOWN, MATCH, MATCH_DEEP, OUTLINED, RELIEF, Cover, Signs, find_cover
from vision.doubts import Judge
from vision.evidence import Evidence, Lights, weigh
from vision.explain import Explanation, Standing
from vision.laying import Laying
from vision.light import Light, relight
from vision.likeness import SHOWN, outlined, patterns
from vision.looks import soften
from vision.outline import Shown, added
from vision.outlook import Outlook, learned
from vision.picture import PictureError
from vision.place import relocate, stay
from vision.presence import Presence, presence
from vision.shadows import without_shadows

BLACK, DIM = 6.0, 22.0  # mean grey levels: nothing to see, little to see
CLEARLY = -3.0  # log odds below which a hole is seen to be empty
DEEP = 20.0  # grey levels of pattern that can be missed only where something lies over them
WHOLLY = 0.6  # the part of a field that something lying beside it has changed if it lies there too
LEAST = 0.3  # the part of a field that pieces leave to be seen at least, for that to be told
FAINT = 12.0  # grey levels of pattern that noise and shine may hide
PLAINLY = -11.0  # the same where nothing can lie over it, either, and its pattern is faint
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


@dataclass(frozen=True)
class Sight:
    """One picture weighed, and nothing said yet."""

    judge: Judge
    presence: Presence
    laid: Laying | None


class Reader:
    """Reads pictures of one table."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.learned = learned(table)
        self.coloured = any(max(c) - min(c) > 20 for p in table.pieces for c in p.palette)
        self.settle(table.view)

    def settle(self, view: View) -> None:
        """Make ready for a board that lies as in `view`."""
        self.outlook = Outlook(self.learned, view)

    def read(self, image: np.ndarray, lights: Lights | None = None) -> Reading:
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
        light = self.light(soft)
        watch.tick("light")
        if moved is None and light.seen < STRANGE:
            every = tuple(cell.id for cell in self.table.board.cells)
            return self.reading(Claims((), every), True, (*warnings, "not recognised"), watch)
        sight = self.look(image, soft, light, lights, watch)
        tiles, laid = self.outlook.tiles, sight.laid
        strange = tiles.disguised(laid) if tiles is not None and laid is not None else frozenset()
        said = recount(self.learned, sight.judge, sight.presence, strange)
        claims = gathered(self.outlook.sites, said)
        blocked = sight.judge.cover.blocked
        if laid is not None and tiles is not None:
            glow = self.outlook.reached(sight.judge.evidence.lit)
            claims, lies = tiles.add(claims, laid, sight.judge.explained, glow)
            blocked |= lies
        watch.tick("claims")
        if moved:
            warnings = (*warnings, "moved")
        return self.reading(claims, blocked, warnings, watch)

    def sight(self, image: np.ndarray, lights: Lights | None = None) -> Sight:
        """What is weighed of a picture before anything is claimed; the board has not moved."""
        self.check(image)
        soft = soften(image)
        return self.look(image, soft, self.light(soft), lights, Stopwatch())

    def light(self, soft: Array) -> Light:
        spots = soft.reshape(-1, 3).take(self.outlook.spots, axis=0)
        return relight(self.learned.lattice, spots.astype(np.float32), self.learned.then)

    def look(
        self, image: Array, soft: Array, light: Light, lights: Lights | None, watch: Stopwatch
    ) -> Sight:
        outlook, kinds, pixels = self.outlook, self.learned.kinds, soft.reshape(-1, 3)
        tiles = outlook.tiles
        laid = tiles.lay(pixels, image.reshape(-1, 3), light) if tiles else None
        watch.tick("tiles")
        evidence = weigh(self.learned, outlook, pixels, light, laid, lights)
        explained = self.explain(evidence)
        # fields have told already in which light the pieces on them stand
        light_of_pieces = None if len(outlook.fields) else cast(kinds, evidence, explained)
        if light_of_pieces is not None:
            evidence = without_cast(kinds, evidence, light_of_pieces)
            explained = self.explain(evidence)
        evidence = without_shadows(outlook, kinds, evidence, explained)
        watch.tick("explain")
        there = presence(self.learned, outlook, evidence, explained)
        watch.tick("presence")
        cover = self.covered(explained, light, evidence, there.holes, soft)
        watch.tick("cover")
        return Sight(Judge(self.learned, outlook, evidence, explained, cover, lights), there, laid)

    def beyond(self, found: Sequence[Standing]) -> bool:
        """Whether more of a kind were found in one place than exist: then it is a sleeve, say."""
        if len(found) < 2:
            return False
        many = Counter(standing.kind for standing in found)
        return any(n > self.learned.kinds.exist[kind] for kind, n in many.items())

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
        few = np.ascontiguousarray(soft[::7, ::7])
        middle, spread = cv2.meanStdDev(few.reshape(-1))
        bright = float(middle[0, 0])
        if bright < BLACK and float(np.percentile(few, 99)) < 4 * BLACK:
            raise PictureError("all black: take the cap off, switch on a light")
        if float(spread[0, 0]) < 2.0:
            raise PictureError("nothing to see: the picture is of one colour")
        if self.coloured and not any((few[..., 0] != few[..., n]).any() for n in (1, 2)):
            raise PictureError("a grey picture: pieces are told by their colours")
        told = ("camera too low",) if self.outlook.low else ()
        return (*told, "too dark") if bright < DIM else told

    def follow(self, image: Array) -> bool | None:
        """True where the board had moved and was found again, None where nothing is recognised."""
        before = self.outlook
        if not before.anchors or stay(image, before.anchors).still:
            return False
        found = relocate(self.table.board, image, self.table.lens, before.view)
        if found is None:
            return None
        self.settle(found.view)
        if not stay(image, self.outlook.anchors).still:
            self.outlook = before
            return None
        return True

    def explain(self, evidence: Evidence) -> Explanation:
        """Pieces that together explain the picture."""
        outlook, kinds = self.outlook, self.learned.kinds
        explained = Explanation(
            outlook.sites.sites,
            outlook.batches,
            evidence.chances,
            evidence.nothing,
            kinds.allowed,
            kinds.diameters,
            kinds.flat,
            outlook.trust,
            outlook.masses,
            ~evidence.lit[:, None] & kinds.flat[None, :],
        )
        explained.pursue()
        return explained

    def covered(
        self, explained: Explanation, light: Light, evidence: Evidence, odds: Array, soft: Array
    ) -> Cover:
        outlook, kinds, marks = self.outlook, self.learned.kinds, evidence.marks
        ready = [batch for batch in outlook.batches if outlook.holed[batch.numbers].any()]
        alike = patterns(explained, ready, marks, outlook.relief)
        sharp = outlook.surely & (alike.relief > RELIEF) & (alike.seen >= SHOWN)
        deep = alike.relief > DEEP
        lost = sharp & (alike.match < np.where(deep, MATCH_DEEP, MATCH))
        # shine that has come hides a pattern, shine that has gone may have made it
        shone = (light.glare | self.learned.then.shiny)[outlook.middles]
        known = sharp & (alike.match > KNOWN)
        standing, owners, held = [], [], np.zeros(len(lost), dtype=bool)
        for n, site in enumerate(outlook.sites.sites):
            many = len(site.stances)
            if self.beyond(explained.found[n]):
                lost[n] = True
                continue
            for found in explained.found[n]:
                lost[n] = known[n] = False
                if not kinds.flat[found.kind]:
                    held[n] = True
                    solid, stance = divmod(found.stance, many)
                    standing.append((site.stances[stance], kinds.solids[solid]))
                    owners.append(n)
        fields = outlook.field_sites
        bare = explained.bare[outlook.fields]
        away = (evidence.unlike[outlook.fields] & bare).sum(axis=1)
        lost[fields] |= away > WHOLLY * np.maximum(bare.sum(axis=1), LEAST * bare.shape[1])
        doubted = outlook.holed & (deep | (odds > CLEARLY))
        edge = outlined(explained, ready, marks[:, 0], outlook.inside) > OUTLINED
        plain = outlook.surely & (edge | ((alike.relief < FAINT) & (odds < PLAINLY)))
        lost, known = lost & ~plain, known | plain
        more = added(Shown(soft, outlook.view), self.learned.empty.shown, light.overall)
        signs = Signs(lost, known, held, doubted, shone, evidence.lit, standing, owners)
        return find_cover(outlook.around, light, signs, outlook.sites.sites, more)
