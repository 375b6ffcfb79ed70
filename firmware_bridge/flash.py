"""Our firmware onto a real board: the exact avrdude command, and what it needs."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys

from firmware_bridge.errors import LightsError
from firmware_bridge.ports import Place
from hardware.firmware.build import BuildError, built

NEEDED = (
    "avrdude is not installed; on Debian: apt-get install avrdude\n"
    "The board needs its bootloader, as it is sold; if writing fails with 'not in sync', try "
    "--old-bootloader, and look whether your user is in the group dialout."
)


def command(path: str, hex_file: str, old_bootloader: bool = False) -> list[str]:
    """-D because a bootloader erases page by page; 57600 baud for boards sold before 2018."""
    baud = "57600" if old_bootloader else "115200"
    return [
        *("avrdude", "-p", "atmega328p", "-c", "arduino", "-P", path, "-b", baud),
        *("-D", "-U", f"flash:w:{hex_file}:i"),
    ]


def flash(name: str, *, old_bootloader: bool = False, dry: bool = False) -> int:
    try:
        path = Place(name).path()
    except LightsError:
        if not dry:
            raise
        path = "/dev/ttyUSB0"
    words = command(path, str(built("lights.hex")), old_bootloader)
    print(shlex.join(words), flush=True)
    if dry:
        return 0
    if shutil.which("avrdude") is None:
        raise BuildError(NEEDED)
    done = subprocess.run(words, check=False)  # noqa: S603
    if done.returncode:
        print("avrdude could not write the firmware: " + NEEDED.splitlines()[1], file=sys.stderr)
    return 1 if done.returncode else 0
