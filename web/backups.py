"""Copies of the journal, taken while it is being written, checked, and the oldest let go."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from web.journal_file import JournalError, checked, make_private, open_to_read, sync_folder

FOLDER = "backups"
STAMP = "%Y%m%dT%H%M%S%fZ"
KEEP = 12


class Backup(NamedTuple):
    path: Path
    taken: float  # seconds since 1970


def stamp(when: float) -> str:
    return datetime.fromtimestamp(when, UTC).strftime(STAMP)


def backups(path: Path) -> list[Backup]:
    """The copies there are of a journal, the newest first."""
    found = []
    for copy in (path.parent / FOLDER).glob(f"{path.stem}-*{path.suffix}"):
        try:
            taken = datetime.strptime(copy.stem.removeprefix(f"{path.stem}-"), STAMP)
        except ValueError:
            continue  # somebody else's file
        found.append(Backup(copy, taken.replace(tzinfo=UTC).timestamp()))
    return sorted(found, key=lambda one: one.taken, reverse=True)


def back_up(path: Path, keep: int = KEEP, clock: Callable[[], float] = time.time) -> Backup:
    """A copy of the journal as it stands, from any thread; older ones go only for a sound one."""
    taken = clock()
    folder = path.parent / FOLDER
    target = folder / f"{path.stem}-{stamp(taken)}{path.suffix}"
    part = target.with_suffix(f".{os.getpid()}.part")
    try:
        folder.mkdir(exist_ok=True)
        for other in folder.glob(f"{path.stem}-*.part*"):
            if f".{os.getpid()}.part" not in other.name:
                other.unlink(missing_ok=True)  # only one program writes a journal: that one died
        make_private(part)
        with closing(open_to_read(path)) as source, closing(sqlite3.connect(part)) as copy:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")  # one file, nothing beside it
            for _ in checked(copy):
                pass
        with part.open("rb+") as written:
            os.fsync(written.fileno())
        os.replace(part, target)
        sync_folder(folder)
    except (OSError, sqlite3.Error) as error:
        part.unlink(missing_ok=True)
        raise JournalError(f"no backup of {path.name} could be written: {error}") from error
    except JournalError:
        part.unlink(missing_ok=True)
        raise
    for old in backups(path)[keep:]:
        old.path.unlink(missing_ok=True)
    return Backup(target, taken)
