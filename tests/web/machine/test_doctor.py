"""The doctor looks at a computer made of real files and programs in a folder."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from web.machine.checks import CHECKS, clock, disk, journal, lights, look, network, power, service
from web.machine.computer import Computer
from web.machine.doctor import doctor
from web.settings import Config
from web.texts import Texts, sentences

PI = "Raspberry Pi 4 Model B Rev 1.4\0"


@pytest.fixture
def computer(tmp_path: Path) -> Computer:
    for path, text in {
        "etc/os-release": 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n',
        "proc/device-tree/model": PI,
        "sys/class/thermal/thermal_zone0/temp": "48312\n",
        "dev/video0": "",
    }.items():
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return Computer(tmp_path)


@pytest.fixture
def config(tmp_path: Path) -> Config:
    data = tmp_path / "var" / "lib" / "arbitre"
    data.mkdir(parents=True)
    return Config(data)


def program(computer: Computer, name: str, script: str) -> None:
    """A real program below that computer's root."""
    file = computer.file(f"/usr/bin/{name}")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)


def controller(computer: Computer, vendor: str, product: str) -> None:
    """As the kernel shows a USB serial port."""
    device = computer.file("/sys/devices/usb1/1-1")
    port = device / "1-1:1.0" / "ttyUSB0"
    port.mkdir(parents=True)
    (device / "idVendor").write_text(f"{vendor}\n")
    (device / "idProduct").write_text(f"{product}\n")
    tty = computer.file("/sys/class/tty/ttyUSB0")
    tty.mkdir(parents=True)
    (tty / "device").symlink_to(port)


def test_every_part_is_looked_at_and_told_in_both_languages(
    computer: Computer, config: Config
) -> None:
    found = look(computer, config)
    assert len(found) == len(CHECKS)
    for language in ("fr", "en"):
        texts = Texts(language)
        for one in found:
            assert texts.say(f"doctor.part.{one.part}")
            assert one.told(texts)
            assert one.grade != "bad" or one.advice(texts)


@pytest.mark.parametrize(
    ("bits", "grade", "word"),
    [
        ("0x0", "good", "well"),
        ("0x50005", "bad", "now-volts"),
        ("0x50000", "note", "was-volts"),
        ("0x8", "bad", "now-hot"),
        ("0x80000", "note", "was-hot"),
        ("0x4", "bad", "now-throttled"),
        ("what", "note", "unknown"),
    ],
)
def test_the_supply_is_read_from_the_firmware(
    computer: Computer, config: Config, bits: str, grade: str, word: str
) -> None:
    assert power(computer, config).word == "unknown"
    program(computer, "vcgencmd", f'[ "$1" = get_throttled ] && echo throttled={bits}')
    found = power(computer, config)
    assert (found.grade, found.word) == (grade, word)
    if word == "well":
        assert "48 °C" in found.told(Texts("fr"))


def test_a_controller_is_known_by_its_usb_side(computer: Computer, config: Config) -> None:
    assert lights(computer, config).word == "none"
    controller(computer, "1a86", "7523")
    assert lights(computer, config).facts["path"] == "/dev/ttyUSB0"
    rules = computer.file("/etc/udev/rules.d/70-arbitre.rules")
    rules.parent.mkdir(parents=True)
    rules.touch()
    assert lights(computer, config).word == "named"
    assert lights(computer, Config(config.data, serial="none")).grade == "note"


def test_another_usb_device_is_no_controller(computer: Computer, config: Config) -> None:
    controller(computer, "046d", "c52b")
    assert lights(computer, config).word == "none"
    program(computer, "brltty", "exit 0")
    found = lights(computer, config)
    assert found.word == "brltty"
    assert "brltty" in found.advice(Texts("fr"))


def test_a_damaged_journal_is_noticed(computer: Computer, config: Config) -> None:
    assert journal(computer, config).word == "none"
    path = config.data / "journal.sqlite"
    with sqlite3.connect(path) as lines:
        lines.execute("CREATE TABLE events (text)")
    lines.close()
    assert journal(computer, config).word == "well"
    path.write_bytes(b"SQLite format 3\0" + b"x" * 4000)
    assert journal(computer, config).grade == "bad"


def test_the_clock_network_service_and_disk(computer: Computer, config: Config) -> None:
    assert clock(computer, config).word == "unsure"
    program(computer, "timedatectl", "echo yes")
    assert clock(computer, config).word == "set"
    assert network(computer, config).word == "none"
    program(computer, "hostname", "echo 192.168.1.20 10.42.0.1")
    assert "192.168.1.20" in network(computer, config).told(Texts("en"))
    program(computer, "nmcli", "echo arbitre-hotspot")
    assert network(computer, config).word == "own"
    assert service(computer, config).word == "none"
    unit = computer.file("/etc/systemd/system/arbitre.service")
    unit.parent.mkdir(parents=True)
    unit.touch()
    assert service(computer, config).word == "stopped"
    program(computer, "systemctl", '[ "$1" = show ] && echo 9; exit 0')
    assert service(computer, config).word == "restless"
    assert disk(computer, config).part == "disk"


def test_the_command_tells_and_its_status_says_whether_something_is_wrong(
    computer: Computer, config: Config, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--root", str(computer.root), "--lang", "fr"]
    assert doctor(words) == 1
    told = capsys.readouterr().out
    assert "✗ Lumières" in told
    assert "→ Branchez" in told
    assert doctor([*words, "--json"]) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["part"] for one in lines] == [one.part for one in look(computer, config)]
    assert doctor(["--config", "/no/such.toml"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_every_piece_of_advice_is_given_somewhere() -> None:
    said = {key.removeprefix("doctor.do.") for key in sentences("fr") if "doctor.do." in key}
    package = Path(__file__).parents[3] / "web" / "machine" / "checks.py"
    text = package.read_text("utf-8")
    assert {word for word in said if f'"{word}"' not in text} == set()
