"""The fiducials: their black modules, where they lie on a board, and a sheet to print them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache

import cv2

from hardware.boards import Board, BoardError, Marker, Point
from hardware.drawings.sheet import A4, Label, Line, Page, Rectangle, ruler

QUIET = 1.0  # white around a marker, in modules; less and it is not found
MARGIN = 15.0
CAPTION = 9.0


@cache
def dictionary(name: str) -> cv2.aruco.Dictionary:
    number = getattr(cv2.aruco, name, None) if name.startswith("DICT_") else None
    if not isinstance(number, int):
        raise BoardError(f'fiducials.dictionary: OpenCV knows no "{name}"; ours is DICT_4X4_50')
    return cv2.aruco.getPredefinedDictionary(number)


def pattern(name: str, marker_id: int) -> tuple[tuple[bool, ...], ...]:
    """The modules of a marker, its black border included; true where it is black."""
    known = dictionary(name)
    last = len(known.bytesList) - 1
    if marker_id > last:
        raise BoardError(f"fiducials.markers: {name} ends at id {last}, there is no {marker_id}")
    across = known.markerSize + 2
    image = cv2.aruco.generateImageMarker(known, marker_id, across)
    return tuple(tuple(bool(module == 0) for module in row) for row in image)


def runs(name: str, marker_id: int) -> Iterator[tuple[int, int, int]]:
    """The black modules, joined along their rows: row, first column, how many."""
    for row, modules in enumerate(pattern(name, marker_id)):
        column = 0
        while column < len(modules):
            long = 0
            while column + long < len(modules) and modules[column + long]:
                long += 1
            if long:
                yield row, column, long
            column += max(1, long)


def on_board(
    board: Board, marker: Marker
) -> tuple[tuple[Point, ...], tuple[tuple[Point, ...], ...]]:
    """Where a marker lies on its board: the white ground, then the black quadrangles."""
    name = board.dictionary or ""
    across = dictionary(name).markerSize + 2

    def at(column: float, row: float) -> Point:
        u, v = column / across, row / across
        a, b, c, d = marker.corners
        x, y = (
            (1 - v) * ((1 - u) * a[n] + u * b[n]) + v * ((1 - u) * d[n] + u * c[n]) for n in (0, 1)
        )
        return x, y

    def quadrangle(left: float, top: float, right: float, low: float) -> tuple[Point, ...]:
        return at(left, top), at(right, top), at(right, low), at(left, low)

    ground = quadrangle(-QUIET, -QUIET, across + QUIET, across + QUIET)
    black = tuple(
        quadrangle(first, row, first + long, row + 1) for row, first, long in runs(name, marker.id)
    )
    return ground, black


def side(marker: Marker) -> float:
    """How wide a marker is printed: its four sides, which must be about equal."""
    sides = [math.dist(marker.corners[n], marker.corners[(n + 1) % 4]) for n in range(4)]
    mean = sum(sides) / 4
    diagonals = [math.dist(marker.corners[n], marker.corners[n + 2]) for n in (0, 1)]
    if mean <= 0 or max(abs(s - mean) for s in sides) > 0.05 * mean or any(
        abs(d - mean * math.sqrt(2)) > 0.05 * mean for d in diagonals
    ):  # fmt: skip
        raise BoardError(f"fiducials.markers: the corners of marker {marker.id} make no square")
    return mean


def pages(board: Board) -> tuple[Page, ...]:
    """A4 pages with every marker of the board at its true size, and a ruler to check the print."""
    if not board.markers:
        raise BoardError(f"{board.name} has no markers to print")
    name = board.dictionary or ""
    across = dictionary(name).markerSize + 2
    width, height = A4
    found: list[list[Rectangle | Line | Label]] = []
    x = y = math.inf
    deep = 0.0
    for marker in board.markers:
        wide = side(marker)
        cut = wide * (1 + 2 * QUIET / across)
        if cut > width - 2 * MARGIN:
            raise BoardError(f"marker {marker.id} is {wide:.0f} mm wide and does not fit on A4")
        if x + cut > width - MARGIN:
            x, y = MARGIN, y + deep
            deep = 0.0
        if not found or y + cut + CAPTION > height - MARGIN:
            found.append(heading(board))
            x, y = MARGIN, 62.0
        found[-1] += printed(name, marker.id, x, y, wide)
        x += cut + 8.0
        deep = max(deep, cut + CAPTION + 6.0)
    return tuple(Page(A4, tuple(shapes)) for shapes in found)


def heading(board: Board) -> list[Rectangle | Line | Label]:
    width, height = board.size
    return [
        Label(MARGIN, 22.0, f"Arbitre – {board.name} – {board.dictionary}", 5.0),
        Label(
            MARGIN, 29.0, "Imprimer à 100 %, sans mise à l'échelle. Garder la marge blanche.", 3.2
        ),
        Label(MARGIN, 34.0, "Print at 100 %, not scaled to fit. Keep the white margin.", 3.2),
        Label(MARGIN, 39.0, f"Plateau / board: {width:g} × {height:g} mm", 3.2),
        *ruler(MARGIN, 48.0),
    ]


def printed(
    name: str, marker_id: int, x: float, y: float, wide: float
) -> list[Rectangle | Line | Label]:
    """One marker with its white margin, thin lines to cut along and its number."""
    module = wide / (dictionary(name).markerSize + 2)
    cut = wide + 2 * QUIET * module
    corners = [(x, y), (x + cut, y), (x + cut, y + cut), (x, y + cut)]
    shapes: list[Rectangle | Line | Label] = [
        Line(a, b, 0.1, 0.65) for a, b in zip(corners, corners[1:] + corners[:1], strict=True)
    ]
    left, top = x + QUIET * module, y + QUIET * module
    shapes += [
        Rectangle(left + first * module, top + row * module, long * module, module)
        for row, first, long in runs(name, marker_id)
    ]
    shapes.append(Label(x, y + cut + 5.0, f"{marker_id} – {wide:.1f} mm", 3.2))
    return shapes
