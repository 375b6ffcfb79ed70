"""Learning how the kinds of tiles look, from tiles on known places or by their nominal colours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from calibration.looks import Scene
from calibration.view import Array
from hardware.boards import Board, Cell, Piece
from vision.colour import density, likelihoods, nominal, opponent
from vision.relit import back_then
from vision.tiles import GRID, TileGrid, offsets

LAMP = 0.18  # of a tile's side: the middle within which its colour surely is


def learn_tiles(
    scene: Scene,
    board: Board,
    cells: Mapping[str, Sequence[Cell]],
    white: Array,
    shown: bool,
) -> list[tuple[str, Array]]:
    """Each kind's colours at the points of its face; nothing for a board without tiles."""
    kinds = [piece for piece in board.pieces if piece.kind == "tile"]
    places = board.of_kind("tile")
    if not kinds or not places:
        return []
    side, height = max(p.diameter for p in kinds), max(p.height for p in kinds)
    plain = [np.tile(nominal(p.srgb, white).mean(axis=0), (GRID * GRID, 1)) for p in kinds]
    if not shown:
        return [(p.name, colours) for p, colours in zip(kinds, plain, strict=True)]
    grid = TileGrid(scene.view, places, side, height)
    raw = scene.image.reshape(-1, 3).take(grid.flat.reshape(-1), axis=0)
    whole = np.zeros(len(raw), dtype=np.int64)
    seen = back_then(raw, scene.light.evenly(), whole).reshape(*grid.flat.shape, 3)
    known = {cell.id: n for n, kind in enumerate(kinds) for cell in cells[kind.name]}
    guess = by_lamp(seen, kinds, side, white)
    which = np.array(
        [known.get(c.id, -1 if known else g) for c, g in zip(places, guess, strict=True)]
    )
    return [
        (kind.name, np.median(seen[which == n], axis=0) if (which == n).any() else plain[n])
        for n, kind in enumerate(kinds)
    ]


def by_lamp(seen: Array, kinds: Sequence[Piece], side: float, white: Array) -> list[int]:
    """The likeliest kind of every tile by the nominal colour of its middle; -1 for none."""
    inner = np.hypot(*offsets(side).T) < LAMP * side
    tables = np.stack([density(nominal(kind.srgb, white), 2.5) for kind in kinds], axis=1)
    chances = likelihoods(tables, opponent(seen[:, inner].reshape(-1, 3)))
    mean = chances.reshape(len(seen), -1, len(kinds)).mean(axis=1)
    return [int(row.argmax()) if row.max() > -16.0 else -1 for row in mean]
