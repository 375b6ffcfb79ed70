"""A game played through the interface alone: by taps, with phones, without camera."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from referee.cards import FIFTY_FOUR
from referee.games import games
from web.choices import shelf
from web.reception import Reception

NewPhone = Callable[[], Any]


def opened(host: Any, **chosen: Any) -> None:
    answer = host.post("/api/host/open", **chosen)
    assert answer.status_code == 200, answer.text


def dealt(host: Any, family: Any) -> dict[str, Any]:
    """A phone that holds all seats draws the lots and deals; its view then."""
    assert family.post("/api/chance", what="lots", seat="a").status_code == 200
    match = family.view()["match"]
    if match["phase"] == "shuffle":
        assert family.says("shuffled", seat="a").status_code == 200
        match = family.view()["match"]
    if match["phase"] == "deal":
        assert family.says("dealt", seat=match["dealer"]).status_code == 200
    found: dict[str, Any] = family.view()
    return found


def test_a_game_by_taps_from_the_lots_to_the_first_plays(host: Any, phone: NewPhone) -> None:
    opened(host, game="tock-fadoq", mode="phone")
    family = phone().sits("a", "b", "c", "d")
    for _ in range(12):
        view = dealt(host, family) if family.view()["match"]["phase"] == "lots" else family.view()
        seat = view["match"]["turn"]
        mine = view["hands"][seat]
        if mine["playable"]:
            card = mine["playable"][0]
            assert family.says("announced", seat=seat, card=card).status_code == 200
            play = family.view()["hands"][seat]["plays"][0]["text"]
            assert family.says("tapped", seat=seat, play=play).status_code == 200
            told = family.view()["said"]
            assert any(one["key"] == "play.done" for one in told)
        else:
            cards = mine["hand"][:1]
            assert family.says("discarded", seat=seat, cards=cards).status_code == 200
        assert family.view()["match"]["turn"] != seat or card[0] == "X"


def test_the_exchange_is_seen_only_when_both_have_given(host: Any, phone: NewPhone) -> None:
    opened(host, game="tijou", mode="phone")
    family, other = phone().sits("a", "b", "d"), phone().sits("c")
    assert family.post("/api/chance", what="lots").status_code == 200
    dealer = family.view()["match"]["dealer"]
    assert host.post("/api/host/event", event="dealt", seat=dealer).status_code == 200
    gift = family.view()["hands"]["a"]["hand"][0]
    assert family.says("gave", seat="a", card=gift).status_code == 200
    assert other.view()["match"]["phase"] == "exchange"
    assert gift not in other.view()["hands"]["c"]["hand"]
    back = other.view()["hands"]["c"]["hand"][0]
    assert other.says("gave", card=back).status_code == 200
    assert gift in other.view()["hands"]["c"]["hand"]
    assert back in family.view()["hands"]["a"]["hand"]


def test_the_table_draws_lots_by_lowest_card_and_throws_the_die(host: Any, phone: NewPhone) -> None:
    family = phone()
    opened(host, game="tock-globe", mode="phone")
    family.sits("a", "b", "c", "d")
    assert family.post("/api/chance", what="lots", seat="b").status_code == 200
    opened(host, game="barricades")
    assert family.post("/api/chance", what="lots", seat="b").status_code == 200
    match = family.view()["match"]
    assert match["phase"] == "move"
    seat = match["turn"]
    play = family.view()["hands"][seat]["plays"][0]["text"]
    assert family.says("tapped", seat=seat, play=play).status_code == 200
    seat = family.view()["match"]["turn"]
    assert "chance:die" in family.view()["hands"][seat]["can"]
    assert family.post("/api/chance", what="die", seat=seat).status_code == 200
    assert family.view()["match"]["card"] in "123456"


def test_taking_back_is_agreed_to_by_others(host: Any, phone: NewPhone) -> None:
    opened(host, game="trikolos")
    white, black = phone().sits("white"), phone().sits("black")
    play = white.view()["hands"]["white"]["plays"]
    text = (play or white.get("/api/plays?seat=white").get_json()["plays"])[0]["text"]
    assert white.says("tapped", play=text).status_code == 200
    assert white.says("undo-asked").status_code == 200
    assert "undo-agree" in black.view()["hands"]["black"]["can"]
    assert "undo-agree" not in white.view()["hands"]["white"]["can"]
    assert white.post("/api/undo/agree").status_code == 409
    assert black.post("/api/undo/agree").status_code == 200
    assert white.view()["match"]["turn"] == "white"


def test_the_host_takes_back_pauses_judges_and_ends(host: Any, phone: NewPhone) -> None:
    opened(host, game="tijou", mode="real")
    lea = phone().sits("a")
    phone().sits("b")
    assert lea.says("flagged", against="b", rule="TURN").status_code == 200
    case = host.view("host")["match"]["cases"][0]
    assert case["raised_by"] == "a"
    assert case["rules"][0]["text"] != "rule.TURN"
    ruled = host.post("/api/host/event", event="ruled", case=1, decision="warning")
    assert ruled.status_code == 200
    assert host.post("/api/host/event", event="paused", on=True).status_code == 200
    refused = lea.says("lots", seat="a")
    assert (refused.status_code, refused.get_json()["key"]) == (409, "no.paused")
    assert host.post("/api/host/event", event="paused", on=False).status_code == 200
    assert host.post("/api/host/event", event="announced", seat="a").status_code == 403
    assert host.post("/api/host/event", event="ended").status_code == 200
    assert lea.view()["match"]["phase"] == "over"


def test_flags_cannot_bury_the_table(host: Any, phone: NewPhone) -> None:
    opened(host, game="tijou")
    lea = phone().sits("a")
    answers = [lea.says("flagged", against="b").status_code for _ in range(5)]
    assert answers == [200, 200, 200, 409, 409]
    assert lea.says("flagged", against="b", rule="NO-SUCH").status_code == 404


def test_a_table_without_host_votes(host: Any, phone: NewPhone) -> None:
    opened(host, game="tijou", votes=True)
    family = phone().sits("a", "b", "c", "d")
    family.says("flagged", seat="a", against="b")
    view = family.view()
    assert "voted" in view["hands"]["a"]["can"]
    assert "voted" not in view["hands"]["b"]["can"]
    for seat in "ac":
        assert family.says("voted", seat=seat, case=1, decision="slip").status_code == 200
    assert family.view()["match"]["cases"][0]["decision"] == "slip"


def test_why_not_says_the_rule(host: Any, phone: NewPhone) -> None:
    opened(host, game="tockcitan", mode="real", seats=["a", "c"])
    family = phone().sits("a", "c")
    assert family.says("lots", seat="a").status_code == 200
    assert family.says("dealt", seat="a").status_code == 200
    asked = {"seat": "a", "card": "KH", "from": "camp", "to": "a18"}
    assert family.post("/api/why", **asked).get_json() == {"legal": True, "reasons": []}
    wrong = family.post("/api/why", **asked | {"card": "7S"}).get_json()
    assert wrong["legal"] is False
    assert wrong["reasons"]
    assert all(one["text"] != f"rule.{one['rule']}" for one in wrong["reasons"])
    assert family.post("/api/why", **asked | {"to": "z9"}).status_code == 400
    assert family.post("/api/why", **asked | {"from": "b3"}).status_code == 400
    assert family.post("/api/why", **asked | {"card": "X1"}).status_code == 400


def test_answers_come_in_the_language_of_the_phone(host: Any, phone: NewPhone) -> None:
    opened(host, game="tijou")
    lea = phone().sits("a")
    german = {"Accept-Language": "de, en;q=0.8"}
    assert lea.client.get("/api/view", headers=german).get_json()["lang"] == "en"
    french = lea.says("withdrawn").get_json()["error"]
    assert lea.post("/api/language", language="en").status_code == 200
    english = lea.says("withdrawn").get_json()["error"]
    assert french != english
    assert lea.view()["lang"] == "en"


@pytest.mark.parametrize("game", sorted(games()))
def test_every_game_opens_as_usual_on_each_of_its_boards_and_seatings(
    game: str, host: Any, rooms: Reception
) -> None:
    listed = host.get("/api/host/choices").get_json()["games"]
    (shown,) = [one for one in listed if one["game"] == game]
    opened(host, game=game)
    for board in shown["boards"]:
        for seating in board["seatings"]:
            opened(host, game=game, board=board["board"], seats=seating["seats"])
            table = rooms.house.now.table
            assert table is not None
            assert list(table.match.setup.seats) == seating["seats"]
    for option in shown["options"]:
        assert option["question"] != f"option.{option['option']}.question"
        assert option["sheet"]
        for value in option["values"]:
            opened(host, game=game, options={option["option"]: value["value"]})


def test_games_are_offered_in_the_order_of_the_shelf(host: Any) -> None:
    offered = host.get("/api/host/choices").get_json()
    assert [one["game"] for one in offered["games"]] == [game.name for game in shelf()]
    assert sorted(one.name for one in shelf()) == sorted(games())
    assert offered["mode"] == "phone"  # without a camera the phones deal
    trikolos = offered["games"][-1]["boards"][0]
    assert {piece["name"] for piece in trikolos["pieces"].values()} == {"white", "black"}


def test_a_page_is_told_what_the_game_has(host: Any) -> None:
    for game, jokers, die, branches in (
        ("tockcitan", False, False, 4), ("tock-fadoq", True, False, 4), ("tijou", True, False, 0),
        ("barricades", False, True, 0),
    ):  # fmt: skip
        opened(host, game=game)
        match = host.view()["match"]
        assert (match["jokers"], match["die"], match["branches"]) == (jokers, die, branches)
    opened(host, game="tockcitan-team")
    assert host.view()["match"]["chooses_deal"] is False  # the first deal is always of five


def test_chosen_nonsense_is_refused_and_the_game_goes_on(host: Any, rooms: Reception) -> None:
    opened(host, game="tijou")
    before = rooms.house.now.table
    for chosen in (
        {"game": "tijou", "seats": ["a"]},
        {"game": "tijou", "seats": ["a", "a"]},
        {"game": "tijou", "seats": ["a", "z"]},
        {"game": "tijou", "board": "tock4"},
        {"game": "tijou", "options": {"nothing": True}},
        {"game": "tijou", "options": {"king_enters": "yes"}},
        {"game": "tockcitan", "board": "tock8"},
        {"game": "trikolos", "seats": ["a", "b"]},
        {"game": "tijou", "seats": ["a", "b", "c", "d", "e"], "shares": {"e": "z"}},
        {"rules": "nobody's"},
        {"seats": ["a", "c"]},
        {"game": "chess"},
    ):
        answer = host.client.post("/api/host/open", json=chosen)
        assert answer.status_code in (400, 404, 409), (chosen, answer.text)
        assert answer.get_json()["error"]
    assert rooms.house.now.table == before


def test_rules_of_the_house_are_kept_under_a_name(host: Any, rooms: Reception) -> None:
    kept = {"name": "Maison bleue", "game": "tijou", "options": {"king_enters": True}}
    assert host.post("/api/host/rules", **kept).status_code == 200
    opened(host, rules="Maison bleue", seats=["a", "c"])
    assert rooms.house.now.table is not None
    assert rooms.house.now.table.match.setup.chosen["king_enters"] is True
    bad = kept | {"options": {"king_enters": "perhaps"}}
    assert host.post("/api/host/rules", **bad).status_code == 400
    assert host.get("/api/host/choices").get_json()["rules"] == [kept]
    assert host.client.delete("/api/host/rules/Maison bleue", json={}).status_code == 200
    assert host.client.delete("/api/host/rules/Maison bleue", json={}).status_code == 404


def test_a_match_can_be_taken_along(host: Any, phone: NewPhone) -> None:
    opened(host, game="tijou", mode="phone", names={"a": "Léa"})
    family = phone().sits("a", "b", "c", "d")
    dealt(host, family)
    (listed,) = host.get("/api/host/games").get_json()["games"]
    assert listed["game"] == "tijou"
    assert listed["pieces"]["a"]["name"] == "red"  # whoever has no name is called by a colour
    running = host.get(f"/api/host/games/{listed['match']}")
    assert "attachment" in running.headers["Content-Disposition"]
    assert not any(card in running.text for card in FIFTY_FOUR)
    host.post("/api/host/event", event="ended")
    whole = host.get(f"/api/host/games/{listed['match']}").get_json()
    assert whole["whole"] is True
    assert [event["event"] for event in whole["events"]][:2] == ["opened", "lots"]
    figures = host.get(f"/api/host/games/{listed['match']}/figures").get_json()
    assert figures["game"] == "tijou"
    assert {seat["person"] for seat in figures["seats"]} >= {"Léa"}
    assert host.get("/api/host/games/99").status_code == 404
