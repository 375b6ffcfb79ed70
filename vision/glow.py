"""LEDs under empty cells: light that is added in a hole and nowhere above the board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from calibration.view import Array
from hardware.boards import Board
from vision.colour import FLOOR, least, most, total
from vision.light import BURNT, rounded_amounts
from vision.sites import Site

GLOWS = -13.4  # log density of a pixel to which light of any colour was added
BURNS = -11.5  # the same where a colour is burnt out: pieces seldom are
SHINES = -13.0  # of the board's face under shine
KEPT = 0.8  # the part of its own light a lit pixel keeps at least
LEFT = 0.7  # of its own light, on a face that shines
WHITISH = 0.3  # of what shine adds to one colour, what it adds to every other one
BURNING = 0.75  # the part of a hole that must be burnt out to be a light nobody told of
COLOURED = 90  # of 255, from where a piece has a colour that a light could have
RESEMBLES = 0.35  # how far its proportions of red, green and blue may be from the light's
ADDED = 0.012  # light added, at least, for it to be called lit


def glow_density(raw: Array, seen: Array, expected: Array) -> Array:
    """Log density (N,) of lit points, from BGR levels: of the picture itself, of the picture under
    the learned light, and expected.
    """
    now, then = rounded_amounts(seen), rounded_amounts(expected)
    added = now - KEPT * then
    lit = (least(added) > -0.004) & (total(now - then) > 3 * ADDED)
    burnt = most(raw) >= BURNT
    return np.where(lit, np.where(burnt, BURNS, GLOWS), FLOOR).astype(np.float32)


def holes_of(sites: Sequence[Site], solids: int, dummy: int) -> Array:
    """(sites, N) the points of each site's hole, filled up with `dummy`."""
    holes = [site.points[site.cover[(solids - 1) * len(site.stances)] > 0.5] for site in sites]
    holes = [hole if len(hole) >= 4 else hole[:0] for hole in holes]
    padded = np.full((len(holes), max((len(h) for h in holes), default=0) or 1), dummy)
    for row, hole in enumerate(holes):
        padded[row, : len(hole)] = hole
    return padded


def burning(raw: Array, holes: Array) -> Array:
    """(sites,) true where a hole is so bright that only a light can be in it."""
    burnt = np.append(most(raw) >= BURNT, False)
    many = (holes < len(raw)).sum(axis=1)
    hot: Array = (burnt[holes].sum(axis=1) > BURNING * many) & (many > 0)
    return hot


def shone_upon(nothing: Array, seen: Array, expected: Array, shiny: Array) -> Array:
    """The log density of emptiness where the face may shine: no colour has lost light, and what
    was added is near to white.
    """
    at = np.flatnonzero(shiny)
    now, then = rounded_amounts(seen[at]), rounded_amounts(expected[at])
    kept = least(now - LEFT * then) > -0.01
    added = now - then
    white = least(added) > WHITISH * most(added) - 0.03
    at, changed = at[kept & white], nothing.copy()
    changed[at] = np.maximum(nothing[at], SHINES)
    return changed


def disguised(
    board: Board, lights: Mapping[str, tuple[int, int, int]]
) -> dict[str, frozenset[str]]:
    """By cell where a light burns, the pieces of its colour: one could be taken for the other."""
    found = {}
    for cell, rgb in lights.items():
        if any(rgb):
            light = np.array(rgb) / max(rgb)
            found[cell] = frozenset(
                piece.name
                for piece in board.pieces
                if max(piece.srgb) >= COLOURED
                and np.abs(np.array(piece.srgb) / max(piece.srgb) - light).max() < RESEMBLES
            )
    return found
