"""Turns: extra plays, forced discards, partners' pawns, dice, draws, three games of Tijou."""

from __future__ import annotations

import pytest

from referee import events
from referee.events import Seated
from referee.match import NotNowError
from referee.plays import RefereeError
from referee.umpire import step
from referee.views import seat_view

FADOQ = "tock-fadoq teams=a,c+b,d"


def tap(evening, seat, play):
    return evening.tell(events.Tapped(seat=seat, play=play))


def test_the_joker_is_played_and_another_card_at_once(sit):
    evening = sit(f"{FADOQ} | a: | b: | c: | d:", turn="a", hands={"a": "X1 KH 2S 3S 4S"})
    evening.plays("a", "X1", "a:camp>a18")
    assert evening.match.phase == "extra"
    assert evening.match.turn == "a"
    assert len(evening.match.hand("a")) == 5  # drawn before the extra play
    evening.plays("a", "2S", "a:a18>a2")
    assert evening.match.turn == "b"
    assert evening.match.bank("a") == 0


def test_fadoq_keeps_the_extra_play_for_a_later_turn(sit):
    evening = sit(f"{FADOQ} | a: | b: b2 | c: | d:", turn="a", hands={"a": "X1 KH 2S 3S 4S"})
    evening.plays("a", "X1", "a:camp>a18")
    evening.tell(events.Passed(seat="a"))
    assert evening.match.turn == "b"
    assert evening.match.bank("a") == 1
    assert seat_view(evening.now, "b")["seats"][0]["extra"] == 1


def test_globe_plays_again_at_once_or_not_at_all(sit):
    evening = sit("tock-globe | a: | c: c2", turn="a", hands={"a": "X1 KH 2S 3S 4S"})
    evening.plays("a", "X1", "a:camp>a18")
    evening.tell(events.Passed(seat="a"))
    assert evening.match.bank("a") == 0


def test_the_extra_play_never_forces_a_discard(sit):
    evening = sit(f"{FADOQ} | a: | b: | c: | d:", turn="a", hands={"a": "X1 JH 4S 4H 4D"})
    deck = [card for card in evening.match.pile.cards if card != "4C"]
    pile = evening.match.pile.but(cards=("4C", *deck))
    evening.now = evening.now.but(match=evening.match.but(pile=pile))
    evening.tell(events.Announced(seat="a", card="X1"))
    tap(evening, "a", "X1 camp-a18")
    assert evening.match.phase == "extra"  # a 4 takes the fresh pawn back
    assert evening.match.judged.forced is None


@pytest.mark.parametrize(
    ("line", "many"), [("tockcitan | a: | c:", 1), ("tock-globe | a: | c:", 5)]
)
def test_whoever_cannot_play_gives_up_one_card_or_all(sit, line, many):
    hand = "2S 3S 4S 6S 8S"
    evening = sit(line, turn="a", hands={"a": hand})
    evening.tell(events.Discarded(seat="a", cards=tuple(hand.split()[:many])))
    drawn = 0 if line.startswith("tockcitan") else many  # it draws before it plays
    assert len(evening.match.hand("a")) == 5 - many + drawn
    assert evening.match.turn == "c"
    assert set(hand.split()[:many]) <= set(evening.match.pile.discards)


def test_a_hand_thrown_when_the_pile_is_short_is_drawn_from_what_lies_open(sit):
    hand = ("2S", "3S", "4S", "6S", "8S")
    evening = sit("tock-globe | a: | c:", turn="a", hands={"a": " ".join(hand)})
    match = evening.match
    rest = match.pile.cards
    short = match.pile.but(cards=rest[:2], discards=rest[2:])
    evening.now = evening.now.but(match=match.but(pile=short))
    evening.tell(events.Discarded(seat="a", cards=hand))
    assert evening.match.hand("a").cards == rest[:5]  # two left, then the pile turned over
    assert evening.match.pile.cards[-5:] == hand
    assert evening.match.pile.discards == ()


def test_fadoq_waits_for_a_shuffle_in_the_middle_of_drawing(sit):
    evening = sit(f"{FADOQ} | a: | b: | c: | d:", turn="a", hands={"a": "KH 2S 3S 4S 6S"})
    match = evening.match
    empty = match.pile.but(cards=(), discards=match.pile.cards)
    evening.now = evening.now.but(match=match.but(pile=empty))
    evening.plays("a", "KH", "a:camp>a18")
    assert evening.match.phase == "shuffle"
    cards = tuple(reversed(evening.match.pile.discards))
    evening.tell(events.Shuffled(cards=cards))
    assert evening.match.hand("a").cards[-1] == cards[0]
    assert (evening.match.phase, evening.match.turn) == ("turn", "b")


def test_nobody_discards_while_something_can_be_played(sit):
    evening = sit("tockcitan | a: | c:", turn="a", hands={"a": "KS 3S 4S 6S 8S"})
    with pytest.raises(NotNowError, match="can be played"):
        evening.tell(events.Discarded(seat="a", cards=("3S",)))
    assert evening.now.cases == ()  # on a phone it simply does not happen


def test_whoever_is_home_plays_on_with_the_partners_pawns(sit):
    line = f"{FADOQ} | a: ah1 ah2 ah3 ah4 | b: | c: c2 | d:"
    evening = sit(line, turn="a", hands={"a": "3S KH 2S 4S 6S"})
    evening.plays("a", "3S", "c:c2>c5")
    assert evening.match.last.text == "3S c2-c5"
    assert evening.match.turn == "b"


def test_both_partners_home_win_together(sit):
    line = f"{FADOQ} | a: ah1 ah2 ah3 ah4 | b: | c: b16 ch2 ch3 ch4 | d:"
    evening = sit(line, turn="a", hands={"a": "AS KH 2S 4S 6S"})
    evening.plays("a", "AS", "c:b16>ch1")
    assert evening.match.phase == "over"
    assert evening.match.winners == ("a", "c")
    assert "game.won" in evening.keys


def test_a_die_is_passed_only_when_nothing_moves(sit):
    evening = sit("barricades | a: | c:", turn="a")
    evening.tell(events.Thrown(seat="a", value=3))
    evening.tell(events.Passed(seat="a"))
    assert evening.kinds == ["must-play"]
    assert evening.match.turn == "a"


def test_trikolos_third_time_the_same_may_be_called_a_draw(sit):
    evening = sit("trikolos | white: | black:", turn="white")
    match = evening.match
    with pytest.raises(NotNowError, match="three times"):
        evening.tell(events.Claimed(seat="white"))
    seen = (((match.position, "white"), 3),)
    evening.now = evening.now.but(match=match.but(seen_before=seen))
    evening.tell(events.Claimed(seat="black"))
    assert evening.match.drawn_game
    assert evening.match.winners == ()


def test_tijou_three_games_and_the_points_follow_the_persons(sit):
    line = "tijou teams=a,c+b,d | a: A-a A-a 1 | b: | c: | d:"
    evening = sit(
        line,
        turn="a",
        hands={"a": "10S 3S 4S"},
        persons=(("a", "Anna"), ("b", "Ben"), ("c", "Chloé"), ("d", "David")),
    )
    evening.plays("a", "10S", "a:1>A-a")
    assert evening.match.phase == "seats"
    assert dict(evening.match.points) == {"Anna": 1, "Chloé": 1, "Ben": 0, "David": 0}
    drawn = (("a", "Ben"), ("b", "Anna"), ("c", "Chloé"), ("d", "David"))
    with pytest.raises(NotNowError, match="everybody keeps playing"):
        evening.tell(Seated(persons=drawn[:3], teams=(("a", "c"),)))
    evening.tell(Seated(persons=drawn, teams=(("a", "c"), ("b", "d"))))
    assert evening.match.phase == "lots"
    assert evening.match.person("b") == "Anna"
    assert dict(evening.match.points)["Anna"] == 1
    assert evening.match.games_done == 1
    assert evening.now.history == ()  # nothing of the game before can be taken back


def test_two_cards_may_be_kept_and_three_not(sit):
    evening = sit("tijou | a: | c:", turn="a", hands={"a": "3S 4S 6S"})
    with pytest.raises(NotNowError, match="too many cards"):
        evening.tell(events.Passed(seat="a"))
    evening = sit("tijou | a: | c:", turn="a", hands={"a": "3S 4S"})
    evening.tell(events.Passed(seat="a"))
    assert evening.match.out == ("a",)
    assert evening.match.turn == "c"


def test_a_card_that_can_be_carried_out_is_not_put_down(sit):
    evening = sit("tijou | a: 5 | c:", turn="a", hands={"a": "3S 4S 10S"}, mode="real")
    evening.tell(events.PutDown(seat="a", card="3S"))
    assert evening.kinds == ["must-play"]
    assert len(evening.match.hand("a")) == 3


def test_a_card_said_by_mistake_goes_back_into_the_hand(sit):
    evening = sit("tock-globe | a: a2 | c:", turn="a", hands={"a": "3S KS 4S 6S 8S"})
    evening.tell(events.Announced(seat="a", card="3S"))
    evening.tell(events.Withdrawn(seat="a"))
    assert evening.match.phase == "turn"
    evening.plays("a", "6S", "a:a2>a8")
    assert evening.match.pile.discards == ("6S",)


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"persons": (("z", "Anna"), ("b", "Ben"))}, "no seat 'z'"),
        ({"persons": (("b", "Anna"), ("b", "Ben"))}, "each once"),
        ({"shares": (("a", "b"),)}, "not a guest"),
        ({"teams": (("a", "b"),)}, "as many play together as before"),
    ],
)
def test_nobody_sits_down_where_nobody_can(sit, wrong, why):
    people = (("a", "Anna"), ("b", "Ben"))
    evening = sit("tijou | a: | b:", turn="a", hands={"a": "3S"}, persons=people)
    evening.now = evening.now.but(match=evening.match.but(phase="seats"))
    with pytest.raises(RefereeError, match=why):
        evening.tell(Seated(**({"persons": people} | wrong)))


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"seats": ("a",)}, "at least two"),
        ({"seats": ("a", "x")}, "no seat 'x'"),
        ({"teams": (("a", "c"), ("a", "c"))}, "two teams"),
        ({"teams": (("a", "z"),)}, "'z' does not play"),
        ({"persons": (("a", "Ann"), ("c", "Ann"))}, "one name"),
        ({"persons": (("z", "Ann"),)}, "nobody plays"),
        ({"house_entry": 17}, "house_entry"),
        ({"tiles": ("GGG",)}, "without tiles"),
    ],
)
def test_no_match_is_opened_that_cannot_be_played(wrong, why):
    form = {"game": "tijou", "board": "tijou", "seats": ("a", "c")}
    with pytest.raises(RefereeError, match=why):
        step(None, events.Opened(**(form | wrong)))
