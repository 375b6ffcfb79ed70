"""Somebody asks what lies on the board: a picture is waited for in which no light burns."""

from __future__ import annotations

from concurrent.futures import Future
from concurrent.futures import TimeoutError as TooLongError
from dataclasses import dataclass, field

from vision.cameras import Frame
from vision.darkness import Darkness
from vision.reading import Reading
from web.lamplight import Colours

PATIENCE = 4.0  # seconds


@dataclass(frozen=True)
class Lit:
    """A picture, and what may have burnt in it; None where nobody knows."""

    frame: Frame
    lights: Colours | None

    @property
    def burning(self) -> bool:
        return any(any(rgb) for rgb in (self.lights or {}).values())


def asked() -> Darkness[Reading]:
    darkness: Darkness[Reading] = Darkness()
    darkness.ask()
    return darkness


@dataclass(frozen=True)
class Glance:
    """One that is waited for: the answer, and how long the lights may take to go out."""

    darkness: Darkness[Reading] = field(default_factory=asked)
    answer: Future[Lit | None] = field(default_factory=Future)


class Glances:
    """Other threads ask, the camera's answers."""

    def __init__(self) -> None:
        self._open: list[Glance] = []

    def wait(self, newest: Lit) -> Lit | None:
        """A picture without lights, or one with them if they do not go out in time.

        None where the camera fails meanwhile.
        """
        if not newest.burning:
            return newest
        glance = Glance()
        self._open.append(glance)
        try:
            return glance.answer.result(PATIENCE)
        except TooLongError:
            return newest
        finally:
            self._open.remove(glance)

    def answer(self, seen: Lit | None) -> bool:
        """A new picture, or None for trouble; whether the lights should be dark for the next."""
        waiting = False
        for glance in [one for one in self._open if not one.answer.done()]:
            if seen is not None and glance.darkness.waits(seen.burning):
                waiting = True
            else:
                glance.answer.set_result(seen)
        return waiting
