"""Tiles: where their points lie in a view, and what their kinds share and differ in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.view import Array, View
from hardware.boards import Cell
from vision.light import BURNT, linear

GRID = 15  # points a side of a tile that are compared
INSIDE = 0.94  # of a tile's side: the part looked at
LAMP = 0.18  # of a tile's side: the middle within which its colour surely is
WOOD = 0.40  # of a tile's side: from here on there surely is none of it
PLAIN = 0.35  # of the gap between kinds: what a tile of one colour may differ from place to place
INNER, OUTER = 0.45, 0.7  # of a disc's radius: its middle, its edge
DIFFERS, ALIKE = 0.8, 0.15  # parts of how much kinds differ at most: in the disc, in the wood


@dataclass(frozen=True)
class TileLook:
    """One kind of tile: BGR levels at GRID x GRID points, row by row, in board directions."""

    name: str
    colours: Array  # (GRID * GRID, 3)


@dataclass(frozen=True)
class Faces:
    """The tiles of one set: a disc of each kind's colour in the wood they are all sawn from."""

    share: Array  # (GRID * GRID,) how far each point shows the disc
    disc: Array  # (GRID * GRID,) true where it surely does
    inner: Array  # (GRID * GRID,) true in its middle
    outer: Array  # (GRID * GRID,) true along its edge
    body: Array  # (GRID * GRID,) true where there surely is wood
    colours: Array  # (kinds, 3) linear light of the discs
    burnt: Array  # (kinds, 3) true where a colour is burnt out: there is at least so much
    wood: Array | None  # (3,) linear light of the wood; None where nobody has seen it
    wood_burnt: Array  # (3,) the same of the wood
    plain: bool = False  # each kind is of one colour all over: there is no wood beside it


def offsets(side: float, many: int = GRID) -> Array:
    """(many * many, 2) millimetres from a tile's middle, a little inside its edge."""
    along = ((np.arange(many) + 0.5) / many - 0.5) * side * INSIDE
    return np.stack(np.meshgrid(along, along), axis=-1).reshape(-1, 2)


def faces(looks: Sequence[TileLook], side: float) -> Faces:
    """Take apart what kinds look like: where they differ is the disc."""
    every = np.stack([look.colours for look in looks]).astype(np.float32)
    away = np.hypot(*offsets(side).T)
    differ = np.abs(every - every.mean(axis=0)).sum(axis=2).max(axis=0)
    most = float(np.percentile(differ, 95))
    light = linear(every)
    body = differ < ALIKE * max(most, 1.0)
    told = len(looks) > 1 and bool(body.any())  # or nominal colours, the same all over
    if one_coloured(every, away, side):
        return all_over(np.median(light, axis=1), away, side)
    disc = differ > DIFFERS * most if told else away < LAMP * side
    body = body if told else away > WOOD * side
    reach = max(float(np.sqrt(disc.mean() / np.pi)) * side * INSIDE, 1e-3)
    inner, outer = disc & (away < INNER * reach), disc & (away > OUTER * reach)
    if not (inner.any() and outer.any()):
        inner = outer = disc
    colours = np.median(light[:, disc], axis=1)
    burnt = colours >= float(linear(np.array([BURNT]))[0])
    if not told:
        share = disc.astype(np.float32)
        return Faces(share, disc, inner, outer, body, colours, burnt, None, np.zeros(3, bool))
    wood = np.median(light[:, body].reshape(-1, 3), axis=0)
    way = colours - wood
    share = np.einsum("kpc,kc->p", light - wood, way) / max(float((way * way).sum()), 1e-9)
    share = np.clip(share, 0.0, 1.0).astype(np.float32)
    wood_burnt = wood >= float(linear(np.array([BURNT]))[0])
    return Faces(share, disc, inner, outer, body, colours, burnt, wood, wood_burnt)


def one_coloured(every: Array, away: Array, side: float) -> bool:
    """Whether kinds of tiles that were seen (nominal colours have no grain) show the same colour at
    their edge as in their middle, though it is not that of the other kinds.
    """
    if len(every) < 2 or float(np.ptp(every, axis=1).max()) == 0:
        return False
    middle = np.median(every[:, away < LAMP * side], axis=1)
    edge = np.median(every[:, away > WOOD * side], axis=1)
    apart = np.linalg.norm(edge[:, None] - edge, axis=2)[~np.eye(len(every), dtype=bool)]
    return bool(np.linalg.norm(middle - edge, axis=1).max() < PLAIN * apart.min())


def all_over(colours: Array, away: Array, side: float) -> Faces:
    """Faces of tiles that were seen to be of one colour each, without a disc."""
    every = np.ones(len(away), dtype=bool)
    inner, outer = away < INNER * side / 2, away > OUTER * side / 2
    burnt = colours >= float(linear(np.array([BURNT]))[0])
    share = every.astype(np.float32)
    return Faces(
        share, every, inner, outer, every, colours, burnt, np.zeros(3), np.zeros(3, bool), True
    )


def finer(share: Array, many: int) -> Array:
    """What GRID x GRID points show, at many x many."""
    whole = share.reshape(GRID, GRID).astype(np.float32)
    fine: Array = cv2.resize(whole, (many, many), interpolation=cv2.INTER_LINEAR).ravel()
    return fine


class TileGrid:
    """Where in one view the points of every tile lie."""

    def __init__(self, view: View, cells: Sequence[Cell], side: float, height: float) -> None:
        self.view = view
        self.cells = tuple(cells)
        self.side, self.height = side, height
        spots = np.array([(c.x, c.y) for c in cells]).reshape(-1, 1, 2) + offsets(side)
        self.ground = spots
        self.flat = self.pixels(spots)

    def pixels(self, spots: Array) -> Array:
        """The pixels of places on the tiles' upper face, numbered row by row: (cells, points)."""
        flat = spots.reshape(-1, 2)
        solid = np.column_stack([flat, np.full(len(flat), self.height)])
        width, tall = self.view.lens.size
        found = np.rint(self.view.project(solid)).astype(np.int64)
        found = np.clip(found, 0, (width - 1, tall - 1))
        numbers: Array = (found[:, 1] * width + found[:, 0]).reshape(spots.shape[:2])
        return numbers

    def closer(self, share: Array, least: float, step: float) -> Array:
        """The pixels (cells, points), `step` millimetres apart, where a tile shows at least so
        much of its disc.
        """
        many = max(round(self.side * INSIDE / step), GRID)
        chosen = offsets(self.side, many)[finer(share, many) > least]
        middles = np.array([(c.x, c.y) for c in self.cells]).reshape(-1, 1, 2)
        return self.pixels(middles + chosen)

    def locate(self, plane: Array) -> tuple[Array, Array]:
        """For places on the tiles' upper face: which tile (-1: none), which of its points."""
        tile = np.full(len(plane), -1, dtype=np.int64)
        point = np.zeros(len(plane), dtype=np.int64)
        for n, cell in enumerate(self.cells):
            part = (plane - (cell.x, cell.y)) / (self.side * INSIDE) + 0.5
            inside = np.all((part >= -0.03) & (part <= 1.03), axis=1)
            place = np.clip((part[inside] * GRID).astype(np.int64), 0, GRID - 1)
            tile[inside] = n
            point[inside] = place[:, 1] * GRID + place[:, 0]
        return tile, point
