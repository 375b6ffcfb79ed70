"""From pictures to a table, and the table as a file."""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.inpaint import around, complete_dish, floor_of, lenders
from calibration.learning import CalibrationError, checked, contradicted, learn, standing
from calibration.table import Table, TableError, read, write
from calibration.view import View
from hardware.boards import Board, BoardError, board
from vision.reading import Reader


@pytest.fixture(scope="module")
def table(shape: Board, empty: np.ndarray, start: np.ndarray) -> Table:
    return learn(shape, [empty], start)


def test_without_a_setup_all_pawns_are_taken_to_wait_in_their_camps(
    shape: Board, camps: dict[str, str]
) -> None:
    assert standing(shape, None) == {cell: (name,) for cell, name in camps.items()}


def test_two_views_of_a_board_that_lay_still_are_not_both_right(
    shape: Board, view: View, empty: np.ndarray, start: np.ndarray
) -> None:
    def pushed(pixels: float) -> View:
        away = view.pose.translation[2]
        x, y, z = view.pose.translation
        return replace(
            view,
            pose=replace(view.pose, translation=(x + pixels * away / view.lens.focal[0], y, z)),
        )

    assert not contradicted(shape, empty, start, view, pushed(0.3))
    assert contradicted(shape, empty, start, view, pushed(2.0))
    moved = cv2.warpAffine(
        start,
        np.array([[1.0, 0, 3], [0, 1, 0]]),
        start.shape[1::-1],
        borderMode=cv2.BORDER_REPLICATE,
    )
    assert not contradicted(shape, empty, moved, view, pushed(3.0))
    assert not contradicted(
        shape, empty, np.full_like(start, 90), view, pushed(2.0)
    )  # nobody knows


def test_camps_of_a_board_that_names_no_owners_go_by_their_names(shape: Board) -> None:
    bare = replace(shape, cells=tuple(replace(cell, seat=None) for cell in shape.cells))
    assert standing(bare, None) == standing(shape, None)


def test_every_colour_is_learned_and_the_height_found(table: Table) -> None:
    assert all(look.shown for look in table.pieces)
    assert all(look.height == pytest.approx(28.0, rel=0.35) for look in table.pieces)


def test_the_learned_table_reads_a_board_it_has_not_seen(
    table: Table, shape: Board, view: View, draw
) -> None:
    position = {"a18": "red", "b5": "blue", "c7": "green", "dh2": "yellow", "ac1": "red"}
    reading = Reader(table).read(draw(shape, view, position))
    assert {seen.cell: seen.name for seen in reading.pieces} == position
    assert reading.unsure == ()
    assert not reading.blocked


def test_the_start_position_alone_is_enough(
    shape: Board, view: View, start: np.ndarray, draw
) -> None:
    position = {"a3": "yellow", "b18": "green", "c12": "blue", "ah1": "red", "cc2": "green"}
    reading = Reader(learn(shape, [], start)).read(draw(shape, view, position))
    assert {seen.cell: seen.name for seen in reading.pieces} == position


def test_colours_that_do_not_play_are_missing_from_the_start_position(
    shape: Board, view: View, camps: dict[str, str], draw
) -> None:
    playing = {cell: name for cell, name in camps.items() if name in ("red", "green")}
    table = learn(shape, [], draw(shape, view, playing), playing)
    assert {look.name for look in table.pieces if look.shown} == {"red", "green"}
    position = {"a3": "red", "b18": "green", "ac1": "red"}
    reading = Reader(table).read(draw(shape, view, position))
    assert {seen.cell: seen.name for seen in reading.pieces} == position


def test_an_empty_board_alone_gives_nominal_colours_and_says_so(
    shape: Board, empty: np.ndarray
) -> None:
    table = learn(shape, [empty])
    assert not any(look.shown for look in table.pieces)
    assert any(g.part == "piece red" and "known cells" in g.advice for g in table.grades)


def test_the_floor_of_a_dish_is_told_beside_the_piece_in_it(view: View) -> None:
    cell = replace(board("tijou").cell("ac1"), x=250.0, y=240.0)
    turn = np.linspace(0.0, 2 * np.pi, 40)
    width, height = view.lens.size
    image = np.full((height, width, 3), (120, 150, 180), np.uint8)
    hidden = np.zeros((height, width), np.uint8)
    for x, reach, colour in ((250.0, cell.reach, (90, 95, 100)), (253.0, 6.0, (30, 30, 200))):
        ring = view.project(np.column_stack([x + reach * np.cos(turn), 240 + reach * np.sin(turn)]))
        cv2.fillPoly(image, [np.rint(ring).astype(np.int32)], colour)
        cv2.fillPoly(hidden, [np.rint(ring).astype(np.int32)], 255)
    filled = image.copy()
    complete_dish(view, image, filled, hidden, cell)
    grid, _ = around(view, cell, 0.8 * cell.reach, image.shape)
    floor = filled[grid[:, 1], grid[:, 0]].astype(int)
    assert np.abs(floor - (90, 95, 100)).max() < 3
    assert (filled[hidden == 0] == image[hidden == 0]).all()


def test_the_floor_of_a_dish_lies_in_neither_shadow_nor_shine(view: View) -> None:
    cell = next(cell for cell in board("tijou").cells if cell.shape == "hole")
    image = np.full((view.lens.size[1], view.lens.size[0], 3), (90, 95, 100), dtype=np.uint8)
    hidden = np.zeros(image.shape[:2], dtype=np.uint8)
    grid, ground = around(view, cell, cell.reach, image.shape)
    place = ground[:, 0] / cell.reach
    lit = np.clip((place + 1.2) / 1.4, 0.2, 1.0)  # a soft shadow reaches over more than half of it
    image[grid[:, 1], grid[:, 0]] = np.rint(lit[:, None] * (90, 95, 100))
    shine = grid[place > 0.75]
    image[shine[:, 1], shine[:, 0]] = 250
    floor = floor_of(view, image, hidden, [cell])
    assert floor is not None
    assert np.abs(floor - (90, 95, 100)).max() < 3
    assert floor_of(view, image, np.full_like(hidden, 255), [cell]) is None


def test_holes_under_pieces_are_thought_to_look_like_those_of_their_seat() -> None:
    tock = board("tock4")
    camps = frozenset(cell.id for cell in tock.of_kind("camp"))
    for cell in tock.of_kind("camp"):
        assert {lender.seat for lender in lenders(tock, cell, camps)} == {cell.seat}
    strange = replace(tock.of_kind("camp")[0], seat=None)
    assert {lender.seat for lender in lenders(tock, strange, camps)} == {None}
    few = frozenset(c.id for c in tock.cells if c.seat is not None)
    assert {lender.seat for lender in lenders(tock, tock.of_kind("camp")[0], few)} == {None}


def test_a_table_reads_back_as_written(table: Table, tmp_path: Path) -> None:
    table.save(tmp_path / "table.json")
    assert Table.load(tmp_path / "table.json") == table


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"version": 99}, "another version"),
        ({"lens": {}}, "damaged"),
        ({"pieces": [{"name": "red"}]}, "damaged"),
        ({"empty": {"picture": "%%", "unknown": [], "pose": {}}}, "damaged"),
        ({"board": {"name": "x"}}, "size"),
    ],
)
def test_a_damaged_table_is_told_from_a_good_one(table: Table, change: dict, said: str) -> None:
    with pytest.raises((TableError, BoardError), match=said):
        read(write(table) | change)


def test_a_table_file_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("[" * 100_000)
    with pytest.raises(TableError, match="not a JSON"):
        Table.load(tmp_path / "a.json")
    (tmp_path / "b.json").write_text(json.dumps([1]))
    with pytest.raises(TableError, match="not a table"):
        Table.load(tmp_path / "b.json")


def test_a_board_without_markers_is_placed_by_points(
    shape: Board, view: View, empty: np.ndarray, start: np.ndarray
) -> None:
    bare = replace(shape, markers=(), dictionary=None)
    named = ["a18", "b18", "c18", "d18", "ah4"]
    spots = view.project(np.array([(bare.cell(c).x, bare.cell(c).y) for c in named]))
    points = {c: (float(x) + 2.0, float(y) - 1.5) for c, (x, y) in zip(named, spots, strict=True)}
    table = learn(bare, [empty], start, points=points)
    places = np.array([(c.x, c.y) for c in shape.cells])
    assert np.abs(table.view.project(places) - view.project(places)).max() < 1.5


def test_a_board_without_markers_and_points_says_what_to_do(
    shape: Board, empty: np.ndarray
) -> None:
    with pytest.raises(CalibrationError, match="--points"):
        learn(replace(shape, markers=(), dictionary=None), [empty])


def test_a_picture_of_something_else_teaches_nothing(shape: Board) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (480, 640, 3), dtype=np.uint8)
    with pytest.raises(CalibrationError, match="markers"):
        learn(shape, [noise])


def test_pictures_of_two_sizes_are_refused(shape: Board, empty: np.ndarray) -> None:
    with pytest.raises(CalibrationError, match="size"):
        learn(shape, [empty], empty[::2, ::2].copy())


def test_a_setup_with_an_unknown_piece_is_refused(shape: Board, empty: np.ndarray) -> None:
    with pytest.raises(BoardError, match="pink"):
        learn(shape, [], empty, {"a1": "pink"})


def test_places_that_look_the_same_with_a_piece_on_them_are_never_called_empty(
    table: Table, empty: np.ndarray
) -> None:
    assert [grade.value for grade in table.grades if grade.part == "reading"] == [1.0]
    assert table.alike == ()
    doubted = replace(table, alike=("a3",))
    assert read(json.loads(json.dumps(write(doubted)))).alike == ("a3",)
    assert Reader(doubted).read(empty).unsure == ("a3",)


def test_a_piece_of_the_colour_of_its_place_is_said_to_be_hard_to_tell(
    table: Table, start: np.ndarray
) -> None:
    cell = next(cell.id for cell in table.board.of_kind("ring"))
    known = {**standing(table.board, None), cell: ("red",)}
    checked_again = checked(replace(table, grades=()), start, known)
    assert checked_again.alike == (cell,)
    (grade,) = checked_again.grades
    assert grade.value == pytest.approx(1 - 1 / len(known))
    assert cell in grade.advice


def test_a_board_that_was_not_found_where_it_lies_is_not_learned(
    table: Table, empty: np.ndarray
) -> None:
    with pytest.raises(CalibrationError, match=r"only 0 of \d+ places .* read back"):
        checked(table, empty, standing(table.board, None))
