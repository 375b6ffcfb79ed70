"""What a reader is told of the lights in a picture that was taken a moment ago."""

from __future__ import annotations

import pytest

from firmware_bridge.picture import Picture
from web.lamplight import LINGERS, Lamplight

RED, SKY = (255, 0, 0), (86, 180, 233)


def one(n: int) -> Picture:
    return ((n, 0, 0, 0),)


@pytest.fixture
def time() -> list[float]:
    return [10.0]


@pytest.fixture
def light(time: list[float]) -> Lamplight:
    """A red light since ten, dark as it was wished at twenty and shown at twenty-one."""
    found = Lamplight(lambda: time[0])
    found.wished(one(1), {"5": RED})
    found.shown(one(1))
    time[0] = 20.0
    found.wished(one(0), {})
    time[0] = 21.0
    found.shown(one(0))
    return found


def test_only_pictures_taken_after_the_controllers_word_are_dark(light: Lamplight) -> None:
    assert light.at(15.0) == {"5": RED}
    assert light.at(20.5) == {"5": RED}
    assert light.at(21.0) == {"5": RED}  # it gathered light a little before, too
    assert light.at(21.2) == {}
    assert light.at(21.2, doubt=0.5) == {"5": RED}  # or it waited in the camera


def test_what_is_wished_again_may_burn_at_once(light: Lamplight, time: list[float]) -> None:
    time[0] = 22.0
    light.wished(one(2), {"5": SKY, "6": SKY})
    assert light.at(21.5) == {}
    assert light.at(22.0) == {"5": SKY, "6": SKY}
    assert light.at(15.0) == {"5": RED}


def test_the_same_wish_twice_is_one(light: Lamplight, time: list[float]) -> None:
    time[0] = 22.0
    light.wished(one(0), {})
    assert light.at(23.0) == {}


def test_a_wish_that_was_overtaken_may_have_been_seen_until_the_next_word(
    light: Lamplight, time: list[float]
) -> None:
    for at, number, colours in ((22.0, 2, {"6": SKY}), (22.1, 0, {})):
        time[0] = at
        light.wished(one(number), colours)
    assert light.at(23.0) == {"6": SKY}
    time[0] = 24.0
    light.shown(one(0))
    assert light.at(25.0) == {}


def test_where_nobody_remembers_anything_may_burn(light: Lamplight) -> None:
    assert light.at(1.0) == {"5": RED}
    assert Lamplight().at(1.0) is None


def test_lights_that_are_not_heard_of_burn_on_for_a_while(
    light: Lamplight, time: list[float]
) -> None:
    time[0] = 22.0
    light.wished(one(1), {"5": RED})
    light.shown(one(1))
    light.wished(one(0), {})  # nobody has heard it
    assert light.at(22.0 + LINGERS) == {"5": RED}
    assert light.at(22.1 + LINGERS) is None
