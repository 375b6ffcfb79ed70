"""Lens and pose from one flat picture: marker corners first, then the pattern of holes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.holes import find_edges
from calibration.view import Array, Lens, Pose, Size, View, floats
from hardware.boards import Board, Cell

FOCAL = 0.95  # of the picture's width: what table cameras, phones and webcams gather around
FOCAL_SPREAD = 0.30
LENSES = (0.5, 0.4, 0.65, 0.8, 1.1, 1.5)  # of the picture's width: lenses tried one by one
LAST = 4.0  # how much farther one looks with each step, at last
FEW = 12  # points that leave the lens open
K1_SPREAD, K2_SPREAD = 0.12, 0.04
MARKER_SIGMA, HOLE_SIGMA = 0.6, 0.6  # pixels
DEPTH_SPREAD = 5.0  # millimetres down to the light floor of a hole
ROUNDS = 25
INLIER = 1.5  # pixels
ROBUST = 2.5  # sigmas


class FitError(ValueError):
    """No placing of the board explains what was seen."""


@dataclass(frozen=True)
class Fit:
    """A view, how many points carry it and how far they lie off, in pixels."""

    view: View
    points: int
    error: float
    holes: int
    agreeing: int  # points less than a pixel or so off


@dataclass(frozen=True)
class Sights:
    """Board points in millimetres, where they were seen, and how exactly that is known."""

    board: Array
    pixels: Array
    sigma: Array
    sunk: Array  # (N,) true for what lies below the board's face, at one depth for all

    def __add__(self, other: Sights) -> Sights:
        return Sights(
            np.vstack([self.board, other.board]),
            np.vstack([self.pixels, other.pixels]),
            np.concatenate([self.sigma, other.sigma]),
            np.concatenate([self.sunk, other.sunk]),
        )

    def solid(self, depth: float) -> Array:
        return np.column_stack([self.board, np.where(self.sunk, -depth, 0.0)])

    def __getitem__(self, chosen: Array) -> Sights:
        return Sights(
            self.board[chosen], self.pixels[chosen], self.sigma[chosen], self.sunk[chosen]
        )


def sights(board: Array, pixels: Array, sigma: float | Array, sunk: bool = False) -> Sights:
    many = len(np.reshape(board, (-1, 2)))
    return Sights(
        np.reshape(board, (-1, 2)),
        np.reshape(pixels, (-1, 2)),
        np.broadcast_to(np.asarray(sigma, dtype=float), (many,)).copy(),
        np.full(many, sunk),
    )


def marker_sights(board: Board, found: Mapping[int, Array]) -> Sights:
    known = [marker for marker in board.markers if marker.id in found]
    points = np.array([corner for marker in known for corner in marker.corners], dtype=float)
    pixels = np.array([corner for marker in known for corner in found[marker.id]], dtype=float)
    return sights(points, pixels, MARKER_SIGMA)


def guess(
    known: Sights, size: Size, lens: Lens | None, focals: tuple[float, ...] = (0.7, FOCAL, 1.4)
) -> View:
    """A first view from at least four points, through the lens or one of some `focals`."""
    if len(known.board) < 4:
        raise FitError("at least four known points are needed to place the board")
    solid = np.column_stack([known.board, np.zeros(len(known.board))])
    best: tuple[float, View] | None = None
    for focal in (FOCAL,) if lens else focals:
        f = focal * max(size)
        tried = lens or Lens(size, (f, f), ((size[0] - 1) / 2, (size[1] - 1) / 2))
        good, rvecs, tvecs, _ = cv2.solvePnPGeneric(
            solid, known.pixels, tried.matrix, tried.coefficients, flags=cv2.SOLVEPNP_IPPE
        )
        for rvec, tvec in zip(rvecs, tvecs, strict=True) if good else ():
            a, b, c = floats(rvec)
            x, y, z = floats(tvec)
            view = View(tried, Pose((a, b, c), (x, y, z)))
            if z <= 0 or view.camera[2] <= 0:
                continue
            off = float(np.median(np.linalg.norm(view.project(known.board) - known.pixels, axis=1)))
            if np.isfinite(off) and (best is None or off < best[0]):
                best = (off, view)
    if best is None or best[0] > 0.05 * max(size):
        raise FitError("the points do not fit this board")
    return best[1]


def unpack(p: Array, size: Size, lens: Lens | None) -> View:
    pose = Pose((float(p[0]), float(p[1]), float(p[2])), (float(p[3]), float(p[4]), float(p[5])))
    if lens is not None:
        return View(lens, pose)
    f = float(np.exp(p[6])) * max(size)
    centre = ((size[0] - 1) / 2, (size[1] - 1) / 2)
    return View(Lens(size, (f, f), centre, (float(p[7]), float(p[8]), 0.0, 0.0, 0.0)), pose)


def adjust(
    view: View, seen: Sights, lens: Lens | None, depth: float = 0.0, stiff: float = 1.0
) -> tuple[View, float]:
    """Least squares over pose, how deep the holes are, and focal length and distortion where the
    lens is unknown; `stiff` below 1 holds the distortion while there is little to tell it by.
    """
    size = view.lens.size
    free = 6 if lens is not None else 9
    sunk = bool(seen.sunk.any())
    focal = np.log(view.lens.focal[0] / max(size))
    k1, k2 = view.lens.distortion[:2]
    p = np.array([*view.pose.rotation, *view.pose.translation, focal, k1, k2])[:free]
    p = np.append(p, depth)
    away = max(view.pose.translation[2], 1.0)
    step = np.append(np.array([1e-5] * 3 + [1e-5 * away] * 3 + [1e-5] * 3)[:free], 1e-3)
    prior = np.array([np.log(FOCAL), 0.0, 0.0])
    spread = np.array([FOCAL_SPREAD, K1_SPREAD * stiff, K2_SPREAD * stiff])
    many = len(seen.board)

    def residuals(q: Array) -> Array:
        off = unpack(q, size, lens).project(seen.solid(q[-1])) - seen.pixels
        held = (q[6:9] - prior) / spread if free > 6 else np.zeros(0)
        deep = np.array([q[-1] / (DEPTH_SPREAD if sunk else 1e-3)])
        return np.concatenate([(off / seen.sigma[:, None]).ravel(), held, deep])

    def weights(r: Array) -> Array:
        length = np.repeat(np.linalg.norm(r[: 2 * many].reshape(-1, 2), axis=1), 2)
        w = np.ones(len(r))
        w[: 2 * many] = ROBUST / np.maximum(length, ROBUST)
        return w

    def cost(r: Array) -> float:
        length = np.linalg.norm(r[: 2 * many].reshape(-1, 2), axis=1)
        huber = np.where(length < ROBUST, length**2 / 2, ROBUST * (length - ROBUST / 2))
        return float(huber.sum() + (r[2 * many :] ** 2).sum() / 2)

    now, damping = residuals(p), 1e-3
    for _ in range(ROUNDS):
        slope = np.column_stack([(residuals(p + e) - now) / e.sum() for e in np.diag(step)])
        w = weights(now)
        normal = slope.T @ (w[:, None] * slope)
        toward = slope.T @ (w * now)
        gain = 0.0
        for _ in range(8):
            scaled = normal + damping * np.diag(np.diag(normal) + 1e-12)
            move = -np.linalg.lstsq(scaled, toward, rcond=None)[0]
            then = residuals(p + move)
            if np.all(np.isfinite(then)) and cost(then) < cost(now):
                gain = cost(now) - cost(then)
                p, now, damping = p + move, then, max(damping / 5, 1e-9)
                break
            damping *= 5
        if gain < 1e-5 * (1 + cost(now)):
            break
    return unpack(p, size, lens), float(p[-1])


def hole_sights(
    view: View, grey: Array, cells: Sequence[Cell], search: float, depth: float = 0.0
) -> Sights:
    """The holes whose edge is clear, seen where that edge says they are."""
    centres = np.array([(c.x, c.y) for c in cells], dtype=float).reshape(-1, 2)
    inside = inside_picture(view, centres) if len(cells) else np.zeros(0, dtype=bool)
    centres = centres[inside]
    radii = np.array([c.reach for c in cells])[inside]
    if len(centres) < 4:
        return sights(np.zeros((0, 2)), np.zeros((0, 2)), 1.0)
    edges = find_edges(view, grey, centres, radii, search, depth)
    strong = np.abs(edges.contrast)
    sign = 1.0 if np.sum(edges.contrast) >= 0 else -1.0
    clear = (strong > 0.35 * np.median(strong)) & (strong > 1.0) & (edges.contrast * sign > 0)
    sigma = HOLE_SIGMA * np.sqrt(np.clip(np.median(strong) / np.maximum(strong, 1e-6), 1.0, 9.0))
    return sights(centres[clear], edges.pixels[clear], sigma[clear], sunk=sign < 0)


def inside_picture(view: View, points: Array, margin: float = 4.0) -> Array:
    pixels = view.project(points)
    limit = np.array(view.lens.size) - 1 - margin
    inside: Array = np.all((pixels >= margin) & (pixels <= limit), axis=1)
    return inside


def fit(
    board: Board,
    grey: Array,
    known: Sights,
    lens: Lens | None,
    skip: frozenset[str] = frozenset(),
    start: View | None = None,
    trust: float = 1.0,
) -> Fit:
    """Place the board: from `known` points, then by its holes, as long as these agree; or where it
    was at the `start`, which need not be so.

    `trust` scales how far the known points may be off (fingers on a screen are not markers).
    """
    size = (grey.shape[1], grey.shape[0])
    known = Sights(known.board, known.pixels, known.sigma * trust, known.sunk)
    cells = [c for c in board.cells if c.shape == "hole" and c.id not in skip]
    pitch = hole_pitch(board)
    best: Fit | None = None
    if start is not None:
        best = settled(start, 0.0, known, grey, cells, lens, pitch)
        if len(known.board) < 4 or enough(best, cells, known):
            return best
    first = adjust(guess(known, size, lens), known, lens, stiff=0.2)[0]
    for begun, growth in starts(first, known, size, lens):
        view, depth = grown(begun, known, grey, cells, lens, pitch, growth)
        tried = settled(view, depth, known, grey, cells, lens, pitch)
        if best is None or tried.agreeing > best.agreeing:
            best = tried
        if enough(best, cells, known):
            break
        if growth == LAST and len(known.board) > FEW:
            break  # the holes are not clear, but the lens is known well enough
    assert best is not None
    return best


def enough(found: Fit, cells: Sequence[Cell], known: Sights) -> bool:
    return found.agreeing > 0.9 * (len(cells) + len(known.board)) and found.error < 0.5


def starts(
    first: View, known: Sights, size: Size, lens: Lens | None
) -> Iterator[tuple[View, float]]:
    """First views and how fast to go outwards from what is known: a few points pin no lens down."""
    for growth in (1.4, 1.2, LAST):
        yield first, growth
    for focal in () if lens else LENSES:
        try:
            yield guess(known, size, None, (focal,)), 1.25
        except FitError:
            continue  # no such lens


def grown(
    view: View,
    known: Sights,
    grey: Array,
    cells: Sequence[Cell],
    lens: Lens | None,
    pitch: float,
    growth: float,
) -> tuple[View, float]:
    """From what is known outwards, so that no hole is taken for another."""
    depth, reach = 0.0, 4.0 * pitch
    farthest = max((distance(known.board, cell) for cell in cells), default=0.0)
    while reach < farthest:
        near = [c for c in cells if distance(known.board, c) < reach]
        found = hole_sights(view, grey, near, 0.42 * pitch, depth)
        if len(found.board) >= 6:
            view, depth = adjust(view, known + found, lens, depth, stiff=0.2)
        reach *= growth
    return view, depth


def settled(
    view: View,
    depth: float,
    known: Sights,
    grey: Array,
    cells: Sequence[Cell],
    lens: Lens | None,
    pitch: float,
) -> Fit:
    """All holes, looked for in smaller and smaller circles."""
    holes = sights(np.zeros((0, 2)), np.zeros((0, 2)), 1.0)
    for part in (0.42, 0.3, 0.15, 0.1, 0.1):
        found = hole_sights(view, grey, cells, max(part * pitch, 1.0), depth)
        if len(found.board) < 6:
            break
        holes = found
        view, depth = adjust(view, known + holes, lens, depth)
    both = known + holes
    off = np.linalg.norm(view.project(both.solid(depth)) - both.pixels, axis=1)
    error = float(np.median(off))
    return Fit(view, len(both.board), error, len(holes.board), int((off < INLIER).sum()))


def distance(points: Array, cell: Cell) -> float:
    return float(np.min(np.hypot(points[:, 0] - cell.x, points[:, 1] - cell.y)))


def hole_pitch(board: Board) -> float:
    """The median distance from a hole to its nearest neighbour."""
    spots = np.array([(c.x, c.y) for c in board.cells if c.shape == "hole"], dtype=float)
    if len(spots) < 2:
        return 20.0
    apart = np.linalg.norm(spots[:, None] - spots[None], axis=2)
    apart[np.diag_indices(len(spots))] = np.inf
    return float(np.median(apart.min(axis=1)))
