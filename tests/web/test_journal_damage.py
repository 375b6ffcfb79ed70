"""A damaged journal: noticed, said, mended from what holds; nothing silently dropped."""

from __future__ import annotations

import errno
import random
import shutil
import sqlite3
from pathlib import Path

import pytest

from referee import events
from referee.events import Event
from web.bench.tapping import COMPANIES, evening, opening
from web.journal import REST, Journal, UnrecordedError
from web.journal_file import JournalError, read_journal
from web.states import final

LINES, SAVED = 120, 80


@pytest.fixture(scope="module")
def happened() -> list[Event]:
    dice = random.Random(3)
    return evening(opening(COMPANIES[4], dice, camera=True), dice, LINES)


@pytest.fixture(scope="module")
def written(happened: list[Event], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a journal of 120 lines and a backup of the first 80."""
    folder = tmp_path_factory.mktemp("written")
    with Journal.open(folder / "journal.sqlite", lambda: 1_700_000_000.0) as journal:
        for event in happened[:SAVED]:
            journal.append(event)
        journal.backup()
        for event in happened[SAVED:]:
            journal.append(event)
    return folder


@pytest.fixture
def path(written: Path, tmp_path: Path) -> Path:
    shutil.copytree(written, tmp_path / "data")
    return tmp_path / "data" / "journal.sqlite"


def change(path: Path, statement: str) -> None:
    with sqlite3.connect(path) as db:
        db.execute(statement)
    db.close()


def test_a_line_that_the_backup_has_is_taken_from_it(path: Path, happened: list[Event]) -> None:
    change(path, "UPDATE events SET event=replace(event, 'e', 'f') WHERE number=42")
    with Journal.open(path) as journal:
        repair = journal.repair
        assert journal.events(1) == happened  # those after it too: they still fit
    assert repair is not None
    assert (repair.line, repair.resumed, repair.lost) == (42, LINES, 0)
    assert repair.backup == 1_700_000_000.0
    assert repair.kept is not None
    with sqlite3.connect(repair.kept) as kept:
        assert kept.execute("SELECT count(*) FROM events").fetchone() == (LINES,)
    with Journal.open(path) as again:
        assert again.repair is None


def test_a_line_that_nobody_has_ends_the_game_there(path: Path, happened: list[Event]) -> None:
    change(path, "DELETE FROM events WHERE number=101")
    with Journal.open(path) as journal:
        repair = journal.repair
        assert journal.events(1) == happened[:100]
        assert journal.append(events.Paused(on=True)) == 101
    assert repair is not None
    assert (repair.line, repair.resumed, repair.lost, repair.backup) == (101, 100, 20, None)
    with sqlite3.connect(path) as db:
        said = db.execute("SELECT line, resumed, lost FROM repairs").fetchall()
    db.close()
    assert said == [(101, 100, 20)]


def test_lines_missing_at_the_end_are_missed(path: Path, happened: list[Event]) -> None:
    change(path, "DELETE FROM events WHERE number > 110")
    with Journal.open(path) as journal:
        assert journal.repair is not None
        assert (journal.repair.line, journal.repair.resumed, journal.repair.lost) == (111, 110, 10)
        assert journal.events(1) == happened[:110]


def test_an_older_copy_put_in_its_place_is_noticed(path: Path, happened: list[Event]) -> None:
    (copy,) = path.parent.glob("backups/*")
    shutil.copy(copy, path)
    with Journal.open(path) as journal:
        assert journal.repair is not None
        assert (journal.repair.line, journal.repair.lost) == (SAVED + 1, LINES - SAVED)


def test_a_file_that_is_gone_comes_back_from_the_backup(path: Path, happened: list[Event]) -> None:
    path.unlink()
    with Journal.open(path) as journal:
        repair = journal.repair
        assert journal.events(1) == happened[:SAVED]
    assert repair is not None
    assert (repair.resumed, repair.lost, repair.kept) == (SAVED, LINES - SAVED, None)
    assert repair.backup == 1_700_000_000.0


@pytest.mark.parametrize("what", [b"", b"no database at all" * 100, bytes(8192)])
def test_a_file_that_is_no_database_any_more(
    path: Path, happened: list[Event], what: bytes
) -> None:
    path.write_bytes(what)
    with Journal.open(path) as journal:
        assert journal.repair is not None
        assert (journal.repair.resumed, journal.repair.lost) == (SAVED, LINES - SAVED)
        assert journal.events(1) == happened[:SAVED]
    if what:
        assert any(one.read_bytes() == what for one in path.parent.glob("journal-damaged-*"))


@pytest.mark.parametrize("seed", range(24))
def test_flipped_bytes_and_cut_files(path: Path, happened: list[Event], seed: int) -> None:
    """Whatever is done to the file: the lines that are left are the true ones, in order."""
    dice = random.Random(seed)
    content = bytearray(path.read_bytes())
    for _ in range(dice.randint(1, 4)):
        content[dice.randrange(len(content))] ^= 1 << dice.randrange(8)
    if dice.random() < 0.3:
        del content[dice.randrange(len(content)) :]
    path.write_bytes(content)
    with Journal.open(path) as journal:
        found = journal.events(1)
        assert found == happened[: len(found)]
        assert len(found) >= SAVED
        if len(found) < LINES:
            assert journal.repair is not None
            assert journal.repair.lost == LINES - len(found)
        assert journal.append(events.Paused(on=True)) == len(found) + 1
    with Journal.open(path) as journal:
        assert journal.repair is None
        assert len(journal.events(1)) == len(found) + 1


@pytest.mark.parametrize("seed", range(8))
def test_a_damaged_log_beside_the_file(happened: list[Event], tmp_path: Path, seed: int) -> None:
    """Lines not yet merged into the file live in the log; SQLite drops what fails there unsaid."""
    live = tmp_path / "live" / "journal.sqlite"
    journal = Journal.open(live)
    for event in happened[:40]:
        journal.append(event)
    shutil.copytree(live.parent, tmp_path / "cut")  # as if the power had gone
    journal.close()
    path = tmp_path / "cut" / "journal.sqlite"
    wal = path.with_name("journal.sqlite-wal")
    content = bytearray(wal.read_bytes())
    dice = random.Random(seed)
    for _ in range(3):
        content[dice.randrange(len(content))] ^= 255
    wal.write_bytes(content)
    with Journal.open(path) as again:
        entries = again.matches()
        found = again.events(1) if entries else []
        assert found == happened[: len(found)]
        assert len(found) == 40 or (again.repair is not None and again.repair.lost)


def test_a_repair_cut_off_is_finished(path: Path, happened: list[Event]) -> None:
    ready = path.with_name("journal.sqlite.repaired")
    shutil.copy(path, ready)
    path.write_bytes(b"damaged")
    path.with_name("journal.sqlite-wal").write_bytes(b"of the damaged file")
    with Journal.open(path) as journal:
        assert journal.events(1) == happened
    assert not ready.exists()


def test_reading_alone_mends_nothing(path: Path) -> None:
    change(path, "UPDATE events SET event='{}' WHERE number=42")
    before = path.read_bytes()
    with pytest.raises(JournalError, match="line 42 is damaged"):
        read_journal(path)
    assert path.read_bytes() == before


def test_damage_while_playing_is_mended_from_memory(path: Path, happened: list[Event]) -> None:
    now = 1_700_000_100.0
    journal = Journal.open(path, lambda: now)
    assert journal._db is not None
    pages = path.read_bytes()
    path.write_bytes(pages[:100] + bytes(len(pages) - 100))  # same file, emptied under our hands
    journal._db.execute("PRAGMA shrink_memory")  # SQLite has to read it again
    for one in path.parent.glob("backups/*"):
        one.unlink()
    with pytest.raises(UnrecordedError) as caught:
        journal.append(events.Paused(on=True))
    assert caught.value.trouble.cause == "damaged"
    now += REST
    assert journal.retry()
    assert journal.events(1) == [*happened, events.Paused(on=True)]
    assert journal.repair is not None
    assert journal.repair.lost == 0
    journal.close()


def test_damaged_and_no_room_to_mend_it(
    path: Path, happened: list[Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Play goes on from the last line that holds, and is written once there is room."""
    now = 1_700_000_100.0
    change(path, "UPDATE events SET event='{}' WHERE number=61")
    before = path.read_bytes()

    def no_room(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr(shutil, "copy2", no_room)
        journal = Journal.open(path, lambda: now)
        assert journal.trouble is not None
        assert journal.trouble.cause == "full"
        found = journal.resume()
        assert found == (final(happened[:60]), 1)
        with pytest.raises(UnrecordedError):
            journal.append(events.Paused(on=True))
        assert path.read_bytes() == before
        assert not list(path.parent.glob("*.part"))
    now += REST
    assert journal.append(events.Paused(on=False)) > LINES
    assert journal.events(1) == happened  # mended from the backup
    last = journal.matches()[-1].match
    played_on = [events.Paused(on=True), events.Paused(on=False)]
    assert journal.events(last) == [*happened[:60], *played_on]
    journal.close()
