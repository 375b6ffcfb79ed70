"""A board with pieces on it, as it would look without them: what is hidden is borrowed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import cv2
import numpy as np

from calibration.view import Array, View, sample
from hardware.boards import Board, Cell
from vision.solids import Solid, Stance, roomy

MARGIN = 2.5  # millimetres around a piece that its shadow and its lean may touch
CLOSE = 1.4  # the same around a piece whose measures and place are known
RING = 5.0  # millimetres around a round cell that may be painted in a ring
BIN = 0.35  # millimetres of radius over which a ring is of one colour
SEEN = 6  # pixels from which a ring's colour is known
FLOOR = (0.55, 0.85)  # where the floor of a dish is, in parts of its reach
LIT = (50, 90)  # percentiles of light between which a dish shows neither shadow nor shine
LENDERS = 7  # free holes that lend their look to one with a piece
ENOUGH = 3  # of a seat's own, or of nobody's, from which these alone do
TURN = np.column_stack([f(2 * np.pi * np.arange(24) / 24) for f in (np.cos, np.sin)])

Placed = Mapping[str, Sequence[tuple[Stance, Solid]]]


def perhaps_hidden(board: Board, view: View, taken: frozenset[str]) -> Array:
    """A mask (255) of all that pieces of any measure on the `taken` cells may hide."""
    tallest = max((piece.height for piece in board.standing), default=25.0)
    widest = max((piece.diameter for piece in board.standing), default=12.0)
    mask = blank(view)
    for cell in (cell for cell in board.cells if cell.id in taken):
        parts = ((0.0, 1.0), (0.5, 0.9), (1.0, 0.75), (1.2, 0.6))
        reach = max(widest / 2, min(cell.reach, 2 * widest))
        rings = [
            (
                (cell.x, cell.y),
                (reach if part == 0 else widest / 2 * wide) + MARGIN,
                part * tallest,
            )
            for part, wide in parts
        ]
        draw_hull(mask, view, rings)
    return mask


def hidden_by(board: Board, view: View, taken: frozenset[str], placed: Placed) -> Array:
    """A mask (255) of what pieces of known measures hide; of cells where none was `placed`, all
    that they may hide.
    """
    mask = perhaps_hidden(board, view, taken - frozenset(placed))
    for pieces in placed.values():
        for stance, solid in pieces:
            rings = [
                (
                    (
                        stance.x + stance.lean_x * part * solid.height,
                        stance.y + stance.lean_y * part * solid.height,
                    ),
                    wide * solid.diameter / 2 + CLOSE,
                    part * solid.height,
                )
                for part, wide in solid.profile
            ]
            for low, high in pairwise(rings):
                draw_hull(mask, view, [low, high])
    return mask


def blank(view: View) -> Array:
    width, height = view.lens.size
    return np.zeros((height, width), dtype=np.uint8)


def draw_hull(
    mask: Array, view: View, rings: Sequence[tuple[tuple[float, float], float, float]]
) -> None:
    """Draw the hull of level circles: middle, radius and height above the board."""
    spots = [np.column_stack([np.add(at, TURN * wide), np.full(24, up)]) for at, wide, up in rings]
    hull = cv2.convexHull(view.project(np.concatenate(spots)).astype(np.float32))
    cv2.fillConvexPoly(mask, np.rint(hull).astype(np.int32), 255)


def without_pieces(
    board: Board,
    view: View,
    image: Array,
    taken: frozenset[str],
    placed: Placed,
) -> tuple[Array, Array]:
    """Fill what stands on the `taken` cells: the face from around it, rings from their visible
    part, holes from other holes, the floor of a dish from what is seen of it. Also a mask (255) of
    what is guessed thereby.
    """
    hidden = hidden_by(board, view, taken, placed)
    filled: Array = cv2.inpaint(image, hidden, 5, cv2.INPAINT_TELEA)
    guessed = hidden.copy()
    for cell in board.cells:
        if cell.id not in taken or cell.shape != "hole":
            continue
        if cell.id not in placed and roomy(cell, board.standing):
            complete_dish(view, image, filled, hidden, cell)
        else:
            complete_rings(board, view, image, filled, hidden, cell, taken)
        if lenders(board, cell, taken):
            borrow(board, view, image, filled, guessed, cell, taken)
    return filled, guessed


def around(view: View, cell: Cell, reach: float, shape: tuple[int, ...]) -> tuple[Array, Array]:
    """The pixels (N, 2) within `reach` of a cell's middle, and their places from there in mm."""
    x0, y0, x1, y1 = bounds(view, cell, reach, shape)
    if x1 <= x0 or y1 <= y0:
        return np.zeros((0, 2), dtype=np.int64), np.zeros((0, 2))
    grid = np.stack(np.meshgrid(np.arange(x0, x1), np.arange(y0, y1)), axis=-1).reshape(-1, 2)
    ground = view.ground(grid) - (cell.x, cell.y)
    inside = np.hypot(ground[:, 0], ground[:, 1]) < reach
    return grid[inside], ground[inside]


def complete_rings(
    board: Board,
    view: View,
    image: Array,
    filled: Array,
    hidden: Array,
    cell: Cell,
    taken: frozenset[str],
) -> None:
    """Paint what is hidden at a round cell as its visible part looks as far from the middle; what
    no direction shows, as the cells of its kind and seat show it, or a little farther out. The
    floor of a dish is of one colour.
    """
    others = [c for c in board.cells if c.id != cell.id]
    apart = min((float(np.hypot(c.x - cell.x, c.y - cell.y)) for c in others), default=np.inf)
    far = min(cell.reach + RING, max(apart / 2, cell.reach))
    alike = [
        c
        for c in others
        if c.id in taken
        and (c.kind, c.seat, c.shape) == (cell.kind, cell.seat, cell.shape)
        and abs(c.reach - cell.reach) < 0.3
    ]
    steps = int(np.ceil(far / BIN))
    own = profile(view, image, hidden, [cell], far, steps)
    shared = profile(view, image, hidden, [cell, *alike], far, steps)
    rings = np.where(np.isnan(own), shared, own)
    known = np.flatnonzero(~np.isnan(rings[:, 0]))
    if not len(known):
        return
    for axis in range(3):
        rings[:, axis] = np.interp(np.arange(steps), known, rings[known, axis])
    if roomy(cell, board.standing):
        floor = floor_of(view, image, hidden, [cell, *alike])
        if floor is not None:
            rings[: int(FLOOR[1] * cell.reach / BIN)] = floor
    grid, ground = around(view, cell, far, image.shape)
    lost = hidden[grid[:, 1], grid[:, 0]] > 0
    ring = np.minimum(np.hypot(*ground[lost].T) / BIN, steps - 1).astype(np.int64)
    filled[grid[lost, 1], grid[lost, 0]] = np.rint(rings[ring]).astype(np.uint8)


def floor_of(view: View, image: Array, hidden: Array, cells: Sequence[Cell]) -> Array | None:
    """The colour of the floor of some dishes, where it lies neither in shadow nor in shine; None
    where too little of it is seen.
    """
    colours = []
    for cell in cells:
        grid, _ = around(view, cell, FLOOR[1] * cell.reach, image.shape)
        free = hidden[grid[:, 1], grid[:, 0]] == 0
        colours.append(image[grid[free, 1], grid[free, 0]])
    seen = np.concatenate(colours)
    if len(seen) < SEEN:
        return None
    light = seen.mean(axis=1)
    low, high = np.percentile(light, LIT)
    floor: Array = np.median(seen[(light >= low) & (light <= high)], axis=0)
    return floor


def complete_dish(view: View, image: Array, filled: Array, hidden: Array, cell: Cell) -> None:
    """Paint what may be hidden at a dish as most of what is seen so far from its middle; in the
    middle, where a piece may be all there is to see, as its floor around.
    """
    grid, ground = around(view, cell, cell.reach + RING, image.shape)
    colours, far = image[grid[:, 1], grid[:, 0]], np.hypot(*ground.T)
    floor = (far > FLOOR[0] * cell.reach) & (far < FLOOR[1] * cell.reach)
    if not floor.any():
        return
    ring = np.where(far < FLOOR[1] * cell.reach, 0, far / BIN).astype(np.int64)
    lost = hidden[grid[:, 1], grid[:, 0]] > 0
    for step in np.unique(ring[lost]):
        usual = np.median(colours[floor if step == 0 else ring == step], axis=0)
        here = lost & (ring == step)
        filled[grid[here, 1], grid[here, 0]] = np.rint(usual).astype(np.uint8)


def profile(
    view: View, image: Array, hidden: Array, cells: Sequence[Cell], far: float, steps: int
) -> Array:
    """(steps, 3): the median colour of what is visible in each ring around some cells, or NaN."""
    ring, colours = [], []
    for cell in cells:
        grid, ground = around(view, cell, far, image.shape)
        free = hidden[grid[:, 1], grid[:, 0]] == 0
        ring.append((np.hypot(*ground[free].T) / BIN).astype(np.int64))
        colours.append(image[grid[free, 1], grid[free, 0]])
    at, seen = np.concatenate(ring), np.concatenate(colours)
    found = np.full((steps, 3), np.nan)
    for step in range(steps):
        here = seen[at == step]
        if len(here) >= SEEN:
            found[step] = np.median(here, axis=0)
    return found


def lenders(board: Board, cell: Cell, taken: frozenset[str]) -> list[Cell]:
    """The nearest free holes of about the same size: of its own seat if it has enough, for these
    are often painted alike; or else nobody's, too; or else any.
    """
    free = [
        c
        for c in board.cells
        if c.shape == "hole" and c.id not in taken and abs(c.reach - cell.reach) < 0.6
    ]
    own = [c for c in free if c.seat == cell.seat]
    if len(own) < ENOUGH:
        own = [c for c in free if c.seat in (None, cell.seat)]
    chosen = own if len(own) >= ENOUGH else free
    return sorted(chosen, key=lambda c: np.hypot(c.x - cell.x, c.y - cell.y))[:LENDERS]


def borrow(
    board: Board,
    view: View,
    image: Array,
    filled: Array,
    guessed: Array,
    cell: Cell,
    taken: frozenset[str],
) -> None:
    """Paint a hole as the nearest free holes of its size look; it counts as known thereby."""
    grid, offsets = around(view, cell, cell.reach, image.shape)
    if not len(grid):
        return
    looks = [
        sample(image, view.project(offsets + np.array([other.x, other.y])))
        for other in lenders(board, cell, taken)
    ]
    filled[grid[:, 1], grid[:, 0]] = np.median(np.stack(looks), axis=0).astype(np.uint8)
    guessed[grid[:, 1], grid[:, 0]] = 0


def bounds(
    view: View, cell: Cell, reach: float, shape: tuple[int, ...]
) -> tuple[int, int, int, int]:
    corners = [(cell.x + u * reach, cell.y + v * reach) for u in (-1, 1) for v in (-1, 1)]
    pixels = view.project(np.array(corners))
    (x0, y0), (x1, y1) = np.floor(pixels.min(axis=0)), np.ceil(pixels.max(axis=0)) + 1
    height, width = shape[:2]
    return max(int(x0), 0), max(int(y0), 0), min(int(x1), width), min(int(y1), height)
