"""Every page in both themes: nothing that axe finds, light enough, nothing asked of elsewhere."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import axe_playwright_python
import pytest

from referee import events
from tests.web.browser.fingers import tap

AXE = Path(axe_playwright_python.__file__).parent / "axe.min.js"
HEAVIEST = 150_000  # bytes a page may weigh, everything it loads included
TEAMS = (("a", "c"), ("b", "d"))
GAMES = ("tijou", "tockcitan", "tockcitan-team", "tock-fadoq", "tock-globe", "barricades",
         "trikolos")  # fmt: skip


def tijou() -> events.Opened:
    return events.Opened(
        game="tijou", board="tijou", seats=("a", "b", "c", "d"), teams=TEAMS, mode="phone",
        camera=False,
    )  # fmt: skip


def violations(page: Any) -> list[str]:
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("async () => (await axe.run()).violations")
    return [
        f"{one['id']}: {node['html'][:120]} {node['failureSummary'][:160]}"
        for one in found
        for node in one["nodes"]
    ]


def faultless(page: Any) -> None:
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        assert (theme, page.url, violations(page)) == (theme, page.url, [])


@pytest.fixture
def weighed() -> Callable[[Any], list[int]]:
    """Counts what a page loads."""

    def watch(page: Any) -> list[int]:
        weights: list[int] = []

        def loaded(response: Any) -> None:
            if "/api/stream" not in response.url and response.status == 200:
                weights.append(len(response.body()))

        page.on("response", loaded)
        return weights

    return watch


def test_pages_of_a_player(begin: Any, phone: Any) -> None:
    evening = begin()
    page = evening.page()
    page.wait_for_selector("#game[data-shows=nothing]")
    faultless(page)
    page.goto(evening.server.url + "/nowhere")
    faultless(page)
    stranger = evening.browser.new_context()
    evening.contexts.append(stranger)
    page = stranger.new_page()
    page.goto(evening.server.url + "/join/NOSUCH")
    faultless(page)


def test_a_hand_in_play(begin: Any, phone: Any, tapping: Any) -> None:
    evening = begin(tijou())
    page = evening.page()
    page.wait_for_selector(".place")
    assert page.locator("main a[data-key=rules]").get_attribute("href") == "/rules/tijou"
    faultless(page)
    four = phone(evening, "a", "b", "c", "d")
    everybody = dict.fromkeys("abcd", four)
    tapping(evening, everybody, until="turn")
    four.settled()
    match = evening.table.match
    assert match.turn != match.order[-1]  # who gave last: the phone is passed on
    four.page.wait_for_selector(f"#extra [data-show='{match.turn}']")
    faultless(four.page)
    four.uncover(match.turn)
    faultless(four.page)
    tap(four.page, "#cards button.card")
    faultless(four.page)
    tap(four.page, "[data-key=menu]")
    faultless(four.page)
    screen = evening.page(size={"width": 1920, "height": 1080})
    screen.goto(evening.server.url + "/screen")
    screen.wait_for_selector("#seats li")
    faultless(screen)


def test_rooms_of_the_host(begin: Any) -> None:
    evening = begin(tijou())
    page = evening.page()
    page.goto(evening.server.url + "/host")
    page.wait_for_selector("#again")
    faultless(page)
    page.fill("#pin", "4711")
    page.fill("#again", "4711")
    tap(page, ".pin .main")
    for room in ("game", "cases", "table", "evenings", "machine"):
        tap(page, f"[data-room={room}]")
        page.wait_for_selector(f"[data-room={room}][aria-current]")
        page.wait_for_timeout(150)
        faultless(page)
    page.wait_for_selector("[data-key=help]")
    assert page.locator(".findings li").count() > 8
    faultless(page)
    tap(page, "[data-room=game]")
    tap(page, "[data-key=end]")
    faultless(page)
    tap(page, "dialog [data-key=yes]")
    page.wait_for_selector("form.setup")
    tap(page, "form.setup summary")
    faultless(page)
    page.goto(evening.server.url + "/print")
    faultless(page)


def test_the_first_steps_lead_to_what_is_missing(begin: Any) -> None:
    evening = begin()
    page = evening.host()
    page.wait_for_selector(".first")
    page.wait_for_selector("form.setup")
    faultless(page)
    tap(page, "[data-key=first-machine]")
    page.wait_for_selector("[data-room=machine][aria-current]")
    assert page.locator(".first").count() == 0
    tap(page, "[data-room=game]")
    tap(page, "form.setup .main")
    page.wait_for_selector("[data-key=end]")
    assert page.locator(".first").count() == 0


@pytest.mark.parametrize("game", GAMES)
def test_a_page_of_the_rules_book(game: str, begin: Any, weighed: Any) -> None:
    page = begin().page("fr" if len(game) % 2 else "en")
    weights = weighed(page)
    page.goto(page.url + f"rules/{game}")
    faultless(page)
    assert 10_000 < sum(weights) <= HEAVIEST
    words = page.locator("main").inner_text()
    assert not re.search(r"\b(book|ui|option|game)\.[a-z]", words)


TOUCHED = "button, a, select, summary, label.tick, label.tile"
SMALL = """(touched) => [...document.querySelectorAll(touched)]
    .filter((one) => one.offsetParent && !one.closest(".unseen, #shapes"))
    .map((one) => [one, one.getBoundingClientRect()])
    .filter(([, box]) => box.width > 1 && (box.width < 43.5 || box.height < 43.5))
    .map(([one, box]) => `${one.outerHTML.slice(0, 60)} ${box.width} x ${box.height}`)"""


@pytest.mark.parametrize("where", ["", "host", "rules", "rules/tock-fadoq", "screen", "nowhere"])
def test_fingers_and_large_letters_fit(where: str, begin: Any) -> None:
    page = begin(tijou()).page()
    page.goto(page.url + where)
    page.wait_for_timeout(400)
    assert page.evaluate(SMALL, TOUCHED) == []
    page.set_viewport_size({"width": 195, "height": 422})  # a phone whose text is twice as large
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 195
    assert page.evaluate("() => document.getAnimations().length") == 0


@pytest.mark.parametrize("where", ["", "screen", "host", "rules"])
def test_pages_are_light(where: str, begin: Any, weighed: Any) -> None:
    evening = begin(
        events.Opened(game="tock-globe", board="tock8", seats=tuple("abcdefgh"), mode="phone",
                      camera=False)
    )  # fmt: skip
    page = evening.page()
    page.goto("about:blank")
    weights = weighed(page)
    page.goto(f"{evening.server.url}/{where}")
    page.wait_for_timeout(600)
    assert 10_000 < sum(weights) <= HEAVIEST
    assert not evening.faults
