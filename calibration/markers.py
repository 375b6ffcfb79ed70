"""Finding a board's printed markers in a picture."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from calibration.view import Array
from hardware.boards import Board, BoardError

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
    return cv2.aruco.ArucoDetector(dictionary(name), wanted)


def find_markers(board: Board, image: Array) -> dict[int, Array]:
    """The board's own markers: their number to their four corners in pixels."""
    if board.dictionary is None:
        return {}
    wanted = {marker.id for marker in board.markers}
    grey = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    found = detected(board.dictionary, grey, wanted)
    if len(found) < len(wanted):
        even = cv2.createCLAHE(4.0, (8, 8)).apply(grey)
        found |= {
            k: v for k, v in detected(board.dictionary, even, wanted).items() if k not in found
        }
    return found


def detected(name: str, grey: Array, wanted: set[int]) -> dict[int, Array]:
    scale = 2.0 if max(grey.shape) < SMALL else 1.0
    if scale != 1.0:
        grey = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    corners, ids, _ = detector(name).detectMarkers(grey)
    if ids is None:
        return {}
    numbers = [int(n) for n in np.ravel(ids)]
    return {
        n: (np.asarray(four, dtype=float).reshape(4, 2) + 0.5) / scale - 0.5
        for n, four in zip(numbers, corners, strict=True)
        if n in wanted and numbers.count(n) == 1
    }
