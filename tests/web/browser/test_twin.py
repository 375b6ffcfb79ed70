"""The virtual table's page in a real browser: pieces dragged with a pointer, things pulled out."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import axe_playwright_python
import pytest
from playwright.sync_api import Browser, Route, ViewportSize

from referee import events
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
    house: House
    faults: list[str]

    def middle(self, selector: str) -> tuple[float, float]:
        box = self.page.locator(selector).first.bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


Lay = Callable[..., Shown]
DESK: ViewportSize = {"width": 1200, "height": 900}


@pytest.fixture
def lay(browser: Browser, tmp_path: Path) -> Iterator[Lay]:
    """The page over a table of some game, with one picture taken of it."""
    ends: list[Callable[[], None]] = []

    def laid(game: str, size: ViewportSize = DESK, touch: bool = False) -> Shown:
        house = House(Owner(Chance(random.Random(3)))).start()
        table, camera, _ = virtual_sources(Config(tmp_path), house)
        app = create_app(house, Config(tmp_path))
        rooms: Reception = app.extensions["arbitre"]
        setting = players(house, table, camera, rooms, game)
        app.extensions["arbitre-twin"] = setting
        begun = house.say(opening({"game": game, "mode": "phone"}, rooms.chance, camera=True))
        setting.demo.lay(begun)
        camera.frame()
        server = Server(app, "127.0.0.1", 0).start()
        context = browser.new_context(viewport=size, locale="fr", has_touch=touch)
        ends.extend((house.stop, server.stop, context.close))
        page = context.new_page()
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda one: faults.append(one.text) if one.type == "error" else None)
        page.goto(server.url + "/")
        page.goto(server.url + "/twin")
        page.wait_for_selector("use[data-on]")
        return Shown(page, setting, house, faults)

    yield laid
    for end in reversed(ends):
        end()


@pytest.fixture
def shown(lay: Lay) -> Shown:
    return lay("tijou")


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


class Finger:
    """One that touches the page of a phone."""

    def __init__(self, page: Any) -> None:
        self.session = page.context.new_cdp_session(page)

    def touch(self, kind: str, *at: tuple[float, float]) -> None:
        points = [{"x": x, "y": y} for x, y in at]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def drag(self, start: tuple[float, float], *way: tuple[float, float]) -> None:
        self.touch("touchStart", start)
        for at in way:
            self.touch("touchMove", at)

    def let_go(self) -> None:
        self.touch("touchEnd")


class Mouse:
    def __init__(self, page: Any) -> None:
        self.mouse = page.mouse

    def drag(self, start: tuple[float, float], *way: tuple[float, float]) -> None:
        self.mouse.move(*start)
        self.mouse.down()
        for at in way:
            self.mouse.move(*at)

    def let_go(self) -> None:
        self.mouse.up()


POINTERS = [
    pytest.param({"width": 390, "height": 844}, Finger, id="phone"),
    pytest.param({"width": 1920, "height": 1080}, Mouse, id="desk"),
]


@pytest.mark.parametrize(("size", "pointer"), POINTERS)
def test_a_row_is_pushed_with_the_spare_tile(
    lay: Lay, size: ViewportSize, pointer: type[Finger] | type[Mouse]
) -> None:
    shown = lay("trikolos", size, touch=pointer is Finger)
    page, setting = shown.page, shown.setting
    desk = setting.table.desk
    desk.move("wc1", "c2")
    desk.move("bc1", "a2")
    page.wait_for_selector("use[data-on=c2]")
    page.locator("#board").scroll_into_view_if_needed()
    before, drawn = desk.standing(), setting.camera.drawn
    row = [before[f"{column}2"] for column in "abcdef"]
    spare, last = shown.middle("use[data-tile=spare]"), shown.middle("rect[data-cell=f2]")
    tile = last[0] - shown.middle("rect[data-cell=e2]")[0]
    edge = (last[0] + 0.5 * tile, last[1])
    hand = pointer(page)
    hand.drag(spare, (last[0] + tile, last[1]), edge)
    rides = "parseFloat(document.querySelector('use[data-on=c2]').style.translate)"
    page.wait_for_function(f"() => Math.abs({rides} + 25) < 1.5")  # half a tile, the pawn too
    with page.expect_response("**/api/twin/push") as answered:
        hand.let_go()
    assert answered.value.status == 200
    after = desk.standing()
    assert [after[f"{column}2"] for column in "abcde"] == row[1:]
    assert after["b2"][1:] == ("white",)
    assert after["spare"] == row[0][:1]
    assert after["f2"][0] == before["spare"][0]
    fallen = [cell for cell, names in after.items() if "black" in names and "c" not in cell[1:]]
    assert fallen[0] != "a2"  # who stood on the tile that fell out is put elsewhere
    page.wait_for_selector("use[data-on=b2]")
    assert page.evaluate("document.querySelector('use[data-on=b2]').style.translate") == ""
    setting.camera.frame()
    assert setting.camera.drawn > drawn
    assert shown.faults == []


def test_a_tile_that_is_let_go_elsewhere_lies_where_it_lay(lay: Lay) -> None:
    shown = lay("trikolos")
    page, desk = shown.page, shown.setting.table.desk
    before = desk.standing()
    spare, hand = shown.middle("use[data-tile=spare]"), Mouse(page)
    at = page.locator("use[data-tile=spare]").get_attribute("transform")
    slow: list[Route] = []
    page.route("**/api/twin/reach", lambda route: slow.append(route))
    hand.drag(spare, (spare[0], spare[1] - 60))
    with page.expect_response("**/api/twin/do"):
        hand.let_go()  # before the table has heard where the hand was
        for _ in range(1000):
            if slow:
                break
            page.wait_for_timeout(10)
        slow.pop().continue_()
    page.wait_for_function(
        "at => document.querySelector('use[data-tile=spare]').getAttribute('transform') === at",
        arg=at,
    )
    assert desk.standing() == before
    for _ in range(1000):  # until the hand that held it has left
        if desk.now.lying == before:
            break
        page.wait_for_timeout(10)
    assert desk.now.lying == before
    desk.take("c3")
    tile = page.locator("#from option[value^=spare]").get_attribute("value")
    page.select_option("#from", tile)
    page.select_option("#to", label="rangée 3")
    desk.take("a1")
    page.wait_for_function("() => !document.querySelector(\"#from option[value^='a1 ']\")")
    chosen = page.evaluate("() => ['from', 'to'].map((id) => document.getElementById(id).value)")
    assert chosen[0] == tile  # the board has changed, what somebody chose has not
    assert chosen[1] == page.locator("#to option", has_text="rangée 3").get_attribute("value")
    page.click("#by-name button")
    refused = page.locator("#news .note", has_text="rangée 3")
    refused.wait_for()
    shown.house.say(events.Camera(works=False))
    page.wait_for_function(
        "v => Number(document.body.dataset.version) >= v", arg=shown.house.now.version
    )
    assert refused.is_visible()  # news of the table does not take the answer away


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
    page.wait_for_selector("#news .note.warn")  # no eyes look here: that is said
    page.uncheck("[data-plug=camera]")
    with page.expect_response("**/api/twin/lamp"):
        page.select_option("#lamp", "evening")
    page.wait_for_function("() => document.getElementById('lamp').value === 'evening'")
    page.wait_for_selector("#eye.blind", state="attached")
    assert page.locator("#news .note.warn").count() > 0  # what is wrong is said all the same
    assert page.locator("#die").is_hidden()  # Tijou is played with cards
    assert not shown.setting.camera.plugged
    page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("async () => (await axe.run()).violations")
    assert [(one["id"], one["nodes"][0]["html"][:90]) for one in found] == []
    assert shown.faults == []
