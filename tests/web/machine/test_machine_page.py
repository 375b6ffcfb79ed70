"""The computer on the host's page: how it is; its levers only where it was installed."""

from __future__ import annotations

import io
import time
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.web.conftest import Phone
from web.api import machine
from web.machine.computer import Computer
from web.machine.levers import SERVICE, Levers
from web.machine.units import HOTSPOT, Wifi, hotspot_told
from web.reception import Reception


@pytest.fixture
def installed(tmp_path: Path, rooms: Reception, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed table whose system is a folder with two small programs; what they were told."""
    root, told = tmp_path / "root", tmp_path / "told"
    settings = root / HOTSPOT.lstrip("/")
    settings.parent.mkdir(parents=True)
    settings.write_text(hotspot_told(Wifi("Arbitre", "abcd-efgh")))
    (root / "usr" / "bin").mkdir(parents=True)
    for name in ("nmcli", "systemctl"):
        program = root / "usr" / "bin" / name
        program.write_text(f'#!/bin/sh\necho "{name} $*" >> {told}\n')
        program.chmod(0o755)
    monkeypatch.setenv(SERVICE, "1")
    rooms.computer = Computer(root)
    return told


def test_only_the_host_sees_the_machine(phone: Callable[[], Phone], host: Phone) -> None:
    assert phone().get("/api/host/machine").status_code == 403
    found = host.get("/api/host/machine").get_json()
    assert {one["part"] for one in found["findings"]} >= {"camera", "lights", "power", "network"}
    assert found["wifi"] is None
    assert found["power"] is False


def test_what_a_virtual_table_stands_in_for_is_no_fault(
    host: Phone, rooms: Reception, tmp_path: Path
) -> None:
    rooms.computer = Computer(tmp_path)
    rooms.config = replace(rooms.config, camera="auto", serial="auto")
    for rooms.virtual, grade, word in ((False, "bad", "none"), (True, "note", "virtual")):
        found = host.get("/api/host/machine").get_json()["findings"]
        seen = {one["part"]: one for one in found}
        for part in ("camera", "lights"):
            assert (seen[part]["grade"], seen[part]["word"]) == (grade, word)


def test_a_table_started_by_hand_switches_nothing_off(host: Phone) -> None:
    assert host.post("/api/host/power", restart=False).status_code == 404
    assert host.post("/api/host/hotspot", on=True).status_code == 404
    assert host.get("/api/host/wifi.svg").status_code == 404


def test_an_installed_table_opens_its_own_network(host: Phone, installed: Path) -> None:
    wifi = host.get("/api/host/machine").get_json()["wifi"]
    assert (wifi["name"], wifi["password"], wifi["on"]) == ("Arbitre", "abcd-efgh", False)
    assert host.get(wifi["qr"]).text.startswith("<svg")
    assert host.post("/api/host/hotspot", on=True).status_code == 200
    assert "connection up arbitre-hotspot" in installed.read_text()


def test_its_own_network_is_opened_again_after_the_power_was_cut(
    host: Phone, installed: Path, rooms: Reception
) -> None:
    levers = Levers(rooms.computer)
    levers.resume()
    assert "connection up" not in (installed.read_text() if installed.exists() else "")
    host.post("/api/host/hotspot", on=True)
    installed.write_text("")
    levers.resume()
    assert "connection up arbitre-hotspot" in installed.read_text()
    host.post("/api/host/hotspot", on=False)
    installed.write_text("")
    levers.resume()
    assert "connection up" not in installed.read_text()


def test_an_installed_table_is_switched_off_after_it_has_answered(
    host: Phone, installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine, "SOON", 0.01)
    assert host.post("/api/host/power", restart=False).status_code == 200
    end = time.monotonic() + 10.0
    while not installed.exists() and time.monotonic() < end:
        time.sleep(0.02)
    assert "systemctl --no-wall poweroff" in installed.read_text()


def test_a_system_that_says_no_is_told(host: Phone, installed: Path) -> None:
    program = installed.parent / "root" / "usr" / "bin" / "nmcli"
    program.write_text("#!/bin/sh\necho no radio here >&2\nexit 4\n")
    answer = host.post("/api/host/hotspot", on=True)
    assert answer.status_code == 503
    assert "no radio here" in answer.get_json()["error"]


def test_the_archive_comes_from_the_page_too(host: Phone) -> None:
    answer = host.get("/api/host/diagnostics")
    assert answer.mimetype == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.data)) as packed:
        assert "doctor.json" in packed.namelist()
