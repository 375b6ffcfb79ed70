"""The order of the LEDs, looked at."""

import numpy as np
import pytest

from calibration.learning import CalibrationError
from calibration.lights import find_order, patterns
from calibration.view import View
from hardware.boards import Board

LIGHTS = 88


@pytest.fixture(scope="module")
def wiring(shape: Board) -> dict[str, int]:
    """Somebody soldered the chain in an order of his own."""
    cells = [c.id for c in shape.cells if c.kind in ("ring", "house")]
    order = np.random.default_rng(5).permutation(len(cells))
    return {cells[n]: int(led) for led, n in enumerate(order)}


@pytest.fixture(scope="module")
def seen(shape: Board, view: View, empty: np.ndarray, wiring: dict[str, int]) -> list[np.ndarray]:
    height, width = empty.shape[:2]
    xs, ys = np.meshgrid(np.arange(width), np.arange(height))
    glows = {}
    for cell, led in wiring.items():
        x, y = view.project(np.array([[shape.cell(cell).x, shape.cell(cell).y]]))[0]
        far = np.hypot(xs - x, ys - y)
        glows[led] = 120.0 * (far < 7) + 25.0 * np.exp(-far / 9)  # and some leaks around it
    pictures = []
    for n, pattern in enumerate(patterns(len(wiring))):
        rng = np.random.default_rng(n)
        light = sum((glows[led] for led, on in enumerate(pattern) if on), np.zeros((height, width)))
        noisy = empty + light[..., None] + rng.normal(0, 3, empty.shape)
        pictures.append(np.clip(noisy, 0, 255).astype(np.uint8))
    return pictures


def test_every_cell_gets_its_own_light(
    shape: Board, view: View, seen: list[np.ndarray], wiring: dict[str, int]
) -> None:
    found = find_order(shape, view, seen, len(wiring))
    assert found.leds == wiring
    assert found.unseen == ()
    assert found.on(shape).cell("a1").led == wiring["a1"]


def test_patterns_light_every_led_in_half_of_the_pictures() -> None:
    shown = np.array(patterns(LIGHTS)[2:])
    assert (shown.sum(axis=0) == len(shown) / 2).all()
    assert len({tuple(row) for row in np.array(patterns(LIGHTS)[2::2]).T}) == LIGHTS


def test_a_missing_picture_is_noticed(shape: Board, view: View, seen: list[np.ndarray]) -> None:
    with pytest.raises(CalibrationError, match="pictures are needed"):
        find_order(shape, view, seen[:-1], LIGHTS)
