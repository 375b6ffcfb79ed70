"""Finding a board's printed markers in a picture."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import cv2
import numpy as np

from calibration.view import Array
from hardware.boards import Board, BoardError

SIDE = 48  # pixels a straightened marker is compared at
ALIKE, APART = 0.72, 0.12  # correlation, alone and before the next best, of a blurred marker
BORDERS = (1.0, 0.86, 0.8, 0.74, 0.68)  # a square may be the paper around the marker
BENT = 0.025  # of the picture's width: how far a lens may bend a marker from its place
SMALL = 900  # pixels across; smaller pictures are doubled, so that the markers' bits stay apart


@lru_cache(maxsize=16)
def dictionary(name: str) -> cv2.aruco.Dictionary:
    number = getattr(cv2.aruco, name, None) if name.startswith("DICT_") else None
    if not isinstance(number, int):
        raise BoardError(f'fiducials.dictionary: OpenCV knows no dictionary "{name}"')
    return cv2.aruco.getPredefinedDictionary(number)


@lru_cache(maxsize=16)
def detector(name: str) -> cv2.aruco.ArucoDetector:
    wanted = cv2.aruco.DetectorParameters()
    wanted.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    wanted.cornerRefinementWinSize = 4
    wanted.minMarkerPerimeterRate = 0.015
    wanted.adaptiveThreshWinSizeMax = 43
    wanted.errorCorrectionRate = 0.9
    wanted.perspectiveRemovePixelPerCell = 8
    wanted.perspectiveRemoveIgnoredMarginPerCell = 0.25
    return cv2.aruco.ArucoDetector(dictionary(name), wanted)


def find_markers(board: Board, image: Array, thorough: bool = True) -> dict[int, Array]:
    """The board's own markers: their number to their four corners in pixels."""
    if board.dictionary is None:
        return {}
    wanted = {marker.id for marker in board.markers}
    grey = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    scale = 2.0 if max(grey.shape) < SMALL else 1.0
    found = detected(board.dictionary, grey, wanted, scale)
    if len(found) < len(wanted) and thorough:
        even = cv2.createCLAHE(4.0, (8, 8)).apply(grey)
        for picture, size in ((grey, scale), (grey, 2.0 * scale), (even, scale)):
            more = detected(board.dictionary, picture, wanted, size, True)
            found |= {k: v for k, v in more.items() if k not in found}
    return agreeing(board, found, grey.shape)


def agreeing(board: Board, found: dict[int, Array], shape: tuple[int, ...]) -> dict[int, Array]:
    """Without a marker that lies where the others say it cannot: a pattern of the tablecloth."""
    known = [marker for marker in board.markers if marker.id in found]
    if len(known) < 3:
        return found
    there = np.array([marker.corners for marker in known], dtype=float).reshape(-1, 2)
    seen = np.concatenate([found[marker.id] for marker in known])
    limit = BENT * max(shape[:2])
    flat, _ = cv2.findHomography(there, seen, cv2.RANSAC, limit)
    if flat is None:
        return found
    off = cv2.perspectiveTransform(there.reshape(-1, 1, 2), flat).reshape(-1, 2) - seen
    far = np.median(np.hypot(*off.T).reshape(-1, 4), axis=1)
    return {m.id: found[m.id] for m, away in zip(known, far, strict=True) if away <= limit}


def detected(
    name: str, grey: Array, wanted: set[int], scale: float, blurred: bool = False
) -> dict[int, Array]:
    if scale != 1.0:
        grey = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    corners, ids, rejected = detector(name).detectMarkers(grey)
    numbers = [] if ids is None else [int(n) for n in np.ravel(ids)]
    found = {
        n: np.asarray(four, dtype=float).reshape(4, 2)
        for n, four in zip(numbers, corners, strict=True)
        if n in wanted and numbers.count(n) == 1
    }
    missing = wanted - set(found)
    if blurred and missing and len(rejected):
        squares = [np.reshape(r, (4, 2)) for r in rejected]
        free = [s for s in squares if all(apart(s, four) for four in found.values())]
        found |= resembling(name, grey, missing, free)
    return {n: (four + 0.5) / scale - 0.5 for n, four in found.items()}


def resembling(
    name: str, grey: Array, missing: set[int], squares: Sequence[Array]
) -> dict[int, Array]:
    """Among squares whose bits were too blurred to read, those that look like a missing marker."""
    straight = np.array([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]], dtype=np.float32) - 0.5
    ideal = {n: upright(dictionary(name).generateImageMarker(n, SIDE)) for n in missing}
    best: dict[int, tuple[float, Array]] = {}
    for outline, border in ((s, b) for s in squares for b in BORDERS):
        square = shrunk(outline, border)
        flat = cv2.getPerspectiveTransform(square.astype(np.float32), straight)
        seen = upright(cv2.warpPerspective(grey, flat, (SIDE, SIDE)))
        likeness = sorted(
            (float((np.rot90(seen, turn) * wanted).mean()), n, turn)
            for n, wanted in ideal.items()
            for turn in range(4)
        )
        alike, n, turn = likeness[-1]
        clear = alike > ALIKE and alike - likeness[-2][0] > APART
        if clear and alike > best.get(n, (0.0, square))[0]:
            best[n] = (alike, np.roll(square, -turn, axis=0))
    return {n: refined(grey, square) for n, (_, square) in best.items()}


def shrunk(outline: Array, part: float) -> Array:
    """The square inside a square's even border, in its perspective."""
    unit = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], dtype=np.float32)
    tilt = cv2.getPerspectiveTransform(unit, outline.astype(np.float32))
    inner: Array = cv2.perspectiveTransform((unit * part)[None], tilt)[0]
    return inner


def apart(one: Array, other: Array) -> bool:
    return bool(np.linalg.norm(one.mean(axis=0) - other.mean(axis=0)) > np.ptp(other, axis=0).max())


def upright(patch: Array) -> Array:
    """A patch of mean 0 and spread 1, a little blurred."""
    soft = cv2.GaussianBlur(patch.astype(np.float32), (0, 0), SIDE / 16)
    even: Array = (soft - soft.mean()) / (soft.std() + 1e-6)
    return even


def refined(grey: Array, square: Array) -> Array:
    corners = np.ascontiguousarray(square, dtype=np.float32).reshape(-1, 1, 2)
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_COUNT, 30, 0.01)
    return np.asarray(cv2.cornerSubPix(grey, corners, (4, 4), (-1, -1), stop)).reshape(4, 2)
