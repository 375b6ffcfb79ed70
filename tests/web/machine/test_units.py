"""The files an installation writes: sound, guarded, and saying the same as each other."""

from __future__ import annotations

import configparser
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from xml.etree import ElementTree

from firmware_bridge.known import KNOWN
from web.machine import units
from web.settings import CONFIG, EXAMPLE, read_config

WIFI = units.Wifi("Arbitre", "abcd-efgh-jkmn")


def sections(text: str) -> configparser.ConfigParser:
    found = configparser.ConfigParser(strict=False, interpolation=None)
    found.optionxform = str  # type: ignore[assignment,method-assign]
    found.read_string(text)
    return found


def test_the_service_starts_what_an_installation_puts_there() -> None:
    service = sections(units.service())["Service"]
    words = service["ExecStart"].split()
    assert words[0] == f"{units.PREFIX}/current/.venv/bin/arbitre"
    assert words[1:] == ["play", "--data", units.STATE, "--config", units.CONFIG]
    assert service["User"] == units.USER
    assert service["Restart"] == "always"


def test_the_service_is_guarded_and_verified(tmp_path: Path) -> None:
    """By systemd itself where it is; what it must forbid is asked everywhere."""
    service = sections(units.service())["Service"]
    for name in ("NoNewPrivileges", "ProtectHome", "PrivateTmp", "RestrictNamespaces"):
        assert service[name] == "yes"
    assert service["ProtectSystem"] == "strict"
    assert service["CapabilityBoundingSet"] == "CAP_NET_BIND_SERVICE"
    program = tmp_path / "current" / ".venv" / "bin" / "arbitre"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    unit = tmp_path / "arbitre.service"
    unit.write_text(units.service(str(tmp_path)))
    systemd = shutil.which("systemd-analyze")
    if systemd:
        done = subprocess.run([systemd, "verify", str(unit)], capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")
        words = ["security", "--offline=true", "--threshold=30", "--no-pager", str(unit)]
        done = subprocess.run([systemd, *words], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout[-300:]


def test_every_controller_gets_its_name() -> None:
    rules = [line for line in units.devices().splitlines() if not line.startswith("#")]
    assert len(rules) == len(KNOWN)
    word = r'\w+(\{\w+\})?(==|\+=|=)"[^"]*"'
    for (vendor, product), rule in zip(KNOWN, rules, strict=True):
        assert re.fullmatch(rf"{word}(, {word})*", rule)
        assert f'"{vendor:04x}"' in rule
        assert f'"{product:04x}"' in rule
        assert 'SYMLINK+="arbitre-lights"' in rule


def test_the_table_is_announced_by_its_port() -> None:
    root = ElementTree.fromstring(units.announcement(8080).split("?>", 1)[1].split(">", 1)[1])
    assert root.findtext("service/port") == "8080"
    assert root.findtext("service/type") == "_http._tcp"


def test_the_hotspot_is_the_one_the_page_tells_of() -> None:
    network = sections(units.hotspot(WIFI))
    told = tomllib.loads(units.hotspot_told(WIFI))
    assert network["wifi"]["ssid"] == told["name"] == WIFI.name
    assert network["wifi-security"]["psk"] == told["password"] == WIFI.password
    assert network["connection"]["autoconnect"] == "false"
    assert network["ipv4"]["address1"].startswith(f"{units.GATEWAY}/")
    modes = {path: mode for path, (_, mode) in units.files(WIFI).items()}
    assert [mode for path, mode in modes.items() if "nmconnection" in path] == [0o600]
    assert modes[units.HOTSPOT] == 0o640


def test_the_table_may_switch_off_and_no_more() -> None:
    allowed = re.findall(r'"(org\.[\w.-]+)"', units.rights())
    assert {name.split(".")[2] for name in allowed} <= {"login1", "NetworkManager"}
    assert not any("modify" in name or "manage" in name for name in allowed)
    assert f'"{units.USER}"' in units.rights()


def test_the_installed_settings_are_the_commented_example(tmp_path: Path) -> None:
    text = units.configuration(EXAMPLE, 80, "arbitre.local")
    (tmp_path / CONFIG).write_text(text)
    config = read_config(tmp_path)
    assert (config.port, config.name) == (80, "arbitre.local")
    assert text.count("#") == EXAMPLE.count("#")
