"""Ports are found by what they are, and found again under another name."""

from __future__ import annotations

import pytest

from firmware_bridge.drivers import Adalight, Dark, Own, Settings
from firmware_bridge.errors import LinkLostError
from firmware_bridge.ports import Found, Place, PortError, driver

CH340 = Found("/dev/ttyUSB0", "usb:1a86:7523", "CH340")
FTDI = Found("/dev/ttyUSB1", "usb:0403:6001:A50285BI", "FTDI FT232")
MODEM = Found("/dev/ttyACM0", "usb:12d1:1001", "a telephone")


def place(name: str, *ports: Found) -> tuple[Place, list[Found]]:
    there = list(ports)
    return Place(name, lambda: tuple(there)), there


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("auto", "/dev/ttyUSB0"),
        ("usb:0403:6001", "/dev/ttyUSB1"),
        ("usb:0403:6001:A50285BI", "/dev/ttyUSB1"),
        ("/dev/ttyACM0", "/dev/ttyACM0"),
        ("/dev/ttyS0", "/dev/ttyS0"),
        ("emulator://?leds=58", "emulator://?leds=58"),
    ],
)
def test_a_place_is_named_by_kind_by_identity_or_by_path(name: str, path: str) -> None:
    assert place(name, CH340, FTDI, MODEM)[0].path() == path


@pytest.mark.parametrize("name", ["auto", "/dev/ttyUSB0", "usb:1a86:7523"])
def test_a_board_plugged_in_again_is_known_under_its_new_name(name: str) -> None:
    where, there = place(name, CH340)
    assert where.path() == "/dev/ttyUSB0"
    there[:] = [FTDI, Found("/dev/ttyUSB7", CH340.identity, "CH340")]
    assert where.path() == "/dev/ttyUSB7"


def test_of_two_that_look_alike_the_one_that_was_named_or_used_is_opened_again() -> None:
    twin = Found("/dev/ttyUSB1", CH340.identity, "CH340")
    where, _ = place(twin.path, CH340, twin)
    assert [where.path(), where.path()] == [twin.path] * 2
    for name in ("auto", CH340.identity):
        where, there = place(name, twin)
        assert where.path() == twin.path
        there[:] = [CH340, twin]
        assert where.path() == twin.path


def test_where_only_one_may_be_meant_two_are_named() -> None:
    twin = Found("/dev/ttyUSB1", CH340.identity, "CH340")
    for name in ("auto", CH340.identity):
        with pytest.raises(PortError, match="ttyUSB0, /dev/ttyUSB1 could be meant"):
            place(name, CH340, twin)[0].only()
        assert place(name, CH340, MODEM)[0].only() == CH340.path
    assert place(twin.path, CH340, twin)[0].only() == twin.path


@pytest.mark.parametrize("name", ["auto", "usb:1a86:7523"])
def test_nothing_plugged_in_is_said(name: str) -> None:
    with pytest.raises(LinkLostError, match="plugged in"):
        place(name, MODEM)[0].path()


def test_drivers_by_name() -> None:
    settings = Settings(58)
    assert isinstance(driver("none", settings), Dark)
    assert isinstance(driver("auto", settings), Own)
    assert isinstance(driver("wled:/dev/ttyUSB0", settings), Adalight)
    with pytest.raises(PortError, match="wants a port"):
        driver("wled:", settings)


def test_an_emulated_port_is_opened_by_its_address_like_any_other() -> None:
    lights = driver("emulator://?leds=58", Settings(58))
    assert lights.open().startswith("lights' controller 1.0")
    lights.show(((1, 2, 3, 0),) * 58)
    lights.close()


@pytest.mark.parametrize("name", ["emulator://?leds=many", "emulator://?firmware=none"])
def test_an_emulated_port_that_cannot_be_is_told(name: str) -> None:
    with pytest.raises(LinkLostError, match="no emulated lights"):
        driver(name, Settings(58)).open()
