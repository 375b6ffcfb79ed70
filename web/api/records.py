"""The evenings so far: every match of the journal, to take along or to look at in figures."""

from __future__ import annotations

from typing import Any

from flask import Response

from web.appearance import pieces
from web.forms import Answer, Desk
from web.guard import rooms
from web.journal import Entry
from web.journal_file import JournalError
from web.owner import Owner
from web.problems import AwayError, NotThereError
from web.record import ended, record_of, write_record
from web.statistics import figures
from web.statistics_words import as_form

desk = Desk("records")


def entries(owner: Owner) -> list[Entry]:
    return [] if owner.journal is None else owner.journal.matches()


def the_match(name: str) -> tuple[Entry, list[Any], bool]:
    """A match with its events, and whether it is still going on."""

    def find(owner: Owner) -> tuple[Entry, list[Any], bool] | None:
        all_of_them = entries(owner)
        for entry in all_of_them:
            if str(entry.match) == name and owner.journal is not None:
                return entry, owner.journal.events(entry.match), entry == all_of_them[-1]
        return None

    try:
        found = rooms().house.ask(find)
    except (OSError, JournalError) as error:
        raise AwayError("api.cannot-read", why=str(error)) from None
    if found is None:
        raise NotThereError("api.no-such-match")
    entry, happened, newest = found
    return entry, happened, newest and not ended(happened)


@desk.route(
    "GET", "/api/host/games", "The matches of the journal, the newest first", who="host",
    answer={"type": "object", "required": ["games"]}, problems=(503,),
)  # fmt: skip
def games() -> Answer:
    found = rooms().house.ask(entries)
    listed = [
        {
            "match": entry.match,
            "game": entry.opened.game,
            "board": entry.opened.board,
            "pieces": pieces(entry.opened.board),
            "persons": dict(entry.opened.persons) or {seat: seat for seat in entry.opened.seats},
            "started": entry.written,
            "events": entry.events,
        }
        for entry in reversed(found)
    ]
    return {"games": listed}


@desk.route(
    "GET", "/api/host/games/<match>", "A match to take along; of one under way what all have seen",
    who="host", answer={"type": "object", "required": ["kind", "events"]}, problems=(404, 503),
)  # fmt: skip
def export(match: str) -> Answer:
    entry, happened, running = the_match(match)
    text = write_record(record_of(happened, running, entry.written))
    answer = Response(text, mimetype="application/json")
    name = f"arbitre-{entry.opened.game}-{entry.match}.json"
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


@desk.route(
    "GET", "/api/host/games/<match>/figures", "The figures of a match", who="host",
    answer={"type": "object", "required": ["game", "seats"]}, problems=(404, 503),
)  # fmt: skip
def of_match(match: str) -> Answer:
    _, happened, _ = the_match(match)
    return as_form(figures(happened))
