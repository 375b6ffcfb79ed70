"""Builds the firmware and its emulator when a source is newer; one builder at a time."""

from __future__ import annotations

import fcntl
import shutil
import subprocess
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
BUILD = HERE.parents[1] / "build" / "firmware"
NEEDS = {
    "avr-gcc": "gcc-avr avr-libc binutils-avr",
    "avr-objcopy": "binutils-avr",
    "make": "make",
    "cc": "gcc libc6-dev",
}


class BuildError(RuntimeError):
    """The firmware or its emulator could not be built; says what to install."""


def _check(tools: tuple[str, ...]) -> None:
    missing = [tool for tool in tools if shutil.which(tool) is None]
    if missing:
        packages = " ".join(dict.fromkeys(" ".join(NEEDS[tool] for tool in missing).split()))
        raise BuildError(
            f"cannot build the lights' firmware: {', '.join(missing)} not found; "
            f"on Debian: apt-get install {packages}"
        )


def _make(target: str) -> None:
    BUILD.mkdir(parents=True, exist_ok=True)
    with (BUILD / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = subprocess.run(  # noqa: S603
            ["make", "-s", "-C", str(HERE), f"BUILD={BUILD}", target],  # noqa: S607
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        first = next((line for line in done.stderr.splitlines() if "error" in line), done.stderr)
        hint = (
            "; on Debian: apt-get install libsimavr-dev libelf-dev"
            if "No such file" in first or "cannot find" in first
            else ""
        )
        raise BuildError(f"cannot build {Path(target).name}: {first.strip()}{hint}")


def _up_to_date(path: Path) -> bool:
    sources = [HERE / "Makefile", *HERE.rglob("*.[chS]")]
    return path.exists() and path.stat().st_mtime > max(s.stat().st_mtime for s in sources)


@cache
def built(name: str) -> Path:
    """Path of `lights.hex`, `emulator.so`, `fuzz` …, made now if need be."""
    path = BUILD / name
    if _up_to_date(path):
        return path
    for_chip = name.endswith((".hex", ".elf"))
    _check(("make", "avr-gcc", "avr-objcopy") if for_chip else ("make", "cc"))
    try:
        _make(str(path))
    except OSError as error:
        raise BuildError(f"cannot build into {BUILD}: {error.strerror}") from None
    return path


@cache
def symbols(name: str) -> dict[str, int]:
    """Where a build keeps its variables: addresses in the chip's memory."""
    listed = subprocess.run(  # noqa: S603
        ["avr-nm", str(built(name))],  # noqa: S607
        capture_output=True,
        text=True,
        check=True,
    )
    rows = (line.split() for line in listed.stdout.splitlines())
    return {row[2]: int(row[0], 16) & 0xFFFF for row in rows if len(row) == 3}


def sizes(name: str = "lights.elf") -> tuple[int, int]:
    """Bytes of flash and of RAM that a build takes, before the stack."""
    counted = subprocess.run(  # noqa: S603
        ["avr-size", str(built(name))],  # noqa: S607
        capture_output=True,
        text=True,
        check=True,
    )
    text, data, bss = (int(word) for word in counted.stdout.splitlines()[1].split()[:3])
    return text + data, data + bss
