"""A board as a picture: wood, engraving, cells in the seats' colours, pieces, marks."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence

from hardware.boards import Board, Cell
from hardware.boards.barricades import FIRST_BARRICADES
from hardware.drawings import engraving, markers, plan
from hardware.drawings.figures import number_of, sign, standing
from hardware.drawings.ink import (
    DARK,
    ENGRAVED,
    ENGRAVED_LIGHT,
    LIGHT,
    MAPLE,
    WOOD,
    Rgb,
    brightness,
    css,
    legible,
    mix,
)
from hardware.drawings.lettering import FONT, letters, title
from hardware.drawings.marks import Mark, drawn
from hardware.drawings.svg import box, circle, document, layer, num, outline, place, tag
from hardware.drawings.wood import wood

RECESS = 18.0  # a round place at least this wide is a shallow dish, a narrower one a drilled hole
BAND = 9.0  # how far colour reaches beyond a house's or camp's holes


def picture(
    board: Board,
    pieces: Mapping[str, Sequence[str]] | None = None,
    *,
    turned: str | None = None,
    marks: Iterable[Mark] = (),
    around: Iterable[str] = (),
    scale: float = 1.0,
) -> str:
    """The board as one SVG, a millimetre a unit.

    `pieces`: names of pieces by cell. `turned`: the seat whose side lies at the lower edge.
    `around`: only the part of the board with these cells. `scale` draws pieces larger than they
    are, for small screens. Every cell is a group with its id in `data-cell`.
    """
    turn = 0.0 if turned is None else -plan.facing(board, turned)
    width, height = board.size
    slug = re.sub(r"[^a-z0-9]+", "-", board.name.lower()) or "board"
    edge, ground = wood(slug, board.size)
    standing_here = [
        (board.cell(cell), [board.piece(name) for name in named])
        for cell, named in (pieces or {}).items()
    ]
    tiled = {cell.id for cell, on in standing_here if any(p.kind == "tile" for p in on)}
    figures = [
        figure for cell, on in standing_here for figure in standing(board, cell, on, -turn, scale)
    ]
    content = tag(
        "g", "\n",
        "\n".join((
            ground,
            layer("fields", fields(board)),
            layer("engraving", engraved(board)),
            layer("markers", map_markers(board)),
            layer("cells", (cell_group(board, c, slug, c.id in tiled) for c in board.cells)),
            title(board),
            layer("labels", labels(board)),
            layer("pieces", figures),
            layer("marks", (drawn(board, mark, -turn) for mark in marks)),
        )),
        "\n",
        cls="board", data_board=board.name, font_family=FONT,
        transform=f"rotate({num(turn)} {num(width / 2)} {num(height / 2)})" if turn else None,
    )  # fmt: skip
    left, top, right, low = view(board, turn, tuple(around))
    return document(
        right - left, low - top, (left, top), tag("defs", edge, hole_shade(slug)), content
    )


def view(board: Board, turn: float, around: tuple[str, ...]) -> tuple[float, float, float, float]:
    """What is shown: the whole board, or the cells asked for with some wood around them."""
    width, height = board.size
    shown = (0.0, 0.0, width, height)
    if around:
        left, top, right, low = plan.bounds(board.cell(name) for name in around)
        shown = (left - 16.0, top - 16.0, right + 16.0, low + 16.0)
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    corners = [(x - width / 2, y - height / 2) for x in shown[::2] for y in shown[1::2]]
    xs = [round(width / 2 + x * cos - y * sin, 2) for x, y in corners]
    ys = [round(height / 2 + x * sin + y * cos, 2) for x, y in corners]
    return min(xs), min(ys), max(xs), max(ys)


def hole_shade(slug: str) -> str:
    stops = ((0.0, "#1d1108"), (0.7, "#2f1d0e"), (1.0, "#4a2f17"))
    return tag(
        "radialGradient",
        *(tag("stop", offset=at, stop_color=colour) for at, colour in stops),
        id=f"{slug}-hole", cx=0.46, cy=0.4, r=0.62,
    )  # fmt: skip


def seat_colour(board: Board, seat: str | None) -> Rgb | None:
    pieces = plan.set_of(board, seat)
    return pieces.srgb if pieces else None


def seat_sign(board: Board, seat: str | None, radius: float, ink: str) -> str:
    pieces = plan.set_of(board, seat)
    return sign(number_of(board, pieces), radius, ink) if pieces else ""


# the fields under the cells ---------------------------------------------------


def fields(board: Board) -> Iterable[str]:
    yield from cross_field(board)
    yield from tile_bed(board)
    for seat in plan.seats(board):
        rgb = seat_colour(board, seat)
        if rgb is not None:
            house = plan.owned(board, seat, "house")
            yield from house_band(house, rgb)
            yield from house_sign(board, seat, house, rgb)
            yield from camp_plate(board, seat, rgb)


def cross_field(board: Board) -> Iterable[str]:
    """Darker wood let in under the holes of a ring or net, and paler wood inside a ring."""
    ring = plan.circuit(board)
    if any(cell.size for cell in board.of_kind("ring")):
        if ring:
            path = outline([(c.x, c.y) for c in ring], closed=True)
            yield tag(
                "path", d=path, cls="inlay", fill="#dcae70", stroke=ENGRAVED, stroke_width=0.5
            )
        return
    lines = [line for line in engraving.path(board) if line.name == "path"]
    path = "".join(outline(line.points, line.closed) for line in lines)
    room = 2 * max((c.reach for c in board.of_kind("ring")), default=0.0)
    inks = [(room + 11, "#8e6231"), (room + 10, "#cf9b5b")]
    if ring:
        inks.append((room - 3, "#e6c28b"))
    for wide, ink in inks:
        yield tag("path", d=path, cls="inlay", fill=ink if ring else "none", stroke=ink,
                  stroke_width=wide, stroke_linejoin="round", stroke_linecap="round")  # fmt: skip


def tile_bed(board: Board) -> Iterable[str]:
    """The sunken bed that tiles slide in."""
    tiles = [cell for cell in board.of_kind("tile") if cell.size]
    rows = {cell.y for cell in tiles if sum(other.y == cell.y for other in tiles) > 1}
    bed = [cell for cell in tiles if cell.y in rows]
    for cells in (bed, [cell for cell in tiles if cell not in bed]):
        if cells:
            left, top, right, low = plan.bounds(cells)
            yield box(left - 2.5, top - 2.5, right - left + 5, low - top + 5, rx=3.5,
                      fill="#5d3c1f", stroke="#fff1d6", stroke_width=0.5)  # fmt: skip


def house_band(cells: Sequence[Cell], rgb: Rgb) -> Iterable[str]:
    if not cells:
        return
    path = outline([(c.x, c.y) for c in cells])
    room = 2 * max(c.reach for c in cells)
    for wide, ink in (
        (room + BAND, mix(rgb, DARK, 0.45)),
        (room + BAND - 1.6, mix(rgb, WOOD, 0.12)),
    ):
        yield tag("path", d=path, cls="house-band", fill="none", stroke=css(ink), stroke_width=wide,
                  stroke_linejoin="round", stroke_linecap="round")  # fmt: skip


def house_sign(board: Board, seat: str, house: Sequence[Cell], rgb: Rgb) -> Iterable[str]:
    """The seat's sign one step beyond its last house hole, where nothing else is."""
    if len(house) < 2:
        return
    ink = css(mix(rgb, DARK, 0.5 if brightness(rgb) > 0.6 else 0.15))  # white on pale wood is lost
    x, y = 2 * house[-1].x - house[-2].x, 2 * house[-1].y - house[-2].y
    if min(math.dist((x, y), (c.x, c.y)) - c.reach for c in board.cells) > 6.0:
        yield tag("g", seat_sign(board, seat, 4.6, ink), cls="house-sign",
                  transform=place(x, y, plan.facing(board, seat)))  # fmt: skip


def camp_plate(board: Board, seat: str, rgb: Rgb) -> Iterable[str]:
    """A pale plate in the seat's colour under the places where its pieces wait or have arrived."""
    for kind in ("camp", "arrival"):
        cells = [cell for cell in plan.owned(board, seat, kind) if cell.size is None]
        if not cells:
            continue
        left, top, right, low = plan.bounds(cells)
        width, height = right - left + BAND, low - top + BAND
        yield box(left - BAND / 2, top - BAND / 2, width, height, cls=f"plate {kind}",
                  rx=min(width, height, 40.0) / 2.6, fill=css(mix(rgb, WOOD, 0.3)),
                  fill_opacity=0.85 if kind == "camp" else 0.4,
                  stroke=css(mix(rgb, DARK, 0.45)), stroke_width=0.8)  # fmt: skip
        x, y = (left + right) / 2, (top + low) / 2
        room = min(math.dist((x, y), (c.x, c.y)) - c.reach for c in cells)
        if room > 4.0:
            ink = css(mix(rgb, DARK if brightness(rgb) > 0.1 else LIGHT, 0.5))
            yield tag("g", seat_sign(board, seat, min(room * 0.7, 5.0), ink), cls="camp-sign",
                      transform=place(x, y, plan.facing(board, seat)))  # fmt: skip


# lines and letters -------------------------------------------------------------


def engraved(board: Board) -> Iterable[str]:
    for line in engraving.lines(board):
        if line.name == "square":
            continue  # drawn with its cell
        path = outline(line.points, line.closed)
        wide = 0.6 if line.name == "zone" else 1.1
        yield tag("path", d=path, fill="none", stroke=ENGRAVED_LIGHT, stroke_width=wide,
                  stroke_opacity=0.75, transform="translate(.35 .45)", stroke_linejoin="round",
                  stroke_linecap="round")  # fmt: skip
        yield tag("path", d=path, cls=f"line {line.name}", fill="none", stroke=ENGRAVED,
                  stroke_width=wide, stroke_linejoin="round", stroke_linecap="round")  # fmt: skip


def labels(board: Board) -> Iterable[str]:
    for label in engraving.labels(board):
        cell = board.by_id.get(label.cell or "")
        inside = cell is not None and cell.is_field
        rgb = square_colour(board, cell) if inside and cell is not None else None
        yield letters(label, legible(rgb) if rgb else ENGRAVED)


def map_markers(board: Board) -> Iterable[str]:
    for marker in board.markers:
        ground, black = markers.on_board(board, marker)
        yield tag(
            "g",
            tag("path", d=outline(ground, closed=True), fill="#fdfcf8"),
            tag("path", d="".join(outline(corners, closed=True) for corners in black), fill="#111",
                stroke="#111", stroke_width=0.03),
            cls="marker", data_marker=marker.id,
        )  # fmt: skip


# cells ---------------------------------------------------------------------------


def cell_group(board: Board, cell: Cell, slug: str, covered: bool) -> str:
    seat = plan.owner(board, cell)
    drawing = square(board, cell, covered) if cell.size else round_place(board, cell, slug)
    words = ["cell", cell.kind, *([f"seat-{seat}"] if seat else [])]
    return tag("g", *drawing, cls=" ".join(words), data_cell=cell.id)


def round_place(board: Board, cell: Cell, slug: str) -> Iterable[str]:
    rgb = seat_colour(board, plan.start_of(board, cell) or plan.owner(board, cell))
    x, y, radius = cell.x, cell.y, cell.reach
    if cell.kind == "goal":
        for more, ink in ((11.0, "#c9962f"), (9.6, "#f0cf7c"), (5.0, "#c9962f"), (4.0, MAPLE)):
            yield circle(x, y, radius + more, fill=ink)
    elif cell.kind == "ring" and rgb is not None:  # a start
        yield circle(x, y, radius + 5.2, fill=css(mix(rgb, DARK, 0.45)))
        yield circle(x, y, radius + 4.4, fill=css(mix(rgb, WOOD, 0.08)))
    elif board.name == "barricades" and cell.id in FIRST_BARRICADES:
        yield circle(x, y, radius + 4.2, fill=css(DARK))
        yield circle(x, y, radius + 1.6, fill=MAPLE, fill_opacity=0.9)
    elif cell.kind == "ring":
        yield circle(x, y, radius + 1.9, fill=MAPLE, fill_opacity=0.9)
    if 2 * radius >= RECESS and cell.kind != "goal":
        tint = mix(rgb, WOOD, 0.62) if rgb else WOOD
        yield circle(x, y, radius, cls="hole", fill=css(mix(tint, DARK, 0.16)),
                     stroke=css(mix(tint, DARK, 0.5)), stroke_width=0.5)  # fmt: skip
    else:
        yield circle(x, y, radius, cls="hole", fill=f"url(#{slug}-hole)")
    # the rim catches the light at its lower right
    reach = radius * 0.95
    yield tag("path", d=f"M{num(x + reach * 0.9)} {num(y - reach * 0.44)}"
              f"A{num(reach)} {num(reach)} 0 0 1 {num(x - reach * 0.44)} {num(y + reach * 0.9)}",
              fill="none", stroke="#ffe9c4", stroke_width=0.55, stroke_opacity=0.5,
              stroke_linecap="round")  # fmt: skip
    if 2 * radius >= RECESS and rgb is not None:
        ink = css(mix(rgb, DARK if brightness(rgb) > 0.1 else LIGHT, 0.5))
        yield tag("g", seat_sign(board, plan.owner(board, cell), radius * 0.36, ink), opacity=0.75,
                  transform=place(x, y))  # fmt: skip


def square_colour(board: Board, cell: Cell) -> Rgb:
    """The tone of a square field: the owner's, tinted after a start, or one of two woods."""
    rgb = seat_colour(board, plan.owner(board, cell))
    if rgb is not None:
        return mix(rgb, WOOD, 0.14)
    before = [c for c in board.cells if cell.id in c.links and c.kind == "ring"]
    entered = seat_colour(board, before[0].seat) if len(before) == 1 else None
    if entered is not None:
        return mix(entered, (247, 233, 204), 0.68)
    ring = [c.id for c in board.of_kind("ring")]
    odd = cell.id in ring and ring.index(cell.id) % 2 == 1
    return (222, 180, 122) if odd else (246, 229, 196)


def square(board: Board, cell: Cell, covered: bool) -> Iterable[str]:
    width, height = cell.size or (0.0, 0.0)
    left, top = cell.x - width / 2, cell.y - height / 2
    if cell.kind == "tile":
        yield box(left, top, width, height, cls="square", fill="#6d4826", stroke="#3f2813",
                  stroke_width=0.6)  # fmt: skip
        if not covered:
            yield box(left + 3, top + 3, width - 6, height - 6, rx=3, fill="none",
                      stroke="#c79a63", stroke_width=0.4, stroke_dasharray="2 2.4")  # fmt: skip
        return
    rgb = square_colour(board, cell)
    yield box(left, top, width, height, cls="square", rx=1.5, fill=css(rgb), stroke=ENGRAVED,
              stroke_width=0.9)  # fmt: skip
    yield box(left + 1.5, top + 1.5, width - 3, height - 3, rx=1.2, fill="none",
              stroke=css(mix(rgb, LIGHT, 0.6)), stroke_width=0.5, stroke_opacity=0.8)  # fmt: skip
    seat = plan.owner(board, cell)
    if seat is None:
        return
    ink = legible(rgb)
    size = min(width, height)
    if cell.kind == "arrival":
        yield circle(cell.x, cell.y, size * 0.275, fill="none", stroke=ink, stroke_width=0.5,
                     stroke_opacity=0.75)  # fmt: skip
        yield circle(cell.x, cell.y, size * 0.24, fill=css(mix(rgb, LIGHT, 0.2)))
    yield tag("g", seat_sign(board, seat, size * 0.13, ink), opacity=0.8,
              transform=place(cell.x, cell.y, plan.facing(board, seat)))  # fmt: skip
