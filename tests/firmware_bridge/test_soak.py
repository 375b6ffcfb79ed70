"""The real binary over a bad cable, through pyserial, in its own time: a share of the soak."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from firmware_bridge.bridge import Keeper
from firmware_bridge.drivers import Own, Settings
from firmware_bridge.faults import BadSerial, Cable, MachineClock
from firmware_bridge.levels import possible
from firmware_bridge.picture import Picture
from firmware_bridge.protocol_emulator import Serial
from firmware_bridge.soak import Pictures, light, run
from hardware.firmware.limits import BAUDS, LIMITS
from hardware.firmware.machine import Machine

ERRORS = (0.0, 0.001, 0.01)


@pytest.mark.parametrize("baud", BAUDS)
@pytest.mark.parametrize("errors", ERRORS)
def test_every_acknowledged_picture_is_right_whatever_happens_to_the_cable(
    baud: int, errors: float
) -> None:
    outcome = run(baud, errors, 250, trouble=2.0)
    assert outcome.wrong_pictures == 0
    assert outcome.final_right
    assert outcome.acknowledged > 25
    assert outcome.pulled + outcome.resets > 0
    assert outcome.connections <= 1 + outcome.pulled + outcome.resets
    assert outcome.unaccounted == 0
    assert outcome.cut <= outcome.pulled + outcome.resets + outcome.connections
    assert (outcome.timing_faults, outcome.overruns) == (0, 0)
    assert outcome.longest_gap_us <= 4.0


@pytest.mark.parametrize("baud", BAUDS)
@pytest.mark.parametrize("errors", ERRORS)
def test_the_counters_account_for_every_damaged_frame(baud: int, errors: float) -> None:
    outcome = run(baud, errors, 250, trouble=0.0)
    assert outcome.wrong_pictures == 0
    assert outcome.acknowledged == outcome.updates
    assert outcome.unaccounted == 0
    assert (outcome.bytes_hit > 0) == (errors > 0) == (outcome.retries > 0)


def test_the_books_notice_a_firmware_that_loses_bytes() -> None:
    assert run(250000, 0.0, 40, trouble=0.0).unaccounted == 0
    assert run(250000, 0.0, 40, trouble=0.0, firmware="wrong.hex").unaccounted > 10


@pytest.mark.parametrize("apart", [1, 2, 5, 17, 18])
def test_after_noise_an_update_costs_no_more_than_before(apart: int) -> None:
    dice = random.Random(apart)
    with Machine(leds=256) as machine:
        cable = Cable(machine, dice, errors=0.03)
        driver = Own(lambda: BadSerial(cable), Settings(256), lambda port: MachineClock(machine))
        keeper, pictures = Keeper(driver, MachineClock(machine)), Pictures(dice, 256)
        while driver.counts.retries < 30:
            if not keeper.step(pictures.next()):
                machine.run(0.2)
        cable.heal()
        ground = tuple(light(dice) for _ in range(256))
        while not keeper.step(ground):
            machine.run(0.2)
        for _ in range(3):
            lights = list(ground)
            for n in range(0, 256, apart):
                lights[n] = (*lights[n][:2], (lights[n][2] + 1) % 256, 1 + n % 15)
            ground = tuple(lights)
            before = driver.counts.bytes_out
            assert keeper.step(ground)
            assert driver.counts.bytes_out - before <= 8 + 5 * len(range(0, 256, apart))
            assert possible(ground, 160, LIMITS["CAP_DEFAULT"], machine.picture())


def walked(firmware: str) -> tuple[int, int, int, int]:
    """Pictures that were not there when acknowledged, retries, bytes overrun, resyncs."""
    with Machine(firmware, 200) as machine:
        connect: Callable[[], Serial] = lambda: Serial(  # noqa: E731
            "emulator://", timeout=0.02, machine=machine
        )
        driver = Own(connect, Settings(200, 255, 8000, 250000), lambda port: MachineClock(machine))
        driver.open()
        wrong = 0
        for n in range(40):
            picture: Picture = tuple((n + 1, led % 256, 0, 0) for led in range(200))
            driver.show(picture)
            wrong += machine.picture() != tuple(light[:3] for light in picture)
        overruns = machine.report().overruns
        assert driver.link is not None
        return wrong, driver.counts.retries, overruns, driver.link.stats().resync


def test_a_firmware_that_answers_before_the_latch_with_interrupts_off_fails_here() -> None:
    assert walked("lights.hex") == (0, 0, 0, 0)
    wrong, retries, overruns, resyncs = walked("wrong.hex")
    assert wrong == 40
    assert retries >= 20
    assert overruns >= 20
    assert resyncs >= 20
