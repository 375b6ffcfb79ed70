"""Lots, shuffles, deals, declared hands and the exchange between partners."""

from __future__ import annotations

from referee import cards, events
from referee.fate import Fate
from referee.match import (
    Match,
    deal_size,
    draw_one,
    drawing,
    most_to_deal,
    need,
    playing_from,
    refuse_elsewhere,
    to_deal,
    turn_of,
    with_hand,
)


def on_lots(match: Match, event: events.Lots) -> Match:
    need(match.phase == "lots", "lots are drawn before the first deal")
    need(event.seat in match.setup.seats, f"seat {event.seat!r} does not play")
    how, throw = match.flow.begins_by, ""
    if event.drawn:
        lots = [value for _, value in event.drawn]
        values = {seat: lot_value(match, how, value) for seat, value in event.drawn}
        best = min(values.values()) if how == "lowest card" else max(values.values())
        winners = [seat for seat, value in values.items() if value == best]
        need(set(values) <= set(match.setup.seats), "somebody drew who does not play")
        need(1 < len(values) == len(lots), "everybody draws once: two or more, nobody twice")
        need(not match.game.deck or len(set(lots)) == len(lots), "one card was drawn twice")
        need(winners == [event.seat] or how == "lot", "these lots do not decide; ties draw again")
        throw = dict(event.drawn)[event.seat] if how == "highest throw" else ""
    if how == "highest throw":
        begins = turn_of(match, event.seat)
        return begins.but(card=throw, phase="move") if throw else begins
    return to_deal(match.but(dealer=event.seat))


def lot_value(match: Match, how: str, value: str) -> int:
    if how == "highest throw":
        need(value in tuple("123456"), f"a die shows 1 to 6, not {value}")
        return int(value)
    need(value in match.game.deck, f"{match.game.name} is played without {value or 'that card'}")
    rank = cards.rank(value)
    return len(cards.RANKS) if rank == cards.JOKER else cards.RANKS.index(rank)


def on_shuffled(match: Match, event: events.Shuffled) -> Match:
    need(match.phase == "shuffle", "nothing is to be shuffled now")
    need(
        bool(event.cards) == match.phone_deck,
        "the phones' deck is shuffled by name, a real one not",
    )
    pile = match.pile.shuffled(event.cards)
    pile = pile.but(cards=match.decided.pile_of(pile.cards))
    chanced = match.chanced.and_then(Fate(mixed=(pile.cards,)))
    shuffled = match.but(pile=pile, chanced=chanced, decided=match.decided.shuffled())
    if match.after_draw == "deal":
        return shuffled.but(phase="deal")
    return drawing(shuffled, match.after_draw)


def on_dealt(match: Match, event: events.Dealt) -> Match:
    need(match.phase == "deal", "it is not time to deal")
    need(event.seat in ("", match.dealer), f"{match.dealer} deals")
    flow, size = match.flow, event.size
    if flow.chooses_deal:
        size = size or most_to_deal(match)
        need(1 <= size <= most_to_deal(match), f"a deal of 1 to {most_to_deal(match)} cards")
        need(match.deals > 0 or size == flow.hand, f"the first deal is of {flow.hand} cards")
    else:
        need(size in (0, flow.hand), f"{flow.hand} cards are dealt")
    first = match.order.index(match.next_seat(match.dealer))
    sizes = deal_size(match, size)
    dealt = match.but(deals=match.deals + 1, out=(), revealed=True)
    for seat in match.order[first:] + match.order[:first]:
        for _ in range(sizes[seat]):
            dealt = draw_one(dealt, seat)
    mates = [seat for seat in dealt.order if dealt.setup.mates(seat)]
    if flow.exchanges and mates:
        return dealt.but(phase="exchange", gifts=(), given=(), received=())
    return first_turn(dealt)


def first_turn(match: Match) -> Match:
    begins = match.dealer if match.flow.dealer_begins else match.next_seat(match.dealer)
    draws = match.flow.draws == "before" and match.deals > 1
    return turn_of(match, playing_from(match, begins), draws=draws)


def on_declared(match: Match, event: events.Declared) -> Match:
    need(match.mode == "declared", "hands are not declared at this table")
    need(event.seat in match.setup.seats, f"seat {event.seat!r} does not play")
    refuse_elsewhere(match, event.seat, *event.cards)
    return with_hand(match, event.seat, match.hand(event.seat).declared(event.cards))


def on_gave(match: Match, event: events.Gave) -> Match:
    need(match.phase == "exchange", "no cards are exchanged now")
    mates = match.setup.mates(event.seat)
    need(bool(mates), f"seat {event.seat} has no partner")
    need(event.seat not in match.given, "the card to give is chosen already")
    hand = match.hand(event.seat)
    need(bool(event.card) or match.mode != "phone", "which card?")
    if event.card:
        need(hand.may_hold(event.card), f"{event.card} is not in the hand")
        refuse_elsewhere(match, event.seat, event.card)
    given = match.but(
        given=(*match.given, event.seat),
        gifts=(*match.gifts, (event.seat, event.card)),
    )
    gifts = dict(given.gifts)
    if mates[0] in gifts:  # both have chosen: now each looks
        pair = (event.seat, mates[0])
        for one in pair:
            given = with_hand(given, one, given.hand(one).without(gifts[one]))
        for one, other in (pair, pair[::-1]):
            given = with_hand(given, one, given.hand(one).with_card(gifts[other]))
            given = given.but(received=(*given.received, (one, gifts[other])))
    waiting = [s for s in given.order if given.setup.mates(s) and s not in given.given]
    return given if waiting else first_turn(given.but(gifts=(), given=()))
