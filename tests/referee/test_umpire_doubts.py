"""Cells the camera is not sure of: what is surely seen beside them says what may stand there."""

from __future__ import annotations

from referee import events
from referee.plays import CAMP
from referee.verdict import Fix

GLOBE = "tock-globe | a: a1 a9 | c: b10"
HAND = {"a": "3S 6S 7S 8S KS"}
TILES = "tiles: GORGOR OGRROG GGOORG GROGRO OGRRGO GGOROR | spare: O"


def test_who_says_that_it_was_no_play_is_believed_though_some_cell_is_open(sit):
    evening = sit(GLOBE, turn="a", hands=HAND)
    evening.shows("a:a1>a4", unsure=("d5",))
    question = evening.now.question
    assert [choice.text for choice in question.choices] == ["3S a1-a4", "none"]
    evening.tell(events.Answered(seat="a", question=question.number, choice=1))
    assert evening.kinds == ["moved-between"]
    assert evening.now.put_right == (Fix("a", "a4", "a1"),)


def test_a_pawn_surely_seen_elsewhere_does_not_stand_on_an_open_cell(sit):
    evening = sit(GLOBE, turn="a", hands=HAND)
    evening.shows("c:b10>b12", unsure=("b10",))
    evening.tell(events.Tick(), wait=13.0)
    assert evening.kinds == ["out-of-turn"]
    assert evening.now.put_right == (Fix("c", "b12", "b10"),)


def test_in_the_end_the_missing_pawn_is_taken_to_be_where_nobody_sees(sit):
    evening = sit(GLOBE, turn="a", hands=HAND)
    evening.tell(events.Announced(seat="a", card="6S"))
    evening.shows("c:b10>", "a:a1>a7", unsure=("b12",))
    assert evening.now.cases == ()
    assert evening.now.stage == "unsure"
    evening.tell(events.Tick(), wait=13.0)
    assert evening.kinds == ["two-moved"]
    assert Fix("c", "b12", "b10") in evening.now.put_right


def test_a_board_on_its_way_is_not_waited_for_for_ever_because_of_an_open_cell(sit):
    evening = sit(GLOBE, turn="a", hands=HAND, mode="real")
    evening.shows("a:a1>", "a:a9>", unsure=("d5",))
    assert evening.now.stage == "unfinished"
    evening.tell(events.Tick(), wait=13.0)
    assert evening.kinds == ["missing"]


def test_an_open_tile_of_a_pushed_row_is_the_one_that_came_there(sit):
    evening = sit(f"trikolos | white: a2 | black: a5 | {TILES}", turn="white", hands={})
    match = evening.match
    halves = match.game.partials(match.setup, match.position, "white", [""], "")
    pushed = next(half for half in halves if half.text == "push6")
    evening.wood.stand(match.game.sight(match.setup, pushed.position))
    evening.look(unsure=("b6",))
    evening.tell(events.Tick(), wait=13.0)
    assert (evening.now.stage, evening.now.cases) == ("unfinished", ())
    assert all(fix.to != CAMP for fix in evening.now.put_right)


def test_a_play_that_may_go_on_is_waited_for_though_some_other_cell_is_open(sit):
    evening = sit("tock-globe | a: a1 | c: b10 ch3", turn="a", hands=HAND)
    evening.tell(events.Announced(seat="a", card="6S"))
    evening.shows("a:a1>a7", unsure=("ch3",))
    assert evening.now.stage == "pending"
    evening.shows("a:a7>b7")
    assert evening.match.last.text == "6S a1-a7-b7"
    assert evening.now.cases == ()
