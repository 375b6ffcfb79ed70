"""The drawing for the workshop: what is sawn, drilled, sunk and burnt, each on its own layer."""

from __future__ import annotations

import io
from dataclasses import dataclass

from ezdxf.enums import TextEntityAlignment
from ezdxf.filemanagement import new
from ezdxf.layouts.layout import Modelspace
from ezdxf.units import MM

from hardware.boards import Board, Cell, Point
from hardware.drawings import engraving, plan, svg
from hardware.drawings.lettering import CAPITAL, FONT
from hardware.drawings.wood import ROUNDED

WELL = 8.0  # the light comes up through this bore; an LED's package is 7 mm across its corners
WALL = 2.0  # wood left between a small hole and the bore under it
CLEARANCE = 1.0  # around tiles, so that they slide


@dataclass(frozen=True)
class Layer:
    name: str
    colour: int  # AutoCAD's number
    css: str
    what: str


OUTLINE = Layer("OUTLINE", 7, "#000000", "saw through, all round")
HOLES = Layer("HOLES", 5, "#0000ff", "bores for the pieces, from above")
LEDS = Layer("LEDS", 1, "#ff0000", "bores for the light, through, under each cell")
POCKETS = Layer("POCKETS", 3, "#00a000", "sunk beds and dishes, from above")
ENGRAVE = Layer("ENGRAVE", 8, "#808080", "burn or carve: path, squares, letters")
MARKERS = Layer("MARKERS", 6, "#ff00ff", "where the printed markers are glued")
LAYERS = (OUTLINE, HOLES, LEDS, POCKETS, ENGRAVE, MARKERS)


@dataclass(frozen=True)
class Bore:
    layer: Layer
    x: float
    y: float
    radius: float


@dataclass(frozen=True)
class Cut:
    """Straight from point to point; `rounded` is the radius of a rectangle's corners."""

    layer: Layer
    points: tuple[Point, ...]
    closed: bool = True
    rounded: float = 0.0


@dataclass(frozen=True)
class Letters:
    layer: Layer
    label: engraving.Label


Shape = Bore | Cut | Letters


def shapes(board: Board) -> tuple[Shape, ...]:
    """Everything there is to cut, in the board's own millimetres, y downwards."""
    width, height = board.size
    edge = engraving.rectangle(width / 2, height / 2, width, height)
    found: list[Shape] = [Cut(OUTLINE, edge, rounded=min(ROUNDED, width / 4, height / 4))]
    for cell in board.cells:
        if cell.size is None:
            found.append(Bore(HOLES, cell.x, cell.y, cell.reach))
        if cell.led is not None:
            found.append(Bore(LEDS, cell.x, cell.y, well(cell)))
    found += [Cut(POCKETS, corners) for corners in beds(board)]
    for line in engraving.lines(board):
        found.append(Cut(ENGRAVE, line.points, line.closed))
    found += [Letters(ENGRAVE, label) for label in engraving.labels(board)]
    found += [Cut(MARKERS, marker.corners) for marker in board.markers]
    return tuple(found)


def well(cell: Cell) -> float:
    """The radius of the bore for a cell's light: always smaller than the cell."""
    room = cell.reach - WALL if cell.reach > 2 * WALL else cell.reach / 2
    return min(WELL / 2, room)


def beds(board: Board) -> tuple[tuple[Point, ...], ...]:
    """One bed for tiles that lie edge to edge, one for each that lies alone."""
    left = [cell for cell in board.of_kind("tile") if cell.size]
    found = []
    while left:
        bed = [left.pop(0)]
        for one in bed:  # grows while it is walked
            touching = [other for other in left if touch(one, other)]
            bed += touching
            left = [other for other in left if other not in touching]
        x0, y0, x1, y1 = plan.bounds(bed)
        found.append(
            engraving.rectangle(
                (x0 + x1) / 2, (y0 + y1) / 2, x1 - x0 + 2 * CLEARANCE, y1 - y0 + 2 * CLEARANCE
            )
        )
    return tuple(found)


def touch(one: Cell, other: Cell) -> bool:
    if one.size is None or other.size is None:
        return False
    return all(
        abs(a - b) <= (p + q) / 2 + 0.5
        for a, b, p, q in zip((one.x, one.y), (other.x, other.y), one.size, other.size, strict=True)
    )


# DXF -----------------------------------------------------------------------------


def dxf(board: Board) -> str:
    """As DXF in millimetres. A DXF's y points up: the board's lower edge lies on y = 0."""
    drawing = new("R2010", units=MM)
    drawing.header["$MEASUREMENT"] = 1
    space = drawing.modelspace()
    for layer in LAYERS:
        drawing.layers.add(layer.name, color=layer.colour).description = layer.what
    for shape in shapes(board):
        add(space, shape, board.size[1])
    stream = io.StringIO()
    drawing.write(stream)
    return stream.getvalue()


def add(space: Modelspace, shape: Shape, height: float) -> None:
    to = {"layer": shape.layer.name}
    if isinstance(shape, Bore):
        space.add_circle((shape.x, height - shape.y), shape.radius, dxfattribs=to)
    elif isinstance(shape, Letters):
        label = shape.label
        text = space.add_text(
            label.text, height=label.height, rotation=-label.angle % 360, dxfattribs=to
        )
        text.set_placement((label.x, height - label.y), align=TextEntityAlignment.MIDDLE_CENTER)
    elif shape.rounded:
        space.add_lwpolyline(rounded(shape, height), format="xyb", close=True, dxfattribs=to)
    else:
        points = [(x, height - y) for x, y in shape.points]
        space.add_lwpolyline(points, close=shape.closed, dxfattribs=to)


def rounded(cut: Cut, height: float) -> list[tuple[float, float, float]]:
    """A rectangle's corners as quarter circles: x, y and the bulge of what follows."""
    (left, top), _, (right, low), _ = cut.points
    r, quarter = cut.rounded, 0.41421356237  # a bulge is the tangent of a quarter of the angle
    corners = (
        ((left + r, low), (right - r, low), (right, low - r)),
        ((right, low - r), (right, top + r), (right - r, top)),
        ((right - r, top), (left + r, top), (left, top + r)),
        ((left, top + r), (left, low - r), (left + r, low)),
    )
    return [
        (x, height - y, bulge)
        for _, (x0, y0), (x1, y1) in corners
        for x, y, bulge in ((x0, y0, quarter), (x1, y1, 0.0))
    ]


# SVG -----------------------------------------------------------------------------


def cut_svg(board: Board) -> str:
    """The same layers as groups with thin lines, as laser cutters read them."""
    groups = []
    every = shapes(board)
    for layer in LAYERS:
        drawn = [svg_shape(shape) for shape in every if shape.layer is layer]
        groups.append(
            svg.layer(
                layer.name.lower(),
                [svg.tag("title", f"{layer.name}: {layer.what}"), *drawn],
                id=layer.name,
                fill="none",
                stroke=layer.css,
                stroke_width=0.1,
            )
        )
    return svg.document(*board.size, (0, 0), *groups)


def svg_shape(shape: Shape) -> str:
    if isinstance(shape, Bore):
        return svg.circle(shape.x, shape.y, shape.radius)
    if isinstance(shape, Letters):
        label = shape.label
        return svg.tag(
            "text",
            label.text,
            transform=svg.place(label.x, label.y, label.angle),
            dy=label.height / 2,
            font_size=label.height * CAPITAL,
            font_family=FONT,
            text_anchor="middle",
        )
    if shape.rounded:
        (left, top), _, (right, low), _ = shape.points
        return svg.box(left, top, right - left, low - top, rx=shape.rounded)
    return svg.tag("path", d=svg.outline(shape.points, shape.closed))
