"""Coming in and sitting down: tickets, codes, shared seats, dead phones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from web.chairs import Chairs, clean_name
from web.problems import AwayError, BadFormError
from web.reception import COMINGS, DOOR_FILE, Reception, door_code
from web.settings import Config
from web.tickets import GRACE, LIFE, MOST_OF_A_SEAT, Tickets, is_code

NewPhone = Callable[[], Any]


@pytest.fixture
def game(host: Any) -> None:
    assert host.post("/api/host/open", game="tijou").status_code == 200


def test_without_a_ticket_nobody_comes_in(app: Flask) -> None:
    stranger = app.test_client()
    assert stranger.get("/api/view").status_code == 401
    far = {"REMOTE_ADDR": "192.0.2.77"}
    page = stranger.get("/", environ_overrides=far)
    assert page.status_code == 200
    assert "Set-Cookie" not in page.headers
    assert stranger.get("/join/nonsense", environ_overrides=far).status_code == 403


def test_at_the_tables_own_machine_no_ticket_is_needed(app: Flask) -> None:
    here = app.test_client()
    assert here.get("/", base_url="http://localhost:8000").status_code == 303
    assert here.get("/api/view", base_url="http://localhost:8000").status_code == 200
    pretending = app.test_client()
    answer = pretending.get("/", base_url="http://evil.example")
    assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize("path", ["/host", "/screen"])
def test_whoever_asks_for_a_page_from_afar_joins_first(path: str, app: Flask) -> None:
    far = {"REMOTE_ADDR": "192.0.2.77"}
    page = app.test_client().get(path, environ_overrides=far)
    assert 'id="join"' in page.text  # the code leads on to where one wanted to go
    here = app.test_client().get(path, base_url="http://localhost:8000")
    assert here.status_code == 303
    assert here.headers["Location"] == f"{path}?in"


def test_a_browser_without_cookies_is_told_and_not_sent_in_circles(app: Flask) -> None:
    plain = app.test_client(use_cookies=False)
    answer = plain.get("/", base_url="http://localhost:8000")
    again = plain.get(answer.headers["Location"], base_url="http://localhost:8000")
    assert again.status_code == 403
    assert "cookies" in again.text
    usual = app.test_client()
    usual.get("/", base_url="http://localhost:8000")
    arrived = usual.get("/?in", base_url="http://localhost:8000")
    assert (arrived.status_code, arrived.headers["Location"]) == (303, "/")
    assert usual.get("/", base_url="http://localhost:8000").status_code == 200


def test_a_host_with_a_pin_comes_in_from_anywhere(app: Flask, host: Any) -> None:
    page = app.test_client().get("/host", environ_overrides={"REMOTE_ADDR": "192.0.2.77"})
    assert 'data-pin="set"' in page.text
    assert 'id="join"' not in page.text


def test_a_cookie_cannot_be_read_by_scripts_nor_sent_by_other_sites(
    app: Flask, rooms: Reception
) -> None:
    answer = app.test_client().get(f"/join/{rooms.tickets.table}")
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie


def test_every_scan_shows_the_next_one_another_ticket(phone: NewPhone, rooms: Reception) -> None:
    first = rooms.tickets.table
    phone()
    assert rooms.tickets.table != first


def test_a_ticket_is_good_once_but_a_screen_may_be_scanned_by_many_at_once() -> None:
    now = [0.0]
    tickets = Tickets(lambda: now[0])
    shown = tickets.table
    assert tickets.show(shown) is not None
    now[0] = GRACE / 2
    assert tickets.show(shown) is not None
    now[0] = GRACE * 2
    assert tickets.show(shown) is None
    seat = tickets.mint("seat", "b")
    assert tickets.show(seat) is not None
    assert tickets.show(seat) is None
    late = tickets.mint("seat", "b")
    now[0] += LIFE["seat"] + 1
    assert tickets.show(late) is None


def test_the_code_may_be_typed_as_people_type_until_it_is_renewed(
    app: Flask, rooms: Reception, host: Any
) -> None:
    code = rooms.tickets.code
    typed = f"{code[:3].lower()} {code[3:]}"
    assert app.test_client().post("/api/join", json={"code": typed}).status_code == 200
    new = host.post("/api/host/ticket", kind="table").get_json()["code"]
    assert app.test_client().post("/api/join", json={"code": code}).status_code == 403
    assert app.test_client().post("/api/join", json={"code": new}).status_code == 200


def test_the_printed_code_is_good_after_a_restart(rooms: Reception, config: Config) -> None:
    assert door_code(config.data / DOOR_FILE) == rooms.tickets.code
    (config.data / DOOR_FILE).write_text('{"code": "<b>"}')
    assert is_code(door_code(config.data / DOOR_FILE))


def test_a_host_may_leave_the_door_open(app: Flask, host: Any) -> None:
    far = {"REMOTE_ADDR": "192.0.2.77"}
    assert app.test_client().get("/", environ_overrides=far).status_code == 200
    assert host.post("/api/host/settings", guests="open").status_code == 200
    guest = app.test_client()
    assert guest.get("/", environ_overrides=far).status_code == 303
    assert guest.get("/api/view", environ_overrides=far).status_code == 200


def test_codes_cannot_be_guessed_for_long(app: Flask) -> None:
    guesser = app.test_client()
    answers = [
        guesser.post("/api/join", json={"code": f"AAAAA{n}"}).status_code for n in range(2, 14)
    ]
    assert answers[0] == 403
    assert answers[-1] == 429


def test_whoever_guessed_too_often_is_not_told_of_the_right_code_either(
    app: Flask, rooms: Reception
) -> None:
    used = rooms.tickets.mint("screen")
    guesser = app.test_client()
    assert app.test_client().get(f"/join/{used}").status_code == 303
    for _ in range(30):  # the page of an old ticket, loaded again and again, is no guess
        assert guesser.get(f"/join/{used}").status_code == 403
    assert guesser.post("/api/join", json={"code": "AAAAAA"}).status_code == 403
    while guesser.post("/api/join", json={"code": "AAAAAA"}).status_code != 429:
        pass
    assert guesser.post("/api/join", json={"code": rooms.tickets.code}).status_code == 429
    assert guesser.get(f"/join/{rooms.tickets.code}").status_code == 429
    assert guesser.get(f"/join/{used}").status_code == 403


@pytest.mark.usefixtures("game")
def test_a_phone_sits_down_and_is_called_by_name(phone: NewPhone) -> None:
    lea = phone()
    assert lea.post("/api/seat/take", seat="b", name="  Léa\n<b>").status_code == 200
    view = phone().view()
    assert view["people"]["b"]["name"] == "Léa <b>"
    assert view["match"]["names"]["b"] == "Léa <b>"
    assert lea.view()["you"]["seats"] == ["b"]


@pytest.mark.usefixtures("game")
def test_a_taken_seat_is_shared_only_by_its_phone(phone: NewPhone) -> None:
    first, second = phone().sits("a"), phone()
    refused = second.post("/api/seat/take", seat="a")
    assert refused.status_code == 409
    assert refused.get_json()["key"] == "api.seat-taken"
    assert second.post("/api/seat/share", seat="a").status_code == 403
    url = first.post("/api/seat/share", seat="a").get_json()["url"]
    second.get("/join/" + url.rsplit("/", 1)[1])
    assert second.view()["you"]["seats"] == ["a"]
    assert first.view()["people"]["a"]["phones"] == 2
    third = phone()
    assert third.get("/join/" + url.rsplit("/", 1)[1]).status_code == 403


def ticket_of(holder: Any, seat: str) -> str:
    """The way to a seat that its holder shares."""
    url: str = holder.post("/api/seat/share", seat=seat).get_json()["url"]
    return "/join/" + url.rsplit("/", 1)[1]


@pytest.mark.usefixtures("game")
@pytest.mark.parametrize("change", ["leaves", "goes", "freed", "places", "match"])
def test_a_shared_ticket_ends_with_those_who_sat_there(
    change: str, phone: NewPhone, host: Any, rooms: Reception
) -> None:
    lea, stranger = phone().sits("a"), phone()
    kept = ticket_of(lea, "a")
    if change == "leaves":
        lea.post("/api/seat/leave", seat="a")
        phone().sits("a")
    elif change == "goes":
        lea.post("/api/leave")
        phone().sits("a")
    elif change == "freed":
        host.post("/api/host/free", seat="a")
        phone().sits("a")
    elif change == "places":
        rooms.chairs.moved({"a": "c", "c": "a"})
    else:
        host.post("/api/host/open", game="tijou")
    assert stranger.get(kept).status_code == 403
    assert stranger.view()["hands"] == {}


@pytest.mark.usefixtures("game")
def test_a_ticket_for_a_free_seat_is_no_way_to_somebody_who_sat_down_since(
    phone: NewPhone, host: Any
) -> None:
    url = host.post("/api/host/ticket", kind="seat", seat="a").get_json()["url"]
    phone().sits("a")
    stranger = phone()
    assert stranger.get("/join/" + url.rsplit("/", 1)[1]).status_code == 403


@pytest.mark.usefixtures("game")
def test_who_shares_a_seat_time_and_again_shuts_nobody_out(
    phone: NewPhone, rooms: Reception
) -> None:
    lea, table = phone().sits("a"), rooms.tickets.table
    given = [ticket_of(lea, "a") for _ in range(205)]
    assert rooms.tickets.table == table
    assert rooms.tickets.is_table(table)
    good = [one for one in given if rooms.tickets.known(one.rsplit("/", 1)[1])]
    assert good == given[-MOST_OF_A_SEAT:]


@pytest.mark.usefixtures("game")
def test_a_name_goes_with_its_person(phone: NewPhone, host: Any) -> None:
    lea = phone()
    lea.post("/api/seat/take", seat="b", name="Léa")
    host.post("/api/host/open", game="tijou")  # the match has her in its papers now
    assert lea.view()["match"]["names"]["b"] == "Léa"
    host.post("/api/host/free", seat="b")
    assert host.view()["match"]["names"]["b"] == ""
    zoe = phone()
    zoe.post("/api/seat/take", seat="b", name="Zoé")
    zoe.post("/api/leave")
    assert host.view()["match"]["names"]["b"] == ""
    assert host.view()["people"]["b"]["name"] == ""


@pytest.mark.usefixtures("game")
def test_a_family_holds_many_seats_with_one_phone(phone: NewPhone) -> None:
    family = phone().sits("a", "b")
    assert set(family.view()["hands"]) == {"a", "b"}
    assert family.says("flagged", against="c").get_json()["key"] == "api.which-seat"
    assert family.says("flagged", seat="a", against="c").status_code == 200


@pytest.mark.usefixtures("game")
def test_leaving_and_coming_back(phone: NewPhone) -> None:
    lea = phone().sits("a")
    assert lea.post("/api/seat/leave", seat="a").status_code == 200
    assert lea.post("/api/seat/leave", seat="a").status_code == 403
    lea.sits("a")
    assert lea.post("/api/leave").status_code == 200
    assert lea.get("/api/view").status_code == 401
    assert phone().view()["people"]["a"]["phones"] == 0


@pytest.mark.usefixtures("game")
def test_a_dead_phone_is_replaced(phone: NewPhone, host: Any) -> None:
    phone().sits("c")
    other = phone()
    assert other.post("/api/seat/take", seat="c").status_code == 409
    assert other.post("/api/host/free", seat="c").status_code == 403
    assert host.post("/api/host/free", seat="c").status_code == 200
    other.sits("c")


@pytest.mark.usefixtures("game")
def test_seats_that_are_not_there(phone: NewPhone) -> None:
    assert phone().post("/api/seat/take", seat="z").status_code == 404


def test_before_a_match_there_is_nothing_to_sit_at(phone: NewPhone) -> None:
    assert phone().post("/api/seat/take", seat="a").get_json()["key"] == "api.no-match"


def test_who_sits_where_is_known_after_a_restart_but_no_token_is_kept(config: Config) -> None:
    now = [1000.0]
    chairs = Chairs(config.data / "chairs.json", lambda: now[0])
    token, device = chairs.admit()
    chairs.take(device, "b")
    chairs.call("b", "Zoé")
    paper = (config.data / "chairs.json").read_text()
    assert token not in paper
    assert (config.data / "chairs.json").stat().st_mode & 0o077 == 0
    again = Chairs(config.data / "chairs.json", lambda: now[0])
    found = again.device(token)
    assert found is not None
    assert found.seats == ("b",)
    assert again.name("b") == "Zoé"
    now[0] += 8 * 86400
    assert Chairs(config.data / "chairs.json", lambda: now[0]).device(token) is None


def test_people_who_change_places_take_their_phones_along(config: Config) -> None:
    chairs = Chairs(config.data / "chairs.json", lambda: 0.0)
    token, device = chairs.admit()
    chairs.take(device, "a")
    chairs.call("a", "Léa")
    chairs.moved({"a": "c", "c": "a", "b": "d", "d": "b"})
    found = chairs.device(token)
    assert found is not None
    assert found.seats == ("c",)
    assert (chairs.name("c"), chairs.name("a")) == ("Léa", "")


def test_whoever_sits_is_the_host_or_watches_is_never_put_out(
    config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.chairs.MOST_DEVICES", 4)
    now, watching = [0.0], set[int]()
    chairs = Chairs(config.data / "chairs.json", lambda: now[0], lambda: watching)
    player, host, screen = (chairs.admit() for _ in range(3))
    chairs.take(player[1], "a")
    chairs.host_in(host[1])
    watching.add(screen[1].number)
    for _ in range(402):
        now[0] += 1
        stranger = chairs.admit()
    assert all(chairs.device(token) for token, _ in (player, host, screen, stranger))
    chairs.take(stranger[1], "b")
    with pytest.raises(AwayError):
        chairs.admit()


def test_one_place_brings_a_club_in_but_no_flood(app: Flask, rooms: Reception) -> None:
    def joins(place: str) -> int:
        answer = app.test_client().post(
            "/api/join", json={"code": rooms.tickets.code}, environ_overrides={"REMOTE_ADDR": place}
        )
        return answer.status_code

    most = COMINGS[0]
    assert [joins("192.0.2.7") for _ in range(most + 2)] == [200] * most + [429] * 2
    assert joins("192.0.2.8") == 200
    assert [joins(f"2001:db8::{n}") for n in range(1, most + 2)][
        -1
    ] == 429  # one device's addresses


def test_the_oldest_idle_device_makes_room(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.chairs.MOST_DEVICES", 3)
    now = [0.0]
    chairs = Chairs(config.data / "chairs.json", lambda: now[0])
    seated, device = chairs.admit()
    chairs.take(device, "a")
    for _ in range(4):
        now[0] += 1
        chairs.admit()
    assert len(chairs.devices()) == 3
    assert chairs.device(seated) is not None


def test_names_are_one_short_line() -> None:
    assert clean_name("a\u202eb\x00c\td") == "a b c d"
    with pytest.raises(BadFormError):
        clean_name("x" * 25)
