"""`arbitre hotspot`: the table's own network, where the house's keeps phones apart."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from pathlib import Path

from hardware.parser import Parser
from web.machine.computer import Computer
from web.machine.doctor import configured
from web.machine.levers import LeverError, Levers, address, wifi_code
from web.machine.units import Wifi
from web.settings import ConfigError
from web.texts import Texts


def parser() -> Parser:
    words = Parser(
        prog="arbitre hotspot",
        description="The table's own network: on, off, or the picture that phones scan to join it.",
    )
    words.add_argument("what", nargs="?", choices=("on", "off", "show"), default="show")
    words.add_argument("--lang", choices=("fr", "en"), default="fr")
    words.add_argument("--root", type=Path, default=Path("/"), help="of another system's files")
    return words


def hotspot(argv: Sequence[str]) -> int:
    words = parser().parse_args(list(argv))
    computer = Computer(words.root.absolute())
    levers = Levers(computer)
    wifi = levers.wifi
    if wifi is None:
        print("arbitre hotspot: none was prepared; `make install` makes one", file=sys.stderr)
        return 2
    try:
        if words.what != "show":
            levers.hotspot(words.what == "on")
        if words.what != "off":
            print(shown(wifi, configured(computer, None, None).port, words.lang))
    except (LeverError, ConfigError) as error:
        print(f"arbitre hotspot: {error}", file=sys.stderr)
        return 2
    return 0


def shown(wifi: Wifi, port: int, lang: str) -> str:
    drawn = io.StringIO()
    wifi_code(wifi).terminal(out=drawn, compact=True)
    told = Texts(lang).say(
        "hotspot.told", name=wifi.name, password=wifi.password, url=address(port)
    )
    return f"{drawn.getvalue()}\n{told}"
