"""Around a table: a split seven, an exchange, why not, taking back, flags, a dead phone."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from referee import events
from referee.game import Sight
from tests.web.browser.fingers import tap, touch
from web.bench.pretended import Wood

FACING = (("a", "c"), ("b", "d"))
FOUR = ("a", "b", "c", "d")
FADOQ = events.Opened(
    game="tock-fadoq", board="tock4", seats=FOUR, teams=FACING, mode="phone", camera=False
)
TIJOU = events.Opened(
    game="tijou", board="tijou", seats=FOUR, teams=FACING, mode="phone", camera=False
)
PAWNS = {"pawns": {
    "a": ["a1", "d13", "camp", "camp"], "b": ["b5", "camp", "camp", "camp"],
    "c": ["c2", "camp", "camp", "camp"], "d": ["d3", "camp", "camp", "camp"]}}  # fmt: skip
HANDS = {
    "a": ("7S", "3C", "KH", "QD", "2S"),
    "b": ("8S", "9S", "10S", "6S", "2H"),
    "c": ("8H", "9H", "10H", "6H", "2D"),
    "d": ("8D", "9D", "10D", "6D", "2C"),
}


def test_a_seven_is_split_step_by_step_with_the_keyboard_alone(begin: Any, phone: Any) -> None:
    evening = begin(FADOQ, PAWNS, HANDS)
    page = phone(evening, "a").page

    def press(selector: str) -> None:
        page.locator(selector).first.focus()
        page.keyboard.press("Enter")

    press("[data-card='7S']")
    page.wait_for_selector(".tap[data-at='a1']")
    assert page.locator(".tap").first.get_attribute("aria-label") == "jouer\u00a0: case 1 (Rouge)"
    page.locator(".tap[data-at='a1']").focus()
    evening.house.say(events.Paused(on=True))
    evening.house.say(events.Paused(on=False))
    evening.settled(page)  # drawn anew under the keyboard's focus
    page.keyboard.press("Enter")
    press(".tap[data-at='a5']")
    page.wait_for_selector(".tap[data-at='d16']")
    assert "Encore 3 pas" in page.inner_text("#line")
    press(".tap[data-at='d16']")
    press("[data-key=play]")
    page.wait_for_function("() => document.querySelector('#line').innerText.includes('C’est à')")
    match = evening.table.match
    assert sorted(match.game.write(match.setup, match.position)["pawns"]["a"]) == [
        "a5", "camp", "camp", "d16"]  # fmt: skip
    assert page.locator("#said p").count() > 0


def touched(page: Any, *cells: str) -> None:
    """A finger on one cell of the drawn board after the other."""
    for cell in cells:
        box = page.locator(f"#board > svg [data-cell='{cell}']").bounding_box()
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_why_not_says_the_rule(begin: Any, phone: Any) -> None:
    evening = begin(
        FADOQ, PAWNS | {"pawns": PAWNS["pawns"] | {"d": ["d18*"] + ["camp"] * 3}}, HANDS
    )
    page = phone(evening, "a", lang="en").page
    tap(page, "[data-card='3C']")
    tap(page, "[data-key=why]")
    touched(page, "a1", "a5")
    page.wait_for_selector("dialog .rules li")
    told = page.inner_text("dialog .rules")
    assert "3" in told or "three" in told
    assert "TOCK-" not in told


def test_why_not_where_no_card_is_played(begin: Any, phone: Any, late_game: Any) -> None:
    evening = begin(*late_game("trikolos"))
    white = phone(evening, "white")
    page = white.page
    tap(page, "[data-key=why]")
    touched(page, "c6", "a1")
    page.wait_for_selector("dialog .rules li")
    assert "a1" in page.inner_text("dialog .asked")
    assert len(page.inner_text("dialog .rules")) > 20


def test_a_camera_pulled_out_in_the_midst_of_a_move_leaves_it_to_taps(
    begin: Any, phone: Any
) -> None:
    evening = begin(replace(FADOQ, camera=True), PAWNS, HANDS)
    wood = Wood(evening.table.match.setup)
    wood.stand(evening.table.expected)
    evening.house.say(events.Seen(pieces=wood.pieces()))
    red = phone(evening, "a").page
    tap(red, "[data-card='3C']")
    tap(red, "[data-key=lay]")
    red.wait_for_selector("[data-key=tap]")
    evening.house.say(events.Camera(works=False))
    tap(red, ".tap[data-at='a1']")
    tap(red, ".tap[data-at='a4']")
    tap(red, "[data-key=play]")
    red.wait_for_function("() => !document.querySelector('.turn.yours')")
    assert evening.table.match.turn == "b"


def test_a_phone_says_what_is_left_of_a_play_and_no_word_of_what_is_in_the_hand(
    begin: Any, phone: Any
) -> None:
    pawns = {"a": ["20", "camp", "camp"]} | {s: ["30", "31", "camp"] for s in "bcd"}
    evening = begin(replace(TIJOU, camera=True), {"pawns": pawns}, {"a": ("8S", "9S")})
    wood = Wood(evening.table.match.setup)

    def shows(*standing: tuple[str, str]) -> None:
        wood.lift(Sight(standing))
        evening.house.say(events.Seen(pieces=wood.pieces()))

    wood.stand(evening.table.expected)
    evening.house.say(events.Seen(pieces=wood.pieces()))
    evening.house.say(events.Announced(seat="a", card="8S"))
    others = [(seat, cell) for seat in "bcd" for cell in ("30", "31")]
    pages = phone(evening, "a").page, evening.screen()
    told = "text => document.body.innerText.includes(text)"

    shows(*others)
    for page in pages:
        evening.settled(page)
        assert page.locator(".fixes").count() == 0  # the pawn is in a hand
    shows(("a", "28"), *others)
    for page in pages:
        page.wait_for_function(told, arg="Rouge\u00a0: 28 → 10")
        assert "Il reste à faire" in page.inner_text("body")
        assert "28 → 20" not in page.inner_text("body")
    shows(("a", "20"), *((seat, str(12 + n)) for n, (seat, _) in enumerate(others)))
    for page, besides in zip(pages, (2, 3), strict=True):
        page.wait_for_function(told, arg=f"… et encore {besides}")
        assert page.locator(".fixes li").count() == 7 - besides
    assert evening.table.cases == ()


def test_a_page_opened_twice_is_taken_back(begin: Any) -> None:
    evening = begin(TIJOU)
    first = evening.screen()
    evening.settled(first)
    second = first.context.new_page()
    second.goto(evening.server.url + "/screen")
    tap(first, "#link [data-key=here]")
    second.wait_for_selector("#link [data-key=here]")
    first.wait_for_selector("#link", state="hidden")


def test_a_drawing_that_does_not_come_is_asked_for_again(begin: Any, phone: Any) -> None:
    evening = begin(TIJOU)
    page = evening.page()
    page.wait_for_selector(".place")
    lost: list[Any] = []

    def once(route: Any) -> None:
        lost.append(route)
        route.abort() if len(lost) < 3 else route.continue_()

    page.route("**/rules/board/*", once)
    page.reload()
    page.wait_for_selector(".place")
    assert len(lost) == 3
    evening.faults.clear()  # the browser tells of each request that failed


def test_partners_choose_before_they_look(begin: Any, phone: Any, tapping: Any) -> None:
    evening = begin(TIJOU)
    phones = {seat: phone(evening, seat) for seat in FOUR}
    tapping(evening, phones, until="exchange")
    red = phones["a"].page
    phones["a"].settled()
    given = red.locator("#cards button.card").first.get_attribute("data-card")
    tap(red, "#cards button.card")
    tap(red, "[data-key=give]")
    red.wait_for_function("() => document.querySelector('#line').innerText.includes('Tu donnes')")
    view = phones["c"].page.evaluate("async () => (await fetch('/api/view?page=player')).text()")
    assert f'"{given}"' not in view  # the partner has not chosen yet: nothing is to be seen
    for seat in "bcd":
        phones[seat].act(seat, random.Random(5))
    phones["c"].page.wait_for_selector(f"#cards [data-card='{given}'], #cards .card")
    phones["c"].settled()
    assert given in evening.table.match.hand("c").cards
    phones["c"].page.wait_for_selector(".note.got")
    assert "Rouge t’a donné" in phones["c"].page.inner_text(".note.got")
    assert phones["c"].page.locator("#cards .fresh[aria-label*='échange']").count() == 1


def test_one_phone_for_a_family_covers_each_hand(begin: Any, phone: Any, tapping: Any) -> None:
    evening = begin(FADOQ, PAWNS, HANDS)
    both = phone(evening, "a", "b")
    both.settled()
    tap(both.page, "#hide")
    tap(both.page, "[data-key=show-a]")
    both.page.wait_for_selector("[data-card='7S']")
    tap(both.page, "#hide")
    both.page.wait_for_selector("#extra .cover")
    assert not both.page.locator("[data-card='7S']").is_visible()
    tap(both.page, "[data-key=show-a]")
    tap(both.page, "[data-card='3C']")
    tap(both.page, ".tap[data-at='a1']")
    tap(both.page, ".tap[data-at='a4']")
    tap(both.page, "[data-key=play]")
    both.page.wait_for_selector("[data-key=show-b]")  # the next is of the family too
    assert not both.page.locator("#cards .card").first.is_visible()


def test_taken_back_flagged_and_judged(begin: Any, phone: Any) -> None:
    evening = begin(FADOQ, PAWNS, HANDS)
    red, blue, green = (phone(evening, seat) for seat in "abc")
    tap(red.page, "[data-card='3C']")
    tap(red.page, ".tap[data-at='a1']")
    tap(red.page, ".tap[data-at='a4']")
    tap(red.page, "[data-key=play]")
    blue.page.wait_for_selector(".turn.yours")
    red.settled()
    tap(red.page, "[data-key=menu]")
    touch(red.page.get_by_text("Reprendre mon coup"))
    for one in (blue, green):  # most of the others, since cards have been seen
        tap(one.page, "[data-key=answer-0]")
    red.page.wait_for_selector(".turn.yours")
    assert evening.table.match.hand("a").cards.count("3C") == 1

    tap(blue.page, "[data-key=menu]")
    touch(blue.page.get_by_text("Signaler quelque chose"))
    tap(blue.page, "[data-key=flag-a]")
    host = evening.host()
    tap(host, "[data-room=cases]")
    tap(host, "[data-key=rule-1-warning]")
    host.wait_for_function("() => document.querySelectorAll('[data-key^=rule-]').length === 0")
    assert evening.table.cases[0].decision == "warning"


def test_a_phone_dies_and_another_takes_its_place(begin: Any, phone: Any) -> None:
    evening = begin(FADOQ, PAWNS, HANDS)
    dead = phone(evening, "a")
    dead.page.context.close()
    stranger = evening.page("en")
    stranger.wait_for_selector(".place[data-seat='a']")
    assert stranger.locator(".place[data-seat='a']").is_disabled()
    host = evening.host("en")
    tap(host, "[data-key=free-a]")
    stranger.wait_for_function("() => !document.querySelector(\".place[data-seat='a']\").disabled")
    tap(stranger, ".place[data-seat='a']")
    stranger.wait_for_selector("[data-card='7S']")


def test_any_card_of_a_real_deck_in_two_taps(begin: Any, phone: Any) -> None:
    evening = begin(
        events.Opened(game="tock-globe", board="tock4", seats=("a", "c"), mode="real", camera=False)
    )
    red = phone(evening, "a")
    tap(red.page, "[data-key=seat-c]")  # drawn by hand: green deals
    host = evening.host()
    tap(host, "[data-key=deal]")
    red.page.wait_for_selector("[data-rank='K']")
    tap(red.page, "[data-rank='K']")
    tap(red.page, "[data-suit='H']")
    tap(red.page, ".tap[data-at='camp:a']")
    tap(red.page, ".tap[data-at='a18']")
    tap(red.page, "[data-key=play]")
    red.page.wait_for_function("() => !document.querySelector('.turn.yours')")
    assert evening.table.match.pile.discards == ("KH",)


def test_a_hint_comes_to_the_phone_that_asked(begin: Any, phone: Any) -> None:
    evening = begin(FADOQ, PAWNS, HANDS)
    asking, other = phone(evening, "a"), phone(evening, "b")
    tap(asking.page, "[data-key=menu]")
    touch(asking.page.get_by_text("Un conseil"))
    asking.page.wait_for_selector("#notes .note.ask")
    assert "pour toi seulement" in asking.page.inner_text("#notes")
    assert asking.there("#board .way")
    other.settled()
    assert not other.there("#notes .note.ask")
    assert not other.there("#board .way")


def test_no_page_scrolls_by_a_hair(begin: Any, phone: Any) -> None:
    evening = begin(FADOQ, PAWNS, HANDS)
    picking, sitting, screen = evening.page(), phone(evening, "a").page, evening.screen()
    picking.wait_for_selector(".place")
    screen.wait_for_selector("#turn h1")
    for page in (picking, sitting, screen):
        over = "document.documentElement.scrollHeight - document.documentElement.clientHeight"
        assert page.evaluate(over) == 0


def test_on_small_cells_the_plays_are_a_list_too(begin: Any, phone: Any) -> None:
    seats = tuple("abcdefgh")
    pairs = (("a", "e"), ("b", "f"), ("c", "g"), ("d", "h"))
    eight = events.Opened(
        game="tock-globe", board="tock8", seats=seats, teams=pairs, mode="phone", camera=False
    )
    evening = begin(eight, None, {"a": ("KS",)} | {"b": ("3S",)})
    red = phone(evening, "a")
    tap(red.page, "[data-card='KS']")
    tap(red.page, "[data-key=list]")
    tap(red.page, "dialog [data-text]")
    red.page.wait_for_function("() => !document.querySelector('.turn.yours')")
    assert evening.table.match.last_seat == "a"


def test_what_is_being_tapped_stays_under_the_finger(begin: Any, phone: Any) -> None:
    evening = begin(FADOQ, PAWNS, HANDS)
    page = phone(evening, "a").page
    evening.settled(page)
    page.locator("[data-card='3C']").hover()  # waits until it lies still, whatever is drawn anew
    page.mouse.down()
    with page.expect_response("**/api/view*"):
        evening.house.say(events.Paused(on=True))
    page.mouse.up()
    evening.settled(page)
    page.wait_for_selector("[data-card='3C'].chosen")
