"""Sitting down at a table whose page is being drawn anew."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import APIResponse, Route

from referee import events
from tests.web.browser.conftest import MORE
from tests.web.browser.fingers import tap, touch
from tests.web.browser.test_pages import tijou


def test_a_view_from_before_one_sat_down_does_not_cover_the_hand(begin: Any, phone: Any) -> None:
    evening = begin(tijou())
    both = phone(evening, "a", "b")
    page = both.page
    held: list[tuple[Route, APIResponse]] = []
    tap(page, "[data-key=menu]")
    touch(page.locator("dialog .item", has_text=MORE["fr"]))
    page.wait_for_selector(".place[data-seat='c']")

    def slow(route: Route) -> None:
        held.append((route, route.fetch()))

    page.route("**/api/view*", slow, times=1)
    evening.house.say(events.Camera(works=False))  # something has changed: the page asks what
    for _ in range(1000):
        if held:
            break
        page.wait_for_timeout(10)
    with page.expect_response("**/api/seat/take"):
        tap(page, ".place[data-seat='c']")
    route, answer = held.pop()
    route.fulfill(response=answer)
    page.wait_for_selector("#game[data-shows=game]")
    both.settled()
    assert page.locator("#game").get_attribute("data-shows") == "game"
