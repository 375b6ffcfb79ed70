"""Hands in the middle of a play, cells nobody is sure of, and how long they are waited for."""

from __future__ import annotations

import pytest

from referee import events
from referee.lights import wanted
from referee.match import NotNowError
from referee.still import due
from referee.views import unsure

GLOBE = "tock-globe | a: a1 a9 | c: b10"
HAND = {"a": "3S 6S 7S 8S KS"}


def test_no_patience_runs_out_while_a_hand_covers_the_board(sit):
    evening = sit(GLOBE, turn="a", hands=HAND)
    evening.plays("a", "6S", "a:a1>a7")
    assert evening.now.stage == "pending"
    evening.tell(events.Hidden(why="hand"), wait=0.8)
    assert due(evening.now) == ()
    evening.tell(events.Tick(), wait=5.0)
    assert evening.match.turn == "a"
    evening.look()  # stillness begins anew
    assert evening.now.stage == "pending"
    evening.shows("a:a7>b7")
    assert evening.match.last.text == "6S a1-a7-b7"


def test_the_second_pawn_of_a_seven_may_be_in_the_hand_already(sit):
    evening = sit(GLOBE, turn="a", hands=HAND)
    evening.plays("a", "7S", "a:a1>a4", "a:a9>")
    assert evening.now.stage == "unfinished"
    assert evening.now.cases == ()
    evening.shows("a:>a13")
    assert evening.match.last.text == "7S a1-a4 a9-a13"


def test_a_king_may_sweep_four_before_he_is_put_down(sit):
    line = "tock-globe | a: a1 | b: a2 a4 | c: a6 | d: a8"
    evening = sit(line, turn="a", hands=HAND)
    evening.plays("a", "KS", "a:a1>", "b:a2>camp", "b:a4>camp", "c:a6>camp", "d:a8>camp")
    assert evening.now.stage == "unfinished"
    assert evening.now.cases == ()
    evening.shows("a:>a14")
    assert evening.match.turn == "b"


def test_what_a_play_does_not_take_does_not_go_to_its_camp(sit):
    evening = sit(GLOBE, turn="a", hands=HAND)
    evening.plays("a", "7S", "a:a1>a4", "a:a9>camp")
    assert evening.kinds != []


def test_a_piece_is_put_down_only_where_it_is_surely_seen(sit):
    evening = sit(GLOBE, turn="a", hands=HAND)
    evening.tell(events.Announced(seat="a", card="3S"))
    evening.shows("a:a1>", unsure=("a4",))
    assert (evening.now.stage, evening.now.lifted) == ("lifted", ("a", "a1"))
    evening.tell(events.Tick(), wait=13.0)  # nobody sees better: it is asked
    assert [choice.text for choice in evening.now.question.choices] == ["3S a1-a4", "none"]
    evening.tell(events.Answered(seat="a", question=evening.now.question.number, choice=1))
    assert evening.now.cases == ()
    evening.look()
    assert evening.now.stage == "lifted"


def test_nobody_is_missing_where_an_arrival_is_not_seen_surely(sit):
    """A pawn that has arrived stands on a place of its own, which may be as unsure as any cell."""
    tiles = "tiles: GORGOR OGRROG GGOORG GROGRO OGRRGO GGOROR | spare: O"
    line = f"trikolos | white: a2 home home | black: a5 | {tiles}"
    evening = sit(line, turn="white", hands={})
    evening.look(unsure=("wh2",))
    assert evening.now.stage == "still"
    assert unsure(evening.now) == ["wh2"]
    moved = [play for play in evening.match.judged.plays if play.text == "push6 a2-a3"]
    evening.wood.stand(evening.match.game.sight(evening.match.setup, moved[0].position))
    evening.look(unsure=("wh2",))
    assert evening.match.last.text == "push6 a2-a3"
    assert evening.now.cases == ()


def test_a_board_on_its_way_before_its_card_is_named_is_waited_for(sit):
    evening = sit(GLOBE, turn="a", hands=HAND, mode="real")
    evening.shows("a:a1>", "a:a9>")  # both of a seven in the hand
    assert evening.now.stage == "unfinished"
    evening.tell(events.Tick(), wait=13.0)
    assert evening.kinds == ["missing"]


def test_before_its_card_is_named_a_lifted_piece_lights_no_targets(sit):
    evening = sit(GLOBE, turn="a", hands=HAND)
    evening.shows("a:a1>")
    assert wanted(evening.now) == {"a1": "came-from"}


DONE = (
    events.Discarded(seat="a", cards=("3S", "6S", "7S", "8S", "KS")),
    events.Passed(seat="a"),
)


@pytest.mark.parametrize("event", DONE, ids=lambda event: event.kind)
def test_no_turn_ends_while_the_board_stands_wrong(sit, event):
    evening = sit(GLOBE, turn="a", hands=HAND, mode="real")
    evening.shows("a:a1>a4")
    assert evening.now.stage == "asking"
    with pytest.raises(NotNowError, match="put right first"):
        evening.tell(event)


def test_a_die_is_thrown_on_a_board_that_stands(sit):
    evening = sit("barricades | a: e2 | c:", turn="a")
    evening.shows("a:e2>d1")
    with pytest.raises(NotNowError, match="put right first"):
        evening.tell(events.Thrown(seat="a", value=2))


def test_a_card_goes_back_into_the_hand_only_while_nothing_has_moved(sit):
    evening = sit(GLOBE, turn="a", hands=HAND)
    evening.plays("a", "6S", "a:a1>a7")
    with pytest.raises(NotNowError, match="put right first"):
        evening.tell(events.Withdrawn(seat="a"))
    evening = sit(GLOBE, turn="a", hands=HAND)
    evening.plays("a", "8S", "a:a1>a10")
    assert evening.kinds == ["wrong-count"]
    with pytest.raises(NotNowError, match="put right first"):
        evening.tell(events.Withdrawn(seat="a"))


def test_a_tap_puts_nothing_right_on_the_board(sit):
    evening = sit(GLOBE, turn="a", hands=HAND)
    evening.plays("a", "3S", "c:b10>b12")
    evening.tell(events.Tapped(seat="a", play="3S a1-a4"))
    assert evening.now.cases[0].mended is None
    evening.restored()
    assert evening.now.cases[0].mended is not None


def test_what_is_put_right_during_a_pause_is_put_right(sit):
    evening = sit(GLOBE, turn="a", hands=HAND)
    evening.plays("a", "3S", "a:a1>a6")
    evening.tell(events.Paused(on=True))
    evening.restored()
    evening.tell(events.Paused(on=False))
    assert evening.now.cases[0].mended is not None
    evening.shows("c:b10>b16")
    assert len(evening.now.cases) == 2


def test_before_the_board_is_set_up_nothing_is_dealt(sit):
    evening = sit("tijou | a: | c:", set_up=False)
    with pytest.raises(NotNowError, match="set up first"):
        evening.tell(events.Lots(seat="a"))
    evening.wood.stand(evening.match.sight)
    evening.wood.sight["a", "5"] += 1
    evening.look()
    with pytest.raises(NotNowError, match="set up first"):
        evening.tell(events.Lots(seat="a"))
    evening.restored()
    evening.tell(events.Lots(seat="a"))
    assert evening.match.dealer == "a"


@pytest.mark.parametrize("event", [events.Adopted(), events.Camera(works=False)])
def test_unless_the_host_takes_it_as_it_is_or_plays_without_camera(sit, event):
    evening = sit("tijou | a: | c:", set_up=False)
    evening.wood.stand(evening.match.sight)
    evening.wood.sight["a", "5"] += 1
    evening.look()
    evening.tell(event)
    evening.tell(events.Lots(seat="a"))
    assert evening.match.dealer == "a"


def test_a_board_that_has_to_follow_may_not_go_elsewhere(sit):
    evening = sit(GLOBE, turn="a", hands=HAND)
    evening.tell(events.Announced(seat="a", card="3S"))
    evening.tell(events.Tapped(seat="a", play="3S a1-a4"))
    evening.shows("a:a9>")  # room is made, or it was the wrong one
    assert evening.now.stage == "follow"
    evening.shows("a:>b16")
    assert evening.kinds == ["moved-between"]
