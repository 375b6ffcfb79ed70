"""What every point of one picture speaks for: for each kind of piece, or for nothing at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, reduce

import numpy as np

from calibration.view import Array
from vision import fields
from vision.colour import OUTLIER, against, least, likelihoods_full, opponent, unchanged
from vision.glow import burning, glow_density, shone_upon
from vision.laying import Laying
from vision.light import BURNT, Light
from vision.outlook import Learned, Outlook
from vision.relit import back_then, face_now, with_full, with_shine

ANYTHING = -14.3  # log density of a place whose empty look is only guessed
GLARY = 8.0  # how much the face may change from place to place where it shines
UNEVEN, CALM = 0.04, 0.3  # from where squares get all play for their light, and the least of it
TOLD = 12  # marks of every point
# grey levels of kinds that are black; log density of a field in less light where one may stand: the
# edge of a black piece is that and black, which looks like a piece of the field's colour
DARK, MIXED = 50.0, -12.8
WHITE = 228  # the least part of a colour from which it is burnt out

Lights = Mapping[str, tuple[int, int, int]]


@dataclass(frozen=True)
class Evidence:
    """Of every point that a piece could cover, and of every site."""

    marks: Array  # (P, 3) opponent colours as under the learned light
    relief: Array  # (P, 3) those of the empty look, on fields as it must be now
    border: Array  # (P, 3) on fields what most of their border shows; elsewhere the marks
    guess: Array  # (P,) true where the empty look is not known
    chances: Array  # (P, K) log densities of the kinds, and of glow
    nothing: Array  # (P,) log density of the empty look
    strange: Array  # (P,) how unlike the holes around it the inside of a hole is
    same: Array  # (P,) true where all is as expected: such a point speaks for no piece
    shine: Array  # (P,) true where the face shines
    burnt: Array  # (P,) true where there is white and nothing else
    paint: Array  # (P, 3) what a piece shows there, blue, green, red as under the learned light
    full: Array  # (P, 3) true of those of which the sensor tells no more than the least there is
    altered: Array  # (P,) true on fields where all but a piece, or its shadow, would be the same
    unlike: Array  # (P,) the same of what was learned, whatever their faces seem to be now
    dim: Array  # (P,) true on fields where a shadow may lie
    lit: Array  # (sites,) true where a light burns
    uneven: Array  # (sites,) how far most of a field is from what is expected, a part of its light

    @cached_property
    def every(self) -> Array:
        """(P + 1, K) the chances, and none."""
        return np.vstack([self.chances, np.zeros((1, self.chances.shape[1]), dtype=np.float32)])

    @cached_property
    def told(self) -> Array:
        """(P + 1, TOLD) what every point tells whatever may stand there: how it looks for an empty
        place, and beside what that place showed; the last is none.
        """
        told = np.zeros((len(self.marks) + 1, TOLD), dtype=np.float32)
        step, own = self.marks - self.relief, told[:-1]
        own[:, 0] = np.clip((self.nothing + 13.0) / 5.0, -1.0, 1.0)
        own[:, 1] = self.strange / 16.0
        own[:, 2], own[:, 3] = self.same, self.shine
        own[:, 4] = np.clip(step[:, 0] / 64.0, -2.0, 2.0)
        own[:, 5] = np.minimum(np.hypot(step[:, 1], step[:, 2]) / 24.0, 2.5)
        own[:, 6] = self.marks[:, 0] / 128.0
        own[:, 7] = self.relief[:, 0] / 128.0
        own[:, 8], own[:, 9] = self.guess, self.altered
        beside = self.marks - self.border
        own[:, 10] = np.clip(beside[:, 0] / 64.0, -2.0, 2.0)
        own[:, 11] = np.minimum(np.hypot(beside[:, 1], beside[:, 2]) / 24.0, 2.5)
        return told


def weigh(
    learned: Learned,
    outlook: Outlook,
    pixels: Array,
    light: Light,
    laid: Laying | None,
    lights: Lights | None,
) -> Evidence:
    """Of the picture's BGR levels row by row; `laid`: its tiles, `lights`: as told."""
    raw = pixels.take(outlook.flat, axis=0)
    shown = back_then(raw, light, outlook.shade_at)
    expected = with_shine(outlook.expected, light, outlook.shade_at, outlook.open)
    seen = with_full(shown, raw, expected, light, outlook.shade_at)
    marks = opponent(seen)
    wanted = fields.as_they_lie(marks, opponent(expected), outlook.fields)
    learned_look = wanted
    wanted = fields.as_seen_now(marks, wanted, outlook.fields, outlook.borders)
    uneven = fields.unevenness(marks, wanted, outlook.fields, light.uneven)
    ease = np.where(outlook.wide, np.clip(uneven / UNEVEN, CALM, 1.0), np.float32(1.0))
    ease = fields.with_noise(ease, marks, wanted, outlook.fields, outlook.borders)
    around = fields.as_borders(marks, outlook.fields, outlook.borders)
    nothing = against(marks, wanted, outlook.slack, ease)
    glow = glow_density(raw, seen, expected)
    lit = lit_sites(outlook, lights, raw)
    shine = light.glare[outlook.shade_at]
    bright = shine | outlook.near(lit) if lights else shine
    nothing = shone_upon(nothing, seen, outlook.expected, outlook.open & bright)
    glary = np.flatnonzero(outlook.open & (light.glare | learned.then.shiny)[outlook.shade_at])
    if len(glary):  # the known face tells little there, the face around more
        at = outlook.shade_at[glary]
        face = opponent(face_now(learned.lattice, pixels, outlook.spots, light, at))
        here = against(marks[glary], face, np.full(len(glary), GLARY))
        nothing[glary] = np.maximum(nothing[glary], here)
    nothing, strange = outlook.hollows.lift(nothing, marks, pixels, light)
    nothing = np.where(outlook.guess, np.maximum(nothing, ANYTHING), nothing)
    same = unchanged(marks, wanted) & ~outlook.guess
    if laid is not None and outlook.tiles is not None:
        nothing, same = outlook.tiles.background(nothing, same, shown, laid, light)
    away = fields.altered(marks, wanted, outlook.slack, uneven)
    away &= outlook.wide & ~(shine | outlook.guess)
    unlike = away
    if wanted is not learned_look:  # whatever now seems to be its face, something may lie there
        unlike = fields.altered(marks, learned_look, outlook.slack, uneven)
        unlike &= outlook.wide & ~(shine | outlook.guess)
    odd = fields.without_whole(away, outlook.fields)
    nothing[odd] = fields.hardly_empty(nothing[odd], marks[odd], wanted[odd], outlook.slack[odd])
    dim = np.zeros(len(odd), dtype=bool)
    if len(outlook.fields):
        dim = outlook.wide & fields.shadows(marks, wanted, outlook.slack, fields.TINTED)
    full = raw >= BURNT
    paint = np.where(full, shown, seen)  # with what the board must show no piece has to do
    if len(outlook.fields):
        paint = paint * fields.tinge(seen, expected, outlook.fields)
    chances = np.column_stack([likelihoods_full(learned.kinds.tables, paint, full), glow])
    dark = np.flatnonzero(learned.kinds.lightness[: chances.shape[1]] < DARK)
    mixed = np.flatnonzero(dim)[:, None]
    chances[mixed, dark] = np.maximum(chances[mixed, dark], MIXED)
    nothing = np.maximum(nothing, OUTLIER)
    nothing[same] = np.maximum(nothing[same], reduce(np.maximum, chances[same].T))
    burnt = least(raw) > WHITE
    of_sites = np.full(len(outlook.sites.sites), light.uneven, dtype=np.float32)
    of_sites[outlook.field_sites] = uneven[outlook.fields[:, 0]]
    relief = np.where(outlook.wide[:, None], wanted, outlook.relief)
    return Evidence(
        marks, relief, around, outlook.guess, chances, nothing, strange, same, shine, burnt, paint,
        full, away, unlike, dim, lit, of_sites,
    )  # fmt: skip


def lit_sites(outlook: Outlook, lights: Lights | None, raw: Array) -> Array:
    """(sites,) where a light burns: where lights are told those, else what is burnt out."""
    if lights is None:
        lit: Array = outlook.wired & burning(raw, outlook.holes)
        return lit
    return np.array([any(lights.get(s.cell.id, (0, 0, 0))) for s in outlook.sites.sites])
