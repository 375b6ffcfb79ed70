"""Our firmware onto a real board: the exact avrdude command, and what it needs."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys

import serial

from firmware_bridge.errors import PortMissingError
from firmware_bridge.ports import Place, PortError
from firmware_bridge.trouble import port_trouble
from hardware.firmware.build import BuildError, built

NEEDED = "avrdude is not installed; on Debian: apt-get install avrdude"
FAILED = (
    "avrdude could not write the firmware; the board needs its bootloader, as it is sold: where "
    "it says 'not in sync', try --old-bootloader"
)


def command(path: str, hex_file: str, old_bootloader: bool = False) -> list[str]:
    """-D because a bootloader erases page by page; 57600 baud for boards sold before 2018."""
    baud = "57600" if old_bootloader else "115200"
    return [
        *("avrdude", "-p", "atmega328p", "-c", "arduino", "-P", path, "-b", baud),
        *("-D", "-U", f"flash:w:{hex_file}:i"),
    ]


def try_port(path: str) -> None:
    """Says what is wrong with a port before avrdude does, whose words nobody understands."""
    try:
        serial.Serial(path, exclusive=True).close()
    except (serial.SerialException, OSError) as error:
        raise port_trouble(path, error) from None


def flash(name: str, *, old_bootloader: bool = False, dry: bool = False) -> int:
    if name in ("", "none") or "://" in name or name.startswith("wled:"):
        raise PortError(f'"{name}" is no port of a board that can be flashed')
    try:
        path = Place(name).only()
    except PortMissingError as error:
        if not dry:
            raise
        print(error, file=sys.stderr)
        path = "PORT"
    words = command(
        path, str(built("lights-old.hex" if old_bootloader else "lights.hex")), old_bootloader
    )
    print(shlex.join(words), flush=True)
    if dry:
        return 0
    if shutil.which("avrdude") is None:
        raise BuildError(NEEDED)
    try_port(path)
    done = subprocess.run(words, check=False)  # noqa: S603
    if done.returncode:
        print(FAILED, file=sys.stderr)
    return 1 if done.returncode else 0
