"""Evenings begin: lots, shuffles, deals, and the card that partners swap."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from referee import events
from referee.match import NotNowError, most_to_deal
from referee.views import public, seat_view

TEAM = "tockcitan-team teams=a,c+b,d | a: | b: | c: | d:"
TIJOU = "tijou teams=a,c+b,d | a: | b: | c: | d:"


def shuffled(evening, seed=1):
    cards = list(evening.match.pile.cards + evening.match.pile.discards)
    random.Random(seed).shuffle(cards)
    return events.Shuffled(cards=tuple(cards) if evening.match.phone_deck else ())


def dealt(evening, dealer="a", size=0):
    evening.tell(events.Lots(seat=dealer))
    if evening.match.phase == "shuffle":  # the phones' deck; a real one lies there mixed
        evening.tell(shuffled(evening))
    evening.tell(events.Dealt(seat=dealer, size=size))
    return {seat: len(hand) for seat, hand in evening.match.hands}


def test_tockcitan_deals_five_to_the_dealer_who_begins_without_drawing(sit):
    evening = sit("tockcitan | a: | b: | c:")
    assert dealt(evening, "b") == {"a": 4, "b": 5, "c": 4}
    assert evening.match.turn == "b"
    hold_out(evening)
    assert evening.match.turn == "c"
    assert len(evening.match.hand("c")) == 5  # the next draws before playing


def test_fadoq_begins_left_of_the_dealer(sit):
    evening = sit("tock-fadoq teams=a,c+b,d | a: | b: | c: | d:")
    assert dealt(evening, "d") == dict.fromkeys("abcd", 5)
    assert evening.match.turn == "a"


def test_globe_lots_lowest_card_deals_and_ties_draw_again(sit):
    evening = sit("tock-globe | a: | b: | c: | d:")
    with pytest.raises(NotNowError, match="ties draw again"):
        evening.tell(
            events.Lots(seat="a", drawn=(("a", "AS"), ("b", "AH"), ("c", "KS"), ("d", "X1")))
        )
    evening.tell(events.Lots(seat="c", drawn=(("a", "4S"), ("b", "X1"), ("c", "3H"), ("d", "KS"))))
    assert evening.match.dealer == "c"


def test_barricades_highest_throw_begins_and_plays_it(sit):
    evening = sit("barricades | a: | c: | d:")
    evening.restored()
    evening.tell(events.Lots(seat="c", drawn=(("a", "2"), ("c", "6"), ("d", "5"))))
    assert (evening.match.turn, evening.match.card, evening.match.phase) == ("c", "6", "move")


def test_the_first_deal_is_whole_and_later_ones_as_the_dealer_chooses(sit):
    evening = sit(TEAM)
    with pytest.raises(NotNowError, match="first deal is of 5"):
        dealt(evening, "a", 3)
    evening = sit(TEAM)
    dealt(evening)
    for seat in "abcd":
        evening.tell(events.Gave(seat=seat, card=evening.match.hand(seat).cards[0]))
    while evening.match.phase == "turn":
        hold_out(evening)
    assert evening.match.dealer == "b"  # the deal passes to the left
    assert most_to_deal(evening.match) == 5
    evening.tell(events.Dealt(seat="b", size=2))
    assert {len(hand) for _, hand in evening.match.hands} == {2}


def hold_out(evening):
    """Play the first card that can be, or give one up."""
    match = evening.match
    for card in match.hand(match.turn).cards:
        if match.judged_card(match.turn, card).plays:
            evening.tell(events.Announced(seat=match.turn, card=card))
            play = evening.match.judged.plays[0]
            evening.tell(events.Tapped(seat=match.turn, play=play.text))
            evening.restored()  # the board follows
            return
    card = match.hand(match.turn).cards[0]
    if match.flow.puts_down:
        evening.tell(events.PutDown(seat=match.turn, card=card))
    else:
        evening.tell(events.Discarded(seat=match.turn, cards=(card,)))


@pytest.mark.parametrize("line", [TEAM, TIJOU])
def test_each_gives_before_either_looks(sit, line):
    evening = sit(line)
    dealt(evening)
    gift, back = evening.match.hand("a").cards[0], evening.match.hand("c").cards[0]
    evening.tell(events.Gave(seat="a", card=gift))
    assert gift in evening.match.hand("a").cards  # nothing has changed hands yet
    assert gift not in str(seat_view(evening.now, "c"))
    with pytest.raises(NotNowError, match="chosen already"):
        evening.tell(events.Gave(seat="a", card=back))
    evening.tell(events.Gave(seat="c", card=back))
    assert gift in evening.match.hand("c").cards
    assert back in evening.match.hand("a").cards
    assert evening.match.phase == "exchange"  # the others have not chosen


@pytest.mark.parametrize("line", [TEAM, TIJOU])
def test_each_is_told_alone_what_came_until_they_play(sit, line):
    evening = sit(line)
    dealt(evening)
    given = {seat: evening.match.hand(seat).cards[0] for seat in "abcd"}
    for seat in "ab":
        evening.tell(events.Gave(seat=seat, card=given[seat]))
        assert seat_view(evening.now, seat)["received"] is None
    evening.tell(events.Gave(seat="c", card=given["c"]))
    told = {one.to: dict(one.facts) for one in evening.now.notices if one.key == "gift.received"}
    assert {seat: facts["card"] for seat, facts in told.items()} == {
        "a": given["c"],
        "c": given["a"],
    }
    evening.tell(events.Gave(seat="d", card=given["d"]))
    for seat, mate in zip("abcd", "cdab", strict=True):
        assert seat_view(evening.now, seat)["received"] == given[mate]
    assert "received" not in public(evening.now)
    assert not {given["a"], given["c"]} & set(
        str(seat_view(evening.now, "b")["notices"]).split("'")
    )
    first = evening.match.turn
    hold_out(evening)
    assert seat_view(evening.now, first)["received"] is None
    assert seat_view(evening.now, evening.match.turn)["received"] is not None


def test_with_a_real_deck_the_gift_need_not_be_named(sit):
    evening = sit(TIJOU, mode="real")
    dealt(evening)
    for seat in "abcd":
        evening.tell(events.Gave(seat=seat))
    assert evening.match.phase == "turn"
    assert evening.match.hand("a").blanks == 5


def test_tijou_goes_to_the_right_and_tops_up(sit):
    evening = sit(TIJOU)
    dealt(evening, "c")
    for seat in "abcd":
        evening.tell(events.Gave(seat=seat, card=evening.match.hand(seat).cards[0]))
    assert evening.match.order == ("a", "d", "c", "b")
    assert evening.match.turn == "b"
    while evening.match.phase == "turn":
        seat = evening.match.turn
        if len(evening.match.hand(seat)) == 2:
            evening.tell(events.Passed(seat=seat))  # kept for the next deal
        else:
            hold_out(evening)
    kept = {seat: set(hand.cards) for seat, hand in evening.match.hands}
    assert {len(cards) for cards in kept.values()} == {2}
    assert evening.match.dealer == "b"
    evening.tell(events.Dealt(seat="b"))
    for seat, hand in evening.match.hands:
        assert len(hand) == 5
        assert kept[seat] <= set(hand.cards)


def test_five_cards_left_is_too_few_for_a_deal_so_all_is_shuffled(sit):
    evening = sit("tijou | a: | c:")
    dealt(evening)
    match = evening.match
    low = match.but(
        phase="turn",
        hands=tuple((seat, replace(hand, cards=())) for seat, hand in match.hands),
        pile=replace(match.pile, cards=match.game.deck[:5], discards=match.game.deck[5:]),
    )
    evening.now = evening.now.but(match=low.but(turn="a", out=("a", "c")))
    from referee.match import end_turn

    assert end_turn(evening.match).phase == "shuffle"


def test_guests_sit_at_the_right_of_whose_cells_they_share(sit):
    line = "tijou teams=a,c+b,d+e,f shares=e,a+f,c | a: | b: | c: | d: | e: | f:"
    assert "".join(sit(line).match.order) == "aedcfb"
