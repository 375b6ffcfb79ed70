"""The lights of the table: the newest wanted picture to whatever is plugged in.

While the camera looks at a board that has come to rest, all of them are dark.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping

from firmware_bridge.bridge import Bridge, Status
from firmware_bridge.drivers import Driver
from firmware_bridge.palette import look, picture
from firmware_bridge.picture import dark
from hardware.boards import Board
from referee.lights import wanted
from web.lamplight import Lamplight
from web.owner import Moment

WALK = 0.5  # seconds each cell is lit while the lights are tried
DARKEST = 5.0  # seconds after which they burn again, whatever became of the camera


class Lamps:
    """Any thread; nothing here waits for a cable."""

    def __init__(
        self,
        make_driver: Callable[[Board], Driver],
        board_of: Callable[[str, int], Board],
        on_press: Callable[[int], None] | None = None,
        on_status: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,  # the camera's
    ) -> None:
        self._make_driver = make_driver
        self._board_of = board_of
        self._on_press, self._on_status = on_press, on_status
        self._lock = threading.Lock()
        self._board: Board | None = None
        self._bridge: Bridge | None = None
        self._meanings: Mapping[str, str] = {}
        self._wish: Mapping[str, str] = {}  # the same, or the one cell that is tried
        self._walk: threading.Event | None = None
        self._dark: threading.Timer | None = None
        self._clock = clock
        self._light = Lamplight(clock)

    def show(self, moment: Moment) -> None:
        """Listens to the house."""
        if moment.table is None:
            return
        setup = moment.table.match.setup
        board = self._board_of(setup.board, setup.house_entry)
        with self._lock:
            self._meanings = wanted(moment.table)
            if self._board is None or self._board.name != board.name:
                self._change(board)
            if self._walk is None:
                self._want(self._meanings)

    def _change(self, board: Board) -> None:
        """Another board has other lights: the old link ends by itself, a new one begins."""
        if self._bridge is not None:
            threading.Thread(target=self._bridge.stop, name="lights-end", daemon=True).start()
        self._board = board
        driver = self._make_driver(board)
        first = dark(max(1, board.lights))
        light = self._light = Lamplight(self._clock)
        light.wished(first, {})
        self._bridge = Bridge(
            driver,
            first,
            on_press=self._on_press,
            on_status=self._on_status,
            on_shown=light.shown,
        ).start()

    def _want(self, meanings: Mapping[str, str]) -> None:
        self._wish = meanings
        if self._bridge is None or self._board is None:
            return
        leds = {cell.id for cell in self._board.cells if cell.led is not None}
        shown = {} if self._dark else {c: word for c, word in meanings.items() if c in leds}
        wanted = picture(self._board, shown)
        self._light.wished(wanted, {cell: look(word).srgb for cell, word in shown.items()})
        self._bridge.want(wanted)

    def darken(self, on: bool) -> None:
        """All lights out for a look at the board; what is wished meanwhile is shown after it."""
        if on == (self._dark is not None):
            return
        with self._lock:
            if self._dark is not None:
                self._dark.cancel()
                self._dark = None
            if on:
                self._dark = threading.Timer(DARKEST, self.darken, (False,))
                self._dark.daemon = True
                self._dark.start()
            self._want(self._wish)

    @property
    def status(self) -> Status | None:
        """None before the first match."""
        bridge = self._bridge
        return None if bridge is None else bridge.status

    @property
    def lit(self) -> bool:
        """Whether the lights do what they are told."""
        return self._bridge is not None and self._bridge.status.connected

    def lit_at(self, moment: float, doubt: float = 0.0) -> dict[str, tuple[int, int, int]] | None:
        """What may have burnt in a picture taken then; None where nobody knows."""
        return self._light.at(moment, doubt)

    @property
    def settled(self) -> bool:
        """Whether they show what was wished last."""
        return self.lit and self._light.settled

    # trying them

    def walk(self, name: str, house_entry: int = 16) -> None:
        """Lights one cell after the other, once around; the game's lights come back after it."""
        board = self._board_of(name, house_entry)
        with self._lock:
            if self._walk is not None:
                return
            if self._board is None or self._board.name != board.name:
                self._change(board)
            self._walk = threading.Event()
            words = (self._walk, board)
        threading.Thread(target=self._walked, args=words, name="lights-walk", daemon=True).start()

    def _walked(self, ended: threading.Event, board: Board) -> None:
        for cell in sorted((c for c in board.cells if c.led is not None), key=lambda c: c.led or 0):
            with self._lock:
                self._want({cell.id: "hint"})
            if ended.wait(WALK):
                break
        self.end_walk()

    def end_walk(self) -> None:
        with self._lock:
            if self._walk is not None:
                self._walk.set()
                self._walk = None
            self._want(self._meanings)

    @property
    def walking(self) -> bool:
        return self._walk is not None

    def stop(self) -> None:
        self.end_walk()
        self.darken(False)
        with self._lock:
            bridge, self._bridge = self._bridge, None
        if bridge is not None:
            bridge.stop(0.5)
