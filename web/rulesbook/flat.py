"""Boards drawn with few strokes, for pages: light to send, clear when small, easy to draw over.

Every cell carries its id, every piece and every meaning of a light is a shape to be used again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from firmware_bridge.palette import LOOKS, Look
from hardware.boards import Board, Cell, Piece, board
from hardware.boards.barricades import FIRST_BARRICADES
from hardware.drawings import engraving, plan
from hardware.drawings.figures import LAMPS, number_of, polygon, sign
from hardware.drawings.ink import DARK, LIGHT, MAPLE, WOOD, brightness, css, legible, mix
from hardware.drawings.picture import fields, square_colour
from hardware.drawings.svg import box, circle, num, outline, place, tag

MARGIN = 12.0  # wood shown around the outermost cells
GRAIN = 7  # planks a board is glued of
INK = "#5b3a1c"
LETTERS = {"tijou": 2.6, "trikolos": 2.2}  # larger than burnt: pages are small
MARGINS = {"trikolos": 24.0, "barricades": 19.0}  # rows to push from; numbers beside the rows


@lru_cache(maxsize=32)
def flat(name: str, house_entry: int = 16) -> str:
    """One of our boards, bare, with the shapes to set it up."""
    shown = board(name, house_entry)
    return document(shown, (*symbols(shown), *ground(shown), *cells(shown), labels(shown)))


def document(shown: Board, parts: Iterable[str], view: tuple[float, ...] = (), **more: str) -> str:
    left, top, right, low = plan.bounds(shown.cells)
    edge = MARGINS.get(shown.name, MARGIN)
    whole = (left - edge, top - edge, right - left + 2 * edge, low - top + 2 * edge)
    facing = {seat: plan.facing(shown, seat) for seat in plan.seats(shown)}
    return tag(
        "svg",
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=" ".join(num(part) for part in view or whole),
        data_board=shown.name,
        data_reach=num(reach(shown)),
        data_facing=json.dumps(facing, separators=(",", ":")),
        **more,
    )


def reach(shown: Board) -> float:
    """How large a piece is drawn: as large as its neighbours leave room for."""
    if any(cell.kind == "tile" for cell in shown.cells):
        return 14.0
    squares = [cell for cell in shown.of_kind("ring") if cell.size]
    return 12.0 if squares else 10.4


# pieces and lights, to be used by their names ---------------------------------


def symbols(shown: Board) -> Iterator[str]:
    shapes = [
        tag("g", pawn(shown, piece) if piece.kind == "pawn" else block(piece), id=piece_id(piece))
        for piece in shown.pieces
    ]
    shapes += [tag("g", light(look), id=f"m-{look.name}") for look in LOOKS.values()]
    shapes.append(tag("g", *hole(6.5), id="hole"))
    yield tag("defs", *shapes)


def piece_id(piece: Piece) -> str:
    return f"p-{piece.seat or piece.name}"


def pawn(shown: Board, piece: Piece) -> str:
    """A disc with a rim and a sign large enough to be told apart on a phone."""
    size, edge = reach(shown), mix(piece.srgb, DARK, 0.62)
    return "".join(
        (
            circle(0.8, 1.4, size, fill="#1d1006", fill_opacity=0.35),
            circle(0, 0, size, fill=css(edge)),
            circle(0, 0, size * 0.88, fill=css(mix(piece.srgb, LIGHT, 0.06))),
            sign(number_of(shown, piece), size * 0.58, legible(piece.srgb)),
        )
    )


def block(piece: Piece) -> str:
    return barricade(piece) if piece.kind == "barricade" else tile(piece)


def barricade(piece: Piece) -> str:
    size = 10.4
    return "".join(
        (
            circle(0.8, 1.4, size, fill="#1d1006", fill_opacity=0.35),
            circle(0, 0, size, fill=css(mix(piece.srgb, DARK, 0.6))),
            circle(0, 0, size * 0.86, fill=css(piece.srgb)),
            box(-6.4, -2.2, 12.8, 4.4, rx=1, fill=css(DARK)),
        )
    )


def tile(piece: Piece) -> str:
    """A traffic light: the one that burns is told by its place, its size and its letter too."""
    half, face = 24.0, mix(piece.srgb, (74, 56, 42), 0.3)
    parts = [
        box(-half, -half, 48, 48, rx=4, fill=css(mix(face, DARK, 0.5))),
        box(-half + 1, -half + 1, 46, 45, rx=3.4, fill=css(face)),
        box(-9, -22, 18, 44, rx=8, fill="#241f1d"),
    ]
    for n, (name, rgb) in enumerate(LAMPS):
        burns = piece.name.endswith(name)
        y = (n - 1) * 13.6
        parts.append(circle(0, y, 6.6 if burns else 2.6, fill=css(rgb) if burns else "#4a423d"))
        if burns:  # seen without any colour
            parts.append(circle(0, y, 3.6, fill="#fff8e4"))
    return "".join(parts)


def light(look: Look) -> str:
    """What a light means, as a shape around or on a cell; its rhythm is a class."""
    return tag("g", *SHAPES[look.shape](look.css), cls=f"light beat-{look.beat}")


def ringed(css: str, radius: float, wide: float = 3.2) -> Iterator[str]:
    yield circle(0, 0, radius, fill="none", stroke="#1d1006", stroke_width=wide + 1.6)
    yield circle(0, 0, radius, fill="none", stroke=css, stroke_width=wide)


def filled(css: str, path: str) -> Iterator[str]:
    yield tag("path", d=path, fill=css, stroke="#1d1006", stroke_width=1.4, stroke_linejoin="round")


def stroked(css: str, path: str) -> Iterator[str]:
    for ink, wide in (("#1d1006", 6.0), (css, 3.6)):
        yield tag("path", d=path, fill="none", stroke=ink, stroke_width=wide,
                  stroke_linecap="round", stroke_linejoin="round")  # fmt: skip


SHAPES: dict[str, Callable[[str], Iterable[str]]] = {
    "ring": lambda css: ringed(css, 11.6),
    "dot": lambda css: filled(css, "M0-6A6 6 0 1 1 0 6A6 6 0 1 1 0-6Z"),
    "cross": lambda css: stroked(css, "M-8-8 8 8M-8 8 8-8"),
    "hollow": lambda css: (
        circle(0, 0, 8, fill="none", stroke="#fff6e2", stroke_width=4.4),
        circle(0, 0, 8, fill="none", stroke=css, stroke_width=2.4, stroke_dasharray="4 3"),
    ),
    "arrow": lambda css: filled(css, "M0 10 9-1H4V-11H-4V-1H-9Z"),
    "bar": lambda css: stroked(css, "M-10 0H10"),
    "double-ring": lambda css: (*ringed(css, 12.6, 2.4), *ringed(css, 8, 2.4)),
    "star": lambda css: filled(css, polygon(5, 11.5, -90.0, 5.0)),
    "triangle": lambda css: filled(css, polygon(3, 11.0)),
    "tick": lambda css: stroked(css, "M-8 0-2 7 9-7"),
}


# the board itself --------------------------------------------------------------


def ground(shown: Board) -> Iterator[str]:
    """Planks, a frame, coloured fields and the burnt lines."""
    width, height = shown.size
    planks = [box(0, 0, width, height, rx=9, fill=css(mix(WOOD, (240, 216, 174), 0.2)))]
    for n in range(1, GRAIN):
        y = n * height / GRAIN
        planks.append(tag("path", d=f"M4 {num(y)}H{num(width - 4)}"))
        planks += [
            tag("path", d=f"M{num(width * at)} {num(y - height / GRAIN * up)}h{num(width * 0.3)}")
            for at, up in (((n * 0.37) % 0.7, 0.3), ((n * 0.61 + 0.2) % 0.7, 0.65))
        ]
    yield tag("g", *planks, cls="wood", stroke="#a9743a", stroke_opacity=0.3)
    yield box(1.5, 1.5, width - 3, height - 3, rx=8, fill="none", stroke="#6b4120", stroke_width=3)
    yield tag("g", *fields(shown), cls="fields")
    lines = [
        tag("path", d=outline(line.points, line.closed))
        for line in engraving.lines(shown)
        if line.name not in ("square", "zone")
    ]
    yield tag("g", *lines, fill="none", stroke=INK, stroke_opacity=0.75, stroke_width=1.2,
              stroke_linejoin="round", stroke_linecap="round")  # fmt: skip


def hole(radius: float, rim: str = css(mix(WOOD, DARK, 0.1))) -> Iterator[str]:
    yield circle(0, 0, radius + 1.4, fill=MAPLE, fill_opacity=0.9)
    yield circle(0, 0, radius, fill="#4a2f17")
    yield circle(0.5, 0.9, radius - 1, fill="#2f1d0e")


def cells(shown: Board) -> Iterator[str]:
    yield tag("g", *(under(shown)), cls="under")
    yield tag("g", *(cell_shape(shown, cell) for cell in shown.cells), cls="cells")


def under(shown: Board) -> Iterator[str]:
    """Colour under the cells that mean something: starts, first barricades, the goal."""
    for cell in shown.cells:
        if cell.kind == "goal":
            yield circle(cell.x, cell.y, 20, fill="#c9962f")
            yield circle(cell.x, cell.y, 17, fill="#f0cf7c")
        elif cell.kind == "ring" and cell.size is None:
            seat = plan.start_of(shown, cell)
            piece = plan.set_of(shown, seat)
            if piece is not None:
                yield circle(cell.x, cell.y, 12, fill=css(mix(piece.srgb, DARK, 0.45)))
                yield circle(cell.x, cell.y, 11, fill=css(mix(piece.srgb, WOOD, 0.08)))
            elif shown.name == "barricades" and cell.id in FIRST_BARRICADES:
                yield circle(cell.x, cell.y, 10.6, fill=css(DARK))


def cell_shape(shown: Board, cell: Cell) -> str:
    seat = plan.owner(shown, cell)
    kind = None if cell.kind == "ring" else cell.kind  # most are: said of the others
    about: dict[str, object] = {"data_cell": cell.id, "data_kind": kind, "data_seat": seat}
    if cell.size is None:
        wide = cell.reach if cell.reach > 8 else None
        if wide is None:
            return tag("use", href="#hole", x=cell.x, y=cell.y, **about)
        piece = plan.set_of(shown, seat)
        tint = mix(piece.srgb, WOOD, 0.6) if piece else WOOD
        return circle(cell.x, cell.y, wide, fill=css(mix(tint, DARK, 0.12)), stroke=INK,
                      data_x=cell.x, data_y=cell.y, **about)  # fmt: skip
    width, height = cell.size
    dark = cell.kind == "tile"
    ink = "#6d4826" if dark else css(square_colour(shown, cell))
    return box(cell.x - width / 2, cell.y - height / 2, width, height, rx=2, fill=ink, stroke=INK,
               data_x=cell.x, data_y=cell.y, **about)  # fmt: skip


def labels(shown: Board) -> str:
    """What is burnt into the wood; each turns with the reader."""
    words = []
    for label in engraving.labels(shown):
        cell = shown.by_id.get(label.cell or "")
        inside = cell is not None and cell.is_field
        ink = legible(square_colour(shown, cell)) if inside and cell is not None else INK
        size = label.height * LETTERS.get(shown.name, 1.7)
        spot = place(label.x, label.y, label.angle)
        words.append(
            tag("text", label.text, transform=spot, dy=label.height / 2, font_size=size,
                fill=None if ink == INK else ink)
        )  # fmt: skip
    signs = [house_sign(shown, seat) for seat in plan.seats(shown)]
    return tag("g", *words, *coordinates(shown), *signs, cls="labels", fill=INK,
               text_anchor="middle", font_family="Georgia, serif")  # fmt: skip


def coordinates(shown: Board) -> Iterator[str]:
    """Barricades has too many cells to tell one from another: letters above, numbers beside."""
    if shown.name != "barricades":
        return
    last = max(int(cell.id[1:]) for cell in shown.of_kind("ring"))
    first: dict[int, Cell] = {}
    for cell in shown.of_kind("ring"):
        row = int(cell.id[1:])
        first[row] = min(first.get(row, cell), cell, key=lambda one: one.x)
        if row == last:
            yield tag("text", cell.id[0], x=cell.x, y=cell.y - 13, font_size=10)
    for row, cell in first.items():
        yield tag("text", str(row), x=cell.x - 17, y=cell.y + 3.5, font_size=10)


def house_sign(shown: Board, seat: str) -> str:
    """The seat's sign in the middle of the pieces that wait, so that a side has a name."""
    cells = [cell for cell in plan.owned(shown, seat, "camp") if cell.size is None]
    piece = plan.set_of(shown, seat)
    if piece is None or len(cells) < 4:
        return ""
    x, y = plan.centroid(cells)
    ink = css(mix(piece.srgb, DARK if brightness(piece.srgb) > 0.1 else LIGHT, 0.5))
    return tag("g", sign(number_of(shown, piece), 3.6, ink), transform=place(x, y))
