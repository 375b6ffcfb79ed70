"""The virtual table's lights are the firmware's; its cable can be pulled."""

from __future__ import annotations

import pytest

from firmware_bridge.bridge import Keeper
from firmware_bridge.drivers import Settings
from firmware_bridge.palette import picture
from hardware.boards import board
from hardware.firmware.build import BuildError
from web.texts import languages
from web.twin.pin import Pin, SharedMachine
from web.wording import say


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.at = 0.0

    def now(self) -> float:
        return self.at

    def sleep(self, seconds: float) -> None:
        self.at += seconds


def test_a_controller_that_cannot_be_built_here_is_no_cable_pulled_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing(leds: int) -> SharedMachine:
        raise BuildError("avr-gcc not found; on Debian: apt-get install gcc-avr")

    monkeypatch.setattr("web.twin.pin.SharedMachine", missing)
    tijou, clock = board("tijou"), Clock()
    keeper = Keeper(Pin(tijou, clock.now).driver(Settings(tijou.lights)), clock)
    assert not keeper.step(picture(tijou, {}))
    assert keeper.status.word == "not-built"
    assert "apt-get install" in keeper.status.problem
    for lang in languages():
        assert say("health.lights.not-built", lang) != "health.lights.not-built"


def test_lights_glow_until_the_cable_is_pulled_and_again_after() -> None:
    tijou, clock = board("tijou"), Clock()
    pin = Pin(tijou, clock.now)
    keeper = Keeper(pin.driver(Settings(tijou.lights)), clock)
    wanted = picture(tijou, {"20": "may-go", "cc1": "wrong"})
    try:
        assert keeper.step(wanted)
        clock.sleep(0.1)
        assert "20" in pin.shining()
        assert "19" not in pin.shining()

        pin.plugged = False
        assert not keeper.step(wanted)
        assert "pulled out" in keeper.status.problem
        for _ in range(10):  # a controller that hears nothing goes dark by itself
            clock.sleep(0.5)
            shown = pin.shining()
        assert shown == {}

        pin.plugged = True
        clock.sleep(10.0)
        assert keeper.step(wanted)
        clock.sleep(0.1)
        assert "20" in pin.shining()
    finally:
        keeper.close()
        pin.close()
