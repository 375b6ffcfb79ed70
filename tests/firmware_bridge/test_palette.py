"""Meanings can be told apart by everybody, whichever colours they do not see."""

from __future__ import annotations

import math
from itertools import combinations

import pytest

from firmware_bridge.levels import CYCLE, CYCLE_SECONDS, beat
from firmware_bridge.palette import LOOKS, Look, linear, look, picture
from hardware import boards

MEANINGS = (
    *("may-move", "may-go", "capture", "came-from", "put-back"),
    *("wrong", "your-turn", "best-placed", "hint", "confirmed"),
)
# how people without one kind of cone see, on linear light (Machado, Oliveira and Fernandes 2009)
BLINDNESS = {
    "none": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
NEAR = 20.0


def lab(srgb: tuple[int, int, int], blindness: str) -> tuple[float, float, float]:
    """CIE Lab of a colour as it is seen."""
    lit = [(c / 255 + 0.055) ** 2.4 / 1.055**2.4 if c > 10 else c / 255 / 12.92 for c in srgb]
    rows = BLINDNESS[blindness]
    r, g, b = (
        min(1.0, max(0.0, sum(k * v for k, v in zip(row, lit, strict=True)))) for row in rows
    )
    xyz = (
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
        0.2126 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089,
    )
    x, y, z = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in xyz)
    return (116 * y - 16, 500 * (x - y), 200 * (y - z))


def apart(one: Look, other: Look, blindness: str) -> float:
    pairs = zip(lab(one.srgb, blindness), lab(other.srgb, blindness), strict=True)
    return math.sqrt(sum((a - b) ** 2 for a, b in pairs))


def tempo(one: Look) -> tuple[int, ...]:
    """A rhythm whatever moment it starts at."""
    beats = [beat(one.rhythm, phase) for phase in range(CYCLE)]
    return max(tuple(beats[n:] + beats[:n]) for n in range(CYCLE))


def test_the_meanings_are_those_the_referee_uses() -> None:
    assert tuple(LOOKS) == MEANINGS


@pytest.mark.parametrize("blindness", BLINDNESS)
def test_any_two_meanings_differ_in_tempo_or_clearly_in_colour(blindness: str) -> None:
    for one, other in combinations(LOOKS.values(), 2):
        if tempo(one) == tempo(other):
            assert apart(one, other, blindness) > NEAR, (one.name, other.name)


def test_shapes_for_the_page_are_all_different() -> None:
    assert len({one.shape for one in LOOKS.values()}) == len(LOOKS)


def test_no_light_flashes_more_than_three_times_a_second() -> None:
    for one in LOOKS.values():
        beats = [beat(one.rhythm, phase) for phase in range(CYCLE)] * 2
        second = round(CYCLE / CYCLE_SECONDS)
        rises = [n for n in range(1, len(beats)) if beats[n - 1] < 10 <= beats[n]]
        assert all(sum(a <= n < a + second for n in rises) <= 3 for a in rises)


def test_colours_are_for_pages_and_leds_alike() -> None:
    hint = look("hint")
    assert hint.css == "#e69f00"
    assert hint.beat == "flash"
    assert hint.light[:3] == (linear(230), linear(159), 0)
    assert (linear(0), linear(1), linear(255)) == (0, 1, 255)
    assert [linear(n) for n in range(256)] == sorted(linear(n) for n in range(256))


def test_a_picture_puts_each_meaning_on_its_cells_led() -> None:
    board = boards.board("tock4")
    lights = picture(board, {"a18": "may-move", "b3": "may-go"})
    assert len(lights) == board.lights
    for cell in board.cells:
        wanted = {"a18": "may-move", "b3": "may-go"}.get(cell.id)
        assert cell.led is not None
        assert lights[cell.led] == (look(wanted).light if wanted else (0, 0, 0, 0))


def test_a_meaning_or_a_cell_that_does_not_exist_is_told() -> None:
    with pytest.raises(ValueError, match='no light means "happy"'):
        look("happy")
    with pytest.raises(boards.BoardError, match='cell "z9"'):
        picture(boards.board("tock4"), {"z9": "hint"})
