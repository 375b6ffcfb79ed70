"""Drivers against real binaries: our controller, an Adalight receiver, and missing ports."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest
import serial

from firmware_bridge.drivers import Adalight, Dark, Own, Settings
from firmware_bridge.errors import (
    FirmwareMismatchError,
    LinkLostError,
    NoAnswerError,
    RefusedError,
    SessionLostError,
)
from firmware_bridge.faults import BadSerial, Cable, MachineClock
from firmware_bridge.levels import draw, shown
from firmware_bridge.link import Link
from firmware_bridge.picture import Picture, dark
from firmware_bridge.protocol import OVERHEAD
from firmware_bridge.protocol_emulator import Serial
from hardware.firmware.machine import BROWN_OUT, Machine

LEDS = 104


@pytest.fixture
def machine() -> Iterator[Machine]:
    with Machine(leds=LEDS) as made:
        yield made


def own(machine: Machine, **settings: int) -> Own:
    return Own(
        lambda: Serial("emulator://", timeout=0.02, machine=machine),
        Settings(LEDS, 255, 8000, **settings),
        lambda port: MachineClock(machine),
    )


def plain(picture: Picture) -> tuple[tuple[int, int, int], ...]:
    return tuple((red, green, blue) for red, green, blue, _ in picture)


SOME: Picture = tuple((n, 2 * n % 256, 1, 0) for n in range(LEDS))


def test_the_board_resets_when_opened_and_is_greeted_after_its_bootloader(machine: Machine) -> None:
    driver = own(machine)
    assert driver.open() == "lights' controller 1.0, started by reset line"
    assert 1.0 < machine.now < 2.0
    driver.show(SOME)
    assert machine.picture() == plain(SOME)


def test_an_unchanged_picture_is_not_sent_again(machine: Machine) -> None:
    driver = own(machine)
    driver.open()
    driver.show(SOME)
    before = driver.counts.bytes_out
    driver.show(SOME)
    assert driver.counts.bytes_out == before


@pytest.mark.parametrize("baud", [115200, 250000, 500000])
def test_a_controller_that_starts_anew_is_told_everything_again(
    machine: Machine, baud: int
) -> None:
    driver = own(machine, baud=baud)
    driver.open()
    driver.show(SOME)
    machine.reset(BROWN_OUT, 0.5)
    one = (*SOME[:5], (9, 9, 9, 0), *SOME[6:])
    driver.show(one)
    assert machine.picture() == plain(one)
    assert driver.greeting is not None
    assert driver.greeting.cause == "brown-out"


def test_idling_keeps_the_lights_on_and_brings_them_back(machine: Machine) -> None:
    driver = own(machine)
    driver.open()
    driver.show(SOME)
    for _ in range(10):
        machine.run(1.0)
        driver.idle()
    assert machine.picture() == plain(SOME)
    machine.run(5.0)
    assert machine.picture() == plain(dark(LEDS))
    driver.idle()
    assert machine.picture() == plain(SOME)


def test_a_board_longer_than_the_controllers_memory_is_refused(machine: Machine) -> None:
    driver = Own(
        lambda: Serial("emulator://", timeout=0.02, machine=machine),
        Settings(300),
        lambda port: MachineClock(machine),
    )
    with pytest.raises(RefusedError, match="300 LEDs, the controller drives 256"):
        driver.open()


def test_a_port_with_something_else_behind_it_says_so() -> None:
    with Machine("adalight-16.hex", LEDS) as machine:
        driver = own(machine)
        with pytest.raises(NoAnswerError, match="arbitre lights flash"):
            driver.open()


def test_a_port_that_is_not_there_is_a_lost_link() -> None:
    driver = Own(lambda: serial.serial_for_url("/dev/no-such-port"), Settings(LEDS))
    with pytest.raises(LinkLostError, match="no-such-port"):
        driver.open()
    with pytest.raises(LinkLostError):
        driver.show(SOME)


def test_a_refusal_is_not_asked_again(machine: Machine) -> None:
    driver = own(machine)
    driver.open()
    assert driver.link is not None
    before = driver.counts.attempts
    with pytest.raises(RefusedError, match="malformed"):
        driver.link.request(0x11, b"\x10")
    with pytest.raises(RefusedError, match="does not know"):
        driver.link.request(0x55)
    assert driver.counts.attempts == before + 2
    machine.run(4.0)
    with pytest.raises(SessionLostError):
        driver.link.request(0x03)


def test_after_a_failure_nothing_is_taken_for_known(machine: Machine) -> None:
    cable = Cable(machine, random.Random(1))
    driver = Own(
        lambda: BadSerial(cable), Settings(LEDS, 255, 8000), lambda _: MachineClock(machine)
    )
    driver.open()
    driver.show(SOME)
    cable.pull(0.5)
    with pytest.raises(LinkLostError, match="cable is out"):
        driver.show(dark(LEDS))
    machine.run(1.0)
    with pytest.raises(LinkLostError, match="not connected"):
        driver.show(SOME)
    driver.open()
    driver.show(SOME)
    assert machine.picture() == plain(SOME)


def test_presses_come_with_every_answer(machine: Machine) -> None:
    driver = own(machine)
    driver.open()
    before = driver.idle()
    machine.press(1, True)
    machine.run(0.1)
    assert driver.idle() == (before[0], before[1] + 1)


@pytest.mark.parametrize("payload", [60, 20])
def test_no_frame_holds_more_than_the_controller_says_it_takes(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, payload: int
) -> None:
    greet = Link.greet
    monkeypatch.setattr(Link, "greet", lambda link: replace(greet(link), payload=payload))
    driver = own(machine)
    if payload < 40:
        with pytest.raises(FirmwareMismatchError, match="arbitre lights flash"):
            driver.open()
        return
    driver.open()
    sent: list[bytes] = []
    write = Serial.write

    def heard(port: Serial, data: bytes) -> int:
        sent.append(bytes(data))
        return write(port, data)

    monkeypatch.setattr(Serial, "write", heard)
    driver.show(SOME)
    assert len(sent) > 1
    assert max(map(len, sent)) <= payload + OVERHEAD
    assert machine.picture() == plain(SOME)


# Adalight


def adalight(machine: Machine, milliamps: int = 8000) -> Adalight:
    return Adalight(
        lambda: Serial("emulator://", 115200, timeout=0.02, machine=machine),
        Settings(LEDS, 200, milliamps),
        lambda port: MachineClock(machine),
    )


def test_adalight_gets_whole_pictures_and_rhythms_from_here() -> None:
    with Machine("adalight-16.hex", LEDS) as machine:
        driver = adalight(machine)
        assert "says nothing about itself" in driver.open()
        machine.run(1.1)
        blinking: Picture = ((200, 0, 0, 1), *SOME[1:])
        driver.show(blinking)
        seen = set()
        for _ in range(60):
            driver.idle()
            machine.run(0.05)
            seen.add(machine.picture()[0])
        assert machine.picture()[1:] == shown(blinking, 200, 8000, 0.0)[1:]
        assert seen == {(157, 0, 0), (0, 0, 0)}
        assert machine.report().overruns == 0


def test_adalight_is_told_again_before_it_goes_back_to_its_own_show() -> None:
    with Machine("adalight-16.hex", LEDS) as machine:
        driver = adalight(machine)
        driver.open()
        machine.run(1.1)
        driver.show(SOME)
        before = machine.report().latches
        for _ in range(50):
            machine.run(0.1)
            driver.idle()
        assert 4 <= machine.report().latches - before <= 6


def test_the_cap_holds_for_adalight_too() -> None:
    white: Picture = ((255, 255, 255, 0),) * LEDS
    assert draw(white, 255, 1000) <= 1000
    with Machine("adalight-16.hex", LEDS) as machine:
        driver = adalight(machine, 1000)
        driver.open()
        machine.run(1.1)
        driver.show(white)
        machine.run(0.1)
        assert 900 < LEDS + sum(map(sum, machine.picture())) * 20 / 255 <= 1000


def test_no_lights_are_fine_too() -> None:
    driver = Dark()
    assert "the page shows them" in driver.open()
    driver.show(SOME)
    assert driver.idle() == (0, 0)
    driver.close()
