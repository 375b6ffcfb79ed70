"""Ways to get a picture onto LEDs, behind one small interface: our controller, WLED, none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from firmware_bridge import protocol
from firmware_bridge.errors import (
    FirmwareMismatchError,
    LightsError,
    LinkLostError,
    NoAnswerError,
    RefusedError,
    SessionLostError,
)
from firmware_bridge.levels import CYCLE_SECONDS, shown
from firmware_bridge.link import BROKEN, Clock, Counts, Link, Port, WallClock
from firmware_bridge.picture import Picture, dark, payloads
from firmware_bridge.protocol import Greeting
from hardware.firmware.limits import LIMITS

RESTARTS = 8
SMALLEST_ROOM = 40
Presses = tuple[int, int]
LONGEST_LATCH = LIMITS["LED_CAPACITY"] * 40e-6 + 0.001


@dataclass(frozen=True)
class Settings:
    """What one table's lights are like."""

    leds: int
    brightness: int = 160
    milliamps: int = LIMITS["CAP_DEFAULT"]
    baud: int = 115200


class Driver(Protocol):
    """One way to get pictures onto LEDs. All may raise LightsError."""

    @property
    def pace(self) -> float:
        """Seconds between two calls of `idle`."""
        ...

    def open(self) -> str:
        """Connects; says what answered."""
        ...

    def show(self, picture: Picture) -> None:
        """Returns when the LEDs show it."""
        ...

    def idle(self) -> tuple[int, int]:
        """Keeps the connection alive; how often each button was pressed so far, modulo 16."""
        ...

    def close(self) -> None: ...


class Dark:
    """No lights at the table: the page shows them."""

    pace = 1.0

    def open(self) -> str:
        return "no lights at the table: the page shows them"

    def show(self, picture: Picture) -> None:
        del picture

    def idle(self) -> tuple[int, int]:
        return (0, 0)

    def close(self) -> None: ...


def _sum(one: Presses, other: Presses) -> Presses:
    return ((one[0] + other[0]) % 16, (one[1] + other[1]) % 16)


def _apart(one: Presses, other: Presses) -> Presses:
    return ((one[0] - other[0]) % 16, (one[1] - other[1]) % 16)


class Own:
    """Our own controller: only what differs travels, and every picture is acknowledged."""

    pace = 0.1  # how late a press of a button may be noticed

    def __init__(
        self,
        open_port: Callable[[], Port],
        settings: Settings,
        clock: Callable[[Port], Clock] = lambda port: WallClock(),
        counts: Counts | None = None,
    ) -> None:
        self._open_port = open_port
        self.settings = settings
        self._clock = clock
        self.counts = counts or Counts()
        self.link: Link | None = None
        self.greeting: Greeting | None = None
        self._sent: Picture | None = None  # what the controller holds, where that is known
        self._told = (0, 0)  # presses as they were last told
        self._before = (0, 0)  # what to add to a count that began anew with the controller
        self._room = self._most = LIMITS["MAX_PAYLOAD"]  # what one frame may hold

    def open(self) -> str:
        self.close()
        try:
            port = self._open_port()
        except (*BROKEN, ValueError) as error:
            raise LinkLostError(f"the lights' port cannot be opened: {error}") from None
        self.link = Link(port, self._clock(port), self.counts)
        return self._begin(self.link)

    def _begin(self, link: Link) -> str:
        """Greets and sets up; after it the controller holds a black picture it has not shown."""
        self._sent = None
        greeting = self.greeting = link.greet()
        self._before = _apart(self._told, link.presses)
        self._most = min(LIMITS["MAX_PAYLOAD"], greeting.payload)
        if self._most < SMALLEST_ROOM or greeting.rhythms < LIMITS["RHYTHMS"]:
            raise FirmwareMismatchError(
                "the lights' controller holds too little; renew it with `arbitre lights flash`"
            )
        if self.settings.leds > greeting.leds:
            raise RefusedError(
                f"this board has {self.settings.leds} LEDs, the controller drives {greeting.leds}"
            )
        milliamps = min(self.settings.milliamps, greeting.milliamps)
        about = protocol.setup(self.settings.leds, self.settings.brightness, milliamps)
        link.request(protocol.SETUP, about)
        link.change_rate(self.settings.baud)
        major, minor = greeting.firmware
        return f"lights' controller {major}.{minor}, started by {greeting.cause}"

    def _parts(self, known: Picture, picture: Picture) -> list[bytes]:
        """As short as the noise asks for, but five bytes an LED and one frame more are the most."""
        changed = sum(old != new for old, new in zip(known, picture, strict=True))
        most = self._most
        room = min(self._room, most)
        while True:
            parts = payloads(known, picture, room) or [b""]
            size = sum(map(len, parts)) + protocol.OVERHEAD * len(parts)
            if room >= most or size <= protocol.OVERHEAD + 5 * changed:
                return parts
            room = min(most, room * 2)

    def _tell(self, link: Link, picture: Picture) -> None:
        known = dark(self.settings.leds) if self._sent is None else self._sent
        parts = self._parts(known, picture)
        before = link.counts.retries
        for n, part in enumerate(parts):
            last = n == len(parts) - 1
            operation = protocol.SHOW if last else protocol.STAGE
            link.request(operation, part, LONGEST_LATCH if last else 0.01)
        self._sent = picture
        failed = link.counts.retries - before
        if failed * 2 > len(parts):  # short frames get through where long ones are hit
            self._room = max(SMALLEST_ROOM, self._room * 2 // 3)
        elif failed == 0:
            self._room = min(self._most, self._room + 8)

    def show(self, picture: Picture) -> None:
        link = self._linked()
        if picture == self._sent:
            return
        try:
            self._insist(link, picture)
        except LightsError:
            self.close()  # what the controller holds now nobody knows
            raise

    def _insist(self, link: Link, picture: Picture) -> None:
        for _ in range(RESTARTS):
            try:
                self._tell(link, picture)
            except SessionLostError:
                self._begin(link)
            except NoAnswerError:
                self._recover(link)
            else:
                return
        raise NoAnswerError(f"the lights' controller could not be told in {RESTARTS} attempts")

    def _recover(self, link: Link) -> None:
        """Too much noise for long frames, or nobody there at this rate any more?"""
        self._room = SMALLEST_ROOM
        try:
            link.request(protocol.PING)
        except (NoAnswerError, SessionLostError):
            self._begin(link)

    @property
    def shows(self) -> Picture | None:
        """What the LEDs show, where that is known."""
        return self._sent

    def _linked(self) -> Link:
        if self.link is None:
            raise LinkLostError("the lights are not connected")
        return self.link

    def idle(self) -> tuple[int, int]:
        link = self._linked()
        try:
            link.request(protocol.PING)
        except (SessionLostError, NoAnswerError):
            shown_before = self._sent
            self._begin(link)
            if shown_before is not None:
                self.show(shown_before)
        self._told = _sum(self._before, link.presses)
        return self._told

    def close(self) -> None:
        if self.link is not None:
            self.link.port.close()
        self.link = None
        self._sent = None


class Adalight:
    """WLED on an ESP32, or anything that takes Adalight: the whole picture, over and over.

    Nothing is checked or answered there, so what was lost is put right by the next time; rhythms
    and the cap are worked out here.
    """

    AGAIN = 1.0  # such controllers go back to their own effects after two and a half seconds
    MOVING = pace = 0.05

    def __init__(
        self,
        open_port: Callable[[], Port],
        settings: Settings,
        clock: Callable[[Port], Clock] = lambda port: WallClock(),
    ) -> None:
        self._open_port = open_port
        self._settings = settings
        self._clock = clock
        self._time: Clock = WallClock()
        self._port: Port | None = None
        self._picture = dark(settings.leds)
        self._last = b""
        self._at = 0.0

    def open(self) -> str:
        self.close()
        try:
            port = self._port = self._open_port()
            self._time = self._clock(port)
            port.write(b"v")
            heard, end = b"", self._time.now() + 1.0
            while b"\n" not in heard and self._time.now() < end:
                heard += port.read(max(1, port.in_waiting))
        except (*BROKEN, ValueError) as error:
            self.close()
            raise LinkLostError(f"the lights' port cannot be used: {error}") from None
        version = heard.decode("ascii", "replace").strip()
        return f"Adalight: {version[:40] or 'a controller that says nothing about itself'}"

    def _frame(self) -> bytes:
        last = self._settings.leds - 1
        high, low = last >> 8, last & 0xFF
        phase = self._time.now() % CYCLE_SECONDS
        out = shown(self._picture, self._settings.brightness, self._settings.milliamps, phase)
        colours = bytes(byte for light in out for byte in light)
        return b"Ada" + bytes((high, low, high ^ low ^ 0x55)) + colours

    def _send(self) -> None:
        if self._port is None:
            raise LinkLostError("the lights are not connected")
        frame, now = self._frame(), self._time.now()
        if frame == self._last and now - self._at < self.AGAIN:
            return
        if now - self._at < self.MOVING and self._last:
            self._time.sleep(self.MOVING)  # no answer tells when it can take the next
        try:
            self._port.write(frame)
        except BROKEN as error:
            raise LinkLostError(f"the lights' cable is out: {error}") from None
        self._last, self._at = frame, self._time.now()

    def show(self, picture: Picture) -> None:
        self._picture = picture
        self._send()

    def idle(self) -> tuple[int, int]:
        self._send()
        return (0, 0)

    def close(self) -> None:
        if self._port is not None:
            self._port.close()
        self._port, self._last = None, b""
