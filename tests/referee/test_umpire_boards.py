"""Evenings at a table: what stands there, what it means, what is lit and said."""

from __future__ import annotations

import pytest

from referee import events
from referee.lights import wanted
from referee.match import NotNowError
from referee.plays import RefereeError

CITAN = "tockcitan | a: b3 a2 | c: b8"
HAND = {"a": "5S 7H 8C KD JS"}


def test_a_right_move_counts_at_once_and_the_next_is_told(sit):
    evening = sit(CITAN, turn="a", hands=HAND)
    evening.plays("a", "8C", "a:b3>b11")
    assert evening.match.turn == "c"
    assert evening.keys == ["play.done", "turn.yours"]
    assert evening.now.cases == ()


def test_the_announced_card_lights_the_pieces_that_may_move(sit):
    evening = sit(CITAN, turn="a", hands=HAND)
    evening.tell(events.Announced(seat="a", card="8C"))
    assert wanted(evening.now) == {"b3": "may-move", "a2": "may-move"}


def test_a_lifted_piece_lights_only_its_own_targets_and_what_it_would_take(sit):
    evening = sit(CITAN, turn="a", hands=HAND)
    evening.plays("a", "5S", "a:b3>")
    assert evening.now.stage == "lifted"
    assert wanted(evening.now) == {"b3": "came-from", "b8": "capture"}
    evening.restored()
    assert wanted(evening.now) == {"b3": "may-move", "a2": "may-move"}


def test_in_a_tournament_the_lights_help_nobody(sit):
    evening = sit(CITAN, turn="a", hands=HAND, severity="tournament")
    evening.tell(events.Announced(seat="a", card="8C"))
    assert set(wanted(evening.now).values()) == {"your-turn"}
    evening.shows("a:b3>")
    assert wanted(evening.now) == {"b3": "came-from"}


def test_a_captured_pawn_left_standing_is_waited_for_then_said(sit):
    evening = sit(CITAN, turn="a", hands=HAND)
    evening.plays("a", "5S", "a:b3>b8")
    assert evening.now.stage == "unfinished"
    assert wanted(evening.now) == {"b8": "capture"}
    assert evening.now.cases == ()  # so far nothing is wrong
    evening.tell(events.Confirmed(seat="a"))
    assert evening.kinds == ["left-standing"]
    evening.shows("c:b8>camp")
    assert evening.match.turn == "c"
    assert evening.now.cases[0].decision == "slip"


def test_the_captured_pawn_may_be_taken_away_first(sit):
    evening = sit(CITAN, turn="a", hands=HAND)
    evening.plays("a", "5S", "c:b8>camp")
    assert evening.now.stage == "unfinished"
    evening.shows("a:b3>b8")
    assert evening.match.turn == "c"
    assert evening.now.cases == ()


def test_a_seven_is_walked_part_by_part(sit):
    evening = sit(CITAN, turn="a", hands=HAND)
    evening.plays("a", "7H", "a:b3>b5")
    assert evening.now.stage == "unfinished"
    evening.shows("a:a2>")  # held in the hand, thinking
    assert evening.now.stage == "lifted"
    assert wanted(evening.now) == {"a2": "came-from", "a7": "may-go"}  # five steps are left
    assert evening.now.cases == ()
    evening.shows("a:>a7")
    assert evening.match.turn == "c"


def test_a_seven_walked_too_short_is_called_so_when_the_next_plays(sit):
    evening = sit(CITAN, turn="a", hands=HAND | {"c": "AS 2S 3S 4S 6S"})
    evening.plays("a", "7H", "a:b3>b9")
    assert evening.now.stage == "unfinished"
    evening.tell(events.Announced(seat="c", card="2S"))
    assert evening.kinds == ["short-seven"]
    assert evening.match.turn == "a"  # it is still not the next one's turn
    evening.shows("a:b9>b10")
    assert evening.match.turn == "c"


def test_a_jump_that_is_still_open_waits_for_stillness_or_a_word(sit):
    line = "tock-globe | a: b4 | c:"
    evening = sit(line, turn="a", hands={"a": "3S 4S 6S 8S 9S"})
    evening.plays("a", "3S", "a:b4>b7")
    assert evening.now.stage == "pending"
    evening.shows("a:b7>c7")  # the jump, as a second movement
    assert evening.match.last.text == "3S b4-b7-c7"
    evening = sit(line, turn="a", hands={"a": "3S 4S 6S 8S 9S"})
    evening.plays("a", "3S", "a:b4>b7")
    evening.tell(events.Tick(), wait=1.0)
    assert evening.now.stage == "pending"
    evening.tell(events.Tick(), wait=1.0)
    assert evening.match.last.text == "3S b4-b7"
    evening = sit(line, turn="a", hands={"a": "3S 4S 6S 8S 9S"})
    evening.plays("a", "3S", "a:b4>b7")
    evening.tell(events.Confirmed(seat="a"))
    assert evening.match.turn == "c"


def test_a_swap_takes_two_hands_and_three_looks(sit):
    evening = sit(CITAN, turn="a", hands=HAND)
    evening.plays("a", "JS", "a:b3>")
    evening.shows("c:b8>")
    assert evening.now.stage == "unfinished"
    evening.shows("a:>b8")
    assert evening.now.stage in ("unfinished", "lifted")
    evening.shows("c:>b3")
    assert evening.match.last.text == "JS b3~b8:c"
    assert evening.now.cases == ()


def test_swapping_two_of_ones_own_changes_nothing_and_is_confirmed(sit):
    evening = sit("tock-globe | a: a2 a5 | c:", turn="a", hands={"a": "JS 3S 4S 6S 8S"})
    evening.tell(events.Announced(seat="a", card="JS"))
    evening.look()
    assert evening.match.turn == "a"
    evening.tell(events.Confirmed(seat="a"))
    assert evening.match.turn == "c"


WRONG = [
    ("8C", ["a:b3>b12"], "wrong-count"),
    ("5S", ["c:b8>b7"], "others-pawn"),
    ("8C", ["a:b3>b13", "a:a2>a3"], "two-moved"),
    ("KD", ["a:b3>b8", "c:b8>camp"], "wrong-card"),
    ("5S", ["c:b8>b13"], "out-of-turn"),
    ("7H", ["a:b3>b14"], "wrong-count"),
    ("8C", ["a:b3>camp"], "missing"),
]


@pytest.mark.parametrize(("card", "hands", "kind"), WRONG)
def test_each_mistake_has_its_name_its_lights_and_its_way_back(sit, card, hands, kind):
    evening = sit(CITAN, turn="a", hands=HAND)
    evening.plays("a", card, *hands)
    assert evening.kinds == [kind]
    assert evening.keys[0] == f"case.{kind}"
    assert "put-back" in wanted(evening.now).values() or kind == "others-pawn"
    evening.wood.mend(tuple((f.piece, f.origin, f.to) for f in evening.now.put_right))
    evening.look()
    assert evening.now.stage == "still"
    assert evening.keys == ["board.put-right"]
    assert evening.match.turn == "a"
    assert evening.now.cases[0].decision == "slip"


def test_after_a_mistake_the_right_move_may_follow_without_going_back(sit):
    evening = sit(CITAN, turn="a", hands=HAND)
    evening.plays("a", "8C", "a:b3>b12")
    evening.shows("a:b12>b11")
    assert evening.match.turn == "c"
    assert [case.mended is not None for case in evening.now.cases] == [True]


def test_a_captured_pawn_in_the_wrong_camp_has_only_to_change_camps(sit):
    evening = sit(CITAN, turn="a", hands=HAND)
    evening.wood.astray = [("c", "ac4")]
    evening.plays("a", "5S", "a:b3>b8", "c:b8>camp")
    assert evening.kinds == ["wrong-camp"]
    assert [(fix.origin, fix.to) for fix in evening.now.put_right] == [("ac4", "camp")]
    assert wanted(evening.now) == {"ac4": "wrong", "cc1": "put-back"}
    evening.wood.astray = []
    evening.look()
    assert evening.match.turn == "c"


def test_a_nudge_between_turns_is_seen_and_put_back(sit):
    evening = sit(CITAN, turn="a", hands={"a": "9S 10S 6S 6H 9H"})
    evening.shows("c:b8>b9")
    assert evening.kinds == ["out-of-turn"]  # it could have been an ace of theirs
    evening.restored()
    evening.shows("a:b3>b2")
    assert evening.kinds == ["out-of-turn", "moved-between"]
    assert wanted(evening.now) == {"b2": "wrong", "b3": "put-back"}


def test_a_move_before_its_card_offers_the_cards_that_explain_it(sit):
    evening = sit(CITAN, turn="a", hands={"a": "5S 5H 8C KD JS"})
    evening.shows("a:b3>b8", "c:b8>camp")
    question = evening.now.question
    assert (question.key, question.to) == ("ask.card", "a")
    assert [choice.card for choice in question.choices] == ["5S", "5H", ""]
    with pytest.raises(NotNowError, match="somebody else"):
        evening.tell(events.Answered(seat="c", question=question.number, choice=0))
    evening.tell(events.Answered(seat="a", question=question.number, choice=1))
    assert evening.match.pile.discards == ("5H",)
    assert evening.match.turn == "c"


def test_it_was_no_move_says_the_player(sit):
    evening = sit(CITAN, turn="a", hands=HAND)
    evening.shows("a:b3>b11")
    question = evening.now.question
    evening.tell(events.Answered(seat="a", question=question.number, choice=1))
    assert evening.kinds == ["moved-between"]


def test_with_unknown_hands_every_card_of_a_fitting_rank_is_offered(sit):
    evening = sit(CITAN, turn="a", mode="real")
    evening.shows("a:b3>b11")
    cards = [choice.card for choice in evening.now.question.choices]
    assert cards == ["8S", "8H", "8D", "8C", ""]


def test_two_legal_readings_are_asked_never_chosen_in_silence(sit):
    line = "tock-fadoq teams=a,c+b,d | a: a18* a17 | b: | c: | d:"
    evening = sit(line, turn="a", hands={"a": "JS AS 4S 6S 8S"})
    evening.tell(events.Announced(seat="a", card="AS"))
    match = evening.match
    alike = [p for plays in match.lookup.values() if len(plays) > 1 for p in plays]
    one = match.judged.plays[0]
    twin = one._replace(position=one.position._replace(fresh=one.position.fresh ^ 1))
    judged = match.judged._replace(plays=[one, twin])
    doubled = match.but()
    doubled.__dict__["judged"] = judged
    assert alike == []
    evening.now = evening.now.but(match=doubled)
    evening.wood.stand(match.game.sight(match.setup, one.position))
    evening.look()
    assert evening.now.question.key == "ask.play"
    assert evening.now.question.to == "a"
    evening.tell(events.Answered(seat="a", question=evening.now.question.number, choice=1))
    assert evening.match.position == twin.position


def test_hands_over_the_board_are_not_judged(sit):
    evening = sit(CITAN, turn="a", hands=HAND)
    evening.tell(events.Announced(seat="a", card="8C"))
    evening.tell(events.Hidden(why="hand"))
    assert evening.now.hidden == "hand"
    evening.shows("a:b3>b11")
    assert evening.now.hidden == ""
    assert evening.match.turn == "c"


def test_an_unsure_cell_is_never_a_fault(sit):
    evening = sit(CITAN, turn="a", hands=HAND)
    evening.tell(events.Announced(seat="a", card="8C"))
    evening.wood.sight = evening.match.sight.copy()
    evening.look(unsure=("b3",))
    assert evening.now.cases == ()
    evening.shows("a:b3>b11", unsure=("b3",))
    assert evening.match.turn == "c"  # one legal play agrees with all that is sure


def test_what_cannot_be_read_waits_before_it_is_called_wrong(sit):
    evening = sit(CITAN, turn="a", hands=HAND)
    evening.tell(events.Announced(seat="a", card="8C"))
    evening.shows("a:camp>b13", unsure=("b3",))
    assert (evening.now.stage, evening.keys) == ("unsure", ["board.unsure"])
    evening.tell(events.Tick(), wait=13.0)
    assert evening.kinds != []


def test_the_set_up_is_checked_before_the_first_deal_in_any_order(sit):
    evening = sit("barricades | a: | c:", set_up=False)
    evening.wood.stand(evening.match.sight)
    evening.shows("barricade:i13>i12")
    assert evening.now.stage == "follow"
    assert evening.now.cases == ()
    assert wanted(evening.now) == {"i12": "wrong", "i13": "put-back"}
    evening.restored()
    assert evening.keys == ["board.ready"]


def toppled(sit):
    line = "tock-globe | a: a2 a3 ah1 | b: b2 b5 | c: c2 c5 | d: d4"
    evening = sit(line, turn="a", hands={"a": "3S 4S 6S 8S 9S"})
    evening.shows("a:a2>", "a:a3>", "b:b2>", "b:b5>", "c:c2>", "c:c5>c6", "d:d4>d5")
    assert evening.now.stage == "disturbed"
    assert evening.now.cases == ()
    return evening


def test_a_pawn_that_rolled_into_another_camp_is_nobodys_fault_on_a_fallen_board(sit):
    evening = sit("tijou | a: 3 | b: 17 | c: 22 24 | d: 30 31", turn="b", hands={"b": "3S"})
    evening.wood.astray = [("a", "bc3")]
    evening.shows("a:3>", "b:17>", "c:22>", "c:24>", "d:30>", "d:31>12")
    assert (evening.now.stage, evening.now.cases) == ("disturbed", ())
    evening.look()
    assert evening.now.cases == ()
    evening.wood.astray = []
    evening.restored()
    assert (evening.now.stage, evening.now.cases) == ("still", ())


def test_a_fallen_board_is_set_up_again_by_the_lights(sit):
    evening = toppled(sit)
    lit = wanted(evening.now)
    assert {cell for cell, what in lit.items() if what == "put-back"} >= {"a2", "b2", "c2"}
    evening.shows("a:>a2", "a:>a3", "b:>b2")
    assert evening.now.cases == ()  # on the way nobody is accused
    evening.wood.held.clear()
    evening.restored()
    assert evening.now.stage == "still"


def test_or_the_host_takes_what_stands_for_true(sit):
    evening = toppled(sit)
    evening.wood.held.clear()
    evening.look()
    evening.tell(events.Adopted())
    assert evening.keys == ["board.adopted"]
    form = evening.match.game.write(evening.match.setup, evening.match.position)
    assert form["pawns"]["d"] == ["camp", "camp", "camp", "d5"]
    evening.look()
    assert evening.now.stage == "still"


def test_no_camera_moves_are_tapped(sit):
    evening = sit(CITAN, turn="a", hands=HAND)
    evening.tell(events.Camera(works=False))
    assert evening.keys == ["camera.lost"]
    evening.tell(events.Announced(seat="a", card="8C"))
    with pytest.raises(NotNowError, match="no such play"):
        evening.tell(events.Tapped(seat="a", play="8C b3-b12"))
    evening.tell(events.Tapped(seat="a", play="8C b3-b11"))
    assert evening.match.turn == "c"


def test_a_pause_judges_nothing_and_afterwards_the_board_stands_again(sit):
    evening = sit(CITAN, turn="a", hands=HAND)
    evening.tell(events.Paused(on=True))
    evening.shows("c:b8>b9")
    assert evening.now.cases == ()
    with pytest.raises(NotNowError, match="paused"):
        evening.tell(events.Announced(seat="a", card="8C"))
    evening.tell(events.Paused(on=False))
    assert evening.now.stage == "follow"
    assert wanted(evening.now) == {"b9": "wrong", "b8": "put-back"}
    evening.restored()
    assert evening.now.stage == "still"
    assert evening.now.cases == ()


def test_what_is_not_now_leaves_everything_as_it_was(sit):
    evening = sit(CITAN, turn="a", hands=HAND)
    before = evening.now
    for event in (
        events.Announced(seat="c", card="8S"),
        events.Thrown(seat="a", value=3),
        events.Confirmed(seat="a"),
        events.Dealt(seat="a"),
        events.Answered(seat="a", question=4),
        events.Ruled(case=9, decision="slip"),
        events.Undone(),
    ):
        with pytest.raises(NotNowError):
            evening.tell(event)
        assert evening.now is before


def test_pieces_of_another_game_are_no_position(sit):
    evening = sit("trikolos | white: | black:", turn="white")
    evening.tell(events.Seen(pieces=(("a", "a1"), ("tile-green", "nowhere"))))
    assert evening.now.stage in ("disturbed", "wrong")
    with pytest.raises(RefereeError):
        evening.tell(events.Adopted())
