"""What the lights mean: a colour, a rhythm and a shape for each meaning, for LEDs and pages alike.

Colours come from the set of Okabe and Ito. Two meanings differ in tempo, or in a colour that people
with any colour blindness tell apart; on the page each has a shape of its own besides. No rhythm
flashes more than three times a second.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from firmware_bridge.picture import DARK, Light, Picture
from hardware.boards import Board

GAMMA = 2.6

STEADY, BLINK, QUICK, PULSE, FAST_PULSE, TWICE, WINK, FLASH = range(8)
OTHER_HALF = 8  # the same rhythm half a period later
RHYTHMS: Mapping[int, str] = MappingProxyType(
    {
        STEADY: "steady",
        BLINK: "blink",
        QUICK: "quick",
        PULSE: "pulse",
        FAST_PULSE: "fast-pulse",
        TWICE: "twice",
        WINK: "wink",
        FLASH: "flash",
        BLINK + OTHER_HALF: "blink-other",
        FLASH + OTHER_HALF: "flash-other",
    }
)


@dataclass(frozen=True)
class Look:
    """How one meaning looks: on the page as `css`, `shape` and `beat`, on the LED as `light`."""

    name: str
    srgb: tuple[int, int, int]
    rhythm: int
    shape: str

    @property
    def css(self) -> str:
        return "#{:02x}{:02x}{:02x}".format(*self.srgb)

    @property
    def beat(self) -> str:
        return RHYTHMS[self.rhythm]

    @property
    def light(self) -> Light:
        red, green, blue = (linear(channel) for channel in self.srgb)
        return (red, green, blue, self.rhythm)


def linear(channel: int) -> int:
    """LEDs dim in proportion, eyes do not; a channel that is on at all is told as one at least."""
    return 0 if channel == 0 else max(1, round(255 * (channel / 255) ** GAMMA))


ORANGE, SKY, GREEN, YELLOW = (230, 159, 0), (86, 180, 233), (0, 158, 115), (240, 228, 66)
BLUE, VERMILION, PURPLE, WHITE = (0, 114, 178), (213, 94, 0), (204, 121, 167), (255, 255, 255)

LOOKS: Mapping[str, Look] = MappingProxyType(
    {
        look.name: look
        for look in (
            Look("may-move", WHITE, PULSE, "ring"),
            Look("may-go", SKY, STEADY, "dot"),
            Look("capture", VERMILION, BLINK, "cross"),
            Look("came-from", BLUE, WINK, "hollow"),
            Look("put-back", YELLOW, BLINK + OTHER_HALF, "arrow"),
            Look("wrong", VERMILION, QUICK, "bar"),
            Look("your-turn", GREEN, FAST_PULSE, "double-ring"),
            Look("best-placed", PURPLE, TWICE, "star"),
            Look("hint", ORANGE, FLASH, "triangle"),
            Look("confirmed", GREEN, FLASH + OTHER_HALF, "tick"),
        )
    }
)


def look(meaning: str) -> Look:
    try:
        return LOOKS[meaning]
    except KeyError:
        raise ValueError(f'no light means "{meaning}"; there are: {", ".join(LOOKS)}') from None


def picture(board: Board, meanings: Mapping[str, str]) -> Picture:
    """The chain's picture for a board: cell id to meaning; cells without an LED are left out."""
    lights = [DARK] * max(1, board.lights)
    for cell_id, meaning in meanings.items():
        led = board.cell(cell_id).led
        if led is not None:
            lights[led] = look(meaning).light
    return tuple(lights)
