"""The running table goes dark for a look, through its own firmware, and lights up again."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import pytest

from firmware_bridge.levels import possible
from firmware_bridge.palette import look
from firmware_bridge.palette import picture as lights_of
from referee import events
from referee.lights import wanted
from referee.table import Table
from vision.cameras import Steady
from web.chance import Chance
from web.eyes import Eyes
from web.house import House
from web.lamps import Lamps
from web.opening import opening
from web.settings import Config
from web.twin.hands import hand_over
from web.twin.setting import virtual_sources
from web.twin.table import VirtualTable


def until(done: Callable[[], object]) -> None:
    end = time.monotonic() + 60
    while not done():
        assert time.monotonic() < end
        time.sleep(0.005)


@dataclass
class Evening:
    """A game on the virtual table: camera by camera's clock, lights by the emulated controller."""

    house: House
    desk: VirtualTable
    eyes: Eyes
    lamps: Lamps
    clock: list[float]
    burnt: list[bool] = field(default_factory=list)  # by frame, whether any light did

    @property
    def table(self) -> Table:
        found = self.house.now.table
        assert found is not None
        return found

    @property
    def told(self) -> dict[str, tuple[int, int, int]]:
        """The lights as whoever reads a picture of a later time would be told of them."""
        return self.lamps.lit_at(self.clock[0] + 1.0) or {}

    def frames(self, count: int) -> None:
        """Some frames; the cable is as quick as the camera, however busy this machine is."""
        for _ in range(count):
            self.eyes.step()
            self.clock[0] += 0.2
            until(lambda: self.lamps.settled)
            self.burnt.append(bool(self.told))

    def shows_what_the_umpire_wants(self) -> bool:
        pin, board = self.desk.pin, self.desk.desk.board
        assert pin is not None
        want = lights_of(board, {c: m for c, m in wanted(self.table).items() if c in board.by_id})
        lit = pin.shining()
        dark = (0, 0, 0)
        leds = {cell.led: lit.get(cell.id, dark) for cell in board.cells if cell.led is not None}
        shown = tuple(leds.get(n, dark) for n in range(len(want)))
        return possible(want, self.desk.brightness, self.desk.milliamps, shown)


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is learned of the desk, kept for all tests here."""
    return tmp_path_factory.mktemp("learned")


@pytest.fixture
def evening(house: House, tmp_path: Path, learned: Path) -> Iterator[Evening]:
    config, clock = Config(tmp_path, camera="twin"), [0.0]
    desk, camera, sources = virtual_sources(config, house)
    assert sources.driver is not None
    camera._clock, camera._sleep = lambda: clock[0], lambda seconds: None
    lamps = Lamps(sources.driver, sources.board_of, clock=lambda: clock[0])
    steady = Steady(camera, lambda: clock[0], lambda seconds: None)
    eyes = Eyes(steady, house, sources.tables, lights=lamps)
    sources.tables.folder = learned  # type: ignore[attr-defined]
    house.listen(lamps.show)
    house.start()
    yield Evening(house, desk, eyes, lamps, clock)
    lamps.stop()


def to_the_first_card(evening: Evening) -> None:
    house = evening.house
    house.say(opening({"game": "tijou"}, Chance(), camera=True))
    until(lambda: evening.lamps.lit)
    evening.frames(10)
    assert evening.table.stage == "still"
    assert not any(evening.burnt)
    for event in (events.Lots(seat="d"), events.Dealt(seat="d"),
                  *(events.Gave(seat=seat) for seat in "abcd"),
                  events.Announced(seat="c", card="2H")):  # fmt: skip
        house.say(event)
    evening.frames(3)
    assert evening.told["cc1"] == look("may-move").srgb
    assert evening.shows_what_the_umpire_wants()


def carry_one_out(evening: Evening) -> None:
    """A hand takes a pawn out of its camp, and leaves."""
    desk = evening.desk.desk
    cell = desk.board.cell("20")
    desk.reach(hand_over(desk.board, cell.x, cell.y))
    evening.frames(2)
    desk.move("cc1", "20")
    evening.frames(2)
    desk.reach(None)


def test_lights_go_dark_for_a_look_and_come_back_with_what_is_wanted_then(evening: Evening) -> None:
    to_the_first_card(evening)
    evening.burnt.clear()
    carry_one_out(evening)
    assert all(evening.burnt)  # no flicker while hands move
    while evening.table.match.turn == "c":
        evening.frames(1)
        assert len(evening.burnt) < 20
    evening.frames(8)
    assert evening.table.match.last is not None
    assert evening.table.match.last.text == "2H camp-20"
    changes = [now for before, now in pairwise(evening.burnt) if now != before]
    assert changes == [False, True]
    assert evening.burnt.count(False) <= 3
    assert evening.told
    assert evening.shows_what_the_umpire_wants()


def test_the_cable_pulled_in_the_dark_stops_nothing(evening: Evening) -> None:
    to_the_first_card(evening)
    carry_one_out(evening)
    while evening.burnt[-1]:
        evening.frames(1)
        assert len(evening.burnt) < 40
    assert evening.desk.pin is not None
    evening.desk.pin.plugged = False
    until(lambda: not evening.lamps.lit)
    for _ in range(10):
        evening.eyes.step()
        evening.clock[0] += 0.2
    assert evening.table.match.last is not None
    assert evening.table.match.last.text == "2H camp-20"
