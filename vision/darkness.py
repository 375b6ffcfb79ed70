"""When the lights are asked to go out for a look, and for how long: once for a board at rest."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, TypeVar

WAIT = 8  # frames until one reads by the lights that burn
LOOKS = 4  # pictures taken in the dark at most
REST = 0.15  # seconds nothing must have moved before: no flicker between two grips
DOUBTS = 3  # boards that are not what was read in the dark, and are worth another look

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

    def moved(self) -> None:
        """Something moves: the lights may burn, and the next board is another one."""
        self.asked = self.spent = self.denied = False
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
