"""Shine fades, things begin at once: told place by place along an outline."""

import numpy as np
import pytest

from calibration.view import Array
from hardware.boards import board
from vision.cover import sharp_things, softly
from vision.light import lattice, levels
from vision.outline import Shown, added, crisp

PLACE = lattice(board("tijou"))
X, Y = PLACE.points.T.reshape(2, *PLACE.shape)
FREE = np.ones(PLACE.shape, dtype=bool)
NO_SHINE = np.zeros(PLACE.shape)


def shine(ground: Array) -> Array:
    """Of a lamp that is mirrored in the varnish."""
    away = np.hypot(ground[..., 0] - 250.0, ground[..., 1] - 250.0)
    light: Array = 0.6 * np.exp(-((away / 90.0) ** 2))
    return light


def card(ground: Array) -> Array:
    inside: Array = np.abs(ground - (250.0, 250.0)).max(axis=-1) < 60.0
    return np.where(inside, 0.4, 0.0)


def arm(ground: Array) -> Array:
    """Rounded: lighter in its middle, as lamps light it."""
    off = np.abs(ground[..., 0] - 150.0) / 30.0
    light = 0.35 * np.sqrt(np.maximum(1.0 - 0.7 * off**2, 0.0))
    return np.where((off < 1.0) & (ground[..., 1] > 200.0), light, 0.0)


def test_shine_is_no_thing_and_a_card_is_one() -> None:
    glare = shine(PLACE.points).reshape(PLACE.shape) > 0.15
    assert not crisp(glare, FREE, PLACE, shine).any()
    lying = card(PLACE.points).reshape(PLACE.shape) > 0
    assert (crisp(lying, FREE, PLACE, card) == lying).all()
    less = crisp(lying, FREE, PLACE, lambda ground: 0.6 - card(ground))  # a lamp has come on
    assert (less == lying).all()


def test_an_arm_that_reaches_into_shine_is_told_from_it() -> None:
    def both(ground: Array) -> Array:
        over = arm(ground)
        return np.where(over > 0, over, shine(ground))

    here = both(PLACE.points).reshape(PLACE.shape) > 0.15
    reaching = arm(PLACE.points).reshape(PLACE.shape) > 0
    found = crisp(here, FREE, PLACE, both)
    assert found[here & reaching & (Y > 350)].mean() > 0.9
    assert not found[here & (X > 280)].any()


def test_where_its_outline_is_hidden_all_of_it_may_be_a_thing() -> None:
    glare = shine(PLACE.points).reshape(PLACE.shape) > 0.15
    assert (crisp(glare, glare, PLACE, shine) == glare).all()


def test_what_is_seen_of_an_outline_tells_and_pieces_beside_it_do_not() -> None:
    glare = shine(PLACE.points).reshape(PLACE.shape) > 0.15
    hidden = np.hypot(X - 300, Y - 300) < 25  # behind a piece that stands in the shine

    def darker(ground: Array) -> Array:
        behind = np.hypot(ground[..., 0] - 300, ground[..., 1] - 300) < 25
        return np.where(behind, 0.0, shine(ground))

    assert not crisp(glare & ~hidden, ~hidden, PLACE, darker).any()


@pytest.mark.parametrize(("more", "told"), [(shine, False), (card, True)])
def test_only_things_are_kept_of_what_has_become_lighter(more, told) -> None:  # type: ignore[no-untyped-def]
    light = more(PLACE.points).reshape(PLACE.shape)
    odd, lift = np.where(light > 0.15, 4.0, 0.2), np.log1p(10 * light)
    assert sharp_things(PLACE, odd, FREE, lift, NO_SHINE, more).any() == told


def test_a_dark_sleeve_is_a_thing_however_it_begins() -> None:
    here = shine(PLACE.points).reshape(PLACE.shape) > 0.15
    odd, lift = np.where(here, 4.0, 0.2), np.where(here, -1.0, 0.0)
    assert sharp_things(PLACE, odd, FREE, lift, NO_SHINE, shine)[here].mean() > 0.9


@pytest.mark.parametrize(("darker", "told"), [(0.0, False), (1.5, True)])
def test_shine_that_has_gone_is_no_thing_and_a_soft_sleeve_over_it_is_one(darker, told) -> None:  # type: ignore[no-untyped-def]
    light = shine(PLACE.points).reshape(PLACE.shape)
    here, bright = light > 0.15, np.log1p(10 * light)
    odd, lift = np.where(here, 4.0, 0.2), np.where(here, -bright - darker, 0.0)
    things = sharp_things(PLACE, odd, FREE, lift, bright, lambda ground: -shine(ground))
    assert things.any() == told


def test_of_a_small_region_few_places_have_to_tell() -> None:
    away = np.hypot(X - 250, Y - 250)
    here = away < 18
    assert softly(here, FREE, 1.0 - away / 60.0)
    assert not softly(here, FREE, np.where(here, 1.0, 0.0))


def test_shine_that_burns_out_begins_nowhere_and_a_white_card_does(tock) -> None:  # type: ignore[no-untyped-def]
    place, view = lattice(tock.board), tock.table.view
    width, height = view.lens.size
    pixels = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).reshape(-1, 2)
    away = view.ground(pixels) - (250.0, 250.0)
    painted = np.abs(away).max(axis=1) < 30.0
    then = np.where(painted, 0.1, 0.5)
    glare = then + 2.0 * np.exp(-((np.hypot(*away.T) / 60.0) ** 2))
    white = np.where(np.hypot(*away.T) < 80.0, 1.0, then)

    def shown(light: Array) -> Shown:
        grey = levels(np.minimum(light, 1.0)).reshape(height, width, 1)
        return Shown(np.rint(np.repeat(grey, 3, axis=2)).astype(np.uint8), view)

    free = np.ones(place.shape, dtype=bool)
    off = np.hypot(*(place.points - (250.0, 250.0)).T).reshape(place.shape)
    for now, here, thing in (
        (glare, off < 95, False),
        (glare, off < 75, False),
        (white, off < 80, True),
    ):
        found = crisp(here, free, place, added(shown(now), shown(then), np.ones(3)))
        assert found[here].mean() > 0.9 if thing else not found.any()
