"""`arbitre lights`: what it prints, and that bad words get one line and no traceback."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from firmware_bridge.command import lights
from firmware_bridge.flash import command
from hardware import boards
from hardware.firmware.machine import Machine

EMULATED = "emulator://?leds=58"
NANO = ["flash", "--serial", "/dev/ttyUSB3"]


def test_find_lists_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert lights(["find"]) == 0
    assert capsys.readouterr().out


def test_test_walks_the_cells_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["test", "--serial", EMULATED, "--board", "tijou", "--seconds", "0"]
    assert lights(words) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1 + 58
    assert lines[1].split()[:2] == ["LED", "0"]
    assert lights([*words, "1", "17"]) == 0
    assert [line.split()[-1] for line in capsys.readouterr().out.splitlines()[1:]] == ["1", "17"]


def test_stats_say_what_the_controller_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert lights(["stats", "--serial", EMULATED, "--board", "tijou"]) == 0
    printed = capsys.readouterr().out
    assert "requests understood      3" in printed
    assert "most milliamps           8000" in printed


def test_flash_prints_the_exact_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert lights([*NANO, "--dry-run"]) == 0
    words = shlex.split(capsys.readouterr().out)
    assert words[:9] == shlex.split("avrdude -p atmega328p -c arduino -P /dev/ttyUSB3 -b 115200")
    assert words[9:11] == ["-D", "-U"]
    image = Path(words[11].removeprefix("flash:w:").removesuffix(":i"))
    assert image.read_text().startswith(":")
    assert command("p", "f", old_bootloader=True)[8] == "57600"


def test_an_old_bootloader_gets_a_firmware_that_leaves_the_chips_watchdog_asleep(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert lights([*NANO, "--dry-run", "--old-bootloader"]) == 0
    assert "lights-old.hex" in capsys.readouterr().out
    with Machine("lights-old.hex", 58) as machine:
        machine.run(0.1)
        machine.hang()
        machine.run(1.0)
        assert machine.report().watchdog_resets == 0


def test_a_link_that_is_somebody_elses_is_left_alone(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    theirs = tmp_path / "port"
    theirs.symlink_to(tmp_path / "elsewhere")
    assert lights(["emulate", "--board", "tijou", "--link", str(theirs)]) == 2
    assert "File exists" in capsys.readouterr().err
    assert theirs.readlink() == tmp_path / "elsewhere"


def test_flash_shows_its_command_though_nothing_is_plugged_in(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert lights(["flash", "--serial", "usb:dead:beef", "--dry-run"]) == 0
    printed = capsys.readouterr()
    assert "-P PORT" in printed.out
    assert "nothing like usb:dead:beef" in printed.err


@pytest.mark.parametrize("what", ["stats", "test", "emulate"])
def test_a_board_without_lights_is_said(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    whole = boards.board("tijou")
    unlit = replace(whole, cells=tuple(replace(cell, led=None) for cell in whole.cells))
    monkeypatch.setattr("firmware_bridge.command.load", lambda name: unlit)
    assert lights([what, "--board", "tijou"]) == 2
    assert "tijou has no lights" in capsys.readouterr().err


def test_flash_without_avrdude_says_what_to_install(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    lights([*NANO, "--dry-run"])  # built while there is a compiler
    monkeypatch.setenv("PATH", str(tmp_path))
    assert lights(NANO) == 2
    assert "apt-get install" in capsys.readouterr().err


def test_soak_in_small(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["soak", "--updates", "60", "--baud", "250000", "--errors", "0.001", "--json"]
    assert lights(words) == 0
    outcome = json.loads(capsys.readouterr().out)
    assert (outcome["baud"], outcome["updates"]) == (250000, 60)
    assert (outcome["wrong_pictures"], outcome["final_right"]) == (0, True)


# what was typed after `arbitre lights`, and what the answer has to say
BAD_WORDS = {
    "": "WHAT",
    "dance": "dance",
    "test --board nowhere": 'no board "nowhere"',
    "test --serial 'emulator://?leds=58' --board tijou z9": 'cell "z9" is not on tijou',
    "test --brightness 300": "300 is not between 0 and 255",
    "stats --serial none": "only our own controller",
    "stats --serial wled:": "wants a port",
    "stats --serial /dev/no-such-port": "no such port",
    "stats --serial /dev/null": "not a serial port",
    "test --serial wled:/dev --board tijou": "not a serial port",
    "test --serial usb:dead:beef": "arbitre lights find",
    "test --seconds nan": "between 0 and 3600",
    "flash --serial usb:dead:beef": "nothing like usb:dead:beef",
    "flash --serial emulator:// --dry-run": "no port of a board",
    "emulate --board tijou --link /no-such-folder/port": "/no-such-folder",
    "guide --out /proc/guide": "/proc/guide",
    "soak --errors 2": "2 is not between 0 and 0.05",
    "soak --errors 0.3": "0.3 is not between 0 and 0.05",
    "stats --serial socket://nope": "socket://HOST:NUMBER",
    "test --serial wled:/dev/null --baud 250000": "leave --baud out",
    "emulate --link ''": "--link wants a path",
    "emulate --with-parent 99999999999": "is not between",
    "soak --trouble -1": "--trouble",
}


@pytest.mark.parametrize(("words", "said"), BAD_WORDS.items())
def test_bad_words_get_a_line_that_helps(
    capsys: pytest.CaptureFixture[str], words: str, said: str
) -> None:
    assert lights(shlex.split(words)) == 2
    captured = capsys.readouterr()
    assert said in captured.err
    assert captured.err.count("\n") == 1
