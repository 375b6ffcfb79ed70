"""What the page may ask of an installed computer: its own network on or off, and to switch off."""

from __future__ import annotations

import io
import logging
import os
import subprocess
import tomllib
from dataclasses import dataclass

import segno
from segno import helpers

from web.machine.computer import Computer
from web.machine.units import CONNECTION, GATEWAY, HOTSPOT, STATE, Wifi

log = logging.getLogger(__name__)

SERVICE = "ARBITRE_SERVICE"  # set by our own systemd unit
WANTED = f"{STATE}/own-network"  # there while the table's own network is to be open
SLOW = 30.0  # seconds a network may take to come up


class LeverError(Exception):
    """The system did not do it; says why."""


@dataclass(frozen=True)
class Levers:
    """Only where the table was installed as a service; elsewhere there are none."""

    computer: Computer

    @property
    def there(self) -> bool:
        return bool(os.environ.get(SERVICE))

    @property
    def wifi(self) -> Wifi | None:
        """The table's own network, where one was prepared."""
        try:
            told = tomllib.loads(self.computer.text(HOTSPOT))
            return Wifi(str(told["name"]), str(told["password"]))
        except (tomllib.TOMLDecodeError, KeyError):
            return None

    @property
    def hotspot_on(self) -> bool:
        shown = ("-t", "-f", "NAME", "connection", "show", "--active")
        return CONNECTION in (self.computer.ask("nmcli", *shown) or "").splitlines()

    def hotspot(self, on: bool) -> None:
        """The house's network goes while the table's own is on: there is one radio."""
        self._do("nmcli", "--wait", "20", "connection", "up" if on else "down", CONNECTION)
        wanted = self.computer.file(WANTED)
        try:
            if on:
                wanted.parent.mkdir(parents=True, exist_ok=True)
                wanted.touch()
            else:
                wanted.unlink(missing_ok=True)
        except OSError as error:
            log.warning("after a restart the table's own network will be as before: %s", error)

    def resume(self) -> None:
        """Open the table's own network again if it was open when the power went."""
        if self.there and self.computer.there(WANTED) and not self.hotspot_on:
            try:
                self.hotspot(True)
            except LeverError as error:
                log.warning("the table's own network does not open again: %s", error)

    def power(self, restart: bool = False) -> None:
        """The service is stopped in order first: the journal is closed, the lights go dark."""
        self._do("systemctl", "--no-wall", "reboot" if restart else "poweroff")

    def _do(self, name: str, *words: str) -> None:
        program = self.computer.program(name)
        if program is None:
            raise LeverError(f"{name} is not installed")
        try:
            done = subprocess.run(  # noqa: S603 - our own words
                [program, *words], capture_output=True, text=True, timeout=SLOW, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise LeverError(str(error)) from None
        if done.returncode:
            lines = done.stderr.strip().splitlines() or [f"{name} says no"]
            raise LeverError(lines[-1])


def wifi_code(wifi: Wifi) -> segno.QRCode:
    """A picture that takes a phone into the network."""
    return segno.make(wifi_words(wifi), error="m", micro=False)


def wifi_words(wifi: Wifi) -> str:
    return str(helpers.make_wifi_data(wifi.name, wifi.password, "WPA"))


def wifi_picture(wifi: Wifi) -> bytes:
    out = io.BytesIO()
    wifi_code(wifi).save(out, kind="svg", border=4, xmldecl=False, dark="#000", light="#fff")
    return out.getvalue()


def address(port: int) -> str:
    """Where the page is, inside the table's own network."""
    return f"http://{GATEWAY}" + ("" if port == 80 else f":{port}")
