"""What lies over the board and is no piece: hands, sleeves, cards, hats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np

from calibration.view import Array, View
from hardware.boards import Cell
from hardware.boards.shapes import Zone
from vision.grid import Grid
from vision.light import ODD, Lattice, Light
from vision.outline import Added, crisp
from vision.relit import nearest
from vision.sites import Site
from vision.solids import Solid, Stance

AROUND = 13.0  # millimetres beyond a cell's edge that should look like the board
MATCH, MATCH_DEEP = 0.35, 0.5  # how well the pattern of an empty hole must be told, faint or deep
RELIEF = 5.0  # grey levels of pattern below which there is nothing to recognise
BIG = 550.0  # square millimetres of strange surface that are more than a speck
ARM, HAND = 1800.0, 9000.0  # the same of what hides no cell: over the board's edge, or anywhere
BESIDE = 90.0  # millimetres from what lies there within which its shadow and its rest may be
MARGIN = 8.0  # millimetres around a piece that it may hide
ALL_AROUND = 16.0  # the same within which nothing but a thing's surface is seen around what is none
AMID, FEWEST = 0.6, 5  # the part of that which must be strange, and how many places
AGAIN = 2  # how often one looks for the rest of a thing
HALF = 0.5
HALO, MOST_GLOW = 30.0, 0.4  # millimetres around a lit cell; the part of the board in halos
FINE = 16  # steps from one lattice point to the next
CRISP = 1.0  # the step in strangeness across a thing's outline
KNOWN = 0.6  # how well it must be recognised where nothing is to lie over it
OUTLINED = 0.65  # how clearly the edge of a hole must be seen for the same
DARKEST = 10  # percent of the face's places that are darker than where its shine has gone
DARKER = 0.15  # the logarithm of light from which a shadow is looked for
SHADES = 3000.0  # square millimetres of what may be but shadows of pieces
LIGHTER, FADING = 0.25, 0.5  # logarithm of light; its part lost at once at a thing's outline
CARD, MOSTLY = 40.0, 0.8  # millimetres around the zone of the cards; the part of a card near it
WITHIN = 0.75  # the part of a cell's surroundings from which it lies within a thing
THROUGH = 4  # cells seen in a thing, for each that is not, from which it is but a change of light
TOUCHED = 0.12  # the part of a cell's surroundings from which a thing may cover it
TOUCHED_FIELD = 0.25  # the same around a field: pieces on it that nobody found stick out


@dataclass(frozen=True)
class Cover:
    """The cells something lies over, and whether that is a thing to speak of."""

    cells: frozenset[int]  # sites
    blocked: bool
    area: float  # square millimetres of strange surface in what blocks
    beside: Array  # (sites,) true near what blocks: less is to be seen there than seems
    near: Array  # (lattice points,) the same


class Surroundings:
    """For each site the lattice points around it; made once for a view."""

    def __init__(
        self, place: Lattice, sites: Sequence[Site], view: View, zone: Zone | None
    ) -> None:
        self.place = place
        self.cards = near_cards(place, zone)
        self.eye = view.camera
        rings = [self.ring(site) for site in sites]
        widest = max((len(ring) for ring in rings), default=1) or 1
        self.rings = np.full((len(rings), widest), len(place.points), dtype=np.int64)
        for row, ring in enumerate(rings):
            self.rings[row, : len(ring)] = ring
        self.face = place.bare & (place.field < 0)
        self.faces = np.maximum(np.append(self.face, False)[self.rings].sum(axis=1), 1)
        self.middles = nearest(
            place, np.array([(s.cell.x, s.cell.y) for s in sites]).reshape(-1, 2)
        )
        self.touched = np.where([site.cell.is_field for site in sites], TOUCHED_FIELD, TOUCHED)
        self.border = np.zeros((place.rows, place.columns), dtype=bool)
        self.border[:2] = self.border[-2:] = True
        self.border[:, :2] = self.border[:, -2:] = True

    @cached_property
    def grid(self) -> Grid:
        """The steps of the board in which shadows are looked for."""
        return Grid(self.place.points, self.face, self.place.step)

    def ring(self, site: Site) -> Array:
        cell, points = site.cell, self.place.points
        dx, dy = np.abs(points[:, 0] - cell.x), np.abs(points[:, 1] - cell.y)
        if cell.size is not None:
            away = np.maximum(dx - cell.size[0] / 2, dy - cell.size[1] / 2)
        else:
            away = np.hypot(dx, dy) - cell.reach
        near: Array = np.flatnonzero((away < AROUND) & self.place.bare)
        return near

    def hidden(self, pieces: Sequence[tuple[Stance, Solid]], margin: float = MARGIN) -> Array:
        """The lattice points that standing pieces hide from the camera, with some margin."""
        place = self.place
        mask = np.zeros(place.shape, dtype=np.uint8)
        first = place.points[0]
        pitch = (place.points[-1] - first) / (place.columns - 1, place.rows - 1)
        x, y, z = self.eye
        for stance, solid in pieces:
            foot = np.array([stance.x, stance.y])
            far = solid.height * 1.15 / max(z - solid.height, 1.0)
            ends = (np.stack([foot, foot + (foot - (x, y)) * far]) - first) / pitch
            low, high = np.rint(ends * FINE).astype(int).tolist()
            wide = round((solid.diameter * 1.4 + margin) / float(pitch.mean()))
            cv2.line(mask, low, high, 1, max(wide, 1), cv2.LINE_8, FINE.bit_length() - 1)
        return mask.reshape(-1) > 0

    def amid(self, pieces: Sequence[tuple[Stance, Solid]], odd: Array, beside: Array) -> list[bool]:
        """Which pieces seem to stand `beside` a thing though all around them is as strange as it:
        what was taken for them is part of that thing.
        """
        found = []
        every = self.hidden(pieces, 0.0)
        spots = np.array([(stance.x, stance.y) for stance, _ in pieces]).reshape(-1, 2)
        for piece, at in zip(pieces, nearest(self.place, spots), strict=True):
            around = np.zeros(len(every), dtype=bool)
            if beside[at]:
                around = self.hidden([piece], ALL_AROUND) & ~every & self.place.bare
            found.append(int(around.sum()) >= FEWEST and bool((odd[around] > ODD).mean() > AMID))
        return found


def in_halos(spots: Array, cells: Sequence[Cell]) -> Array:
    """Which of some places (N, 2) on the board the light of cells that are lit may reach."""
    reached = np.zeros(len(spots), dtype=bool)
    for cell in cells:
        reached |= np.hypot(*(spots - (cell.x, cell.y)).T) < cell.reach + HALO
    return reached


def near_cards(place: Lattice, zone: Zone | None) -> Array:
    """(rows, columns) true where cards lie: in their zone and as far around as one sticks out."""
    if zone is None:
        return np.zeros(place.shape, dtype=bool)
    low = np.array([zone.x, zone.y]) - CARD
    high = np.array([zone.x + zone.width, zone.y + zone.height]) + CARD
    near: Array = ((place.points > low) & (place.points < high)).all(axis=1).reshape(place.shape)
    return near


@dataclass(frozen=True)
class Signs:
    """What each site tells of something lying over it, and the pieces that were found."""

    lost: Array  # (sites,) true where the pattern of an empty cell was not recognised
    known: Array  # (sites,) true where it clearly was
    held: Array  # (sites,) true where a piece seems to stand
    doubted: Array  # (sites,) false where a hole is seen to be empty all the same
    shone: Array  # (sites,) true where shine may have washed a pattern out
    lit: Array  # (sites,) true where a light burns
    pieces: Sequence[tuple[Stance, Solid]]
    owners: Sequence[int]  # the site of each piece

    def without(self, pieces: Sequence[bool]) -> Signs:
        """The same if some pieces were none: what is there instead is unknown."""
        gone = [n for n, its in zip(self.owners, pieces, strict=True) if its]
        lost, known, held = self.lost.copy(), self.known.copy(), self.held.copy()
        left = [n for n, its in enumerate(pieces) if not its]
        lost[gone], known[gone], held[gone] = True, False, False
        held[[self.owners[n] for n in left]] = True
        return replace(
            self,
            lost=lost,
            known=known,
            held=held,
            pieces=[self.pieces[n] for n in left],
            owners=[self.owners[n] for n in left],
        )


def find_cover(
    around: Surroundings, light: Light, signs: Signs, cells: Sequence[Site], more: Added
) -> Cover:
    """Join strange surface and unrecognised cells to things, and judge their size and place; what
    of the pieces was but a part of such a thing is looked at once more.
    """
    cover = lying_over(around, light, signs, cells, more)
    if 0 < cover.area < SHADES and signs.pieces:
        free = ~shaded(around, light, signs, cover.near)
        if not free.all():
            light = replace(light, odd=np.where(free, light.odd, 0.0))
            cover = lying_over(around, light, signs, cells, more)
    odd = np.where(light.blind, 0.0, light.odd)
    for _ in range(AGAIN if cover.blocked else 0):
        amid = around.amid(signs.pieces, odd, cover.near)
        if not any(amid):
            break
        signs = signs.without(amid)
        cover = lying_over(around, light, signs, cells, more)
    return cover


def shaded(around: Surroundings, light: Light, signs: Signs, beside: Array) -> Array:
    """(lattice points,) true in the shadows that pieces throw as those do which do not stand
    `beside` what seems to lie there.
    """
    feet = np.array([(stance.x, stance.y) for stance, _ in signs.pieces])
    wide = max(solid.diameter for _, solid in signs.pieces)
    clear = ~beside[nearest(around.place, feet)]
    dim = around.face & (light.lift - np.log(light.shade) < -DARKER)
    return around.grid.thrown(dim, feet, wide, clear)


def lying_over(
    around: Surroundings, light: Light, signs: Signs, cells: Sequence[Site], more: Added
) -> Cover:
    """What lies over the board if these are its pieces."""
    place = around.place
    glow = in_halos(place.points, [cells[n].cell for n in np.flatnonzero(signs.lit).tolist()])
    glow &= glow.mean() < MOST_GLOW  # or else one would see no hand at all
    free = place.bare & ~(around.hidden(signs.pieces) | glow)
    odd = np.where(free, light.odd, 0.0).astype(np.float32).reshape(place.shape)
    lift = light.lift.reshape(place.shape)
    told = (free & ~light.blind).reshape(place.shape)
    bright = light.bright.reshape(place.shape)
    things = sharp_things(place, odd, told, lift, bright, more)
    mask = things.astype(np.uint8)
    many = np.maximum((around.rings < len(place.points)).sum(axis=1), 1)
    open_still = np.maximum(np.append(free, False)[around.rings].sum(axis=1), 1)
    beyond = np.append(things.ravel() & around.face, False)[around.rings].sum(axis=1)
    touched = beyond > around.touched * around.faces
    shone = signs.shone | glow[around.middles]
    lost = signs.lost & (touched | (signs.doubted & ~shone))
    for n in np.flatnonzero(lost):
        spot = cells[int(n)].cell
        inside = np.hypot(*(place.points - (spot.x, spot.y)).T) < spot.reach + 5.0
        mask.reshape(-1)[inside] = 1
    reach = max(round(12.0 / place.step), 1)
    closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, disc(reach))
    padded = np.append(closed.ravel() > 0, False)[around.rings]
    over = lost | ((padded.sum(axis=1) > HALF * many) & (many >= 4) & ~signs.known)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(closed, connectivity=8)
    area, lying, blocks = 0.0, np.zeros(place.shape, dtype=bool), np.zeros(place.shape, np.uint8)
    for label in range(1, count):
        size = float(stats[label, cv2.CC_STAT_AREA]) * place.step**2
        if size < BIG:
            continue
        here = labels == label
        within = np.append(here & things, False)[around.rings].sum(axis=1) > WITHIN * many
        through = int((within & signs.known).sum())
        if through >= THROUGH and through > THROUGH * int((within & over).sum()):
            continue  # no thing lets what is under it be seen
        a_card = around.cards[here].mean() > MOSTLY
        at_edge = bool((here & around.border & things).any())
        large = size > (ARM if at_edge else HAND) and not a_card
        if large or covers(around, here.ravel(), over):
            area = max(area, size)
            lying |= here & things
            blocks[here] = 1
    # a sleeve of a piece's colour passes for one: none is told at the very edge of what lies there
    beside = np.append(lying.ravel() & free, False)[around.rings].sum(axis=1)
    over |= signs.held & (beside > TOUCHED * open_still)
    near = np.zeros(len(place.points), dtype=bool)
    if blocks.any():
        away = cv2.distanceTransform(1 - blocks, cv2.DIST_L2, 5) * place.step
        near = away.ravel() < BESIDE
    covering = frozenset(int(n) for n in np.flatnonzero(over))
    return Cover(covering, area > 0, area, near[around.middles], near)


def disc(reach: int) -> Array:
    size = 2 * reach + 1
    kernel: Array = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    return kernel


def sharp_things(
    place: Lattice, odd: Array, free: Array, lift: Array, bright: Array, more: Added
) -> Array:
    """Strange regions of some size with a crisp outline: things have one, light has none. `lift`:
    how much lighter they have become, as a logarithm, `bright`: how much lighter than the rest they
    were; `more`: where one looks closely at light that has come, or gone.
    """
    mask = cv2.morphologyEx((odd > ODD).astype(np.uint8), cv2.MORPH_OPEN, disc(1))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    face = (place.field < 0).reshape(odd.shape)
    things = np.zeros(odd.shape, dtype=bool)
    for label in range(1, count):
        size = float(stats[label, cv2.CC_STAT_AREA]) * place.step**2
        if size < BIG / 2:
            continue
        here = labels == label
        inner, outer = rim(here, 2) & free, fringe(here, 3) & free
        if outer.sum() >= 4 and not odder(odd[inner], odd[outer]):
            continue
        bare = lift[here & free]
        gone = size > ARM and without_its_shine(lift, bright, here, free & face)
        if not len(bare) or (np.median(bare) < LIGHTER and not gone):
            things |= here
        elif size > ARM or not softly(here, free, lift):
            things |= crisp(here, free, place, more)
    return things


def without_its_shine(lift: Array, bright: Array, here: Array, face: Array) -> bool:
    """Whether a region was lighter than most of the face and is now no darker than the rest."""
    inside, rest = here & face, face & ~here
    if not inside.any() or not rest.any() or np.median(bright[inside]) < LIGHTER:
        return False
    now = lift + bright
    return bool(np.median(now[inside]) > np.percentile(now[rest], DARKEST) - LIGHTER)


def odder(inner: Array, outer: Array) -> bool:
    """Whether what lies inside an outline is clearly stranger than what lies beyond."""
    return bool(len(inner) and np.median(inner) - np.median(outer) > CRISP)


def softly(here: Array, free: Array, lift: Array) -> bool:
    """Whether a small region gets less light towards its outline, as far as so few places tell."""
    inside = here & free
    inner, outer = rim(here, 1) & free, fringe(here, 2) & free
    if inner.sum() < 4 or outer.sum() < 4:
        return False
    drop = float(np.median(lift[inner]) - np.median(lift[outer]))
    return drop < FADING * float(np.percentile(lift[inside], 80))


def rim(here: Array, far: int) -> Array:
    """What lies just inside the outline of a region."""
    found: Array = here & (cv2.erode(here.astype(np.uint8), disc(far)) == 0)
    return found


def fringe(here: Array, far: int) -> Array:
    """What lies around a region, not right beside it."""
    mask = here.astype(np.uint8)
    found: Array = (cv2.dilate(mask, disc(far)) > 0) & (cv2.dilate(mask, disc(1)) == 0)
    return found


def covers(around: Surroundings, here: Array, over: Array) -> int:
    inside = np.append(here, False)[around.rings].any(axis=1)
    return int((inside & over).sum())
