"""Reading the virtual table."""

from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import cv2
import numpy as np
import pytest

from hardware.boards import Board
from hardware.twin import looks, positions
from hardware.twin.camera import Bump
from hardware.twin.hand import Hand
from tests.vision.conftest import Desk
from vision.census import with_overlooked
from vision.explain import Explanation
from vision.place import anchors, stay
from vision.reading import PictureError, Reader, Reading


@pytest.fixture(scope="module")
def reader(tock) -> Reader:
    return Reader(tock.table)


def wrong(board: Board, reading: Reading, truth: dict[str, tuple[str, ...]]) -> list[str]:
    read: dict[str, list[str]] = {}
    for seen in reading.pieces:
        read.setdefault(seen.cell, []).append(seen.name)
    return [
        c.id
        for c in board.cells
        if c.id not in reading.unsure and sorted(read.get(c.id, ())) != sorted(truth.get(c.id, ()))
    ]


def test_boards_are_read_and_hardly_anything_left_open(tock, reader: Reader) -> None:
    rng = np.random.default_rng(3)
    for n in range(4):
        truth = positions.anywhere(tock.board, rng)
        reading = reader.read(tock.scene.picture(truth, seed=10 + n))
        assert wrong(tock.board, reading, truth) == []
        assert len(reading.unsure) <= 3
        assert not reading.blocked


def test_steps_tell_their_time(tock, reader: Reader) -> None:
    reading = reader.read(tock.empty)
    assert [name for name, _ in reading.steps][:2] == ["place", "light"]
    assert sum(spent for _, spent in reading.steps) <= reading.ms * 1.01e6


def test_one_piece_more_than_there_are_is_not_believed(tock, reader: Reader) -> None:
    there = dict(tock.start)
    camp = next(cell for cell, names in there.items() if list(names) == ["red"])
    there["a9"] = there["c9"] = ("red",)
    there.pop(camp)
    reading = reader.read(tock.scene.picture(there, seed=61))
    reds = [seen.cell for seen in reading.pieces if seen.name == "red"]
    assert len(reds) == tock.board.piece("red").count == 4
    assert len(reading.unsure) == 1
    assert set(reading.unsure) < {cell for cell, names in there.items() if list(names) == ["red"]}


def test_a_hand_over_the_board_is_told_and_nothing_wrong_claimed(tock, reader: Reader) -> None:
    hand = Hand(250.0, 300.0, 20.0, 90.0, sleeve=(60.0, 70.0, 110.0))
    reading = reader.read(tock.scene.picture(tock.start, hand=hand, seed=4))
    assert reading.blocked
    assert len(wrong(tock.board, reading, tock.start)) <= 1


def test_while_a_hand_lies_there_a_hole_is_left_open_of_which_two_ways_to_look_disagree(
    tock, reader: Reader
) -> None:
    hand = Hand(250.0, 300.0, 20.0, 90.0, sleeve=(60.0, 70.0, 110.0))
    sight = reader.sight(tock.scene.picture(tock.start, hand=hand, seed=4))
    judge, there = sight.judge, sight.presence
    assert judge.cover.blocked
    assert 0 < judge.cover.beside.sum() < len(judge.cover.beside)
    beside, alone = (replace(judge.cover, beside=np.full_like(judge.cover.beside, near))
                     for near in (True, False))  # fmt: skip
    outlook = reader.outlook
    empty, held = (
        next(
            n
            for n in outlook.dots.holes
            if bool(judge.explained.found[n]) == found
            and n not in judge.cover.cells
            and abs(there.holes[n]) > 6.0
            and (there.holes[n] > 0) == found
        )
        for found in (False, True)
    )
    judge.cover = beside
    assert judge.clear(there)[empty]
    assert judge.say(held, there)
    judge.explained.found[empty], judge.explained.found[held] = judge.explained.found[held], []
    for cover, told in ((beside, False), (alone, True)):
        judge.cover = cover
        assert bool(judge.clear(there)[empty]) == told
    assert judge.say(held, there)
    judge.cover = beside
    assert judge.say(held, there) is None


def test_what_seems_a_piece_is_part_of_a_thing_where_all_around_it_is_strange(
    tock, reader: Reader
) -> None:
    outlook, solid = reader.outlook, reader.learned.kinds.solids[0]
    ring = [site for site in outlook.sites.sites if site.cell.kind == "ring"]
    pieces = [(site.stances[0], solid) for site in ring[::20]]
    usual = np.zeros(len(outlook.around.place.points))
    every = np.ones(len(usual), dtype=bool)
    assert not any(outlook.around.amid(pieces, usual, every))
    assert all(outlook.around.amid(pieces, usual + 3.0, every))
    assert not any(outlook.around.amid(pieces, usual + 3.0, ~every))


def test_a_sleeve_where_the_empty_board_had_shone_is_told(tock) -> None:
    reader = Reader(tock.table)
    learned = reader.learned
    shiny = np.ones_like(learned.then.shiny)
    reader.learned = replace(learned, then=replace(learned.then, shiny=shiny))
    hand = Hand(250.0, 300.0, 20.0, 90.0, sleeve=(60.0, 70.0, 110.0))
    assert reader.read(tock.scene.picture(tock.start, hand=hand, seed=4)).blocked
    assert not reader.read(tock.scene.picture(tock.start, seed=4)).blocked


def test_a_sleeve_of_a_pawn_s_colour_is_no_pawn(tock, reader: Reader) -> None:
    red, green, blue = tock.scene.look.table.pieces.colours["blue"]
    truth = {cell: names for cell, names in tock.start.items() if names != ("blue",)}
    for seed, turn in ((4, 90.0), (5, 0.0)):
        hand = Hand(250.0, 250.0, 20.0, turn, sleeve=(red, green, blue))
        reading = reader.read(tock.scene.picture(truth, hand=hand, seed=seed))
        assert reading.blocked
        assert [seen.cell for seen in reading.pieces if seen.name == "blue"] == []


def test_a_sleeve_over_fields_is_told_though_the_hand_lies_where_cards_do(squares: Desk) -> None:
    reader = Reader(squares.table)
    for turn in (0.0, 90.0):
        hand = Hand(290.0, 290.0, 20.0, turn, sleeve=(25.0, 25.0, 28.0))
        reading = reader.read(squares.scene.picture(squares.start, hand=hand, seed=4))
        assert reading.blocked
        assert len(wrong(squares.board, reading, squares.start)) <= 1


def test_what_hides_a_tile_is_told_by_what_the_picture_shows_of_it(tiles: Desk) -> None:
    outlook = Reader(tiles.table).outlook
    assert outlook.tiles is not None
    points = np.flatnonzero(outlook.tiles.tile == 3)
    nearest = np.full(len(outlook.flat), np.inf)
    for hides in (len(points) // 2, len(points)):
        nearest[points[:hides]] = 100.0
        part = outlook.tiles.hidden(cast(Explanation, SimpleNamespace(owner_away=nearest)))
        assert part[3] == pytest.approx(hides / len(points))
        assert part.sum() == part[3]


def test_told_lights_do_not_pass_for_pieces(tock, reader: Reader) -> None:
    lights = {"a3": (255, 0, 0), "b5": (0, 255, 0), "c7": (255, 255, 255), "d2": (0, 0, 255)}
    reading = reader.read(tock.scene.picture(tock.start, lights, seed=5), lights)
    assert wrong(tock.board, reading, tock.start) == []


def test_a_bumped_board_is_found_again(tock) -> None:
    reader = Reader(tock.table)
    moved = tock.scene.bumped(Bump(9.0, -6.0, 1.5))
    moved.lock(tock.start)
    reading = reader.read(moved.picture(tock.start, seed=6))
    assert "moved" in reading.warnings
    assert wrong(tock.board, reading, tock.start) == []
    assert len(reading.unsure) <= 3


def test_patches_notice_a_shift_of_a_few_pixels(tock, reader: Reader) -> None:
    found = anchors(
        tock.board, reader.learned.picture, reader.learned.empty.view, reader.outlook.view
    )
    assert stay(tock.empty, found).still
    assert stay(np.roll(tock.empty, 4, axis=1), found).moved == pytest.approx(4, abs=1)


def test_tiles_and_the_pawns_on_them_are_read(tiles) -> None:
    rng = np.random.default_rng(9)
    reader = Reader(tiles.table)
    for n in range(2):
        truth = positions.anywhere(tiles.board, rng)
        reading = reader.read(tiles.scene.picture(truth, seed=20 + n))
        assert wrong(tiles.board, reading, truth) == []
        assert len(reading.unsure) <= 5


def test_tiles_are_told_while_people_are_laying_them(tiles) -> None:
    reader, rng = Reader(tiles.table), np.random.default_rng(11)
    whole = {cell: names for cell, names in tiles.start.items() if names[0].startswith("tile")}
    for left in (6, 16, 25):
        cells = sorted(whole)
        lying = {cells[n]: whole[cells[n]] for n in rng.permutation(len(cells))[:left]}
        reading = reader.read(tiles.scene.picture(lying, seed=40 + left))
        assert wrong(tiles.board, reading, lying) == []
        assert not reading.blocked
        assert len(reading.unsure) <= 3


def test_a_pawn_on_a_tile_that_was_overlooked_is_found_by_what_it_hides(tiles) -> None:
    reader = Reader(tiles.table)
    truth = positions.anywhere(tiles.board, np.random.default_rng(9))
    sight = reader.sight(tiles.scene.picture(truth, seed=20))
    judge, there, grid = sight.judge, sight.presence, reader.outlook.tiles
    assert grid is not None
    assert sight.laid is not None
    strange = grid.disguised(sight.laid)
    taken = {cell for cell, names in truth.items() if len(names) == 2}
    assert strange
    assert strange <= taken
    cells = [site.cell.id for site in reader.outlook.sites.sites]
    n = cells.index(min(taken))
    judge.explained.ask_again(n, np.zeros(len(reader.learned.kinds.flat), dtype=bool))
    for odds, hides, found in ((-1.0, True, 0), (1.0, False, 0), (1.0, True, 1), (4.0, False, 1)):
        judge.explained.found[n] = []
        judge.explained.rebuild(n)
        judge.explained.score(n)
        doubted = replace(there, others={n: (np.zeros(0), odds)})
        thing = frozenset({cells[n]}) if hides else frozenset()
        with_overlooked(reader.learned, judge, doubted, thing)
        assert len(judge.explained.found[n]) == found


def test_long_shadows_on_fields_are_no_pawns(squares: Desk) -> None:
    lamp = looks.Lamp((1300.0, 700.0, 560.0), (60.0, 60.0), 3400.0, 1.0)
    light = replace(looks.draw_light(squares.board, 401, 600.0), lamps=(lamp,), ambient=0.25)
    evening, reader = squares.scene.relit(light), Reader(squares.table)
    rng = np.random.default_rng(13)
    for n in range(2):
        truth = positions.anywhere(squares.board, rng)
        picture = evening.picture(truth, seed=60 + n)
        assert wrong(squares.board, reader.read(picture), truth) == []
        evidence = reader.sight(picture).judge.evidence
        assert (evidence.dim & evidence.same & ~evidence.altered).sum() > 50


def test_several_pawns_in_one_square_are_counted(squares) -> None:
    reader = Reader(squares.table)
    truth = {"5": ("red", "blue"), "12": ("green",), "20": ("yellow", "white", "red")}
    reading = reader.read(squares.scene.picture(truth, seed=31))
    assert wrong(squares.board, reading, truth) == []
    found = sorted(seen.name for seen in reading.pieces if seen.cell == "5")
    assert "5" in reading.unsure or found == ["blue", "red"]


@pytest.mark.parametrize(
    ("picture", "said"),
    [
        (np.zeros((720, 960, 3), np.uint8), "black"),
        (np.full((720, 960, 3), 128, np.uint8), "one colour"),
        (np.zeros((600, 800, 3), np.uint8), "800x600"),
        (np.zeros((720, 960), np.uint8), "colour"),
    ],
)
def test_pictures_of_nothing_are_refused(reader: Reader, picture: np.ndarray, said: str) -> None:
    with pytest.raises(PictureError, match=said):
        reader.read(picture)


def test_a_picture_of_another_place_claims_nothing(reader: Reader) -> None:
    noise = np.random.default_rng(3).integers(0, 255, (180, 240, 3), dtype=np.uint8)
    carpet = cv2.resize(noise, (960, 720), interpolation=cv2.INTER_NEAREST)
    reading = reader.read(carpet)
    assert reading.pieces == ()
    assert reading.blocked


def test_a_low_camera_is_told(tock) -> None:
    rx, ry, rz = tock.table.pose.rotation
    low = Reader(tock.table)
    tilted = cv2.Rodrigues(np.array([0.8, 0, 0]))[0] @ cv2.Rodrigues(np.array([rx, ry, rz]))[0]
    a, b, c = (float(v) for v in cv2.Rodrigues(tilted)[0].ravel())
    low.settle(replace(low.outlook.view, pose=replace(low.outlook.view.pose, rotation=(a, b, c))))
    assert low.outlook.low
