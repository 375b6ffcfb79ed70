"""The calibration chart: a chessboard with markers in its white squares, on A4 at true size."""

from __future__ import annotations

from functools import cache

import cv2

from hardware.drawings.markers import dictionary, runs
from hardware.drawings.sheet import A4, Label, Line, Page, Rectangle, ruler

# With an odd number of rows OpenCV's old and new pattern are one and the same, so nothing can be
# told wrong. Its dictionary is none of the boards', so neither is taken for the other.
COLUMNS, ROWS = 7, 9
SQUARE = 26.0
MARKER = 19.5
DICTIONARY = "DICT_5X5_50"
TOP = 18.0


@cache
def board() -> cv2.aruco.CharucoBoard:
    """The chart as OpenCV's detector wants it, in millimetres."""
    return cv2.aruco.CharucoBoard((COLUMNS, ROWS), SQUARE, MARKER, dictionary(DICTIONARY))


def page() -> Page:
    left = (A4[0] - COLUMNS * SQUARE) / 2
    shapes: list[Rectangle | Line | Label] = []
    for row in range(ROWS):
        for column in range(COLUMNS):
            if (row + column) % 2 == 0:
                x, y = left + column * SQUARE, TOP + row * SQUARE
                shapes.append(Rectangle(x, y, SQUARE, SQUARE))
    module = MARKER / (dictionary(DICTIONARY).markerSize + 2)
    for marker_id, corners in enumerate(board().getObjPoints()):
        x, y = (
            min(float(corner[n]) for corner in corners) + start
            for n, start in ((0, left), (1, TOP))
        )
        shapes += [
            Rectangle(x + first * module, y + row * module, long * module, module)
            for row, first, long in runs(DICTIONARY, marker_id)
        ]
    low = TOP + ROWS * SQUARE
    shapes += [
        *ruler(left, low + 14.0),
        Label(
            left, low + 22.0, f"Arbitre – {COLUMNS} × {ROWS} × {SQUARE:g} mm – {DICTIONARY}", 3.2
        ),
        Label(left, low + 27.5, "Imprimer à 100 % et coller bien à plat sur une planche.", 3.0),
        Label(left, low + 32.5, "Print at 100 % and glue it flat onto a board.", 3.0),
    ]
    return Page(A4, tuple(shapes))
