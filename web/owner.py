"""The one who owns the table: an event in, judged, written down, then shown. Any clock."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

from referee import events
from referee.events import Event
from referee.still import due
from referee.table import Notice, Table, notice
from referee.umpire import step
from referee.views import public
from web.chance import Chance
from web.journal import Entry, Trouble
from web.journal_file import JournalError
from web.states import ReplayError

log = logging.getLogger(__name__)

REMEMBERED = 60  # notices that a phone which comes late may still hear
AGAIN = 5.0  # seconds until a journal that cannot be written is tried again
A_LITTLE = 0.01  # past the moment, so that no rounding makes it too early


class Journal(Protocol):
    """Where events are kept. `append` raises JournalError when they have to wait in memory."""

    trouble: Trouble | None

    def append(self, event: Event) -> int: ...

    def retry(self) -> bool: ...

    def resume(self) -> tuple[Table, int] | None: ...

    def matches(self) -> list[Entry]: ...

    def events(self, match: int) -> list[Event]: ...

    def close(self) -> None: ...


@dataclass(frozen=True)
class Said:
    """A notice with its number, for ever upwards while the program runs."""

    number: int
    notice: Notice


@dataclass(frozen=True)
class Moment:
    """What is true now. Frozen: any thread may read it."""

    version: int
    table: Table | None = None
    said: tuple[Said, ...] = ()
    unrecorded: str = ""  # why the game is not being recorded, in a word

    @cached_property
    def public(self) -> dict[str, Any] | None:
        return None if self.table is None else public(self.table)


class Owner:
    """Keeps the table; only the thread that has begun it may call it."""

    def __init__(self, chance: Chance, open_journal: Callable[[], Journal] | None = None) -> None:
        self.chance = chance
        self.open_journal = open_journal
        self.journal: Journal | None = None
        self.table: Table | None = None
        self.version = 1
        self.said: deque[Said] = deque(maxlen=REMEMBERED)
        self.heard = 0
        self.unrecorded = "memory"
        self.tried = 0.0  # when the journal was last tried again

    def begin(self) -> Owner:
        """Opens the journal and plays on where it ends; JournalError if another program has it."""
        if self.open_journal is None:
            return self
        self.journal = self.open_journal()
        self.unrecorded = self.trouble()
        try:
            found = self.journal.resume()
        except (ReplayError, JournalError) as error:
            log.error("the last game cannot be played on: %s", error)
            self.hint("resume.failed")
            return self
        if found is not None:
            self.table = found[0]
        return self

    def end(self) -> None:
        if self.journal is not None:
            self.journal.close()

    @property
    def moment(self) -> Moment:
        return Moment(self.version, self.table, tuple(self.said), self.unrecorded)

    def hear(self, event: Event, at: float) -> None:
        """Judge, write down, remember what is to be said; RefereeError when it does not fit."""
        self.accept(replace(event, at=at))
        while (more := self.chance.automatic(self.table)) is not None:
            self.accept(replace(more, at=at))

    def accept(self, event: Event) -> None:
        before = self.table
        if isinstance(event, events.Opened) and before is not None and before.match.phase != "over":
            step(None, event)  # what cannot be opened does not end what is under way
            self.accept(events.Ended(at=event.at))
        opening = isinstance(event, events.Opened)
        after, intents = step(None if opening else self.table, event)
        if isinstance(event, events.Tick) and before is not None and not told(before, after):
            self.table = after
            return
        self.write(event)
        self.table = after
        self.version += 1
        if opening:  # what was said of the last game would be told as news of this one
            self.said.clear()
            self.hear_said(notice("match.begins", game=after.match.setup.game))
        for intent in intents:
            self.hear_said(intent.notice)

    def hear_said(self, one: Notice) -> None:
        self.heard += 1
        self.said.append(Said(self.heard, one))

    def hint(self, key: str, **facts: Any) -> None:
        """Something about the table itself, to everybody."""
        self.hear_said(notice(key, **facts))
        self.version += 1

    # the journal

    def write(self, event: Event) -> None:
        """On disk before it is shown; where that cannot be, play goes on and it is said."""
        if self.journal is None:
            return
        try:
            self.journal.append(event)
        except JournalError as error:
            if not self.unrecorded:
                log.error("the game is not being recorded: %s", error)
            self.tried = event.at
        self.note_trouble()

    def trouble(self) -> str:
        trouble = self.journal.trouble if self.journal is not None else None
        return trouble.cause if trouble is not None else ""

    def note_trouble(self) -> None:
        cause = self.trouble()
        if cause != self.unrecorded:
            self.unrecorded = cause
            self.hint("recording.lost" if cause else "recording.back")

    # time

    def due(self) -> float | None:
        """When the table wants to be told the time, if it waits for anything."""
        moments = [] if self.table is None else [at + A_LITTLE for at in due(self.table)]
        if self.journal is not None and self.unrecorded:
            moments.append(self.tried + AGAIN)
        return min(moments, default=None)

    def wake(self, at: float) -> None:
        """The time that was waited for has come."""
        if self.journal is not None and self.unrecorded and at >= self.tried + AGAIN:
            self.tried = at
            self.journal.retry()
            self.note_trouble()
        if self.table is not None:
            self.hear(events.Tick(), at)


def told(before: Table, after: Table) -> bool:
    """Whether a tick has changed anything but the time."""
    return bool(after.notices) or before.but(at=0.0, notices=()) != after.but(at=0.0, notices=())
