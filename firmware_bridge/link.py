"""Stop and wait over a serial port: one request, its answer, or the same request again."""

from __future__ import annotations

import termios
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

import serial

from firmware_bridge import protocol
from firmware_bridge.errors import LinkLostError, NoAnswerError, RefusedError, SessionLostError
from firmware_bridge.protocol import Answer, Frame, FrameReader, Greeting, Stats
from hardware.firmware.limits import BAUDS, LIMITS

FIRST_BAUD = BAUDS[0]
BROKEN = (serial.SerialException, OSError, termios.error)  # the last where a port has vanished
RATES = {baud: index for index, baud in enumerate(BAUDS)}
ATTEMPTS = 12
# FTDI adapters hold bytes back for 16 ms, a busy computer for longer; and the controller must
# have given up a half-heard frame before it is sent again
MARGIN = 0.030 + LIMITS["GAP_TICKS"] * LIMITS["TICK_US"] / 1e6
GREETING_EVERY = 0.25
GREETING_FOR = 5.0  # a bootloader listens first; a rate that nobody uses is given up after three


@runtime_checkable
class Clock(Protocol):
    def now(self) -> float: ...
    def sleep(self, seconds: float) -> None: ...


class WallClock:
    def now(self) -> float:
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)


class Port(Protocol):
    """As much of a pyserial port as is needed."""

    baudrate: int

    @property
    def in_waiting(self) -> int: ...
    def read(self, size: int = 1, /) -> bytes: ...
    def write(self, data: bytes, /) -> int | None: ...
    def reset_input_buffer(self) -> None: ...
    def close(self) -> None: ...


@dataclass
class Counts:
    """What the link has been through."""

    requests: int = 0
    attempts: int = 0
    answers: int = 0
    strays: int = 0  # answers to something asked before
    greetings: int = 0
    sessions: int = 0  # greetings answered
    given_up: int = 0  # requests never answered
    bytes_out: int = 0

    @property
    def retries(self) -> int:
        return self.attempts - self.requests


@dataclass
class Link:
    """A conversation with one controller over an open port."""

    port: Port
    clock: Clock = field(default_factory=WallClock)
    counts: Counts = field(default_factory=Counts)
    presses: tuple[int, int] = (0, 0)
    _sequence: int = 0
    _reader: FrameReader = field(default_factory=FrameReader)

    def _write(self, data: bytes) -> None:
        self.counts.bytes_out += len(data)
        try:
            self.port.write(data)
        except BROKEN as error:
            raise LinkLostError(f"the lights' cable is out: {error}") from None

    def _read(self) -> bytes:
        try:
            return self.port.read(max(1, self.port.in_waiting))
        except BROKEN as error:
            raise LinkLostError(f"the lights' cable is out: {error}") from None

    def _await(self, frame: Frame, until: float) -> Answer | None:
        while True:
            for found in self._reader.feed(self._read()):
                expected = frame.operation | protocol.ANSWER
                if (found.sequence, found.operation) == (frame.sequence, expected):
                    answer = Answer.of(found)
                    if answer is not None:
                        self.counts.answers += 1
                        self.presses = answer.presses
                        return answer
                self.counts.strays += 1
            if self.clock.now() >= until:
                return None

    def _patience(self, size: int, work: float) -> float:
        wire = (size + protocol.LONGEST_ANSWER) * 10 / self.port.baudrate
        return wire + work + MARGIN

    def request(
        self, operation: int, payload: bytes = b"", work: float = 0.01, attempts: int = ATTEMPTS
    ) -> Answer:
        """Asks until answered; `work` is how long the controller may take over it, in seconds."""
        self._sequence = (self._sequence + 1) % 256
        frame = Frame(self._sequence, operation, payload)
        data = frame.encoded()
        self.counts.requests += 1
        for _ in range(attempts):
            self.counts.attempts += 1
            self._reader.clear()
            self._write(data)
            answer = self._await(frame, self.clock.now() + self._patience(len(data), work))
            if answer is not None:
                return self._accepted(answer)
        self.counts.given_up += 1
        raise NoAnswerError(f"the lights' controller did not answer {attempts} times")

    def _accepted(self, answer: Answer) -> Answer:
        if answer.said == protocol.OK:
            return answer
        words = protocol.WORDS.get(answer.said, f"said {answer.said}")
        if answer.said == protocol.NO_SESSION:
            raise SessionLostError(f"the lights' controller {words}")
        raise RefusedError(f"the lights' controller {words}")

    def greet(self, patience: float = GREETING_FOR) -> Greeting:
        """Starts a session at the first rate, however long the controller takes to wake up."""
        self._set_baud(FIRST_BAUD)
        end = self.clock.now() + patience
        while self.clock.now() < end:
            self._sequence = (self._sequence + 1) % 256
            frame = Frame(self._sequence, protocol.HELLO, bytes((protocol.VERSION,)))
            self.counts.greetings += 1
            self._write(frame.encoded())
            answer = self._await(frame, min(end, self.clock.now() + GREETING_EVERY))
            if answer is not None:
                self.counts.sessions += 1
                return Greeting.of(self._accepted(answer))
        raise NoAnswerError(
            "no lights' controller answers on this port: is it plugged in, and has it been "
            "flashed (`arbitre lights flash`)?"
        )

    def _set_baud(self, baud: int) -> None:
        try:
            self.port.reset_input_buffer()
            if self.port.baudrate != baud:
                self.port.baudrate = baud
        except (*BROKEN, ValueError) as error:
            raise LinkLostError(f"the port cannot do {baud} baud: {error}") from None
        self._reader.clear()

    def change_rate(self, baud: int) -> None:
        """Both ends to another rate; NoAnswerError where they do not meet again."""
        if baud == self.port.baudrate:
            return
        with suppress(NoAnswerError):  # perhaps only the answer was lost: the next request tells
            self.request(protocol.BAUD, bytes((RATES[baud],)), attempts=3)
        self.clock.sleep(0.002)
        self._set_baud(baud)
        self.request(protocol.PING)

    def stats(self) -> Stats:
        return Stats.of(self.request(protocol.STATS))
