"""Where the lights are: ports that look like a controller, found again by what they are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import serial
from serial.tools import list_ports

from firmware_bridge.drivers import Adalight, Dark, Driver, Own, Settings
from firmware_bridge.errors import PortMissingError
from firmware_bridge.known import KNOWN
from firmware_bridge.link import BROKEN, FIRST_BAUD, Clock, Port, WallClock
from firmware_bridge.trouble import port_trouble

serial.protocol_handler_packages.append("firmware_bridge")  # emulator://

READ_TIMEOUT = 0.02
WRITE_TIMEOUT = 1.0  # a hung adapter takes no more bytes


class PortError(ValueError):
    """A description of a port that makes no sense."""


@dataclass(frozen=True)
class Found:
    """A serial port there is."""

    path: str
    identity: str  # usb:1a86:7523 or usb:0403:6001:A50285BI; empty where it is no USB
    what: str

    @property
    def likely(self) -> bool:
        return any(self.identity.startswith(f"usb:{v:04x}:{p:04x}") for v, p in KNOWN)


def _identity(vid: int | None, pid: int | None, number: str | None) -> str:
    if vid is None or pid is None:
        return ""
    return f"usb:{vid:04x}:{pid:04x}" + (f":{number}" if number else "")


def found() -> tuple[Found, ...]:
    """All serial ports, likely ones first."""
    ports = [
        Found(
            port.device,
            _identity(port.vid, port.pid, port.serial_number),
            KNOWN.get((port.vid or 0, port.pid or 0), port.description or ""),
        )
        for port in list_ports.comports()
    ]
    return tuple(sorted(ports, key=lambda port: (not port.likely, port.path)))


def named(port: Found, name: str) -> bool:
    """Whether `usb:VID:PID`, with its serial number or without, means this port."""
    return f"{port.identity.lower()}:".startswith(f"{name}:")


class Place:
    """A port by path, by USB identity or just any likely one; remembers what it was."""

    def __init__(
        self,
        name: str,
        look: Callable[[], tuple[Found, ...]] = found,
        connect: Callable[..., Port] = serial.serial_for_url,
    ) -> None:
        self.name, self._look, self._connect = name, look, connect
        self._was = ""  # the identity of the port that was used last
        self._at = ""  # and its path

    def path(self) -> str:
        if "://" in self.name:
            return self.name
        ports = self._look()
        if self.name == "auto":
            candidates = [port for port in ports if port.likely]
            known = [port for port in candidates if port.identity == self._was]
            known.sort(key=lambda port: port.path != self._at)
            if not candidates:
                raise PortMissingError(
                    "no lights' controller is plugged in (no known USB serial board); "
                    "`arbitre lights find` lists what there is"
                )
            return self._remember((known or candidates)[0])
        if self.name.startswith("usb:"):
            wanted = self.name.lower()
            for port in sorted(ports, key=lambda port: port.path != self._at):
                if named(port, wanted):
                    return self._remember(port)
            raise PortMissingError(
                f"nothing like {self.name} is plugged in; `arbitre lights find` lists what there is"
            )
        there = next((port for port in ports if port.path == self.name), None)
        if there is not None and there.identity == self._was:
            return there.path
        moved = [port.path for port in ports if self._was and port.identity == self._was]
        if moved:  # plugged in again, it may have a new name, and another its old one
            return moved[0]
        return self.name if there is None else self._remember(there)

    def only(self) -> str:
        """The path where there is one candidate alone; PortError names them where there are more.

        For what cannot be undone, such as writing another program onto a board.
        """
        wanted = self.name.lower()
        fitting = [
            port.path
            for port in self._look()
            if (port.likely if wanted == "auto" else named(port, wanted))
        ]
        if len(fitting) > 1:
            raise PortError(f"which one? {', '.join(fitting)} could be meant: say --serial PATH")
        return self.path()

    def _remember(self, port: Found) -> str:
        self._was, self._at = port.identity, port.path
        return port.path

    def open(self) -> Port:
        path = self.path()
        try:
            return self._connect(
                path,
                baudrate=FIRST_BAUD,
                timeout=READ_TIMEOUT,
                write_timeout=WRITE_TIMEOUT,
                exclusive=True,
            )
        except (*BROKEN, ValueError) as error:
            raise port_trouble(path, error) from None


def clock_of(port: Port) -> Clock:
    """An emulated port brings its own time."""
    return port if isinstance(port, Clock) else WallClock()


def driver(name: str, settings: Settings) -> Driver:
    """`none`, `auto`, a path, `usb:VID:PID[:SERIAL]`, `emulator://`; `wled:` before it for WLED."""
    if name in ("", "none"):
        return Dark()
    kind, _, rest = name.partition(":")
    if kind == "wled":
        if not rest:
            raise PortError('"wled:" wants a port after it, such as wled:/dev/ttyUSB0')
        return Adalight(Place(rest).open, settings, clock_of)
    return Own(Place(name).open, settings, clock_of)
