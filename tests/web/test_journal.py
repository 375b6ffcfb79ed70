"""The journal on real files: what is appended is there again; full, read-only, newer, taken."""

from __future__ import annotations

import random
import sqlite3
import threading
from pathlib import Path

import pytest

from referee import events
from referee.events import Event
from referee.table import Table
from web.backups import back_up, backups
from web.bench.tapping import COMPANIES, evening, opening
from web.journal import REST, Journal, UnrecordedError
from web.journal_file import JournalError, NewerJournalError, read_journal
from web.states import ReplayError, digest, final


class Clock:
    """A clock that only goes when told."""

    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now


def played(many: int, company: int = 5, seed: int = 1) -> list[Event]:
    """The first events of a match."""
    dice = random.Random(seed)
    return evening(opening(COMPANIES[company], dice, camera=True), dice, many)


def after(happened: list[Event]) -> Table:
    table = final(happened)
    assert table is not None
    return table


def test_what_was_appended_is_there_again(tmp_path: Path) -> None:
    happened = played(60)
    with Journal.open(tmp_path / "journal.sqlite") as journal:
        assert [journal.append(event) for event in happened] == list(range(1, 61))
        assert journal.trouble is None
    with Journal.open(tmp_path / "journal.sqlite") as journal:
        assert journal.repair is None
        assert journal.events(1) == happened
        found = journal.resume()
    assert found is not None
    table, match = found
    assert (table, match) == (after(happened), 1)
    assert digest(table) == digest(after(happened))


def test_an_empty_journal_has_nothing_to_resume(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "deep" / "journal.sqlite") as journal:
        assert journal.resume() is None
        assert journal.matches() == []
        with pytest.raises(JournalError, match="opening"):
            journal.append(events.Tick(at=1.0))


def test_several_matches_in_one_file(tmp_path: Path) -> None:
    clock = Clock()
    first, second = played(20, 5), played(30, 1)
    with Journal.open(tmp_path / "journal.sqlite", clock) as journal:
        for event in first:
            journal.append(event)
        clock.now += 3600
        for event in second:
            journal.append(event)
        entries = journal.matches()
        assert [(entry.match, entry.events) for entry in entries] == [(1, 20), (21, 30)]
        assert [entry.opened.game for entry in entries] == ["barricades", "tockcitan"]
        assert entries[1].written == clock.now
        assert journal.events(1) == first
        assert journal.events(21) == second
        found = journal.resume()
        with pytest.raises(JournalError, match="no match 7"):
            journal.events(7)
    assert found == (after(second), 21)


def test_any_name_a_phone_may_send_is_kept(tmp_path: Path) -> None:
    odd = 'Zoé\u2028\ud800"event":"opened" \x00 😀'
    opened = opening(COMPANIES[6], random.Random(1))
    opened = events.Opened(**{**vars(opened), "persons": (("white", odd), ("black", "'"))})
    with Journal.open(tmp_path / "journal.sqlite") as journal:
        journal.append(opened)
        journal.append(events.Flagged(seat="white", against="black", rule=odd))
        assert len(journal.matches()) == 1
    with Journal.open(tmp_path / "journal.sqlite") as journal:
        assert journal.events(1)[0] == opened


def test_every_line_is_on_disk_when_append_returns(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    with Journal.open(path) as journal:
        for number, event in enumerate(played(20), 1):
            journal.append(event)
            assert len(read_journal(path)) == number
        assert journal._db is not None
        assert journal._db.execute("PRAGMA synchronous").fetchone()[0] == 2
        assert journal._db.execute("PRAGMA journal_mode").fetchone()[0] == "wal"


def test_nobody_else_may_read_everybodys_hands(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "journal.sqlite") as journal:
        journal.append(played(1)[0])
        copy = journal.backup()
    files = [*tmp_path.glob("journal.sqlite"), *tmp_path.glob("*-wal"), copy.path]
    assert [path.stat().st_mode & 0o777 for path in files] == [0o600] * len(files)


def test_two_programs_do_not_write_one_journal(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    with Journal.open(path) as journal:
        journal.append(played(1)[0])
        with pytest.raises(JournalError, match="another Arbitre"):
            Journal.open(path)
        assert len(read_journal(path)) == 1
    Journal.open(path).close()


def test_one_thread_owns_it(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "journal.sqlite") as journal:
        journal.append(played(1)[0])
        found: list[object] = []

        def elsewhere() -> None:
            try:
                journal.events(1)
            except sqlite3.ProgrammingError as error:
                found.append(error)

        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()
    assert len(found) == 1


# what cannot be written


def fill(journal: Journal) -> None:
    """No page more than there are: SQLite says that the disk is full."""
    assert journal._db is not None
    pages = journal._db.execute("PRAGMA page_count").fetchone()[0]
    journal._db.execute(f"PRAGMA max_page_count={pages}")


def make_room(journal: Journal) -> None:
    assert journal._db is not None
    journal._db.execute("PRAGMA max_page_count=100000")


def append_all(journal: Journal, happened: list[Event]) -> list[UnrecordedError]:
    found = []
    for event in happened:
        try:
            journal.append(event)
        except UnrecordedError as error:
            found.append(error)
    return found


def test_full_disk_play_goes_on_and_is_caught_up(tmp_path: Path) -> None:
    happened = played(400)
    path = tmp_path / "journal.sqlite"
    with Journal.open(path) as journal:
        assert append_all(journal, happened[:10]) == []
        fill(journal)
        missed = append_all(journal, happened[10:300])
        assert len(missed) > 250
        assert journal.trouble is not None
        assert (journal.trouble.cause, journal.trouble.waiting) == ("full", len(missed))
        assert missed[-1].number == 300
        assert len(read_journal(path)) == 300 - len(missed)
        assert journal.resume() == (after(happened[:300]), 1)
        assert journal.matches()[0].events == 300
        make_room(journal)
        assert append_all(journal, happened[300:]) == []
        assert journal.trouble is None
    with Journal.open(path) as journal:
        assert journal.repair is None
        assert journal.events(1) == happened


def test_a_match_begun_on_a_full_disk(tmp_path: Path) -> None:
    happened, more = played(250), played(30, 1)
    with Journal.open(tmp_path / "journal.sqlite") as journal:
        append_all(journal, happened[:3])
        fill(journal)
        assert append_all(journal, happened[3:])
        assert append_all(journal, more)
        assert [entry.events for entry in journal.matches()] == [250, 30]
        assert journal.resume() == (after(more), 251)
        assert not journal.retry()
        make_room(journal)
        assert journal.retry()
        assert journal.events(1) == happened
        assert journal.events(251) == more


def test_read_only_says_so(tmp_path: Path) -> None:
    clock, happened = Clock(), played(30)
    with Journal.open(tmp_path / "journal.sqlite", clock) as journal:
        append_all(journal, happened[:10])
        assert journal._db is not None
        journal._db.execute("PRAGMA query_only=ON")
        missed = append_all(journal, happened[10:20])
        assert [one.trouble.cause for one in missed] == ["read-only"] * 10
        assert [one.trouble.waiting for one in missed] == list(range(1, 11))
        clock.now += REST  # the file is opened anew
        assert append_all(journal, happened[20:]) == []
        assert journal.events(1) == happened


def test_no_place_at_all_and_then_there_is(tmp_path: Path) -> None:
    clock, happened = Clock(), played(30)
    (tmp_path / "data").write_text("a file where the folder should be")
    with Journal.open(tmp_path / "data" / "journal.sqlite", clock) as journal:
        assert journal.trouble is not None
        assert journal.resume() is None
        assert len(append_all(journal, happened[:20])) == 20
        assert journal.resume() == (after(happened[:20]), 1)
        (tmp_path / "data").unlink()
        assert len(append_all(journal, happened[20:25])) == 5  # not tried again at once
        clock.now += REST
        assert append_all(journal, happened[25:]) == []
        assert journal.events(1) == happened


def test_a_journal_deleted_or_replaced_under_play_is_written_again(tmp_path: Path) -> None:
    clock, happened, path = Clock(), played(60), tmp_path / "journal.sqlite"
    with Journal.open(path, clock) as journal:
        append_all(journal, happened[:20])
        for one in tmp_path.glob("journal.sqlite*"):
            if not one.name.endswith("-lock"):
                one.unlink()
        assert append_all(journal, happened[20:40]) == []
        assert journal.repair is not None
        assert journal.events(1) == happened[:40]
        other = Journal.open(tmp_path / "other.sqlite", clock)
        append_all(other, played(5, 1))
        other.close()
        path.unlink()
        (tmp_path / "other.sqlite").rename(path)
        assert append_all(journal, happened[40:]) == []
        last = journal.matches()[-1].match
        assert journal.events(last) == happened
    with Journal.open(path) as journal:
        assert journal.resume() == (after(happened), last)


# versions, foreign files, events that no longer fit


def test_a_newer_journal_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    with Journal.open(path) as journal:
        journal.append(played(1)[0])
    with sqlite3.connect(path) as db:
        db.execute("UPDATE about SET value='7' WHERE name='schema'")
        db.execute("PRAGMA user_version=7")
    db.close()
    before = path.read_bytes()
    with pytest.raises(NewerJournalError, match=r"format 7.*update Arbitre"):
        Journal.open(path)
    assert path.read_bytes() == before


def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "bookmarks.sqlite"
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE places (url TEXT)")
    db.close()
    with pytest.raises(JournalError, match="another program"):
        Journal.open(path)
    with pytest.raises(JournalError, match="another program"):
        read_journal(path)


def test_an_event_the_rules_refuse_is_named(tmp_path: Path) -> None:
    happened = played(10)
    with Journal.open(tmp_path / "journal.sqlite") as journal:
        append_all(journal, [*happened, events.Thrown(seat="nobody", value=9)])
        with pytest.raises(ReplayError, match='line 11: "thrown" does not fit here') as caught:
            journal.resume()
    assert caught.value.table == after(happened)


# backups


def test_a_backup_while_another_thread_plays(tmp_path: Path) -> None:
    clock, happened, path = Clock(), played(200), tmp_path / "journal.sqlite"
    stop = threading.Event()
    made: list[int] = []

    def copying() -> None:
        while not stop.is_set():
            made.append(len(read_journal(back_up(path, keep=3, clock=clock).path)))
            clock.now += 1

    with Journal.open(path) as journal:
        append_all(journal, happened[:1])
        thread = threading.Thread(target=copying)
        thread.start()
        assert append_all(journal, happened[1:]) == []
        stop.set()
        thread.join()
        copy = journal.backup()
    assert made == sorted(made)
    assert len(read_journal(copy.path)) == 200
    assert len(backups(path)) <= 4
    assert not list((tmp_path / "backups").glob("*.part"))


def test_only_the_newest_backups_are_kept(tmp_path: Path) -> None:
    clock, path = Clock(), tmp_path / "journal.sqlite"
    with Journal.open(path, clock) as journal:
        times = []
        for event in played(8):
            journal.append(event)
            clock.now += 60
            times.append(back_up(path, keep=3, clock=clock).taken)
    assert [copy.taken for copy in backups(path)] == pytest.approx(times[:-4:-1])
    (tmp_path / "backups" / "journal-notes.sqlite").write_text("somebody's own")
    assert len(backups(path)) == 3


def test_a_damaged_file_is_no_backup(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    with Journal.open(path) as journal:
        append_all(journal, played(20))
        good = journal.backup()
    with sqlite3.connect(path) as db:
        db.execute("UPDATE events SET event='{}' WHERE number=7")
    db.close()
    with pytest.raises(JournalError, match="line 7"):
        back_up(path, keep=1)
    assert [copy.path for copy in backups(path)] == [good.path]
