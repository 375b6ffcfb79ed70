"""The builder's test: every cell lit in turn, with its name, so that a swapped wire shows."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence

from firmware_bridge.drivers import Driver
from firmware_bridge.palette import WHITE, linear
from firmware_bridge.picture import DARK, dark
from hardware.boards import Board

KEEP_ALIVE = 0.5


def walk(lights: Driver, board: Board, seconds: float, names: Sequence[str] = ()) -> int:
    """Lights one cell after the other; names the LED's number on the chain beside it."""
    cells = [board.cell(name) for name in names] if names else list(board.cells)
    lit = sorted((cell.led, cell.id) for cell in cells if cell.led is not None)
    if not lit:
        print("none of these cells has a light", file=sys.stderr)
        return 2
    bright = tuple(linear(channel) for channel in WHITE)
    try:
        print(lights.open())
        for led, name in lit:
            picture = list(dark(board.lights))
            picture[led] = (bright[0], bright[1], bright[2], 0)
            lights.show(tuple(picture))
            print(f"LED {led:>3}  {name}", flush=True)
            end = time.monotonic() + seconds
            while (left := end - time.monotonic()) > 0:
                time.sleep(min(left, KEEP_ALIVE))
                lights.idle()
        lights.show((DARK,) * board.lights)
    finally:
        lights.close()
    return 0
