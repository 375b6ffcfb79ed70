"""What only the host may do: open matches, judge, take back, set the house."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flask import current_app, g, jsonify, request

from referee import events
from referee.games import game as game_named
from referee.games import games
from referee.umpire import open_table
from web import door, opening, permits
from web.api.seats import NAME, TICKET, done, playing, ticket
from web.api.table import VERSION
from web.chairs import clean_name
from web.choices import choices as described
from web.forms import FLAG, SEAT, Answer, Desk, form, many, one_of, table_of, text, whole
from web.guard import is_here, place, rooms, with_cookie
from web.problems import (
    AwayError,
    BadFormError,
    ConflictError,
    NotThereError,
    NotYoursError,
    StrangerError,
)
from web.settings import HostSettings
from web.wording import Voice

desk = Desk("host")

PIN = text(64)
GAME = one_of(*games())
OPTIONS = table_of({"type": ["string", "boolean"], "maxLength": 40}, 20)
CHOSEN = {
    "board": text(20),
    "seats": many(SEAT, 8),
    "teams": many(many(SEAT, 8), 8),
    "shares": table_of(SEAT, 2),
    "options": OPTIONS,
    "house_entry": {"type": "integer", "enum": [16, 18]},
    "mode": one_of("real", "declared", "phone"),
    "severity": one_of("teaching", "friendly", "tournament"),
    "camera": FLAG,
    "votes": FLAG,
    "names": table_of(NAME, 8),
}
RULE_NAME = text(24, minLength=1)
KEPT = ("game", "board", "options", "house_entry", "mode", "severity")  # of a saved rule
EVENT = form(
    {"event": text(20)},
    {
        "seat": SEAT,
        "case": whole(0, 10**6),
        "decision": text(20),
        "consent": FLAG,
        "on": FLAG,
        "works": FLAG,
        "severity": text(20),
        "against": SEAT,
        "rule": text(20),
        "question": whole(0, 10**9),
        "choice": whole(0, 1000),
        "size": whole(0, 10),
        "drawn": many(many(text(12), 2), 8),
        "persons": many(many(text(40), 2), 8),
        "teams": many(many(SEAT, 8), 8),
        "shares": many(many(SEAT, 2), 2),
    },
)


# the PIN


@desk.route(
    "POST", "/api/host/pin", "The PIN: set for the first time, or changed by the host",
    who="anybody", body=form({"pin": PIN}, {"old": PIN}), answer=VERSION,
    problems=(401, 403, 409, 429, 503),
)  # fmt: skip
def pin() -> Answer:
    here, device, token = rooms(), g.device, ""
    if device is None:
        if here.pin.is_set or not is_here(request):
            raise StrangerError("api.stranger")
        token, device = here.chairs.admit()
    try:
        if here.pin.is_set:
            if not g.is_host:
                raise NotYoursError("api.host-only")
            here.pin.check(g.form.get("old", ""), place(), known())
            here.pin.set(g.form["pin"])
            here.chairs.all_hosts_out(but=device)
        elif not is_here(request) and any(one.seats for one in here.chairs.devices()):
            raise ConflictError("api.pin-seated")  # the house sets it before it lets anybody play
        else:
            here.pin.first(g.form["pin"])
    except OSError as error:
        raise AwayError("api.cannot-write", why=error.strerror or "") from None
    here.chairs.host_in(device)
    answer = jsonify(done())
    return with_cookie(answer, token) if token else answer


@desk.route(
    "POST", "/api/host/login", "Becoming the host on this device", who="anybody",
    body=form({"pin": PIN}), answer=VERSION, problems=(403, 409, 429, 503),
)  # fmt: skip
def login() -> Answer:
    here, device, token = rooms(), g.device, ""
    here.pin.check(g.form["pin"], place(), known())
    if device is None:
        token, device = door.come_in(here, place())
    here.chairs.host_in(device)
    answer = jsonify(done())
    return with_cookie(answer, token) if token else answer


def known() -> str:
    """The device that asks, if it has been the host before."""
    return f"device {g.device.number}" if g.device is not None and g.device.was_host else ""


@desk.route("POST", "/api/host/logout", "No longer the host", who="host", answer=VERSION)
def logout() -> Answer:
    rooms().chairs.host_out(g.device)
    return done()


# matches


@desk.route(
    "GET", "/api/host/choices", "The games, their boards, seats and options, in words", who="host",
    answer={"type": "object", "required": ["games", "mode", "modes", "severities", "rules"]},
)  # fmt: skip
def choices() -> Answer:
    virtual = "arbitre-twin" in current_app.extensions  # nobody has cards at a virtual table
    dealt = virtual or rooms().fittings.eyes is None
    return described(rooms().rules.all(), Voice(g.lang)) | {"mode": "phone" if dealt else "real"}


@desk.route(
    "POST", "/api/host/open", "A new match; what is left out is as usual for the game", who="host",
    body=form({}, CHOSEN | {"game": GAME, "rules": RULE_NAME}), answer=VERSION,
    problems=(404, 409, 503),
)  # fmt: skip
def open_match() -> Answer:
    here, chosen = rooms(), dict(g.form)
    if "rules" in chosen:
        kept = here.rules.get(chosen.pop("rules"))
        if kept is None:
            raise NotThereError("api.no-such-rules")
        chosen = kept | chosen
    if "game" not in chosen:
        raise BadFormError("api.missing-field", name="game")
    names = {seat: clean_name(name) for seat, name in (chosen.get("names") or {}).items()}
    begun = begin(chosen | {"names": names})
    for seat, name in names.items():
        if seat in begun.seats:
            here.chairs.call(seat, name)
    return done()


def begin(chosen: dict[str, Any]) -> events.Opened:
    """Opens a match as chosen; people keep their seats as far as there are such seats."""
    here = rooms()
    board = chosen.get("board") or game_named(chosen["game"]).boards[0]
    camera = chosen.get("camera", True) and here.sees(board)
    called = {seat: here.chairs.name(seat) for seat in "abcdefgh"}
    event = opening.opening(chosen | {"names": called | chosen["names"]}, here.chance, camera)
    if event.tiles and camera:
        event = replace(event, tiles=opening.laid(here.lying(event.board)) or event.tiles)
    here.watch(camera)
    here.say(event)
    here.chairs.only(event.seats)
    return event


@desk.route(
    "POST", "/api/host/event", "The host's word to the table", who="host", body=EVENT,
    answer=VERSION, problems=(409, 503),
)  # fmt: skip
def event() -> Answer:
    said = permits.by_host(g.form)
    if isinstance(said, events.Camera):
        rooms().watch(said.works)
    return {"version": rooms().say(said).version}


# the house


@desk.route(
    "POST", "/api/host/rules", "Keeps a house's own rules under a name", who="host",
    body=form({"name": RULE_NAME, "game": GAME}, {k: CHOSEN[k] for k in KEPT if k in CHOSEN}),
    answer=VERSION, problems=(409, 503),
)  # fmt: skip
def keep_rules() -> Answer:
    name = clean_name(g.form["name"])
    if not name:
        raise BadFormError("api.missing-field", name="name")
    kept = {key: g.form[key] for key in KEPT if key in g.form}
    open_table(opening.opening(kept, rooms().chance, camera=False))  # what does not fit is said
    try:
        if not rooms().rules.save(name, kept):
            raise ConflictError("api.rules-full", most=rooms().rules.MOST)
    except OSError as error:
        raise AwayError("api.cannot-write", why=error.strerror or "") from None
    return done()


@desk.route(
    "DELETE", "/api/host/rules/<name>", "Forgets rules of the house", who="host",
    answer=VERSION, problems=(404, 503),
)  # fmt: skip
def drop_rules(name: str) -> Answer:
    try:
        if not rooms().rules.delete(name):
            raise NotThereError("api.no-such-rules")
    except OSError as error:
        raise AwayError("api.cannot-write", why=error.strerror or "") from None
    return done()


@desk.route(
    "POST", "/api/host/free", "A seat whose phone is dead or gone is free again", who="host",
    body=form({"seat": SEAT}), answer=VERSION, problems=(404, 409),
)  # fmt: skip
def free() -> Answer:
    seat = playing(g.form["seat"])
    rooms().chairs.free(seat)
    return done()


@desk.route(
    "POST", "/api/host/ticket", "A ticket for a seat, for the big screen, or a new table code",
    who="host", body=form({"kind": one_of("seat", "screen", "table")}, {"seat": SEAT}),
    answer=TICKET, problems=(404, 409),
)  # fmt: skip
def new_ticket() -> Answer:
    kind = g.form["kind"]
    if kind == "table":
        code = rooms().renew_code()
        done()
        url = f"{rooms().address}/join/{code}"
        return {"url": url, "qr": f"/qr.svg?ticket={code}", "code": code}
    if kind == "seat":
        return ticket(kind, playing(g.form.get("seat", "")))
    return ticket(kind)


SETTINGS = {name: one_of(*values) for name, values in HostSettings.CHOICES.items()}


@desk.route(
    "GET", "/api/host/settings", "What the host has set", who="host",
    answer={"type": "object", "properties": SETTINGS, "required": list(SETTINGS)},
)  # fmt: skip
def settings() -> Answer:
    return dict(rooms().settings.kept())


@desk.route(
    "POST", "/api/host/settings", "Sets some of it", who="host", body=form({}, SETTINGS),
    answer=VERSION, problems=(503,),
)  # fmt: skip
def set_settings() -> Answer:
    try:
        rooms().settings.change(g.form)
    except OSError as error:
        raise AwayError("api.cannot-write", why=error.strerror or "") from None
    photos = rooms().fittings.photos
    if "pictures" in g.form and photos is not None:
        photos.tidy()
    return done()
