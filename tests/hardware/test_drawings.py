"""What is drawn is where the board says it is: picture, workshop drawing, diagrams."""

from __future__ import annotations

import io
import math
import re
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from ezdxf.filemanagement import read as read_dxf
from ezdxf.path import make_path
from hypothesis import given, settings
from hypothesis import strategies as st

import hardware.drawings
from hardware.boards import Board, BoardError, board, names, read
from hardware.drawings import engraving, plan, workshop
from hardware.drawings.figures import sign
from hardware.drawings.marks import Arrow, Halo, Mark, Note
from hardware.drawings.picture import picture
from hardware.drawings.setting import laid, waiting
from hardware.drawings.wood import ROUNDED

SVG = "{http://www.w3.org/2000/svg}"
each = pytest.mark.parametrize("name", names())


def parsed(drawing: str) -> ET.Element:
    return ET.fromstring(drawing)


def classed(root: ET.Element, word: str) -> list[ET.Element]:
    return [found for found in root.iter() if word in found.get("class", "").split()]


def numbers(element: ET.Element, *keys: str) -> tuple[float, ...]:
    return tuple(float(element.get(key, "nan")) for key in keys)


def outlines(path: str) -> list[np.ndarray[Any, Any]]:
    """The corners of each straight-edged figure in a path."""
    return [
        np.array(re.findall(r"(-?[\d.]+) (-?[\d.]+)", part), dtype=float)
        for part in path.split("M")[1:]
    ]


# the picture ------------------------------------------------------------------------


@each
def test_every_cell_is_drawn_once_where_it_is(name: str) -> None:
    made = board(name)
    root = parsed(picture(made, laid(made) | waiting(made)))
    groups = {g.get("data-cell", ""): g for g in classed(root, "cell")}
    assert len(classed(root, "cell")) == len(groups) == len(made.cells)
    for cell in made.cells:
        if cell.size is None:
            (hole,) = classed(groups[cell.id], "hole")
            assert cell.diameter is not None
            found = numbers(hole, "cx", "cy", "r")
            assert found == pytest.approx((cell.x, cell.y, cell.diameter / 2), abs=0.006)
        else:
            (square,) = classed(groups[cell.id], "square")
            x, y, width, height = numbers(square, "x", "y", "width", "height")
            assert (width, height) == cell.size
            assert (x + width / 2, y + height / 2) == pytest.approx((cell.x, cell.y), abs=0.006)


@each
def test_a_picture_is_true_to_size_and_needs_nothing_from_elsewhere(name: str) -> None:
    made = board(name)
    drawing = picture(made, laid(made) | waiting(made))
    root = parsed(drawing)
    width, height = made.size
    assert root.get("width") == f"{width:g}mm"
    assert root.get("height") == f"{height:g}mm"
    assert root.get("viewBox") == f"0 0 {width:g} {height:g}"
    assert not [e for e in root.iter() if e.tag in (f"{SVG}image", f"{SVG}style", f"{SVG}script")]
    assert "href" not in drawing
    assert "nan" not in re.findall(r'="([a-z]+)"', drawing)
    known = {element.get("id") for element in root.iter()} - {None}
    assert set(re.findall(r"url\(#([^)]*)\)", drawing)) <= known
    assert len(drawing) < 250_000


@each
def test_the_markers_in_the_picture_are_found_where_the_board_has_them(name: str) -> None:
    made = board(name)
    scale = 4
    canvas = np.full((int(made.size[1]) * scale, int(made.size[0]) * scale), 170, np.uint8)
    for group in classed(parsed(picture(made)), "marker"):
        white, black = group.findall(f"{SVG}path")
        for path, grey in ((white, 255), (black, 0)):
            for corners in outlines(path.get("d", "")):
                cv2.fillConvexPoly(canvas, np.round(corners * scale).astype(np.int32), grey)
    found = detected(canvas, made.dictionary or "")
    assert sorted(found) == [marker.id for marker in made.markers]
    for marker in made.markers:
        assert np.allclose(found[marker.id] / scale, marker.corners, atol=0.4)


def detected(grey: np.ndarray[Any, Any], dictionary: str) -> dict[int, np.ndarray[Any, Any]]:
    known = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    corners, ids, _ = cv2.aruco.ArucoDetector(known).detectMarkers(grey)
    return {
        int(n): np.reshape(c, (4, 2)) for n, c in zip(np.ravel(ids), corners, strict=True)
    }  # fmt: skip


@each
def test_pieces_stand_upright_on_their_cells_whoever_looks(name: str) -> None:
    made = board(name)
    for seat in plan.seats(made):
        root = parsed(picture(made, waiting(made), turned=seat))
        (whole,) = [g for g in classed(root, "board") if g.get("data-board")]
        turn = re.match(r"rotate\((-?[\d.]+)", whole.get("transform", "rotate(0"))
        assert turn is not None
        for piece in classed(root, "piece"):
            cell = made.cell(piece.get("data-on", ""))
            spot = re.match(
                r"translate\((\S+) (\S+)\)(?: rotate\((\S+)\))?", piece.get("transform", "")
            )
            assert spot is not None
            assert (float(spot[1]), float(spot[2])) == pytest.approx((cell.x, cell.y), abs=0.006)
            assert float(spot[3] or 0) + float(turn[1]) == pytest.approx(0.0, abs=0.01)


@each
def test_a_seat_finds_its_own_side_below(name: str) -> None:
    made = board(name)
    x0, y0 = made.size[0] / 2, made.size[1] / 2
    for seat in plan.seats(made):
        own = plan.owned(made, seat, "house") or plan.owned(made, seat, "camp")
        x, y = plan.centroid(own)
        turn = math.radians(-plan.facing(made, seat))
        down = (x - x0) * math.sin(turn) + (y - y0) * math.cos(turn)
        aside = (x - x0) * math.cos(turn) - (y - y0) * math.sin(turn)
        assert down > 0
        assert down >= abs(aside) - 1e-6


def test_a_turned_board_is_not_cut_off() -> None:
    root = parsed(picture(board("tock6"), turned="b"))
    left, top, width, height = map(float, root.get("viewBox", "").split())
    across = 600 * (math.cos(math.pi / 3) + math.sin(math.pi / 3))
    assert (width, height) == pytest.approx((across, across), abs=0.1)
    assert (left + width / 2, top + height / 2) == pytest.approx((300, 300), abs=0.1)


def test_signs_tell_eight_sets_apart_without_colour_from_any_side() -> None:
    shapes = [re.sub(r' class="[^"]*"', "", sign(n, 3.0, "#000")) for n in range(8)]
    assert len(set(shapes)) == 8
    # around a table a square may stand on its corner: no two polygons are one another turned
    corners = [outlines(path) for shape in shapes for path in re.findall(r' d="(M[^A"]*)"', shape)]
    reaches = [sorted(np.round(np.hypot(*part.T), 1)) for (part,) in corners]
    assert len({tuple(reach) for reach in reaches}) == len(reaches) == 5


@each
def test_each_set_has_its_own_sign_in_the_picture(name: str) -> None:
    made = board(name)
    root = parsed(picture(made, waiting(made)))
    worn: dict[str, set[str]] = {}
    for piece in classed(root, "pawn"):
        signs = [g.get("class", "") for g in classed(piece, "sign")]
        worn.setdefault(piece.get("data-piece", ""), set()).update(signs)
    assert all(len(signs) == 1 for signs in worn.values())
    assert len(set.union(*worn.values())) == len(worn) == len(plan.seats(made))


def test_six_pieces_on_a_cell_stand_side_by_side() -> None:
    made = board("tijou")
    everyone = ["red", "blue", "green", "yellow", "white", "black"]
    root = parsed(picture(made, {"5": everyone}))
    spots = {piece.get("transform") for piece in classed(root, "piece")}
    assert len(spots) == 6


def test_a_traffic_light_tells_its_colour_by_the_lamp_that_burns() -> None:
    made = board("trikolos")
    root = parsed(picture(made, {"a1": ["tile-red", "white"], "b1": ["tile-orange"]}))
    order = [piece.get("data-piece") for piece in classed(root, "piece")]
    assert order == ["tile-red", "white", "tile-orange"]  # the pawn is drawn over its tile

    def burning(name: str) -> float:
        (tile,) = [p for p in classed(root, "piece") if p.get("data-piece") == name]
        return max((r, cy) for r, cy in (numbers(c, "r", "cy") for c in tile.iter(f"{SVG}circle")))[
            1
        ]

    assert burning("tile-red") < burning("tile-orange") == 0.0


def test_the_opening_has_every_piece_on_the_board() -> None:
    for name in names():
        made = board(name)
        root = parsed(picture(made, laid(made) | waiting(made)))
        drawn = Counter(piece.get("data-piece") for piece in classed(root, "piece"))
        assert drawn == {piece.name: piece.count for piece in made.pieces}


def test_words_that_players_look_for_are_on_the_board() -> None:
    def words(name: str) -> Counter[str]:
        return Counter(label.text for label in engraving.labels(board(name)))

    tijou = words("tijou")
    assert (tijou["SORTIE"], tijou["ENTRÉE"], tijou["ARRIVÉE"]) == (4, 4, 4)
    for name, branches in (("tock4", 4), ("tock6", 6), ("tock8", 8)):
        assert words(name) == {"18": branches, "7": branches}
    assert words("barricades") == {"D": 4, "BUT": 1}
    assert words("trikolos")["ARRIVÉE"] == 2


@each
def test_no_label_lies_in_a_hole_or_off_the_board(name: str) -> None:
    made = board(name)
    for label in engraving.labels(made):
        assert 2.0 < label.x < made.size[0] - 2.0
        assert 2.0 < label.y < made.size[1] - 2.0
        for cell in made.cells:
            if cell.size is None:
                free = math.dist((label.x, label.y), (cell.x, cell.y)) - cell.reach
                assert free > label.height / 2


def test_unknown_names_are_told() -> None:
    made = board("tock4")
    with pytest.raises(BoardError, match='cell "z1" is not on tock4'):
        picture(made, {"z1": ["red"]})
    with pytest.raises(BoardError, match='no piece "pink" on tock4; there are: red'):
        picture(made, {"a1": ["pink"]})
    with pytest.raises(BoardError, match='cell "z1" is not on tock4'):
        picture(made, marks=[Halo("z1")])


# diagrams ---------------------------------------------------------------------------


def test_a_diagram_shows_a_part_of_the_board_with_marks() -> None:
    made = board("tock4")
    marks: list[Mark] = [Arrow(("a18", "a1", "a2")), Arrow(("a5", "a4"), stopped=True), Halo("a2"),
             Note("a3", "<3>")]  # fmt: skip
    root = parsed(picture(made, {"a18": ["red"]}, marks=marks, around=["a18", "a7"]))
    left, top, width, height = map(float, root.get("viewBox", "").split())
    for name in ("a18", "a7"):
        cell = made.cell(name)
        assert left < cell.x < left + width
        assert top < cell.y < top + height
    assert width < made.size[0] / 3
    assert [(a.get("data-from"), a.get("data-to")) for a in classed(root, "arrow")] == [
        ("a18", "a2"),
        ("a5", "a4"),
    ]
    (bubble,) = classed(root, "note")
    assert [text.text for text in bubble.iter(f"{SVG}text")] == ["<3>"]
    assert [h.get("data-mark") for h in classed(root, "halo")] == ["a2"]


def test_an_arrow_to_where_it_starts_is_none() -> None:
    root = parsed(picture(board("tock4"), marks=[Arrow(("a1", "a1")), Arrow(("a1",))]))
    assert not classed(root, "arrow")


# the picture in the README ------------------------------------------------------------


def test_the_picture_that_is_shown_is_the_one_that_is_drawn() -> None:
    made = board("tijou")
    kept = Path(hardware.drawings.__file__).with_name("tijou.svg")
    assert kept.read_text(encoding="utf-8") == picture(made, waiting(made)), (
        "draw it again: arbitre board tijou --pieces start --svg hardware/drawings/tijou.svg"
    )


# the workshop ---------------------------------------------------------------------------


def modelspace(made: Board) -> Any:
    drawing = read_dxf(io.StringIO(workshop.dxf(made)))
    assert not drawing.audit().has_issues
    return drawing.modelspace()


@each
def test_the_dxf_has_true_circles_at_every_hole_and_light(name: str) -> None:
    made = board(name)
    space = modelspace(made)
    assert space.doc.header["$INSUNITS"] == 4  # millimetres
    assert {layer.name for layer in workshop.LAYERS} <= {e.dxf.name for e in space.doc.layers}

    def bores(layer: str) -> list[tuple[float, ...]]:
        found = space.query(f'CIRCLE[layer=="{layer}"]')
        return sorted((round(c.dxf.center.x, 3), round(made.size[1] - c.dxf.center.y, 3),
                       round(2 * c.dxf.radius, 3)) for c in found)  # fmt: skip

    assert bores("HOLES") == sorted(
        (c.x, c.y, c.diameter) for c in made.cells if c.diameter is not None
    )
    assert [bore[:2] for bore in bores("LEDS")] == sorted((c.x, c.y) for c in made.cells)
    for cell in made.cells:
        assert 0 < workshop.well(cell) < cell.reach


@each
def test_the_dxf_is_sawn_to_size_with_the_markers_in_place(name: str) -> None:
    made = board(name)
    space = modelspace(made)
    width, height = made.size
    (edge,) = space.query('LWPOLYLINE[layer=="OUTLINE"]')
    assert edge.closed
    points = edge.get_points("xy")
    assert (min(points)[0], max(points)[0]) == (0, width)
    assert (min(y for _, y in points), max(y for _, y in points)) == (0, height)
    glued = [line.get_points("xy") for line in space.query('LWPOLYLINE[layer=="MARKERS"]')]
    expected = [[(x, height - y) for x, y in marker.corners] for marker in made.markers]
    assert np.allclose(glued, expected)
    letters = Counter(text.dxf.text for text in space.query('TEXT[layer=="ENGRAVE"]'))
    assert letters == Counter(label.text for label in engraving.labels(made))


def test_the_outline_has_round_corners() -> None:
    (edge,) = modelspace(board("tock4")).query('LWPOLYLINE[layer=="OUTLINE"]')
    reached = np.array([(p.x, p.y) for p in make_path(edge).flattening(0.02)])
    x, y = reached[:, 0], reached[:, 1]
    area = 0.5 * abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))
    round_area = 500 * 500 - (4 - math.pi) * ROUNDED**2
    assert area == pytest.approx(round_area, abs=1.0)


def test_tiles_slide_in_one_bed_and_the_spare_has_its_own() -> None:
    made = board("trikolos")
    beds = workshop.beds(made)
    assert len(beds) == 2
    sizes = sorted((max(x for x, _ in bed) - min(x for x, _ in bed)) for bed in beds)
    assert sizes == pytest.approx([52.0, 302.0])


@each
def test_the_cut_svg_has_the_same_layers_and_shapes_as_the_dxf(name: str) -> None:
    made = board(name)
    root, space = parsed(workshop.cut_svg(made)), modelspace(made)
    assert root.get("viewBox") == f"0 0 {made.size[0]:g} {made.size[1]:g}"
    kinds = {"circle": "CIRCLE", "path": "LWPOLYLINE", "rect": "LWPOLYLINE", "text": "TEXT"}
    for layer in workshop.LAYERS:
        (group,) = classed(root, layer.name.lower())
        drawn = Counter(kinds.get(e.tag.removeprefix(SVG)) for e in group)
        drawn.pop(None)  # the layer's title
        assert drawn == Counter(e.dxftype() for e in space.query(f'*[layer=="{layer.name}"]'))
    (holes,) = classed(root, "holes")
    found = sorted(numbers(c, "cx", "cy") for c in holes.iter(f"{SVG}circle"))
    expected = sorted((c.x, c.y) for c in made.cells if c.size is None)
    assert np.allclose(found, expected, atol=0.006)


# boards never seen -----------------------------------------------------------------------

millimetres = st.floats(-200, 900).map(lambda x: round(x, 2))
widths = st.floats(0.5, 120).map(lambda x: round(x, 2))
kinds = st.sampled_from(["ring", "house", "camp", "arrival", "goal", "tile"])
texts = st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=6)
colours = st.tuples(*[st.integers(0, 255)] * 3)


@st.composite
def strange_boards(draw: st.DrawFn) -> Board:
    ids = draw(st.lists(texts, min_size=1, max_size=7, unique=True))
    seats = draw(st.lists(texts, max_size=3, unique=True))
    owners = st.none() | st.sampled_from(seats) if seats else st.none()
    cells: list[dict[str, Any]] = []
    for name in ids:
        round_one = draw(st.booleans())
        cells.append(
            {"id": name, "kind": draw(kinds), "x": draw(millimetres), "y": draw(millimetres),
             "seat": draw(owners), "led": draw(st.none() | st.just(len(cells))),
             "links": draw(st.lists(st.sampled_from(ids), max_size=3))}
            | ({"shape": "hole", "diameter": draw(widths)} if round_one
               else {"shape": "square", "size": [draw(widths), draw(widths)]})
        )  # fmt: skip
    pieces = [
        {"name": f"{n}", "seat": seat, "kind": draw(st.sampled_from(["pawn", "barricade", "tile"])),
         "srgb": list(draw(colours)), "diameter": draw(widths), "height": 20}
        for n, seat in enumerate(seats)
    ]  # fmt: skip
    zone = {
        "x": draw(millimetres),
        "y": draw(millimetres),
        "width": draw(widths),
        "height": draw(widths),
    }
    return read(
        {"name": draw(texts | st.sampled_from(names())), "size": [draw(widths), draw(widths)],
         "cells": cells, "pieces": pieces, "card_zone": draw(st.none() | st.just(zone)),
         "fiducials": {"dictionary": "DICT_4X4_50", "markers": [
             {"id": 3, "corners": [[draw(millimetres), draw(millimetres)] for _ in range(4)]}]}}
    )  # fmt: skip


@settings(max_examples=60, deadline=None, derandomize=True)
@given(strange_boards(), st.data())
def test_a_board_never_seen_is_drawn_as_well(made: Board, data: st.DataObject) -> None:
    some = [piece.name for piece in made.pieces]
    placed = {cell.id: some for cell in made.cells[::2]}
    seat = data.draw(st.none() | st.sampled_from(plan.seats(made))) if some else None
    root = parsed(picture(made, placed, turned=seat, around=[made.cells[0].id]))
    assert [g.get("data-cell") for g in classed(root, "cell")] == [c.id for c in made.cells]
    assert len(classed(root, "piece")) == len(some) * len(placed)
    parsed(workshop.cut_svg(made))
    holes = modelspace(made).query('CIRCLE[layer=="HOLES"]')
    assert len(holes) == sum(cell.size is None for cell in made.cells)
