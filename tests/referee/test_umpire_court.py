"""Taking back, quarrels, flags, votes, penalties, the three severities, the counted deck."""

from __future__ import annotations

import pytest

from referee import events
from referee.lights import wanted
from referee.match import NotNowError
from referee.views import host_view, public, seat_view

CITAN = "tockcitan | a: b3 a2 | b: | c: b8"
HAND = {"a": "5S 7H 8C KD JS"}
TIJOU = "tijou | a: 5 A-a 20 | b: 12 | d: 31"


def played(sit, line=CITAN, **more):
    evening = sit(line, turn="a", hands=HAND, **more)
    evening.plays("a", "8C", "a:b3>b11")
    return evening


def test_putting_the_pieces_back_asks_whether_to_take_back(sit):
    evening = played(sit, "tock-fadoq teams=a,c+b,d | a: b3 | b: | c: | d:", mode="real")
    evening.wood.stand(evening.now.history[-1].sight)
    evening.look()
    question = evening.now.question
    assert [choice.text for choice in question.choices][-1] in ("none", "no")
    assert evening.now.cases == ()
    assert evening.now.undo_asked == "a"


def test_no_card_seen_since_and_one_yes_is_enough(sit):
    evening = played(sit, "tockcitan-team teams=a,c+b,d | a: b3 | b: | c: | d:")
    assert not evening.match.revealed
    evening.tell(events.UndoAsked(seat="a"))
    evening.tell(events.Answered(seat="b", question=evening.now.question.number, choice=0))
    assert evening.match.turn == "a"
    assert "8C" in evening.match.hand("a").cards
    assert evening.now.stage == "follow"  # the board has to go back too
    evening.restored()
    assert evening.now.stage == "still"


def test_cards_seen_since_need_the_tables_consent(sit):
    evening = played(sit, "tock-fadoq teams=a,c+b,d | a: b3 | b: | c: | d:")
    drawn = evening.match.hand("a").cards[-1]
    with pytest.raises(NotNowError, match="the table has to agree"):
        evening.tell(events.Undone())
    evening.tell(events.UndoAsked(seat="a"))
    number = evening.now.question.number
    evening.look()  # a board in order is no answer
    for seat in ("a", "b"):
        evening.tell(events.Answered(seat=seat, question=number, choice=0))
        assert evening.match.turn == "b"
    evening.tell(events.Answered(seat="c", question=number, choice=0))
    assert evening.match.turn == "a"
    assert evening.match.pile.cards[0] == drawn  # nothing is dealt anew
    assert drawn not in evening.match.hand("a").cards


def test_a_shuffle_stays_shuffled_so_nobody_gets_other_cards_by_taking_back(sit):
    line = "tock-fadoq teams=a,c+b,d | a: b3 b5 | b: | c: | d:"
    evening = sit(line, turn="a", hands=HAND)
    match = evening.match
    empty = match.pile.but(cards=(), discards=match.pile.cards)
    evening.now = evening.now.but(match=match.but(pile=empty))
    evening.plays("a", "8C", "a:b3>b11")
    evening.tell(events.Shuffled(cards=tuple(sorted(evening.match.pile.discards))))
    drawn = evening.match.hand("a").cards[-1]
    evening.tell(events.Undone(consent=True))
    evening.restored()
    evening.plays("a", "KD", "a:b5>c18")
    others = tuple(sorted(evening.match.pile.discards, reverse=True))
    evening.tell(events.Shuffled(cards=others))
    assert evening.match.hand("a").cards[-1] == drawn
    assert sorted((*evening.match.pile.cards, drawn)) == sorted(others)


def test_no_leaves_the_play_where_it_is(sit):
    evening = played(sit)
    evening.tell(events.UndoAsked(seat="a"))
    evening.tell(events.Answered(seat="c", question=evening.now.question.number, choice=1))
    assert evening.match.turn == "b"
    assert evening.now.question is None


def test_a_throw_stays_thrown(sit):
    evening = sit("barricades | a: e2 | c:", turn="a")
    evening.tell(events.Thrown(seat="a", value=2))
    evening.shows("a:e2>d1")
    assert evening.match.turn == "c"
    evening.tell(events.Undone(consent=True))
    assert (evening.match.turn, evening.match.card, evening.match.phase) == ("a", "2", "move")


def test_a_second_king_of_hearts_is_not_believed(sit):
    evening = sit("tock-globe | a: | c:", turn="a", mode="real")
    evening.plays("a", "KH", "a:camp>a18")
    evening.tell(events.Announced(seat="c", card="KH"))
    assert evening.kinds == ["impossible-card"]
    assert evening.match.phase == "turn"
    assert evening.match.turn == "c"
    assert host_view(evening.now)["cases"][0]["reasons"][0]["facts"]["where"] == "discards"


def test_nobody_is_told_in_which_hand_a_card_is(sit):
    evening = sit("tock-globe | a: | b: | c: | d:", turn="a", hands={"c": "KH 2S 3S 4S 5S"})
    evening.tell(events.Announced(seat="a", card="KH"))
    assert evening.kinds == ["impossible-card"]
    elsewhere = sit("tock-globe | a: | b: | c: | d:", turn="a", hands={"a": "2S 3S 4S 5S 6S"})
    pile = elsewhere.match.pile
    at_the_bottom = pile.but(cards=(*[c for c in pile.cards if c != "KH"], "KH"))
    elsewhere.now = elsewhere.now.but(match=elsewhere.match.but(pile=at_the_bottom))
    elsewhere.tell(events.Announced(seat="a", card="KH"))
    assert host_view(elsewhere.now)["cases"] == host_view(evening.now)["cases"]
    assert seat_view(elsewhere.now, "a")["cases"] == seat_view(evening.now, "a")["cases"]
    assert [n.facts for n in elsewhere.said] == [n.facts for n in evening.said]


def test_declared_hands_are_judged_like_the_phones(sit):
    evening = sit("tockcitan | a: | c:", turn="a", mode="declared")
    evening.tell(events.Declared(seat="a", cards=("KS", "3S", "4S", "6S", "8S")))
    assert seat_view(evening.now, "a")["playable"] == ["KS"]
    assert seat_view(evening.now, "c")["hand"] == []
    evening.tell(events.Discarded(seat="a", cards=("3S",)))
    assert evening.kinds == ["must-play"]
    with pytest.raises(NotNowError, match="not in the hand"):
        evening.tell(events.Discarded(seat="a", cards=("9S",)))
    evening.tell(events.Announced(seat="a", card="9S"))
    assert evening.kinds == ["must-play", "impossible-card"]


def test_what_nobody_can_judge_is_taken_on_their_honour(sit):
    evening = sit("tock-globe | a: | c:", turn="a", mode="real")
    assert public(evening.now)["on_honour"] == ["honour.must-play", "honour.cross"]
    hand = ("2S", "3S", "4S", "6S", "8S")
    evening.tell(events.Discarded(seat="a", cards=hand))
    assert "honour.discard" in evening.keys
    assert evening.match.turn == "c"
    phones = sit("tock-globe | a: | c:", turn="a")
    assert public(phones.now)["on_honour"] == []


def test_a_card_that_could_be_played_is_known_from_itself(sit):
    evening = sit("tock-globe | a: | c:", turn="a", mode="real")
    evening.tell(events.Discarded(seat="a", cards=("2S", "3S", "KS", "6S", "8S")))
    assert evening.kinds == ["must-play"]


def test_a_slip_put_right_in_time_is_a_slip_and_late_the_hosts(sit):
    for severity, wait, decision in (
        ("teaching", 300.0, "slip"),
        ("friendly", 30.0, "slip"),
        ("friendly", 90.0, ""),
        ("tournament", 30.0, ""),
    ):
        evening = sit(CITAN, turn="a", hands=HAND, severity=severity)
        evening.plays("a", "8C", "a:b3>b12")
        evening.tell(events.Tick(), wait=wait)
        evening.restored()
        (case,) = evening.now.cases
        assert case.decision == decision
        assert case.took() == pytest.approx(wait + 0.2)


def test_the_dossier_tells_what_was_seen_the_rule_and_the_pictures(sit):
    evening = sit(CITAN, turn="a", hands=HAND)
    evening.plays("a", "8C", "a:b3>b12")
    (case,) = host_view(evening.now)["cases"]
    assert case["kind"] == "wrong-count"
    assert case["reasons"][0]["rule"] == "TOCK-EXACT"
    assert case["before"] != case["after"]
    assert case["after"].endswith(".png")
    assert case["took"] is None
    assert public(evening.now)["cases"][0]["reasons"][0] == "TOCK-EXACT"


def test_a_flag_by_hand_is_for_the_host_to_decide(sit):
    evening = sit(TIJOU, turn="a", hands={"a": "3S 4S 6S"})
    evening.tell(events.Flagged(seat="b", against="a", rule="TIJOU-EXCHANGE"))
    assert evening.keys == ["case.by-hand"]
    with pytest.raises(NotNowError, match="host decides"):
        evening.tell(events.Voted(seat="d", case=1, decision="penalty"))
    evening.tell(events.Ruled(case=1, decision="nothing"))
    assert evening.keys == ["decision.nothing"]
    with pytest.raises(NotNowError, match="no case 7"):
        evening.tell(events.Ruled(case=7, decision="slip"))


def test_without_a_host_the_table_votes_and_the_accused_does_not(sit):
    evening = sit(TIJOU, turn="a", hands={"a": "3S 4S 6S"}, host=False)
    evening.tell(events.Flagged(seat="b", against="a"))
    with pytest.raises(NotNowError, match="accused"):
        evening.tell(events.Voted(seat="a", case=1, decision="nothing"))
    evening.tell(events.Voted(seat="b", case=1, decision="penalty"))
    assert evening.now.penalty is None
    evening.tell(events.Voted(seat="d", case=1, decision="penalty"))
    assert evening.now.penalty is not None


def test_the_tijou_penalty_is_computed_lit_waited_for_and_recorded(sit):
    evening = sit(TIJOU, turn="a", hands={"a": "3S 4S 6S"})
    evening.tell(events.Flagged(seat="b", against="a"))
    evening.tell(events.Ruled(case=1, decision="penalty"))
    assert wanted(evening.now) == {"A-a": "best-placed"}
    assert evening.keys == ["decision.penalty", "penalty.due"]
    with pytest.raises(NotNowError, match="penalty is to be paid"):
        evening.tell(events.Announced(seat="a", card="3S"))
    evening.shows("a:20>camp")  # not that one
    assert evening.now.penalty is not None
    evening.shows("a:camp>20", "a:A-a>camp")
    assert evening.now.penalty is None
    assert evening.keys == ["penalty.paid"]
    form = evening.match.game.write(evening.match.setup, evening.match.position)
    assert form["pawns"]["a"] == ["20", "5", "camp"]
    assert evening.now.cases[0].decision == "penalty"
    assert evening.now.history == ()  # and is not taken back with a play


def test_nobody_out_there_nothing_to_lose(sit):
    evening = sit("tijou | a: | b: 12 | d: 31", turn="a", hands={"a": "3S 4S 6S"})
    evening.tell(events.Flagged(seat="b", against="a"))
    evening.tell(events.Ruled(case=1, decision="penalty"))
    assert evening.now.penalty is None


def test_elsewhere_a_penalty_is_the_hosts_word(sit):
    evening = sit(CITAN, turn="a", hands=HAND)
    evening.tell(events.Flagged(seat="", against="a"))
    evening.tell(events.Ruled(case=1, decision="warning"))
    assert evening.keys == ["decision.warning"]
    assert evening.now.cases[0].raised_by == "host"


def test_the_host_switches_severity_and_ends_the_match(sit):
    evening = sit(CITAN, turn="a", hands=HAND)
    evening.tell(events.Severity(severity="tournament"))
    assert evening.now.severity == "tournament"
    with pytest.raises(NotNowError, match="teaching, friendly, tournament"):
        evening.tell(events.Severity(severity="cruel"))
    evening.tell(events.Ended())
    assert evening.match.phase == "over"
    assert evening.keys == ["game.ended"]


def test_a_match_is_won_by_points_not_by_its_last_game(sit):
    line = "tijou teams=a,c+b,d | a: | b: A-b A-b 10 | c: | d:"
    people = (("a", "Anna"), ("b", "Ben"), ("c", "Chloé"), ("d", "David"))
    evening = sit(line, turn="b", hands={"b": "10S 3S 4S"}, persons=people)
    points = (("Anna", 2), ("Ben", 0), ("Chloé", 2), ("David", 0))
    evening.now = evening.now.but(match=evening.match.but(games_done=2, points=points))
    evening.plays("b", "10S", "b:10>A-b")
    assert evening.match.winners == ("b", "d")  # of the third game
    assert public(evening.now)["winners"] == ["a", "c"]
    assert evening.said[-1].key == "match.won"
    assert dict(evening.said[-1].facts) == {"seats": "a c"}


def test_a_closed_case_stays_closed(sit):
    evening = sit(TIJOU, turn="a", hands={"a": "3S 4S 6S"}, host=False, camera=False)
    evening.tell(events.Flagged(seat="b", against="a"))
    evening.tell(events.Voted(seat="b", case=1, decision="penalty"))
    evening.tell(events.Voted(seat="d", case=1, decision="penalty"))
    lost = evening.match.position
    for seat in ("b", "d"):
        with pytest.raises(NotNowError, match="is decided"):
            evening.tell(events.Voted(seat=seat, case=1, decision="nothing"))
    with pytest.raises(NotNowError, match="is decided"):
        evening.tell(events.Ruled(case=1, decision="penalty"))
    assert evening.match.position == lost


def test_when_all_have_voted_the_mildest_of_the_most_voted_holds(sit):
    evening = sit(CITAN + " | d:", turn="a", hands=HAND, host=False)
    evening.tell(events.Flagged(seat="a", against="b"))
    for seat, decision in (("a", "penalty"), ("c", "warning"), ("d", "slip")):
        evening.tell(events.Voted(seat=seat, case=1, decision=decision))
    assert evening.now.cases[0].decision == "slip"


def test_whoever_moves_out_of_turn_is_the_one_accused(sit):
    line = "tijou | a: 5 | b: 12 | d: 31"
    evening = sit(line, turn="a", hands={"a": "8S 4S 6S"}, host=False)
    evening.tell(events.Announced(seat="a", card="8S"))
    evening.shows("b:12>15")
    assert [(case.kind, case.seat) for case in evening.now.cases] == [("out-of-turn", "b")]
    assert (evening.said[0].to, dict(evening.said[0].facts)) == ("", {"seat": "b"})
    with pytest.raises(NotNowError, match="accused"):
        evening.tell(events.Voted(seat="b", case=1, decision="nothing"))


def due(sit):
    evening = sit(TIJOU, turn="a", hands={"a": "3S 4S 6S"})
    evening.plays("a", "3S", "a:5>8")
    evening.tell(events.Flagged(seat="b", against="a"))
    evening.tell(events.Ruled(case=1, decision="penalty"))
    assert evening.now.penalty is not None
    return evening


def test_a_penalty_is_not_escaped_by_taking_back_or_by_taking_the_board_as_it_is(sit):
    evening = due(sit)
    for event in (
        events.UndoAsked(seat="a"),
        events.Undone(consent=True),
        events.Adopted(),
        events.Ruled(case=1, decision="penalty"),
    ):
        with pytest.raises(NotNowError):
            evening.tell(event)


def test_but_the_host_may_rule_otherwise_until_it_is_paid(sit):
    evening = due(sit)
    evening.tell(events.Ruled(case=1, decision="warning"))
    assert evening.now.penalty is None
    assert evening.now.stage == "still"
    with pytest.raises(NotNowError, match="is decided"):
        evening.tell(events.Ruled(case=1, decision="nothing"))


def test_a_card_is_in_one_place_only_however_it_is_named(sit):
    evening = sit("tock-globe | a: | c:", turn="a", mode="declared")
    evening.tell(events.Announced(seat="a", card="KH"))
    evening.tell(events.Declared(seat="c", cards=("KH", "2S", "3S", "4S", "6S")))
    assert evening.kinds == ["impossible-card"]
    assert evening.match.hand("c").cards == ()
    evening.tell(events.Withdrawn(seat="a"))
    evening.tell(events.Declared(seat="c", cards=("KH", "2S", "3S", "4S", "6S")))
    assert evening.kinds == ["impossible-card"] * 2  # all have seen in whose hand it is
    evening = sit("tock-globe | a: | c:", turn="a", mode="real")
    evening.tell(events.Discarded(seat="a", cards=("2S",) * 5))
    assert evening.kinds == ["impossible-card"]
    assert evening.match.pile.discards == ()


@pytest.mark.parametrize(
    ("drawn", "why"),
    [
        ((("a", "AS"),), "everybody draws once"),
        ((("a", "AS"), ("a", "KS")), "everybody draws once"),
        ((("a", "AS"), ("c", "AS")), "drawn twice"),
        ((("a", "AS"), ("c", "zz")), "played without zz"),
    ],
)
def test_lots_are_what_can_have_been_drawn(sit, drawn, why):
    evening = sit("tock-globe | a: | c:")
    with pytest.raises(NotNowError, match=why):
        evening.tell(events.Lots(seat="a", drawn=drawn))


def test_the_board_is_not_taken_as_it_stands_where_nobody_is_sure_of_it(sit):
    evening = sit("tock-globe | a: a18* b3 | c: b5", turn="a", hands={"a": "3S 4S 6S 8S 9S"})
    evening.look(unsure=("b3", "b5"))
    with pytest.raises(NotNowError, match="not sure of b3, b5"):
        evening.tell(events.Adopted())
    evening.wood.sight.clear()
    evening.shows("c:>a18")
    evening.wood.held.clear()
    evening.look()
    evening.tell(events.Adopted())
    form = evening.match.game.write(evening.match.setup, evening.match.position)
    assert form["pawns"]["c"] == ["a18", "camp", "camp", "camp"]  # fresh was another's


def test_a_board_taken_as_it_stands_may_be_won(sit):
    evening = sit("tijou | a: A-a A-a 9 | c:", turn="c", hands={"c": "3S 4S"})
    evening.now = evening.now.but(match=evening.match.but(games_done=2))
    evening.shows("a:9>A-a")
    evening.tell(events.Adopted())
    assert (evening.match.phase, evening.match.winners) == ("over", ("a",))
    assert evening.keys == ["board.adopted", "game.won", "match.won"]


def test_a_hint_is_for_who_asks_and_never_in_a_tournament(sit):
    evening = sit(CITAN, turn="a", hands=HAND)
    with pytest.raises(NotNowError, match="not your turn"):
        evening.tell(events.Hinted(seat="c"))
    evening.tell(events.Hinted(seat="a"))
    assert seat_view(evening.now, "a")["hint"]["text"] == "5S b3-b8"
    assert seat_view(evening.now, "c")["hint"] is None
    assert "hint" not in wanted(evening.now).values()  # it would tell all which card is held
    evening.tell(events.Announced(seat="a", card="5S"))
    assert "hint" not in wanted(evening.now).values()
    evening.tell(events.Hinted(seat="a"))
    assert wanted(evening.now) == {"b3": "hint", "b8": "hint"}  # the card lies there for all
    evening.tell(events.Severity(severity="tournament"))
    with pytest.raises(NotNowError, match="tournament"):
        evening.tell(events.Hinted(seat="a"))
    assert "hinted" not in seat_view(evening.now, "a")["can"]
