"""`make install`, `make update`, `make rollback`: this computer becomes a table, and stays one."""

from __future__ import annotations

import os
import platform
import secrets
import shutil
import subprocess
import sys
import time
import tomllib
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path

from hardware.parser import Parser
from web.machine import units
from web.machine.computer import Computer
from web.machine.releases import ReleaseError, Releases, furnish

SOURCE = Path(__file__).resolve().parents[2]
ALIKE = "abcdefghjkmnpqrstuvwxyz23456789"  # nothing one would mistake for another
ANSWERS_WITHIN = 60.0
SYSTEMS = ("bookworm", "trixie")
NAMELESS = ("raspberrypi", "localhost", "")  # as a new system is called


class InstallError(Exception):
    """What stands in the way, and what to do about it."""


def parser() -> Parser:
    words = Parser(
        prog="make install",
        description="Makes this computer a table: a service that starts with it, a name in the "
        "network, a network of its own. `update` renews it, `rollback` goes back.",
    )
    words.add_argument("what", choices=("install", "update", "rollback"))
    words.add_argument("--root", type=Path, default=Path("/"), help="of another system's files")
    words.add_argument("--anyway", action="store_true", help="also where it was never tried")
    words.add_argument("--name", default="arbitre", help="of the computer in the network")
    return words


def install(argv: Sequence[str]) -> int:
    words = parser().parse_args(list(argv))
    computer = Computer(words.root.absolute())
    try:
        if computer.here and os.geteuid():
            raise InstallError("needs root: sudo make install")
        if words.what == "rollback":
            go_back(computer)
            return 0
        if not words.anyway:
            check(computer)
        if words.what == "install":
            write_files(computer, words.name)
            settle(computer, words.name)
        renew(computer, SOURCE)
    except (InstallError, ReleaseError) as error:
        print(f"make {words.what}: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"make {words.what}: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    return 0


def say(text: str) -> None:
    print(text, flush=True)


def check(computer: Computer) -> None:
    """Only where it was meant for: a Debian of 64 bits with systemd."""
    told = dict(
        line.split("=", 1) for line in computer.text("/etc/os-release").splitlines() if "=" in line
    )
    name = told.get("VERSION_CODENAME", "").strip('"')
    if name not in SYSTEMS:
        raise InstallError(
            f"this system is {name or 'unknown'}, not {' or '.join(SYSTEMS)}; "
            "`make play` runs anywhere, and `make install ANYWAY=1` tries it all the same"
        )
    if computer.here and platform.machine() not in ("aarch64", "x86_64"):
        raise InstallError(
            "this system has 32 bits, for which there is no OpenCV: write the 64-bit Raspberry Pi "
            "OS onto the card"
        )


def called(computer: Computer, name: str) -> str:
    """What the computer is called, or will be: a name that somebody gave it is kept."""
    told = computer.text("/etc/hostname")
    return name if told in NAMELESS else told


def write_files(computer: Computer, name: str) -> None:
    """All but the configuration anew; passwords that were made once stay."""
    wifi = wifi_of(computer) or units.Wifi("Arbitre", password())
    settings = computer.file(units.CONFIG)
    if not settings.exists():
        example = (SOURCE / "web" / "arbitre.toml").read_text(encoding="utf-8")
        own = f"{called(computer, name)}.local"
        put(settings, units.configuration(example, name=own), 0o644)
        say(f"wrote {settings}, to be changed at will")
    port = port_of(settings)
    for path, (text, mode) in units.files(wifi, port).items():
        put(computer.file(path), text, mode)
        say(f"wrote {computer.file(path)}")


def put(path: Path, text: str, mode: int) -> None:
    """Never readable for others before its mode is set."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.new")
    fresh.unlink(missing_ok=True)
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "w") as file:
        file.write(text)
    fresh.chmod(mode)
    fresh.replace(path)


def password() -> str:
    return "-".join("".join(secrets.choice(ALIKE) for _ in range(4)) for _ in range(3))


def wifi_of(computer: Computer) -> units.Wifi | None:
    try:
        told = tomllib.loads(computer.text(units.HOTSPOT))
        return units.Wifi(str(told["name"]), str(told["password"]))
    except (tomllib.TOMLDecodeError, KeyError):
        return None


def port_of(settings: Path) -> int:
    try:
        return int(tomllib.loads(settings.read_text(encoding="utf-8")).get("port", 80))
    except (OSError, ValueError):
        return 80


def settle(computer: Computer, name: str) -> None:
    """Users, rights and names; of another system's files only what can be written there."""
    wants = computer.file("/etc/systemd/system/multi-user.target.wants/arbitre.service")
    wants.parent.mkdir(parents=True, exist_ok=True)
    wants.unlink(missing_ok=True)
    wants.symlink_to("/etc/systemd/system/arbitre.service")
    if not computer.here:
        say("users, rights and the network's name are set at this system's first start")
        return
    tell("systemd-sysusers", "arbitre.conf")
    shutil.chown(computer.file(units.HOTSPOT), group=units.USER)
    tell("udevadm", "control", "--reload")
    tell("udevadm", "trigger", "--subsystem-match=tty")
    tell("nmcli", "connection", "reload")
    tell("systemctl", "daemon-reload")
    own = called(computer, name)
    if own != computer.text("/etc/hostname"):
        know_itself(computer, own)
        tell("hostnamectl", "set-hostname", own)
    tell("systemctl", "try-restart", "avahi-daemon")
    say(f"in the network it is called {own}.local")


def know_itself(computer: Computer, name: str) -> None:
    """Without its own name among the hosts, sudo complains at every call."""
    hosts = computer.file("/etc/hosts")
    others = [line for line in computer.text("/etc/hosts").splitlines() if "127.0.1.1" not in line]
    put(hosts, "\n".join([*others, f"127.0.1.1\t{name}"]) + "\n", 0o644)


def tell(*words: str) -> None:
    """Something the system has to do; where it cannot, the table still runs, and that is said."""
    try:
        done = subprocess.run(list(words), capture_output=True, text=True, check=False)  # noqa: S603
    except OSError:
        say(f"not done, {words[0]} is not installed: {' '.join(words)}")
        return
    if done.returncode:
        lines = done.stderr.strip().splitlines() or ["no words"]
        say(f"not done: {' '.join(words)}: {lines[-1]}")


def renew(computer: Computer, source: Path) -> None:
    """A new release beside the old; the old one again where the new one does not answer."""
    releases = Releases(computer.file(units.PREFIX))
    say("making the new release, which takes minutes on a Pi …")
    release = releases.stage(source, lambda one: furnish(one, "/usr/bin/python3"))
    before = releases.link("current")
    releases.switch(release)
    say(f"{release.name} is ready")
    if not restarted(computer):
        if before is None:
            raise InstallError("the table does not answer: journalctl -u arbitre says why")
        releases.switch(before)
        restarted(computer)
        raise InstallError(
            f"{release.name} did not answer, {before.name} runs again; "
            "journalctl -u arbitre says why"
        )
    releases.tidy()


def go_back(computer: Computer) -> None:
    release = Releases(computer.file(units.PREFIX)).back()
    say(f"back to {release.name}; once more `make rollback` undoes that")
    if not restarted(computer):
        raise InstallError("the table does not answer: journalctl -u arbitre says why")


def restarted(computer: Computer) -> bool:
    """Whether the service answers again; where there is no systemd running, nothing is asked."""
    if not computer.here or not computer.there("/run/systemd/system"):
        return True
    tell("systemctl", "restart", "arbitre")
    return answers(port_of(computer.file(units.CONFIG)))


def answers(port: int, patience: float = ANSWERS_WITHIN) -> bool:
    end = time.monotonic() + patience
    while time.monotonic() < end:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5):
                return True
        except (urllib.error.URLError, OSError):
            time.sleep(1.0)
    return False


if __name__ == "__main__":
    sys.exit(install(sys.argv[1:]))
