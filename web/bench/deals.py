"""What a clumsy evening does between plays: lots, shuffles, deals, exchanges, other seats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee import events
from referee.match import most_to_deal
from web.bench.evenings import seated
from web.bench.pretended import Wood

if TYPE_CHECKING:
    from web.bench.clumsy import Evening


def next_of(evening: Evening) -> None:
    """Whatever comes next where nobody is to play."""
    match, phase = evening.match, evening.match.phase
    if phase == "lots":
        evening.must(events.Lots(seat=evening.rng.choice(match.order)))
    elif phase == "shuffle":
        shuffle(evening)
    elif phase == "deal":
        size = 0
        if match.flow.chooses_deal and match.deals:
            size = evening.rng.randint(1, most_to_deal(match))
        evening.must(events.Dealt(seat=match.dealer, size=size))
    elif phase == "exchange":
        exchange(evening)
    elif phase == "seats":
        evening.finished()
        evening.must(seated(evening.spec, match.persons, evening.rng))
        evening.wood = Wood(evening.match.setup)
        evening.deck = evening.new_deck()
        evening.set_up()


def shuffle(evening: Evening) -> None:
    if not evening.match.phone_deck:
        evening.deck.shuffle(evening.rng)
        evening.must(events.Shuffled())
        return
    cards = list(evening.match.pile.cards + evening.match.pile.discards)
    evening.rng.shuffle(cards)
    evening.must(events.Shuffled(cards=tuple(cards)))


def exchange(evening: Evening) -> None:
    waiting = [s for s in evening.match.order if evening.match.setup.mates(s)]
    declare(evening, waiting)
    gifts = {seat: evening.rng.choice(evening.hand(seat)) for seat in waiting}
    for seat in waiting:
        named = gifts[seat] if evening.match.mode != "real" else ""
        evening.must(events.Gave(seat=seat, card=named))
    for seat in waiting:
        (mate,) = evening.match.setup.mates(seat)
        if seat < mate and not evening.match.phone_deck:
            evening.deck.swap(seat, gifts[seat], mate, gifts[mate])


def declare(evening: Evening, seats: list[str]) -> None:
    for seat in seats:
        if evening.match.mode == "declared" and not evening.match.hand(seat).known:
            evening.must(events.Declared(seat=seat, cards=evening.hand(seat)))
