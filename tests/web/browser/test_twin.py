"""The virtual table's page in a real browser: pieces dragged with a pointer, things pulled out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import axe_playwright_python
import pytest
from playwright.sync_api import Browser

from web.app import create_app
from web.chance import Chance
from web.house import House
from web.opening import opening
from web.owner import Owner
from web.reception import Reception
from web.serving import Server
from web.settings import Config
from web.twin.setting import Setting, players, virtual_sources

AXE = Path(axe_playwright_python.__file__).parent / "axe.min.js"


@dataclass
class Shown:
    page: Any
    setting: Setting
    faults: list[str]

    def middle(self, selector: str) -> tuple[float, float]:
        box = self.page.locator(selector).first.bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.fixture
def shown(browser: Browser, tmp_path: Path) -> Iterator[Shown]:
    """The page over a table with one picture taken of it."""
    house = House(Owner(Chance())).start()
    table, camera, _ = virtual_sources(Config(tmp_path), house)
    app = create_app(house, Config(tmp_path))
    rooms: Reception = app.extensions["arbitre"]
    setting = players(house, table, camera, rooms, "tijou")
    app.extensions["arbitre-twin"] = setting
    house.say(opening({"game": "tijou", "mode": "phone"}, rooms.chance, camera=True))
    camera.frame()
    server = Server(app, "127.0.0.1", 0).start()
    context = browser.new_context(viewport={"width": 1200, "height": 900}, locale="fr")
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda one: faults.append(one.text) if one.type == "error" else None)
    page.goto(server.url + "/")
    page.goto(server.url + "/twin")
    page.wait_for_selector("use[data-on='ac1']")
    yield Shown(page, setting, faults)
    context.close()
    server.stop()
    house.stop()


def test_a_pawn_is_dragged_with_a_hand_in_the_picture(shown: Shown) -> None:
    page, desk = shown.page, shown.setting.table.desk
    x, y = shown.middle("use[data-on='ac1']")
    to = shown.middle("[data-cell='5']")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move((x + to[0]) / 2, (y + to[1]) / 2, steps=4)
    page.mouse.move(*to, steps=4)
    with page.expect_response("**/api/twin/move") as answered:
        page.mouse.up()
    assert answered.value.status == 200
    assert desk.standing()["5"] == ("red",)
    assert "ac1" not in desk.standing()
    assert desk.now.hand is not None
    page.wait_for_selector("use[data-on='5']")
    page.wait_for_function("() => document.getElementById('eye').naturalWidth === 880")
    assert shown.faults == []


def test_a_pawn_is_moved_by_name_and_put_right_again(shown: Shown) -> None:
    page, desk = shown.page, shown.setting.table.desk
    page.select_option("#from", label="Bleu, le camp")
    page.select_option("#to", label="case 17")
    page.click("#by-name button")
    page.wait_for_selector("use[data-on='17']")
    assert desk.standing()["17"] == ("blue",)
    page.click("[data-do=tidy]")
    page.wait_for_function("() => !document.querySelector(\"use[data-on='17']\")")
    assert sorted(cell for cell, names in desk.standing().items() if names == ("blue",)) == [
        "bc1", "bc2", "bc3"]  # fmt: skip
    page.click("[data-do=clear]")
    page.wait_for_function("() => !document.querySelector('use[data-on]')")
    assert desk.standing() == {}
    page.click("[data-do=camps]")
    page.wait_for_selector("use[data-on='ac3']")
    assert shown.faults == []


def test_plugs_lamps_and_axe(shown: Shown) -> None:
    page = shown.page
    page.uncheck("[data-plug=camera]")
    page.select_option("#lamp", "evening")
    page.wait_for_function("() => document.getElementById('lamp').value === 'evening'")
    assert page.locator("#die").is_hidden()  # Tijou is played with cards
    assert not shown.setting.camera.plugged
    page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("async () => (await axe.run()).violations")
    assert [(one["id"], one["nodes"][0]["html"][:90]) for one in found] == []
    assert shown.faults == []
