"""pyserial's view of an emulated controller: `emulator://?leds=200` is a port like any other.

Time passes in it only while somebody reads: a second of waiting takes a millisecond.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

from serial import PortNotOpenError, SerialException
from serial.serialutil import SerialBase

from hardware.firmware.build import BuildError
from hardware.firmware.machine import RESET_LINE, Machine

BOOTLOADER = 1.0  # how long it listens after a reset before it starts the program


class Serial(SerialBase):  # type: ignore[misc]  # pyserial looks a port up by this name
    """A cable to an emulated controller, whose clock is the controller's."""

    def __init__(self, *args: Any, machine: Machine | None = None, **kwargs: Any) -> None:
        self.machine = machine
        self._ours = machine is None
        super().__init__(*args, **kwargs)

    def _made(self) -> Machine:
        asked = parse_qs(urlsplit(self.port or "").query)
        try:
            leds = int(asked.get("leds", ["256"])[0])
            return Machine(asked.get("firmware", ["lights"])[0] + ".hex", leds)
        except (ValueError, BuildError) as error:
            raise SerialException(f"no emulated lights: {error}") from None

    def open(self) -> None:
        if self.machine is None:
            self.machine = self._made()
        self.is_open = True
        self._reconfigure_port()
        self.machine.drop()
        self.machine.reset(RESET_LINE, BOOTLOADER)  # opening a port pulls DTR

    def close(self) -> None:
        self.is_open = False
        if self._ours and self.machine is not None:
            self.machine.close()
            self.machine = None

    def _open(self) -> Machine:
        if not self.is_open or self.machine is None:
            raise PortNotOpenError()
        return self.machine

    def _reconfigure_port(self) -> None:
        self._open().baud(self.baudrate)

    def now(self) -> float:
        return self._open().now

    def sleep(self, seconds: float) -> None:
        self._open().run(seconds)

    @property
    def in_waiting(self) -> int:
        return self._open().waiting()

    def read(self, size: int = 1) -> bytes:
        machine = self._open()
        if machine.waiting() < size:
            machine.run(3600.0 if self.timeout is None else self.timeout, bytes_=size)
        return machine.take(size)

    def write(self, data: Any) -> int:
        self._open().send(bytes(data))
        return len(data)

    def flush(self) -> None:
        machine = self._open()
        while machine.report().sending:
            machine.run(0.001)

    def reset_input_buffer(self) -> None:
        machine = self._open()
        machine.take(machine.waiting())

    def reset_output_buffer(self) -> None:
        self._open()

    def _update_dtr_state(self) -> None:
        pass

    def _update_rts_state(self) -> None:
        pass

    def _update_break_state(self) -> None:
        pass
