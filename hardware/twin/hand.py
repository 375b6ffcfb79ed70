"""A hand and its sleeve over the board, built from tapering rods, with skin and cloth."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.boards import Board
from hardware.twin.camera import CameraPose
from hardware.twin.ground import Ground
from hardware.twin.pieces import Patch
from hardware.twin.shade import Floats, linear_bgr, lux, rod_shadow, shine

Gesture = Literal["pinch", "point", "flat", "fist"]
Point3 = tuple[float, float, float]
SKINS: tuple[tuple[float, float, float], ...] = (
    (236, 200, 178), (224, 178, 150), (205, 152, 118), (178, 124, 90), (140, 92, 64),
    (104, 68, 48), (74, 48, 36),
)  # fmt: skip
# along the arm towards the fingertips, across it, up; the tip that acts is the origin
WRIST: Point3 = (-128, 2, 62)
ELBOW: Point3 = (-430, 30, 130)
KNUCKLES: tuple[Point3, ...] = ((-62, -24, 60), (-54, -5, 64), (-60, 14, 60), (-70, 31, 52))
FINGERS: dict[Gesture, tuple[tuple[Point3, ...], ...]] = {
    "pinch": (
        ((-24, -20, 58), (-4, -12, 36), (5, -3, 16)),
        ((-14, 2, 56), (2, 6, 34), (-4, 9, 18)),
        ((-22, 20, 50), (-10, 23, 30), (-20, 22, 18)),
        ((-38, 36, 44), (-28, 38, 28), (-36, 34, 20)),
    ),
    "point": (
        ((-34, -15, 44), (-15, -6, 26), (0, 0, 11)),
        ((-22, 0, 44), (-24, 6, 22), (-44, 6, 22)),
        ((-30, 18, 40), (-32, 20, 20), (-50, 18, 22)),
        ((-44, 34, 36), (-44, 34, 20), (-58, 30, 22)),
    ),
    "flat": (
        ((-22, -30, 32), (2, -32, 20), (22, -33, 13)),
        ((-12, -8, 34), (16, -9, 21), (38, -10, 13)),
        ((-18, 15, 32), (10, 16, 20), (30, 17, 13)),
        ((-34, 38, 28), (-12, 42, 18), (4, 45, 12)),
    ),
    "fist": (
        ((-30, -18, 42), (-36, -14, 18), (-56, -12, 24)),
        ((-24, 0, 46), (-32, 2, 20), (-54, 2, 24)),
        ((-30, 18, 42), (-36, 18, 20), (-56, 16, 24)),
        ((-42, 34, 38), (-46, 32, 20), (-62, 28, 24)),
    ),
}
THUMBS: dict[Gesture, tuple[Point3, ...]] = {
    "pinch": ((-104, -34, 50), (-62, -42, 36), (-26, -27, 24), (-6, -6, 15)),
    "point": ((-104, -34, 50), (-66, -40, 36), (-40, -24, 30), (-22, -10, 30)),
    "flat": ((-104, -34, 46), (-74, -58, 30), (-50, -70, 20), (-32, -78, 14)),
    "fist": ((-104, -34, 50), (-66, -38, 38), (-42, -20, 32), (-28, -4, 34)),
}


@dataclass(frozen=True)
class Hand:
    """Fingertips over (x, y), `z` above the board; the arm comes from `turn` degrees."""

    x: float
    y: float
    z: float = 0.0
    turn: float = 90.0  # 90: from the board's bottom side
    gesture: Gesture = "pinch"
    skin: int = 1
    sleeve: tuple[float, float, float] | None = (60, 70, 110)
    cuff: float = 190.0  # millimetres of bare skin before the sleeve
    size: float = 1.0
    left: bool = False
    carries: tuple[str, Point3] | None = None  # a piece between the fingers, and where


@dataclass(frozen=True)
class Rod:
    """A tapering rod with round ends."""

    a: Floats
    b: Floats
    ra: float
    rb: float
    cloth: bool


def rods(hand: Hand) -> list[Rod]:
    """The hand's parts in the board's millimetres."""
    angle = math.radians(hand.turn)
    ahead = np.array([-math.cos(angle), -math.sin(angle), 0.0])
    across = np.array([ahead[1], -ahead[0], 0.0]) * (-1 if hand.left else 1)
    up = np.array([0.0, 0.0, 1.0])
    origin = np.array([hand.x, hand.y, hand.z])

    def place(point: Sequence[float]) -> Floats:
        u, w, z = point
        return (origin + hand.size * (u * ahead + w * across + z * up)).astype(np.float32)

    parts: list[tuple[Any, Any, float, float, bool]] = []
    for knuckle, finger, width in zip(
        KNUCKLES, FINGERS[hand.gesture], (9.5, 10.0, 9.4, 8.2), strict=True
    ):
        parts.append((WRIST, knuckle, 19.0, width + 2.5, False))
        joints = (knuckle, *finger)
        widths = (width + 1.0, width, width - 0.9, width - 2.2)
        parts += [(joints[n], joints[n + 1], widths[n], widths[n + 1], False) for n in range(3)]
    thumb = THUMBS[hand.gesture]
    parts.append((WRIST, thumb[0], 18.0, 16.0, False))
    for n, (one, two) in enumerate(((17.0, 14.0), (13.5, 11.0), (11.0, 8.5))):
        parts.append((thumb[n], thumb[n + 1], one, two, False))
    wrist, elbow = np.array(WRIST), np.array(ELBOW)
    far = elbow + 1.6 * (elbow - wrist)
    parts.append((wrist, elbow, 25.0, 38.0, False))
    parts.append((elbow, far, 38.0, 46.0, False))
    if hand.sleeve is not None:
        way = (elbow - wrist) / np.linalg.norm(elbow - wrist)
        cuff = wrist + way * max(5.0, hand.cuff - 128)
        parts.append((cuff, cuff + way * 30, 39.0, 41.0, True))
        parts.append((cuff + way * 30, far, 41.0, 62.0, True))
    return [
        Rod(place(a), place(b), ra * hand.size, rb * hand.size, cloth)
        for a, b, ra, rb, cloth in parts
    ]


def meet(rod: Rod, eye: Floats, rays: Floats) -> tuple[Floats, Floats]:
    """How far along each ray the rod is met (infinite: never), and the normals there."""
    axis = rod.b - rod.a
    length = float(np.linalg.norm(axis))
    axis = axis / length
    lean = (rod.ra - rod.rb) / length
    straight = math.sqrt(max(1e-6, 1 - lean * lean))
    taper, start = lean / straight, rod.ra / straight
    from_a = eye - rod.a
    m1, m2 = float(from_a @ axis), rays @ axis
    run = rays @ from_a
    radius_here = start - taper * m1
    a = 1 - m2 * m2 * (1 + taper * taper)
    b = run - m1 * m2 + taper * m2 * radius_here
    c = float(from_a @ from_a) - m1 * m1 - radius_here * radius_here
    root = b * b - a * c
    t = (-b - np.sqrt(np.maximum(root, 0))) / np.where(np.abs(a) < 1e-6, 1e-6, a)
    s = m1 + t * m2
    side = (root > 0) & (s > rod.ra * lean) & (s < length + rod.rb * lean) & (t > 0)
    best = np.where(side, t, np.inf).astype(np.float32)
    points = from_a + t[:, None] * rays
    radial = points - s[:, None] * axis
    normals = radial / np.maximum(np.linalg.norm(radial, axis=1, keepdims=True), 1e-6)
    normals = normals * straight + axis * lean
    for centre, radius in ((rod.a, rod.ra), (rod.b, rod.rb)):
        off = eye - centre
        along = rays @ off
        root = along * along - float(off @ off) + radius * radius
        t = np.where(root > 0, -along - np.sqrt(np.maximum(root, 0)), np.inf)
        nearer = t < best
        best = np.where(nearer, t, best)
        ball = (off + np.where(nearer, t, 0)[:, None] * rays) / radius
        normals = np.where(nearer[:, None], ball, normals)
    return best.astype(np.float32), normals.astype(np.float32)


def window(
    spots: NDArray[np.float64], size: tuple[int, int], step: int
) -> tuple[int, int, int, int] | None:
    low = np.maximum(np.floor(spots.min(axis=0)) - 2, 0).astype(int) // step * step
    high = np.minimum(np.ceil(spots.max(axis=0)) + 3, size).astype(int)
    return None if (low >= high).any() else (low[0], low[1], high[0], high[1])


def outline(rod: Rod, camera: CameraPose) -> NDArray[np.float64]:
    """Pixels around a rod; an end beside or behind the camera is drawn in to where it is seen."""
    ends = []
    ahead = np.array(camera.ahead)
    for centre, radius, other in ((rod.a, rod.ra, rod.b), (rod.b, rod.rb, rod.a)):
        spot = centre.astype(np.float64)
        depth = float((spot - camera.eye) @ ahead)
        if depth < 150:
            rest = float((other - camera.eye) @ ahead)
            if rest <= 160:
                continue
            spot = other + (spot - other) * ((rest - 150) / (rest - depth))
        for dx in (-radius, radius):
            for dy in (-radius, radius):
                ends += [spot + np.array((dx, dy, -radius)), spot + np.array((dx, dy, radius))]
    return camera.project(ends) if ends else np.zeros((0, 2))


def draw_hand(hand: Hand, camera: CameraPose, ground: Ground, under: Floats) -> Patch | None:
    """The hand's part of the picture, worked out on every other pixel."""
    parts = rods(hand)
    spots = [outline(rod, camera) for rod in parts]
    seen = [(rod, spot) for rod, spot in zip(parts, spots, strict=True) if len(spot)]
    if not seen:
        return None
    box = window(np.concatenate([spot for _, spot in seen]), camera.size, 2)
    if box is None:
        return None
    left, top, right, bottom = box
    shape = ((bottom - top + 1) // 2, (right - left + 1) // 2)
    depth = np.full(shape, np.inf, np.float32)
    normals = np.zeros((*shape, 3), np.float32)
    cloth = np.zeros(shape, np.float32)
    rays = camera.rays[top:bottom:2, left:right:2]
    eye = np.array(camera.eye, np.float32)
    for rod, spot in seen:
        own = window(spot, camera.size, 2)
        if own is None:
            continue
        part = (
            slice((own[1] - top) // 2, (own[3] - top + 1) // 2),
            slice((own[0] - left) // 2, (own[2] - left + 1) // 2),
        )
        its_rays = rays[part]
        far, facing = meet(rod, eye, its_rays.reshape(-1, 3))
        far, facing = far.reshape(its_rays.shape[:2]), facing.reshape(its_rays.shape)
        nearer = far < depth[part]
        depth[part] = np.where(nearer, far, depth[part])
        normals[part] = np.where(nearer[..., None], facing, normals[part])
        cloth[part] = np.where(nearer, np.float32(rod.cloth), cloth[part])
    cover = np.isfinite(depth)
    if not cover.any():
        return None
    # skin runs over from one bone to the next
    smooth: Floats = cv2.GaussianBlur(normals, (0, 0), 2.0)
    smooth /= np.maximum(np.linalg.norm(smooth, axis=2, keepdims=True), 1e-6)
    points = eye + np.where(cover, depth, 0)[..., None] * rays
    layers = lit(hand, points[cover], smooth[cover], rays[cover], cloth[cover], ground, under)
    size = (right - left, bottom - top)
    mask = enlarge(cv2.GaussianBlur(cover.astype(np.float32), (0, 0), 0.8), size)
    mask = np.clip((mask - 0.5) * 2.2 + 0.5, 0, 1)
    filled = []
    for values in layers:
        flat = np.zeros((*shape, 3), np.float32)
        flat[cover] = values
        weight = np.maximum(enlarge(cover.astype(np.float32), size), 1e-3)[..., None]
        filled.append(enlarge(flat, size) / weight * mask[..., None])
    filled.append(np.zeros_like(filled[0]))
    return Patch(left, top, mask, tuple(filled))


def enlarge(values: Floats, size: tuple[int, int]) -> Floats:
    """Every second pixel to every pixel, the first one staying where it is."""
    width, height = size
    turn = np.array([[0.5, 0, 0], [0, 0.5, 0]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpAffine(values, turn, (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    )


def lit(
    hand: Hand,
    points: Floats,
    normals: Floats,
    rays: Floats,
    cloth: Floats,
    ground: Ground,
    under: Floats,
) -> list[Floats]:
    """Skin and cloth under the lamps."""
    skin = linear_bgr(SKINS[hand.skin % len(SKINS)])
    own = points - (hand.x, hand.y, hand.z)
    mottle = 1 + 0.06 * np.sin(own @ np.array([0.13, 0.17, 0.11])) * np.sin(
        own @ np.array([-0.19, 0.09, 0.23])
    )
    colour = skin * mottle[:, None].astype(np.float32)
    if hand.sleeve is not None:
        folds = 1 + 0.15 * np.sin(own @ np.array([0.07, -0.05, 0.06]))
        weave = 1 + 0.08 * np.sin(own @ np.array([2.1, 0.4, 0.9])) * np.sin(
            own @ np.array([0.3, 2.3, 1.1])
        )
        fabric = linear_bgr(hand.sleeve) * (folds * weave)[:, None].astype(np.float32)
        colour = colour + (fabric - colour) * cloth[:, None]
    near = np.clip(points[:, 2] / 60, 0.15, 1)
    sky = (0.5 + 0.5 * normals[:, 2]) * (0.4 + 0.6 * near)
    bounce = (0.5 - 0.5 * normals[:, 2]) * 0.6
    layers = [colour * (sky[:, None] * ground.ambient + bounce[:, None] * under * ground.ambient)]
    for lamp in ground.lamps:
        direct = lux(lamp, points, normals)
        level = lamp.power * lamp.at[2] / np.linalg.norm(lamp.at - points[0]) ** 3
        direct = direct + 0.4 * bounce * level * float(under.mean())
        gloss = shine(lamp, points, normals, rays, 0.4) * 0.5 * (1 - cloth)
        # light that goes through skin comes out redder
        warm = np.array([0.92, 0.96, 1.06], np.float32)
        tint = warm + (1 - warm) * cloth[:, None]
        layers.append((colour * direct[:, None] * tint + gloss[:, None]) * lamp.colour)
    return [layer.astype(np.float32) for layer in layers]


def shade_by_hand(ground: Ground, hand: Hand) -> list[Floats]:
    """What the hand leaves of each layer's light, worked out on every eighth pixel."""
    step = 8
    x, y = ground.x[::step, ::step], ground.y[::step, ::step]
    parts = rods(hand)
    size = (ground.x.shape[1], ground.x.shape[0])
    dim = np.zeros(x.shape, np.float32)
    left = []
    for lamp in ground.lamps:
        dark = np.zeros(x.shape, np.float32)
        for rod in parts:
            dark = np.maximum(dark, rod_shadow(lamp, x, y, 0.0, rod.a, rod.b, rod.ra, rod.rb))
        left.append(1 - enlarge_by(dark, size, step)[..., None])
        dim = np.maximum(dim, cv2.GaussianBlur(dark, (0, 0), 5.0))
    return [1 - 0.35 * enlarge_by(dim, size, step)[..., None], *left]


def enlarge_by(values: Floats, size: tuple[int, int], step: int) -> Floats:
    turn = np.array([[1 / step, 0, 0], [0, 1 / step, 0]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpAffine(values, turn, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    )


def hand_cover(board: Board, camera: CameraPose, hand: Hand) -> tuple[tuple[str, ...], bool]:
    """The cells of which a hand hides a part, and whether it hides any part of the board."""
    parts = rods(hand)
    names: list[str] = []
    points: list[Point3] = []
    tall = max((piece.height for piece in board.pieces), default=10.0)
    for cell in board.cells:
        near = 0.7 * min(cell.reach, 10.0)
        for dx, dy, z in ((0, 0, 0), (0, 0, 0.8 * tall), (near, 0, 0), (-near, 0, 0),
                          (0, near, 0), (0, -near, 0)):  # fmt: skip
            names.append(cell.id)
            points.append((cell.x + dx, cell.y + dy, z))
    width, height = board.size
    places = np.mgrid[0:width:26j, 0:height:26j].reshape(2, -1).T
    everything = np.array([*points, *((x, y, 0.0) for x, y in places)])
    way = everything - camera.eye
    rays = (way / np.linalg.norm(way, axis=1, keepdims=True)).astype(np.float32)
    eye = np.array(camera.eye, np.float32)
    far = np.linalg.norm(way, axis=1)
    hidden = np.zeros(len(everything), bool)
    for rod in parts:
        hidden |= meet(rod, eye, rays)[0] < far - 0.5
    cells = tuple(dict.fromkeys(n for n, dark in zip(names, hidden, strict=False) if dark))
    return cells, bool(hidden.any())
