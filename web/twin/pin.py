"""The lights of the virtual table: our firmware in the emulator, and what its pin shows."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from serial import SerialException

from firmware_bridge.drivers import Driver, Own, Settings
from firmware_bridge.errors import LightsError
from firmware_bridge.faults import MachineClock
from firmware_bridge.link import Port
from firmware_bridge.picture import Picture as Lights
from firmware_bridge.protocol_emulator import Serial
from hardware.boards import Board
from hardware.firmware.build import BuildError
from hardware.firmware.machine import RGB, Machine, Report

LONGEST = 0.5  # seconds the controller's clock catches up at once


class NotBuiltError(LightsError):
    """The controller cannot be emulated here: packages are missing."""

    word = "not-built"


class SharedMachine(Machine):
    """A machine that two threads use: the lights' own, and the camera that looks at them."""

    def __init__(self, leds: int) -> None:
        self.lock = threading.RLock()
        super().__init__(leds=leds)

    def run(self, seconds: float, *, bytes_: int = 0, latches: int = 0) -> None:
        with self.lock:
            super().run(seconds, bytes_=bytes_, latches=latches)

    def send(self, data: bytes) -> None:
        with self.lock:
            super().send(data)

    def take(self, most: int) -> bytes:
        with self.lock:
            return super().take(most)

    def waiting(self) -> int:
        with self.lock:
            return super().waiting()

    def picture(self) -> tuple[RGB, ...]:
        with self.lock:
            return super().picture()

    def report(self) -> Report:
        with self.lock:
            return super().report()

    def close(self) -> None:
        with self.lock:
            super().close()


class Wire(Serial):
    """The cable to it, which somebody may pull."""

    def __init__(self, pin: Pin, machine: Machine) -> None:
        self._pin = pin
        pin.check()
        super().__init__("emulator://", timeout=0.02, machine=machine)

    def read(self, size: int = 1) -> bytes:
        self._pin.check()
        return super().read(size)

    def write(self, data: Any) -> int:
        self._pin.check()
        return super().write(data)


class Pin:
    """One board's chain of LEDs behind an emulated controller, in real time."""

    def __init__(self, board: Board, clock: Callable[[], float] = time.monotonic) -> None:
        self.board = board
        self.plugged = True
        self._clock = clock
        self._machine: SharedMachine | None = None
        self._own: Own | None = None
        self._lock = threading.Lock()
        self._looked = clock()

    def check(self) -> None:
        if not self.plugged:
            raise SerialException("the cable of the virtual table's lights is pulled out")

    def driver(self, settings: Settings) -> Driver:
        self._own = Own(self._open, settings, self._time_of)
        return self._own

    @property
    def shows(self) -> Lights | None:
        """What the controller was told to show, whatever its rhythms make of it at this moment."""
        return None if self._own is None else self._own.shows

    def _time_of(self, port: Port) -> MachineClock:
        return MachineClock(self._made())

    def _open(self) -> Port:
        self.check()
        try:
            return Wire(self, self._made())
        except BuildError as error:
            raise NotBuiltError(f"no virtual lights: {error}") from None

    def _made(self) -> SharedMachine:
        with self._lock:  # building the firmware for the first time takes seconds
            if self._machine is None:
                self._machine = SharedMachine(max(1, self.board.lights))
            return self._machine

    def shining(self) -> dict[str, RGB]:
        """The colours the LEDs show now, by cell; the controller's clock goes on meanwhile."""
        machine, now = self._machine, self._clock()
        passed, self._looked = now - self._looked, now
        if machine is None:
            return {}
        machine.run(max(1e-6, min(LONGEST, passed)))
        shown = machine.picture()
        return {
            cell.id: shown[cell.led]
            for cell in self.board.cells
            if cell.led is not None and any(shown[cell.led])
        }

    def close(self) -> None:
        with self._lock:
            if self._machine is not None:
                self._machine.close()
                self._machine = None
