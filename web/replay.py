"""`arbitre replay FILE`: a match played again from a journal or a record, told, or handed on."""

from __future__ import annotations

import argparse
import json
import sqlite3
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardware.parser import Parser
from referee.events import Event
from referee.plays import RefereeError
from web.journal import Journal, event_of
from web.journal_file import JournalError, is_opening, read_journal
from web.record import (
    RecordError,
    ended,
    read_record,
    record_of,
    replayed,
    take_in,
    write_record,
)
from web.states import ReplayError
from web.statistics import figures
from web.statistics_chart import drawn
from web.statistics_words import told as figures_told
from web.story import clean, told

MOST_BYTES = 64_000_000  # of a record: hundreds of evenings
SQLITE = b"SQLite format 3\x00"


@dataclass(frozen=True)
class Found:
    """A match in a file."""

    number: int
    events: list[Event]
    started: float | None
    running: bool


def replay(argv: Sequence[str]) -> int:
    try:
        options = parser().parse_args(argv)
    except SystemExit as stop:
        return 2 if stop.code else 0
    try:
        return answer(options)
    except (JournalError, RecordError, ReplayError, RefereeError) as error:
        print(f"{options.file}: {error}", file=sys.stderr)
    except (OSError, sqlite3.Error) as error:
        print(f"arbitre replay: {error}", file=sys.stderr)
    return 2


def parser() -> Parser:
    words = Parser(
        prog="arbitre replay",
        description="Plays a match again from a journal (.sqlite) or a record (.json).",
    )
    words.add_argument("file", type=Path, metavar="FILE")
    what = words.add_mutually_exclusive_group()
    what.add_argument("--text", action="store_true", help="the match in words (the default)")
    what.add_argument("--json", action="store_true", help="the record, to be taken along")
    what.add_argument("--statistics", action="store_true", help="its figures")
    what.add_argument("--chart", action="store_true", help="its figures drawn, as SVG")
    what.add_argument("--list", action="store_true", help="the matches in the file")
    what.add_argument("--into", type=Path, metavar="JOURNAL", help="put it into a journal")
    words.add_argument("--match", type=int, help="which one (else the last)")
    words.add_argument("--lang", choices=("fr", "en"), default="fr")
    words.add_argument("--out", type=Path, metavar="FILE", help="write there, not to the screen")
    return words


def answer(options: argparse.Namespace) -> int:
    matches = read_matches(options.file)
    if options.list:
        put_out(options.out, "".join(f"{line}\n" for line in map(listed, matches)))
        return 0
    match = chosen(matches, options.match)
    if options.into is not None:
        return put_into(options.into, match)
    put_out(options.out, shown(match, options))
    return 0


def shown(match: Found, options: argparse.Namespace) -> str:
    lang = options.lang
    if options.json:
        if match.running:
            print("the match is under way: hidden cards are left out", file=sys.stderr)
        return write_record(record_of(match.events, match.running, match.started))
    if options.statistics:
        return "".join(f"{line}\n" for line in figures_told(figures(match.events), lang))
    if options.chart:
        return drawn(figures(match.events), lang)
    lines = told(match.events, lang, match.running, match.started)
    return "".join(f"{line}\n" for line in lines)


def put_into(place: Path, match: Found) -> int:
    if match.running:
        raise RecordError("this match is under way: it goes into no other journal before its end")
    form = record_of(match.events, False, match.started)
    with Journal.open(place) as journal:
        number = take_in(journal, read_record(write_record(form)))
    print(f"match {number} in {place}")
    return 0


def put_out(place: Path | None, content: str) -> None:
    content = content.encode("utf-8", "replace").decode()
    if place is None:
        sys.stdout.write(content)
    else:
        place.write_text(content, encoding="utf-8")


def read_matches(path: Path) -> list[Found]:
    """The matches of a journal, or the one of a record."""
    if path.is_dir():
        path = path / "journal.sqlite"
    with path.open("rb") as file:
        begin = file.read(len(SQLITE))
    if begin == SQLITE:
        return from_journal(path)
    if path.stat().st_size > MOST_BYTES:
        raise RecordError("too large for the record of a match")
    try:
        record = read_record(path.read_bytes().decode("utf-8"))
    except UnicodeDecodeError:
        raise RecordError("neither a journal nor a record") from None
    replayed(record)
    return [Found(1, list(record.events), record.started, False)]


def from_journal(path: Path) -> list[Found]:
    lines = read_journal(path)
    firsts = [n for n, row in enumerate(lines) if is_opening(row.event)]
    if not firsts:
        raise JournalError("no match has been played here yet")
    found = []
    for first, end in zip(firsts, [*firsts[1:], len(lines)], strict=True):
        happened = [event_of(row) for row in lines[first:end]]
        running = end == len(lines) and not ended(happened)
        found.append(Found(first + 1, happened, lines[first].written / 1000, running))
    return found


def chosen(matches: list[Found], number: int | None) -> Found:
    if number is None:
        return matches[-1]
    for match in matches:
        if match.number == number:
            return match
    numbers = ", ".join(str(match.number) for match in matches)
    raise RecordError(f"no match {number}; there are: {numbers}")


def listed(match: Found) -> str:
    opened: Any = match.events[0]
    people = ", ".join(clean(dict(opened.persons).get(seat, seat)) for seat in opened.seats)
    form = json.dumps({"match": match.number, "game": opened.game, "events": len(match.events)})
    return f"{form[:-1]}, {json.dumps('people')}: {json.dumps(people, ensure_ascii=False)}}}"
