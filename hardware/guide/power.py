"""The power budget: the same milliamps the controller's firmware reckons with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from firmware_bridge.levels import draw, gain
from firmware_bridge.palette import look
from firmware_bridge.picture import DARK, Picture
from hardware.boards import Board
from hardware.firmware.limits import LIMITS

WHITE = (255, 255, 255, 0)
FULL = 255
VOLTS = 5.0
FUSES = (1.0, 1.6, 2.0, 2.5, 3.15, 4.0, 5.0, 6.3, 8.0, 10.0)
SUPPLIES = (2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)  # amperes at 5 V that one can buy
USED = 0.75  # of what is printed on the supply
FED = 50  # LEDs between two places where the supply is joined to the chain
BRIGHTNESS = 160  # what the table starts with
# copper, ohms times square millimetres by metre
RESISTANCE = 0.0175
WIRE = 0.75
THIN = 0.25  # between two LEDs
THIN_CARRIES = 4.0  # amperes that it stands for as long as a fuse takes
RAILS = (0.75, 1.5, 2.5)
PART_FUSE = 2.0  # in each joint to the chain, where the main fuse is too strong for thin wire
AMPERES = 7.0  # a square millimetre, in free air


@dataclass(frozen=True)
class Budget:
    """What one board's lights need."""

    leds: int
    idle: int
    white: int  # all white, no cap: never wanted, but what a mistake would ask for
    game: int  # the most a turn's hints really show
    cap: int  # set in the controller
    supply: float
    fuse: float
    white_share: float  # how bright all-white may become under the cap
    feeds: int
    drop: float  # volts lost on the way to the far corner and back, with everything at the cap


def busiest(board: Board) -> Picture:
    """A turn with many choices: a third of the cells may be gone to, four pawns may move."""
    lights = [DARK] * board.lights
    lit = sorted(cell.led for cell in board.cells if cell.led is not None)
    for n in lit[:: max(1, len(lit) // (len(lit) // 3))]:
        lights[n] = look("may-go").light
    for n in lit[:4]:
        lights[n] = look("may-move").light
    for n in lit[4:6]:
        lights[n] = look("capture").light
    return tuple(lights)


def first_at_least(choices: tuple[float, ...], least: float) -> float:
    return next((choice for choice in choices if choice >= least), choices[-1])


def fuse(cap: int) -> float:
    """The next one above what the controller allows and a tenth, amperes."""
    return first_at_least(FUSES, cap * 1.1 / 1000)


def rail(cap: int) -> float:
    """Copper for the rails that this current neither warms nor wastes, square millimetres."""
    return first_at_least(RAILS, max(WIRE, fuse(cap) / AMPERES))


def budget(board: Board) -> Budget:
    """The default cap where a game fits into it, otherwise what a game needs and a quarter."""
    leds = board.lights
    white: Picture = (WHITE,) * leds
    idle = leds * LIMITS["IDLE_MILLIAMPS"]
    game = draw(busiest(board), BRIGHTNESS, LIMITS["CAP_LIMIT"])
    cap = min(LIMITS["CAP_LIMIT"], max(LIMITS["CAP_DEFAULT"], -(-game * 5 // 4 // 100) * 100))
    supply = first_at_least(SUPPLIES, cap / 1000 / USED)
    width, height = board.size
    away = 2 * (width + height) / 1000
    return Budget(
        leds=leds,
        idle=idle,
        white=idle + leds * 3 * LIMITS["CHANNEL_MILLIAMPS"],
        game=game,
        cap=cap,
        supply=supply,
        fuse=fuse(cap),
        white_share=gain(white, FULL, cap) / 256,
        feeds=-(-leds // FED),
        drop=cap / 1000 * RESISTANCE * away / WIRE,
    )


def caps(board: Board) -> Iterator[tuple[float, int, float]]:
    """For each supply: the cap to set, and how bright all-white becomes under it."""
    white: Picture = (WHITE,) * board.lights
    for supply in SUPPLIES:
        cap = int(min(LIMITS["CAP_LIMIT"], supply * 1000 * USED)) // 100 * 100
        yield supply, cap, gain(white, FULL, cap) / 256
