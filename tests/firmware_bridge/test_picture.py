"""Few bytes for a change, and the other end makes exactly the wanted picture of them."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.picture import Light, Picture, apply, dark, payloads
from firmware_bridge.protocol import OVERHEAD
from hardware.firmware.limits import LIMITS

ROOM = LIMITS["MAX_PAYLOAD"]

lights = st.tuples(*[st.integers(0, 255)] * 3, st.integers(0, 15))
few_lights = st.sampled_from([(0, 0, 0, 0), (255, 0, 0, 0), (0, 9, 0, 1), (0, 9, 0, 2)])


def wire(sent: Picture, wanted: Picture) -> int:
    """Bytes on the wire, frames and all."""
    parts = payloads(sent, wanted)
    return sum(map(len, parts)) + OVERHEAD * len(parts)


def with_lights(picture: Picture, places: dict[int, Light]) -> Picture:
    return tuple(places.get(n, light) for n, light in enumerate(picture))


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.one_of(lights, few_lights), min_size=1, max_size=256),
    st.randoms(use_true_random=False),
    st.integers(40, ROOM),
)
def test_the_other_end_gets_exactly_the_wanted_picture(
    wanted: list[Light], dice: random.Random, room: int
) -> None:
    sent = tuple(light if dice.random() < 0.5 else (1, 2, 3, 4) for light in wanted)
    held = sent
    for part in payloads(sent, tuple(wanted), room):
        assert 0 < len(part) <= room
        held = apply(held, part)
    assert held == tuple(wanted)


def test_scattered_leds_cost_at_most_8_and_5_each() -> None:
    dice = random.Random(4)
    for _ in range(400):
        leds = dice.choice((58, 104, 200, 256))
        sent = tuple((dice.randrange(256), 0, 0, dice.randrange(16)) for _ in range(leds))
        apart = dice.choice((1, 2, 3, 17, 18))
        places = range(0, leds, apart)
        changed = dice.sample(places, dice.randrange(1, len(places) + 1))
        colours = [(n, dice.randrange(256), dice.randrange(256), 1 + n % 15) for n in changed]
        wanted = with_lights(sent, dict(zip(changed, colours, strict=True)))
        assert wire(sent, wanted) <= 8 + 5 * len(changed)


def test_no_difference_is_no_traffic() -> None:
    assert payloads(dark(200), dark(200)) == []


def test_runs_of_one_colour_are_far_shorter() -> None:
    sent: Picture = tuple((n, n, n, 0) for n in range(200))
    red: Light = (255, 0, 0, 2)
    assert wire(sent, (red,) * 200) == 8 + 4
    assert wire(sent, with_lights(sent, dict.fromkeys(range(20, 90), red))) == 8 + 6
    scattered = dict.fromkeys(range(1, 200, 5), red)
    assert wire(sent, with_lights(sent, scattered)) == 8 + 5 + len(scattered)


def test_a_nearly_even_picture_is_told_as_its_ground_and_what_stands_on_it() -> None:
    sent: Picture = tuple((n, n, n, 0) for n in range(200))
    wanted = with_lights(dark(200), {7: (1, 2, 3, 0), 150: (3, 2, 1, 5)})
    assert wire(sent, wanted) == 8 + 4 + 5 + 5


def test_a_whole_random_picture_of_one_rhythm_takes_little_more_than_its_colours() -> None:
    dice = random.Random(2)
    wanted = tuple((*dice.randbytes(3), 0) for _ in range(200))
    assert wire(dark(200), wanted) <= 600 + 3 * (OVERHEAD + 3)
