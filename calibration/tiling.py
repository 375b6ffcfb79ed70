"""Learning how the kinds of tiles look, from tiles on known places or by their nominal colours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from calibration.looks import Scene
from calibration.view import Array
from hardware.boards import Board, Cell, Piece
from vision.colour import density, likelihoods, nominal, opponent
from vision.discs import by_colour
from vision.relit import back_then
from vision.tiles import GRID, LAMP, TileGrid, offsets

MIRRORED = 12.0  # grey levels by which a lamp makes a tile lighter than most


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
    guess = by_group(seen, kinds, side, white) or by_lamp(seen, kinds, side, white)
    which = np.array(
        [known.get(c.id, -1 if known else g) for c, g in zip(places, guess, strict=True)]
    )
    looks = {n: usual_look(seen[which == n]) for n in set(which.tolist()) - {-1}}
    if looks:  # a kind nobody showed is sawn from the same wood
        inner = np.hypot(*offsets(side).T)[:, None] < LAMP * side
        wood = np.mean(list(looks.values()), axis=0)
        plain = [np.where(inner, colours, wood) for colours in plain]
    return [(kind.name, looks.get(n, plain[n])) for n, kind in enumerate(kinds)]


def usual_look(tiles: Array) -> Array:
    """What most of the tiles of one kind look like, of those in which no lamp is mirrored."""
    added = np.median(tiles.min(axis=2), axis=1)
    look: Array = np.median(tiles[added <= np.percentile(added, 25) + MIRRORED], axis=0)
    return look


def by_group(seen: Array, kinds: Sequence[Piece], side: float, white: Array) -> list[int]:
    """The kind of every tile where the colours of their middles fall into as many clear groups as
    there are kinds, the groups most like the nominal colours together; nothing where they do not.
    """
    inner = np.hypot(*offsets(side).T) < LAMP * side
    middles = np.median(seen[:, inner], axis=1).astype(np.float32)
    plain = np.stack([nominal(kind.srgb, white).mean(axis=0) for kind in kinds])
    return [] if (found := by_colour(middles, plain)) is None else found.tolist()


def by_lamp(seen: Array, kinds: Sequence[Piece], side: float, white: Array) -> list[int]:
    """The likeliest kind of every tile by the nominal colour of its middle; -1 for none."""
    inner = np.hypot(*offsets(side).T) < LAMP * side
    tables = np.stack([density(nominal(kind.srgb, white), 2.5) for kind in kinds], axis=1)
    chances = likelihoods(tables, opponent(seen[:, inner].reshape(-1, 3)))
    mean = chances.reshape(len(seen), -1, len(kinds)).mean(axis=1)
    return [int(row.argmax()) if row.max() > -16.0 else -1 for row in mean]
