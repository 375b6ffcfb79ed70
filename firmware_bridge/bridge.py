"""The lights' own thread: the newest wanted picture in, and nobody ever waits for a cable."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace

from firmware_bridge.drivers import Driver
from firmware_bridge.errors import FirmwareMismatchError, LightsError, RefusedError
from firmware_bridge.link import Clock, WallClock
from firmware_bridge.picture import Picture

log = logging.getLogger(__name__)

SOON, LATEST = 0.5, 5.0  # seconds until the next attempt to connect: doubled each time
NEVER_MIND = 30.0  # where only a person can help
FAILED = "the lights' driver failed"
LOOK = 0.1  # how often a lost driver is looked at


@dataclass(frozen=True)
class Status:
    """What can be said about the lights, to people too."""

    connected: bool = False
    said: str = ""  # what answered
    problem: str = ""  # what is wrong, and what to do about it
    word: str = ""  # the kind of it, as errors name theirs
    pictures: int = 0
    connections: int = 0


class Keeper:
    """Keeps one driver connected and showing what is wanted. No thread, any clock."""

    def __init__(
        self,
        driver: Driver,
        clock: Clock | None = None,
        on_press: Callable[[int], None] | None = None,
    ) -> None:
        self._driver = driver
        self._clock: Clock = clock or WallClock()
        self._on_press = on_press
        self._presses: tuple[int, int] | None = None
        self._shown: Picture | None = None
        self._next, self._pause = self._clock.now(), SOON
        self.status = Status()

    def step(self, wanted: Picture) -> bool:
        """One attempt: True when the LEDs show `wanted`, as far as anybody can know."""
        try:
            if not self.status.connected and not self._connect():
                return False
            if wanted != self._shown:
                self._shown = None
                self._driver.show(wanted)
                self._shown = wanted
                self.status = replace(self.status, pictures=self.status.pictures + 1)
            else:
                self._notice(self._driver.idle())
        except LightsError as error:
            self._lose(error)
            return False
        except Exception:
            self._lose(LightsError(FAILED))
            raise
        return True

    def _connect(self) -> bool:
        """False where it is too early to try again."""
        if self._clock.now() < self._next:
            return False
        said = self._driver.open()
        log.info("%s", said)
        self._pause, self._shown, self._presses = SOON, None, None
        count = self.status.connections + 1
        self.status = Status(True, said, pictures=self.status.pictures, connections=count)
        return True

    def _lose(self, error: LightsError) -> None:
        hopeless = isinstance(error, FirmwareMismatchError | RefusedError)
        self._next = self._clock.now() + (NEVER_MIND if hopeless else self._pause)
        self._pause = min(LATEST, self._pause * 2)
        if str(error) != self.status.problem:
            log.warning("%s", error)
        self.status = replace(self.status, connected=False, problem=str(error), word=error.word)
        self._driver.close()

    def _notice(self, presses: tuple[int, int]) -> None:
        before, self._presses = self._presses, presses
        if before is None or self._on_press is None:
            return
        for button, (old, new) in enumerate(zip(before, presses, strict=True)):
            for _ in range((new - old) % 16):
                self._on_press(button)

    def close(self) -> None:
        self._driver.close()
        self.status = replace(self.status, connected=False)


class Bridge:
    """A keeper in a thread of its own."""

    def __init__(
        self,
        driver: Driver,
        first: Picture,
        clock: Clock | None = None,
        on_press: Callable[[int], None] | None = None,
        on_status: Callable[[], None] = lambda: None,
        on_shown: Callable[[Picture], None] = lambda picture: None,
    ) -> None:
        self._keeper = Keeper(driver, clock, on_press)
        self._on_status = on_status
        self._on_shown = on_shown  # told whenever the lights are known to show a picture
        self._wanted = first
        self._pace = driver.pace
        self._stopping = False
        self._news = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="lights", daemon=True)

    def start(self) -> Bridge:
        self._thread.start()
        return self

    def want(self, picture: Picture) -> None:
        """From now on this; whatever was not shown yet is forgotten. Returns at once."""
        with self._news:
            self._wanted = picture
            self._news.notify()

    @property
    def status(self) -> Status:
        return self._keeper.status

    def stop(self, patience: float = 2.0) -> None:
        """Ends the thread; a stuck cable is not waited for longer than `patience`."""
        with self._news:
            self._stopping = True
            self._news.notify()
        self._thread.join(patience)

    def _tell(self, told: tuple[bool, str] | None) -> tuple[bool, str]:
        """Somebody may want to know that the link came or went."""
        now = (self.status.connected, self.status.word)
        if told is not None and now != told:
            self._on_status()
        return now

    def _run(self) -> None:
        done: Picture | None = None
        told = self._tell(None)
        while True:
            with self._news:
                if not self._stopping and self._wanted == done:
                    self._news.wait(self._pace)
                if self._stopping:
                    break
                wanted = self._wanted
            try:
                shown = self._keeper.step(wanted)
            except Exception:  # the outermost loop of this thread: lights never stop the game
                log.exception(FAILED)
                shown = False
            done = wanted if shown else None
            if shown:
                self._on_shown(wanted)
            told = self._tell(told)
            if not shown:
                with self._news:
                    self._news.wait(LOOK)
        self._keeper.close()
