"""Who may say what: a phone for the seats it holds, the host for the table, nobody for chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee import events
from referee.events import Event, read_event
from referee.plays import RefereeError
from referee.table import Table
from web.problems import BadFormError, ConflictError, NotYoursError

# what a form may hold besides "event" and "seat"
PLAYER: dict[str, frozenset[str]] = {
    "declared": frozenset({"cards"}),
    "gave": frozenset({"card"}),
    "announced": frozenset({"card"}),
    "withdrawn": frozenset(),
    "thrown": frozenset({"value"}),
    "discarded": frozenset({"cards"}),
    "put-down": frozenset({"card"}),
    "passed": frozenset(),
    "claimed": frozenset(),
    "tapped": frozenset({"play"}),
    "confirmed": frozenset(),
    "answered": frozenset({"question", "choice"}),
    "undo-asked": frozenset(),
    "hinted": frozenset(),
    "flagged": frozenset({"against", "rule"}),
    "voted": frozenset({"case", "decision"}),
    "dealt": frozenset({"size"}),
    "lots": frozenset({"drawn"}),
    "shuffled": frozenset(),
}
HOST: dict[str, frozenset[str]] = {
    "ruled": frozenset({"case", "decision"}),
    "undone": frozenset({"consent"}),
    "paused": frozenset({"on"}),
    "ended": frozenset(),
    "adopted": frozenset(),
    "severity": frozenset({"severity"}),
    "flagged": frozenset({"against", "rule"}),
    "lots": frozenset({"seat", "drawn"}),
    "dealt": frozenset({"seat", "size"}),
    "shuffled": frozenset(),
    "seated": frozenset({"persons", "teams", "shares"}),
    "answered": frozenset({"question", "choice"}),
    "camera": frozenset({"works"}),
}
MOST_FLAGS = 3  # of one seat that nobody has judged yet
DRAWN = ("thrown", "lots")  # by the table itself, where the deck and the die are the phones'


def by_player(form: Mapping[str, Any], held: Sequence[str], table: Table | None) -> Event:
    """The event a phone may put to the table, its seat one that it holds."""
    kind = form.get("event")
    if kind not in PLAYER:
        raise NotYoursError("api.host-only") if kind in events.KINDS else no_such(kind)
    if not held:
        raise NotYoursError("api.no-seat")
    only(form, PLAYER[kind] | {"seat"})
    if table is None:
        raise ConflictError("api.no-match")
    if table.match.mode == "phone" and kind in DRAWN:
        raise NotYoursError("api.table-draws")
    if kind == "lots":  # here the seat is the one that begins, not the one that speaks
        return read(form)
    if kind == "shuffled":
        return read({key: value for key, value in form.items() if key != "seat"})
    return read(dict(form) | {"seat": speaker(form, held)})


def speaker(form: Mapping[str, Any], held: Sequence[str]) -> str:
    """The seat that speaks: named and held, or the only one that is held."""
    seat = form.get("seat")
    if seat is None:
        if len(held) != 1:
            raise BadFormError("api.which-seat")
        return held[0]
    if seat not in held:
        raise NotYoursError("api.seat-not-held", seat=str(seat)[:20])
    return str(seat)


def by_host(form: Mapping[str, Any]) -> Event:
    """The event the host may put to the table."""
    kind = form.get("event")
    if kind not in HOST:
        raise NotYoursError("api.not-for-host") if kind in events.KINDS else no_such(kind)
    only(form, HOST[kind])
    return read(form)


def only(form: Mapping[str, Any], allowed: frozenset[str]) -> None:
    for name in form:
        if name != "event" and name not in allowed:
            raise BadFormError("api.unknown-field", name=str(name)[:40])


def few_flags(table: Table, seat: str) -> None:
    """Nobody buries the table in flags: what was raised is judged first."""
    raised = sum(case.open and case.raised_by == seat for case in table.cases)
    if raised >= MOST_FLAGS:
        raise ConflictError("api.flags-full", most=MOST_FLAGS)


def read(form: Mapping[str, Any]) -> Event:
    try:
        return read_event(dict(form))
    except RefereeError as error:
        raise BadFormError("api.bad-event", detail=str(error)) from None


def no_such(kind: object) -> BadFormError:
    return BadFormError("api.no-such-event", name=str(kind)[:40])


# beyond the referee's own list of what a seat may do


def may_agree(table: Table | None, seat: str) -> bool:
    """Whether a seat may agree to somebody else's wish to take back."""
    if table is None or table.paused or table.question is None:
        return False
    return (
        table.question.key == "ask.undo" and seat != table.undo_asked and seat not in table.agreed
    )


def may_vote(table: Table, seat: str) -> bool:
    """Whether there is a case on which this seat has a voice."""
    if table.host or seat not in table.match.setup.seats:
        return False
    return any(case.open and case.seat != seat for case in table.cases)


def may_draw(table: Table, seat: str) -> list[str]:
    """What a seat may ask the table to draw."""
    match = table.match
    if table.paused:
        return []
    if match.phase == "turn" and match.game.die and match.turn == seat:
        return ["die"]
    return [match.phase] if match.phase in ("lots", "seats") else []
