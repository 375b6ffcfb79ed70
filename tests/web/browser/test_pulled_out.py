"""Things pulled out while somebody plays: the phone says so in words, and goes on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from firmware_bridge.errors import LinkLostError
from firmware_bridge.picture import Picture
from hardware import boards
from hardware.boards import Board
from referee import events
from vision.cameras import Steady
from web.app import create_app
from web.chance import Chance
from web.eyes import Eyes
from web.house import House
from web.journal import Journal
from web.lamps import Lamps
from web.opening import opening
from web.owner import Owner
from web.presence import Presence
from web.reception import Fittings
from web.serving import Server
from web.settings import Config
from web.twin.setting import virtual_sources
from web.twin.table import TwinCamera


@dataclass
class Cable:
    """Lights at the end of a cable that may be pulled."""

    leds: int
    pulled: bool = False
    pace: float = 0.01

    def open(self) -> str:
        if self.pulled:
            raise LinkLostError("the cable is pulled out")
        return "lights at a cable"

    def show(self, picture: Picture) -> None:
        self.open()

    def idle(self) -> tuple[int, int]:
        self.open()
        return (0, 0)

    def close(self) -> None: ...


@dataclass
class Here:
    """A phone that holds a seat, and what may be pulled out of its table."""

    page: Any
    house: House
    eyes: Eyes
    camera: TwinCamera
    cables: list[Cable]

    def unwell(self, words: str) -> None:
        self.page.wait_for_function(
            "w => (document.querySelector('#head .unwell')?.innerText ?? '').includes(w)", arg=words
        )

    def well(self) -> None:
        self.page.wait_for_selector("#head .unwell", state="detached")


@pytest.fixture
def here(browser: Browser, tmp_path: Path) -> Iterator[Here]:
    house = House(Owner(Chance(), lambda: Journal.open(tmp_path / "journal.sqlite"))).start()
    config = Config(tmp_path)
    _, camera, sources = virtual_sources(config, house)
    cables: list[Cable] = []

    def cable(board: Board) -> Cable:
        cables.append(Cable(board.lights))
        return cables[-1]

    eyes = Eyes(Steady(camera, sleep=lambda seconds: None), house, sources.tables)
    lamps = Lamps(cable, boards.board, on_status=house.nudge)
    server = Server(create_app(house, config, Fittings(eyes, lamps)), "127.0.0.1", 0).start()
    house.say(opening({"game": "tijou", "mode": "phone"}, Chance(), camera=False))
    context = browser.new_context(viewport={"width": 390, "height": 844}, locale="fr")
    page = context.new_page()
    page.set_default_timeout(60000)  # for a busy machine: no test waits so long
    page.goto(server.url + "/")
    page.click(".place[data-seat='a']")
    page.wait_for_selector("#game[data-shows=game]")
    yield Here(page, house, eyes, camera, cables)
    context.close()
    server.stop()
    lamps.stop()
    house.stop()


def test_the_lights(here: Here) -> None:
    here.well()
    here.cables[0].pulled = True
    here.unwell("Lumières éteintes")
    here.cables[0].pulled = False
    here.well()


def test_the_camera(here: Here) -> None:
    here.camera.plugged = False
    here.eyes.step()
    here.unwell("ne voit plus")


def test_the_network(here: Here) -> None:
    here.page.wait_for_timeout(
        1000 * (Presence.SETTLED + 1)
    )  # there is no news that would be missed
    here.page.context.set_offline(True)
    here.page.wait_for_selector("#notes .note.warn")
    assert "ne répond pas" in here.page.inner_text("#notes")
    here.house.say(events.Lots(seat="a"))  # the others play on
    here.page.context.set_offline(False)
    here.page.wait_for_selector("#acts [data-key=deal]")
    here.page.wait_for_selector("#notes .note.warn", state="detached")


def test_room_on_the_disk(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr(here.house.journal, "_write", full)
        here.page.click("[data-key=lots]")
        here.unwell("Le disque est plein")
    here.page.wait_for_selector("#line p")
    here.house.say(events.Dealt(seat=dealer(here.house)))
    here.well()


def dealer(house: House) -> str:
    assert house.now.table is not None
    return house.now.table.match.dealer
