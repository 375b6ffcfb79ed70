"""A desk for the game that is played, its camera, its lights, and how it is learned to be read."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from calibration.learning import learn
from calibration.table import Table
from firmware_bridge.drivers import Driver, Settings
from firmware_bridge.picture import Picture as Lights
from hardware import boards
from hardware.boards import Board
from hardware.twin import positions
from hardware.twin.desk import Desk, Scenery
from hardware.twin.film import Picture
from referee.game import Sight
from vision.cameras.camera import CameraError, Frame, Mode
from web.learned import Learned
from web.twin.orders import carried, carries
from web.twin.pin import Pin

log = logging.getLogger(__name__)

SIZE = (880, 880)
NUMBER = 8
EDITION = 2  # of the pictures: what was learned from others is learned again
RATE = 5.0
GLOWING = 1.6  # seconds at least between two pictures that differ by their lights alone


class VirtualTable:
    """One desk at a time; any thread."""

    def __init__(
        self, brightness: int, milliamps: int, expected: Callable[[str], Sight | None]
    ) -> None:
        self.brightness, self.milliamps = brightness, milliamps
        self._expected = expected  # what should stand on a board, if it is played on
        self.laying = threading.RLock()
        self.wiring = threading.Lock()
        self._desk: Desk | None = None
        self._pin: Pin | None = None
        self.wanted = ("tijou", 16)  # board and house entry of the game that is played

    @property
    def desk(self) -> Desk:
        """The desk with the board that is wanted; laying another takes a second or two."""
        with self.laying:
            board = boards.board(*self.wanted)
            if self._desk is None or self._desk.board != board:
                self._desk = self._laid(board)
            return self._desk

    def _laid(self, board: Board) -> Desk:
        """A new desk, set up as far as the game that is played on it has come."""
        desk = Desk.of(board, SIZE, NUMBER)
        sight = self._expected(board.name)
        if sight is not None:
            desk.arrange(carried(desk.standing(), carries(board, desk.standing(), sight)))
        return desk

    @property
    def laid(self) -> Desk | None:
        """The desk, if it is ready."""
        desk = self._desk
        return desk if desk is not None and desk.board.name == self.wanted[0] else None

    @property
    def pin(self) -> Pin | None:
        return self._pin

    def driver(self, board: Board) -> Driver:
        """Lights for a board; the emulator is built and started by whoever opens them."""
        with self.wiring:
            plugged = self._pin is None or self._pin.plugged
            self._pin = Pin(board)
            self._pin.plugged = plugged
            settings = Settings(max(1, board.lights), self.brightness, self.milliamps)
            return self._pin.driver(settings)


class TwinCamera:
    """Photographs the desk; draws a picture only when there is something new to see."""

    def __init__(
        self,
        table: VirtualTable,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.table = table
        self.plugged = True
        self._clock, self._sleep = clock, sleep
        self._due = self._drawn_at = 0.0
        self._shown: tuple[int, Scenery, Lights | None] | None = None
        self._true_at = 0.0  # when the newest picture last showed the table as it was
        self.taken = self.drawn = 0
        self.newest: Picture | None = None

    @property
    def name(self) -> str:
        return "twin"

    def open(self) -> Mode:
        self._check()
        return Mode(*SIZE, "drawn")

    def close(self) -> None:
        self._shown = None

    def _check(self) -> None:
        if not self.plugged:
            raise CameraError("the virtual camera is unplugged: plug it in again on its page")

    def frame(self) -> Frame:
        self._check()
        wait = self._due - self._clock()
        if wait > 0:
            self._sleep(wait)
        self._due = self._clock() + 1 / RATE
        self._check()
        self.taken += 1
        desk, pin = self.table.desk, self.table.pin
        began, lights = self._clock(), None
        if pin is not None and pin.board.name == desk.board.name:
            lights = pin.shows
            desk.shine(pin.shining())
        now = desk.now
        if self.newest is None or self._news(id(desk), now, lights):
            self.newest = desk.shown(now, self.taken)
            self._shown, self._drawn_at = (id(desk), now, lights), self._clock()
            self.drawn += 1
            self._true_at = began
        elif self._shown is not None and lights == self._shown[2]:  # they pulse, no more
            self._true_at = began
        return Frame(self.newest, self._true_at, self.taken)

    def _news(self, desk: int, now: Scenery, lights: Lights | None) -> bool:
        if self._shown is None or self._shown[0] != desk:
            return True
        before = self._shown[1]
        if before == now:
            return False
        if burning(lights) != burning(self._shown[2]):
            return True
        if before.without_lights() == now.without_lights():
            return self._clock() - self._drawn_at >= GLOWING
        return True


def burning(lights: Lights | None) -> bool:
    """Whether any light is on, whatever its rhythm makes of it at this moment."""
    return lights is not None and any(any(light) for light in lights)


class TwinTables(Learned):
    """Learned once from two pictures of each desk, then kept in a folder."""

    def __init__(self, table: VirtualTable, folder: Path) -> None:
        super().__init__(folder)
        self.table = table

    def path(self, board: str) -> Path:
        return self.folder / f"{board}-{EDITION}.json"

    def knows(self, board: str) -> bool:
        return board in boards.names()

    def board(self, name: str, house_entry: int) -> Board:
        return boards.board(name, house_entry)

    def load(self, board: str) -> Table | None:
        found = super().load(board) if self.path(board).is_file() else None
        if found is not None:
            return found
        desk = self.table.desk  # nothing is kept, or a damaged or an older file
        if desk.board.name != board:  # the match is a moment ahead of the desk
            desk = Desk.of(boards.board(board), SIZE, NUMBER)
        learned = learn_desk(desk)
        try:
            self.keep(board, learned)
        except OSError as error:
            log.warning("what was learned of the virtual table is not kept: %s", error)
        return learned


def learn_desk(desk: Desk) -> Table:
    """From a picture of the empty board and one of everybody in the camps, as a host would."""
    fresh = Desk(desk.board, desk.scene, start_of(desk.board))
    setup = fresh.standing()
    waiting: np.ndarray = fresh.picture(1)
    fresh.arrange({})
    return learn(desk.board, [fresh.picture(2)], waiting, setup)


def start_of(board: Board) -> dict[str, tuple[str, ...]]:
    """Everything where it stands before a game."""
    return positions.start(board, np.random.default_rng(NUMBER))
