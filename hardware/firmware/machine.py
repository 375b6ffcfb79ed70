"""A controller on the desk: the real binary in lockstep, one virtual cycle after the other."""

from __future__ import annotations

import ctypes
import struct
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from hardware.firmware.build import BuildError, built, symbols
from hardware.firmware.limits import CLOCK

POWER_ON, RESET_LINE, BROWN_OUT, WATCHDOG = 1, 2, 4, 8
RGB = tuple[int, int, int]


class _Report(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("cycle", "latched", "fell")] + [
        (name, ctypes.c_uint32)
        for name in (
            *("latches", "bad_high", "bad_low", "bad_gap", "torn", "longest_gap"),
            *("lost", "deaf", "garbled", "unmodelled"),
            *("resets", "watchdog_resets", "state", "sending"),
        )
    ]


@dataclass(frozen=True)
class Report:
    """What the emulated chip and its chain of LEDs have been through."""

    cycle: int
    latched: float  # seconds: when the last picture became visible
    latches: int
    bad_timing: int  # bits no strip has to understand
    bad_gaps: int  # pauses that some strips take for a latch
    torn: int  # latches in the middle of an LED
    longest_gap_us: float
    overruns: int  # bytes the chip lost because nobody fetched them
    deaf: int
    garbled: int
    unmodelled: int
    resets: int
    watchdog_resets: int
    sending: int  # bytes of the host still on the line


@cache
def _library() -> ctypes.CDLL:
    try:
        library = ctypes.CDLL(str(built("emulator.so")))
    except OSError as error:
        raise BuildError(f"cannot load the emulator: {error}") from None
    handle, u8, u32, u64 = ctypes.c_void_p, ctypes.c_uint8, ctypes.c_uint32, ctypes.c_uint64
    for name, result, arguments in (
        ("new", handle, [ctypes.c_char_p, u32]),
        ("free", None, [handle]),
        ("reset", None, [handle, u8, u32]),
        ("run", ctypes.c_int, [handle, u64, u32, u32]),
        ("cycle", u64, [handle]),
        ("send", None, [handle, ctypes.c_char_p, u32]),
        ("take", u32, [handle, ctypes.c_char_p, u32]),
        ("waiting", u32, [handle]),
        ("drop", None, [handle]),
        ("baud", None, [handle, u32]),
        ("button", None, [handle, ctypes.c_int, ctypes.c_int]),
        ("untouched", u32, [handle, ctypes.c_uint16]),
        ("peek", None, [handle, ctypes.c_uint16, ctypes.c_char_p, u32]),
        ("picture", None, [handle, ctypes.c_char_p]),
        ("hang", None, [handle]),
        ("report", None, [handle, ctypes.POINTER(_Report)]),
    ):
        function = getattr(library, f"machine_{name}")
        function.restype, function.argtypes = result, arguments
    return library


class Machine:
    """An Arduino Nano with a chain of LEDs. Its time passes only while `run` does."""

    def __init__(self, firmware: str | Path = "lights.hex", leds: int = 256) -> None:
        path = firmware if isinstance(firmware, Path) else built(firmware)
        self.firmware = path.with_suffix(".elf").name
        self._library = _library()
        self._machine = self._library.machine_new(str(path).encode(), leds)
        if not self._machine:
            raise BuildError(f"the emulator cannot run {path} with {leds} LEDs")
        self.leds = leds
        self._room = ctypes.create_string_buffer(max(4096, 3 * leds))

    def close(self) -> None:
        if self._machine:
            self._library.machine_free(self._machine)
            self._machine = None

    def __enter__(self) -> Machine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def now(self) -> float:
        return int(self._library.machine_cycle(self._machine)) / CLOCK

    def run(self, seconds: float, *, bytes_: int = 0, latches: int = 0) -> None:
        """Lets time pass, at most until the host has so many bytes or the chain so many latches."""
        until = self._library.machine_cycle(self._machine) + max(1, round(seconds * CLOCK))
        if not self._library.machine_run(self._machine, until, bytes_, latches):
            raise BuildError("the emulated program has crashed")

    def send(self, data: bytes) -> None:
        self._library.machine_send(self._machine, data, len(data))

    def take(self, most: int) -> bytes:
        count = self._library.machine_take(self._machine, self._room, min(most, len(self._room)))
        return self._room.raw[:count]

    def waiting(self) -> int:
        return int(self._library.machine_waiting(self._machine))

    def drop(self) -> None:
        """What is on the line in either direction never arrives."""
        self._library.machine_drop(self._machine)

    def baud(self, rate: int) -> None:
        self._library.machine_baud(self._machine, rate)

    def press(self, button: int, down: bool) -> None:
        self._library.machine_button(self._machine, button, down)

    def reset(self, cause: int = RESET_LINE, bootloader: float = 0.0) -> None:
        self._library.machine_reset(self._machine, cause, round(bootloader * CLOCK))

    def hang(self) -> None:
        """As if the program had run wild with interrupts off."""
        self._library.machine_hang(self._machine)

    def picture(self) -> tuple[RGB, ...]:
        """What the LEDs show: the last latched picture."""
        self._library.machine_picture(self._machine, self._room)
        raw = self._room.raw
        return tuple((raw[n], raw[n + 1], raw[n + 2]) for n in range(0, 3 * self.leds, 3))

    def raw_picture(self) -> bytes:
        """The same as bytes: red, green, blue of each LED."""
        self._library.machine_picture(self._machine, self._room)
        return self._room.raw[: 3 * self.leds]

    def peek(self, address: int, count: int) -> bytes:
        """What stands in the chip's memory this very moment."""
        self._library.machine_peek(self._machine, address, self._room, count)
        return self._room.raw[:count]

    def words(self, symbol: str, count: int) -> tuple[int, ...]:
        """So many sixteen-bit numbers of the program's, by the name of the variable."""
        return struct.unpack(f"<{count}H", self.peek(symbols(self.firmware)[symbol], 2 * count))

    def ram_used(self, static: int) -> int:
        """Static bytes and the deepest the stack has been."""
        size = 2048
        return size - int(self._library.machine_untouched(self._machine, 0x100 + static))

    def report(self) -> Report:
        raw = _Report()
        self._library.machine_report(self._machine, ctypes.byref(raw))
        return Report(
            cycle=raw.cycle,
            latched=raw.latched / CLOCK,
            latches=raw.latches,
            bad_timing=raw.bad_high + raw.bad_low,
            bad_gaps=raw.bad_gap,
            torn=raw.torn,
            longest_gap_us=raw.longest_gap * 1e6 / CLOCK,
            overruns=raw.lost,
            deaf=raw.deaf,
            garbled=raw.garbled,
            unmodelled=raw.unmodelled,
            resets=raw.resets,
            watchdog_resets=raw.watchdog_resets,
            sending=raw.sending,
        )
