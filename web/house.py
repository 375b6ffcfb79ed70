"""The running table: one thread consumes one queue; everybody else talks through it.

Camera, web and lights each have their own threads. They put events in, or read the newest
`Moment`, which never changes once it is there.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TooLongError
from dataclasses import dataclass, field
from typing import Any, TypeVar

from referee import events
from referee.events import Event
from referee.plays import RefereeError
from web.chance import Chance
from web.owner import Journal, Moment, Owner

log = logging.getLogger(__name__)

WAKE = events.Tick()
PATIENCE = 5.0  # seconds somebody who says something waits for the answer

Listener = Callable[[Moment], None]
T = TypeVar("T")


class BusyError(Exception):
    """The table has not answered in time."""


class OtherBoardError(RefereeError):
    """What was seen lies on a board that is not played on any more."""


@dataclass(frozen=True)
class Spoken:
    """One thing in the queue: an event, or nothing but the wish that views are made anew."""

    event: Event | None
    board: str = ""  # where it was seen, if that matters
    answer: Future[Moment] = field(default_factory=Future)


@dataclass(frozen=True)
class Errand:
    """Something else that only the table's thread may do, such as reading its journal."""

    run: Callable[[Owner], Any]
    answer: Future[Any] = field(default_factory=Future)


class House:
    """The thread that owns the table."""

    def __init__(self, owner: Owner, clock: Callable[[], float] = time.monotonic) -> None:
        self._owner = owner
        self._clock = clock
        self._begun = clock()
        self._queue: queue.SimpleQueue[Spoken | Errand | None] = queue.SimpleQueue()
        self._listeners: list[Listener] = []
        self._now = owner.moment
        self._ready: Future[Exception | None] = Future()
        self._thread = threading.Thread(target=self._run, name="table", daemon=True)

    # for every thread

    @property
    def now(self) -> Moment:
        return self._now

    @property
    def journal(self) -> Journal | None:
        """For what any thread may ask of it, such as a backup."""
        return self._owner.journal

    @property
    def chance(self) -> Chance:
        """What this table draws with, whoever asks for it."""
        return self._owner.chance

    def listen(self, listener: Listener) -> None:
        """Called in the table's thread with every new moment: it must not wait for anything."""
        self._listeners.append(listener)

    def say(self, event: Event, patience: float = PATIENCE, *, board: str = "") -> Moment:
        """An event and the moment after it; RefereeError when it does not fit.

        `board`: where it was seen; by the time it is heard another one may be played on.
        """
        spoken = Spoken(event, board)
        self._queue.put(spoken)
        try:
            return spoken.answer.result(patience)
        except TooLongError:
            raise BusyError("the table does not answer") from None

    def tell(self, event: Event) -> None:
        """An event, without waiting for what becomes of it."""
        self._queue.put(Spoken(event))

    def ask(self, run: Callable[[Owner], T], patience: float = PATIENCE) -> T:
        """What the table's thread finds out; nothing may be changed there."""
        errand = Errand(run)
        self._queue.put(errand)
        try:
            found: T = errand.answer.result(patience)
        except TooLongError:
            raise BusyError("the table does not answer") from None
        return found

    def nudge(self) -> None:
        """Something outside the game has changed that views show."""
        self._queue.put(Spoken(None))

    # its own thread

    def start(self) -> House:
        """Opens the journal and goes on where it ends; whatever prevents that is raised here."""
        self._thread.start()
        failed = self._ready.result()
        if failed is not None:
            raise failed
        return self

    def stop(self, patience: float = 1.0) -> None:
        self._queue.put(None)
        if self._thread.is_alive():
            self._thread.join(patience)

    def _time(self) -> float:
        return self._clock() - self._begun

    def _run(self) -> None:
        try:
            self._owner.begin()
        except Exception as error:  # told by `start`, in the thread that asked for it
            self._ready.set_result(error)
            return
        table = self._owner.table
        self._begun = self._clock() - (table.at if table is not None else 0.0)
        self._publish()
        self._ready.set_result(None)
        while True:
            try:
                found = self._queue.get(timeout=self._sleep())
            except queue.Empty:  # the table waits for the time to pass
                found = Spoken(WAKE)
            if found is None:
                break
            if isinstance(found, Errand):
                self._do(found)
            else:
                self._answer(found)
        self._owner.end()

    def _sleep(self) -> float | None:
        due = self._owner.due()
        return None if due is None else max(0.0, due - self._time())

    def _do(self, errand: Errand) -> None:
        try:
            errand.answer.set_result(errand.run(self._owner))
        except Exception as error:  # told to whoever asked
            errand.answer.set_exception(error)

    def _answer(self, spoken: Spoken) -> None:
        version = self._owner.version
        try:
            if spoken.event is None:
                self._owner.version += 1
            elif spoken.event is WAKE:
                self._owner.wake(self._time())
            else:
                self._check(spoken.board)
                self._owner.hear(spoken.event, self._time())
        except RefereeError as error:
            self._finish(spoken, version, error)
        except Exception as error:  # the outermost loop of this thread: the game goes on
            log.exception("the table failed on %s", spoken.event.kind if spoken.event else "")
            self._finish(spoken, version, error)
        else:
            self._finish(spoken, version, None)

    def _check(self, board: str) -> None:
        table = self._owner.table
        if board and (table is None or table.match.setup.board != board):
            raise OtherBoardError(f"{board} is not played on any more")

    def _finish(self, spoken: Spoken, version: int, error: Exception | None) -> None:
        if self._owner.version != version:
            self._publish()
        if error is None:
            spoken.answer.set_result(self._now)
        else:
            spoken.answer.set_exception(error)

    def _publish(self) -> None:
        self._now = self._owner.moment
        for listener in self._listeners:
            try:
                listener(self._now)
            except Exception:  # a listener never stops the game
                log.exception("a listener failed")
