"""Fields: what their faces show now, whatever they showed when they were learned."""

import numpy as np
import pytest

from calibration.view import Array
from tests.vision.conftest import bgr
from vision.colour import opponent
from vision.fields import Borders, as_borders, as_seen_now, borders_of, with_noise

SIDE = 12
BLUE, DEEP, RED = (160.0, 70.0, 40.0), (130.0, 40.0, 20.0), (30.0, 40.0, 180.0)


class Square:
    """As much of a cell as is asked for."""

    x, y, reach = 0.0, 0.0, 20.0


@pytest.fixture
def ground() -> Array:
    steps = (np.arange(SIDE) + 0.5) / SIDE * 40.0 - 20.0
    return np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)


@pytest.fixture
def fields() -> Array:
    return np.arange(SIDE * SIDE)[None]


@pytest.fixture
def borders(ground: Array, fields: Array) -> Borders:
    return borders_of([Square()], ground, fields, np.array([0]))  # type: ignore[list-item]


def face(colour: tuple[float, ...]) -> Array:
    return opponent(bgr(colour, SIDE * SIDE))


def striped(colour: tuple[float, ...]) -> Array:
    """A face on which shine lay in stripes."""
    shown = bgr(colour, SIDE * SIDE).reshape(SIDE, SIDE, 3)
    shown[::3] += 90.0
    return opponent(shown.reshape(-1, 3))


def in_middle(marks: Array, colour: tuple[float, ...], half: int = 2) -> Array:
    """The same with a thing in the middle of it."""
    shown = marks.reshape(SIDE, SIDE, 3).copy()
    shown[SIDE // 2 - half : SIDE // 2 + half, SIDE // 2 - half : SIDE // 2 + half] = opponent(
        bgr(colour)
    )[0]
    return shown.reshape(-1, 3)


def test_quarters_of_a_border_are_beside_each_other(borders: Borders) -> None:
    grid = borders.quarters.reshape(SIDE, SIDE)
    assert (grid[4:8, 4:8] == -1).all()
    assert {int(grid[0, 0]), int(grid[0, -1]), int(grid[-1, 0]), int(grid[-1, -1])} == {0, 1, 2, 3}
    assert set(borders.rows[0]) == set(np.flatnonzero(borders.quarters[0] >= 0))


def test_a_face_learned_under_shine_is_taken_as_it_is(fields: Array, borders: Borders) -> None:
    now = in_middle(face(BLUE), RED)
    wanted = as_seen_now(now, striped(BLUE), fields, borders)
    assert wanted == pytest.approx(face(BLUE), abs=1.0)


def test_paint_under_another_lamp_keeps_its_grain(fields: Array, borders: Borders) -> None:
    chance = np.random.default_rng(3)
    grain = chance.normal(0.0, 3.0, (SIDE * SIDE, 1)) * np.array([[1.0, 0.0, 0.0]])
    wanted = as_seen_now(face(DEEP) + grain, face(BLUE) + grain, fields, borders)
    assert wanted == pytest.approx(face(DEEP) + grain, abs=2.5)


def test_what_is_as_it_was_stays(fields: Array, borders: Borders) -> None:
    then = striped(BLUE)
    assert as_seen_now(in_middle(then, RED), then, fields, borders) is then


def test_pieces_all_over_a_field_are_no_face_of_it(fields: Array, borders: Borders) -> None:
    then = face(BLUE)
    black = face((8.0, 8.0, 8.0))  # too dark to be paint in another light
    assert as_seen_now(black, then, fields, borders) == pytest.approx(then)
    halves = then.reshape(SIDE, SIDE, 3).copy()
    halves[:, : SIDE // 2] = opponent(bgr(RED))[0]  # no border is like that
    halves[:, SIDE // 2 :] = opponent(bgr((20.0, 150.0, 150.0)))[0]
    assert as_seen_now(halves.reshape(-1, 3), then, fields, borders) == pytest.approx(then)


def test_borders_tell_what_is_behind_a_piece(fields: Array, borders: Borders) -> None:
    now = in_middle(face(BLUE), RED, half=3)
    assert as_borders(now, fields, borders) == pytest.approx(face(BLUE))
    nowhere = np.zeros((0, 1), dtype=np.int64)
    assert as_borders(now, nowhere, borders) == pytest.approx(now)


@pytest.mark.parametrize("cloth", [RED, (120.0, 120.0, 120.0), (60.0, 150.0, 60.0)])
def test_a_cloth_over_all_of_a_field_is_no_face_of_it(
    cloth: tuple[float, ...], fields: Array, borders: Borders
) -> None:
    then = striped(BLUE)
    assert as_seen_now(face(cloth), then, fields, borders) == pytest.approx(then)


def test_noise_gives_more_play(fields: Array, borders: Borders) -> None:
    calm = np.full(SIDE * SIDE, 0.5)
    then = face(BLUE)
    noise = np.random.default_rng(4).normal(0.0, 20.0, then.shape)
    assert with_noise(calm, then, then, fields, borders) == pytest.approx(calm)
    more = with_noise(calm, then + noise, then, fields, borders)
    assert (more > 1.0).all()
    assert (more <= 2.0).all()
    crowded = in_middle(then, RED, half=4)  # pieces are no noise
    assert with_noise(calm, crowded, then, fields, borders) == pytest.approx(calm)
