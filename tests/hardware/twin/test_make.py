"""Boards made as few are: painted, burnt, with holes of other colours; the usual stay as usual."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hardware.board_files import load
from hardware.twin import looks
from hardware.twin.face import face
from hardware.twin.make import BURNT, CAMPS, EMBLEMS, INSIDES, MARKS, Make, draw_make, insides
from hardware.twin.scene import Scene
from hardware.twin.solids import GRAIN, turned

PLAIN = Make("floor", None, "bare", "plain", False, "none", 0.0)


@pytest.fixture(scope="module")
def tock():
    return load("tock4")


def test_makes_are_drawn_by_number_and_of_every_sort() -> None:
    drawn = [draw_make(looks.generator("make", number)) for number in range(200)]
    assert drawn == [draw_make(looks.generator("make", number)) for number in range(200)]
    assert {make.inside for make in drawn} == set(INSIDES)
    assert {make.marks for make in drawn} == set(MARKS)
    assert 40 < sum(make.paint is not None for make in drawn) < 120


def test_a_bold_table_has_the_camera_and_the_room_of_the_usual_one(tock) -> None:
    usual, bold = (looks.draw_table(tock, 41, bold=bold) for bold in (False, True))
    assert usual.make is None
    assert bold.make is not None
    assert (usual.lens, usual.ground, usual.blur) == (bold.lens, bold.ground, bold.blur)
    assert usual.pieces != bold.pieces
    assert usual.hole_depth != bold.hole_depth


def test_a_painted_board_is_of_its_colour_and_a_plain_make_changes_nothing(tock) -> None:
    table = replace(looks.draw_table(tock, 41), lines=False)
    before = face(tock, table, 1.0).colour
    same = face(tock, replace(table, make=PLAIN), 1.0).colour
    assert np.array_equal(before, same)
    blue = face(tock, replace(table, make=replace(PLAIN, paint=(30.0, 60.0, 200.0))), 1.0).colour
    assert np.abs(np.median(blue.reshape(-1, 3), axis=0) - (200, 60, 30)).max() < 25


def changed(board, **parts) -> np.ndarray:
    """Where a maker's work is seen, millimetre by millimetre."""
    table = replace(looks.draw_table(board, 41), lines=False, rings=False)
    plain, own = (
        face(board, replace(table, make=make), 1.0).colour.astype(int)
        for make in (PLAIN, replace(PLAIN, **parts))
    )
    seen: np.ndarray = np.abs(own - plain).max(axis=2) > 20
    return seen


def near(board, cells, far: float) -> np.ndarray:
    """The millimetres at most so far from the middle of some cells."""
    y, x = np.mgrid[0 : round(board.size[1]), 0 : round(board.size[0])] + 0.5
    found = np.zeros(x.shape, bool)
    for cell in cells:
        found |= np.maximum(np.abs(x - cell.x), np.abs(y - cell.y)) < far + cell.reach
    return found


@pytest.mark.parametrize("marks", MARKS)
def test_holes_are_marked_around_and_nothing_else_is(tock, marks: str) -> None:
    seen = changed(tock, marks=marks)
    assert not seen[~near(tock, tock.cells, 6.0)].any()
    assert seen.any() == (marks != "bare")


@pytest.mark.parametrize("camps", CAMPS)
def test_a_camp_lies_in_its_colour_or_in_a_frame(tock, camps: str) -> None:
    own = [cell for cell in tock.of_kind("camp") if cell.seat]
    seen = changed(tock, camps=camps)
    assert not seen[~near(tock, own, 40.0)].any()
    middles = [seen[round(cell.y), round(cell.x)] for cell in own]
    assert (all(middles), any(middles)) == ((True, True) if camps == "wash" else (False, False))
    assert seen.any() == (camps != "plain")


def test_an_ornament_lies_in_the_middle(tock) -> None:
    seen = changed(tock, ornament=True)
    y, x = np.nonzero(seen)
    away = np.hypot(x + 0.5 - tock.size[0] / 2, y + 0.5 - tock.size[1] / 2)
    assert len(away) > 500
    assert away.max() < 0.21 * min(tock.size)


@pytest.mark.parametrize("emblem", EMBLEMS)
def test_fields_of_a_seat_bear_its_emblem(emblem: str) -> None:
    tijou = load("tijou")
    seated = [cell for cell in tijou.cells if cell.is_field and cell.seat]
    seen = changed(tijou, emblem=emblem)
    assert not seen[~near(tijou, seated, 0.0)].any()
    assert seen.any() == (emblem != "none")


def test_holes_are_painted_burnt_or_fresh_inside(tock) -> None:
    seats = looks.draw_table(tock, 41).seat_colours(tock)
    rng = np.random.default_rng(1)
    assert insides(tock, PLAIN, seats, rng) == {}
    dark = insides(tock, replace(PLAIN, inside="dark"), seats, rng)
    assert set(dark) == {cell.id for cell in tock.cells if cell.shape == "hole"}
    assert dark[tock.cells[0].id] == pytest.approx(BURNT)
    seated = insides(tock, replace(PLAIN, inside="seat"), seats, rng)
    assert seated
    assert all(tock.cell(cell).seat in seats for cell in seated)
    uneven = insides(tock, replace(PLAIN, inside="dark", uneven=0.3), seats, rng)
    assert len(set(uneven.values())) > 10


def test_what_is_in_the_holes_is_seen_by_the_camera(tock) -> None:
    table = replace(looks.draw_table(tock, 41), hole_depth=4.0, floor_wood=1.0)
    light = looks.draw_light(tock, 41, 600.0)
    camera = looks.draw_camera(tock, table, 88.0)

    def holes(inside: str) -> float:
        made = replace(table, make=replace(PLAIN, inside=inside))
        picture = Scene(tock, looks.Look(made, light), camera).linear({})
        spots = camera.project(np.array([(c.x, c.y, 0.0) for c in tock.cells if c.kind == "ring"]))
        rows = np.rint(spots).astype(int)
        return float(np.median(picture[rows[:, 1], rows[:, 0]]))

    assert holes("fresh") > 1.5 * holes("floor") > 1.5 * holes("dark")


def test_bold_light_is_that_of_candles_and_of_cameras_that_expose_as_they_please(tock) -> None:
    lights = [looks.draw_light(tock, number, 300.0, bold=True) for number in range(80)]
    kelvins = [lamp.kelvin for light in lights for lamp in light.lamps]
    assert min(kelvins) < 2100 < 7500 < max(kelvins)
    assert min(light.exposure for light in lights) < -0.9
    for number, bold in enumerate(lights):
        usual = looks.draw_light(tock, number, 300.0)
        assert (bold.lux, bold.occluders) == (usual.lux, usual.occluders)
        assert [lamp.at for lamp in bold.lamps] == [lamp.at for lamp in usual.lamps]


@pytest.mark.parametrize("profile", looks.BOLD_PROFILES)
def test_every_profile_is_a_solid_as_wide_and_high_as_told(profile: str) -> None:
    solid = turned(profile, 6.0, 25.0)
    rows, columns = np.nonzero(solid.distance < 0)
    assert (columns.max() + 0.5) * GRAIN == pytest.approx(6.0, abs=0.15)
    assert np.ptp(rows) * GRAIN == pytest.approx(25.0, abs=0.3)
