"""Where to look: for one view, the pixels of every cell and what a piece there would cover."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from calibration.view import Array, View
from hardware.boards import Board, Cell
from vision.solids import (
    SPOT,
    Solid,
    Stance,
    coverage,
    levels,
    stances_in_hole,
    stances_in_square,
)

MOST_POINTS = 12_500
RIM = 1.7  # how far around a hole one looks for its edge, in radii
STEP = 2.4  # millimetres between the places that are told apart in a square
IN_SQUARE = 6  # pieces found in one square at most


@dataclass(frozen=True)
class Site:
    """One cell: its points, and the cover of each stance of each solid over them."""

    cell: Cell
    points: Array  # (N,) indices into the points of all
    stances: tuple[Stance, ...]
    cover: Array  # (solids * stances, N)
    mass: Array  # (solids * stances,): the sum of each cover
    away: Array  # (stances,): how far from the camera, along the board
    coarse: Array  # the stances tried first, if not all are
    most: int
    near: tuple[int, ...]  # sites that share points with this one

    def rows(self, stances: Array) -> Array:
        """The rows of `cover` for some stances of every solid."""
        solids = len(self.cover) // len(self.stances)
        starts = np.arange(solids) * len(self.stances)
        rows: Array = (starts[:, None] + stances[None]).ravel()
        return rows

    @cached_property
    def first(self) -> Array:
        """The rows of `cover` for the stances tried first."""
        return self.rows(self.coarse)

    @cached_property
    def first_cover(self) -> Array:
        """What these cover."""
        return np.ascontiguousarray(self.cover[self.first])

    def row(self, stances: Array, chosen: int) -> int:
        """Which row of `cover` one of the `rows` for some stances is."""
        solid, at = divmod(chosen, len(stances))
        return int(solid * len(self.stances) + stances[at])

    @cached_property
    def spots(self) -> Array:
        """(stances, 2): where the foot is in each."""
        return np.array([(stance.x, stance.y) for stance in self.stances])

    @cached_property
    def leans(self) -> Array:
        """(stances, 2): how far its top leans over for each millimetre of height."""
        return np.array([(stance.lean_x, stance.lean_y) for stance in self.stances])

    def beside(self, stance: int) -> Array:
        """A stance and those next to it."""
        apart = np.abs(self.spots - self.spots[stance]).max(axis=1)
        return np.flatnonzero(apart < 1.5 * STEP)


@dataclass(frozen=True)
class Sites:
    """All cells of a board in one view."""

    pixels: Array  # (P, 2) whole pixels, x and y
    ground: Array  # (P, 2) millimetres on the board
    sites: tuple[Site, ...]
    outside: tuple[str, ...]  # cells the picture does not show
    step: float  # pixels from one to the next


def look_out(view: View, board: Board, solids: Sequence[Solid]) -> Sites:
    """Choose points over everything that pieces may cover, and weigh them for each cell."""
    width, height = view.lens.size
    cells, outside = [], []
    widest = max((s.diameter for s in solids if not s.flat), default=0.0)
    for cell in board.cells:
        pixel = view.project(np.array([[cell.x, cell.y]]))[0]
        inside = 2 <= pixel[0] < width - 2 and 2 <= pixel[1] < height - 2
        (cells.append(cell) if inside else outside.append(cell.id))
    boxes = [box(view, cell, solids) for cell in cells]
    area = sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in boxes) * 0.6
    step = max(1.0, float(np.sqrt(area / MOST_POINTS)))
    scale = millimetre(view, board)
    soft = max(1.2 / scale, 0.9)
    draft = []
    for cell, (x0, y0, x1, y1) in zip(cells, boxes, strict=True):
        xs = np.unique(np.rint(np.arange(np.ceil(x0 / step), x1 / step) * step).astype(int))
        ys = np.unique(np.rint(np.arange(np.ceil(y0 / step), y1 / step) * step).astype(int))
        grid = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
        grid = grid[(grid >= 0).all(axis=1) & (grid[:, 0] < width) & (grid[:, 1] < height)]
        if cell.shape == "hole":
            stances = stances_in_hole(cell.x, cell.y, cell.reach - widest / 2)
            coarse = tuple(range(len(stances)))
        else:
            half = max(cell.reach - solids[0].diameter / 2, 0.0)
            stances, coarse = stances_in_square(cell.x, cell.y, half, STEP)
        lift = tile_height(board) if cell.kind == "tile" else 0.0
        shown = [solid.waiting if cell.shape == "hole" else solid for solid in solids]
        covers = [cover_of(view, cell, grid, own, stances, soft, lift) for own in shown]
        cover = np.concatenate(covers)
        ground = view.ground(grid)
        rim = np.hypot(ground[:, 0] - cell.x, ground[:, 1] - cell.y) < RIM * cell.reach
        used = (cover.max(axis=0) > 0.05) | rim
        grid, cover = grid[used], cover[:, used]
        draft.append((cell, grid[:, 1] * width + grid[:, 0], stances, np.array(coarse), cover))
    eye = view.camera
    every = np.concatenate([own for _, own, _, _, _ in draft]) if draft else np.zeros(0, int)
    flat, numbers = np.unique(every, return_inverse=True)
    ends = np.cumsum([len(own) for _, own, _, _, _ in draft])
    points = np.split(numbers.astype(np.int64), ends[:-1])
    near = sharing(points, len(flat))
    sites = tuple(
        Site(
            cell,
            own,
            stances,
            np.ascontiguousarray(cover, dtype=np.float32),
            cover.sum(axis=1) + 1e-6,
            np.array([np.hypot(s.x - eye[0], s.y - eye[1]) for s in stances]),
            coarse,
            1 if cell.shape == "hole" or cell.kind == "tile" else IN_SQUARE,
            beside,
        )
        for (cell, _, stances, coarse, cover), own, beside in zip(draft, points, near, strict=False)
    )
    pixels = np.stack([flat % width, flat // width], axis=1)
    return Sites(pixels, view.ground(pixels), sites, tuple(outside), step)


def sharing(points: Sequence[Array], many: int) -> list[tuple[int, ...]]:
    """For each of some sets of `many` points, the other sets that have some of them too."""
    has = np.zeros((len(points), many), dtype=np.float32)
    for n, own in enumerate(points):
        has[n, own] = 1.0
    common = has @ has.T > 0
    np.fill_diagonal(common, False)
    return [tuple(int(m) for m in np.flatnonzero(row)) for row in common]


def tile_height(board: Board) -> float:
    return max((piece.height for piece in board.pieces if piece.kind == "tile"), default=0.0)


def cover_of(
    view: View,
    cell: Cell,
    grid: Array,
    solid: Solid,
    stances: tuple[Stance, ...],
    soft: float,
    lift: float,
) -> Array:
    """What a solid covers in each stance; a light covers its hole, whatever the stance."""
    if not solid.flat:
        return coverage(levels(view, grid, solid, lift), solid, stances, soft)
    wide = 2 * cell.reach if cell.shape == "hole" else SPOT
    lit = Solid(0.0 if cell.kind == "tile" else wide, 0.0, flat=True)
    return coverage(
        levels(view, grid, lit), lit, tuple(Stance(cell.x, cell.y) for _ in stances), soft
    )


def box(view: View, cell: Cell, solids: Sequence[Solid]) -> tuple[float, float, float, float]:
    """The pixels around everything that may stand on a cell."""
    half = cell.reach if cell.shape == "square" else 1.5
    corners = [
        (cell.x + u * (half + solid.diameter / 2), cell.y + v * (half + solid.diameter / 2), z)
        for solid in solids
        for u in (-1, 1)
        for v in (-1, 1)
        for z in (0.0, solid.height)
    ]
    pixels = view.project(np.array(corners))
    (x0, y0), (x1, y1) = pixels.min(axis=0) - 1.5, pixels.max(axis=0) + 1.5
    return float(x0), float(y0), float(x1), float(y1)


def millimetre(view: View, board: Board) -> float:
    """Pixels a millimetre in the middle of the board."""
    x, y = board.size[0] / 2, board.size[1] / 2
    a, b, c = view.project(np.array([[x, y], [x + 1.0, y], [x, y + 1.0]]))
    return float((np.linalg.norm(b - a) + np.linalg.norm(c - a)) / 2)
