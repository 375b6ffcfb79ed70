"""Taps as a finger makes them.

The browser driver's own tap watches for whom it hits: where the page is drawn anew in that
moment it believes to have missed, although the tap came through, and taps once more what is gone.
"""

from __future__ import annotations

from playwright.sync_api import Locator, Page

MIDDLE = """(thing) => {
  thing.scrollIntoView({ block: "nearest" });
  const { left, top, width, height } = thing.getBoundingClientRect();
  const at = [left + width / 2, top + height / 2];
  if (thing.disabled || !thing.contains(document.elementFromPoint(...at))) return null;
  window.tapped = false;
  addEventListener("click", () => (window.tapped = true), { once: true, capture: true });
  return at;
}"""


def tap(page: Page, selector: str) -> None:
    """A finger on the first such thing of a page."""
    touch(page.locator(selector).first)


def touch(spot: Locator) -> None:
    """A finger on its middle, once nothing covers it; until the page felt it."""
    page = spot.page
    for _ in range(1000):
        if at := spot.evaluate(MIDDLE):
            break
        page.wait_for_timeout(20)
    else:
        raise AssertionError(f"something covers {spot}, or it cannot be pressed")
    page.touchscreen.tap(*at)
    page.wait_for_function("() => window.tapped !== false")  # nor is it, on a page it led to
