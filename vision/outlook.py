"""All that reading knows of one table in one view: made once, kept until the board moves."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np

from calibration.table import Table
from calibration.view import Array, View, sample
from vision.batches import batches
from vision.colour import opponent, tint
from vision.cover import Surroundings, in_halos
from vision.dots import Dots
from vision.fields import borders_of
from vision.glow import holes_of
from vision.grid import Grid
from vision.hollow import Hollows
from vision.laying import tiles_of
from vision.light import ROUGH, Lattice, Surface, blurred, lattice, levels, linear, surface
from vision.looks import Empty, Kinds, decode, empty, kinds
from vision.place import anchors
from vision.relit import in_squares, nearest, on_surface, rows_of
from vision.sites import look_out
from vision.solids import roomy

LOW = 60.0  # degrees of elevation below which pieces hide each other too much
DARKER, FAINT = 0.22, 0.004  # how much darker a shadow is, as a logarithm; light that tells
WIDE, FAR = 20.0, 110.0  # millimetres: half the width of a shadow at most, and its length
GRAINS = 2.5  # sigmas of the grain by which it is darker at least
WIDELY = 10.0  # lattice points over which the face around a shadow is looked at
AKIN, COLOURED = 0.3, 0.3  # how far a field's tint may be from a piece's, and that from grey
PITCH = 4.0  # millimetres of the steps in which shadows are looked for
ENOUGH = 5  # points of a hole from which what is in it tells more than what is guessed around it


@dataclass(frozen=True)
class Learned:
    """What a table looked like when it was learned, made ready for comparing."""

    table: Table
    kinds: Kinds
    lattice: Lattice
    picture: Array  # of the empty board, as the camera gave it
    known: Array  # where in it something was seen: 1, or less where it is guessed
    empty: Empty
    then: Surface


def learned(table: Table) -> Learned:
    picture, known = decode(table)
    bare, place = empty(picture, View(table.lens, table.empty.pose)), lattice(table.board)
    place = seen_only(place, sample(known, bare.view.project(place.points)) > 0.5)
    if table.empty.unknown:
        place = unshaded(
            place,
            bare.sample(place.points)[0],
            sample(known, bare.view.project(place.points)) > 0.5,
        )
    then = surface(place, bare.sample(place.points)[0])
    return Learned(table, kinds(table), place, picture, known, bare, then)


def seen_only(place: Lattice, known: Array) -> Lattice:
    """The lattice without the places whose look is guessed, and those beside them: where a piece
    stood when the table was learned, its shadow lay too.
    """
    grid = known.astype(np.uint8).reshape(place.shape)
    sure = cv2.erode(grid, np.ones((3, 3), dtype=np.uint8), borderValue=1).ravel() > 0
    return replace(place, bare=place.bare & sure)


def unshaded(place: Lattice, colours: Array, known: Array) -> Lattice:
    """The lattice without the shadows that the pieces threw with which the table was learned: what
    is darker than the face around it and hangs together with a place where one stood.
    """
    face = place.bare & (place.field < 0)
    light = np.log(linear(colours).mean(axis=1) + FAINT)
    light -= float(np.median(light[face])) if face.any() else 0.0
    usual = blurred(place, light, face, FAINT, WIDELY)
    usual = blurred(place, light, face & (light > usual - DARKER), FAINT, WIDELY)
    grain = ROUGH * float(np.median(np.abs(light - usual)[face])) if face.any() else 0.0
    dark = (face & (light < usual - max(DARKER, GRAINS * grain))).reshape(place.shape)
    stood = cv2.dilate((~known).astype(np.uint8).reshape(place.shape), np.ones((5, 5), np.uint8))
    # what is wide, or goes far, is painted, or the shadow of something else
    round_one = cv2.getStructuringElement(
        cv2.MORPH_ELLIPSE, (2 * round(WIDE / place.step) + 1,) * 2
    )
    dark &= cv2.morphologyEx(dark.astype(np.uint8), cv2.MORPH_OPEN, round_one) == 0
    dark &= cv2.distanceTransform(1 - stood, cv2.DIST_L2, 3) * place.step < FAR
    _, labels = cv2.connectedComponents(dark.astype(np.uint8) | stood, connectivity=8)
    thrown = dark & np.isin(labels, np.unique(labels[stood > 0]))
    shaded = cv2.dilate(thrown.astype(np.uint8), np.ones((3, 3), dtype=np.uint8))
    return replace(place, bare=place.bare & (shaded.ravel() == 0))


class Outlook:
    """Where to look in one view, and what is to be seen there when the board is empty."""

    def __init__(self, learned: Learned, view: View) -> None:
        board, bare, place = learned.table.board, learned.empty, learned.lattice
        unknown = frozenset(learned.table.empty.unknown)
        self.view, self.kinds = view, learned.kinds
        width, height = view.lens.size
        self.sites = look_out(view, board, learned.kinds.solids)
        every = self.sites.sites
        cells = [site.cell for site in every]
        middles = np.array([(cell.x, cell.y) for cell in cells]).reshape(-1, 2)
        ground = self.sites.ground

        self.flat = self.sites.pixels[:, 1] * width + self.sites.pixels[:, 0]
        self.dots = Dots(view, self.sites, learned.kinds.solids)
        edges = view.project(np.concatenate([middles, middles + np.array([1.0, 0.0])]))
        self.scales = np.linalg.norm(edges[len(cells) :] - edges[: len(cells)], axis=1)
        self.lows = np.array([np.cos(np.radians(view.elevation((c.x, c.y)))) for c in cells])
        self.holes = holes_of(every, len(learned.kinds.solids), len(self.flat))
        self.middles = nearest(place, middles)
        self.around = Surroundings(place, every, view, board.card_zone)
        self.shade_at = nearest(place, ground)
        self.expected, self.slack = bare.sample(ground)
        self.relief = opponent(self.expected)
        self.open = on_surface(board, ground)
        self.inside = ~self.open
        field = in_squares(cells, ground)
        self.wide = field >= 0
        self.fields, self.field_sites = rows_of(field), np.unique(field[self.wide])
        self.borders = borders_of(cells, ground, self.fields, self.field_sites)
        self.guess = sample(learned.known, bare.view.project(ground)) < 0.5
        self.wired = np.array([cell.led is not None for cell in cells])
        self.halos = [np.flatnonzero(in_halos(ground, [cell])) for cell in cells]
        hidden = np.array([cell.id in unknown for cell in cells])
        # on a tile one knows what lies behind a pawn, whatever is under the tile
        self.holed = np.array([cell.shape == "hole" for cell in cells])
        self.others = np.flatnonzero(~self.holed).tolist()
        self.dished = np.array([roomy(cell, board.standing) for cell in cells])
        self.tiled = np.array([cell.kind == "tile" for cell in cells])
        self.guessed, self.surely = hidden & ~self.tiled, ~hidden & self.holed
        self.trust = self.trusted(hidden)
        self.masses = tuple(site.cover @ self.trust[site.points] for site in every)
        self.batches = batches(every, self.masses, len(self.flat))
        self.hollows = Hollows(
            view,
            every,
            ground,
            self.inside,
            place,
            opponent(learned.then.colours),
            self.relief,
            bare,
            unknown,
        )
        spots = np.rint(view.project(place.points)).astype(np.int64)
        spots = np.clip(spots, 0, (width - 1, height - 1))
        self.spots = spots[:, 1] * width + spots[:, 0]
        self.tiles = tiles_of(learned.table, view, self.sites, bare)
        self.anchors = anchors(board, learned.picture, bare.view, view)
        self.low = view.elevation((board.size[0] / 2, board.size[1] / 2)) < LOW

    @cached_property
    def akin(self) -> Array:
        """(sites, kinds) true for kinds of pieces that have the colour of a field."""
        kinds, found = self.kinds, np.zeros((len(self.sites.sites), len(self.kinds.flat)), bool)
        if len(self.fields):
            own = levels(kinds.light.astype(np.float32))
            usual = np.median(self.expected[self.fields], axis=1).astype(np.float32)
            theirs, its = tint(opponent(own)), tint(opponent(usual))
            apart = np.linalg.norm(its[:, None] - theirs, axis=2)
            coloured = np.hypot(*theirs.T) > COLOURED
            found[self.field_sites, : len(own)] = (apart < AKIN) & coloured
        return found

    @cached_property
    def grid(self) -> Grid:
        """The steps of the board in which shadows are looked for."""
        return Grid(self.sites.ground, self.wide, PITCH)

    def trusted(self, hidden: Array) -> Array:
        """1, but 0 where a hole's surroundings are only guessed and the hole itself is known."""
        trust = np.ones(len(self.guess), dtype=np.float32)
        for n in np.flatnonzero(hidden):
            points = self.sites.sites[n].points
            hole = points[self.inside[points] & ~self.guess[points]]
            if len(hole) >= ENOUGH:
                trust[points[self.guess[points] & self.open[points]]] = 0.0
        return trust

    def near(self, lit: Array) -> Array:
        """Points to which the light of lit sites may spread."""
        near = np.zeros(len(self.flat), dtype=bool)
        for n in np.flatnonzero(lit):
            near[self.halos[n]] = True
        return near

    def reached(self, lit: Array) -> frozenset[str]:
        """The cells to which the light of lit sites may spread."""
        cells = [site.cell for site in self.sites.sites]
        middles = np.array([(cell.x, cell.y) for cell in cells]).reshape(-1, 2)
        near = in_halos(middles, [cells[n] for n in np.flatnonzero(lit).tolist()])
        return frozenset(cells[n].id for n in np.flatnonzero(near).tolist())
