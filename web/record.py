"""A match as JSON: taken along, played again elsewhere to the same state.

While a match runs its record holds what everybody at the table has seen and nothing else: built
from a list of what is allowed, so that no hand, no gift and no order of the pile is in it. Such a
record can be read, not played again. After the end the whole match is in it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from referee.events import Event, Opened, read_event, write_event
from referee.plays import RefereeError
from referee.table import Table
from web.journal import Journal
from web.states import ReplayError, Step, digest, final, steps

KIND = "arbitre match"
FORMAT = 1
ALWAYS = ("event", "at", "seat")

# what all may see of each event, beside when and whose; an event that is not here is left out
SEEN_BY_ALL: Mapping[str, tuple[str, ...]] = {
    "opened": (
        *("game", "board", "seats", "house_entry", "teams", "options", "shares", "mode"),
        *("severity", "persons", "tiles", "camera", "host"),
    ),
    "seated": ("persons", "teams", "shares"),
    "lots": ("drawn",),
    "shuffled": (),
    "dealt": ("size",),
    "declared": (),
    "gave": (),
    "announced": ("card",),
    "withdrawn": (),
    "thrown": ("value",),
    "discarded": ("cards",),
    "put-down": ("card",),
    "passed": (),
    "claimed": (),
    "seen": ("pieces", "unsure"),
    "hidden": ("why",),
    "camera": ("works",),
    "tick": (),
    "tapped": ("play",),
    "confirmed": (),
    "answered": ("question",),
    "adopted": (),
    "undo-asked": (),
    "undone": ("consent",),
    "hinted": (),
    "flagged": ("against", "rule"),
    "ruled": ("case", "decision"),
    "voted": ("case",),
    "severity": ("severity",),
    "paused": ("on",),
    "ended": (),
}
LAID_OPEN = ("announced", "discarded", "put-down")  # only where the match took it so


class RecordError(ValueError):
    """A record that cannot be read or played again; the message says why."""


@dataclass(frozen=True)
class Record:
    """A match read back."""

    events: tuple[Event, ...]
    digest: str = ""
    started: float | None = None
    made_by: str = ""


def is_over(table: Table) -> bool:
    return table.match.phase == "over"


def export(journal: Journal, match: int) -> dict[str, Any]:
    """The record of a match; of one that is under way, what all have seen of it."""
    entries = {entry.match: entry for entry in journal.matches()}
    happened = journal.events(match)
    running = match == max(entries) and not ended(happened)
    return record_of(happened, running, entries[match].written)


def ended(happened: Sequence[Event]) -> bool:
    table = final(happened)
    return table is not None and is_over(table)


def record_of(
    happened: Sequence[Event], running: bool, started: float | None = None
) -> dict[str, Any]:
    """The record of events as JSON."""
    form: dict[str, Any] = {"kind": KIND, "format": FORMAT, "program": version("arbitre")}
    if started is not None:
        form["started"] = datetime.fromtimestamp(started, UTC).isoformat(timespec="seconds")
    form["whole"] = not running
    if running:
        form["events"] = list(filter(None, map(seen_by_all, steps(happened))))
        return form
    table = final(happened)
    form["events"] = [write_event(event) for event in happened]
    if table is not None:
        form["winners"] = list(table.match.champions)
        form["digest"] = digest(table)
    return form


def seen_by_all(one: Step) -> dict[str, Any] | None:
    """An event without what somebody at the table may not know."""
    whole = write_event(one.event)
    kind = one.event.kind
    if kind not in SEEN_BY_ALL:
        return None
    allowed = (*ALWAYS, *SEEN_BY_ALL[kind])
    if kind in LAID_OPEN and (one.before is None or one.table.match is one.before.match):
        allowed = ALWAYS  # it was refused: the card has not left the hand
    return {name: value for name, value in whole.items() if name in allowed}


def write_record(form: Mapping[str, Any]) -> str:
    """As text, an event a line."""
    head = {name: value for name, value in form.items() if name != "events"}
    lines = [f"  {dumped(name)}: {dumped(value)}," for name, value in head.items()]
    events = ",\n".join(f"    {dumped(event)}" for event in form["events"])
    return "\n".join(["{", *lines, '  "events": [', events, "  ]", "}"]) + "\n"


def dumped(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if text.isprintable() else json.dumps(value)


def read_record(text: str) -> Record:
    """A record from its text; RecordError says what is wrong and where."""
    try:
        form = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"this is not JSON: {error}") from None
    if not isinstance(form, dict) or form.get("kind") != KIND:
        raise RecordError("this is not the record of a match")
    if type(form.get("format")) is not int or form["format"] < 1:
        raise RecordError('"format" is a number from 1')
    if form["format"] > FORMAT:
        raise RecordError(
            f"this record is of a newer Arbitre (format {form['format']}, this one knows {FORMAT})"
        )
    if form.get("whole") is not True:
        raise RecordError(
            "this record was made while the match went on: hidden cards are not in it, "
            "so that it cannot be played again"
        )
    if not isinstance(form.get("events"), list) or not form["events"]:
        raise RecordError('"events" is a list of events')
    return Record(
        tuple(read_line(line, one) for line, one in enumerate(form["events"], 1)),
        text_of(form, "digest"),
        moment(text_of(form, "started")),
        text_of(form, "program"),
    )


def read_line(line: int, form: object) -> Event:
    try:
        event = read_event(form)
    except RefereeError as error:
        raise RecordError(f"event {line}: {error}") from None
    if isinstance(event, Opened) != (line == 1):
        raise RecordError(f"event {line}: a record begins with its opening, and has only one")
    return event


def text_of(form: Mapping[str, Any], name: str) -> str:
    if not isinstance(form.get(name, ""), str):
        raise RecordError(f'"{name}" is a text')
    return str(form.get(name, ""))


def moment(text: str) -> float | None:
    if not text:
        return None
    try:
        return datetime.fromisoformat(text).timestamp()
    except (ValueError, OverflowError, OSError):
        raise RecordError('"started" is a date like 2024-05-31T20:15:00+00:00') from None


def replayed(record: Record) -> Table:
    """The table after the match; RecordError where it is not the one it was made from."""
    try:
        table = final(record.events)
    except ReplayError as error:
        raise RecordError(f"{error} (the record was made by Arbitre {record.made_by})") from error
    assert table is not None
    if record.digest and digest(table) != record.digest:
        raise RecordError(
            "played again, this match does not end as it did where it was recorded: its events "
            f"were changed, or the rules are not those of Arbitre {record.made_by or '?'}"
        )
    return table


def take_in(journal: Journal, record: Record) -> int:
    """A record becomes a match of a journal; its number. Never over one that is under way."""
    replayed(record)
    found = journal.resume()
    if found is not None and not is_over(found[0]):
        raise RecordError("a match is under way in this journal: end it first")
    return journal.take_in(record.events)
