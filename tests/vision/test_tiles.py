"""Kinds of tiles told apart: on made-up faces under made-up light, and on the virtual table."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.learning import learn
from calibration.tiling import usual_look
from hardware.boards import Board
from hardware.twin import looks, positions
from vision.claims import Claims, Seen
from vision.discs import (
    Laid,
    Present,
    by_colour,
    middles,
    present,
    under_shine,
    unevenness,
    unforeseen,
    vote,
    wood_fit,
)
from vision.light import levels, linear
from vision.reading import Reader, Reading
from vision.rings import rings
from vision.tiles import GRID, TileLook, faces, offsets
from web.bench.vision.tally import judge

SIDE = 48.0
WOOD, GREEN, ORANGE, RED = (80, 110, 140), (60, 140, 40), (40, 130, 220), (50, 40, 190)
DISC = np.clip(12.5 - np.hypot(*offsets(SIDE).T) + 0.5, 0, 1)[:, None]


def face(disc: tuple[int, int, int], wood: tuple[int, int, int] = WOOD) -> np.ndarray:
    """Linear light of a tile, point by point."""
    mixed = DISC * linear(np.array(disc)) + (1 - DISC) * linear(np.array(wood))
    return mixed.astype(np.float32)


KINDS = [face(GREEN), face(ORANGE), face(RED)]
LEARNED = faces([TileLook(str(n), levels(kind)) for n, kind in enumerate(KINDS)], SIDE)
TRUTH = np.array([0, 1, 2] * 12)


def lit(
    gain: tuple[float, float, float] = (1, 1, 1), kinds: np.ndarray = TRUTH, noise: float = 3.0
) -> np.ndarray:
    """A picture of tiles in other light, each of its own piece of wood."""
    rng = np.random.default_rng(7)
    shade = rng.uniform(0.85, 1.15, (len(kinds), 1, 1))
    light = np.stack([KINDS[k] for k in kinds]) * shade * np.array(gain)
    grey = levels(light.astype(np.float32))
    noisy: np.ndarray = np.clip(np.rint(grey + rng.normal(0, noise, grey.shape)), 0, 255)
    return noisy.astype(np.uint8)


def read(seen: np.ndarray, known: tuple[float, float, float] = (1, 1, 1)) -> tuple[Present, Laid]:
    usual = middles(LEARNED, seen)
    now = present(LEARNED, usual, np.array(known))
    return now, vote(LEARNED, now, seen, usual.wood)


def test_a_face_is_taken_apart_into_disc_and_wood() -> None:
    away = np.hypot(*offsets(SIDE).T)
    assert LEARNED.disc[away < 10].all()
    assert LEARNED.body[away > 15].all()
    assert not (LEARNED.disc & LEARNED.body).any()
    assert LEARNED.wood == pytest.approx(linear(np.array(WOOD)), rel=0.03)
    assert LEARNED.colours[2] == pytest.approx(linear(np.array(RED)), rel=0.05)


@pytest.mark.parametrize(
    "gain", [(1, 1, 1), (0.5, 0.8, 1.3), (1.6, 1.0, 0.6), (0.2, 0.2, 0.2), (2.5, 2.5, 2.5)]
)
def test_kinds_are_told_apart_whatever_the_light(gain: tuple[float, float, float]) -> None:
    now, laid = read(lit(gain))
    assert list(laid.best) == list(TRUTH)
    assert laid.margin.min() > 0.3
    assert now.wood == pytest.approx(linear(np.array(WOOD)) * gain, rel=0.15)


@pytest.mark.parametrize("gain", [(1, 1, 1), (0.5, 0.7, 1.1), (0.2, 0.2, 0.2)])
def test_tiles_without_discs_are_told_by_their_colour_all_over(
    gain: tuple[float, float, float],
) -> None:
    rng = np.random.default_rng(9)
    colours = np.array([GREEN, ORANGE, RED], dtype=float)
    painted = [np.clip(c + rng.normal(0, 4, (GRID * GRID, 3)), 0, 255) for c in colours]
    plain = faces([TileLook(str(n), look) for n, look in enumerate(painted)], SIDE)
    assert plain.plain
    assert not LEARNED.plain
    shade = rng.uniform(0.85, 1.15, (len(TRUTH), 1, 1))
    light = linear(np.stack([painted[k] for k in TRUTH])) * shade * np.array(gain)
    seen = np.rint(levels(light.astype(np.float32))).astype(np.uint8)
    usual = middles(plain, seen)
    now = present(plain, usual, np.array(gain))
    laid = vote(plain, now, seen, usual.wood)
    assert list(laid.best) == list(TRUTH)
    assert laid.margin.min() > 0.3
    assert wood_fit(plain, now, seen, laid.best, np.arange(len(seen))).min() == 1


def test_groups_mend_what_was_learned_from_an_overexposed_picture() -> None:
    pale = [np.minimum(kind * 4.0, 1.0) for kind in KINDS]
    learned = faces([TileLook(str(n), levels(kind)) for n, kind in enumerate(pale)], SIDE)
    seen = lit()
    usual = middles(learned, seen)
    now = present(learned, usual, np.full(3, 0.25))
    laid = vote(learned, now, seen, usual.wood)
    assert list(laid.best) == list(TRUTH)
    assert laid.margin.min() > 0.3
    assert now.discs[1] == pytest.approx(linear(np.array(ORANGE)), rel=0.2)


def test_kinds_nobody_foresaw_are_told_by_the_groups_their_colours_fall_into() -> None:
    wanted = np.array([GREEN, ORANGE, RED], dtype=float)
    rng = np.random.default_rng(11)
    seen = wanted[TRUTH] * (0.55, 0.8, 1.05) + rng.normal(0, 3, (len(TRUTH), 3))
    seen[4] = (20, 20, 20)  # a pawn stands there
    found = by_colour(seen.astype(np.float32), wanted)
    assert found is not None
    assert found[4] == -1
    assert (np.delete(found, 4) == np.delete(TRUTH, 4)).all()
    assert by_colour(seen[TRUTH < 2].astype(np.float32), wanted) is None  # but two kinds lie there
    clear = np.ones(len(TRUTH), dtype=bool)
    assert (unforeseen(linear(wanted), seen, clear, clear, TRUTH) == -1).all()  # all are clear
    told = unforeseen(linear(wanted), seen, clear, TRUTH != 1, np.minimum(TRUTH, 1))
    assert (told[TRUTH == 1][2:] == 1).all()


def test_a_kind_is_learned_from_tiles_on_which_no_lamp_is_mirrored() -> None:
    plain = np.tile(np.array(RED, dtype=float), (6, GRID * GRID, 1))
    shone = plain.copy()
    shone[:3] += 60.0
    assert usual_look(shone) == pytest.approx(plain[0])


def test_shine_on_a_tile_changes_no_verdict() -> None:
    shiny = linear(lit(noise=0.0)[:6]) + np.linspace(0.02, 0.2, 6)[:, None, None]
    seen = lit()
    seen[:6] = levels(shiny.astype(np.float32))
    laid = read(seen)[1]
    assert list(laid.best) == list(TRUTH)
    assert laid.margin.min() > 0.2


def test_where_tiles_are_missing_no_disc_is_seen_and_the_others_still_are() -> None:
    seen = lit()
    seen[9:15] = (150, 190, 215)
    laid = read(seen)[1]
    there = np.r_[0:9, 15:36]
    assert list(laid.best[there]) == list(TRUTH[there])
    assert laid.margin[there].min() > 0.3
    assert laid.margin[9:15].max() < 0.05


def test_colours_nobody_saw_on_a_table_are_looked_for_in_the_middle_only() -> None:
    nominal = faces([TileLook(str(n), np.tile(np.array(c, np.float32), (GRID * GRID, 1)))
                     for n, c in enumerate((GREEN, ORANGE, RED))], SIDE)  # fmt: skip
    seen = lit()
    usual = middles(nominal, seen)
    laid = vote(nominal, present(nominal, usual, np.ones(3)), seen, usual.wood)
    assert nominal.wood is None
    assert list(laid.best) == list(TRUTH)


def around(kind: tuple[int, int, int], pawn: tuple[int, int, int], reach: float) -> np.ndarray:
    """Points a millimetre apart on a disc with a pawn of so wide a foot, a little off it."""
    steps = np.arange(-12.0, 12.5)
    spots = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    spots = spots[np.hypot(*spots.T) < 12.0]
    seen = np.tile(np.array(kind, np.float32), (len(spots), 1))
    foot = np.clip(reach + 0.5 - np.hypot(spots[:, 0] - 1.0, spots[:, 1]), 0, 1)[:, None]
    return np.rint(foot * np.array(pawn, np.float32) + (1 - foot) * seen).astype(np.uint8)[None]


@pytest.mark.parametrize("pawn", [(25, 25, 25), (235, 240, 240)])
@pytest.mark.parametrize(("number", "kind"), [(0, GREEN), (1, ORANGE), (2, RED)])
def test_the_ring_a_pawn_leaves_of_a_disc_tells_its_kind(
    number: int, kind: tuple[int, int, int], pawn: tuple[int, int, int]
) -> None:
    now = read(lit())[0]
    area = rings(now, around(kind, pawn, 10.0))[0]
    assert int(area.argmax()) == number
    assert area[number] > 30
    assert np.delete(area, number).max() < 0.2 * area[number]


@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_grey_pawn_in_dim_light_has_no_disc_s_colour(number: int) -> None:
    seen = lit((0.35, 0.35, 0.35))
    now = read(seen)[0]
    dim = levels((now.discs[number] * 1.0).astype(np.float32)[None])[0]
    area = rings(now, around((int(dim[0]), int(dim[1]), int(dim[2])), (99, 102, 106), 10.0))[0]
    assert int(area.argmax()) == number
    assert np.delete(area, number).max() < 0.2 * area[number]


def test_no_ring_is_seen_where_the_pawn_hides_all_or_there_is_but_wood() -> None:
    now = read(lit())[0]
    assert rings(now, around(GREEN, (25, 25, 25), 14.0)).max() < 3
    assert rings(now, around(WOOD, (235, 240, 240), 9.0)).max() < 3


def test_a_disc_through_which_a_light_shines_is_uneven_and_no_other() -> None:
    seen = lit()
    glow = np.exp(-((np.hypot(*offsets(SIDE).T) / 6.0) ** 2))[:, None] * (0, 0, 0.6)
    seen[4] = levels((linear(seen[4]) + glow).astype(np.float32))
    uneven = unevenness(LEARNED, seen)
    assert uneven[4] > 30
    assert np.delete(uneven, 4).max() < 8


def test_the_wood_around_a_disc_is_that_of_a_tile_or_not() -> None:
    seen = lit()
    seen[5] = (20, 25, 30)
    now, laid = read(seen)
    fit = wood_fit(LEARNED, now, seen, laid.best, np.arange(len(seen)))
    assert fit[5] < 0.3
    assert np.delete(fit, 5).min() > 0.7


def test_a_disc_that_mirrors_a_lamp_is_told_by_what_is_darker_of_it() -> None:
    seen = lit()
    away = np.hypot(*(offsets(SIDE) - (4.0, -3.0)).T)
    veil = (0.05 + 0.6 * np.exp(-((away / 7.0) ** 2)))[:, None]
    mirrored = levels((linear(seen) + veil * DISC).astype(np.float32))
    now, _ = read(seen)
    kinds, sure = under_shine(LEARNED, now, mirrored)
    assert list(kinds) == list(TRUTH)
    assert sure.min() > 0
    for colour in ((240, 240, 240), (25, 25, 25), (128, 128, 128)):  # pawns all over the discs
        hidden = np.where(DISC > 0.5, np.array(colour), seen).astype(np.uint8)
        assert under_shine(LEARNED, now, hidden)[1].max() < 0


def left_open(board: Board, reading: Reading) -> set[str]:
    """The places of tiles nothing is claimed of."""
    return {cell.id for cell in board.of_kind("tile")} & set(reading.unsure)


def test_a_tile_carried_away_is_missed_and_the_others_and_the_spare_are_read(tiles) -> None:
    reader = Reader(tiles.table)
    there = dict(positions.start(tiles.board, np.random.default_rng(3)))
    gone = [cell for cell in ("a3", "d6") if there.pop(cell)]
    reading = reader.read(tiles.scene.picture(there, seed=41))
    verdict = judge(tiles.board, reading, there)
    assert not verdict.wrong
    assert left_open(tiles.board, reading) <= set(gone)
    assert "spare" in {seen.cell for seen in reading.pieces}


def test_more_tiles_of_a_kind_than_there_are_leave_one_open(tiles) -> None:
    there = dict(positions.start(tiles.board, np.random.default_rng(5)))
    cell = next(c for c, names in there.items() if list(names) == ["tile-red"])
    there[cell] = ("tile-green",)
    reading = Reader(tiles.table).read(tiles.scene.picture(there, seed=44))
    greens = [seen for seen in reading.pieces if seen.name == "tile-green"]
    assert len(greens) == tiles.board.piece("tile-green").count
    assert len(left_open(tiles.board, reading)) <= 2


def test_what_pawns_hide_of_tiles_is_told_by_the_tiles_that_are_left_over(tiles) -> None:
    reader = Reader(tiles.table)
    laid, laying = reader.outlook.tiles, reader.sight(tiles.scene.picture(tiles.start)).laid
    assert laid is not None
    assert laying is not None
    names = [look.name for look in laid.looks]
    cells = [cell.id for cell in laid.grid.cells]
    lying = {n: names.index(tiles.start[cell][0]) for n, cell in enumerate(cells)}
    red, green = (
        next(n for n in lying if names[lying[n]] == f"tile-{c}") for c in ("red", "green")
    )
    under = np.isin(np.arange(len(cells)), [red, green])

    def left(hidden: list[int], gone: list[int], ring: float, **changes: int) -> set[int]:
        found = [(1.0, kind, n) for n, kind in lying.items() if n not in [*hidden, *gone]]
        best = np.array([lying[n] for n in range(len(cells))])
        best[hidden[0]] = changes.get("seems", best[hidden[0]])
        rings = np.full(len(cells), ring)
        seen = replace(laying, best=best, ring=rings, sure=rings - 1.0, bare=rings * 0 - 1.0)
        kinds = laid.left_over(found, seen, {cells[n] for n in hidden}, under)
        assert all(kind == lying[n] for _, kind, n in kinds)
        return {n for *_, n in kinds}

    assert left([red], [], -1.0) == {red}  # all others are known
    assert left([red, green], [], -0.2) == {red, green}
    assert left([red, green], [], -1.0) == set()  # which is which cannot be told
    assert left([red, green], [], -0.2, seems=lying[green]) == set()
    assert left([red], [green], -0.2) == set()  # one is in somebody's hand: it may be either
    laid.counted = False  # nobody has said how many there are
    assert left([red], [], -0.2) == set()
    laid.counted, under[:] = True, False
    assert left([red], [], -0.2) == set()  # and what makes it doubtful is no pawn


def test_what_lies_on_several_tiles_is_told(tiles) -> None:
    reader = Reader(tiles.table)
    image = tiles.scene.picture(tiles.start, seed=46)
    assert not reader.read(image).blocked
    middles = [tiles.board.cell(c) for c in ("b3", "d3", "d2", "b2")]
    ways = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    corners = [(c.x + 22.0 * x, c.y + 22.0 * y) for c, (x, y) in zip(middles, ways, strict=True)]
    pixels = reader.outlook.view.project(np.array(corners))
    cv2.fillConvexPoly(image, np.rint(pixels).astype(np.int32), (128, 152, 205))
    reading = reader.read(image)
    assert reading.blocked
    assert {"b2", "c2", "d2", "b3", "c3", "d3"} <= left_open(tiles.board, reading)
    assert not judge(tiles.board, reading, tiles.start).wrong


def test_tiles_that_pawns_hide_are_no_sign_of_something_that_lies_there(tiles) -> None:
    reader, group = Reader(tiles.table), ("b2", "c2", "b3", "c3")
    reads, sight = reader.outlook.tiles, reader.sight(tiles.scene.picture(tiles.start, seed=46))
    assert reads is not None
    assert sight.laid is not None
    sure, mirrored = sight.laid.sure.copy(), sight.laid.sure_mirrored.copy()
    its = [n for n, cell in enumerate(reads.grid.cells) if cell.id in group]
    sure[its] = mirrored[its] = -1.0  # nothing of their discs is seen
    laid = replace(sight.laid, sure=sure, sure_mirrored=mirrored)
    pawns = tuple(Seen(cell, "white", 0.99) for cell in group)
    _, lies = reads.add(Claims(pawns, ()), laid, sight.judge.explained)
    assert not lies
    claims, lies = reads.add(Claims((), ()), laid, sight.judge.explained)
    assert lies
    assert set(group) <= set(claims.unsure)


def test_lamps_mirrored_in_discs_beside_each_other_are_nothing_that_lies_there(tiles) -> None:
    reader = Reader(tiles.table)
    image = tiles.scene.picture(tiles.start, seed=46)
    shining = ("b3", "c3", "c2", "b2")
    spots = reader.outlook.view.ground(
        np.stack(np.meshgrid(np.arange(image.shape[1]), np.arange(image.shape[0])), -1).reshape(
            -1, 2
        )
    )
    veil = np.zeros(len(spots))
    for cell in map(tiles.board.cell, shining):
        away = np.hypot(*(spots - (cell.x, cell.y)).T)
        veil += np.where(away < 12.0, 0.06 + 0.5 * np.exp(-((away / 7.0) ** 2)), 0.0)
    light = linear(image.reshape(-1, 3)) + veil[:, None]
    image = np.rint(levels(light.astype(np.float32))).astype(np.uint8).reshape(image.shape)
    reading = reader.read(image)
    assert not reading.blocked
    assert left_open(tiles.board, reading) <= set(shining)
    assert not judge(tiles.board, reading, tiles.start).wrong


def test_a_board_without_its_tiles_is_called_empty(tiles) -> None:
    reading = Reader(tiles.table).read(tiles.empty)
    assert not [seen for seen in reading.pieces if seen.name.startswith("tile")]
    assert len(left_open(tiles.board, reading)) <= 2


def test_tiles_learned_in_a_game_are_known_under_another_lamp(tiles) -> None:
    board, start = tiles.board, tiles.start
    table = learn(board, [], tiles.scene.picture(start, seed=2), start)
    rng = np.random.default_rng(12)
    truth = positions.anywhere(board, rng)
    evening = tiles.scene.relit(looks.draw_light(board, 40_001, 150.0))
    reading = Reader(table).read(evening.picture(truth, seed=43))
    assert not judge(board, reading, truth).wrong
    assert len(left_open(board, reading)) <= 2
