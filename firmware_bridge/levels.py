"""What LEDs make of a picture: brightness, cap and rhythms, exactly as the controller does it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from firmware_bridge.picture import Picture
from hardware.firmware.limits import LIMITS

STEPS = 16
STEP_TICKS = LIMITS["STEP_TICKS"]
CYCLE = STEPS * STEP_TICKS
TICK = LIMITS["TICK_US"] / 1e6
CYCLE_SECONDS = CYCLE * TICK
PULSE = 0
RGB = tuple[int, int, int]

# sixteen steps, the first in the lowest bit; 8 to 15 are 0 to 7 half a period later
BEATS = (
    *(0xFFFF, 0x0F0F, 0x3333, PULSE, PULSE, 0x0005, 0x3FFF, 0x0003),
    *(0xFFFF, 0xF0F0, 0xCCCC, PULSE, PULSE, 0x0500, 0xFF3F, 0x0300),
)


def beat(rhythm: int, phase: int) -> int:
    """How bright a rhythm is `phase` ticks into the cycle, in 256ths."""
    steps = BEATS[rhythm]
    if steps != PULSE:
        return 256 if steps >> (phase // STEP_TICKS) & 1 else 0
    period = CYCLE if rhythm & 7 == 3 else CYCLE // 2
    at = (phase + (period // 2 if rhythm & 8 else 0)) % period
    half = period // 2
    rise = 48 + (at if at < half else period - at) * 208 // half
    return rise * rise >> 8


def gain(picture: Picture, brightness: int, milliamps: int) -> int:
    """Brightness in 256ths, less where full rhythms would ask for more than the cap."""
    wanted = brightness + 1 if brightness else 0
    idle = len(picture) * LIMITS["IDLE_MILLIAMPS"]
    room = max(0, milliamps - idle) * 255 // LIMITS["CHANNEL_MILLIAMPS"]
    channels = sum(red + green + blue for red, green, blue, _ in picture)
    asked = (channels * wanted + 255) >> 8
    return wanted * room // asked if asked > room else wanted


def dimmed(colour: RGB, level: int) -> RGB:
    red, green, blue = colour
    by = max(level, 1)
    return (red * by >> 8, green * by >> 8, blue * by >> 8)


def shown(picture: Picture, brightness: int, milliamps: int, seconds: float) -> tuple[RGB, ...]:
    """The colours on the LEDs, so many seconds into the rhythms' cycle."""
    full = gain(picture, brightness, milliamps)
    phase = int(seconds / TICK) % CYCLE
    now = {rhythm: beat(rhythm, phase) * full >> 8 for rhythm in {light[3] for light in picture}}
    return tuple(dimmed((red, green, blue), now[beat_]) for red, green, blue, beat_ in picture)


@cache
def _moments(rhythm: int) -> Mapping[int, frozenset[int]]:
    """When in the cycle a rhythm is how bright."""
    when: dict[int, set[int]] = {}
    for phase in range(CYCLE):
        when.setdefault(beat(rhythm, phase), set()).add(phase)
    return {bright: frozenset(phases) for bright, phases in when.items()}


def possible(picture: Picture, brightness: int, milliamps: int, seen: tuple[RGB, ...]) -> bool:
    """Whether `seen` is exactly this picture at one and the same moment of all its rhythms."""
    full = gain(picture, brightness, milliamps)
    groups: dict[int, list[int]] = {}
    for n, light in enumerate(picture):
        groups.setdefault(light[3], []).append(n)
    moments: frozenset[int] = frozenset(range(CYCLE))
    for rhythm, places in groups.items():
        fitting: set[int] = set()
        for bright, phases in _moments(rhythm).items():
            level = bright * full >> 8
            if all(dimmed(picture[n][:3], level) == seen[n] for n in places):
                fitting |= phases
        moments &= fitting
    return bool(moments)


def draw(picture: Picture, brightness: int, milliamps: int) -> int:
    """Milliamps the chain asks for with every rhythm at its height: never above the cap."""
    full = gain(picture, brightness, milliamps)
    lit = sum(sum(dimmed(light[:3], full)) for light in picture)
    idle = len(picture) * LIMITS["IDLE_MILLIAMPS"]
    return idle + -(-lit * LIMITS["CHANNEL_MILLIAMPS"] // 255)
