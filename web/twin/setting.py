"""The whole virtual table as the running program holds it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from time import sleep

from referee.game import Sight
from web.house import House
from web.reception import Reception
from web.settings import Config
from web.sources import Remark, Sources
from web.twin.demo import Demo
from web.twin.hands import Hands
from web.twin.table import TwinCamera, TwinTables, VirtualTable


@dataclass
class Setting:
    """Table, camera, players, and what people have done to them."""

    table: VirtualTable
    camera: TwinCamera
    demo: Demo
    hands: Hands = field(default_factory=lambda: Hands(sleep, 0.4))
    lamp: str = "day"
    knocked: bool = False

    def later(self, seconds: float, act: Callable[[], object]) -> None:
        timer = threading.Timer(seconds, act)
        timer.daemon = True
        timer.start()


def virtual_sources(config: Config, house: House) -> tuple[VirtualTable, TwinCamera, Sources]:
    """A camera, lights and calibrations where there are none."""

    def expected(board: str) -> Sight | None:
        table = house.now.table
        played = table is not None and table.match.setup.board == board
        return table.expected if table is not None and played else None

    table = VirtualTable(config.brightness, config.milliamps, expected)
    camera = TwinCamera(table)
    tables = TwinTables(table, config.data / "twin")
    remarks = (Remark("play.twin"),)
    return table, camera, Sources(tables, tables.board, camera, table.driver, tables, remarks)


def players(
    house: House, table: VirtualTable, camera: TwinCamera, rooms: Reception, first: str
) -> Setting:
    """The demonstration at this table; it is not started."""

    def held(seat: str) -> bool:
        return bool(rooms.chairs.holders(seat))

    def choosing() -> bool:
        return any("host" in pages for pages in rooms.hub.pages().values())

    return Setting(table, camera, Demo(house, table, held, first=first, choosing=choosing))
