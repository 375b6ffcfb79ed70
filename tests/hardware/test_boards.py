"""The boards can be built, read back as written, and a bad file is told what is wrong."""

from __future__ import annotations

import json
import math
from itertools import combinations, pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.board_files import load
from hardware.boards import Board, BoardError, Cell, board, names, read, write
from hardware.boards.barricades import FIRST_BARRICADES
from hardware.boards.barricades import neighbours as barricades_neighbours
from hardware.boards.tock import ring_names
from hardware.drawings import plan
from hardware.drawings.figures import spots

Box = tuple[float, float, float, float]
EVERY = [board(name) for name in names()] + [board(f"tock{n}", 18) for n in (4, 6, 8)]
each = pytest.mark.parametrize("made", EVERY, ids=lambda b: f"{b.name}-{b.house_entry or ''}")


def apart(one: Cell, other: Cell) -> float:
    return math.dist((one.x, one.y), (other.x, other.y))


def overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def marker_box(made: Board, number: int, quiet: float = 1.0) -> Box:
    """What a marker covers with its white margin, in modules of a 4 × 4 marker."""
    corners = made.markers[number].corners
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    margin = quiet * (max(xs) - min(xs)) / 6
    return min(xs) - margin, min(ys) - margin, max(xs) + margin, max(ys) + margin


def zone_box(made: Board) -> Box:
    zone = made.card_zone
    assert zone is not None
    return zone.x, zone.y, zone.x + zone.width, zone.y + zone.height


def test_there_are_six() -> None:
    assert names() == ("tijou", "tock4", "tock6", "tock8", "barricades", "trikolos")


@each
def test_a_drill_fits_between_any_two_holes(made: Board) -> None:
    drilled = [cell for cell in made.cells if cell.shape == "hole"]
    assert min(apart(a, b) for a, b in combinations(drilled, 2)) >= 22.0


@each
def test_no_two_cells_overlap(made: Board) -> None:
    boxes = [plan.bounds([cell]) for cell in made.cells]
    touching = [(a, b) for a, b in combinations(boxes, 2) if overlap(a, b)]
    if made.name.startswith("tock"):  # slanting arms: boxes touch there, circles must not
        rims = (apart(a, b) - a.reach - b.reach for a, b in combinations(made.cells, 2))
        assert min(rims) > 5.0
    else:
        assert not touching


@each
def test_everything_lies_on_the_board(made: Board) -> None:
    left, top, right, low = plan.bounds(made.cells)
    width, height = made.size
    assert min(left, top, width - right, height - low) >= 10.0
    assert overlap(zone_box(made), (0, 0, width, height))
    for number in range(len(made.markers)):
        left, top, right, low = marker_box(made, number)
        assert min(left, top, width - right, height - low) >= 0.0


@each
def test_markers_lie_apart_from_all_that_is_played_on(made: Board) -> None:
    assert 4 <= len(made.markers) <= 8
    for number in range(len(made.markers)):
        white = marker_box(made, number)
        assert not overlap(white, zone_box(made))
        assert not any(overlap(white, plan.bounds([cell])) for cell in made.cells)
        ring = plan.bounds(made.of_kind("ring") or made.of_kind("tile")[:36])
        middle = (white[0] + white[2]) / 2, (white[1] + white[3]) / 2
        assert not (ring[0] < middle[0] < ring[2] and ring[1] < middle[1] < ring[3])


def test_no_marker_is_on_two_boards() -> None:
    ids = [marker.id for name in names() for marker in board(name).markers]
    assert len(ids) == len(set(ids))


@each
def test_cards_cover_no_cell(made: Board) -> None:
    assert not any(overlap(zone_box(made), plan.bounds([cell])) for cell in made.cells)


@pytest.mark.parametrize("name", ["tijou", "tock4", "tock6", "tock8"])
def test_a_card_fits_between_the_cells(name: str) -> None:
    zone = board(name).card_zone
    assert zone is not None
    assert zone.width > 63.0
    assert zone.height > 88.0


@each
def test_the_lights_are_one_chain_without_long_leaps(made: Board) -> None:
    chain = sorted(made.cells, key=lambda cell: -1 if cell.led is None else cell.led)
    assert [cell.led for cell in chain] == list(range(len(made.cells))) == list(range(made.lights))
    assert max(apart(a, b) for a, b in pairwise(chain)) <= 90.0


@each
def test_links_lead_to_cells_and_never_to_oneself(made: Board) -> None:
    for cell in made.cells:
        assert all(made.cell(link) is not cell for link in cell.links)
        assert len(set(cell.links)) == len(cell.links)


@pytest.mark.parametrize("made", [b for b in EVERY if b.name.startswith("tock")])
def test_a_tock_ring_is_walked_clockwise_step_by_step(made: Board) -> None:
    ring = plan.circuit(made)
    branches = len(ring) // 18
    assert tuple(cell.id for cell in ring) == ring_names(branches)
    middle = made.size[0] / 2, made.size[1] / 2
    around = [math.atan2(c.y - middle[1], c.x - middle[0]) for c in ring]
    turned = sum((b - a + math.pi) % (2 * math.pi) - math.pi for a, b in pairwise(around))
    assert turned > 0  # with y downwards, clockwise is the way angles grow
    assert max(apart(a, b) for a, b in pairwise(ring)) < 30.0


@pytest.mark.parametrize(("entry", "before"), [(16, "d16"), (18, "a18")])
def test_a_house_is_entered_where_the_board_says(entry: int, before: str) -> None:
    made = board("tock4", entry)
    assert "ah1" in made.cell(before).links
    assert [made.cell(f"ah{n}").links for n in (1, 2, 3, 4)] == [("ah2",), ("ah3",), ("ah4",), ()]
    assert sum(link.endswith("h1") for cell in made.cells for link in cell.links) == 4


def test_the_tijou_ring_runs_clockwise_from_the_lower_right() -> None:
    made = board("tijou")
    assert [cell.id for cell in plan.circuit(made)] == [str(n) for n in range(1, 37)]
    corners = [(made.cell(n).x, made.cell(n).y) for n in ("1", "10", "19", "28")]
    low, high = corners[0][0], corners[1][0]
    assert corners == [(low, low), (high, low), (high, high), (low, high)]
    assert low > high


def test_the_barricades_net_is_the_same_from_both_ends() -> None:
    made = board("barricades")
    net = made.of_kind("ring", "goal")
    assert len(net) == 112
    for cell in net:
        assert cell.links == barricades_neighbours(cell.id)
        assert all(cell.id in made.cell(link).links for link in cell.links)
        assert all(apart(cell, made.cell(link)) < 40.0 for link in cell.links)
    assert len(FIRST_BARRICADES) == made.piece("barricade").count
    assert all(made.cell(name).kind == "ring" for name in FIRST_BARRICADES)


def test_there_is_a_tile_for_every_place() -> None:
    made = board("trikolos")
    assert sum(piece.count for piece in made.pieces if piece.kind == "tile") == 37
    assert len(made.of_kind("tile")) == 37


@each
def test_every_piece_has_a_place_to_wait(made: Board) -> None:
    for piece in made.pieces:
        if piece.kind == "pawn":
            assert piece.seat is not None
            camp = plan.owned(made, piece.seat, "camp")
            assert len(camp) == piece.count
            assert all(cell.reach * 2 > piece.diameter for cell in camp)


def test_six_pieces_stand_on_one_tijou_cell_without_touching() -> None:
    made = board("tijou")
    diameter = made.pieces[0].diameter
    assert diameter == 12.0
    for cell in (*made.of_kind("ring"), *made.of_kind("arrival")):
        places, smaller = spots(cell, 6, diameter)
        assert smaller == 1.0
        assert min(math.dist(a, b) for a, b in combinations(places, 2)) >= diameter
        assert all(max(abs(x), abs(y)) + diameter / 2 <= cell.reach for x, y in places)


# the JSON form --------------------------------------------------------------------


@each
def test_a_board_reads_back_as_it_was_written(made: Board) -> None:
    assert read(json.loads(json.dumps(write(made)))) == made


def form() -> dict[str, Any]:
    copied: dict[str, Any] = json.loads(json.dumps(write(board("tock4"))))
    return copied


def test_what_a_file_may_leave_out() -> None:
    small = {
        "name": "three",
        "size": [100, 100],
        "cells": [{"id": "1", "kind": "ring", "x": 5, "y": 5, "shape": "hole", "diameter": 8}],
    }
    made = read(small)
    assert (made.pieces, made.markers, made.card_zone, made.lights) == ((), (), None, 0)


@pytest.mark.parametrize(
    ("where", "value", "said"),
    [
        (("size",), [500], r"^size: two numbers"),
        (("size",), [500, -1], r"^size: more than zero"),
        (("name",), "", r"^name: a name is missing"),
        (("name",), "\ud800", r"^name: .* cannot be printed"),
        (("cells",), [], r"^cells: .* at least one"),
        (("cells",), "a1", r"^cells: a list"),
        (("cells", 3), 7, r"^cells\[3\]: a JSON object"),
        (("cells", 3, "x"), "left", r"^cells\[3\]\.x: a number of millimetres"),
        (("cells", 3, "x"), math.nan, r"^cells\[3\]\.x: a number of millimetres"),
        (("cells", 3, "kind"), "pit", r'^cells\[3\]\.kind: "pit" is none of ring'),
        (("cells", 3, "shape"), "star", r'^cells\[3\]\.shape: "star" is neither'),
        (("cells", 3, "diameter"), None, r"^cells\[3\]\.diameter: "),
        (("cells", 3, "led"), -1, r"^cells\[3\]\.led: "),
        (("cells", 3, "led"), True, r"^cells\[3\]\.led: "),
        (("cells", 3, "led"), 0, r'^cells: led "0" stands twice'),
        (("cells", 3, "id"), "a1", r'^cells: id "a1" stands twice'),
        (("cells", 3, "links"), ["z9"], r'^cells\[3\]\.links: cell "z9" is not on the board'),
        (("fiducials", "dictionary"), None, r"^fiducials\.dictionary: "),
        (
            ("fiducials", "markers", 1, "corners"),
            [[0, 0]],
            r"^fiducials\.markers\[1\]\.corners: four",
        ),
        (("fiducials", "markers", 1, "id"), 4, r'^fiducials\.markers: id "4" stands twice'),
        (("pieces", 0, "srgb"), [1, 2], r"^pieces\[0\]\.srgb: three numbers"),
        (("pieces", 0, "height"), 0, r"^pieces\[0\]\.height: more than zero"),
        (("pieces", 0, "name"), "blue", r'^pieces: name "blue" stands twice'),
        (("card_zone", "width"), 0, r"^card_zone\.width: more than zero"),
        (("house_entry",), 17, r"^house_entry: 16 or 18, not 17"),
    ],
)
def test_a_bad_file_is_told_what_and_where(where: tuple[Any, ...], value: Any, said: str) -> None:
    bad: Any = form()
    inner = bad
    for step in where[:-1]:
        inner = inner[step]
    inner[where[-1]] = value
    with pytest.raises(BoardError, match=said):
        read(bad)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)


def read_or_refused(written: Any) -> Board | str:
    try:
        return read(written)
    except BoardError as error:
        return str(error)


@settings(derandomize=True, deadline=None)
@given(st.data())
def test_whatever_stands_in_a_file_it_is_read_or_refused(data: st.DataObject) -> None:
    bad: Any = form()
    bad["cells"] = bad["cells"][:3]
    for cell in bad["cells"]:
        cell.pop("links", None)
    inner: Any = bad
    while True:  # somewhere in the file, something else stands
        keys = list(inner) if isinstance(inner, dict) else list(range(len(inner)))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(inner[key], (dict, list)) or not inner[key] or data.draw(st.booleans()):
            break
        inner = inner[key]
    inner[key] = data.draw(json_values)
    made = read_or_refused(bad)
    if isinstance(made, Board):
        assert read(json.loads(json.dumps(write(made)))) == made
    else:
        assert len(made.splitlines()) == 1


def test_a_board_that_is_not_there(tmp_path: Any) -> None:
    with pytest.raises(BoardError, match=r'no board "tock5" and no such file; ours: tijou, tock4'):
        load("tock5")
    with pytest.raises(BoardError, match=r"cannot be read"):
        load(str(tmp_path))
    with pytest.raises(BoardError, match=r"cannot be read"):
        load("x" * 5000)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"{", r"own\.json: not a JSON file"),
        (b"\xff\xfe", r"own\.json: not a text file in UTF-8"),
        (b"[" * 100_000, r"own\.json: not a JSON file"),
        (b"1" * 5000, r"own\.json: not a JSON file"),
        (b"[]", r"own\.json: a board: a JSON object"),
    ],
)
def test_a_file_that_is_no_board(tmp_path: Any, content: bytes, said: str) -> None:
    path = tmp_path / "own.json"
    path.write_bytes(content)
    with pytest.raises(BoardError, match=said):
        load(str(path))


@pytest.mark.parametrize("word", ["circle", "disc", "round"])
def test_round_cells_go_by_several_words(tmp_path: Any, word: str) -> None:
    form = write(board("tock4"))
    for cell in form["cells"]:
        cell["shape"] = word
    path = tmp_path / "own.json"
    path.write_text(json.dumps(form), encoding="utf-8")
    assert load(str(path)) == board("tock4")


@pytest.mark.parametrize("shape", ["star", ["circle"], {}, None])
def test_a_shape_nobody_knows_is_refused_with_its_place(tmp_path: Any, shape: Any) -> None:
    form = write(board("tock4"))
    form["cells"][3]["shape"] = shape
    path = tmp_path / "own.json"
    path.write_text(json.dumps(form), encoding="utf-8")
    with pytest.raises(BoardError, match=r"own\.json: cells\[3\]\.shape"):
        load(str(path))


def test_only_tock_boards_are_entered_early_or_late() -> None:
    with pytest.raises(BoardError, match="16 or 18, not 17"):
        board("tock4", 17)
