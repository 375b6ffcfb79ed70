"""The emulated controller on a pseudo-terminal, in real time, spoken to by plain pyserial."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from firmware_bridge.desk import Emulated
from firmware_bridge.drivers import Own, Settings
from firmware_bridge.errors import LightsError
from firmware_bridge.ports import driver

LEDS = 58


@pytest.fixture
def emulated() -> Iterator[Emulated]:
    made = Emulated.start("tijou")
    yield made
    made.stop()


@pytest.mark.parametrize("baud", [115200, 250000])
def test_any_serial_program_finds_a_controller_there(emulated: Emulated, baud: int) -> None:
    lights = driver(emulated.path, Settings(LEDS, 255, 2000, baud))
    assert isinstance(lights, Own)
    assert lights.open().startswith("lights' controller 1.0")
    for n in range(20):
        lights.show(((n + 1, 0, 0, 3),) * LEDS)
    lights.idle()
    assert lights.link is not None
    stats = lights.link.stats()
    assert stats.shown >= 20
    assert stats.overrun == stats.framing == 0
    lights.close()


def test_an_emulator_that_died_is_a_lost_link(emulated: Emulated) -> None:
    lights = driver(emulated.path, Settings(LEDS))
    lights.open()
    emulated.process.kill()
    emulated.process.wait(10)
    with pytest.raises(LightsError):
        lights.show(((1, 0, 0, 0),) * LEDS)
    lights.close()


def alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_no_emulator_outlives_the_table_that_started_it() -> None:
    program = (
        "import os, signal\n"
        "from firmware_bridge.desk import Emulated\n"
        "print(Emulated.start('tijou').process.pid, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    words = [sys.executable, "-c", program]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    child = int(done.stdout)
    end = time.monotonic() + 20
    while alive(child):
        assert time.monotonic() < end
        time.sleep(0.02)


def test_an_emulator_outlives_the_thread_that_started_it() -> None:
    started: list[Emulated] = []
    thread = threading.Thread(target=lambda: started.append(Emulated.start("tijou")))
    thread.start()
    thread.join()
    (emulated,) = started
    lights = driver(emulated.path, Settings(LEDS))
    assert lights.open().startswith("lights' controller")
    lights.close()
    assert emulated.process.poll() is None
    emulated.stop()


def test_a_board_that_does_not_exist_is_told() -> None:
    with pytest.raises(LightsError, match='no board "nowhere"'):
        Emulated.start("nowhere")


def test_emulating_makes_and_removes_a_link(tmp_path: object) -> None:
    link = os.path.join(str(tmp_path), "lights")
    words = [sys.executable, "-m", "web.command", "lights", "emulate", "--link", link]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    path = process.stdout.readline().strip()
    assert os.readlink(link) == path
    process.terminate()
    assert process.wait(20) == 0
    process.stdout.close()
    assert not os.path.lexists(link)
