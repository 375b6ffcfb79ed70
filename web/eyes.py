"""The camera's own thread: frames through the watcher, still boards and hands to the table.

It reads with whatever is given to it: `Tables` knows the boards that were learned.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from hardware.boards import Board
from referee import events
from referee.plays import RefereeError
from vision.cameras import Frame, Steady, Trouble
from vision.cameras.camera import CameraFinished
from vision.reading import Reading
from vision.watch import Watched
from web.glances import Glances, Lit
from web.house import BusyError, House
from web.lamplight import Colours

log = logging.getLogger(__name__)


class Watching(Protocol):
    """What looks at frames over time."""

    def see(self, image: np.ndarray, time: float, lights: Colours | None = None) -> Watched: ...


class Lights(Protocol):
    """What burns under the cells, and may be told to go dark for a look."""

    def lit_at(self, moment: float, doubt: float = 0.0) -> Colours | None: ...

    def darken(self, on: bool) -> None: ...


class Tables(Protocol):
    """The boards that were learned."""

    def knows(self, board: str) -> bool: ...

    def watch(self, board: str) -> tuple[Board, Watching] | None:
        """What follows this board over time, made anew."""

    def read(
        self, board: str, picture: np.ndarray, lights: Colours | None = None
    ) -> tuple[Board, Reading] | None:
        """One picture by itself, taken while these may have burnt."""


@dataclass(frozen=True)
class Sight:
    """How the camera is: a word for the page, with its facts."""

    word: str  # absent, starting, ready, off, trouble, unlearned, watching
    facts: tuple[tuple[str, str], ...] = ()

    @property
    def works(self) -> bool:
        return self.word in ("ready", "watching")


def standing(board: Board, reading: Reading) -> events.Pairs:
    """What stands where, in the referee's words: seats instead of colours."""
    seats = {piece.name: piece.seat or piece.name for piece in board.pieces}
    return tuple(sorted((seats[seen.name], seen.cell) for seen in reading.pieces))


class Eyes:
    """One camera in a thread of its own."""

    def __init__(
        self,
        camera: Steady,
        house: House,
        tables: Tables,
        keep: Callable[[np.ndarray], str] = lambda picture: "",
        lights: Lights | None = None,
    ) -> None:
        self._camera = camera
        self._house = house
        self._tables = tables
        self._keep = keep
        self._lights = lights
        self._stopping = threading.Event()
        self._name = ""  # of the board that is watched
        self._watched: tuple[Board, Watching] | None = None
        self._told: events.Event | None = None
        self._open = True
        self._glances = Glances()
        self.sight = Sight("starting")
        self.newest: Frame | None = None
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)

    def start(self) -> Eyes:
        self._thread.start()
        return self

    def stop(self, patience: float = 1.0) -> None:
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(patience)

    @property
    def busy(self) -> bool:
        """Whether the thread is still in the midst of a picture after it was told to stop."""
        return self._stopping.is_set() and self._thread.is_alive()

    def close(self) -> None:
        """The host plays without camera: pictures are taken, nothing is told."""
        self._open = False

    def open(self) -> None:
        self._open, self._told = True, None

    def relearn(self) -> None:
        """The table has been learned anew."""
        self._name, self._watched, self._told = "", None, None

    def lying(self, board: str) -> events.Pairs:
        """What lies on a board at this moment, whether or not a match is played on it.

        For every thread but the camera's, which puts the lights out for it.
        """
        seen = None if self.newest is None else self._lit(self.newest)
        if seen is not None and self._thread.is_alive():
            seen = self._glances.wait(seen)
        if seen is None:
            return ()
        found = self._tables.read(board, seen.frame.bgr, seen.lights)
        return () if found is None else standing(*found)

    def learned(self, board: str) -> bool:
        """Whether this board can be watched now."""
        return self.sight.word != "trouble" and self._tables.knows(board)

    def _run(self) -> None:
        try:
            while not self._stopping.is_set():
                self.step()
        except CameraFinished:
            self._see(Sight("absent"))
            self._lost()
        except Exception:  # the outermost loop of this thread: the game goes on by taps
            log.exception("the camera's thread failed")
            self._see(Sight("trouble", (("why", "the reader failed"),)))
            self._lost()
        finally:
            self._darken(False)
            self._camera.stop()

    def _darken(self, on: bool) -> None:
        if self._lights is not None:
            self._lights.darken(on)

    def step(self) -> None:
        """One frame, or one piece of trouble; what was seen is told before lights burn again."""
        frame = self._camera.next()
        watching = self._take(frame)
        seen = None if isinstance(frame, Trouble) else self._lit(frame)
        self._darken(self._glances.answer(seen) or watching)

    def _lit(self, frame: Frame) -> Lit:
        known = self._lights
        return Lit(frame, None if known is None else known.lit_at(frame.time, frame.doubt))

    def _take(self, frame: Frame | Trouble) -> bool:
        """Whether the lights should be dark for the next one."""
        if isinstance(frame, Trouble):
            if self._see(Sight("trouble", (("why", frame.words),))):
                self._lost()
            return False
        self.newest = frame
        table = self._house.now.table
        board = table.match.setup.board if table is not None else ""
        if board != self._name:
            self._name, self._told = board, None
            self._watched = self._tables.watch(board) if board else None
        if not self._open:
            self._see(Sight("off"))
        elif not board:
            self._see(Sight("ready"))
        elif self._watched is None:
            if self._see(Sight("unlearned", (("board", board),))):
                self._lost()
        else:
            self._see(Sight("watching"))
            return self.look(frame, *self._watched)
        return False

    def look(self, frame: Frame, board: Board, watcher: Watching) -> bool:
        seen = watcher.see(frame.bgr, frame.time, self._lit(frame).lights)
        self._say(seen, board, frame)
        return seen.darken

    def _say(self, seen: Watched, board: Board, frame: Frame) -> None:
        why = hidden(seen)
        if why:
            told = self._told.why if isinstance(self._told, events.Hidden) else ""
            if told != why and not (told and why == "hand"):
                self.tell(events.Hidden(why=why), self._name)
            return
        if seen.state != "still" or seen.reading is None or not self._to_tell(seen):
            return
        reading = seen.reading
        self.tell(
            events.Seen(
                pieces=standing(board, reading),
                unsure=tuple(reading.unsure),
                picture=self._keep(frame.bgr),
            ),
            self._name,
        )

    def _to_tell(self, seen: Watched) -> bool:
        """A new board; or the same one, after a hand or to a table that knows none."""
        table = self._house.now.table
        unknown = table is not None and table.seen is None
        return seen.changed or not isinstance(self._told, events.Seen) or unknown

    def tell(self, event: events.Event, board: str = "") -> None:
        try:
            self._house.say(event, board=board)
            self._told = event
        except RefereeError as error:  # no match any more, or another: told again with the next one
            log.info("the table does not listen to the camera: %s", error)
        except BusyError:
            log.warning("the table did not answer the camera in time")

    def _see(self, sight: Sight) -> bool:
        """Remembers how the camera is; whether that is news."""
        if sight == self.sight:
            return False
        self.sight = sight
        self._house.nudge()
        return True

    def _lost(self) -> None:
        table = self._house.now.table
        if table is not None and table.camera:
            self.tell(events.Camera(works=False))


def hidden(seen: Watched) -> str:
    """Why the board cannot be seen, if it cannot."""
    for word in ("lost", "dark"):
        if word in seen.events:
            return word
    if seen.state == "hand" or (seen.reading is not None and seen.reading.blocked):
        return "hand"
    return ""
