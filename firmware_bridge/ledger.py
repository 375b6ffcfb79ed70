"""What became of every frame: the controller heard it, or there is a fault to show for it.

A reset erases the controller's counters. So they are read from its memory before each one, and
the book goes on with the next life. Only a frame that a reset or a pull met on its way may have
been heard or not: those are counted as cut, one at most for each.
"""

from __future__ import annotations

from dataclasses import dataclass

from firmware_bridge.protocol import Stats
from hardware.firmware.machine import Machine

COUNTED = ("good", "crc", "resync", "overrun", "framing", "full")
ROUND = 65536
RECEIVER, RECEIVER_ON = 0xC1, 0x10  # UCSR0B: on once the program has cleared its counters


@dataclass(frozen=True)
class Counters:
    """The controller's own, as they stand in its memory."""

    good: int = 0
    crc: int = 0
    resync: int = 0
    overrun: int = 0
    framing: int = 0
    full: int = 0


@dataclass
class Written:
    """The frame that was written last."""

    damaged: bool
    counters: Counters
    line: int  # bytes the line has lost so far
    cut: bool = False


class Ledger:
    """Kept by the cable, frame by frame."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._open: Written | None = None
        self._lives = self._resyncs = 0  # good frames and lost threads of lives that are over
        self.frames = self.heard = self.damaged = 0
        self.off_line = 0  # at a rate the chip does not listen at, or while it starts
        self.cut = 0
        self.unexplained = 0

    def counters(self) -> Counters:
        if not self._machine.peek(RECEIVER, 1)[0] & RECEIVER_ON:
            return Counters()  # what stands there is of the life before
        return Counters(*self._machine.words("wire_counts", len(COUNTED)))

    def _line(self) -> int:
        report = self._machine.report()
        return (
            report.deaf + report.garbled
        )  # what the chip fetched too late is no fault of the line

    def write(self, damaged: bool) -> None:
        """A frame sets out; by now it is known what became of the one before."""
        self.settle()
        self.frames += 1
        self._open = Written(damaged, self.counters(), self._line())

    def pulled(self) -> None:
        """Bytes on the way are lost; the chip lives on and may have heard enough."""
        if self._open is not None:
            self._open.cut = True

    def before_reset(self) -> None:
        self.pulled()
        self.settle()
        last = self.counters()
        self._lives += last.good
        self._resyncs += last.resync

    def settle(self) -> None:
        """Enters the frame that was written last."""
        frame, self._open = self._open, None
        if frame is None:
            return
        now = self.counters()
        heard = (now.good - frame.counters.good) % ROUND
        lost = (now.resync - frame.counters.resync) % ROUND
        self.heard += heard
        self.damaged += frame.damaged
        if frame.cut:
            self.cut += 1
            self.unexplained += heard > (not frame.damaged)
        elif self._line() != frame.line:
            self.off_line += 1
            self.unexplained += heard > (not frame.damaged)
        else:
            self.unexplained += (heard, lost) != (int(not frame.damaged), int(frame.damaged))

    def close(self, told: Stats) -> int:
        """All that does not add up; `told` is what the controller has just said of itself."""
        self.settle()
        now = self.counters()
        self.unexplained += abs(self._lives + now.good - self.heard) % ROUND
        at_most = self.damaged + self.off_line + self.cut
        self.unexplained += max(0, self._resyncs + now.resync - at_most)
        self.unexplained += sum(getattr(now, name) != getattr(told, name) for name in COUNTED)
        return self.unexplained
