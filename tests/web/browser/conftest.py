"""A real server, a real browser, and phones that play with nothing but taps."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, ViewportSize, sync_playwright

from referee import events
from referee.deck import Hand, Pile
from referee.match import Match
from referee.table import Table
from referee.umpire import step
from tests.web.browser.fingers import tap, touch
from web.app import create_app
from web.bench.players import best
from web.chance import Chance
from web.house import House
from web.owner import Owner
from web.serving import Server
from web.settings import Config

CHROMIUM = "/usr/bin/chromium"
PHONE: ViewportSize = {"width": 390, "height": 844}
SCREEN: ViewportSize = {"width": 1920, "height": 1080}
PIN = "4711"
EVENINGS = pytest.StashKey[list["Evening"]]()


SHOWN = """() => [document.body.dataset.version, document.querySelector("#game")?.dataset.shows,
  document.body.innerText.replaceAll("\\n", " | "),
  [...document.querySelectorAll("#cards button")].map((one) => one.dataset.card)]"""


@dataclass
class Evening:
    """One running table, as the test sees it from inside and the pages from outside."""

    server: Server
    house: House
    browser: Browser
    contexts: list[BrowserContext] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    @property
    def table(self) -> Table:
        found = self.house.now.table
        assert found is not None
        return found

    def page(self, lang: str = "fr", size: ViewportSize | None = None, **more: Any) -> Page:
        """A device of its own, on the first page."""
        context = self.browser.new_context(
            viewport=size or PHONE, locale=lang, has_touch=True, reduced_motion="reduce", **more
        )
        self.contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(30000)  # for a busy machine
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", self.heard)
        page.on("request", self.asked)
        page.goto(self.server.url + "/")
        return page

    def host(self, lang: str = "fr") -> Page:
        """The host's page, its PIN given."""
        page = self.page(lang)
        page.goto(self.server.url + "/host")
        page.fill("#pin", PIN)
        if page.locator("#again").count():
            page.fill("#again", PIN)
        tap(page, ".pin .main")
        page.wait_for_selector("#tabs button")
        return page

    def screen(self, lang: str = "fr") -> Page:
        """The big screen."""
        page = self.page(lang, SCREEN)
        page.goto(self.server.url + "/screen")
        return page

    def settled(self, page: Page) -> None:
        """Until a page shows the table as it is now."""
        page.wait_for_function(
            "v => Number(document.body.dataset.version) >= v", arg=self.house.now.version
        )

    def changed(self, match: Match) -> None:
        """Until the match is not any more as it was: news of who is there change nothing of it."""
        self.until(lambda: self.table.match is not match)

    def until(self, done: Callable[[], bool]) -> None:
        """Until something is so; the pages go on meanwhile."""
        for _ in range(3000):
            if done():
                return
            self.contexts[-1].pages[0].wait_for_timeout(10)
        raise AssertionError("nothing came of it")

    def shown(self) -> Iterator[str]:
        """What every page shows now, for whoever wonders why a test failed."""
        table = self.house.now.table
        if table is not None:
            match = table.match
            yield f"{self.house.now.version}: {match.phase}, turn {match.turn}, gave {match.given}"
        for number, context in enumerate(self.contexts):
            for page in context.pages:
                page.set_default_timeout(2000)
                try:
                    yield f"page {number}: {page.url} {page.evaluate(SHOWN)}"
                except Error as error:
                    yield f"page {number}: {page.url} does not answer: {error}"

    def heard(self, message: Any) -> None:
        if message.type == "error" and "status of" not in message.text:
            self.faults.append(message.text)

    def asked(self, request: Any) -> None:
        """No request leaves the table."""
        if not request.url.startswith((self.server.url, "data:", "blob:")):
            self.faults.append(f"asks for {request.url}")

    def close(self) -> None:
        for context in self.contexts:
            context.close()
        self.server.stop()
        self.house.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


Begin = Callable[..., Evening]


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """A test that fails tells what every page showed."""
    result: Any = yield
    report = result.get_result()
    if report.when == "call" and report.failed:
        shown = [line for evening in item.stash.get(EVENINGS, []) for line in evening.shown()]
        report.sections.append(("pages", "\n".join(shown)))


@pytest.fixture
def begin(browser: Browser, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Begin]:
    """Opens a table, if wished with a match that stands at some position."""
    evenings = request.node.stash.setdefault(EVENINGS, [])

    def opened(
        match: events.Opened | None = None,
        position: dict[str, Any] | None = None,
        hands: dict[str, tuple[str, ...]] | None = None,
        seed: int = 1,
    ) -> Evening:
        owner = Owner(Chance(random.Random(seed)))
        owner.table = late(match, position) if match else None
        if owner.table is not None and hands:
            owner.table = owner.table.but(match=holding(owner.table.match, hands))
        house = House(owner).start()
        server = Server(create_app(house, Config(tmp_path)), "127.0.0.1", 0).start()
        evening = Evening(server, house, browser)
        evenings.append(evening)
        return evening

    yield opened
    for evening in evenings:
        evening.close()
        assert not evening.faults


def late(match: events.Opened, position: dict[str, Any] | None) -> Table:
    """A match just opened, its pieces already far on their way."""
    table, _ = step(None, match)
    if position is None:
        return table
    now = table.match
    form = now.game.write(now.setup, now.position) | position
    return table.but(match=now.but(position=now.game.read(now.setup, form)))


def holding(match: Match, hands: dict[str, tuple[str, ...]]) -> Match:
    """Cards dealt as told, the first seat to play."""
    held = {card for cards in hands.values() for card in cards}
    return match.but(
        hands=tuple((seat, Hand(hands.get(seat, ()))) for seat in match.setup.seats),
        pile=Pile(tuple(card for card in match.game.deck if card not in held)),
        dealer=match.order[-1],
        phase="turn",
        turn=match.order[0],
        turns=1,
        deals=1,
    )


class Phone:
    """One page that holds one or several seats."""

    def __init__(self, evening: Evening, *seats: str, lang: str = "fr") -> None:
        self.evening, self.page = evening, evening.page(lang)
        for seat in seats:
            if seat != seats[0]:
                tap(self.page, "[data-key=menu]")
                touch(self.page.locator("dialog .item", has_text=MORE[lang]))
            tap(self.page, f".place[data-seat='{seat}']")
            self.page.wait_for_selector("#game[data-shows=game]")

    def tap(self, selector: str) -> None:
        tap(self.page, selector)

    def there(self, selector: str) -> bool:
        return self.page.locator(selector).count() > 0

    def settled(self) -> None:
        self.evening.settled(self.page)

    def uncover(self, seat: str) -> None:
        self.settled()
        if self.there(f"#extra [data-show='{seat}']"):
            self.tap(f"#extra [data-show='{seat}']")

    def act(self, seat: str, rng: random.Random) -> None:
        """What this seat has to do now, done by taps."""
        self.uncover(seat)
        match = self.evening.table.match
        if match.phase in ("turn", "extra", "move"):
            self.turn(seat, rng)
        elif match.phase == "exchange":
            self.tap("#cards button.card")
            self.tap("[data-key=give]")
        else:
            self.tap("#acts .main, #acts [data-key^=deal-]")
        self.evening.changed(match)
        self.settled()

    def turn(self, seat: str, rng: random.Random) -> None:
        match = self.evening.table.match
        plays = match.judged.plays
        if match.game.die and match.phase == "turn":
            self.tap(f"[data-key=die-{rng.randint(1, 6)}], [data-key=throw]")
        elif plays:
            self.play(best(match, seat, plays, rng))
        elif match.phase == "move":
            self.tap("#acts .main")
        elif match.judged.forced == "discard_hand":
            self.tap("[data-key=discard]")
        else:
            self.tap("#cards button.card")
            self.tap("#acts .main")

    def play(self, play: Any) -> None:
        """The card, then every piece and every goal, then the word to go."""
        if play.card and not self.evening.table.match.card:
            self.tap(f"#cards [data-card='{play.card}']")
            self.page.wait_for_selector(".tap")
        for part in play.parts:
            if self.there("[data-key=play]"):
                break
            origin = f"camp:{part.piece}" if part.path[0] == "camp" else part.path[0]
            if self.there(f".tap[data-at='{origin}']"):
                self.tap(f".tap[data-at='{origin}']")
            if origin.startswith("push"):
                continue
            goal = part.path[1] if part.swap else part.path[-1]
            goal = f"home:{part.piece}" if goal == "home" else goal
            if not self.there(f".tap[data-at='{goal}']"):
                raise AssertionError(f"{goal} cannot be tapped for {play.text}")
            self.tap(f".tap[data-at='{goal}']")
            if self.there("dialog [data-path]"):
                path = "-".join(part.path)
                swap = f"[data-swap='{part.swap}']" if part.swap else ":not([data-swap])"
                self.tap(
                    f"dialog [data-path='{path}']{swap}, dialog [data-path='{path}'][data-swap='']"
                )
        before = self.evening.table.match.last
        self.tap("[data-key=play]")  # the card is told first, then the play
        self.evening.until(lambda: self.evening.table.match.last is not before)


MORE = {"fr": "quelqu’un d’autre", "en": "somebody else"}


def whole_game(
    evening: Evening,
    phones: dict[str, Phone],
    limit: int = 400,
    seed: int = 5,
    until: str = "over",
) -> None:
    """Everybody plays with taps until the game is over."""
    rng = random.Random(seed)
    for _ in range(limit):
        match = evening.table.match
        if match.phase in ("over", "seats", until):
            return
        phones[acting(match)].act(acting(match), rng)
    raise AssertionError(f"not over after {limit} taps of {match.setup.game}")


def acting(match: Any) -> str:
    """Who has to do something."""
    if match.turn:
        return str(match.turn)
    if match.phase == "exchange":
        return next(s for s in match.order if match.setup.mates(s) and s not in match.given)
    if match.phase == "deal":
        return str(match.dealer)
    return str(match.order[0])


@pytest.fixture(scope="session")
def tapping() -> Any:
    return whole_game


@pytest.fixture(scope="session")
def phone() -> type[Phone]:
    return Phone


# positions from which a game ends soon -------------------------------------------

FACING = (("a", "c"), ("b", "d"))
PAIR = ("a", "c")
FOUR = ("a", "b", "c", "d")

# game, seats, teams, where the pieces stand
LATE: dict[str, tuple[tuple[str, ...], Any, dict[str, Any]]] = {
    "tijou": (FOUR, FACING, {"pawns": {
        "a": ["A-a", "A-a", "36"], "b": ["A-b", "A-b", "9"], "c": ["A-c", "A-c", "18"],
        "d": ["A-d", "A-d", "27"]}}),
    "tockcitan": (PAIR, (), {"pawns": {
        "a": ["ah4", "ah3", "ah2", "d13"], "c": ["ch4", "ch3", "ch2", "b13"]}}),
    "tockcitan-team": (FOUR, FACING, {"pawns": {
        "a": ["ah4", "ah3", "ah2", "ah1"], "b": ["bh4", "bh3", "bh2", "a12"],
        "c": ["ch4", "ch3", "ch2", "b13"], "d": ["dh4", "dh3", "dh2", "c12"]}}),
    "tock-fadoq": (FOUR, FACING, {"pawns": {
        "a": ["ah4", "ah3", "ah2", "d13"], "b": ["bh4", "bh3", "bh2", "bh1"],
        "c": ["ch4", "ch3", "ch2", "ch1"], "d": ["dh4", "dh3", "dh2", "c12"]}}),
    "tock-globe": (PAIR, (), {"pawns": {
        "a": ["ah4", "ah3", "ah2", "d13"], "c": ["ch4", "ch3", "ch2", "b13"]}}),
    "barricades": (PAIR, (), {"pawns": {
        "a": ["h11", "i9", "camp", "camp", "camp"], "c": ["h13", "camp", "camp", "camp", "camp"]},
        "barricades": ["a3", "e3", "m3", "q3", "g7", "k7", "d3", "c5", "e5"]}),
    "trikolos": (("white", "black"), (), {"pawns": {
        "white": ["home", "home", "c6", "d6"], "black": ["home", "home", "d1", "e2"]}}),
}  # fmt: skip
# hands with which a few plays from there decide the game
FATEFUL: dict[str, dict[str, tuple[str, ...]]] = {
    "tijou": {
        "a": ("AS", "10S"), "b": ("3S", "6S"), "c": ("3H", "6H"), "d": ("3D", "6D")},
    "tockcitan": {"a": ("2S", "2H", "8S", "9S", "10S"), "c": ("3S", "6S", "8H", "9H")},
    "tockcitan-team": {
        "a": ("2S", "4S"), "b": ("8S", "9S"), "c": ("2H", "4H"), "d": ("8H", "9H")},
    "tock-fadoq": {
        "a": ("2S", "4S", "4C"), "b": ("8S", "9S", "6S"), "c": ("2H", "4H", "4D"),
        "d": ("8H", "9H", "10H")},
    "tock-globe": {
        "a": ("2S", "2H", "8S", "9S", "10S"), "c": ("3S", "6S", "8H", "9H", "10H")},
}  # fmt: skip
BOARDS = {"tijou": "tijou", "barricades": "barricades", "trikolos": "trikolos"}


def opening(game: str, mode: Any = "phone") -> tuple[events.Opened, dict[str, Any]]:
    seats, teams, position = LATE[game]
    board = BOARDS.get(game, "tock4")
    return events.Opened(
        game=game, board=board, seats=seats, teams=teams, mode=mode, camera=False
    ), position


def played(
    evening: Evening, seats: tuple[str, ...], lang: str, limit: int = 400, seed: int = 5
) -> tuple[str, ...]:
    """Who has won, once as many phones as seats have played it to its end before the others."""
    host, screen = evening.host(lang), evening.screen(lang)
    phones = {seat: Phone(evening, seat, lang=lang) for seat in seats}
    whole_game(evening, phones, limit, seed)
    for page in (host, screen, *(phone.page for phone in phones.values())):
        evening.settled(page)
    over = evening.table.match.phase == "over"
    assert SAID[lang][over] in screen.inner_text("#turn h1")
    host.wait_for_selector("form.setup" if over else "[data-key=reseat]")
    return tuple(evening.table.match.winners)


# what the big screen says when teams are drawn again, and when all is over
SAID = {"fr": ("De nouvelles équipes", "Bravo"), "en": ("New teams", "Well done")}


@pytest.fixture(scope="session")
def late_game() -> Callable[..., tuple[events.Opened, dict[str, Any]]]:
    return opening


@pytest.fixture(scope="session")
def fateful() -> dict[str, dict[str, tuple[str, ...]]]:
    return FATEFUL


@pytest.fixture(scope="session")
def play_out() -> Any:
    return played
