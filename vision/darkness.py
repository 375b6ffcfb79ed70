"""When the lights are asked to go out for a look, and for how long: once for a board at rest."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, TypeVar

WAIT = 8  # frames until one reads by the lights that burn
LOOKS = 4  # pictures taken in the dark at most
REST = 0.15  # seconds nothing must have moved before: no flicker between two grips
DOUBTS = 3  # boards that are not what was read in the dark, and are worth another look
SOON = 6  # frames after the lights have switched in which a camera may startle
FLASH = 0.05  # the part by which the whole picture gets lighter or darker then
STARTLED = 3  # times in a row after which it is left alone: its exposure follows the lights

Doubt = TypeVar("Doubt")


@dataclass
class Darkness(Generic[Doubt]):
    """What was asked of the lights since something last moved."""

    asked: bool = False  # now
    spent: bool = False  # for the board that came to rest
    denied: bool = False  # it did not come
    doubts: list[Doubt] = field(default_factory=list)  # boards it was asked for since
    frames: int = 0
    looks: int = 0
    since: int = SOON + 1  # frames since the lights switched
    startled: int = 0

    def switched(self, now: bool) -> None:
        self.since = 0 if now else self.since + 1

    def moved(self, before: bool, overall: float) -> None:
        """Something moves: the lights may burn, and the next board is another one.

        `before`: it did already. `overall`: how much lighter the whole picture became; a camera
        that follows the lights would make them blink for ever.
        """
        if not before:
            follows = abs(overall) > FLASH and self.since <= SOON
            self.startled = self.startled + 1 if follows else 0
        self.asked = False
        self.spent = self.denied = self.startled >= STARTLED
        self.doubts = []

    def ask(self, doubt: Doubt | None = None) -> None:
        """For a board at rest; or because what is read by light is not what was read before."""
        self.asked = self.spent = True
        self.frames = self.looks = 0
        if doubt is not None:
            self.doubts.append(doubt)

    def over(self) -> None:
        self.asked = False

    def waits(self, burning: bool) -> bool:
        """Whether this frame is to be let pass, since darkness may still come."""
        if not self.asked:
            return False
        if burning:
            self.frames += 1
            if self.frames <= WAIT:
                return True
            self.asked, self.denied = False, True
            return False
        self.looks += 1
        if self.looks > LOOKS:
            self.asked = False
        return False
