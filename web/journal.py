"""The journal: every event on disk before its effect is shown; the table's state is its replay.

    journal = Journal.open(data / "journal.sqlite")
    table, match = journal.resume() or begin()
    after, intents = step(table, event)     # refused events are not written
    journal.append(event)                   # on disk when this returns; then show

Only the thread that owns the table calls it; `backup` may be called from any. Where nothing can
be written (`UnrecordedError`) play goes on: lines wait in memory, `trouble` says so to the page,
and they are written in order as soon as that is possible again.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import sqlite3
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from referee.events import Event, Opened, read_event, write_event
from referee.plays import RefereeError
from referee.table import Table
from web.backups import Backup, back_up, backups
from web.journal_file import (
    NOTHING,
    DamagedError,
    JournalError,
    Row,
    check_whole,
    is_opening,
    open_file,
    readable,
    tie,
    write_mark,
    write_rows,
)
from web.salvage import Repair, finish, salvage
from web.states import final

BATCH = 100  # waiting lines written at once
REST = 5.0  # seconds before a file that could not be opened is tried again
Cause = Literal["full", "read-only", "damaged", "unreachable"]
CAUSES: dict[int, Cause] = {
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_READONLY: "read-only",
    sqlite3.SQLITE_CORRUPT: "damaged",
    sqlite3.SQLITE_NOTADB: "damaged",
}
ERRNOS: dict[int, Cause] = {
    errno.ENOSPC: "full",
    errno.EDQUOT: "full",
    errno.EROFS: "read-only",
    errno.EACCES: "read-only",
}


class Trouble(NamedTuple):
    """Why the game is not being recorded, and how many events wait."""

    cause: Cause
    detail: str
    waiting: int


class UnrecordedError(JournalError):
    """The event is kept in memory only; play goes on."""

    def __init__(self, number: int, trouble: Trouble) -> None:
        super().__init__(f"event {number} is not recorded: {trouble.detail}")
        self.number = number
        self.trouble = trouble


class RestingError(JournalError):
    """The file failed a moment ago and is left alone for a while."""


class Entry(NamedTuple):
    """One match of a journal; its name is the number of its first line."""

    match: int
    opened: Opened
    written: float  # when it began, in seconds since 1970
    events: int


def line_of(event: Event) -> str:
    """An event as a line of the journal."""
    form = write_event(event)
    return json.dumps(form, ensure_ascii=True, sort_keys=True, separators=(",", ":"))


def event_of(row: Row) -> Event:
    try:
        return read_event(json.loads(row.event))
    except (RefereeError, ValueError) as error:
        raise JournalError(f"line {row.number}: {error}") from error


class Journal:
    def __init__(self, path: Path, clock: Callable[[], float]) -> None:
        self.path = path
        self.clock = clock
        self.repair: Repair | None = None
        self.trouble: Trouble | None = None
        self._db: sqlite3.Connection | None = None
        self._lock: int | None = None
        self._inode = 0
        self._last, self._chain = 0, NOTHING  # the last line on disk
        self._firsts: list[int] = []
        self._running: list[Row] = []  # the lines on disk of the match under way
        self._archive: list[Row] = []  # all of them, where the file could only be read
        self._waiting: list[tuple[int, str]] = []
        self._not_before = 0.0  # when a file that failed is tried again

    @classmethod
    def open(cls, path: Path | str, clock: Callable[[], float] = time.time) -> Journal:
        """The journal at a place, made, checked, and mended where it is damaged (`repair`)."""
        journal = cls(Path(path).absolute(), clock)
        try:
            journal._attach()
        except (OSError, sqlite3.Error) as error:
            journal._note(error)
            journal._read_what_there_is()
        except JournalError:
            journal.close()
            raise
        return journal

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # writing

    def append(self, event: Event) -> int:
        """Puts an event on disk; its number. UnrecordedError when it has to wait in memory."""
        if not isinstance(event, Opened) and not self._openings():
            raise JournalError("a match begins with its opening")
        self._waiting.append((int(self.clock() * 1000), line_of(event)))
        self.retry()
        number = self._last + len(self._waiting)
        if self.trouble is not None:
            raise UnrecordedError(number, self.trouble)
        return number

    def take_in(self, happened: Sequence[Event]) -> int:
        """A whole match at once, or nothing of it; its number."""
        if not happened or not isinstance(happened[0], Opened):
            raise JournalError("a match begins with its opening")
        if not self.retry():
            raise JournalError(f"nothing can be written: {self.trouble and self.trouble.detail}")
        when = int(self.clock() * 1000)
        try:
            self._write([(when, line_of(event)) for event in happened])
        except sqlite3.Error as error:
            raise JournalError(f"the match could not be written: {error}") from error
        return self._firsts[-1]

    def retry(self) -> bool:
        """Writes what waits, as far as that is possible; whether all is on disk."""
        try:
            self._attach()
            while self._waiting:
                self._write(self._waiting[:BATCH])
                del self._waiting[:BATCH]
        except RestingError:
            assert self.trouble is not None
            self.trouble = self.trouble._replace(waiting=len(self._waiting))
            return False
        except sqlite3.ProgrammingError:  # called from another thread: nobody's disk is to blame
            raise
        except (OSError, sqlite3.Error, JournalError) as error:
            self._note(error)
            self._not_before = self.clock() + REST
            return False
        self.trouble = None
        return True

    def backup(self) -> Backup:
        """A copy beside the journal, taken while it is used; from any thread."""
        return back_up(self.path, clock=self.clock)

    def close(self) -> None:
        """What still waits is tried once more; then the file is let go."""
        if self._waiting:
            self.retry()
        self._detach()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    # reading

    def matches(self) -> list[Entry]:
        """Every match there is, the oldest first."""
        openings = self._openings()
        ends = [*openings[1:], self._last + len(self._waiting) + 1]
        found = []
        for first, end in zip(openings, ends, strict=False):
            (row,) = self._lines(first, first + 1)
            opened = event_of(row)
            assert isinstance(opened, Opened)
            found.append(Entry(first, opened, row.written / 1000, end - first))
        return found

    def events(self, match: int) -> list[Event]:
        """The events of a match, those that still wait included."""
        openings = self._openings()
        if match not in openings:
            raise JournalError(f"no match {match} in {self.path.name}")
        later = [first for first in openings if first > match]
        return [event_of(row) for row in self._lines(match, later[0] if later else None)]

    def resume(self) -> tuple[Table, int] | None:
        """The table as the journal left it, and its match; None before the first match."""
        openings = self._openings()
        if not openings:
            return None
        table = final(self.events(openings[-1]), openings[-1])
        assert table is not None
        return table, openings[-1]

    def _openings(self) -> list[int]:
        """The first lines of all matches."""
        waiting = enumerate(self._waiting, self._last + 1)
        return self._firsts + [number for number, (_, event) in waiting if is_opening(event)]

    def _lines(self, first: int, end: int | None) -> list[Row]:
        """Lines on disk, and lines that wait, from one up to another."""
        if self._db is not None:
            query = "SELECT number, written, event, chain FROM events WHERE number >= ? "
            limit = -1 if end is None else max(0, end - first)
            found = self._db.execute(f"{query} ORDER BY number LIMIT ?", (first, limit))
            lines = [Row(*one) for one in found]
        else:
            lines = [row for row in self._archive or self._running if row.number >= first]
        lines += [row for row in self._tied() if row.number >= first]
        return [row for row in lines if end is None or row.number < end]

    # the file

    def _attach(self) -> None:
        """The file open and locked; mended or written anew where it is damaged or gone."""
        sound = self.trouble is None or self.trouble.cause == "full"
        if self._db is not None and sound and self._same_file():
            return
        if self.clock() < self._not_before and self.trouble is not None:
            raise RestingError(self.trouble.detail)
        known = self._running
        self._detach()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._take_lock()
        finish(self.path)
        lost_file = not self.path.exists() and (bool(known) or bool(backups(self.path)))
        try:
            if lost_file:
                raise DamagedError(0, "the file is gone")
            found = self._opened()
        except DamagedError as damage:
            self.repair = salvage(self.path, damage, self.clock(), known)
            found = self._opened()
        self._inode = self.path.stat().st_ino
        self._remember(found)
        if known and found[known[0].number - 1 :] != known:
            # this file does not end as the match under way does: that is written again from memory
            self._waiting[:0] = [(row.written, row.event) for row in known]

    def _opened(self) -> list[Row]:
        try:
            self._db = open_file(self.path)
        except sqlite3.DatabaseError as error:
            if cause_of(error) != "damaged":
                raise
            raise DamagedError(0, str(error)) from error
        try:
            return check_whole(self._db, self.path)
        except BaseException:
            self._detach()
            raise

    def _remember(self, found: list[Row]) -> None:
        self._firsts = [row.number for row in found if is_opening(row.event)]
        begin = self._firsts[-1] if self._firsts else 1
        self._running = found[begin - 1 :]
        self._last, self._chain = (found[-1].number, found[-1].chain) if found else (0, NOTHING)

    def _write(self, waiting: list[tuple[int, str]]) -> None:
        assert self._db is not None
        new = tie(waiting, self._last, self._chain)
        write_rows(self._db, new)
        for row in new:
            if is_opening(row.event):
                self._firsts.append(row.number)
                self._running = []
            self._running.append(row)
        self._last, self._chain = new[-1].number, new[-1].chain
        write_mark(self.path, self._last)

    def _tied(self) -> list[Row]:
        return tie(self._waiting, self._last, self._chain)

    def _same_file(self) -> bool:
        try:
            return self.path.stat().st_ino == self._inode
        except OSError:
            return False

    def _take_lock(self) -> None:
        if self._lock is not None:
            return
        name = self.path.with_name(self.path.name + "-lock")
        handle = os.open(name, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            raise JournalError(
                f"another Arbitre is writing {self.path}: close it, or choose another folder"
            ) from None
        self._lock = handle

    def _detach(self) -> None:
        if self._db is not None:
            self._db.close()
            self._db = None

    def _note(self, error: Exception) -> None:
        self.trouble = Trouble(cause_of(error), str(error), len(self._waiting))

    def _read_what_there_is(self) -> None:
        """A journal that can be neither written nor mended can still be read, as far as it goes."""
        if self.path.exists():
            self._archive = readable(self.path)
            self._remember(self._archive)


def cause_of(error: Exception) -> Cause:
    """What to tell people about an error of the disk."""
    if isinstance(error, sqlite3.Error):
        return CAUSES.get(getattr(error, "sqlite_errorcode", 0) & 0xFF, "unreachable")
    if isinstance(error, OSError):
        return ERRNOS.get(error.errno or 0, "unreachable")
    return "damaged" if isinstance(error, DamagedError) else "unreachable"
