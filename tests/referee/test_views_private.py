"""What a seat may not know is in nothing it is shown, whatever happens on an evening.

Over whole games the cards that a seat cannot see are dealt differently among the others and the
pile; nothing that seat, the big screen or the host is shown may change by it.
"""

from __future__ import annotations

import random
from collections.abc import Collection
from functools import cache

import pytest

from referee import events
from referee.match import Match, NotNowError
from referee.table import Table
from referee.umpire import step
from referee.views import host_view, public, seat_view
from web.bench.clumsy import Evening
from web.bench.evenings import SPECS

EVENINGS = [
    spec
    for spec in dict.fromkeys(SPECS)
    if spec.mode in ("phone", "declared")
    and spec.label in ("tijou 4+", "tockcitan-team 4+", "tock-fadoq 4+", "tock-globe 4")
    and spec.board != "tock8"
]
LONG = 260  # events of an evening that are looked at


@cache
def begun(spec):
    """The events with which an evening begins."""
    evening = Evening(spec, 3)
    evening.play()
    return evening.events[:LONG]


def passed(spec):
    """The tables of an evening, each with the event that comes next."""
    table: Table | None = None
    for event in begun(spec):
        if table is not None:
            yield table, event
        table, _ = step(table, event)


def dealt_anew(
    match: Match,
    kept: set[str],
    chance: random.Random,
    pile: bool,
    named: Collection[str] = (),
) -> Match:
    """The same match with the cards outside some hands, and the open ones, dealt differently."""
    held = dict(match.hands)
    seen = set(match.pile.discards) | {card for seat in kept for card in held[seat].cards}
    seen |= {match.card, *named}
    if not pile:
        seen |= set(match.pile.cards)
    hidden = [card for card in match.game.deck if card not in seen]
    chance.shuffle(hidden)
    hands = {}
    for seat, hand in held.items():
        if seat in kept:
            hands[seat] = hand
            continue
        own = [card for card in hand.cards if card == match.card]
        own += [hidden.pop() for _ in range(len(hand.cards) - len(own))]
        hands[seat] = hand.but(cards=tuple(own))
    gifts = tuple(
        (seat, card if seat in kept or not card else hands[seat].cards[0])
        for seat, card in match.gifts
    )
    drawn_next = tuple(hidden[: len(match.pile.cards)]) if pile else match.pile.cards
    left = match.pile.but(cards=drawn_next)
    return match.but(hands=tuple(hands.items()), gifts=gifts, pile=left)


def shown(table: Table, seat: str, *, lights: bool = True):
    views = [seat_view(table, seat), public(table), host_view(table)]
    if not lights:
        for view in views:
            view.pop("lights")
    return views


@pytest.mark.parametrize("spec", EVENINGS, ids=lambda spec: f"{spec.label} {spec.mode}")
def test_nothing_shown_hangs_on_what_a_seat_cannot_see(spec):
    chance = random.Random(7)
    looked = 0
    for n, (table, _) in enumerate(passed(spec)):
        match = table.match
        if n % 5 or not any(len(hand.cards) for _, hand in match.hands):
            continue
        seat = chance.choice(match.order)
        other = table.but(match=dealt_anew(match, {seat}, chance, pile=True))
        # which plays are legal as a last resort tells of the mover's hand by its nature
        legal = match.setup.chosen.get("cross") != "last_resort" or match.phase != "move"
        assert shown(other, seat, lights=legal) == shown(table, seat, lights=legal)
        looked += other.match.hands != match.hands
    assert looked > 10


@pytest.mark.parametrize("spec", EVENINGS, ids=lambda spec: f"{spec.label} {spec.mode}")
def test_no_event_tells_a_seat_what_the_others_hold(spec):
    chance = random.Random(8)
    looked = 0
    for n, (table, event) in enumerate(passed(spec)):
        match = table.match
        who = getattr(event, "seat", "")
        if n % 3 or not match.turn or who not in ("", match.turn):
            continue
        seat = chance.choice([one for one in match.order if one != match.turn])
        named = {getattr(event, "card", ""), *getattr(event, "cards", ())}  # those the mover holds
        early = isinstance(event, events.Seen) and match.phase in ("turn", "extra")
        kept = {seat} if early else {seat, match.turn}  # until a card is named not the mover's
        changed = dealt_anew(match, kept, chance, pile=False, named=named)
        other = table.but(match=changed)
        after, said = told(table, event)
        after2, said2 = told(other, event)
        assert said2 == said
        assert shown(after2, seat) == shown(after, seat)
        looked += changed.hands != match.hands
    assert looked > 5


def told(table, event):
    """What an event does; where the deck is counted a card may be impossible for one only."""
    try:
        return step(table, event)
    except NotNowError as error:
        return table, str(error)


def test_no_card_of_another_seat_is_written_in_a_view():
    for table, _ in passed(EVENINGS[0]):
        for seat in table.match.order:
            view = seat_view(table, seat) | {
                "discards": [],
                "card": "",
                "last": None,
                "notices": [],
            }
            view |= {"question": None, "gift": None, "plays": [], "cases": [], "options": {}}
            mine = set(table.match.hand(seat).cards)
            for other in table.match.order:
                for card in set(table.match.hand(other).cards) - mine:
                    assert f"'{card}'" not in str(view)


@pytest.mark.parametrize("mode", ["phone", "declared"])
def test_a_move_before_its_card_tells_the_others_nothing_of_the_movers_hand(sit, mode):
    """All see the same of a board that changed before a card was named, whatever the hand."""
    other = "2D 3D 4D 5D 6D"
    hands = ("3S QS 9S 10S 8S", "2S QS 9S 10S 8S", "AH 2H 4H 5H 7H")
    boards = (["a:a1>a4"], ["a:a1>"], ["a:a1>a3", "a:a9>"], ["c:b10>b15"], ["a:a1>camp"])
    for moved in boards:
        seen = []
        for hand in hands:
            cards = {"a": hand, "c": other}
            evening = sit("tock-globe | a: a1 a9 | c: b10", turn="a", hands=cards, mode=mode)
            if mode == "declared":
                evening.tell(events.Declared(seat="a", cards=tuple(hand.split())))
            evening.shows(*moved)
            said = [one for one in evening.said if one.to in ("", "c")]
            seen.append((said, seat_view(evening.now, "c"), host_view(evening.now)))
        assert seen[0] == seen[1] == seen[2], moved


def test_only_the_asked_seat_sees_which_of_its_cards_would_fit(sit):
    line = "tock-globe | a: a1 a9 | c: b10"
    for hand, fits in (("3S QS 9S 10S 8S", ["3S", ""]), ("2S QS 9S 10S 8S", [""])):
        evening = sit(line, turn="a", hands={"a": hand})
        evening.shows("a:a1>a4")
        assert public(evening.now)["stage"] == "asking"
        assert [one["card"] for one in seat_view(evening.now, "a")["question"]["choices"]] == fits
        number = evening.now.question.number
        evening.tell(events.Answered(seat="a", question=number, choice=len(fits) - 1))
        assert evening.kinds == ["moved-between"]  # from the answer, not from the hand
