"""A guest network: what a player's token can do, what other pages can do, what is never told."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from flask import Flask

from referee import events
from web.api import DESKS
from web.opening import opening
from web.pin import LONGEST_WAIT, TRIES, Pin
from web.problems import NotYoursError, WaitError
from web.reception import Reception
from web.settings import Config

NewPhone = Callable[[], Any]
HOST_ROUTES = [route for desk in DESKS for route in desk.routes if route.who == "host"]
# a good word for each of the host's events
HOST_WORDS: dict[str, dict[str, Any]] = {
    "ruled": {"case": 1, "decision": "penalty"},
    "undone": {"consent": True},
    "paused": {"on": True},
    "ended": {},
    "adopted": {},
    "severity": {"severity": "tournament"},
    "camera": {"works": False},
    "seated": {"persons": [["a", "b"], ["b", "a"]]},
    "opened": {"game": "tijou", "board": "tijou", "seats": ["a", "c"]},
    "seen": {"pieces": [["a", "5"]]},
    "hidden": {"why": "hand"},
    "tick": {},
}


@pytest.fixture
def game(host: Any, rooms: Reception) -> None:
    host.post("/api/host/open", game="tijou", mode="phone")
    rooms.say(events.Lots(seat="d"))
    rooms.say(events.Dealt(seat="d"))


@pytest.fixture
def player(phone: NewPhone, game: None) -> Any:
    return phone().sits("a")


def test_every_route_of_the_host_refuses_a_player(player: Any) -> None:
    for route in HOST_ROUTES:
        path = route.path.replace("<name>", "1-1").replace("<match>", "1")
        answer = player.client.open(path, method=route.method, json=sample(route.body))
        assert answer.status_code == 403, (path, answer.text)
        assert answer.get_json()["key"] == "api.host-only"


def sample(schema: Any) -> Any:
    """Something that fits a schema."""
    if schema is None:
        return None
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type")
    if kind == "object":
        return {name: sample(schema["properties"][name]) for name in schema.get("required", ())}
    return {"string": "x", "integer": 1, "boolean": True, "array": []}[kind]


def test_no_player_speaks_for_the_host_or_for_the_camera(player: Any, rooms: Reception) -> None:
    before = rooms.house.now.table
    for word, fields in HOST_WORDS.items():
        answer = player.client.post("/api/event", json={"event": word} | fields)
        assert answer.status_code in (400, 403), (word, answer.text)
    assert rooms.house.now.table == before


def test_no_event_is_said_for_another_seat(player: Any, rooms: Reception) -> None:
    before = rooms.house.now.table
    for kind in events.KINDS:
        for seat in ("b", "", "a ", "c"):
            answer = player.client.post("/api/event", json={"event": kind, "seat": seat})
            assert answer.status_code in (400, 403, 409), (kind, seat, answer.text)
    assert rooms.house.now.table == before


def test_no_player_stacks_the_deck_or_says_what_chance_decides(
    player: Any, rooms: Reception
) -> None:
    assert player.says("thrown", value=6).status_code == 403
    assert player.says("lots", seat="a").status_code == 403
    stacked = player.client.post("/api/event", json={"event": "shuffled", "cards": ["AS"]})
    assert stacked.status_code == 400
    assert player.post("/api/chance", what="die").status_code == 409


def test_time_is_not_said_by_phones(player: Any) -> None:
    answer = player.client.post("/api/event", json={"event": "passed", "at": 1e9})
    assert answer.status_code == 400


def test_what_another_seat_holds_never_reaches_a_phone(player: Any, rooms: Reception) -> None:
    table = rooms.house.now.table
    assert table is not None
    others = {card for seat in "bcd" for card in table.match.hand(seat).cards}
    hidden = others | set(table.match.pile.cards)
    shown = set(table.match.hand("a").cards)
    for path in (
        "/api/view",
        "/api/view?page=screen",
        "/api/plays?seat=a",
        "/api/board/tijou",
    ):
        told = words_of(player.get(path).get_json())
        assert not told & (hidden - shown), path
    assert words_of(player.view()) >= shown
    for path in ("/api/plays?seat=b", "/api/plays?seat=c&card=AS"):
        assert player.get(path).status_code == 403
    for card in others:
        answer = player.client.post(
            "/api/why", json={"seat": "b", "card": card, "from": "camp", "to": "11"}
        )
        assert answer.status_code == 403
        own = player.client.post("/api/why", json={"card": card, "from": "camp", "to": "2"})
        assert own.status_code == 403
    assert player.get("/api/view?page=host").status_code == 403
    assert player.get("/api/stream?page=host").status_code == 403


def words_of(form: Any) -> set[str]:
    """Every string anywhere in a JSON form."""
    if isinstance(form, dict):
        return {one for key, value in form.items() for one in words_of(value) | {key}}
    if isinstance(form, list):
        return {one for value in form for one in words_of(value)}
    return {form} if isinstance(form, str) else set()


def test_the_hosts_page_shows_no_hand_either(host: Any, game: None) -> None:
    assert host.view("host")["hands"] == {}


def test_pages_of_others_change_nothing(player: Any) -> None:
    client = player.client
    foreign = {"Origin": "http://evil.example"}
    for headers in (foreign, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}):
        answer = client.post("/api/seat/leave", json={"seat": "a"}, headers=headers)
        assert answer.status_code == 403, headers
        assert answer.get_json()["key"] == "api.foreign-page"
    for broken in ("http://[bad", "http://[::1", "//", "\u00e9"):
        answer = client.post("/api/seat/leave", json={"seat": "a"}, headers={"Origin": broken})
        assert answer.status_code == 403, broken
    own = {"Origin": "http://localhost"}
    assert client.post("/api/seat/leave", json={"seat": "a"}, headers=own).status_code == 200


def test_forms_of_other_sites_are_no_json(player: Any) -> None:
    plain = player.client.post(
        "/api/seat/leave", data='{"seat": "a"}', headers={"Content-Type": "text/plain"}
    )
    assert plain.status_code == 415


def test_a_wrong_kind_is_told_in_plain_words(player: Any) -> None:
    wrong: tuple[tuple[Any, str], ...] = (
        ([], "champs"),
        ({"seat": 3}, "un texte"),
        ({"seat": "a" * 30}, "12 lettres au plus"),
    )
    for body, wanted in wrong:
        answer = player.client.post("/api/seat/leave", json=body, headers={"Accept-Language": "fr"})
        assert answer.status_code == 400
        assert wanted in answer.get_json()["error"]


def test_a_hint_is_shown_to_its_own_phone_only(
    host: Any, phone: NewPhone, rooms: Reception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def twos_first(deck: Sequence[str]) -> tuple[str, ...]:
        return tuple(sorted(deck, key=lambda card: (card[0] != "2", card)))

    monkeypatch.setattr(rooms.chance, "shuffled", twos_first)  # so that there is a play
    host.post("/api/host/open", game="tijou", mode="phone")
    rooms.say(events.Lots(seat="d"))
    table = rooms.say(events.Dealt(seat="d")).table
    assert table is not None
    for seat in "abcd":
        given = rooms.say(events.Gave(seat=seat, card=table.match.hand(seat).cards[-1]))
    table = given.table
    assert table is not None
    turn = table.match.turn
    mine, other = phone().sits(turn), phone().sits(next(s for s in "abcd" if s != turn))
    before = other.view()["match"]
    assert mine.says("hinted", seat=turn).status_code == 200
    hint = mine.view()["hands"][turn]["hint"]
    assert hint["card"] in mine.view()["hands"][turn]["hand"]
    assert other.view()["match"] == before  # the lights do not tell either
    for view in (other.view(), host.view("host"), host.view("screen")):
        assert hint["text"] not in json.dumps(view)
    received = dict(table.match.received)
    assert mine.view()["hands"][turn]["received"] == received[turn]
    assert [hand["received"] for hand in other.view()["hands"].values()] != [received[turn]]
    assert "received" not in host.view("host")["match"]


def test_too_much_is_not_read(player: Any) -> None:
    answer = player.client.post("/api/seat/name", json={"seat": "a", "name": "x" * 70000})
    assert answer.status_code == 413


NONSENSE = (
    b"[" * 30000,
    b'{"seat": ' + b"9" * 5000 + b"}",
    b"\xff\xfe",
    b"{",
    b"null",
    b'"a"',
    b'{"seat": "\\ud800", "name": "x"}',
    b'{"seat": "a", "name": ["x"]}',
    b'{"seat": "a", "name": "x", "more": 1}',
)


def test_nonsense_is_answered_in_words(player: Any) -> None:
    for body in NONSENSE:
        answer = player.client.post(
            "/api/seat/name", data=body, headers={"Content-Type": "application/json"}
        )
        assert answer.status_code == 400, (body[:20], answer.text)
        assert answer.get_json()["error"]


def test_every_answer_forbids_what_is_not_ours(player: Any) -> None:
    for path in ("/", "/host", "/screen", "/api/view", "/qr.svg", "/nowhere", "/healthz"):
        headers = player.get(path).headers
        policy = headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
        assert "unsafe" not in policy
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Cache-Control"] == "no-store"


def test_names_are_shown_as_they_are_never_run(player: Any) -> None:
    player.post("/api/seat/name", seat="a", name="<img src=x>")
    for path in ("/", "/screen"):
        assert "<img src=x" not in player.get(path).text
    error = player.get("/<script>alert(1)</script>")
    assert error.status_code == 404
    assert "<script>alert" not in error.text


def test_nothing_secret_is_logged(
    app: Flask, rooms: Reception, phone: NewPhone, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    device = phone()
    device.post("/api/host/pin", pin="97531")
    device.post("/api/host/login", pin="86420")
    device.get("/join/" + rooms.tickets.table)
    device.get("/join/wrong-ticket")
    token = device.client.get_cookie("arbitre").value
    for secret in ("97531", "86420", token, rooms.tickets.table, rooms.tickets.code):
        assert secret not in caplog.text


def test_the_pin_is_kept_as_a_hash_and_set_only_once(
    app: Flask, phone: NewPhone, config: Config
) -> None:
    first, second = phone(), phone()
    assert first.post("/api/host/pin", pin="12").status_code == 400
    assert first.post("/api/host/pin", pin="abcd").status_code == 400
    assert app.test_client().post(
        "/api/host/pin", json={"pin": "1234"}, base_url="http://192.0.2.1"
    ).status_code in (401, 403)
    assert first.post("/api/host/pin", pin="1234").status_code == 200
    assert first.view()["you"]["host"] is True
    assert second.post("/api/host/pin", pin="9999").status_code == 403
    assert second.view()["you"]["host"] is False
    paper = (config.data / "host.json").read_text()
    assert "1234" not in json.loads(paper).values()
    assert (config.data / "host.json").stat().st_mode & 0o077 == 0


def test_a_changed_pin_puts_other_hosts_out(phone: NewPhone, host: Any) -> None:
    other = phone()
    assert other.post("/api/host/login", pin="2468").status_code == 200
    assert host.post("/api/host/pin", pin="5555", old="0000").status_code == 403
    assert host.post("/api/host/pin", pin="5555", old="2468").status_code == 200
    assert other.get("/api/host/settings").status_code == 403
    assert host.get("/api/host/settings").status_code == 200
    assert host.post("/api/host/logout").status_code == 200
    assert host.get("/api/host/settings").status_code == 403


def test_a_pin_cannot_be_guessed_for_long(config: Config) -> None:
    now = [0.0]
    pin = Pin(config.data / "host.json", lambda: now[0])
    pin.set("1234")
    for _ in range(TRIES):
        with pytest.raises(NotYoursError):
            pin.check("0000", "here")
    with pytest.raises(WaitError):
        pin.check("1234", "here")  # the right one, too late
    pin.check("1234", "elsewhere")  # others are not shut out by it
    now[0] += LONGEST_WAIT + 1
    pin.check("1234", "here")


def guessed_from_many_places(config: Config) -> Pin:
    """A host's PIN, 1234, of which every place from 0 on has guessed once and none is left."""
    pin = Pin(config.data / "host.json", lambda: 0.0)
    pin.set("1234")
    for place in range(4 * TRIES):
        with pytest.raises(NotYoursError):
            pin.check("0000", str(place))
    return pin


def test_a_pin_cannot_be_guessed_from_many_places_either(config: Config) -> None:
    pin = guessed_from_many_places(config)
    with pytest.raises(WaitError):
        pin.check("1234", "0")  # a second try from any of them
    with pytest.raises(NotYoursError):
        pin.check("0000", "one more")  # a new place has one, and no other
    with pytest.raises(WaitError):
        pin.check("1234", "one more")


def test_guessers_do_not_shut_the_host_out(config: Config) -> None:
    pin = guessed_from_many_places(config)
    pin.check("1234", "where nobody guessed")
    pin.check("1234", "0", known="device 7")  # beside a guesser, on the host's own phone
    for _ in range(TRIES):
        with pytest.raises(NotYoursError):
            pin.check("0000", "0", known="device 7")
    with pytest.raises(WaitError):
        pin.check("1234", "0", known="device 7")  # that phone guesses no better than others


def test_more_places_than_are_remembered_gain_nothing(
    config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.pin.MOST_PLACES", 30)
    pin = Pin(config.data / "host.json", lambda: 0.0)
    pin.set("1234")
    for place in range(30):
        with pytest.raises(NotYoursError):
            pin.check("0000", str(place))
    with pytest.raises(WaitError):
        pin.check("0000", "one more")


def test_a_host_comes_back_on_the_same_phone_while_others_guess(host: Any, phone: NewPhone) -> None:
    host.post("/api/host/logout")
    thief = phone()
    while thief.post("/api/host/login", pin="0000").status_code != 429:
        pass
    assert thief.post("/api/host/login", pin="2468").status_code == 429
    assert host.post("/api/host/login", pin="2468").status_code == 200


def test_the_first_pin_is_set_before_anybody_sits_down(phone: NewPhone, rooms: Reception) -> None:
    player, first = phone(), phone()
    rooms.say(opening({"game": "tijou"}, rooms.chance, camera=False))
    player.sits("a")
    first.client.environ_base["REMOTE_ADDR"] = "192.0.2.77"  # not at the table's own machine
    refused = first.post("/api/host/pin", pin="1234")
    assert refused.get_json()["key"] == "api.pin-seated"
    player.post("/api/seat/leave", seat="a")
    assert first.post("/api/host/pin", pin="1234").status_code == 200


def test_isolation_is_asked_for_only_where_it_can_hold(app: Flask) -> None:
    name = "Cross-Origin-Opener-Policy"
    assert name not in app.test_client().get("/").headers
    assert app.test_client().get("/", base_url="https://table").headers[name] == "same-origin"


def test_wrong_pins_are_answered_with_how_long_to_wait(phone: NewPhone, host: Any) -> None:
    thief = phone()
    answers = [thief.post("/api/host/login", pin=f"{n:04}") for n in range(TRIES + 1)]
    assert [one.status_code for one in answers] == [403] * TRIES + [429]
    assert answers[-1].get_json()["seconds"] > 0
    assert int(answers[-1].headers["Retry-After"]) > 0


def test_answers_are_squeezed_for_those_who_can_read_it(player: Any) -> None:
    plain = player.client.get("/api/view")
    small = player.client.get("/api/view", headers={"Accept-Encoding": "gzip"})
    assert small.headers["Content-Encoding"] == "gzip"
    assert len(small.data) < len(plain.data) / 2
    script = player.client.get("/static/js/live.js", headers={"Accept-Encoding": "gzip"})
    tag = script.headers["ETag"]
    again = player.client.get("/static/js/live.js", headers={"If-None-Match": tag})
    assert again.status_code == 304
