"""The light of a picture beside the one the board was learned in: what shines, what is odd."""

from dataclasses import replace

import numpy as np
import pytest

from hardware.boards import board
from tests.vision.conftest import WOOD, bgr
from vision.light import ODD, lattice, levels, linear, relight, split, surface
from vision.outlook import unshaded
from vision.relit import back_then, with_full
from vision.watch import beyond_shadows


def test_light_and_levels_are_each_other_s_opposite() -> None:
    grey = np.arange(8, 256, dtype=np.float32)
    assert levels(linear(grey)) == pytest.approx(grey, abs=0.6)


def test_another_lamp_is_told_as_gains_and_a_spot_as_shine() -> None:
    place = lattice(board("tock4"))
    rng = np.random.default_rng(4)
    then = np.clip(bgr(WOOD, len(place.points)) + rng.normal(0, 6, (len(place.points), 3)), 1, 254)
    lamp = np.array([0.7, 0.85, 1.0], dtype=np.float32)
    lit = linear(then) * lamp
    spot = np.exp(-((place.points[:, 0] - 250) ** 2 + (place.points[:, 1] - 120) ** 2) / 60**2)
    now = levels(lit + 0.12 * spot[:, None].astype(np.float32))
    light = relight(place, now, surface(place, then.astype(np.float32)))
    assert light.overall * lamp == pytest.approx(np.ones(3), rel=0.05)
    near = place.bare & (spot > 0.8)
    assert light.shine[near].mean() > 0.05
    assert light.seen > 0.95


def test_what_lies_on_the_board_is_strange_and_hides_the_grain() -> None:
    place = lattice(board("tock4"))
    rng = np.random.default_rng(4)
    then = np.clip(bgr(WOOD, len(place.points)) + rng.normal(0, 9, (len(place.points), 1)), 1, 254)
    over = (place.points[:, 0] > 350) & (place.points[:, 1] > 300)
    now = np.where(over[:, None], bgr((120, 140, 190)), then).astype(np.float32)
    light = relight(place, now, surface(place, then.astype(np.float32)))
    inside = over & place.bare & (place.points[:, 0] > 380) & (place.points[:, 1] > 330)
    assert (light.odd[inside] > 1.5).mean() > 0.9
    assert (light.odd[place.bare & ~over] > 1.5).mean() < 0.1


def test_grain_that_was_painted_in_where_pieces_stood_is_nothing_strange() -> None:
    place = lattice(board("tock4"))
    rng = np.random.default_rng(4)
    face = bgr(WOOD, len(place.points))
    then, now = (
        np.clip(face + rng.normal(0, 6, (len(place.points), 1)), 1, 254).astype(np.float32)
        for _ in range(2)
    )
    guessed = np.hypot(*(place.points - 300.0).T) < 60
    then[~guessed] = now[~guessed]
    light = relight(place, now, surface(place, then))
    inside = guessed & place.bare
    assert (light.odd[inside] > ODD).mean() < 0.3
    now[guessed] *= (0.7, 0.9, 1.15)  # but what is of another colour there, too, is
    light = relight(place, now, surface(place, then))
    assert (light.odd[inside] > ODD).mean() > 0.6


def test_what_lies_where_the_empty_board_had_shone_is_strange_and_the_face_is_not() -> None:
    place = lattice(board("tock4"))
    rng = np.random.default_rng(4)
    face = np.clip(bgr((60, 80, 110), len(place.points)) + rng.normal(0, 3, (1, 3)), 1, 254)
    x, y = place.points.T
    spot = np.exp(-((x - 250) ** 2 + (y - 250) ** 2) / 110**2).astype(np.float32)
    then = surface(place, levels(linear(face) + 0.2 * spot[:, None]).astype(np.float32))
    over = (np.hypot(x - 250, y - 250) < 40) & place.bare
    assert then.shiny[over].all()
    gone, half = (levels(linear(face) + part * spot[:, None]) for part in (0.0, 0.1))
    for now in (gone, half):
        light = relight(place, now.astype(np.float32), then)
        assert not light.blind[over].any()
        assert (light.odd[over] > 1.5).mean() < 0.05
    sleeve = np.where(over[:, None], bgr((20, 14, 12)), gone).astype(np.float32)
    assert (relight(place, sleeve, then).odd[over] > 1.5).mean() > 0.9
    burnt = levels(linear(face) + 1.2 * spot[:, None]).astype(np.float32)
    light = relight(place, gone.astype(np.float32), surface(place, burnt))
    assert light.blind[over].any()
    assert not light.odd[light.blind].any()


def test_lamps_whose_colours_change_over_the_board_are_nothing_strange_and_a_hand_is() -> None:
    place = lattice(board("tock4"))
    rng = np.random.default_rng(6)
    then = np.clip(bgr(WOOD, len(place.points)) + rng.normal(0, 5, (len(place.points), 3)), 1, 254)
    part = (place.points[:, 0] / 500.0)[:, None]
    lamps = (1 - part) * np.array([1.5, 1.0, 0.7]) + part * np.array([0.7, 1.0, 1.4])
    light = linear(then) * 0.8 * lamps.astype(np.float32)
    over = place.bare & (np.hypot(*(place.points - (250.0, 250.0)).T) < 50)
    light[over] = linear(bgr((120, 140, 190)))
    seen = relight(place, levels(light), surface(place, then.astype(np.float32)))
    assert (seen.odd[place.bare & ~over] > ODD).mean() < 0.02
    inner = place.bare & (np.hypot(*(place.points - (250.0, 250.0)).T) < 35)
    assert (seen.odd[inner] > ODD).mean() > 0.9


def test_a_field_whose_paint_looks_another_is_relit_and_what_lies_beyond_it_too_is_not() -> None:
    place = lattice(board("tijou"))
    rng = np.random.default_rng(6)
    then = np.clip(bgr(WOOD, len(place.points)) + rng.normal(0, 5, (len(place.points), 3)), 1, 254)
    inside, around = place.plots[3]
    assert len(inside) == place.sizes[3]
    assert (place.fielded[place.on_fields == 3] == inside).all()
    now = then.copy()
    now[inside] = (190, 110, 90)
    known = surface(place, then.astype(np.float32))
    assert (relight(place, now.astype(np.float32), known).odd[inside] < ODD).all()
    now[around] = (190, 110, 90)
    assert (relight(place, now.astype(np.float32), known).odd[inside] > ODD).mean() > 0.8
    hand = then.copy()  # a fingertip larger than the field
    middle = place.points[inside].mean(axis=0)
    over = place.bare & (np.hypot(*(place.points - middle).T) < 30)
    hand[over] = (120, 140, 190)
    odd = relight(place, hand.astype(np.float32), known).odd
    assert (odd[over & (place.field == place.field[inside[0]])] > ODD).mean() > 0.7


def test_shadows_that_hang_together_with_pieces_are_left_out_and_dark_grain_is_not() -> None:
    place = lattice(board("tock4"))
    rng = np.random.default_rng(8)
    colours = np.clip(
        bgr(WOOD, len(place.points)) + rng.normal(0, 4, (len(place.points), 1)), 1, 254
    )
    x, y = place.points.T
    stood = np.hypot(x - 200.0, y - 250.0) < 12
    shadow = (np.abs(y - 250.0) < 9) & (x > 205) & (x < 280)
    stain = np.hypot(x - 350.0, y - 250.0) < 20
    colours[shadow | stain] *= 0.7
    inlay = (np.abs(x - 200.0) < 30) & (y < 200)  # too long for a shadow
    colours[inlay] *= 0.7
    left = unshaded(place, colours.astype(np.float32), ~(stood | (np.hypot(x - 200, y - 185) < 9)))
    assert (left.bare & inlay & (y < 30)).sum() == (place.bare & inlay & (y < 30)).sum()
    assert not (left.bare & shadow).any()
    assert (left.bare & stain).sum() == (place.bare & stain).sum()
    assert left.bare.sum() > 0.93 * place.bare.sum()


def test_the_shadow_of_a_piece_is_no_hand_but_a_sleeve_and_a_shadow_by_itself_are() -> None:
    things, near = np.zeros((40, 40), dtype=bool), np.zeros((40, 40), dtype=bool)
    things[10:13, 10:22], near[8:15, 2:10] = True, True
    shade = np.ones((40, 40), dtype=bool)
    assert not beyond_shadows(things, shade, near, 5.0)
    assert beyond_shadows(things, ~shade, near, 5.0)  # another colour
    assert beyond_shadows(things, shade, np.roll(near, 20, axis=0), 5.0)  # of nothing that stands
    things[10:25, 10:22] = True
    assert beyond_shadows(things, shade, near, 5.0)  # as large as an arm


def test_light_is_split_into_shade_and_shine() -> None:
    wood = linear(bgr(WOOD))
    shade, shine, tint = split((0.6 * wood + 0.1).astype(np.float32), wood)
    assert shade[0] == pytest.approx(0.6, abs=0.15)
    assert shine[0] == pytest.approx(0.1, abs=0.05)
    assert tint[0] < 0.1


def test_of_colours_as_bright_as_can_be_nothing_is_told() -> None:
    place = lattice(board("tock4"))
    then = bgr((150, 235, 245), len(place.points))
    light = replace(relight(place, then, surface(place, then)), overall=np.full(3, 0.8))
    spots = np.zeros(2, dtype=np.int64)
    raw = np.array([[160, 255, 255], [255, 255, 120]], dtype=np.uint8)
    seen = back_then(raw, light, spots)
    told = with_full(seen, raw, then[:2], light, spots)
    assert (told[0, 1:] == then[0, 1:]).all()
    assert told[:, 0] == pytest.approx(seen[:, 0])  # so much was not expected
    assert told[1, 2] == pytest.approx(seen[1, 2])


def test_painted_fields_do_not_shine() -> None:
    tijou = board("tijou")
    place = lattice(tijou)
    dark, pale = (60.0, 80.0, 110.0), (190.0, 205.0, 215.0)
    face = np.where((place.field >= 0)[:, None], bgr(pale), bgr(dark)).astype(np.float32)
    assert not surface(place, face).shiny.any()
    spot = np.hypot(*(place.points - (290.0, 290.0)).T) < 40.0
    face[spot] = (235.0, 240.0, 245.0)
    shiny = surface(place, face).shiny
    assert shiny[spot].all()
    assert not shiny[np.hypot(*(place.points - (290.0, 290.0)).T) > 150].any()
