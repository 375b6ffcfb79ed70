"""The lights' own thread: newest picture wins, nobody waits, a lost cable comes back by itself."""

from __future__ import annotations

import errno
import random
import termios
import threading
import time
from collections.abc import Callable
from contextlib import suppress

import pytest

from firmware_bridge.bridge import NEVER_MIND, Bridge, Keeper
from firmware_bridge.drivers import Own, Settings
from firmware_bridge.errors import FirmwareMismatchError, LinkLostError
from firmware_bridge.faults import BadSerial, Cable, MachineClock
from firmware_bridge.picture import Picture, dark
from firmware_bridge.protocol_emulator import Serial
from hardware.firmware.machine import WATCHDOG, Machine

LEDS = 58


def one(n: int) -> Picture:
    return ((n, 0, 0, 0),) * LEDS


def wait_for(what: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not what():
        assert time.monotonic() < end
        time.sleep(0.005)


class Stuck:
    """A driver at a cable that hangs until released."""

    pace = 0.01

    def __init__(self) -> None:
        self.entered, self.free = threading.Event(), threading.Event()
        self.seen: list[Picture] = []

    def open(self) -> str:
        return "stuck"

    def show(self, picture: Picture) -> None:
        self.entered.set()
        self.free.wait(20)
        self.seen.append(picture)

    def idle(self) -> tuple[int, int]:
        return (0, 0)

    def close(self) -> None: ...


def test_a_stuck_cable_holds_nobody_up_and_only_the_newest_picture_follows() -> None:
    driver = Stuck()
    bridge = Bridge(driver, one(1)).start()
    assert driver.entered.wait(20)
    begun = time.perf_counter()
    for n in range(2, 200):
        bridge.want(one(n))
        assert bridge.status.connected
    assert time.perf_counter() - begun < 1.0
    driver.free.set()
    wait_for(lambda: len(driver.seen) == 2)
    assert driver.seen == [one(1), one(199)]
    bridge.stop()


def test_stopping_does_not_wait_for_a_stuck_cable() -> None:
    driver = Stuck()
    bridge = Bridge(driver, one(1)).start()
    assert driver.entered.wait(20)
    begun = time.monotonic()
    bridge.stop(patience=0.05)
    assert time.monotonic() - begun < 5
    driver.free.set()


class Broken(Stuck):
    opened = closed = 0

    def open(self) -> str:
        self.opened += 1
        return "broken"

    def close(self) -> None:
        self.closed += 1

    def show(self, picture: Picture) -> None:
        raise RuntimeError("a mistake in the driver")


def test_a_mistake_in_a_driver_costs_lights_not_the_game() -> None:
    bridge = Bridge(Broken(), one(1)).start()
    wait_for(lambda: bridge.status.problem == "the lights' driver failed")
    bridge.want(one(2))
    bridge.stop()


def test_a_driver_with_a_mistake_is_closed_before_it_is_opened_again() -> None:
    driver, clock = Broken(), Hours()
    keeper = Keeper(driver, clock)
    for _ in range(600):
        with suppress(RuntimeError):
            keeper.step(dark(LEDS))
        clock.sleep(0.1)
    assert driver.opened == driver.closed <= 120
    assert keeper.status.problem == "the lights' driver failed"


def test_a_port_that_vanishes_is_a_lost_link(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(self: object) -> None:
        raise termios.error(errno.EIO, "Input/output error")

    monkeypatch.setattr(Serial, "reset_input_buffer", gone)
    with Machine(leds=LEDS) as machine:
        port = Serial("emulator://", timeout=0.02, machine=machine)
        driver = Own(lambda: port, Settings(LEDS), lambda _: MachineClock(machine))
        with pytest.raises(LinkLostError, match="cannot do 115200 baud"):
            driver.open()


def test_a_pulled_cable_is_said_and_comes_back_with_the_newest_picture() -> None:
    with Machine(leds=LEDS) as machine:
        clock, cable = MachineClock(machine), Cable(machine, random.Random(1))
        driver = Own(lambda: BadSerial(cable), Settings(LEDS, 255), lambda port: clock)
        keeper = Keeper(driver, clock)
        assert keeper.step(one(1))
        cable.pull(3.0)
        assert not keeper.step(one(2))
        assert not keeper.status.connected
        assert "cable is out" in keeper.status.problem
        for _ in range(100):
            clock.sleep(0.1)
            if keeper.step(one(3)):
                break
        assert machine.picture() == ((3, 0, 0),) * LEDS
        assert keeper.status.connections == 2
        assert keeper.status.problem == ""


class Old(Stuck):
    def __init__(self) -> None:
        super().__init__()
        self.opened = 0

    def open(self) -> str:
        self.opened += 1
        raise FirmwareMismatchError("the controller is too old; renew it")


class Away(Old):
    def open(self) -> str:
        self.opened += 1
        raise LinkLostError("nothing is plugged in")


class Hours:
    def __init__(self) -> None:
        self.time = 0.0

    def now(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        self.time += seconds


def attempts(driver: Old, seconds: int) -> int:
    clock = Hours()
    keeper = Keeper(driver, clock)
    for _ in range(seconds * 10):
        assert not keeper.step(dark(LEDS))
        clock.sleep(0.1)
    return driver.opened


def test_attempts_to_connect_grow_rare_and_where_only_people_can_help_rarer() -> None:
    assert 10 <= attempts(Away(), 60) <= 16
    assert attempts(Old(), 60) == 60 // NEVER_MIND


def press(machine: Machine, *buttons: int) -> None:
    for button in buttons:
        machine.press(button, True)
        machine.run(0.1)
        machine.press(button, False)
        machine.run(0.1)


def test_presses_reach_whoever_listens_each_once() -> None:
    presses: list[int] = []
    with Machine(leds=LEDS) as machine:
        clock = MachineClock(machine)
        cable = Cable(machine, random.Random(1))
        driver = Own(lambda: BadSerial(cable), Settings(LEDS), lambda port: clock)
        keeper = Keeper(driver, clock, presses.append)
        for _ in range(2):
            keeper.step(one(1))
        press(machine, 0, 0, 1)
        keeper.step(one(1))
        keeper.step(one(1))
        assert presses == [0, 0, 1]
        for n in range(2, 6):  # noticed while a picture is told, or while nothing changes
            machine.reset(WATCHDOG)
            clock.sleep(0.2)
            keeper.step(one(n // 2))
            keeper.step(one(n // 2))
        assert presses == [0, 0, 1]  # a count that begins anew is no press
        press(machine, 1)
        keeper.step(one(2))
    assert presses == [0, 0, 1, 1]
