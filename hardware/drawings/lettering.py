"""Letters on the board, and what fills the place for cards: its name under an ornament."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from html import escape

from hardware.boards import Board, Zone
from hardware.drawings.engraving import Label
from hardware.drawings.figures import LAMPS, polygon
from hardware.drawings.ink import ENGRAVED, MAPLE, WALNUT, css
from hardware.drawings.svg import box, circle, layer, num, place, tag

FONT = "'Palatino Linotype', Palatino, 'Book Antiqua', P052, Georgia, 'Noto Serif', serif"
CAPITAL = 1.45  # the letters' size over the height of a capital

# four suits around the origin, a unit high
SUITS = {
    "S": "M0-.5C.1-.3.42-.14.42.14.42.36.16.4.05.24.06.38.1.46.18.5H-.18C-.1.46-.06.38-.05.24"
    "-.16.4-.42.36-.42.14-.42-.14-.1-.3 0-.5Z",
    "H": "M0 .5C-.08.3-.45.08-.45-.22-.45-.52-.1-.58 0-.28.1-.58.45-.52.45-.22.45.08.08.3 0 .5Z",
    "D": "M0-.52C.1-.3.22-.13.36 0 .22.13.1.3 0 .52-.1.3-.22.13-.36 0-.22-.13-.1-.3 0-.52Z",
    "C": "M0-.5C.25-.5.28-.2.13-.07.3-.18.5-.02.42.17.34.34.1.32.05.17.06.36.1.46.18.5H-.18"
    "C-.1.46-.06.36-.05.17-.1.32-.34.34-.42.17-.5-.02-.3-.18-.13-.07-.28-.2-.25-.5 0-.5Z",
}
SUIT_INKS = {"S": ENGRAVED, "H": "#9a2b22", "C": ENGRAVED, "D": "#9a2b22"}
PIPS = {1: "e", 2: "ai", 3: "aei", 4: "acgi", 5: "acegi", 6: "acdfgi"}


def letters(label: Label, ink: str = ENGRAVED, weight: str = "normal") -> str:
    return tag(
        "text",
        escape(label.text),
        cls="label",
        data_cell=label.cell,
        transform=place(label.x, label.y, label.angle),
        dy=label.height / 2,
        font_size=label.height * CAPITAL,
        font_weight=weight,
        letter_spacing=label.height * (0.34 if label.spaced else 0.1),
        text_anchor="middle",
        fill=ink,
    )


def suits(size: float) -> Iterator[str]:
    for n, suit in enumerate("SHCD"):
        spot = f"translate({num((n - 1.5) * size * 1.45)} 0) scale({num(size)})"
        yield tag("path", d=SUITS[suit], fill=SUIT_INKS[suit], transform=spot)


def dice(size: float) -> Iterator[str]:
    """Three faces of a die in a row."""
    for n, face in enumerate((3, 6, 2)):
        x = (n - 1) * size * 1.5
        yield box(x - size / 2, -size / 2, size, size, rx=size * 0.18, fill=MAPLE,
                  fill_opacity=0.55, stroke=ENGRAVED, stroke_width=size * 0.05)  # fmt: skip
        for pip in PIPS[face]:
            row, column = divmod("abcdefghi".index(pip), 3)
            yield circle(x + (column - 1) * size * 0.27, (row - 1) * size * 0.27, size * 0.09,
                         fill=ENGRAVED)  # fmt: skip


def lamps(size: float) -> Iterator[str]:
    for n, (_, rgb) in enumerate(LAMPS):
        yield circle((n - 1) * size * 1.3, 0, size * 0.46, fill=css(rgb), stroke=ENGRAVED,
                     stroke_width=size * 0.08)  # fmt: skip


def rose(radius: float, points: int) -> Iterator[str]:
    """A compass rose of as many points as the board has seats, half of each in shadow."""
    yield circle(0, 0, radius, fill="none", stroke=ENGRAVED, stroke_width=0.4, stroke_opacity=0.5)
    yield circle(0, 0, radius * 0.93, fill="none", stroke=ENGRAVED, stroke_width=0.25,
                 stroke_opacity=0.4)  # fmt: skip
    yield tag("path", d=polygon(points, radius * 0.62, -90 + 180 / points, radius * 0.3),
              fill=WALNUT, fill_opacity=0.22)  # fmt: skip
    for n in range(points):
        angle = 360 * n / points
        waist = radius * 0.24 * math.sin(math.pi / points) / math.sin(math.pi / 4)
        back = radius * 0.24 * math.cos(math.pi / points) / math.cos(math.pi / 4)
        for side, opacity in ((1, 0.62), (-1, 0.3)):
            half = f"M0 0L{num(side * waist)} {num(back)}L0 {num(radius * 0.93)}Z"
            yield tag("path", d=half, fill=WALNUT, fill_opacity=opacity,
                      transform=f"rotate({num(angle)})")  # fmt: skip


ORNAMENTS: dict[str, Callable[[float], Iterator[str]]] = {"barricades": dice, "trikolos": lamps}


def title(board: Board) -> str:
    """The board's name in the place for cards or the die."""
    if board.card_zone is None:
        return ""
    zone = board.card_zone
    x, y = zone.x + zone.width / 2, zone.y + zone.height / 2
    name = board.name.rstrip("0123456789").upper() or board.name
    wide = min(zone.width, 160.0)
    height = min(wide * 0.84 / (1.12 * max(4, len(name))), zone.height * 0.16, 14.0)
    # the name stands under the ornament where the place is high enough for a rose
    drop = min(zone.height * 0.2, height * 2.0)
    size = height * 0.85
    content = [
        tag("g", *ORNAMENTS.get(board.name, suits)(size), transform=place(0, drop * 0.72)),
        letters(Label(name, 0, -drop * 0.5, height, spaced=True)),
    ]
    if board.name not in ORNAMENTS:
        content.insert(0, backdrop(board, zone))
    return layer("title", content, transform=place(x, y))


def backdrop(board: Board, zone: Zone) -> str:
    x, y = zone.x + zone.width / 2, zone.y + zone.height / 2
    free = min(
        math.dist((x, y), (c.x, c.y)) - c.reach * (math.sqrt(2) if c.size else 1)
        for c in board.cells
    )
    radius = min(free * 0.84, max(zone.width, zone.height) * 0.8)
    if radius <= 0:
        return ""
    seats = {piece.seat for piece in board.pieces if piece.seat} or {"a", "b", "c", "d"}
    points = max(4, len(seats)) if board.name != "tijou" else 4
    return tag("g", *rose(radius, points), cls="rose", opacity=0.42)
