"""Frames on the wire: made, found again among bytes, and what the controller's answers say."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from firmware_bridge.errors import FirmwareMismatchError
from hardware.firmware.limits import LIMITS, cause

VERSION = LIMITS["PROTOCOL_VERSION"]
SYNC = LIMITS["SYNC"]
OVERHEAD = LIMITS["HEADER"] + LIMITS["CHECK"]
ANSWER = LIMITS["ANSWER_BIT"]

HELLO, SETUP, PING, STATS = (LIMITS[f"OP_{name}"] for name in ("HELLO", "SETUP", "PING", "STATS"))
BAUD, TEST, STAGE, SHOW = (LIMITS[f"OP_{name}"] for name in ("BAUD", "TEST", "STAGE", "SHOW"))

OK, UNKNOWN, MALFORMED, NO_SESSION, TOO_MUCH = (
    LIMITS[f"SAID_{name}"] for name in ("OK", "UNKNOWN", "MALFORMED", "NO_SESSION", "TOO_MUCH")
)
WORDS = {
    UNKNOWN: "does not know this request",
    MALFORMED: "found the request malformed",
    NO_SESSION: "has started anew",
    TOO_MUCH: "allows fewer milliamps",
}
LONGEST_ANSWER = 64


@dataclass(frozen=True)
class Frame:
    sequence: int
    operation: int
    payload: bytes = b""

    def encoded(self) -> bytes:
        body = bytes((len(self.payload), self.sequence, self.operation)) + self.payload
        return bytes((SYNC,)) + body + zlib.crc32(body).to_bytes(4, "little")


class FrameReader:
    """Finds the frames in what comes in, whatever lies between them."""

    def __init__(self, longest: int = LONGEST_ANSWER) -> None:
        self._longest = longest
        self._held = bytearray()

    def clear(self) -> None:
        self._held.clear()

    def feed(self, data: bytes) -> Iterator[Frame]:
        held = self._held
        held += data
        while True:
            start = held.find(SYNC)
            if start < 0:
                held.clear()
                return
            del held[:start]
            if len(held) < 2:
                return
            if held[1] > self._longest:
                del held[0]
                continue
            size = held[1] + OVERHEAD
            if len(held) < size:
                return
            body, check = bytes(held[1 : size - 4]), bytes(held[size - 4 : size])
            if zlib.crc32(body).to_bytes(4, "little") != check:
                del held[0]
                continue
            del held[:size]
            yield Frame(body[1], body[2], body[3:])


@dataclass(frozen=True)
class Answer:
    """What every answer says: yes or no, and how often each button was pressed, modulo 16."""

    said: int
    presses: tuple[int, int]
    rest: bytes

    @staticmethod
    def of(frame: Frame) -> Answer | None:
        if len(frame.payload) < 2:
            return None
        said, presses = frame.payload[:2]
        return Answer(said, (presses & 15, presses >> 4), frame.payload[2:])


@dataclass(frozen=True)
class Greeting:
    """What the controller is: the answer to a greeting."""

    protocol: int
    firmware: tuple[int, int]
    leds: int
    payload: int
    rhythms: int
    milliamps: int
    cause: str
    patience: float  # seconds of silence after which it goes dark

    @staticmethod
    def of(answer: Answer) -> Greeting:
        layout = "<BBBHBBHBH"
        protocol = answer.rest[0] if answer.rest else 0
        if protocol > VERSION:
            raise FirmwareMismatchError(
                f"the lights' controller speaks protocol {protocol}, this program {VERSION}: "
                "the controller is too new; update this program"
            )
        if protocol < VERSION or len(answer.rest) < struct.calcsize(layout):
            raise FirmwareMismatchError(
                f"the lights' controller speaks protocol {protocol}, this program {VERSION}: "
                "the controller is too old; renew it with `arbitre lights flash`"
            )
        _, major, minor, leds, payload, rhythms, milliamps, why, patience = struct.unpack_from(
            layout, answer.rest
        )
        return Greeting(
            protocol,
            (major, minor),
            leds,
            payload,
            rhythms,
            milliamps,
            cause(why),
            patience / 1000,
        )


@dataclass(frozen=True)
class Stats:
    """What the controller has counted since it started (the first eight modulo 65536)."""

    good: int
    crc: int
    resync: int
    overrun: int
    framing: int
    full: int
    repeated: int
    refused: int
    shown: int
    uptime: float
    milliamps: int
    cause: str

    @staticmethod
    def of(answer: Answer) -> Stats:
        layout = "<8HIIHB"
        if len(answer.rest) < struct.calcsize(layout):
            raise FirmwareMismatchError(
                "the lights' controller counts too little; renew it with `arbitre lights flash`"
            )
        fields = struct.unpack_from(layout, answer.rest)
        good, crc, resync, overrun, framing, full, repeated, refused, shown, ticks = fields[:10]
        return Stats(
            good=good,
            crc=crc,
            resync=resync,
            overrun=overrun,
            framing=framing,
            full=full,
            repeated=repeated,
            refused=refused,
            shown=shown,
            uptime=ticks * LIMITS["TICK_US"] / 1e6,
            milliamps=fields[10],
            cause=cause(fields[11]),
        )


def setup(leds: int, brightness: int, milliamps: int) -> bytes:
    return struct.pack("<BBH", leds - 1, brightness, milliamps)
