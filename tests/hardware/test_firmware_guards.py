"""What the controller owes a table without anybody's help: dark in noise, every LED walked."""

from __future__ import annotations

import pytest

from firmware_bridge import protocol
from firmware_bridge.drivers import Own, Settings
from firmware_bridge.faults import MachineClock
from firmware_bridge.link import Link
from firmware_bridge.picture import Picture
from firmware_bridge.protocol_emulator import Serial
from hardware.firmware.limits import LIMITS
from hardware.firmware.machine import POWER_ON, Machine

LEDS = 200
WHITE: Picture = ((255, 255, 255, 0),) * LEDS
STEP = 0.05  # seconds the self-test shows each colour


def lit(machine: Machine) -> set[int]:
    return {n for n, light in enumerate(machine.picture()) if any(light)}


def shining(machine: Machine) -> Link:
    """All white, as a host has left it."""
    driver = Own(
        lambda: Serial("emulator://", timeout=0.01, machine=machine),
        Settings(LEDS, milliamps=8000),
        lambda port: MachineClock(machine),
    )
    driver.open()
    driver.show(WHITE)
    assert driver.link is not None
    assert len(lit(machine)) == LEDS
    return driver.link


@pytest.mark.parametrize(
    "noise",
    [b"\xa7\xe0" + b"\xff" * 114, b"\xa7\xe0" * 50, b"\xa7" * 200, b"M105\n" * 40],
    ids=["never empty", "many beginnings", "only beginnings", "another's words"],
)
def test_dark_in_time_when_the_host_is_gone_whatever_noise_comes(noise: bytes) -> None:
    with Machine(leds=LEDS) as machine:
        shining(machine)
        gone = machine.now + LIMITS["GONE_TICKS"] * LIMITS["TICK_US"] / 1e6 + 0.1
        while machine.now < gone:
            while machine.report().sending < 200:
                machine.send(noise)
            machine.run(0.01)
        assert lit(machine) == set()
        assert machine.report().watchdog_resets == 0


def test_after_noise_the_next_host_is_heard() -> None:
    with Machine(leds=LEDS) as machine:
        link = shining(machine)
        machine.send(b"\xa7\xe0" * 2000)
        machine.run(0.5)
        assert link.greet().leds == LIMITS["LED_CAPACITY"]


def test_the_self_test_walks_every_led_of_the_longest_chain() -> None:
    with Machine(leds=256) as machine:
        machine.press(0, True)
        machine.reset(POWER_ON)
        seen: list[int] = []
        for _ in range(4 * 257):
            machine.run(STEP)
            seen += sorted(lit(machine))
        walked = list(dict.fromkeys(seen))
        assert walked == list(range(256))
        assert seen[-1] == 0  # and begins anew


def test_a_chain_told_to_be_shorter_leaves_nothing_lit_behind_its_end() -> None:
    with Machine(leds=LEDS) as machine:
        link = shining(machine)
        link.request(protocol.SETUP, protocol.setup(100, 160, 2000))
        link.request(protocol.SHOW, bytes((LIMITS["PUT_FILL"], 9, 9, 9)))
        assert lit(machine) == set(range(100))
