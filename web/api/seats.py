"""Coming in, sitting down, sharing a seat, leaving."""

from __future__ import annotations

from typing import Any

from flask import g, jsonify

from web import door
from web.api.table import VERSION, the_table
from web.chairs import clean_name
from web.forms import FLAG, SEAT, Answer, Desk, form, one_of, text
from web.guard import LANGUAGE, LANGUAGES, no_cookie, place, rooms, with_cookie
from web.problems import NotThereError, NotYoursError

desk = Desk("seats")

NAME = text(100)
TICKET = {
    "type": "object",
    "required": ["url", "qr"],
    "properties": {"url": {"type": "string"}, "qr": {"type": "string"}, "code": {"type": "string"}},
}


def done() -> dict[str, Any]:
    """The version from which on everybody's view shows what was done."""
    rooms().house.nudge()
    return {"version": rooms().house.now.version}


def playing(seat: str) -> str:
    """A seat of the match that is open."""
    if seat not in the_table().match.setup.seats:
        raise NotThereError("api.no-such-seat", seat=seat)
    return seat


@desk.route(
    "POST", "/api/join", "In by the code that stands under the table's QR", who="anybody",
    body=form({"code": text(40)}), answer=VERSION, problems=(403, 429, 503),
)  # fmt: skip
def join() -> Answer:
    door.typed(rooms(), g.form["code"], place(), g.device is not None)
    if g.device is not None:
        return done()
    token, _ = door.come_in(rooms(), place())
    return with_cookie(jsonify(done()), token)


@desk.route(
    "POST", "/api/language", "The language of this device", who="anybody",
    body=form({"language": one_of(*(code for code, _ in LANGUAGES))}), answer=VERSION,
)  # fmt: skip
def language() -> Answer:
    answer = jsonify({"version": rooms().house.now.version})
    chosen = g.form["language"]
    answer.set_cookie(LANGUAGE, chosen, max_age=31536000, httponly=True, samesite="Lax")
    return answer


@desk.route(
    "POST", "/api/seat/take", "Sitting down on a free seat",
    body=form({"seat": SEAT}, {"name": NAME}), answer=VERSION, problems=(404, 409),
)  # fmt: skip
def take() -> Answer:
    seat = playing(g.form["seat"])
    if "name" in g.form:
        clean_name(g.form["name"])  # before anything is done
    rooms().chairs.take(g.device, seat)
    if g.form.get("name"):
        rooms().chairs.call(seat, g.form["name"])
    return done()


@desk.route(
    "POST", "/api/seat/share", "A ticket with which a second phone shares a seat",
    body=form({"seat": SEAT}), answer=TICKET,
)  # fmt: skip
def share() -> Answer:
    held(g.form["seat"])
    return ticket("seat", g.form["seat"])


@desk.route(
    "POST", "/api/seat/leave", "Standing up from a seat", body=form({"seat": SEAT}), answer=VERSION
)
def leave() -> Answer:
    rooms().chairs.leave(g.device, g.form["seat"])
    return done()


@desk.route(
    "POST", "/api/seat/name", "What the player of a seat is called",
    body=form({"seat": SEAT, "name": NAME}), answer=VERSION,
)  # fmt: skip
def name() -> Answer:
    held(g.form["seat"])
    rooms().chairs.call(g.form["seat"], g.form["name"])
    return done()


@desk.route(
    "POST", "/api/leave", "This device goes, and is forgotten",
    body=form({}, {"really": FLAG}), answer=VERSION,
)  # fmt: skip
def go() -> Answer:
    rooms().chairs.forget(g.device)
    rooms().hub.drop(g.device.number)
    return no_cookie(jsonify(done()))


def held(seat: str) -> None:
    if seat not in g.device.seats:
        raise NotYoursError("api.seat-not-held", seat=seat)


def ticket(kind: Any, seat: str = "") -> dict[str, str]:
    """A new ticket as an address and a picture."""
    text_of = rooms().tickets.mint(kind, seat, rooms().chairs.hands(seat))
    return {"url": f"{rooms().address}/join/{text_of}", "qr": f"/qr.svg?ticket={text_of}"}
