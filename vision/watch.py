"""Pictures over time: hands, stillness, bumps, changing light; a still board when there is one.

Where lights burn under the cells, a board that has come to rest is read while they are dark.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np

from calibration.view import Array
from hardware.boards import Cell
from vision.continuity import Memory
from vision.cover import sharp_things
from vision.darkness import DOUBTS, REST, Darkness
from vision.light import Surface, linear, relight, surface
from vision.looks import soften
from vision.motion import SMALL, board_mask, change, small
from vision.outline import Shown, added
from vision.picture import PictureError
from vision.reading import Reader, Reading, Seen

State = Literal["moving", "hand", "still"]
Event = Literal["rebumped", "relit", "lost", "dark"]

CALM = 3  # frames without motion before one looks closely
AGREE = 2  # readings that must agree
PATIENCE = 40  # frames an unexplained change must lie still, and be no hand, to be let pass
REREAD = 20  # calm frames after which a still board is read again all the same
RELIT = 0.18  # logarithm of a change of light that is told
FEW = 2  # cells left open that are no sign of a hand
FLICKER = 24.0  # millimetres around a lit cell to which its light spreads
BESIDE = 20.0  # millimetres beside the board in which an arm that reaches in is seen
ARM = 14  # small pixels of it
SHADOW, TOUCHES = 2500.0, 3  # square millimetres of a piece's long shadow; lattice points to it
COLOURLESS, MOSTLY_SHADE = 0.25, 0.6  # logarithms between colours of a shadow; how much of it
HARDLY = 0.1  # logarithm by which nothing has become lighter
SHADED = 0.15  # logarithm by which a place had been darker than the empty board
FAINT = 0.01  # light that tells
TOLD_LOST = 12  # frames without recognising anything


@dataclass(frozen=True)
class Watched:
    """One frame's verdict; `reading` is the board of the newest still moment, None before one."""

    state: State
    reading: Reading | None
    changed: bool  # true on the frame where a new still board is first reported
    events: tuple[Event, ...]
    darken: bool = False  # whether the lights should be dark for the frames that follow


@dataclass(frozen=True)
class Recent:
    """The board's surface when it was last accepted, and the picture of it."""

    surface: Surface
    shown: Shown


class Watcher:
    """Follows one table; call `see` with every frame."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.before: Array | None = None  # the last frame, small
        self.accepted: Array | None = None  # the frame last accepted as still, small
        self.recent: Recent | None = None  # the surface then
        self.beside: Array | None = None  # what lay along the board's edge then, small
        self.gain = np.ones(3)
        self.calm = 0
        self.waited = 0
        self.idle = 0
        self.unseen = 0
        self.agreeing: list[Reading] = []
        self.board: Reading | None = None
        self.lights: Mapping[str, tuple[int, int, int]] | None = None
        self.shone: list[Cell] = []  # the cells that were lit when a board was accepted
        self.touched = True  # something has moved since a board was accepted
        self.covered = False  # something lay over the board when the lights were dark
        self.rested = 0.0  # since when nothing has moved
        self.darkness: Darkness[Reading] = Darkness()
        self.memory = Memory()
        board = reader.table.board
        self.tiles = {piece.name for piece in board.pieces} - {p.name for p in board.standing}
        self.outline()

    def outline(self) -> None:
        board, view = self.reader.table.board, self.reader.outlook.view
        (w, h), high = board.size, max((p.height for p in board.pieces), default=0.0)
        corners = [(x, y, z) for x in (0.0, w) for y in (0.0, h) for z in (0.0, high)]
        self.mask = board_mask(view.project(np.array(corners)), view.lens.size)
        self.away = self.away_from(self.lit())
        self.away_then = self.away_from(self.shone)
        near = view.project(np.array([(0.0, 0.0), (BESIDE, 0.0)]))
        reach = max(round(float(np.linalg.norm(near[1] - near[0])) / SMALL), 1)
        kernel = np.ones((2 * reach + 1, 2 * reach + 1), dtype=np.uint8)
        self.edge = cv2.dilate(self.mask, kernel) - self.mask

    def away_from(self, lit: list[Cell]) -> Array:
        """1, but 0 at the places whose light comes and goes by itself: no motion there."""
        away = np.ones_like(self.mask)
        turns = np.linspace(0.0, 2.0 * np.pi, 16, endpoint=False)
        for cell in lit:
            far = cell.reach + FLICKER
            ring = [(cell.x + far * np.cos(t), cell.y + far * np.sin(t), 0.0) for t in turns]
            spots = self.reader.outlook.view.project(np.array(ring)) / SMALL
            cv2.fillConvexPoly(away, np.rint(spots).astype(np.int32), 0.0)
        return away

    def lit(self) -> list[Cell]:
        """The cells whose light is on, as far as anybody has told."""
        lights = self.lights or {}
        return [c for c in self.reader.table.board.cells if any(lights.get(c.id, (0, 0, 0)))]

    def see(
        self,
        image: np.ndarray,
        time: float,
        lights: Mapping[str, tuple[int, int, int]] | None = None,
    ) -> Watched:
        """Take one BGR frame at `time` seconds (any clock that never runs back).

        `lights`: what the LEDs may have shown while it was taken, None if nobody knows. Where the
        answer says `darken`, they should be dark for the next frames; reading goes on without it
        if that never happens.
        """
        try:
            self.reader.check(image)
        except PictureError:
            self.darkness.over()
            return self.told("moving", ("lost",))
        now = small(image, self.mask)
        last, self.before = self.before, now
        switched = lights != self.lights
        quiet = self.hear(lights) if switched else self.away
        self.darkness.switched(switched)
        found = None if last is None else change(last, now, self.mask * quiet)
        if found is None or not found.still:
            if found is None or not switched:
                self.rested = time
                return self.moving(0.0 if found is None else found.overall)
            # their light may reach farther than we think: one more frame tells
            self.calm = min(self.calm, CALM - 2)
        self.calm += 1
        if self.calm < CALM and not self.early():
            return self.told("moving")
        if not self.darkness.asked and self.unchanged(now):
            return self.told("still")
        if self.darkness.waits(bool(self.lit())):
            return self.told("moving")
        return self.look(image, now, time)

    def told(self, state: State, events: tuple[Event, ...] = (), changed: bool = False) -> Watched:
        return Watched(state, self.board, changed, events, self.darkness.asked)

    def hear(self, lights: Mapping[str, tuple[int, int, int]] | None) -> Array:
        """Other lights burn; what is away from them and from those that burnt before."""
        before, self.agreeing = self.away, []
        self.lights = None if lights is None else dict(lights)
        self.away = self.away_from(self.lit())
        both: Array = before * self.away
        return both

    def early(self) -> bool:
        """Whether to look a frame sooner, since darkness has to be asked for first."""
        ready = self.touched and not self.darkness.spent
        return ready and self.calm == CALM - 1 and bool(self.lit())

    def moving(self, overall: float) -> Watched:
        self.darkness.moved(self.calm == 0, overall)
        self.calm = self.waited = 0
        self.touched = True
        self.covered = False
        self.agreeing = []
        return self.told("moving")

    def unchanged(self, now: Array) -> bool:
        """Whether the board reported last is still what one sees, so that it need not be read."""
        if self.accepted is None or self.board is None or self.touched:
            return False
        self.idle += 1
        steady = self.mask * self.away * self.away_then
        if self.idle > REREAD or not change(self.accepted, now, steady).still:
            return False
        self.accepted = self.accepted + 0.1 * (now - self.accepted) * self.away  # slow daylight
        return True

    def look(self, image: np.ndarray, now: Array, time: float) -> Watched:
        """Read a calm frame; report it once two readings agree and nothing lies over the board."""
        try:
            reading = self.reader.read(image, self.lights)
        except PictureError:
            return self.hidden(("dark",))
        events: tuple[Event, ...] = ()
        if "not recognised" in reading.warnings:
            self.unseen += 1
            return self.hidden(("lost",) if self.unseen == TOLD_LOST else ())
        self.unseen = 0
        if "moved" in reading.warnings:
            events = ("rebumped",)
            self.recent = self.beside = None
            self.touched = True
            self.outline()
        self.waited += 1
        burning = bool(self.lit())
        if burning and self.covered:  # what was seen in the dark hides among the lights
            if self.waited % PATIENCE == 0:
                self.darkness.ask()
            return self.told("hand", events)
        if reading.blocked:
            if burning and self.touched and not self.darkness.spent and self.waited >= PATIENCE:
                self.darkness.ask()  # or do only the lights look like a hand?
            self.covered = not burning
            return self.hidden(events)
        soft = soften(image)
        pixels = soft.reshape(-1, 3).take(self.reader.outlook.spots, axis=0).astype(np.float32)
        beside = small(image, self.edge)
        if self.waited < PATIENCE and (
            self.reaches_in(beside) or self.something_new(soft, pixels, reading)
        ):
            self.covered = not burning
            return self.hidden(events)
        if burning and self.touched and not self.darkness.spent:
            if time - self.rested >= REST or self.calm > CALM:
                self.darkness.ask()
            return self.told("moving", events)
        if burning and not self.touched and not self.darkness.denied and self.board is not None:
            return self.reread(reading, self.board, now)
        if self.agreeing and not same(self.agreeing[-1], reading):
            self.agreeing = []
        self.agreeing.append(reading)
        if len(self.agreeing) < AGREE:
            return self.told("moving", events)
        self.beside = beside
        return self.accept(joined(self.agreeing[-AGREE:]), now, soft, pixels, events)

    def reread(self, reading: Reading, board: Reading, now: Array) -> Watched:
        """A board at rest seen by its lights, which is less sure: they alone change nothing."""
        doubts = self.darkness.doubts
        other = not any(same(one, reading) for one in (board, *doubts))
        if (other or self.memory.doubted) and len(doubts) < DOUBTS:
            self.darkness.ask(reading)
            return self.told("moving")
        if self.accepted is not None:
            self.accepted = np.where(self.away > 0, now, self.accepted)
        self.idle = self.waited = 0
        return self.told("still")

    def hidden(self, events: tuple[Event, ...]) -> Watched:
        """Something lies over the board: in the dark as many looks are taken as there may be."""
        self.agreeing = []
        return self.told("hand", events)

    def reaches_in(self, beside: Array) -> bool:
        """Whether something has come that lies along the board's edge: an arm comes from there."""
        if self.beside is None:
            return False
        return change(self.beside, beside, self.edge * self.away * self.away_then).area > ARM

    def something_new(self, soft: Array, pixels: Array, reading: Reading) -> bool:
        """Whether something with a crisp outline has come that no piece explains."""
        if self.recent is None:
            return False
        place, then = self.reader.learned.lattice, self.recent.surface
        light = relight(place, pixels, then)
        free = place.bare & ~(light.blind | self.near_pieces(reading))
        odd = np.where(free, light.odd, 0.0).astype(np.float32).reshape(place.shape)
        lift, bright = light.lift.reshape(place.shape), light.bright.reshape(place.shape)
        more = added(Shown(soft, self.reader.outlook.view), self.recent.shown, light.overall)
        things = sharp_things(place, odd, free.reshape(place.shape), lift, bright, more)
        if not things.any():
            return False
        shade = self.shades(linear(pixels) * light.overall.astype(np.float32), then)
        standing = self.near(place.points, {s.cell for s in self.seen_of(reading)})
        return beyond_shadows(
            things, shade.reshape(place.shape), standing.reshape(place.shape), place.step
        )

    def shades(self, present: Array, recent: Surface) -> Array:
        """Lattice points that have become darker and kept their colour, or lighter where they had
        been darker than the empty board: shadows that came or went.
        """
        then = self.reader.learned.then.light
        change = np.log((present + FAINT) / (recent.light + FAINT))
        before = np.log((recent.light + FAINT) / (then + FAINT)).mean(axis=1)
        bare = self.reader.learned.lattice.bare
        shaded = before < float(np.median(before[bare])) - SHADED
        darker = change.mean(axis=1) < HARDLY
        found: Array = (np.ptp(change, axis=1) < COLOURLESS) & (darker | shaded)
        return found

    def seen_of(self, reading: Reading) -> list[Seen]:
        """The pieces that stand now or stood before."""
        return [seen for r in (reading, self.board) if r is not None for seen in r.pieces]

    def near(self, points: Array, cells: Iterable[str]) -> Array:
        """Points near some cells."""
        near = np.zeros(len(points), dtype=bool)
        for cell in map(self.reader.table.board.cell, cells):
            near |= np.hypot(points[:, 0] - cell.x, points[:, 1] - cell.y) < cell.reach + 40.0
        return near

    def near_pieces(self, reading: Reading) -> Array:
        """Lattice points near pieces now or before, and in the zone of the cards."""
        board, points = self.reader.table.board, self.reader.learned.lattice.points
        places = {seen.cell for seen in self.seen_of(reading)}
        places |= {cell.id for cell in (*self.lit(), *self.shone)}
        for one in (reading, self.board):  # a piece there may just not be sure enough
            if one is not None and len(one.unsure) <= FEW:
                places |= set(one.unsure)
        near = self.near(points, places)
        if board.card_zone is not None:
            zone, wide = board.card_zone, 45.0
            x, y = points[:, 0], points[:, 1]
            near |= (
                (x > zone.x - wide)
                & (x < zone.x + zone.width + wide)
                & (y > zone.y - wide)
                & (y < zone.y + zone.height + wide)
            )
        return near

    def without_puzzles(self, reading: Reading) -> Reading:
        """A board without claims that do not go with what was there before."""
        doubted = self.memory.doubt(reading.pieces, reading.unsure, self.tiles)
        pieces = tuple(seen for seen in reading.pieces if seen.cell not in doubted)
        return replace(reading, pieces=pieces, unsure=(*reading.unsure, *sorted(doubted)))

    def accept(
        self,
        reading: Reading,
        now: Array,
        soft: Array,
        pixels: Array,
        events: tuple[Event, ...],
    ) -> Watched:
        doubted = self.memory.doubted
        reading = self.without_puzzles(reading)
        changed = self.board is None or not same(self.board, reading)
        changed |= doubted != self.memory.doubted
        light = relight(self.reader.learned.lattice, pixels, self.reader.learned.then)
        if self.accepted is not None and np.abs(np.log(light.overall / self.gain)).max() > RELIT:
            events = (*events, "relit")
        self.gain = light.overall
        shown = Shown(soft, self.reader.outlook.view)
        self.recent = Recent(surface(self.reader.learned.lattice, pixels), shown)
        self.accepted, self.board = now, reading
        self.shone, self.away_then = self.lit(), self.away
        self.touched = self.covered = False
        self.idle = self.waited = 0
        self.agreeing = []
        self.darkness.over()
        return self.told("still", events, changed)


def beyond_shadows(things: Array, shade: Array, near: Array, step: float) -> bool:
    """Whether any of some things is more than the shadow of a piece `near` it, come or gone: small,
    and mostly but a `shade`.
    """
    wide = np.ones((2 * TOUCHES + 1, 2 * TOUCHES + 1), dtype=np.uint8)
    beside = cv2.dilate(near.astype(np.uint8), wide) > 0
    count, labels, stats, _ = cv2.connectedComponentsWithStats(things.astype(np.uint8))
    for label in range(1, count):
        here = labels == label
        size = float(stats[label, cv2.CC_STAT_AREA]) * step**2
        if size > SHADOW or not beside[here].any() or shade[here].mean() < MOSTLY_SHADE:
            return True
    return False


def same(one: Reading, other: Reading) -> bool:
    """Whether two readings claim the same wherever both claim anything."""
    open_cells = {*one.unsure, *other.unsure}

    def said(reading: Reading) -> list[tuple[str, str]]:
        return sorted((s.cell, s.name) for s in reading.pieces if s.cell not in open_cells)

    return said(one) == said(other)


def joined(readings: list[Reading]) -> Reading:
    """The newest of agreeing readings, with what any of them was unsure of left open."""
    newest = readings[-1]
    unsure = dict.fromkeys(cell for reading in readings for cell in reading.unsure)
    return replace(
        newest,
        pieces=tuple(seen for seen in newest.pieces if seen.cell not in unsure),
        unsure=tuple(unsure),
    )
