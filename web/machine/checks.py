"""The table's parts, one look each: camera, lights, power, disk, clock, network, versions."""

from __future__ import annotations

import grp
import os
import platform
import shutil
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from firmware_bridge import ports
from firmware_bridge.known import KNOWN
from vision.cameras import CameraError, pi, usb
from web.machine.computer import Computer
from web.machine.findings import Check, Finding, bad, good, note
from web.machine.network import addresses
from web.machine.units import CONNECTION, LIGHTS
from web.settings import Config

LITTLE, SCARCE = 1_000_000_000, 200_000_000  # bytes left on the disk
HOT, WARM = 80.0, 70.0
OLDEST = datetime(2025, 1, 1, tzinfo=UTC)  # a clock before this was never set
GRAVE = {0: "now-volts", 1: "now-slow", 2: "now-throttled", 3: "now-hot"}
PAST = {16: "was-volts", 17: "was-slow", 18: "was-throttled", 19: "was-hot"}
PACKAGES = ("numpy", "opencv-python-headless", "Flask", "waitress", "pyserial")


def system(computer: Computer, config: Config) -> Finding:
    """Which computer, which system; a 32-bit one has no OpenCV."""
    lines = computer.text("/etc/os-release").splitlines()
    told = dict(line.split("=", 1) for line in lines if "=" in line)
    name = told.get("PRETTY_NAME", "?").strip('"')
    model = computer.text("/proc/device-tree/model") or platform.machine()
    facts = {"name": name, "model": model}
    if "Raspberry Pi" in model and platform.architecture()[0] != "64bit":
        return bad("system", "bits", "bits", **facts)
    return good("system", "there", **facts)


def camera(computer: Computer, config: Config) -> Finding:
    """A camera the system knows, whether the settings ask for it or not."""
    if config.camera == "none":
        return note("camera", "off", "camera-on")
    if not computer.here:
        nodes = sorted(computer.file("/dev").glob("video[0-9]*"))
        return good("camera", "nodes", count=len(nodes)) if nodes else _no_camera(computer)
    others = usb.listed()
    try:
        found = pi.listed()
    except CameraError as error:
        found = []
        if "Raspberry Pi" in computer.text("/proc/device-tree/model") and not others:
            return bad("camera", "library", "camera-library", why=str(error))
    if found:
        return good("camera", "pi", name=str(found[0].get("Model", "pi")))
    if others:
        number, name = others[0]
        return good("camera", "usb", name=name, source=f"usb:{number}")
    return _no_camera(computer)


def _no_camera(computer: Computer) -> Finding:
    of_pi = "Raspberry Pi" in computer.text("/proc/device-tree/model")
    return bad("camera", "none", "camera-cable" if of_pi else "camera-plug")


def lights(computer: Computer, config: Config) -> Finding:
    """A controller, the right to talk to it, and nobody else who does."""
    if config.serial == "none":
        return note("lights", "off", "lights-on")
    if computer.there("/usr/bin/brltty") and not likely(computer):
        return bad("lights", "brltty", "brltty")
    found = likely(computer)
    if not found:
        return bad("lights", "none", "lights-cable")
    path = found[0]
    if computer.here and not os.access(path, os.R_OK | os.W_OK):
        return bad("lights", "denied", "dialout", path=path)
    if not computer.there("/etc/udev/rules.d/70-arbitre.rules"):
        return good("lights", "there", path=path)
    return good("lights", "named", path=path, name=f"/dev/{LIGHTS}")


def likely(computer: Computer) -> list[str]:
    """The ports that look like a controller."""
    if computer.here:
        return [port.path for port in ports.found() if port.likely]
    found = []
    for port in sorted(computer.file("/sys/class/tty").glob("tty[UA]*")):
        for folder in ((port / "device").resolve(), *(port / "device").resolve().parents[:4]):
            if (_hex(folder / "idVendor"), _hex(folder / "idProduct")) in KNOWN:
                found.append(f"/dev/{port.name}")
                break
    return found


def _hex(path: Path) -> int:
    try:
        return int(path.read_text(encoding="ascii"), 16)
    except (OSError, ValueError):
        return -1


def power(computer: Computer, config: Config) -> Finding:
    """What the Pi's firmware says of its supply and its warmth."""
    told = computer.ask("vcgencmd", "get_throttled")
    degrees = _number(computer.text("/sys/class/thermal/thermal_zone0/temp")) / 1000
    if told is None:
        if degrees >= HOT:
            return bad("power", "now-hot", "cool", degrees=round(degrees))
        return note("power", "unknown")
    try:
        bits = int(told.rpartition("=")[2], 16)
    except ValueError:
        return note("power", "unknown")
    for names, grade in ((GRAVE, bad), (PAST, note)):
        for bit, word in names.items():
            if bits >> bit & 1:
                do = "supply" if word.endswith("volts") else "cool"
                return grade("power", word, do, degrees=round(degrees))
    return good("power", "well", degrees=round(degrees))


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


def disk(computer: Computer, config: Config) -> Finding:
    """Room for the journal, on a disk that can be written."""
    folder = next((one for one in (config.data, *config.data.parents) if one.is_dir()), Path("/"))
    try:
        free = shutil.disk_usage(folder).free
    except OSError as error:
        return bad("disk", "broken", "card", why=error.strerror or "")
    if not os.access(folder, os.W_OK):
        return bad("disk", "read-only", "card", path=str(folder))
    size = f"{free / 1e9:.1f}"
    if free < SCARCE:
        return bad("disk", "full", "room", size=size)
    if free < LITTLE:
        return note("disk", "little", "room", size=size)
    return good("disk", "room", size=size)


def journal(computer: Computer, config: Config) -> Finding:
    """Whether the evenings that were kept can be read."""
    path = config.data / "journal.sqlite"
    if not path.exists():
        return note("journal", "none")
    size = f"{path.stat().st_size / 1e6:.1f}"
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=2.0)) as lines:
            told = lines.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.Error as error:
        return bad("journal", "broken", "journal", why=str(error))
    if told != "ok":
        return bad("journal", "broken", "journal", why=str(told))
    return good("journal", "well", size=size)


def clock(computer: Computer, config: Config) -> Finding:
    """The time of day: a Pi has no clock of its own while it is off."""
    now = datetime.now(UTC)
    shown = now.strftime("%Y-%m-%d %H:%M UTC")
    if now < OLDEST:
        return bad("clock", "wrong", "clock", now=shown)
    synchronised = computer.there("/run/systemd/timesync/synchronized")
    told = computer.ask("timedatectl", "show", "-p", "NTPSynchronized", "--value")
    if synchronised or told == "yes":
        return good("clock", "set", now=shown)
    return note("clock", "unsure", "clock", now=shown)


def network(computer: Computer, config: Config) -> Finding:
    """A number phones can reach; or the table's own network."""
    numbers = addresses() if computer.here else _told_addresses(computer)
    own = computer.ask("nmcli", "-t", "-f", "NAME", "connection", "show", "--active") or ""
    if CONNECTION in own.splitlines():
        return good("network", "own", numbers=", ".join(numbers.values()))
    if numbers:
        return good("network", "there", numbers=", ".join(numbers.values()), port=config.port)
    return bad("network", "none", "hotspot")


def _told_addresses(computer: Computer) -> dict[str, str]:
    told = computer.ask("hostname", "-I") or ""
    return {str(n): number for n, number in enumerate(told.split())}


def service(computer: Computer, config: Config) -> Finding:
    """Whether it starts with the computer."""
    if not computer.there("/etc/systemd/system/arbitre.service"):
        return note("service", "none", "install")
    told = computer.ask("systemctl", "show", "-p", "NRestarts", "--value", "arbitre") or "0"
    if computer.ask("systemctl", "is-active", "arbitre") is None:
        return bad("service", "stopped", "journalctl")
    if told.isdigit() and int(told) > 3:
        return note("service", "restless", "journalctl", times=int(told))
    return good("service", "runs")


def users(computer: Computer, config: Config) -> Finding:
    """Whether this user may use cameras and serial ports."""
    if os.geteuid() == 0:
        return good("users", "root")
    names = set(_names(os.getgroups()))
    missing = [group for group in ("video", "dialout") if group not in names]
    if missing:
        return note("users", "missing", "groups", groups=" ".join(missing))
    return good("users", "well")


def _names(numbers: Iterable[int]) -> Iterable[str]:
    for number in numbers:
        try:
            yield grp.getgrgid(number).gr_name
        except KeyError:
            continue  # a group without a name


def versions(computer: Computer, config: Config) -> Finding:
    """What runs here, for whoever is asked for help."""
    found = [f"arbitre {installed('arbitre')}", f"Python {platform.python_version()}"]
    found += [f"{name} {installed(name)}" for name in PACKAGES]
    return good("versions", "are", names=", ".join(found))


def installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "?"


CHECKS: tuple[Check, ...] = (
    *(system, camera, lights, users, power, disk, journal, clock, network, service, versions),
)


def look(computer: Computer, config: Config) -> tuple[Finding, ...]:
    """Everything at once, each part by itself."""
    return tuple(check(computer, config) for check in CHECKS)
