"""Taking back what was done, never what was dealt or thrown, in every phase."""

from __future__ import annotations

import pytest

from referee import events
from referee.match import NotNowError

FADOQ = "tock-fadoq teams=a,c+b,d | a: | b: | c: | d:"
TIJOU = "tijou | a: 5 9 | c:"


def tap(evening, seat, card):
    evening.tell(events.Announced(seat=seat, card=card))
    play = evening.match.judged.plays[0]
    evening.tell(events.Tapped(seat=seat, play=play.text))
    return evening.restored()


def test_a_passed_extra_play_comes_back_as_an_extra_play(sit):
    evening = sit(FADOQ, turn="a", hands={"a": "X1 KH 2S 3S 6S"})
    evening.plays("a", "X1", "a:camp>a18")
    evening.tell(events.Passed(seat="a"))
    evening.tell(events.Undone(consent=True))
    assert (evening.match.phase, evening.match.turn, evening.match.bank("a")) == ("extra", "a", 1)
    tap(evening, "a", "2S")
    assert (evening.match.turn, evening.match.bank("a")) == ("b", 0)


def phases(sit):
    """The same table in every phase before a turn, and in a turn."""
    line = "tockcitan-team teams=a,c+b,d | a: | b: | c: | d:"
    for until in ("lots", "deal", "exchange", "turn", "move"):
        evening = sit(line)
        if until != "lots":
            evening.tell(events.Lots(seat="a"))
            evening.tell(events.Shuffled(cards=evening.match.game.deck))
        if until in ("exchange", "turn", "move"):
            evening.tell(events.Dealt())
        while until in ("turn", "move") and evening.match.phase == "exchange":
            seat = next(s for s in evening.match.order if s not in evening.match.given)
            evening.tell(events.Gave(seat=seat, card=evening.match.hand(seat).cards[0]))
        seat = evening.match.turn
        if until == "move":
            card = evening.match.hand(seat).cards[0]
            evening.tell(events.Announced(seat=seat, card=card))
        assert evening.match.phase == until
        yield evening


def test_a_board_taken_as_it_stands_can_be_taken_back_in_every_phase(sit):
    for evening in phases(sit):
        before = evening.match
        evening.shows("a:camp>a5")
        evening.tell(events.Adopted())
        assert evening.match.position != before.position
        evening.tell(events.Undone(consent=True))
        phase = "turn" if before.phase == "move" else before.phase  # the card is in the hand again
        assert (evening.match.phase, evening.match.turn) == (phase, before.turn)
        assert evening.match.hands == before.hands
        assert evening.match.position == before.position


def test_yes_never_takes_back_another_act_than_was_asked_about(sit):
    evening = sit(TIJOU, turn="a", hands={"a": "3S 6S 7S", "c": "4S 6C 7C"})
    tap(evening, "a", "3S")
    evening.tell(events.UndoAsked(seat="a"))
    number = evening.now.question.number
    evening.tell(events.PutDown(seat="c", card="6C"))
    with pytest.raises(NotNowError, match="nobody asks"):
        evening.tell(events.Answered(seat="c", question=number, choice=0))
    assert evening.match.turn == "a"


def test_everybody_gets_the_very_same_cards_again(sit):
    evening = sit(TIJOU, turn="a", hands={"a": "3S", "c": ""}, mode="phone")
    tap(evening, "a", "3S")
    evening.tell(events.Dealt())
    dealt = {seat: set(hand.cards) for seat, hand in evening.match.hands}
    evening.tell(events.Undone(consent=True))
    evening.restored()
    assert evening.match.hand("a").cards == ("3S",)
    evening.tell(events.Passed(seat="a"))  # keeps it, and is dealt one less
    evening.tell(events.Dealt())
    for seat, hand in evening.match.hands:
        assert set(hand.cards) - {"3S"} <= dealt[seat]


def test_a_card_or_a_throw_seen_since_needs_consent(sit):
    evening = sit(TIJOU, turn="a", hands={"a": "3S 6S", "c": "4S 6C"})
    tap(evening, "a", "3S")
    evening.tell(events.Announced(seat="c", card="6C"))
    with pytest.raises(NotNowError, match="have been seen"):
        evening.tell(events.Undone())
    evening = thrown(sit)
    with pytest.raises(NotNowError, match="have been seen"):
        evening.tell(events.Undone())


def thrown(sit):
    evening = sit("barricades | a: e2 | c: m2", turn="a")
    evening.tell(events.Thrown(seat="a", value=2))
    evening.shows("a:e2>d1")
    evening.tell(events.Thrown(seat="c", value=1))
    return evening


def test_a_throw_stays_thrown_when_it_is_played_again(sit):
    evening = thrown(sit)
    evening.tell(events.Undone(consent=True))
    evening.restored()
    assert (evening.match.turn, evening.match.card) == ("a", "2")
    evening.shows("a:e2>f1")
    assert (evening.match.turn, evening.match.phase, evening.match.card) == ("c", "move", "1")


def test_what_the_host_has_ended_is_ended(sit):
    evening = sit(TIJOU, turn="a", hands={"a": "3S 6S", "c": "4S 6C"})
    tap(evening, "a", "3S")
    evening.tell(events.Ended())
    for event in (events.Undone(consent=True), events.UndoAsked(seat="a")):
        with pytest.raises(NotNowError):
            evening.tell(event)


def test_a_game_that_is_won_is_taken_back_only_by_the_table(sit):
    evening = sit("tijou | a: A-a A-a 1 | c:", turn="a", hands={"a": "10S 3S 4S"})
    evening.now = evening.now.but(match=evening.match.but(games_done=2))
    evening.plays("a", "10S", "a:1>A-a")
    assert evening.match.phase == "over"
    with pytest.raises(NotNowError, match="have been seen"):  # whoever reads the record has
        evening.tell(events.Undone())
    evening.tell(events.Undone(consent=True))
    assert (evening.match.phase, evening.match.turn) == ("turn", "a")


def test_pieces_put_back_that_could_be_the_next_play_are_asked_about(sit):
    tiles = "tiles: OOOOOO GRRRRR RRRRRR RRRRRR RRRRRR RRRRRR | spare: O"
    evening = sit(f"trikolos | white: | black: | {tiles}", turn="white")
    evening.shows("white:camp>a1")
    assert evening.match.turn == "black"
    evening.shows("white:a1>camp")  # or black has pushed the row, and the pawn fell
    question = evening.now.question
    assert (question.to, [choice.text for choice in question.choices]) == (
        "black",
        ["push1", "undo"],
    )
    evening.tell(events.Answered(seat="black", question=question.number, choice=1))
    assert evening.match.turn == "white"
