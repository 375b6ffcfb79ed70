"""A bad cable to an emulated controller: bytes damaged, cable pulled, controller reset, by dice."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from serial import SerialException

from firmware_bridge.ledger import Ledger
from firmware_bridge.protocol import FrameReader
from firmware_bridge.protocol_emulator import Serial
from hardware.firmware.machine import BROWN_OUT, POWER_ON, RESET_LINE, WATCHDOG, Machine


@dataclass
class Injected:
    """What the cable did, to compare with what both ends counted."""

    frames: int = 0  # requests written
    frames_hit: int = 0
    bytes_hit: int = 0
    refused: int = 0  # requests that a cable out of its socket did not take
    answers: int = 0  # answers that left the controller whole
    pulled: int = 0
    resets: int = 0


class MachineClock:
    """The controller's own time, there even while no port is open."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def now(self) -> float:
        return self._machine.now

    def sleep(self, seconds: float) -> None:
        self._machine.run(seconds)


class Cable:
    """Between the host and one machine. `errors`: share of bytes damaged; `trouble`: mean seconds
    between two times that somebody trips over the cable or the controller starts anew."""

    def __init__(
        self, machine: Machine, dice: random.Random, errors: float = 0.0, trouble: float = 0.0
    ) -> None:
        self.machine, self.dice, self.errors, self.trouble = machine, dice, errors, trouble
        self.injected = Injected()
        self.ledger = Ledger(machine)
        self._clean = FrameReader()
        self._out_until = 0.0
        self._next = self._later()
        self._good_bytes = self._until_hit()

    def _later(self) -> float:
        if not self.trouble:
            return float("inf")
        return self.machine.now + self.dice.expovariate(1 / self.trouble)

    def _until_hit(self) -> int:
        return int(self.dice.expovariate(self.errors)) if self.errors else 1 << 62

    def damaged(self, data: bytes) -> bytes:
        if self._good_bytes >= len(data):
            self._good_bytes -= len(data)
            return data
        out, at = bytearray(data), self._good_bytes
        while at < len(out):
            out[at] ^= self.dice.randrange(1, 256)
            self.injected.bytes_hit += 1
            at += 1 + self._until_hit()
        self._good_bytes = at - len(out)
        return bytes(out)

    def outgoing(self, data: bytes) -> bytes:
        sent = self.damaged(data)
        self.injected.frames += 1
        self.injected.frames_hit += sent != data
        self.ledger.write(sent != data)
        return sent

    def incoming(self, data: bytes) -> bytes:
        self.injected.answers += sum(1 for _ in self._clean.feed(data))
        return self.damaged(data)

    def heal(self) -> None:
        """From now on a good cable."""
        self.errors = self.trouble = 0.0
        self._next = self._later()
        self._good_bytes = self._until_hit()

    def pull(self, seconds: float) -> None:
        """Out of its socket for so long; the controller has a supply of its own."""
        self.injected.pulled += 1
        self._out_until = self.machine.now + seconds
        self.ledger.pulled()
        self.machine.drop()

    def reset(self, cause: int) -> None:
        """The controller starts anew, and forgets what it has counted."""
        self.ledger.before_reset()
        self.machine.reset(cause)

    def check(self) -> None:
        """Whatever happens now, happens; raises while the cable is out."""
        machine = self.machine
        if machine.now >= self._next:
            self._next = self._later()
            if self.dice.random() < 0.5:
                self.injected.resets += 1
                self.reset(self.dice.choice((RESET_LINE, BROWN_OUT, WATCHDOG)))
            else:
                self.pull(self.dice.uniform(0.01, 2.0))
                if self.dice.random() < 0.5:
                    self.reset(POWER_ON)
        if machine.now < self._out_until:
            raise SerialException("device disconnected")


class BadSerial(Serial):
    """A port at the end of a bad cable."""

    def __init__(self, cable: Cable, baudrate: int = 115200, timeout: float = 0.02) -> None:
        self._cable = cable
        super().__init__("emulator://", baudrate, timeout=timeout, machine=cable.machine)

    def open(self) -> None:
        self._cable.check()
        self._cable.ledger.before_reset()  # opening a port resets the board
        super().open()

    def read(self, size: int = 1) -> bytes:
        self._cable.check()
        return self._cable.incoming(super().read(size))

    def write(self, data: Any) -> int:
        try:
            self._cable.check()
        except SerialException:
            self._cable.injected.refused += 1
            raise
        super().write(self._cable.outgoing(bytes(data)))
        return len(data)
