"""The virtual table: what is drawn stands where the numbers say, and is the same every time."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from hardware.boards import Cell, board, names
from hardware.twin import film, looks, positions
from hardware.twin.camera import Bump
from hardware.twin.face import face
from hardware.twin.hand import Hand, hand_cover
from hardware.twin.scene import Scene
from hardware.twin.tiles import stained
from vision.cameras import metering

SIZE = (640, 480)


@cache
def scene(name: str = "tock4", number: int = 12, lux: float = 800.0) -> Scene:
    """A table seen sharply from 75 degrees; small, so that drawing is quick."""
    chosen = board(name)
    table = replace(looks.draw_table(chosen, number, SIZE), blur=0.4, fringe=0.0, jpeg=96)
    light = looks.draw_light(chosen, number, lux)
    return Scene(chosen, looks.Look(table, light), looks.draw_camera(chosen, table, 75.0))


def changed(one: np.ndarray, other: np.ndarray, least: int = 40) -> np.ndarray:
    """Pixels (x, y) that differ strongly."""
    rows, columns = np.nonzero(np.abs(one.astype(int) - other).max(axis=2) > least)
    return np.stack([columns, rows], axis=1)


@pytest.mark.parametrize("name", names())
def test_markers_lie_where_the_camera_projects_them(name: str) -> None:
    table = scene(name)
    empty = cv2.resize(table.picture({}), None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
    words = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, str(table.board.dictionary)))
    corners, ids, _ = cv2.aruco.ArucoDetector(words).detectMarkers(empty)
    found = dict(zip(np.ravel(ids).tolist(), corners, strict=True))
    assert set(found) == {marker.id for marker in table.board.markers}
    for marker in table.board.markers:
        wanted = table.camera.project([(x, y, 0.0) for x, y in marker.corners])
        assert np.abs(np.reshape(found[marker.id], (4, 2)) / 2 - wanted).max() < 1.5


def test_the_same_numbers_give_the_same_picture_and_others_do_not() -> None:
    first, rng = scene(), np.random.default_rng(4)
    position = positions.anywhere(first.board, rng)
    again = Scene(first.board, first.look, first.first_camera)
    hand = Hand(250, 300)
    lights = {"a3": (0, 255, 0)}
    one = first.picture(position, lights, hand, seed=5)
    assert np.array_equal(one, again.picture(position, lights, hand, seed=5))
    assert not np.array_equal(one, first.picture(position, lights, hand, seed=6))
    assert not np.array_equal(one, first.picture(position, lights, hand, seed=5, frame=1))


@pytest.mark.parametrize("name", ["tock4", "trikolos"])
def test_what_was_drawn_before_changes_no_picture(name: str) -> None:
    """What is drawn is kept: beside other neighbours, in other lights, elsewhere it is not used."""
    table, rng = scene(name), np.random.default_rng(9)
    position = positions.anywhere(table.board, rng)
    lit = {cell: (0, 90, 255) for cell in sorted(position)[::3] if table.board.cell(cell).led}
    fewer = dict(sorted(position.items())[1:])
    here, there = Hand(250, 300), Hand(120, 300)
    for pieces, lights, hand in (
        (position, {}, here),
        (fewer, {}, here),
        (position, lit, there),
        (fewer, lit, None),
        (fewer, {}, here),
    ):
        fresh = Scene(table.board, table.look, table.first_camera, stuff=table.stuff)
        wanted = fresh.picture(pieces, lights, hand)
        assert np.array_equal(table.picture(pieces, lights, hand), wanted)


def test_a_pawn_changes_the_picture_on_its_cell_and_nowhere_else() -> None:
    table = scene()
    empty, cell = table.picture({}), table.board.cell("a9")
    moved = changed(empty, table.picture({"a9": ("blue",)}))
    foot, head = table.camera.project([(cell.x, cell.y, 0.0), (cell.x, cell.y, 28.0)])
    assert len(moved) > 30
    assert np.hypot(*(moved - foot).T).min() < 6
    middle = (foot + head) / 2
    assert np.hypot(*(moved - middle).T).max() < 2.5 * np.hypot(*(head - foot)) + 12


@pytest.mark.parametrize("colour", ["red", "blue", "green", "yellow"])
def test_pieces_have_the_colours_of_their_set(colour: str) -> None:
    table = scene()
    cell = table.board.cell("a9")
    x, y = table.camera.project([(cell.x, cell.y, 16.0)])[0].round().astype(int)
    patch = table.picture({"a9": (colour,)})[y - 2 : y + 3, x - 2 : x + 3].reshape(-1, 3)
    blue, green, red = np.median(patch, axis=0)
    assert {
        "red": red > 1.5 * max(blue, green),
        "blue": blue > 1.2 * red,
        "green": green > 1.2 * red,
        "yellow": min(red, green) > 1.4 * blue,
    }[colour]


def test_a_light_shows_in_its_hole_and_dimly_around_a_piece() -> None:
    table = scene(lux=150.0)
    cell = table.board.cell("b5")
    x, y = table.camera.project([(cell.x, cell.y, 0.0)])[0].round().astype(int)
    part = (slice(y - 2, y + 3), slice(x - 2, x + 3))
    dark, lit = table.picture({}), table.picture({}, {"b5": (0, 0, 255)})
    assert lit[part][..., 0].mean() > dark[part][..., 0].mean() + 60
    assert lit[part][..., 2].mean() < lit[part][..., 0].mean()
    plugged = table.picture({"b5": ("red",)}, {"b5": (0, 0, 255)})
    bright = (lit[..., 0] > 180).sum() - (dark[..., 0] > 180).sum()
    assert (plugged[..., 0] > 180).sum() - (dark[..., 0] > 180).sum() < bright


def test_less_light_means_more_noise() -> None:
    def grain(lux: float) -> float:
        table = scene(lux=lux)
        one, other = (table.picture({}, seed=n).astype(float) for n in (1, 2))
        return float((one - other).std())

    assert grain(30.0) > 2 * grain(1500.0)


def test_a_hand_covers_what_is_said_of_it() -> None:
    table = scene()
    cell = table.board.cell("a9")
    hand = Hand(cell.x, cell.y - 40, turn=90.0, gesture="flat")
    covered, over = hand_cover(table.board, table.camera, hand)
    assert over
    assert "a9" in covered
    x, y = table.camera.project([(cell.x, cell.y, 0.0)])[0].round().astype(int)
    seen = table.picture({}, hand=hand)[y - 3 : y + 4, x - 3 : x + 4]
    assert np.abs(seen.astype(int) - table.picture({})[y - 3 : y + 4, x - 3 : x + 4]).max() > 40
    away = Hand(-900, 250, turn=180.0)
    assert hand_cover(table.board, table.camera, away) == ((), False)


def test_a_bump_moves_the_board_as_told() -> None:
    table = scene()
    bumped = table.bumped(Bump(10.0, -5.0, 2.0))
    cell = table.board.cell("a9")
    before = table.camera.project([(cell.x, cell.y, 0.0)])[0]
    after = bumped.camera.project([(cell.x, cell.y, 0.0)])[0]
    assert 2 < np.hypot(*(after - before)) < 40
    dark = bumped.picture({})[round(after[1]), round(after[0])].mean()
    wood = bumped.picture({})[round(before[1]), round(before[0])].mean()
    assert dark < wood


def test_every_piece_of_a_board_is_drawn_and_several_share_a_square() -> None:
    table = scene("tijou")
    crowd = table.picture({"5": ("red", "blue", "green")})
    alone = table.picture({"5": ("red",)})
    assert len(changed(crowd, alone)) > 40


def test_tables_of_the_two_splits_share_no_number() -> None:
    test = {looks.numbered(n, "test") for n in range(1000)}
    assert not test & {looks.numbered(n, "train") for n in range(1000)}


def test_colours_of_one_set_can_be_told_apart() -> None:
    for name in names():
        for number in range(12):
            kit = list(looks.draw_pieces(board(name), number).colours.values())
            gaps = [looks.apart(a, b) for n, a in enumerate(kit) for b in kit[:n]]
            assert min(gaps) > 20


@pytest.mark.parametrize("elevation", [60.0, 75.0, 89.9])
def test_the_whole_board_is_in_the_picture(elevation: float) -> None:
    for name in names():
        chosen = board(name)
        camera = looks.draw_camera(chosen, looks.draw_table(chosen, 3, SIZE), elevation)
        width, height = chosen.size
        corners = [(x, y, 0.0) for x in (0, width) for y in (0, height)]
        spots = camera.project(corners)
        assert (spots >= 0).all()
        assert (spots < SIZE).all()


def test_fields_are_stained_on_some_boards_and_homes_painted_on_some() -> None:
    chosen = board("tijou")
    homes = chosen.of_kind("arrival")
    tinted, painted = set(), set()
    for number in range(12):
        table = looks.draw_table(chosen, number, SIZE)
        top = face(chosen, table, 0.5).colour.astype(int)

        def tone(cell: Cell, top: np.ndarray = top) -> np.ndarray:
            x, y = round(cell.x / 2), round(cell.y / 2)
            return np.median(top[y - 5 : y + 6, x - 5 : x + 6].reshape(-1, 3), axis=0)

        between = np.median(top[190:200, 190:200].reshape(-1, 3), axis=0)
        plain = np.abs(tone(chosen.cell("5")) - between).max() < 40
        tinted.add(not plain or np.abs(tone(chosen.cell("5")) - tone(chosen.cell("6"))).max() > 25)
        reds = [float(np.ptp(tone(cell))) for cell in homes]
        painted.add(min(reds) > 60)
    assert tinted == painted == {True, False}


def test_some_sets_of_tiles_are_stained_all_over() -> None:
    chosen = board("trikolos")
    kits = [looks.draw_table(chosen, number, SIZE).pieces for number in range(12)]
    assert {stained(kit) for kit in kits} == {True, False}


def test_drawn_cameras_are_told_as_real_ones_to_take_less_light() -> None:
    drawn = (film.BURNT, film.MARGIN, film.MANY, film.STEP, film.TIMES)
    told = (metering.BURNT, metering.MARGIN, metering.MANY, metering.STEP, metering.STEPS)
    assert drawn == told


def test_a_pale_board_on_a_dark_table_is_not_burnt_out() -> None:
    chosen = board("tock4")
    drawn = looks.draw_table(chosen, 41, SIZE)
    table = replace(drawn, wood="birch", ground="wenge", varnish=0.0)
    light = replace(looks.draw_light(chosen, 41, 800.0), exposure=0.6, balance=(1.0, 1.0))
    pale = Scene(chosen, looks.Look(table, light), looks.draw_camera(chosen, table))
    assert metering.burnt_out(pale.picture({})) < 2 * metering.MANY
