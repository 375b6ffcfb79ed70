"""A table killed at any moment while it plays at full speed: what was acknowledged is there again.

The table is a program of its own that writes real events into a real journal, makes backups on
the way, and says after each line its number and a digest of the state. It is killed with SIGKILL;
the journal must then replay to the state last acknowledged. One line more may be on disk than was
acknowledged: killed between the two, it is there whole.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from referee.events import Event
from referee.table import Table
from referee.umpire import step
from web.backups import backups
from web.bench.tapping import COMPANIES, following, opening
from web.journal import Journal, event_of
from web.journal_file import JournalError, Row, is_opening, read_journal
from web.states import digest, final

KILLS = 30
LINES = 60  # it is killed after so many lines at most
LONGEST = 0.02  # and at some moment of the next, seconds
BACKUP_EVERY = 40  # lines


class Acknowledged(NamedTuple):
    number: int
    digest: str


def describe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--kills", type=int, help=f"how often it is killed (else {KILLS})")


def play(path: Path, seed: int) -> None:
    """The table that is going to be killed: goes on where the journal ends, for ever."""
    dice = random.Random(seed)
    journal = Journal.open(path)
    found = journal.resume()
    table: Table | None = found[0] if found is not None else None
    os.write(1, b"ready\n")
    while True:
        if table is None or table.match.phase == "over":
            event: Event = opening(dice.choice(COMPANIES), dice, camera=dice.random() < 0.5)
            after, _ = step(None, event)
        else:
            event = following(table, dice)
            after, _ = step(table, event)
        table, state = after, digest(after)
        number = journal.append(event)
        os.write(1, f"{number} {state}\n".encode())
        if number % BACKUP_EVERY == 0:
            journal.backup()


def killed(path: Path, seed: int, dice: random.Random) -> tuple[Acknowledged | None, int]:
    """One life of the table: what it acknowledged last, and how many lines."""
    command = [sys.executable, "-m", "web.bench.journal", str(path), str(seed)]
    with subprocess.Popen(  # noqa: S603 - this very program
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as table:
        assert table.stdout is not None
        assert table.stderr is not None
        if table.stdout.readline() != b"ready\n":
            raise ValueError(f"the table does not start: {table.stderr.read().decode()[-300:]}")
        heard = [table.stdout.readline() for _ in range(dice.randrange(LINES))]
        time.sleep(dice.random() * LONGEST)
        table.send_signal(signal.SIGKILL)
        heard += table.stdout.read().splitlines(keepends=True)
        said = [line.decode() for line in heard if line.endswith(b"\n")]  # cut short is unsaid
        problems = table.stderr.read().decode()
    if problems:
        raise ValueError(f"the table failed by itself: {problems[-300:]}")
    if not said:
        return None, 0
    number, state = said[-1].split()
    return Acknowledged(int(number), state), len(said)


class Tally:
    """What the kills have come to."""

    def __init__(self) -> None:
        self.kills = self.events = self.lost = self.wrong = self.one_more = 0
        self.repaired = self.torn_backups = 0
        self.last = 0  # the last line that is known to be there
        self.reopened: list[float] = []

    def check(self, path: Path, heard: Acknowledged | None, many: int) -> None:
        self.kills += 1
        self.events += many
        begun = time.perf_counter()
        with closing(Journal.open(path)) as journal:
            found = journal.resume()
            self.reopened.append(time.perf_counter() - begun)
            self.repaired += journal.repair is not None
        lines = read_journal(path)
        number = heard.number if heard is not None else self.last
        self.lost += max(0, number - len(lines))
        self.one_more += len(lines) - number == 1
        self.wrong += len(lines) - number > 1
        if heard is not None and len(lines) >= number:
            self.wrong += state_at(lines, number) != heard.digest
        if found is not None and lines:
            self.wrong += digest(found[0]) != state_at(lines, len(lines))
        self.last = len(lines)
        for copy in backups(path)[:1]:
            self.check_backup(copy.path, lines)

    def check_backup(self, path: Path, lines: list[Row]) -> None:
        try:
            copied = read_journal(path)
        except JournalError:
            self.torn_backups += 1
        else:
            self.torn_backups += copied != lines[: len(copied)]


def state_at(lines: list[Row], number: int) -> str:
    """The digest of the state after a line, worked out from the file's lines alone."""
    first = max(row.number for row in lines[:number] if is_opening(row.event))
    table = final((event_of(row) for row in lines[first - 1 : number]), first)
    assert table is not None
    return digest(table)


def measure(options: Mapping[str, Any]) -> dict[str, Any]:
    kills = options.get("kills") or KILLS
    seed = options.get("seed") or 1
    dice = random.Random(seed)
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="arbitre-") as folder:
        path = Path(folder) / "journal.sqlite"
        for life in range(kills):
            heard, many = killed(path, seed * 100_003 + life, dice)
            tally.check(path, heard, many)
        matches = sum(is_opening(row.event) for row in read_journal(path))
        size = path.stat().st_size
    return {
        "kills": tally.kills,
        "acknowledged": tally.events,
        "matches": matches,
        "lost": tally.lost,
        "wrong_states": tally.wrong,
        "written_not_yet_acknowledged": tally.one_more,
        "repairs_needed": tally.repaired,
        "torn_backups": tally.torn_backups,
        "reopen_ms": median(tally.reopened) * 1000,
        "file_kb": size / 1024,
    }


def table(figures: Mapping[str, Any]) -> str:
    rows = []
    for name, value in figures.items():
        shown = f"{value:.1f}" if isinstance(value, float) else str(value)
        rows.append(f"{name.replace('_', ' '):<30}{shown:>10}")
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    play(Path(sys.argv[1]), int(sys.argv[2]))
