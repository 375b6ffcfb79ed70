"""The present light against that of the empty look: brightness and shine, place by place."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np

from calibration.view import Array
from hardware.boards import Board
from vision.colour import least, most, total
from vision.lanes import middles

PER_SIDE = 90  # lattice points along the board's longer side
BLUR = 3.0  # lattice points over which the light changes
GRAIN = 7  # lattice points across the patches whose grain is compared
ODD = 1.5  # from here on it is not the board that one sees
HARDLY_ODD = 0.6  # below it is less so the less odd it is
TILE_EDGE = 12.0  # millimetres
EDGE = 4.0  # millimetres along the board's edge that may show its side
GAMMA = 2.2
BURNT, DAZZLING = 247, 235  # levels that tell nothing, and from which they tell less and less
SHINY_THEN = 0.15
FLARE = 0.35
GLARE, GLARE_REACH = 0.035, 5  # light added; lattice points
LINEAR = ((np.arange(256) / 255.0) ** GAMMA).astype(np.float32)
RECOGNISED, FOREIGN = 0.45, 0.15  # likeness of the grain
FINE = 1 << 14
LEVELS = (255.0 * (np.arange(FINE + 1) / FINE) ** (1 / GAMMA)).astype(np.float32)
SHADE = 0.7  # how much brighter or darker, as a logarithm, the light makes a whole region
ROUGH = 1.48  # from the middle of what lies off to a sigma
MANY, ASKED, ROUNDS, FLAT = 60, 400, 4, 1.0  # points for a curve of colours, and how it is found
MIXED = 0.04  # logarithm of what lamps differ in colour, from which that matters
BESIDE, FEW, WHOLLY = 2, 6, 0.8  # places around a field, least of them; part of it that is odd
ALMOST = 85  # per cent of what is around it that must not be
TINT, STEP, SHINY = 0.10, 0.35, 0.10  # scales of what is odd: colour, shade, shine


def amounts(raw: Array) -> Array:
    """Grey levels of eight bits to amounts of light."""
    # four times as quick as an index, but nothing comes of no levels at all
    found: Array = cv2.LUT(raw, LINEAR) if raw.size else LINEAR[raw]
    return found


def rounded_amounts(seen: Array) -> Array:
    """Grey levels of any kind to amounts of light, near enough."""
    return amounts(np.clip(np.rint(seen), 0, 255).astype(np.uint8))


def linear(colours: Array) -> Array:
    """Grey levels to amounts of light, 0 to 1."""
    flat: Array = np.power(np.maximum(colours, 0.0) / 255.0, GAMMA, dtype=np.float32)
    return flat


def levels(light: Array) -> Array:
    """Amounts of light back to grey levels."""
    steps = np.clip(light * np.float32(FINE), 0, FINE).astype(np.int32)
    found: Array = LEVELS.take(steps)
    return found


@dataclass(frozen=True)
class Lattice:
    """Points spread over the bare surface of a board, row by row."""

    rows: int
    columns: int
    step: float
    points: Array  # (rows * columns, 2) millimetres
    bare: Array  # (rows * columns,) false in holes, on tiles, markers and beside the board
    field: Array  # (rows * columns,) the number of the field there, which may be painted, or -1

    @property
    def shape(self) -> tuple[int, int]:
        return self.rows, self.columns

    @cached_property
    def planes(self) -> Array:
        """(rows * columns, 6) each place's part in planes and curved planes over the board."""
        across, down = self.points.T
        u, v = across / across.max() * 2.0 - 1.0, down / down.max() * 2.0 - 1.0
        return np.column_stack([np.ones_like(u), u, v, u * u, u * v, v * v])

    @cached_property
    def plots(self) -> tuple[tuple[Array, Array], ...]:
        """For each field, the places on it and those of the face just around it."""
        found = []
        face = (self.bare & (self.field < 0)).reshape(self.shape)
        wide = np.ones((2 * BESIDE + 1, 2 * BESIDE + 1), dtype=np.uint8)
        for n in np.unique(self.field[self.field >= 0]):
            inside = (self.field == n).astype(np.uint8).reshape(self.shape)
            around = (cv2.dilate(inside, wide) > 0) & face
            if around.sum() >= FEW:
                found.append((np.flatnonzero(inside), np.flatnonzero(around)))
        return tuple(found)

    @cached_property
    def sizes(self) -> Array:
        """How many places there are on each of these fields."""
        return np.array([len(inside) for inside, _ in self.plots], dtype=np.int64)

    @cached_property
    def fielded(self) -> Array:
        """The places on them, one field after the other."""
        none = np.zeros(0, dtype=np.int64)
        return np.concatenate([none, *(inside for inside, _ in self.plots)])

    @cached_property
    def on_fields(self) -> Array:
        """On which of them each of these places is."""
        return np.repeat(np.arange(len(self.plots)), self.sizes)


def lattice(board: Board, margin: float = 3.5) -> Lattice:
    width, height = board.size
    step = max(width, height) / PER_SIDE
    columns, rows = max(int(width / step), 2), max(int(height / step), 2)
    xs, ys = (np.arange(columns) + 0.5) * width / columns, (np.arange(rows) + 0.5) * height / rows
    points = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
    bare, field = np.ones(len(points), dtype=bool), np.full(len(points), -1)
    for n, cell in enumerate(board.cells):
        dx, dy = np.abs(points[:, 0] - cell.x), np.abs(points[:, 1] - cell.y)
        if cell.is_field:
            field[np.maximum(dx, dy) < cell.reach] = n
        elif cell.size is not None:  # tiles are thick: they hide and shade what is beside them
            wide = TILE_EDGE + np.array(cell.size) / 2
            bare &= (dx > wide[0]) | (dy > wide[1])
        else:
            bare &= np.hypot(dx, dy) > cell.reach + margin
    edge = np.minimum(points, np.array([width, height]) - points).min(axis=1)
    bare &= edge > EDGE
    for marker in board.markers:
        middle = np.mean(marker.corners, axis=0)
        reach = max(float(np.hypot(*(np.array(c) - middle))) for c in marker.corners) + margin
        bare &= np.hypot(*(points - middle).T) > reach
    return Lattice(rows, columns, step, points, bare, field)


@dataclass(frozen=True)
class Surface:
    """The empty look at the lattice, ready to compare with."""

    colours: Array  # BGR levels
    light: Array  # linear
    grain: Array  # (rows, columns) what is left of its log lightness without the large scale
    spread: Array  # (rows, columns) how much of that there is around each point
    many: Array  # (rows, columns) bare points around each point
    shiny: Array  # (rows * columns,) true where that look has shine on it, or is burnt out
    plain: Array  # (3,) the usual light of its face
    dark: Array  # (rows * columns,) how much less of that it has without any shine, a logarithm
    shine: Array  # (rows * columns,) white light added to that; on fields as on the face around
    bright: Array  # (rows * columns,) how much lighter it is than most of its face, a logarithm


@dataclass(frozen=True)
class Light:
    """What has changed since the empty look was learned."""

    overall: Array  # (3,): linear gains that bring the present picture back to then
    shade: Array  # (rows * columns,): how much lighter a place is than then, after these
    shine: Array  # (rows * columns,): white light that has come (or gone) on top
    odd: Array  # (rows * columns,): how unlike the board it looks there
    blind: Array  # (rows * columns,): true where nobody knows, for shine was learned there
    glare: Array  # (rows * columns,): true where shine has come, or near it
    lift: Array  # (rows * columns,): how much lighter, as a logarithm, its least lighter colour is
    bright: Array  # (rows * columns,): how much lighter than most of its face it was then, the same
    seen: float  # share of the bare surface that looks like itself
    uneven: float  # how far most of it is from what is expected, a part of its grey level

    def evenly(self) -> Light:
        """The same light without anything local: one place stands for all."""
        return replace(self, shade=np.ones(1), shine=np.zeros(1))


def surface(place: Lattice, colours: Array) -> Surface:
    weight = place.bare.astype(np.float32).reshape(place.shape)
    many = cv2.boxFilter(weight, -1, (GRAIN, GRAIN), normalize=False) + 1e-6
    grain = rough(place, colours, many)
    spread = cv2.boxFilter(grain * grain, -1, (GRAIN, GRAIN), normalize=False) / many
    light = linear(colours)
    face = place.bare & (place.field < 0)
    plain = np.median(light[face if face.any() else slice(None)], axis=0)
    shade, shine, _ = split(light, np.broadcast_to(plain, light.shape))
    dark = np.minimum(in_steps(shade), 0.0)
    fields = place.field >= 0  # they may be painted: the face around them tells how much shines
    shine[fields] = blurred(place, shine, face.astype(np.float32), 0.06)[fields]
    bright = place.bare & (shine > SHINY_THEN * max(float(plain.mean()), 0.1))
    shiny = spread_out(place, bright | (place.bare & (most(colours) >= BURNT)))
    bright = least(np.log((light + 0.01) / (plain + 0.01)))
    return Surface(
        colours,
        light,
        grain,
        np.asarray(spread),
        np.asarray(many),
        shiny,
        plain,
        dark,
        shine,
        bright,
    )


def rough(place: Lattice, colours: Array, many: Array) -> Array:
    weight = place.bare.astype(np.float32).reshape(place.shape)
    grey = np.log(total(colours) + 9.0).astype(np.float32).reshape(place.shape)
    mean = cv2.boxFilter(grey * weight, -1, (GRAIN, GRAIN), normalize=False) / many
    own: Array = (grey - mean) * weight
    return own


def blurred(place: Lattice, values: Array, weight: Array, held: float, wide: float = BLUR) -> Array:
    """A weighted Gaussian mean, drawn to 0 where there is nothing to go by."""
    spread = cv2.GaussianBlur(weight.reshape(place.shape).astype(np.float32), (0, 0), wide)
    total = cv2.GaussianBlur(
        (weight * values).reshape(place.shape).astype(np.float32), (0, 0), wide
    )
    mean: Array = (total / (spread + held)).ravel()
    return mean


def relight(place: Lattice, now: Array, then: Surface) -> Light:
    """Compare BGR samples of the lattice with those of the empty look."""
    brightest, bare = most(now), place.bare
    good = bare & (brightest < BURNT) & (most(then.colours) < BURNT) & (brightest > 6)
    if good.sum() < 12:
        good = bare
    light = rounded_amounts(now)
    ratio = np.log((then.light + 0.004) / (light + 0.004))
    gain = np.exp(middles(ratio[good])) if good.any() else np.ones(3)
    present = light * gain.astype(np.float32)
    shade, shine, tint = split(present, then.light)
    level = total(then.light) / 3.0
    log = in_steps(shade)
    trust = good * np.exp(-0.5 * (tint / TINT) ** 2 - 0.5 * (log / SHADE) ** 2)
    smooth_log = np.clip(blurred(place, log, trust, 0.06), -SHADE, SHADE)
    smooth_shine = blurred(place, shine, trust, 0.06)
    step = log - smooth_log
    uneven = ROUGH * float(middles(np.abs(step[good, None]))[0]) / GAMMA if good.any() else 1.0
    step = np.where(step < 0, step / (2.0 * STEP), step / STEP)
    extra = (shine - smooth_shine) / (SHINY + 0.5 * level)
    lamps = mixed(place, np.log((present + 0.004) / (then.light + 0.004)), good)
    if np.median(np.abs(np.log(lamps)).max(axis=1)) > MIXED:  # so no thing alone makes it
        tint = np.minimum(tint, split(present * lamps, then.light)[2])
    odd = coloured = np.sqrt((tint / TINT) ** 2 + step**2 + extra**2)
    face = bare & (place.field < 0)
    told = face & (most(then.colours) < DAZZLING) & (brightest < BURNT)
    gone = np.flatnonzero(then.shiny & told)  # how fields look without shine nobody knows
    under_shine = np.minimum(odd[gone], without_shine(present[gone], smooth_log[gone], then, gone))
    burnt = brightest >= BURNT
    match = grain_match(place, now, then)
    # shine changes colours but lets the grain show through; what hides the grain lies above it
    odd = odd * np.where(burnt | (match > RECOGNISED), 0.5, 1.0)
    # by its grain alone nothing is told from the shadows and the shine that were learned
    odd += np.where(~burnt & (match < FOREIGN), ODD * np.minimum(odd / HARDLY_ODD, 1.0), 0.0)
    white = bare & (least(now) > BURNT - 17)
    odd = np.where(spread_out(place, white), FLARE * odd, odd)
    strange = np.bincount(place.on_fields[odd[place.fielded] > ODD], minlength=len(place.plots))
    for n in np.flatnonzero(strange > WHOLLY * place.sizes):
        inside, around = place.plots[n]
        usual = float(np.percentile(coloured[around], ALMOST))
        if usual < ODD:  # no thing has the very outline of a field: it is relit
            odd[inside] = np.minimum(odd[inside], usual)
    odd[~bare | then.shiny] = 0.0
    odd[gone] = under_shine
    blind = then.shiny & ~told
    # painted fields change their colour with the lamp: of shine only the face tells
    glare = spread_out(place, white | (face & (shine > GLARE)))
    seen = float((odd[bare] < ODD).mean()) if bare.any() else 1.0
    lift = np.log(least((present + 0.01) / (then.light + 0.01)))
    return Light(
        gain, np.exp(smooth_log), smooth_shine, odd, blind, glare, lift, then.bright, seen, uneven
    )


def mixed(place: Lattice, ratio: Array, good: Array) -> Array:
    """(points, 3) gains against the colours of several lamps, which change slowly over the board:
    a curved plane through the `ratio` (logarithms) of most `good` points of its face.
    """
    face = good & (place.field < 0)
    at = np.flatnonzero(face if face.sum() > MANY else good)
    if len(at) <= MANY:
        return np.ones((1, 3), dtype=np.float32)
    at = at[:: max(len(at) // ASKED, 1)]
    own = ratio[at] - ratio[at].mean(axis=1, keepdims=True)
    plane = place.planes[at]
    weight = np.ones(len(at))
    curve = np.zeros((plane.shape[1], 3))
    for _ in range(ROUNDS):
        held = plane.T * weight
        curve = np.linalg.solve(held @ plane + FLAT * np.eye(plane.shape[1]), held @ own)
        off = np.sqrt(total((own - plane @ curve) ** 2))
        weight = 1.0 / (1.0 + (off / TINT) ** 2) ** 2  # what lies there is of another colour
    found: Array = np.exp(-place.planes @ curve).astype(np.float32)
    return found


def in_steps(shade: Array) -> Array:
    """Shades as logarithms, within reason."""
    found: Array = np.log(np.clip(shade, 0.05, 20.0))
    return found


def without_shine(present: Array, smooth_log: Array, then: Surface, at: Array) -> Array:
    """How unlike the board places look that shone and from which any part of that is gone."""
    shade, shine, tint = split(present, np.broadcast_to(then.plain, present.shape))
    less = in_steps(shade) - smooth_log - then.dark[at]
    dark = np.minimum(less, 0.0) / (2.0 * STEP)
    more = shine - np.clip(shine, 0.0, np.maximum(then.shine[at], 0.0))
    extra = more / (SHINY + 0.5 * float(then.plain.mean()))
    odd: Array = np.sqrt((tint / TINT) ** 2 + dark**2 + extra**2)
    return odd


def spread_out(place: Lattice, mask: Array) -> Array:
    """A mask grown over the cells in it, without its specks."""
    grid = mask.astype(np.uint8).reshape(place.shape)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))
    core = cv2.morphologyEx(grid, cv2.MORPH_OPEN, kernel)
    wide: Array = cv2.dilate(core, kernel, iterations=GLARE_REACH).ravel() > 0
    return wide


def split(present: Array, then: Array) -> tuple[Array, Array, Array]:
    """Present light as shade x then + shine x white, and how far its colour is from any such."""
    weight = 1.0 / (then + 0.06)
    held = 0.15  # shine costs a little, so that grey surfaces get shade instead
    see = total(weight * then * then)
    se1 = total(weight * then)
    s11 = total(weight) * (1.0 + held)
    sex = total(weight * then * present)
    s1x = total(weight * present)
    size = see * s11 - se1 * se1 + 1e-9
    shade = (s11 * sex - se1 * s1x) / size
    shine = (see * s1x - se1 * sex) / size
    left = present - shade[:, None] * then - shine[:, None]
    tint = np.sqrt(total(left**2)) / (total(present) / 3.0 + 0.02)
    return shade, shine, tint


def grain_match(place: Lattice, now: Array, then: Surface) -> Array:
    """How alike the grain of the surface is to the known one, -1 to 1; NaN where it has none."""
    one, wide = rough(place, now, then.many), (GRAIN, GRAIN)
    shared = cv2.boxFilter(one * then.grain, -1, wide, normalize=False) / then.many
    own = cv2.boxFilter(one * one, -1, wide, normalize=False) / then.many
    match = shared / np.sqrt(then.spread * own + 1e-9)
    off = np.abs(one - then.grain)[place.bare.reshape(place.shape)]
    noise = float(np.median(off)) * 1.48 if len(off) else 0.0
    grained = (np.sqrt(then.spread) > max(1.5 * noise, 0.012)) & (then.many > 0.5 * GRAIN * GRAIN)
    known: Array = np.where(grained, match, np.nan).ravel()
    return known
