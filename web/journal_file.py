"""The journal's file: a SQLite table of lines, each tied to the one before by a checksum."""

from __future__ import annotations

import logging
import os
import shutil
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

log = logging.getLogger(__name__)

APPLICATION = 0x41524254  # "ARBT", for `file` and for ourselves
SCHEMA = 1  # said twice in the file, so that damage is not taken for a newer one
NOTHING = bytes(16)  # the checksum before the first line
TABLES = """
CREATE TABLE events (
    number INTEGER PRIMARY KEY,
    written INTEGER NOT NULL,  -- milliseconds since 1970
    event TEXT NOT NULL,       -- JSON
    chain BLOB NOT NULL        -- checksum of this line and of the one before
);
CREATE TABLE matches (first INTEGER PRIMARY KEY);
CREATE TABLE repairs (
    written INTEGER NOT NULL,
    line INTEGER NOT NULL,
    resumed INTEGER NOT NULL,
    lost INTEGER,
    backup INTEGER,
    kept TEXT NOT NULL
);
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO about VALUES ('schema', '1');
"""


class JournalError(Exception):
    """The journal cannot be used as asked; the message says what to do."""


class NewerJournalError(JournalError):
    """Written by a later version of the program."""


class DamagedError(JournalError):
    """A line is not as it was written, or is missing; 0 where no single line is to blame."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line} is damaged: {why}" if line else why)
        self.line = line


class Row(NamedTuple):
    """One line."""

    number: int
    written: int
    event: str
    chain: bytes

    def follows(self, number: int, chain: bytes) -> bool:
        """Whether this is the line after the one with this number and checksum, unharmed."""
        if self.number != number + 1 or not isinstance(self.chain, bytes):
            return False
        if type(self.written) is not int or not isinstance(self.event, str):
            return False
        return self.chain == tied(chain, self.number, self.written, self.event)


def tied(before: bytes, number: int, written: int, event: str) -> bytes:
    """The checksum of a line."""
    text = f"{number} {written} {event}".encode("utf-8", "surrogatepass")
    return blake2b(before + text, digest_size=16).digest()


def is_opening(event: str) -> bool:
    """Whether a line begins a match."""
    return '"event":"opened"' in event


def open_file(path: Path) -> sqlite3.Connection:
    """The file, made if it is not there, ready to be written; what is done is on disk."""
    make_private(path)
    db = sqlite3.connect(path, isolation_level=None, timeout=2.0)
    try:
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=FULL")
        if is_empty(db):
            make_tables(db)
        check_format(db, path)
    except BaseException:
        db.close()
        raise
    return db


def make_private(path: Path) -> None:
    """A file that nobody else may read, for it holds everybody's hand."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))


def open_to_read(path: Path) -> sqlite3.Connection:
    """The file as it stands, while somebody else may be writing it."""
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=2.0)


def read_journal(path: Path) -> list[Row]:
    """Every line of a journal that may be in use, or may not be written at all."""
    if not path.is_file():
        raise JournalError(f"no journal at {path}")
    try:
        with closing(open_to_read(path)) as db:
            return read_all(db, path)
    except sqlite3.OperationalError:
        with copied(path) as db:
            return read_all(db, path)


def readable(path: Path) -> list[Row]:
    """The lines up to the first that cannot be read, whatever is wrong with the file."""
    found: list[Row] = []
    try:
        with copied(path) as db:
            found.extend(checked(db))
    except (OSError, sqlite3.Error, JournalError):
        log.warning("%s can be read up to line %d only", path, len(found))
    return found


@contextmanager
def copied(path: Path) -> Iterator[sqlite3.Connection]:
    """A copy, for folders that cannot be written: there SQLite would not see the newest lines."""
    with TemporaryDirectory(prefix="arbitre-") as folder:
        copy = Path(folder) / path.name
        for ending in ("", "-wal"):
            if path.with_name(path.name + ending).exists():
                shutil.copyfile(path.with_name(path.name + ending), f"{copy}{ending}")
        with closing(sqlite3.connect(copy)) as db:
            yield db


def read_all(db: sqlite3.Connection, path: Path) -> list[Row]:
    try:
        check_format(db, path)
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError as error:
        raise JournalError(f"{path} is not a journal, or is damaged: {error}") from error
    return check_whole(db, path)


def is_empty(db: sqlite3.Connection) -> bool:
    return not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]


def make_tables(db: sqlite3.Connection) -> None:
    db.executescript(
        f"BEGIN; PRAGMA application_id={APPLICATION}; PRAGMA user_version={SCHEMA};{TABLES} COMMIT;"
    )


def check_format(db: sqlite3.Connection, path: Path) -> None:
    """Whether this is a journal, and of a kind that is understood."""
    names = {name for (name,) in db.execute("SELECT name FROM sqlite_master")}
    application = db.execute("PRAGMA application_id").fetchone()[0]
    if application != APPLICATION and "events" not in names:
        raise JournalError(
            f"{path} belongs to another program: choose another place for the journal"
        )
    if not {"events", "about"} <= names:
        raise DamagedError(0, "the tables of the journal are gone")
    version = db.execute("PRAGMA user_version").fetchone()[0]
    said = db.execute("SELECT value FROM about WHERE name='schema'").fetchone()
    if said is None or said[0] != str(version) or application != APPLICATION or version < 1:
        raise DamagedError(0, "the head of the journal is damaged")
    if version > SCHEMA:
        raise NewerJournalError(
            f"{path} was written by a newer Arbitre (format {version}, this one knows {SCHEMA}): "
            "update Arbitre, or move the file aside to begin a new journal"
        )


def rows(db: sqlite3.Connection, after: int = 0) -> Iterator[Row]:
    found = db.execute(
        "SELECT number, written, event, chain FROM events WHERE number > ? ORDER BY number",
        (after,),
    )
    yield from (Row(*one) for one in found)


def checked(db: sqlite3.Connection) -> Iterator[Row]:
    """Every line in order; DamagedError at the first that is not as it was written."""
    number, chain = 0, NOTHING
    try:
        for row in rows(db):
            if not row.follows(number, chain):
                why = "lines are missing" if row.number != number + 1 else "its checksum is wrong"
                raise DamagedError(number + 1, why)
            yield row
            number, chain = row.number, row.chain
    except sqlite3.DatabaseError as error:
        raise DamagedError(number + 1, str(error)) from error


def check_whole(db: sqlite3.Connection, path: Path) -> list[Row]:
    """Every line, if the whole file is sound and none is missing at its end."""
    found = list(checked(db))
    last = found[-1].number if found else 0
    noted = read_mark(path)
    if noted > last:
        raise DamagedError(last + 1, f"lines up to {noted} are missing")
    try:
        said = db.execute("PRAGMA quick_check(1)").fetchone()[0]
        firsts = [first for (first,) in db.execute("SELECT first FROM matches ORDER BY first")]
    except sqlite3.DatabaseError as error:
        raise DamagedError(0, str(error)) from error
    if said != "ok":
        raise DamagedError(0, said.splitlines()[-1])
    if firsts != [row.number for row in found if is_opening(row.event)]:
        raise DamagedError(0, "the list of matches does not agree with the lines")
    return found


def write_rows(db: sqlite3.Connection, new: Sequence[Row]) -> None:
    """Lines, all or none, on disk when this returns."""
    db.execute("BEGIN IMMEDIATE")
    try:
        db.executemany("INSERT INTO events VALUES (?, ?, ?, ?)", new)
        firsts = [(row.number,) for row in new if is_opening(row.event)]
        if firsts:
            db.executemany("INSERT INTO matches VALUES (?)", firsts)
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            with suppress(sqlite3.Error):  # the first error is the one to tell
                db.execute("ROLLBACK")
        raise


def tie(written: Iterable[tuple[int, str]], number: int, chain: bytes) -> list[Row]:
    """Lines that come after the one with this number and checksum."""
    found = []
    for when, event in written:
        number += 1
        chain = tied(chain, number, when, event)
        found.append(Row(number, when, event, chain))
    return found


# beside the file: the number of the last line, so that a lost end is noticed too


def mark_path(path: Path) -> Path:
    return path.with_name(path.name + "-last")


def write_mark(path: Path, number: int) -> None:
    """Notes the last line. Not forced to disk: it may lag behind, never run ahead."""
    with suppress(OSError):  # the lines themselves are safe; a mark that lags does no harm
        handle = os.open(mark_path(path), os.O_WRONLY | os.O_CREAT, 0o644)
        try:
            os.pwrite(handle, f"{number:012d}\n".encode(), 0)
        finally:
            os.close(handle)


def read_mark(path: Path) -> int:
    """The last line that was noted; 0 where nothing readable is."""
    try:
        text = mark_path(path).read_text("ascii").strip()
    except (OSError, UnicodeDecodeError):
        return 0
    return int(text) if len(text) == 12 and text.isdecimal() else 0


def make_file(path: Path, lines: Sequence[Row], repair: Sequence[object] | None = None) -> None:
    """A whole new file with these lines."""
    path.unlink(missing_ok=True)
    make_private(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA synchronous=FULL")
        make_tables(db)
        write_rows(db, lines)
        if repair is not None:
            db.execute("INSERT INTO repairs VALUES (?, ?, ?, ?, ?, ?)", repair)


def sync_folder(folder: Path) -> None:
    """Names just given in a folder outlive a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
