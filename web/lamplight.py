"""What the lights may have shown when a picture was taken: wishes, and since when each is true."""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from firmware_bridge.picture import Picture
from hardware.firmware.limits import LIMITS

Colours = Mapping[str, tuple[int, int, int]]

KEPT = 64  # wishes
EXPOSED = 0.1  # seconds around a picture's time in which it may have gathered light
# a controller that hears nothing goes dark by itself; until then it shows what it was told last
LINGERS = LIMITS["GONE_TICKS"] * LIMITS["TICK_US"] / 1e6 + 1.0


@dataclass
class Wish:
    """A picture somebody wanted on the lights."""

    picture: Picture
    colours: Colours
    begun: float  # before that nobody saw it
    shown: float | None = None  # from then on nothing older was seen


class Lamplight:
    """Any thread: wishes come from the table's, word of them from the lights', questions from the
    camera's.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._wishes: deque[Wish] = deque(maxlen=KEPT)
        self._heard = -math.inf  # when the lights were last known to show anything

    def wished(self, picture: Picture, colours: Colours) -> None:
        with self._lock:
            if not self._wishes or self._wishes[-1].picture != picture:
                self._wishes.append(Wish(picture, colours, self._clock()))

    def shown(self, picture: Picture) -> None:
        """The lights show it now; each time it is said again, they still do."""
        with self._lock:
            now = self._heard = self._clock()
            for wish in reversed(self._wishes):
                if wish.picture == picture:
                    wish.shown = now if wish.shown is None else wish.shown
                    return

    @property
    def settled(self) -> bool:
        with self._lock:
            return bool(self._wishes) and self._wishes[-1].shown is not None

    def at(self, moment: float, doubt: float = 0.0) -> dict[str, tuple[int, int, int]] | None:
        """By cell what may have burnt in a picture of that time; of two colours the newer one.

        `doubt`: by how much the picture may be older. None where nobody knows.
        """
        first, last = moment - doubt - EXPOSED, moment + EXPOSED
        found: dict[str, tuple[int, int, int]] = {}
        with self._lock:
            if moment > self._heard + LINGERS:
                return None
            for wish in reversed(self._wishes):
                if wish.begun > last:
                    continue
                found = {**wish.colours, **found}
                if wish.shown is not None and wish.shown <= first:
                    return found
            if self._wishes and self._wishes[0].begun > last:  # nobody remembers that far
                found = {cell: rgb for wish in self._wishes for cell, rgb in wish.colours.items()}
        return found
