"""What this table looks like, made ready for comparing: the empty board, and tables of colour."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.table import PieceLook, Table, TableError
from calibration.view import Array, View, sample
from hardware.boards import Piece
from vision.colour import OUTLIER, bins, density, opponent
from vision.glow import GLOWS
from vision.light import linear
from vision.outline import Shown
from vision.solids import GLOW, SPOT, Solid

GUESSED = 0.85  # how much less a guessed look counts
OPAQUE = 128
DISH = 3.5  # millimetres that a piece may stand deeper in its hole than on a field
LIGHT, SHADE = 70.0, 0.5  # grey levels from which a kind is light; the part of them left in shade


@dataclass(frozen=True)
class Kinds:
    """The kinds of pieces that stand, as columns of one table of likelihood."""

    names: tuple[str, ...]
    tables: Array  # (colours, K)
    solids: tuple[Solid, ...]
    allowed: Array  # (solids, K)
    diameters: Array  # (K,)
    usual: Array  # (K,) mean log density of a kind's own colours
    flat: Array  # (K,) true for the last: light in a hole, no piece
    lightness: Array  # (K,) mean grey level
    light: Array  # (pieces, 3) the amounts of light of their usual colour
    exist: Array  # (K,) how many there are of a kind; of light there is no end


@dataclass(frozen=True)
class Empty:
    """The picture of the empty table, and how much it changes from pixel to pixel."""

    shown: Shown
    slack: Array  # (height, width) float32

    @property
    def view(self) -> View:
        return self.shown.view

    def sample(self, ground: Array) -> tuple[Array, Array]:
        """Blue, green, red and slack at places of the board."""
        where = self.view.project(ground)
        return sample(self.shown.picture, where).astype(np.float32), sample(self.slack, where)


def kinds(table: Table) -> Kinds:
    """Pawns and barricades; tiles lie and are read apart."""
    standing = [p for p in table.pieces if table.board.piece(p.name).kind != "tile"]
    fields = any(cell.is_field for cell in table.board.cells)
    shapes = [solid_of(p, table.board.piece(p.name), fields) for p in standing]
    solids = tuple(dict.fromkeys([*shapes, GLOW]))
    allowed = np.array([[solid == own for own in [*shapes, GLOW]] for solid in solids])
    colours = [np.array(p.palette) for p in standing]
    if fields:  # there pieces stand in the light, not in the holes in which they wait
        colours = [out_of_shade(own) for own in colours]
    tables = [np.logaddexp(density(each), OUTLIER) for each in colours]
    own = [usual(one, each) for one, each in zip(tables, colours, strict=True)]
    return Kinds(
        tuple(p.name for p in standing),
        np.ascontiguousarray(np.stack(tables, axis=1)) if tables else np.zeros((1, 0)),
        solids,
        allowed,
        np.array([*(p.diameter for p in standing), SPOT / 2]),
        np.array([*own, GLOWS]),
        np.array([*(False for _ in standing), True]),
        np.array([*(float(np.mean(p.palette)) for p in standing), 255.0]),
        linear(np.array([np.median(each, axis=0) for each in colours]).reshape(-1, 3)),
        np.array([*(max(p.shown, table.board.piece(p.name).count) for p in standing), np.inf]),
    )


def solid_of(learned: PieceLook, piece: Piece, fields: bool) -> Solid:
    """A piece as it was measured in the hole in which it waits; on fields more of it shows, as much
    as a hole may hide and as its maker says there is.
    """
    sunk = min(max(piece.height - learned.height, 0.0), DISH) if fields else 0.0
    height = learned.height + sunk
    block = piece.kind == "barricade"
    return Solid(learned.diameter, height, block, shape=learned.shape, sunk=sunk)


def out_of_shade(palette: Array) -> Array:
    """The colours (N, 3) of a light kind without those in deep shade."""
    bright = palette.mean(axis=1)
    lit = np.median(palette[bright >= np.median(bright)], axis=0)
    if lit.mean() < LIGHT:
        return palette
    kept: Array = palette[(palette / np.maximum(lit, 1.0)).mean(axis=1) > SHADE]
    return kept


def usual(table: Array, palette: Array) -> float:
    return float(table[bins(opponent(palette.astype(np.float32)))].mean())


def decode(table: Table) -> tuple[Array, Array]:
    """The picture of the empty board, and how well it is known: 1, or less where it is guessed."""
    stored = np.frombuffer(table.empty.picture, dtype=np.uint8)
    picture = cv2.imdecode(stored, cv2.IMREAD_UNCHANGED)
    if picture is None or picture.ndim != 3 or picture.shape[1::-1] != table.lens.size:
        raise TableError("damaged: its picture of the empty board is not whole; calibrate again")
    known = np.ones(picture.shape[:2], dtype=np.float32)
    if picture.shape[2] == 4:
        known = 1.0 - GUESSED * (picture[..., 3] < OPAQUE).astype(np.float32)
    return np.ascontiguousarray(picture[..., :3]), known


def soften(image: Array) -> Array:
    return cv2.blur(image, (3, 3))


def empty(picture: Array, view: View) -> Empty:
    soft = soften(picture)
    grey = cv2.cvtColor(soft, cv2.COLOR_BGR2GRAY)
    kernel = np.ones((3, 3), dtype=np.uint8)
    spread = cv2.subtract(cv2.dilate(grey, kernel), cv2.erode(grey, kernel))
    return Empty(Shown(soft, view), spread.astype(np.float32) * 0.5)
