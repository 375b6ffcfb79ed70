"""Whether the board still lies where it lay: small patches looked for around their places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.fit import Fit, FitError, fit, marker_sights
from calibration.markers import find_markers
from calibration.view import Array, Lens, View, sample
from hardware.boards import Board

SEARCH = 7  # pixels a patch may have moved to be found without a new search
ALIKE = 0.6  # correlation from which a patch is the one expected
STILL = 1.3  # pixels
PATCH = 25  # pixels a side
SPOTS = 8  # holes watched on a board without enough markers
GOOD_FIT = 1.2  # pixels
ENOUGH, TILT = 3, 4.0  # markers that tell a pose; degrees by which fewer may say it is tilted


@dataclass(frozen=True)
class Anchor:
    """A patch of the empty look, brought to where one expects it, and its place in pixels."""

    patch: Array
    left: int
    top: int


@dataclass(frozen=True)
class Stay:
    """How many patches were recognised, and how far they have moved."""

    seen: int
    of: int
    moved: float  # pixels, the median; 0 where none is seen

    @property
    def still(self) -> bool:
        return self.seen > 0 and self.moved < STILL


def anchors(board: Board, picture: Array, then: View, view: View) -> tuple[Anchor, ...]:
    """Patches of the known empty picture as they must look in the present view."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    places = [np.mean(marker.corners, axis=0) for marker in board.markers]
    if len(places) < 3:
        holes = [np.array([c.x, c.y]) for c in board.cells if c.shape == "hole"]
        places += spread(holes, SPOTS)
    made = []
    width, height = view.lens.size
    reach = PATCH // 2
    for place in places:
        x, y = np.rint(view.project(place[None])[0]).astype(int)
        edge = reach + SEARCH + 1
        if not (edge <= x < width - edge and edge <= y < height - edge):
            continue
        xs, ys = np.meshgrid(
            np.arange(x - reach, x + reach + 1), np.arange(y - reach, y + reach + 1)
        )
        ground = view.ground(np.stack([xs, ys], axis=-1).reshape(-1, 2))
        patch = sample(grey, then.project(ground)).reshape(xs.shape)
        if patch.std() > 6.0:
            made.append(Anchor(patch.astype(np.float32), int(x - reach), int(y - reach)))
    return tuple(made)


def spread(points: Sequence[Array], many: int) -> list[Array]:
    """Points far from each other, the outermost first."""
    if not points:
        return []
    left = list(points)
    middle = np.mean(points, axis=0)
    chosen = [max(left, key=lambda p: float(np.hypot(*(p - middle))))]
    while len(chosen) < min(many, len(left)):
        chosen.append(max(left, key=lambda p: min(float(np.hypot(*(p - c))) for c in chosen)))
    return chosen


def stay(image: Array, patches: Sequence[Anchor]) -> Stay:
    """Look for each patch around its place."""
    moves = []
    for anchor in patches:
        size = anchor.patch.shape[0]
        rows = slice(anchor.top - SEARCH, anchor.top + size + SEARCH)
        columns = slice(anchor.left - SEARCH, anchor.left + size + SEARCH)
        around = cv2.cvtColor(image[rows, columns], cv2.COLOR_BGR2GRAY).astype(np.float32)
        match = cv2.matchTemplate(around, anchor.patch, cv2.TM_CCOEFF_NORMED)
        _, best, _, (x, y) = cv2.minMaxLoc(match)
        if best > ALIKE:
            moves.append((x - SEARCH, y - SEARCH))
    if not moves:
        return Stay(0, len(patches), 0.0)
    middle = np.median(np.array(moves, dtype=float), axis=0)
    farthest = float(np.median([np.hypot(*move) for move in moves]))
    return Stay(len(moves), len(patches), max(farthest, float(np.hypot(*middle))))


def relocate(board: Board, image: Array, lens: Lens, before: View) -> Fit | None:
    """Find the board anew with the lens known: by its markers, then by its holes."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    markers = find_markers(board, image, thorough=False)
    if len(markers) < min(ENOUGH, len(board.markers)):
        markers = find_markers(board, image)
    known = marker_sights(board, markers)
    try:
        found = fit(board, grey, known, lens, start=before if len(known.board) < 8 else None)
    except FitError:
        return None
    if found.error > GOOD_FIT or found.agreeing < 0.7 * found.points or found.points < 8:
        return None
    # two markers fit a board seen from elsewhere, too: what is knocked stays as level as it was
    if len(markers) < ENOUGH and abs(tilt(found.view) - tilt(before)) > TILT:
        return None
    return found


def tilt(view: View) -> float:
    """Degrees between the camera's line of sight and the board's upright: the same wherever on the
    table it is pushed.
    """
    turn, _ = cv2.Rodrigues(np.array(view.pose.rotation))
    return float(np.degrees(np.arccos(np.clip(turn[2, 2], -1.0, 1.0))))
