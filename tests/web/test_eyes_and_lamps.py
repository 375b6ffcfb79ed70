"""Camera and lights beside the running table: what they tell it, what it tells them."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from firmware_bridge.errors import LinkLostError
from firmware_bridge.picture import Picture, dark
from hardware import boards
from hardware.boards import Board
from referee import events
from referee.lights import camp_cells, wanted
from vision.cameras import CameraError, Frame, Mode, Steady
from vision.reading import Reading, Seen
from vision.watch import Event, State, Watched
from web.chance import Chance
from web.eyes import Eyes
from web.house import House
from web.lamps import DARKEST, Lamps
from web.opening import opening
from web.owner import Owner
from web.photos import HOURS, RECENT, Photos

BLACK = np.zeros((120, 160, 3), dtype=np.uint8)
COLOURS = {"a": "red", "b": "blue", "c": "green", "d": "yellow"}


def camped(board: str = "tijou") -> tuple[Seen, ...]:
    """All pawns in their camps, as a reader names them."""
    return tuple(
        Seen(cell, COLOURS[seat], 0.99)
        for seat, cells in camp_cells(board).items()
        if seat in COLOURS
        for cell in cells
    )


def watched(
    state: State, pieces: tuple[Seen, ...] = (), changed: bool = False, *told: Event
) -> Watched:
    return Watched(state, Reading(pieces, (), False, (), 1.0), changed, told)


@dataclass
class Script:
    """A camera and a watcher that show what a test has written; a word is trouble."""

    shown: list[Watched | str]
    board: str = "tijou"
    name: str = "script"
    at: int = 0

    def open(self) -> Mode:
        return Mode(160, 120, "written")

    def close(self) -> None: ...

    def frame(self) -> Frame:
        if isinstance(self.shown[0], str):
            raise CameraError(self.shown.pop(0))  # type: ignore[arg-type]
        self.at += 1
        return Frame(BLACK, float(self.at), self.at)

    def see(self, image: object, time: float, lights: object = None) -> Watched:
        found = self.shown.pop(0)
        assert isinstance(found, Watched)
        return found

    def knows(self, board: str) -> bool:
        return board == self.board

    def watch(self, board: str) -> tuple[Board, Script] | None:
        return (boards.board(board), self) if self.knows(board) else None

    def read(
        self, board: str, picture: object, lights: object = None
    ) -> tuple[Board, Reading] | None:
        return (boards.board(board), Reading(camped(), (), False, (), 1.0))


@pytest.fixture
def table(new_house: Callable[[], House]) -> House:
    """A game of Tijou on a table that is watched."""
    house = new_house().start()
    house.say(opening({"game": "tijou"}, Chance(random.Random(1)), camera=True))
    return house


def eyes_on(house: House, *shown: Watched | str) -> Eyes:
    script = Script(list(shown))
    eyes = Eyes(Steady(script, sleep=lambda seconds: None), house, script)
    for _ in range(len(shown)):
        eyes.step()
    return eyes


def test_a_still_board_is_told_in_the_referees_words(table: House) -> None:
    eyes = eyes_on(table, watched("still", camped(), True))
    assert eyes.sight.works
    now = table.now.table
    assert now is not None
    assert now.stage == "still"
    assert now.seen is not None
    assert [one.notice.key for one in table.now.said] == ["match.begins", "board.ready"]


def test_an_unchanged_board_is_told_once(table: House) -> None:
    still = watched("still", camped())
    eyes_on(table, watched("still", camped(), True))
    version = table.now.version
    eyes_on(table, watched("moving"))
    script = [watched("moving"), *[still] * 5]
    eyes_on(table, watched("still", camped(), True), *script)
    assert table.now.version <= version + 4  # the camera is seen to work again, once each


def test_a_hand_is_told_once_and_the_same_board_again_after_it(table: House) -> None:
    hand, still = watched("hand"), watched("still", camped())
    eyes_on(table, watched("still", camped(), True), hand, hand, hand)
    assert table.now.table is not None
    assert table.now.table.hidden == "hand"
    eyes_on(table, watched("still", camped(), True), hand, still)
    assert table.now.table.hidden == ""


def test_a_board_that_cannot_be_recognised_is_said(table: House) -> None:
    eyes_on(table, watched("hand", (), False, "lost"), watched("hand"))
    assert table.now.table is not None
    assert table.now.table.hidden == "lost"


def test_a_camera_that_fails_leaves_the_game_to_taps_until_it_is_back(table: House) -> None:
    eyes = eyes_on(table, watched("still", camped(), True), "the cable is out")
    assert table.now.table is not None
    assert table.now.table.camera is False
    assert dict(eyes.sight.facts)["why"] == "the cable is out"
    assert any(one.notice.key == "camera.lost" for one in table.now.said)
    eyes_on(table, watched("still", camped(), True))
    assert table.now.table.camera is True


def test_a_board_nobody_has_taught_is_not_watched(table: House) -> None:
    script = Script([watched("still", camped(), True)], board="tock4")
    eyes = Eyes(Steady(script), table, script)
    eyes.step()
    assert eyes.sight.word == "unlearned"
    assert not eyes.sight.works
    assert not eyes.learned("tijou")


def test_before_a_game_the_camera_is_ready(table: House) -> None:
    empty = House(Owner(Chance(random.Random(1)))).start()
    script = Script([watched("still", (), True)])
    eyes = Eyes(Steady(script), empty, script)
    eyes.step()
    assert eyes.sight.word == "ready"
    assert eyes.sight.works
    empty.stop()


def test_a_camera_put_aside_may_watch_the_next_game(table: House) -> None:
    script = Script([watched("still", camped(), True)])
    eyes = Eyes(Steady(script), table, script)
    eyes.close()
    eyes.step()
    assert eyes.sight.word == "off"
    assert eyes.learned("tijou")


def test_put_aside_by_the_host_it_tells_nothing(table: House) -> None:
    script = Script([watched("still", camped(), True)] * 3)
    eyes = Eyes(Steady(script), table, script)
    eyes.close()
    eyes.step()
    assert eyes.sight.word == "off"
    assert table.now.table is not None
    assert table.now.table.seen is None
    eyes.open()
    eyes.step()
    assert table.now.table.seen is not None


def test_a_new_match_hears_of_the_board_that_lies_there(table: House) -> None:
    script = Script([watched("still", camped(), True), *[watched("still", camped())] * 2])
    eyes = Eyes(Steady(script), table, script)
    eyes.step()
    table.say(opening({"game": "tijou"}, Chance(), camera=True))
    eyes.step()
    assert table.now.table is not None
    assert table.now.table.seen is not None


def test_what_was_seen_of_a_board_nobody_plays_on_any_more_is_not_told(table: House) -> None:
    """A new match is opened on another board while a picture of the old one is being read."""
    other = opening({"game": "tock-globe", "board": "tock4"}, Chance(), camera=True)

    class Slow(Script):
        def see(self, image: object, time: float, lights: object = None) -> Watched:
            table.say(other)
            return super().see(image, time, lights)

    script = Slow([watched("still", camped(), True)])
    Eyes(Steady(script), table, script).step()
    assert table.now.table is not None
    assert table.now.table.match.setup.board == "tock4"
    assert table.now.table.seen is None


# lights


@dataclass
class Lit:
    """A driver that remembers what it was shown."""

    leds: int
    pictures: list[Picture] = field(default_factory=list)
    closed: bool = False
    pace: float = 0.01

    def open(self) -> str:
        return "a driver that remembers"

    def show(self, picture: Picture) -> None:
        if len(picture) != self.leds:
            raise LinkLostError("another board's picture")
        self.pictures.append(picture)

    def idle(self) -> tuple[int, int]:
        return (0, 0)

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def lamps() -> Iterator[tuple[Lamps, list[Lit]]]:
    made: list[Lit] = []

    def make(board: Board) -> Lit:
        made.append(Lit(board.lights))
        return made[-1]

    found = Lamps(make, boards.board)
    yield found, made
    found.stop()


def until(done: Callable[[], object]) -> None:
    end = time.monotonic() + 10
    while not done():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_lights_show_whose_turn_it_is_on_the_board_that_is_played(
    table: House, lamps: tuple[Lamps, list[Lit]]
) -> None:
    lights, made = lamps
    assert lights.status is None
    table.say(events.Camera(works=False))
    table.say(opening({"game": "barricades", "camera": False}, Chance(), camera=False))
    lights.show(table.say(events.Lots(seat="a", drawn=(("a", "6"), ("b", "1")))))
    until(lambda: made and made[0].pictures and made[0].pictures[-1] != dark(made[0].leds))
    assert made[0].leds == boards.board("barricades").lights
    lights.show(table.say(opening({"game": "tijou"}, Chance(), camera=False)))
    until(lambda: made[0].closed and made[1].pictures)
    assert made[1].leds == boards.board("tijou").lights


def test_lights_are_walked_through_and_come_back(
    table: House, lamps: tuple[Lamps, list[Lit]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.lamps.WALK", 0.001)
    lights, made = lamps
    lights.walk("tijou")
    until(lambda: not lights.walking)
    until(lambda: made[0].pictures[-1] == dark(made[0].leds))
    assert max(sum(light != (0, 0, 0, 0) for light in one) for one in made[0].pictures) == 1


def test_lights_that_come_are_news(table: House, lamps: tuple[Lamps, list[Lit]]) -> None:
    version = table.now.version
    news = Lamps(lambda board: Lit(board.lights), boards.board, on_status=table.nudge)
    news.show(table.now)
    until(lambda: table.now.version > version)
    assert news.lit
    news.stop()


def test_darkness_goes_by_and_the_newest_wish_is_shown_after_it(
    table: House, lamps: tuple[Lamps, list[Lit]]
) -> None:
    lights, made = lamps
    table.say(opening({"game": "barricades", "camera": False}, Chance(), camera=False))
    before = table.say(events.Lots(seat="a", drawn=(("a", "6"), ("b", "1"))))
    lights.show(before)
    until(lambda: lights.lit_at(time.monotonic() + 1))
    lights.darken(True)
    until(lambda: lights.lit_at(time.monotonic() + 1) == {})
    assert made[0].pictures[-1] == dark(made[0].leds)
    assert before.table is not None
    after = table.say(events.Tapped(seat="a", play=before.table.match.judged.plays[0].text))
    lights.show(after)
    assert made[0].pictures[-1] == dark(made[0].leds)
    lights.darken(False)
    until(lambda: lights.lit_at(time.monotonic() + 1))
    assert after.table is not None
    assert set(lights.lit_at(time.monotonic() + 1) or ()) <= set(wanted(after.table))
    assert wanted(after.table) != wanted(before.table)


def test_a_camera_that_says_no_more_leaves_nobody_in_the_dark(
    table: House, lamps: tuple[Lamps, list[Lit]], monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting: list[Callable[[], None]] = []

    class Timer:
        """Rings when the test says so."""

        def __init__(self, seconds: float, call: Callable[[bool], None], told: tuple[bool]) -> None:
            assert seconds == DARKEST
            self.daemon = False
            waiting.append(lambda: call(*told))

        def start(self) -> None: ...

        def cancel(self) -> None: ...

    monkeypatch.setattr("web.lamps.threading.Timer", Timer)
    lights, made = lamps
    table.say(opening({"game": "barricades", "camera": False}, Chance(), camera=False))
    lights.show(table.say(events.Lots(seat="a", drawn=(("a", "6"), ("b", "1")))))
    until(lambda: lights.lit_at(time.monotonic() + 1))
    lights.darken(True)
    until(lambda: made[0].pictures[-1] == dark(made[0].leds))
    waiting[0]()
    until(lambda: made[0].pictures[-1] != dark(made[0].leds))


@dataclass
class Asked:
    """Lights that remember what they were asked."""

    asked: list[bool] = field(default_factory=list)

    def lit_at(self, moment: float, doubt: float = 0.0) -> None:
        del moment, doubt

    def darken(self, on: bool) -> None:
        self.asked.append(on)


def test_the_lights_are_dark_while_the_watcher_asks_and_not_when_the_camera_fails(
    table: House,
) -> None:
    look = Watched("moving", None, False, (), darken=True)
    script = Script([look, look, watched("still", camped(), True), look, "the cable is out"])
    lights = Asked()
    eyes = Eyes(Steady(script, sleep=lambda seconds: None), table, script, lights=lights)
    for _ in range(5):
        eyes.step()
    assert lights.asked == [True, True, False, True, False]


@dataclass
class Endless(Script):
    """A camera that goes on, or fails once the lights are asked to go out, and what was read."""

    lights: Switched | None = None
    fails: bool = False
    by: list[object] = field(default_factory=list)

    def frame(self) -> Frame:
        if self.fails and self.lights is not None and self.lights.dark:
            raise CameraError("the cable is out")
        time.sleep(0.001)
        self.at += 1
        return Frame(BLACK, float(self.at), self.at)

    def see(self, image: object, time: float, lights: object = None) -> Watched:
        return watched("moving")

    def read(
        self, board: str, picture: object, lights: object = None
    ) -> tuple[Board, Reading] | None:
        self.by.append(lights)
        return super().read(board, picture, lights)


@dataclass
class Switched:
    """Lights that are dark when they are told to be, if their cable is in."""

    plugged: bool = True
    dark: bool = False

    def lit_at(self, moment: float, doubt: float = 0.0) -> dict[str, tuple[int, int, int]]:
        return {} if self.dark and self.plugged else {"5": (255, 0, 0)}

    def darken(self, on: bool) -> None:
        self.dark = on


@pytest.fixture
def glancing(table: House) -> Iterator[Callable[[Endless], Eyes]]:
    begun: list[Eyes] = []

    def begin(script: Endless) -> Eyes:
        steady = Steady(script, sleep=lambda seconds: None)
        begun.append(Eyes(steady, table, script, lights=script.lights).start())
        until(lambda: begun[-1].newest)
        return begun[-1]

    yield begin
    for eyes in begun:
        eyes.stop()


def test_what_lies_there_is_read_in_the_dark(glancing: Callable[[Endless], Eyes]) -> None:
    lights = Switched()
    script = Endless([], lights=lights)
    assert len(glancing(script).lying("tijou")) == len(camped())
    assert script.by == [{}]
    until(lambda: not lights.dark)


def test_lights_that_stay_are_told_to_whoever_reads(glancing: Callable[[Endless], Eyes]) -> None:
    script = Endless([], lights=Switched(plugged=False))
    assert glancing(script).lying("tijou")
    assert script.by == [{"5": (255, 0, 0)}]


def test_a_camera_that_fails_in_the_dark_has_seen_nothing(
    glancing: Callable[[Endless], Eyes],
) -> None:
    script = Endless([], lights=Switched(), fails=True)
    assert glancing(script).lying("tijou") == ()
    assert script.by == []


# pictures


def test_pictures_of_cases_are_kept_as_long_as_the_host_wants(tmp_path: Path) -> None:
    now, keep = [1.7e9], ["evening"]
    photos = Photos(tmp_path, lambda: keep[0], lambda: now[0])
    first = photos.put(BLACK)
    photos.save(first)
    for _ in range(RECENT + 1):
        last = photos.put(BLACK)
    assert photos.get(first) is not None
    assert photos.get(last) is not None
    (file,) = tmp_path.glob("*.jpg")
    assert file.stat().st_mode & 0o077 == 0
    assert photos.tidy() == 0
    now[0] = file.stat().st_mtime + 3600 * HOURS["evening"] + 1
    assert photos.tidy() == 1
    assert photos.get(first) is None


def test_no_pictures_are_kept_where_the_host_wants_none(tmp_path: Path) -> None:
    photos = Photos(tmp_path, lambda: "never")
    photos.save(photos.put(BLACK))
    assert not list(tmp_path.glob("*.jpg"))


def test_only_names_of_pictures_are_looked_up(tmp_path: Path) -> None:
    (tmp_path / "secret.jpg").write_bytes(b"secret")
    photos = Photos(tmp_path / "pictures", lambda: "evening")
    for name in ("../secret", "secret", "..%2fsecret", "", "a" * 500):
        assert photos.get(name) is None
