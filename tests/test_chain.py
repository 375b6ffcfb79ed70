"""One move all the way: the camera's picture, the umpire, the controller's pin, the phone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from calibration.learning import learn
from firmware_bridge.drivers import Own, Settings
from firmware_bridge.faults import MachineClock
from firmware_bridge.levels import possible
from firmware_bridge.palette import picture as lights_of
from firmware_bridge.protocol_emulator import Serial
from hardware.boards import Board, board
from hardware.firmware.machine import Machine
from hardware.twin.desk import Desk
from referee import events
from referee.lights import wanted
from referee.umpire import step
from referee.views import seat_view
from vision.reading import Reader, Reading

SETTINGS = Settings(58, 160, 2000)


@pytest.fixture(scope="module")
def tijou() -> Board:
    return board("tijou")


@pytest.fixture(scope="module")
def desk(tijou: Board) -> Desk:
    return Desk.of(tijou)


@pytest.fixture(scope="module")
def reader(tijou: Board, desk: Desk) -> Reader:
    """A table learned from a picture of it empty, and one of the pieces in their camps."""
    waiting = desk.standing()
    desk.arrange({})
    empty = desk.picture(0)
    desk.arrange(waiting)
    return Reader(learn(tijou, [empty], desk.picture(1)))


@pytest.fixture
def lights() -> Iterator[tuple[Machine, Own]]:
    with Machine(leds=SETTINGS.leds) as machine:
        driver = Own(
            lambda: Serial("emulator://", timeout=0.02, machine=machine),
            SETTINGS,
            lambda port: MachineClock(machine),
        )
        driver.open()
        yield machine, driver


def seen(tijou: Board, reading: Reading, at: float) -> events.Seen:
    seats = {piece.name: piece.seat or piece.name for piece in tijou.pieces}
    pieces = tuple((seats[one.name], one.cell) for one in reading.pieces)
    return events.Seen(at=at, pieces=pieces, unsure=reading.unsure)


def test_a_tijou_move_goes_from_the_picture_to_the_light_and_the_phone(
    tijou: Board, desk: Desk, reader: Reader, lights: tuple[Machine, Own]
) -> None:
    machine, driver = lights
    table, _ = step(
        None,
        events.Opened(
            game="tijou",
            board="tijou",
            seats=("a", "b", "c", "d"),
            teams=(("a", "c"), ("b", "d")),
        ),
    )

    def happens(event: events.Event) -> None:
        nonlocal table
        table, _ = step(table, replace(event, at=table.at + 1))

    def camera_looks() -> None:
        happens(seen(tijou, reader.read(desk.picture(int(table.at)), desk.lights), table.at))

    def lit() -> None:
        """What the umpire wants comes out of the controller's pin and glows in the board."""
        want = lights_of(tijou, wanted(table))
        driver.show(want)
        shining = machine.picture()
        assert possible(want, SETTINGS.brightness, SETTINGS.milliamps, shining)
        desk.shine({cell.id: shining[cell.led] for cell in tijou.cells if cell.led is not None})

    camera_looks()
    assert table.stage == "still"
    happens(events.Lots(seat="d"))
    happens(events.Dealt(seat="d"))
    for seat in ("a", "b", "c", "d"):
        happens(events.Gave(seat=seat))
    assert table.match.turn == "c"  # at the dealer's right
    lit()

    happens(events.Announced(seat="c", card="2H"))
    assert wanted(table)["cc1"] == "may-move"
    lit()
    desk.move("cc1", "20")
    camera_looks()
    assert table.match.last is not None
    assert table.match.last.text == "2H camp-20"
    assert table.match.turn == "b"
    lit()
    assert seat_view(table, "b")["turn"] == "b"
    assert "announced" in seat_view(table, "b")["can"]
    assert seat_view(table, "c")["last"]["text"] == "2H camp-20"

    happens(events.Announced(seat="b", card="2S"))
    desk.move("bc1", "12")  # one too far: its entree is 11
    camera_looks()
    assert table.stage == "wrong"
    assert table.cases[-1].reasons[0].rule == "TIJOU-ENTER"
    assert wanted(table) == {"12": "wrong", "bc1": "put-back"}
    lit()
    desk.move("12", "11")
    camera_looks()
    assert table.match.turn == "a"
    assert table.cases[-1].decision == "slip"
    lit()
