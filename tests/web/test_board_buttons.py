"""The buttons on the board's edge: pressed at the controller, heard at the table."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from firmware_bridge.drivers import Own, Settings
from firmware_bridge.faults import MachineClock
from firmware_bridge.protocol_emulator import Serial
from hardware import boards
from hardware.boards import Board
from hardware.firmware.machine import Machine
from referee import events
from web.bench.pretended import Wood
from web.chance import Chance
from web.house import House
from web.learned import Learned
from web.opening import opening
from web.reception import Fittings
from web.settings import Config, HostSettings
from web.sources import Sources, assemble


class Finger(Serial):
    """A cable to a controller at whose button somebody presses now and then."""

    wants: threading.Event

    def write(self, data: Any) -> int:
        if self.wants.is_set() and self.machine is not None:
            self.wants.clear()
            for down in (True, False):
                self.machine.press(0, down)
                self.machine.run(0.1)
        return super().write(data)


def until(done: Callable[[], object]) -> None:
    end = time.monotonic() + 10
    while not done():
        assert time.monotonic() < end
        time.sleep(0.005)


@pytest.fixture
def wants() -> threading.Event:
    return threading.Event()


@pytest.fixture
def fittings(
    new_house: Callable[[], House], config: Config, wants: threading.Event
) -> Iterator[tuple[House, Fittings]]:
    house = new_house()
    with Machine(leds=boards.board("barricades").lights) as machine:

        def port() -> Finger:
            found = Finger("emulator://", timeout=0.02, machine=machine)
            found.wants = wants
            return found

        def driver(board: Board) -> Own:
            return Own(port, Settings(board.lights), lambda _: MachineClock(machine))

        learned = Learned(config.data / "tables")
        settings = HostSettings.load(config.data / "settings.json", "en")
        made = assemble(house, config, Sources(learned, learned.board, driver=driver), settings)
        assert made.lamps is not None
        house.listen(made.lamps.show)
        house.start()
        yield house, made
        made.lamps.stop()
        until(lambda: all(one.name != "lights" for one in threading.enumerate()))


def lifted(house: House) -> None:
    """A game in which it is a's turn, whose pawn is in somebody's hand."""
    start = opening({"game": "barricades"}, Chance(random.Random(1)), camera=True)
    table = house.say(start).table
    assert table is not None
    wood = Wood(table.match.setup)

    def look(*without: tuple[str, str]) -> None:
        assert table is not None
        wood.stand(table.match.sight)
        pieces = tuple(piece for piece in wood.pieces() if piece not in without)
        house.say(events.Seen(pieces=pieces))

    look()
    table = house.say(events.Lots(seat="a", drawn=(("a", "6"), ("b", "1")))).table
    for seat, value in zip("abcda", (6, 2, 2, 2, 3), strict=True):
        assert table is not None
        if table.match.phase == "turn":
            table = house.say(events.Thrown(seat=seat, value=value)).table
        assert table is not None
        if value != 3:
            play = table.match.judged.plays[0]
            table = house.say(events.Tapped(seat=seat, play=play.text)).table
            look()
    look(("a", "h1"))


def shows(made: Fittings) -> bool:
    status = made.lamps.status if made.lamps is not None else None
    return status is not None and status.pictures > 0


def presses(wants: threading.Event) -> None:
    """More than once: what was pressed before the bridge first asked is not counted."""
    for _ in range(3):
        wants.set()
        until(lambda: not wants.is_set())


def test_a_press_says_that_was_my_move_for_whoevers_turn_it_is(
    fittings: tuple[House, Fittings], wants: threading.Event
) -> None:
    house, made = fittings
    lifted(house)
    assert house.now.table is not None
    assert (house.now.table.stage, house.now.table.cases) == ("lifted", ())
    until(lambda: shows(made))
    presses(wants)
    until(lambda: house.now.table is not None and house.now.table.cases)
    (case,) = house.now.table.cases
    assert case.seat == "a"


def test_a_press_where_nothing_is_to_be_confirmed_does_nothing(
    fittings: tuple[House, Fittings], wants: threading.Event
) -> None:
    house, made = fittings
    house.say(opening({"game": "barricades"}, Chance(random.Random(1)), camera=True))
    until(lambda: shows(made))
    before = house.now
    presses(wants)
    house.ask(lambda owner: None)  # the table has heard all that was said before
    assert house.now.table == before.table
    assert house.now.said == before.said
