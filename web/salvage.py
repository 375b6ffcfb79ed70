"""A damaged journal: every line that still holds, from the file, from memory, from the backups.

Lines are taken one after the other for as long as some source has the next one unharmed. The
damaged file is kept beside the new one; nothing of it is thrown away.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from web.backups import backups, stamp
from web.journal_file import (
    NOTHING,
    DamagedError,
    Row,
    make_file,
    mark_path,
    open_to_read,
    read_mark,
    sync_folder,
    write_mark,
)

READY = ".repaired"


class Repair(NamedTuple):
    """What was found damaged, and what became of it."""

    line: int  # the first that was damaged or missing; 0 where it was the file around them
    backup: float | None  # when the backup was taken that lines came from
    resumed: int  # the last line that holds
    lost: int | None  # lines after it that could not be used; None where nobody can count them
    kept: Path | None  # where the damaged file is now


class Source:
    """One place lines may be found in; whatever cannot be read there is simply not there."""

    def __init__(self, path: Path, taken: float | None = None) -> None:
        self.taken = taken
        self.db: sqlite3.Connection | None = None
        if path.is_file():
            self.db = open_to_read(path)
            self.db.text_factory = bytes  # damaged text is no text at all

    def row(self, number: int) -> Row | None:
        query = "SELECT number, written, event, chain FROM events WHERE number = ?"
        found = self.one(query, number)
        if found is None or not isinstance(found[2], bytes):
            return None
        try:
            return Row(found[0], found[1], found[2].decode("utf-8"), found[3])
        except UnicodeDecodeError:
            return None

    def beyond(self, number: int) -> int | None:
        """How many lines come after this one; None where that cannot be read."""
        found = self.one("SELECT count(*) FROM events WHERE number > ?", number)
        return None if found is None else found[0]

    def one(self, query: str, number: int) -> tuple[Any, ...] | None:
        if self.db is None:
            return None
        try:
            found: tuple[Any, ...] | None = self.db.execute(query, (number,)).fetchone()
            return found
        except sqlite3.DatabaseError:
            return None  # this part of the file cannot be read

    def close(self) -> None:
        if self.db is not None:
            self.db.close()


def salvage(path: Path, damage: DamagedError, now: float, memory: Sequence[Row] = ()) -> Repair:
    """Replaces a damaged or vanished journal by one of all the lines that hold."""
    known = {row.number: row for row in memory}
    main = Source(path)
    copies = [Source(copy.path, copy.taken) for copy in backups(path)]
    lines: list[Row] = []
    taken: float | None = None
    try:
        chain = NOTHING
        while True:
            number = len(lines)
            found = next_line(main.row(number + 1), known.get(number + 1), number, chain)
            for copy in copies:
                if found is None:
                    found = next_line(copy.row(number + 1), None, number, chain)
                    taken = copy.taken if found is not None else taken
            if found is None:
                break
            lines.append(found)
            chain = found.chain
        resumed = len(lines)
        counts = [main.beyond(resumed), *(copy.beyond(resumed) for copy in copies)]
    finally:
        for source in (main, *copies):
            source.close()
    ends = [count for count in counts if count is not None]
    lost: int | None = max([read_mark(path) - resumed, *ends, 0])
    if not lost and counts[0] is None and path.exists() and not mark_path(path).exists():
        lost = None
    return replaced(path, Repair(damage.line, taken, resumed, lost, None), lines, now)


def next_line(one: Row | None, other: Row | None, number: int, chain: bytes) -> Row | None:
    for row in (one, other):
        if row is not None and row.follows(number, chain):
            return row
    return None


def replaced(path: Path, repair: Repair, lines: Sequence[Row], now: float) -> Repair:
    """The new file in the old one's place; cut off anywhere, the next start completes it."""
    part = path.with_name(path.name + ".part")
    kept = path.with_name(f"{path.stem}-damaged-{stamp(now)}{path.suffix}")
    aside = [(path, kept), (beside(path, "-wal"), beside(kept, "-wal"))] if path.exists() else []
    repair = repair._replace(kept=kept if aside else None)
    when = None if repair.backup is None else int(repair.backup * 1000)
    name = kept.name if aside else ""
    note = (int(now * 1000), repair.line, repair.resumed, repair.lost, when, name)
    try:
        make_file(part, lines, note)
        for old, new in aside:
            if old.exists():
                shutil.copy2(old, new)
    except BaseException:  # no room: the damaged file stays where it is, for another time
        for one in (part, *(new for _, new in aside)):
            one.unlink(missing_ok=True)
        raise
    os.replace(part, beside(path, READY))
    sync_folder(path.parent)
    finish(path)
    mark_path(path).unlink(missing_ok=True)
    write_mark(path, repair.resumed)
    return repair


def finish(path: Path) -> None:
    """A repair that was cut off in its last step is completed."""
    ready = beside(path, READY)
    if not ready.exists():
        return
    for side in ("-wal", "-shm"):  # they belong to the damaged file
        beside(path, side).unlink(missing_ok=True)
    os.replace(ready, path)
    sync_folder(path.parent)


def beside(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)
