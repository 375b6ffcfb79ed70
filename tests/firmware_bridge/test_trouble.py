"""A port that cannot be opened: why, and what to do about it."""

from __future__ import annotations

import os
import pty
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial

from firmware_bridge.drivers import Settings
from firmware_bridge.errors import LightsError
from firmware_bridge.ports import Place, driver
from firmware_bridge.trouble import port_trouble


@pytest.fixture
def line() -> Iterator[str]:
    """A real pseudo-terminal."""
    master, slave = pty.openpty()
    yield os.ttyname(slave)
    os.close(master)
    os.close(slave)


def test_a_port_somebody_else_has_is_busy(line: str) -> None:
    with (
        serial.Serial(line, exclusive=True),
        pytest.raises(LightsError, match="another program uses it") as caught,
    ):
        Place(line).open()
    assert caught.value.word == "port-busy"


def test_what_is_no_port_is_told_apart(tmp_path: Path) -> None:
    paper = tmp_path / "paper"
    paper.write_text("no port")
    for path, word in ((paper, "port-not-serial"), (tmp_path / "none", "port-missing")):
        for kind in ("", "wled:"):
            with pytest.raises(LightsError, match=str(path)) as caught:
                driver(f"{kind}{path}", Settings(58)).open()
            assert caught.value.word == word


def test_who_may_not_is_told_about_the_group() -> None:
    denied = serial.SerialException(13, "could not open port")
    trouble = port_trouble("/dev/ttyUSB0", denied)
    assert trouble.word == "port-denied"
    assert "usermod -aG dialout" in str(trouble)


def test_anything_else_is_told_as_it_came() -> None:
    assert "odd" in str(port_trouble("/dev/ttyUSB0", ValueError("odd")))
