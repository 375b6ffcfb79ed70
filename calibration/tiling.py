"""Learning how the kinds of tiles look, from tiles on known places or by their nominal colours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations

import numpy as np

from calibration.looks import Scene
from calibration.view import Array
from hardware.boards import Board, Cell, Piece
from vision.colour import density, likelihoods, nominal, opponent, tint
from vision.relit import back_then
from vision.tiles import GRID, LAMP, TileGrid, offsets

MOST, ROUNDS, FEW = 6, 8, 3  # kinds that are grouped, how often, tiles in a group at least
SPREAD, ODD = 0.4, 0.15  # of the gap between groups: how far from its own; how many may be farther


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
    looks = {n: np.median(seen[which == n], axis=0) for n in set(which.tolist()) - {-1}}
    if looks:  # a kind nobody showed is sawn from the same wood
        inner = np.hypot(*offsets(side).T)[:, None] < LAMP * side
        wood = np.mean(list(looks.values()), axis=0)
        plain = [np.where(inner, colours, wood) for colours in plain]
    return [(kind.name, looks.get(n, plain[n])) for n, kind in enumerate(kinds)]


def by_group(seen: Array, kinds: Sequence[Piece], side: float, white: Array) -> list[int]:
    """The kind of every tile where the colours of their middles fall into as many clear groups as
    there are kinds, the groups most like the nominal colours together; nothing where they do not.
    """
    if not 2 <= len(kinds) <= MOST or len(seen) < 2 * len(kinds):
        return []
    inner = np.hypot(*offsets(side).T) < LAMP * side
    tints = tint(opponent(np.median(seen[:, inner], axis=1).astype(np.float32)))
    middles = tints[[int(np.argmax(np.hypot(*tints.T)))]]
    while len(middles) < len(kinds):  # the one farthest from all groups begins the next
        away = np.linalg.norm(tints[:, None] - middles, axis=2).min(axis=1)
        middles = np.vstack([middles, tints[away.argmax()]])
    for _ in range(ROUNDS):
        group = np.linalg.norm(tints[:, None] - middles, axis=2).argmin(axis=1)
        middles = np.stack([np.median(tints[group == n], axis=0) for n in range(len(kinds))])
    gaps = np.linalg.norm(middles[:, None] - middles, axis=2)[~np.eye(len(kinds), dtype=bool)]
    odd = np.linalg.norm(tints - middles[group], axis=1) > SPREAD * float(gaps.min())
    if odd.mean() > ODD or np.bincount(group[~odd], minlength=len(kinds)).min() < FEW:
        return []
    plain = np.stack([nominal(kind.srgb, white).mean(axis=0) for kind in kinds])
    wanted = tint(opponent(plain.astype(np.float32)))
    order = min(
        permutations(range(len(kinds))),
        key=lambda those: float(np.linalg.norm(middles - wanted[list(those)], axis=1).sum()),
    )
    return [-1 if out else order[n] for n, out in zip(group, odd, strict=True)]


def by_lamp(seen: Array, kinds: Sequence[Piece], side: float, white: Array) -> list[int]:
    """The likeliest kind of every tile by the nominal colour of its middle; -1 for none."""
    inner = np.hypot(*offsets(side).T) < LAMP * side
    tables = np.stack([density(nominal(kind.srgb, white), 2.5) for kind in kinds], axis=1)
    chances = likelihoods(tables, opponent(seen[:, inner].reshape(-1, 3)))
    mean = chances.reshape(len(seen), -1, len(kinds)).mean(axis=1)
    return [int(row.argmax()) if row.max() > -16.0 else -1 for row in mean]
