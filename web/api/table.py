"""What a phone sees and says: views, live updates, events, draws, explanations."""

from __future__ import annotations

from typing import Any

from flask import Response, g, request

from hardware import boards
from hardware.boards import BoardError
from referee import events
from referee.table import Table
from referee.views import play_shown
from web import permits, why, wording
from web.forms import SEAT, Answer, Desk, form, many, one_of, text, whole
from web.guard import rooms
from web.problems import AwayError, ConflictError, NotThereError, NotYoursError
from web.windows import PAGES, voice_of, window

desk = Desk("table")

VERSION = {
    "type": "object",
    "properties": {"version": {"type": "integer"}},
    "required": ["version"],
}
PAGE = one_of(*PAGES)
CARD = text(3)
VIEW = {
    "type": "object",
    "required": ["version", "boot", "lang", "page", "pin_set", "you", "match", "hands", "people"],
    "properties": {
        "version": {"type": "integer", "description": "fetch again when a stream tells a newer"},
        "boot": {"type": "string", "description": "changes when the program has started anew"},
        "lang": one_of("fr", "en"),
        "page": PAGE,
        "pin_set": {"type": "boolean"},
        "virtual": {"type": "boolean", "description": "a virtual table, with a page of its own"},
        "you": {"type": "object"},
        "match": {"type": ["object", "null"], "description": "what everybody may see"},
        "hands": {"type": "object", "description": "by seat: only those this device holds"},
        "people": {"type": "object"},
        "said": {"type": "array", "items": {"type": "object"}},
        "health": {"type": "object"},
        "join": {"type": ["object", "null"]},
        "host": {"type": "object", "description": "only on the host's page"},
    },
}
PLAYS = {
    "type": "object",
    "required": ["plays", "forced"],
    "properties": {
        "plays": {"type": "array", "items": {"type": "object"}},
        "forced": {"type": ["string", "null"]},
    },
}
EVENT = form(
    {"event": text(20)},
    {
        "seat": SEAT,
        "card": CARD,
        "cards": many(CARD, 10),
        "value": whole(1, 6),
        "play": text(400),
        "question": whole(0, 10**9),
        "choice": whole(0, 1000),
        "against": SEAT,
        "rule": text(20),
        "case": whole(0, 10**6),
        "decision": text(20),
        "size": whole(0, 10),
        "drawn": many(many(text(12), 2), 8),
    },
)


def the_table() -> Table:
    table = rooms().house.now.table
    if table is None:
        raise ConflictError("api.no-match")
    return table


def own_seat(named: str | None) -> str:
    """The seat somebody speaks for: one this device holds."""
    return permits.speaker({} if named is None else {"seat": named}, g.device.seats)


@desk.route(
    "GET", "/api/view", "What one page of this device shows", query={"page": PAGE}, answer=VIEW,
    problems=(403,),
)  # fmt: skip
def view() -> Answer:
    page = g.asked.get("page", "player")
    if page == "host" and not g.is_host:
        raise NotYoursError("api.host-only")
    return window(rooms(), g.device, page, g.lang)


@desk.route(
    "GET", "/api/stream", "Live updates: server-sent events that carry nothing but a version",
    query={"page": PAGE}, kind="text/event-stream", answer={"type": "string"}, problems=(403, 503),
)  # fmt: skip
def stream() -> Answer:
    page, here = g.asked.get("page", "player"), rooms()
    if page == "host" and not g.is_host:
        raise NotYoursError("api.host-only")
    device = g.device.number
    opened = here.hub.open(device, page, here.house.now.version)
    if opened is None:
        raise AwayError("api.streams-full")
    opened.publish(here.house.now.version)  # what has changed before it was open
    here.presence.changed()
    gone = request.environ.get("waitress.client_disconnected", lambda: False)
    answer = Response(opened.words(gone), mimetype="text/event-stream")
    answer.headers["X-Accel-Buffering"] = "no"

    def leave() -> None:
        here.hub.leave(device, page, opened)
        here.presence.changed()

    answer.call_on_close(leave)
    return answer


@desk.route(
    "POST", "/api/event", "A player's word to the table", body=EVENT, answer=VERSION,
    problems=(403, 404, 409, 503),
)  # fmt: skip
def event() -> Answer:
    table = rooms().house.now.table
    said = permits.by_player(g.form, g.device.seats, table)
    if isinstance(said, events.Flagged) and said.rule and not wording.known(f"rule.{said.rule}"):
        raise NotThereError("api.no-such-rule")
    if isinstance(said, events.Flagged) and table is not None:
        permits.few_flags(table, said.seat)
    return {"version": rooms().say(said).version}


@desk.route(
    "POST", "/api/chance", "Something the table draws: a throw, the lots, who sits where",
    body=form({"what": one_of("die", "lots", "seats")}, {"seat": SEAT}), answer=VERSION,
    problems=(403, 409, 503),
)  # fmt: skip
def chance() -> Answer:
    table, what = the_table(), g.form["what"]
    if g.is_host and what != "die":
        seat = ""
    else:
        if not g.device.seats:
            raise NotYoursError("api.no-seat")
        seat = own_seat(g.form.get("seat")) if what == "die" else g.device.seats[0]
        if what not in permits.may_draw(table, seat):
            raise ConflictError("api.not-now")
    drawn = rooms().chance.draw(what, table.match, seat)
    return {"version": rooms().say(drawn).version}


@desk.route(
    "POST", "/api/undo/agree", "Agreeing to somebody else's wish to take back",
    body=form({}, {"seat": SEAT}), answer=VERSION, problems=(403, 409, 503),
)  # fmt: skip
def agree() -> Answer:
    table, seat = the_table(), own_seat(g.form.get("seat"))
    if not permits.may_agree(table, seat):
        raise ConflictError("api.not-now")
    assert table.question is not None
    yes = next(n for n, one in enumerate(table.question.choices) if one.undo)
    said = events.Answered(seat=seat, question=table.question.number, choice=yes)
    return {"version": rooms().say(said).version}


@desk.route(
    "GET", "/api/plays", "The legal plays of one of one's own cards, or of the whole hand",
    query={"seat": SEAT, "card": CARD}, answer=PLAYS, problems=(403, 409),
)  # fmt: skip
def plays() -> Answer:
    match, seat = the_table().match, own_seat(g.asked.get("seat"))
    judged = why.judged(match, seat, g.asked.get("card", ""))
    return {"plays": [play_shown(play) for play in judged.plays], "forced": judged.forced}


@desk.route(
    "POST", "/api/why", "Whether one's own piece might go from here to there, and if not, why",
    body=form({"from": text(12), "to": text(12)}, {"seat": SEAT, "card": CARD, "piece": text(20)}),
    answer={"type": "object", "required": ["legal", "reasons"]}, problems=(403, 409),
)  # fmt: skip
def why_not() -> Answer:
    asked, seat = g.form, own_seat(g.form.get("seat"))
    piece = asked.get("piece", seat)
    table = the_table()
    found = why.move(table.match, seat, asked.get("card", ""), piece, asked["from"], asked["to"])
    voice = voice_of(rooms(), rooms().house.now, g.lang)
    reasons: list[dict[str, Any]] = [
        {"rule": one.rule, "text": voice.say(f"rule.{one.rule}", dict(one.facts))}
        for one in found.reasons
    ]
    return {"legal": found.kind == "legal", "reasons": reasons}


@desk.route(
    "GET", "/api/texts/<lang>", "The texts a page shows by itself", who="anybody",
    query={"page": PAGE},
    answer={"type": "object", "additionalProperties": {"type": "string"}}, problems=(404,),
)  # fmt: skip
def texts(lang: str) -> Answer:
    if lang not in ("fr", "en"):
        raise NotThereError("api.no-such-page")
    return wording.of_pages(lang, g.asked.get("page", ""))


@desk.route(
    "GET", "/api/board/<name>", "Everything physical about a board", who="anybody",
    query={"house_entry": one_of("16", "18")}, problems=(404,),
)  # fmt: skip
def board(name: str) -> Answer:
    try:
        found = boards.board(name, int(g.asked.get("house_entry", "16")))
    except BoardError:
        raise NotThereError("api.no-such-board") from None
    return boards.write(found)
