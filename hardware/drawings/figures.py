"""Pieces seen from above: told apart by a sign as well as by their colour."""

from __future__ import annotations

import math
from collections.abc import Sequence

from hardware.boards import Board, Cell, Piece, Point
from hardware.drawings.ink import DARK, LIGHT, Rgb, css, legible, mix
from hardware.drawings.svg import box, circle, num, outline, place, tag

LAMPS: tuple[tuple[str, Rgb], ...] = (
    ("red", (232, 54, 46)),
    ("orange", (250, 158, 32)),
    ("green", (46, 190, 90)),
)


def polygon(corners: int, radius: float, turn: float = -90.0, inner: float | None = None) -> str:
    """A regular polygon, or a star where an inner radius is given."""
    points = []
    spokes = corners if inner is None else 2 * corners
    for n in range(spokes):
        angle = math.radians(turn + 360.0 * n / spokes)
        reach = radius if inner is None or n % 2 == 0 else inner
        points.append((reach * math.cos(angle), reach * math.sin(angle)))
    return outline(points, closed=True)


def cross(radius: float) -> str:
    bar = radius * 0.32
    corners = [(bar, bar), (radius, bar), (radius, -bar), (bar, -bar)]
    points = []
    for quarter in range(4):
        angle = math.radians(90.0 * quarter)
        cos, sin = math.cos(angle), math.sin(angle)
        points += [(x * cos + y * sin, x * sin - y * cos) for x, y in corners[:3]]
    return outline(points, closed=True)


def lozenge(wide: float, tall: float) -> str:
    """So slender that it is no square, whichever side of the table one looks from."""
    return outline([(0, -tall), (wide, 0), (0, tall), (-wide, 0)], closed=True)


def half_disc(radius: float) -> str:
    left, right, low = num(-radius), num(radius), num(radius * 0.42)
    return f"M{left} {low}A{right} {right} 0 0 1 {right} {low}Z"


def sign(number: int, radius: float, ink: str) -> str:
    """The sign of the set with that number; no two are alike, even turned."""
    shapes = (
        lambda: circle(0, 0, radius * 0.72, fill=ink),
        lambda: tag("path", d=polygon(4, radius * 1.05, 45.0), fill=ink),
        lambda: tag("path", d=polygon(3, radius * 1.12), fill=ink),
        lambda: tag("path", d=cross(radius), fill=ink),
        lambda: tag("path", d=lozenge(radius * 0.62, radius * 1.25), fill=ink),
        lambda: tag("path", d=polygon(5, radius * 1.15, -90.0, radius * 0.5), fill=ink),
        lambda: circle(0, 0, radius * 0.68, fill="none", stroke=ink, stroke_width=radius * 0.42),
        lambda: tag("path", d=half_disc(radius * 1.05), fill=ink),
    )
    return tag("g", shapes[number % len(shapes)](), cls=f"sign sign-{number % len(shapes)}")


def number_of(board: Board, piece: Piece) -> int:
    return [p.name for p in board.pieces if p.kind == "pawn"].index(piece.name)


def pawn(rgb: Rgb, number: int, radius: float) -> str:
    """A turned wooden pawn: foot, head, a light on it, its sign."""
    edge = mix(rgb, DARK, 0.45)
    return "".join(
        (
            tag("ellipse", cx=radius * 0.16, cy=radius * 0.24, rx=radius * 1.1, ry=radius * 1.06,
                fill="#2a1708", fill_opacity=0.3),
            circle(0, 0, radius, fill=css(edge)),
            circle(-radius * 0.03, -radius * 0.05, radius * 0.9, fill=css(rgb)),
            circle(radius * 0.03, radius * 0.05, radius * 0.71, fill=css(edge), fill_opacity=0.55),
            circle(0, 0, radius * 0.68, fill=css(mix(rgb, LIGHT, 0.14))),
            tag("ellipse", cx=-radius * 0.2, cy=-radius * 0.4, rx=radius * 0.3, ry=radius * 0.15,
                fill="#fff", fill_opacity=0.45, transform="rotate(-24)"),
            sign(number, radius * 0.4, legible(rgb)),
        )
    )  # fmt: skip


def barricade(rgb: Rgb, radius: float) -> str:
    """A thick disc with a bar across it: no way through."""
    return "".join(
        (
            circle(radius * 0.14, radius * 0.2, radius * 1.06, fill="#2a1708", fill_opacity=0.3),
            circle(0, 0, radius, fill=css(mix(rgb, DARK, 0.55))),
            circle(-radius * 0.03, -radius * 0.05, radius * 0.92, fill=css(rgb)),
            circle(0, 0, radius * 0.72, fill="none", stroke=css(mix(rgb, DARK, 0.35)),
                   stroke_width=radius * 0.07),
            box(-radius * 0.56, -radius * 0.17, radius * 1.12, radius * 0.34, rx=radius * 0.08,
                fill=css(DARK)),
        )
    )  # fmt: skip


def tile(piece: Piece, width: float) -> str:
    """A traffic light; which lamp burns can be told by its place alone."""
    burning = next((name for name, _ in LAMPS if piece.name.endswith(name)), None)
    half, lamp = width / 2, width * 0.118
    face = mix(piece.srgb, (74, 56, 42), 0.36)
    parts = [
        box(-half, -half, width, width, rx=width * 0.07, fill=css(mix(face, DARK, 0.5))),
        box(-half + 0.4, -half + 0.3, width - 0.9, width - 1.2, rx=width * 0.065, fill=css(face)),
        box(-half + 1.8, -half + 1.7, width - 3.7, width - 4.0, rx=width * 0.045, fill="none",
            stroke="#fff", stroke_width=0.4, stroke_opacity=0.35),
        box(-width * 0.185, -width * 0.44, width * 0.37, width * 0.88, rx=width * 0.17,
            fill="#241f1d"),
        box(-width * 0.185, -width * 0.44, width * 0.37, width * 0.88, rx=width * 0.17,
            fill="none", stroke="#fff", stroke_width=0.3, stroke_opacity=0.25),
    ]  # fmt: skip
    for n, (name, rgb) in enumerate(LAMPS):
        y = (n - 1) * width * 0.272
        if name == burning:
            parts += [
                circle(0, y, lamp * 1.32, fill=css(rgb), fill_opacity=0.35),
                circle(0, y, lamp, fill=css(rgb)),
                circle(-lamp * 0.1, y - lamp * 0.12, lamp * 0.55, fill=css(mix(rgb, LIGHT, 0.65))),
            ]
        else:
            parts.append(circle(0, y, lamp, fill=css(mix(rgb, (36, 31, 29), 0.8))))
    return "".join(parts)


def figure(board: Board, piece: Piece, scale: float = 1.0) -> str:
    """One piece around the origin."""
    radius = piece.diameter / 2 * scale
    if piece.kind == "pawn":
        return pawn(piece.srgb, number_of(board, piece), radius)
    return barricade(piece.srgb, radius) if piece.kind == "barricade" else tile(piece, 2 * radius)


def standing(
    board: Board, cell: Cell, pieces: Sequence[Piece], upright: float, scale: float
) -> tuple[str, ...]:
    """The pieces on one cell, side by side where they are many; tiles lie under the others."""
    tiles = [piece for piece in pieces if piece.kind == "tile"]
    others = [piece for piece in pieces if piece.kind != "tile"]
    drawn = [(piece, (0.0, 0.0), 1.0) for piece in tiles]
    room = spots(cell, len(others), max((p.diameter for p in others), default=0.0) * scale)
    drawn += [(piece, spot, room[1] * scale) for piece, spot in zip(others, room[0], strict=True)]
    return tuple(
        tag(
            "g",
            figure(board, piece, size),
            cls=f"piece {piece.kind}",
            data_piece=piece.name,
            data_on=cell.id,
            transform=place(cell.x + x, cell.y + y, upright),
        )
        for piece, (x, y), size in drawn
    )


def spots(cell: Cell, count: int, diameter: float) -> tuple[list[Point], float]:
    """Where pieces stand around a cell's centre, and how much smaller they must be drawn."""
    if count <= 1:
        return [(0.0, 0.0)] * count, 1.0
    columns = math.ceil(math.sqrt(count))
    rows = math.ceil(count / columns)
    room = min(cell.size) * 0.94 if cell.size else max(cell.reach * 2, diameter * 1.5)
    pitch = min(diameter * 1.12, room / columns)
    found = []
    for n in range(count):
        row, column = divmod(n, columns)
        across = min(columns, count - row * columns)
        found.append(((column - (across - 1) / 2) * pitch, (row - (rows - 1) / 2) * pitch))
    return found, min(1.0, pitch / (diameter * 1.04))
