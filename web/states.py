"""The states that events lead to, and a digest by which two machines can compare them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from hashlib import blake2b
from typing import Any, NamedTuple

from referee.events import Event, Opened
from referee.match import NotNowError
from referee.plays import RefereeError
from referee.table import Table
from referee.umpire import Intent, step


class ReplayError(Exception):
    """An event that the rules, as they are now, do not accept; `table` is the state before it."""

    def __init__(self, line: int, event: Event, why: str, table: Table | None) -> None:
        super().__init__(f'line {line}: "{event.kind}" does not fit here: {why}')
        self.line = line
        self.table = table


class Step(NamedTuple):
    """One event, with the table before and after it and what was said."""

    line: int
    event: Event
    before: Table | None
    table: Table
    intents: tuple[Intent, ...]


def steps(events: Iterable[Event], first: int = 1) -> Iterator[Step]:
    """What each event made of the table; lines are numbered from `first`."""
    table: Table | None = None
    for line, event in enumerate(events, first):
        try:
            if table is not None and isinstance(event, Opened):
                raise NotNowError("another match begins")
            after, intents = step(table, event)
        except RefereeError as error:
            raise ReplayError(line, event, str(error), table) from error
        yield Step(line, event, table, after, intents)
        table = after


def final(events: Iterable[Event], first: int = 1) -> Table | None:
    """The table after all events."""
    table = None
    for one in steps(events, first):
        table = one.table
    return table


def digest(table: Table) -> str:
    """The same for equal tables, on any machine; another for tables that differ in anything."""
    return blake2b(
        _Writer().text(table).encode("utf-8", "surrogatepass"), digest_size=16
    ).hexdigest()


class _Writer:
    """Values as text; what a table holds many times is written once."""

    def __init__(self) -> None:
        self.known: dict[int, tuple[Any, str]] = {}

    def text(self, value: Any) -> str:
        if value is None or isinstance(value, (str, int, float, bytes)):
            return repr(value.value if isinstance(value, Enum) else value)
        found = self.known.get(id(value))
        if found is None:
            # the value is kept, so that its id is not given to another
            found = self.known[id(value)] = value, self.hashed(self.written(value))
        return found[1]

    def hashed(self, text: str) -> str:
        if len(text) < 64:
            return text
        return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()

    def written(self, value: Any) -> str:
        name = type(value).__name__
        if is_dataclass(value):
            parts = (self.text(getattr(value, one.name)) for one in fields(value) if one.compare)
            return f"{name}({','.join(parts)})"
        if isinstance(value, Mapping):
            items = sorted(f"{self.text(key)}:{self.text(one)}" for key, one in value.items())
            return f"{{{','.join(items)}}}"
        if isinstance(value, (frozenset, set)):
            return f"<{','.join(sorted(map(self.text, value)))}>"
        if isinstance(value, (tuple, list)):
            return f"{'' if type(value) is tuple else name}({','.join(map(self.text, value))})"
        raise TypeError(f"a table holds a {name}, which has no written form")
