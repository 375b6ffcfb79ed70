"""The numbers host and controller must agree on, read from the controller's own header."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

HEADER = Path(__file__).with_name("limits.h")
NUMBER = re.compile(r"^#define (\w+) (0x[0-9A-Fa-f]+|\d+)\b", re.MULTILINE)


def read() -> Mapping[str, int]:
    found = NUMBER.findall(HEADER.read_text(encoding="utf-8"))
    return MappingProxyType({name: int(number, 0) for name, number in found})


LIMITS = read()
CLOCK = 16_000_000
BAUDS = (115200, 250000, 500000)
DIVIDERS = {115200: 16, 250000: 7, 500000: 3}
CAUSES = {1: "power on", 2: "reset line", 4: "brown-out", 8: "watchdog"}


def cause(bits: int) -> str:
    """Why the controller started, in words."""
    return " + ".join(word for bit, word in CAUSES.items() if bits & bit) or "unknown"
