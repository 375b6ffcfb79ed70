"""What surrounds a play: deals, hands, exchanges, turns, teams, points.

A match is a frozen value; `apply` gives the next one for an event, or says why not. It knows
no board pictures: whether what stands is what was played is the umpire's business.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

from referee import cards, events
from referee.deck import Hand, Pile
from referee.events import Event
from referee.flow import Flow, order
from referee.game import Game, Judged, Position, Setup, chosen_options
from referee.games import game as game_named
from referee.plays import Play, RefereeError, Refusal, refuse

Phase = Literal["lots", "shuffle", "deal", "exchange", "turn", "move", "extra", "seats", "over"]
MODES = ("real", "declared", "phone")
NOBODY = ""


class NotNowError(RefereeError):
    """An event that does not fit; `refusal` is the rule it would break, if a rule it is."""

    def __init__(self, message: str, refusal: Refusal | None = None) -> None:
        super().__init__(message)
        self.refusal = refusal


@dataclass(frozen=True)
class Match:
    setup: Setup
    mode: str
    position: Position
    persons: tuple[tuple[str, str], ...]
    phase: Phase = "lots"
    turn: str = NOBODY
    dealer: str = NOBODY
    card: str = ""  # announced, or the throw
    hands: tuple[tuple[str, Hand], ...] = ()
    pile: Pile = field(default_factory=Pile)
    owed: tuple[tuple[str, int], ...] = ()  # draws that wait for a shuffle
    after_draw: str = ""  # what the shuffle is for: "deal", "turn" or "settle"
    gifts: tuple[tuple[str, str], ...] = ()
    given: tuple[str, ...] = ()  # who has committed a gift
    out: tuple[str, ...] = ()  # who plays no more until the next deal
    banked: tuple[tuple[str, int], ...] = ()  # extra plays kept for later
    extra: bool = False  # the play under way is an extra one
    extra_used: bool = False  # one has been used in this turn
    deals: int = 0
    turns: int = 0
    points: tuple[tuple[str, int], ...] = ()
    games_done: int = 0
    winners: tuple[str, ...] = ()
    drawn_game: bool = False
    seen_before: tuple[tuple[Any, int], ...] = ()  # positions of Trikolos and how often
    last: Play | None = None
    last_seat: str = NOBODY
    revealed: bool = False  # cards have been seen since the play that undo would take back

    @property
    def game(self) -> Game:
        return game_named(self.setup.game)

    @property
    def flow(self) -> Flow:
        return self.game.flow

    @cached_property
    def order(self) -> tuple[str, ...]:
        return order(self.setup, self.flow)

    def hand(self, seat: str) -> Hand:
        return dict(self.hands).get(seat, Hand())

    def bank(self, seat: str) -> int:
        return dict(self.banked).get(seat, 0)

    def person(self, seat: str) -> str:
        return dict(self.persons).get(seat, seat)

    def next_seat(self, seat: str) -> str:
        return self.order[(self.order.index(seat) + 1) % len(self.order)]

    @property
    def phone_deck(self) -> bool:
        return self.mode == "phone" and bool(self.game.deck)

    @cached_property
    def known_hand(self) -> tuple[str, ...] | None:
        """The hand of whose turn it is, if all of it is known."""
        hand = self.hand(self.turn)
        return hand.cards if self.game.deck and hand.known else None

    @cached_property
    def judged(self) -> Judged:
        """The plays of the announced card, or throw; without one, of the known hand."""
        if self.phase not in ("turn", "move", "extra"):
            return Judged([], None)
        hand = self.known_hand
        if self.game.die:
            if not self.card:
                return Judged([], None)
            return self.game.judge(self.setup, self.position, self.turn, [self.card], self.card)
        if not self.game.deck:
            return self.game.judge(self.setup, self.position, self.turn, [""], None)
        if hand is None:
            asked = [self.card] if self.card else []
            if not asked:
                return Judged([], None)
            return self.game.judge(self.setup, self.position, self.turn, asked, self.card)
        return self.game.judge(self.setup, self.position, self.turn, hand, self.card or None)

    def judged_card(self, seat: str, card: str) -> Judged:
        """What a card would allow a seat, with what is known of the hand."""
        hand = self.hand(seat)
        held = hand.cards if hand.known and card in hand.cards else (card,)
        return self.game.judge(self.setup, self.position, seat, held, card)


def opened(event: events.Opened) -> Match:
    """A match as it begins."""
    game = game_named(event.game)
    if event.mode not in MODES:
        raise RefereeError(f'cards are "real", "declared" or "phone", not {event.mode!r}')
    if event.board not in game.boards:
        raise RefereeError(f"{game.name} is played on {', '.join(game.boards)}")
    setup = Setup(
        game.name,
        event.board,
        event.seats,
        event.house_entry,
        event.teams,
        chosen_options(game, dict(event.options)),
        event.shares,
    )
    if len(set(event.seats)) < max(2, len(event.seats)):
        raise RefereeError("at least two seats play, each once")
    for seat in event.seats:
        if seat not in game.seats:
            raise RefereeError(f"no seat {seat!r} in {game.name}")
    game.check(setup)
    persons = tuple((seat, dict(event.persons).get(seat, seat)) for seat in event.seats)
    match = Match(
        setup,
        event.mode,
        game.start(setup),
        persons,
        points=tuple((person, 0) for _, person in persons),
    )
    if event.tiles:
        form = game.write(setup, match.position)
        form |= {"tiles": list(event.tiles[:-1]), "spare": event.tiles[-1]}
        match = replace(match, position=game.read(setup, form))
    return fresh_deck(match) if game.flow.begins_by != "first seat" else begun(match)


def begun(match: Match) -> Match:
    """A game nobody draws lots for: the first seat begins."""
    return repeated(turn_of(match, match.order[0]), match.order[0])


def fresh_deck(match: Match) -> Match:
    deck = match.game.deck
    pile = Pile(discards=deck) if match.phone_deck else Pile(hidden=len(deck))
    hands = tuple((seat, Hand()) for seat in match.setup.seats) if deck else ()
    return replace(match, phase="lots", pile=pile, hands=hands)


def apply(match: Match, event: Event) -> Match:
    """The match after an event; NotNowError when it does not fit."""
    handler = HANDLERS.get(type(event))
    if handler is None:
        raise NotNowError(f'"{event.kind}" is not for the match')
    return handler(match, event)


# lots, deals, exchanges


def on_lots(match: Match, event: events.Lots) -> Match:
    need(match.phase == "lots", "lots are drawn before the first deal")
    need(event.seat in match.setup.seats, f"seat {event.seat!r} does not play")
    how, throw = match.flow.begins_by, ""
    if event.drawn:
        values = {seat: lot_value(how, value) for seat, value in event.drawn}
        best = min(values.values()) if how == "lowest card" else max(values.values())
        winners = [seat for seat, value in values.items() if value == best]
        need(set(values) <= set(match.setup.seats), "somebody drew who does not play")
        need(winners == [event.seat] or how == "lot", "these lots do not decide; ties draw again")
        throw = dict(event.drawn)[event.seat] if how == "highest throw" else ""
    if how == "highest throw":
        begins = turn_of(match, event.seat)
        return replace(begins, card=throw, phase="move") if throw else begins
    return to_deal(replace(match, dealer=event.seat))


def lot_value(how: str, value: str) -> int:
    if how == "highest throw":
        need(value in tuple("123456"), f"a die shows 1 to 6, not {value}")
        return int(value)
    rank = cards.rank(value)
    return len(cards.RANKS) if rank == cards.JOKER else cards.RANKS.index(rank)


def deal_size(match: Match, size: int) -> dict[str, int]:
    """How many cards each seat gets in a deal."""
    flow = match.flow
    wanted = size or flow.hand
    if flow.tops_up:
        return {seat: wanted - len(match.hand(seat)) for seat in match.order}
    return {
        seat: wanted + (flow.dealer_more if seat == match.dealer else 0) for seat in match.order
    }


def most_to_deal(match: Match) -> int:
    """The largest deal the pile still allows."""
    return min(match.flow.hand, len(match.pile) // len(match.order))


def to_deal(match: Match) -> Match:
    """On to the next deal: of what is left, or after a shuffle when that is too little."""
    if match.flow.chooses_deal:
        enough = most_to_deal(match) >= 1
    else:
        enough = len(match.pile) >= sum(deal_size(match, 0).values())
    return replace(match, phase="deal" if enough else "shuffle", after_draw="deal", turn=NOBODY)


def on_shuffled(match: Match, event: events.Shuffled) -> Match:
    need(match.phase == "shuffle", "nothing is to be shuffled now")
    need(
        bool(event.cards) == match.phone_deck,
        "the phones' deck is shuffled by name, a real one not",
    )
    shuffled = replace(match, pile=match.pile.shuffled(event.cards))
    if match.after_draw == "deal":
        return replace(shuffled, phase="deal")
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
    dealt = replace(match, deals=match.deals + 1, out=(), revealed=True)
    for seat in match.order[first:] + match.order[:first]:
        for _ in range(sizes[seat]):
            dealt = draw_one(dealt, seat)
    mates = [seat for seat in dealt.order if dealt.setup.mates(seat)]
    if flow.exchanges and mates:
        return replace(dealt, phase="exchange", gifts=(), given=())
    return first_turn(dealt)


def first_turn(match: Match) -> Match:
    begins = match.dealer if match.flow.dealer_begins else match.next_seat(match.dealer)
    draws = match.flow.draws == "before" and match.deals > 1
    return turn_of(match, playing_from(match, begins), draws=draws)


def draw_one(match: Match, seat: str) -> Match:
    card, pile = match.pile.top()
    return with_hand(replace(match, pile=pile), seat, match.hand(seat).with_card(card))


def with_hand(match: Match, seat: str, hand: Hand) -> Match:
    return replace(
        match, hands=tuple((one, hand if one == seat else held) for one, held in match.hands)
    )


def on_declared(match: Match, event: events.Declared) -> Match:
    need(match.mode == "declared", "hands are not declared at this table")
    for card in event.cards:
        refuse_elsewhere(match, event.seat, card)
    return with_hand(match, event.seat, match.hand(event.seat).declared(event.cards))


def refuse_elsewhere(match: Match, seat: str, card: str) -> None:
    """The deck is counted: a card is in one place only."""
    need(card in match.game.deck, f"{match.game.name} is played without {card}")
    where = "discards" if card in match.pile.discards else ""
    for other, hand in match.hands:
        if other != seat and card in hand.cards:
            where = "hand"
    if where:
        raise NotNowError(f"{card} is elsewhere", refuse("DECK", card=card, where=where))


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
    given = replace(
        match,
        given=(*match.given, event.seat),
        gifts=(*match.gifts, (event.seat, event.card)),
    )
    gifts = dict(given.gifts)
    if mates[0] in gifts:  # both have chosen: now each looks
        pair = (event.seat, mates[0])
        for one in pair:
            given = with_hand(given, one, without_gift(given.hand(one), gifts[one]))
        for one, other in (pair, pair[::-1]):
            given = with_hand(given, one, given.hand(one).with_card(gifts[other]))
    waiting = [s for s in given.order if given.setup.mates(s) and s not in given.given]
    return given if waiting else first_turn(replace(given, gifts=(), given=()))


def without_gift(hand: Hand, card: str) -> Hand:
    """An unnamed gift from a hand that is known makes a blank of every card in it."""
    if card or hand.blanks:
        return hand.without(card)
    return Hand((), len(hand) - 1)


# turns


def turn_of(match: Match, seat: str, *, draws: bool = False) -> Match:
    """It is a seat's turn, a card drawn first where that is the way."""
    phase: Phase = "move" if not match.game.deck and not match.game.die else "turn"
    turned = replace(
        match,
        turn=seat,
        phase=phase,
        card="",
        extra=False,
        extra_used=False,
        turns=match.turns + 1,
    )
    if draws:
        return drawing(replace(turned, owed=((seat, 1),)), "turn")
    return turned


def drawing(match: Match, then: str) -> Match:
    """Cards drawn as far as the pile goes; what lies open makes a new one."""
    while match.owed:
        (seat, many), *rest = match.owed
        if not len(match.pile) and not match.pile.lying:
            match = replace(match, owed=())
        elif len(match.pile):
            owed = ((seat, many - 1), *rest) if many > 1 else tuple(rest)
            match = draw_one(replace(match, owed=owed, revealed=True), seat)
        elif match.setup.chosen.get("recycle") == "turn":
            match = replace(match, pile=match.pile.turned(match.phone_deck))
        else:
            return replace(match, phase="shuffle", after_draw=then)
    return settled(match) if then == "settle" else replace(match, phase="turn")


def playing_from(match: Match, seat: str) -> str:
    """This seat or the next that still has cards to play."""
    if match.flow.draws != "never":
        return seat
    for _ in match.order:
        if seat not in match.out and len(match.hand(seat)):
            return seat
        seat = match.next_seat(seat)
    return NOBODY


def end_turn(match: Match) -> Match:
    """The next seat's turn; or, everybody out of cards, the next deal."""
    if not match.game.deck:
        return turn_of(match, match.next_seat(match.turn))
    seat = playing_from(match, match.next_seat(match.turn))
    if seat:
        return turn_of(match, seat, draws=match.flow.draws == "before")
    return to_deal(replace(match, dealer=match.next_seat(match.dealer)))


def on_announced(match: Match, event: events.Announced) -> Match:
    whose_turn(match, event.seat)
    need(
        match.phase in ("turn", "move", "extra") and bool(match.game.deck), "no card is played now"
    )
    hand = match.hand(event.seat)
    if not hand.may_hold(event.card):
        raise NotNowError(
            f"{event.card} is not in the hand", refuse("DECK", card=event.card, where="hand")
        )
    refuse_elsewhere(match, event.seat, event.card)
    extra = match.extra or match.phase == "extra"
    return replace(match, card=event.card, phase="move", extra=extra)


def on_withdrawn(match: Match, event: events.Withdrawn) -> Match:
    whose_turn(match, event.seat)
    need(
        match.phase == "move" and bool(match.card) and bool(match.game.deck), "nothing to take back"
    )
    return replace(match, card="", phase="extra" if match.extra else "turn", extra=False)


def on_thrown(match: Match, event: events.Thrown) -> Match:
    whose_turn(match, event.seat)
    need(match.game.die and match.phase == "turn", "the die is not thrown now")
    need(1 <= event.value <= 6, "a die shows 1 to 6")
    return replace(match, card=str(event.value), phase="move")


def played(match: Match, play: Play) -> Match:
    """The match after a legal play of whose turn it is."""
    seat = match.turn
    moved = replace(
        match,
        position=play.position,
        last=play,
        last_seat=seat,
        revealed=False,
    )
    if match.game.deck:
        moved = laid(moved, seat, (play.card or match.card,))
    moved = replace(moved, card="", phase="turn")
    winners = moved.game.winners(moved.setup, moved.position)
    if winners:
        return won(moved, winners)
    if not match.game.deck:
        if match.flow.draw_by_repetition:
            moved = repeated(moved, match.next_seat(seat))
        return end_turn(moved)
    return after_card(moved, again=play.again)


def laid(match: Match, seat: str, named: tuple[str, ...]) -> Match:
    """Cards leave a hand for the open discards."""
    hand = match.hand(seat)
    for card in named:
        hand = hand.without(card)
    return replace(with_hand(match, seat, hand), pile=match.pile.taking(named))


def after_card(match: Match, *, again: bool) -> Match:
    """Drawing, then the extra play a joker has earned, then the next seat."""
    seat, flow = match.turn, match.flow
    if match.extra:
        match = replace(match, extra=False, extra_used=True, banked=banked(match, seat, -1))
    if again and flow.extra_play:
        match = replace(match, banked=banked(match, seat, 1))
    owed = ((seat, 1),) if flow.draws == "after" else ()
    return drawing(replace(match, owed=owed), "settle")


def settled(match: Match) -> Match:
    """After drawing: an extra play if one is open and some card can be played, or the next turn."""
    bankable = match.setup.chosen.get("joker_bonus") == "bankable"
    open_now = match.bank(match.turn) > 0 and not (bankable and match.extra_used)
    if open_now and can_play(match):
        return replace(match, phase="extra")
    return end_turn(forfeited(match))


def can_play(match: Match) -> bool:
    """Whether some card can be played, as far as the hand is known."""
    hand = match.hand(match.turn)
    if not hand.known:
        return len(hand) > 0
    judged = match.game.judge(match.setup, match.position, match.turn, hand.cards, None)
    return bool(judged.plays)


def forfeited(match: Match) -> Match:
    """An extra play that must be used at once is lost with the turn."""
    if match.setup.chosen.get("joker_bonus") == "bankable":
        return match
    return replace(match, banked=())


def banked(match: Match, seat: str, more: int) -> tuple[tuple[str, int], ...]:
    counts = dict(match.banked)
    counts[seat] = counts.get(seat, 0) + more
    return tuple(sorted((one, count) for one, count in counts.items() if count))


def repeated(match: Match, seat: str) -> Match:
    """The position noted, with who is to play from it."""
    key = (match.position, seat)
    counts = dict(match.seen_before)
    counts[key] = counts.get(key, 0) + 1
    return replace(match, seen_before=tuple(counts.items()))


def on_discarded(match: Match, event: events.Discarded) -> Match:
    """Cards given up: one, or the whole hand; never while something can be played."""
    whose_turn(match, event.seat)
    need(match.phase in ("turn", "move") and not match.extra, "nothing is discarded now")
    how, hand = match.setup.chosen.get("no_play"), match.hand(event.seat)
    need(how is not None, "nothing is discarded in this game")
    many = len(hand) if how == "discard_hand" else 1
    need(len(event.cards) == many and len(hand) > 0, f"{many} cards are to be discarded")
    for card in event.cards:
        need(hand.may_hold(card), f"{card} is not in the hand")
        if card:
            refuse_elsewhere(match, event.seat, card)
    asked = hand.cards if hand.known else tuple(card for card in event.cards if card)
    if asked:
        judged = match.game.judge(match.setup, match.position, event.seat, asked, None)
        must_play(not judged.plays, "TOCK-MUST", event.seat)
    thrown = replace(laid(match, event.seat, event.cards), last=None, revealed=False, card="")
    draws = {"never": 0, "before": match.flow.hand if many > 1 else 0, "after": many}
    owed = ((event.seat, draws[match.flow.draws]),) if draws[match.flow.draws] else ()
    return drawing(replace(thrown, owed=owed, extra_used=True), "settle")


def on_put_down(match: Match, event: events.PutDown) -> Match:
    """A card that cannot be carried out is laid down all the same."""
    whose_turn(match, event.seat)
    need(match.flow.puts_down and match.phase in ("turn", "move"), "no card is put down now")
    need(match.hand(event.seat).may_hold(event.card), f"{event.card} is not in the hand")
    refuse_elsewhere(match, event.seat, event.card)
    judged = match.game.judge(match.setup, match.position, event.seat, (event.card,), event.card)
    must_play(not judged.plays, "TIJOU-MUST", event.seat)
    down = laid(match, event.seat, (event.card,))
    return end_turn(replace(down, card="", last=None, revealed=False))


def on_passed(match: Match, event: events.Passed) -> Match:
    whose_turn(match, event.seat)
    if match.phase == "extra":
        return end_turn(forfeited(match))
    if match.flow.keeps and match.phase == "turn":
        need(len(match.hand(event.seat)) <= match.flow.keeps, "too many cards left to pass")
        kept = replace(match, out=(*match.out, event.seat), revealed=False)
        return end_turn(replace(kept, last=None))
    need(match.game.die and match.phase == "move", "nobody passes now")
    must_play(not match.judged.plays, "BAR-MUST", event.seat)
    return end_turn(replace(match, last=None, revealed=False))


def on_claimed(match: Match, event: events.Claimed) -> Match:
    need(event.seat in match.setup.seats and match.phase == "move", "nothing to claim now")
    seen = dict(match.seen_before).get((match.position, match.turn), 0)
    need(match.flow.draw_by_repetition and seen >= 3, "the position has not stood three times")
    return replace(match, phase="over", drawn_game=True, turn=NOBODY)


def won(match: Match, winners: tuple[str, ...]) -> Match:
    """The game is over; points go to the persons, and another game may follow."""
    points = dict(match.points)
    for seat in winners:
        points[match.person(seat)] = points.get(match.person(seat), 0) + 1
    done = match.games_done + 1
    phase: Phase = "seats" if done < match.flow.games else "over"
    return replace(
        match,
        winners=winners,
        points=tuple(sorted(points.items())),
        games_done=done,
        phase=phase,
        turn=NOBODY,
    )


def on_seated(match: Match, event: events.Seated) -> Match:
    """The next game of a match, teams drawn anew."""
    need(match.phase == "seats", "seats are not drawn now")
    everybody = sorted(person for _, person in match.persons)
    need(sorted(person for _, person in event.persons) == everybody, "everybody keeps playing")
    setup = replace(
        match.setup,
        seats=tuple(seat for seat, _ in event.persons),
        teams=event.teams,
        shares=event.shares,
    )
    match.game.check(setup)
    again = Match(
        setup,
        match.mode,
        match.game.start(setup),
        event.persons,
        points=match.points,
        games_done=match.games_done,
    )
    return fresh_deck(again)


def taken_back(match: Match) -> Match:
    """A match as it stood before a play, the card back in the hand; a throw stays thrown."""
    if not match.game.deck:
        return match
    phase: Phase = "extra" if match.extra else "turn"
    return replace(match, card="", phase=phase, extra=False)


def whose_turn(match: Match, seat: str) -> None:
    if seat != match.turn:
        raise NotNowError(f"it is not the turn of seat {seat}", refuse("TURN", seat=seat))


def must_play(holds: bool, rule: str, seat: str) -> None:
    if not holds:
        raise NotNowError("something can be played", refuse(rule, seat=seat))


def need(holds: bool, message: str) -> None:
    if not holds:
        raise NotNowError(message)


HANDLERS: dict[type[Event], Callable[[Match, Any], Match]] = {
    events.Lots: on_lots,
    events.Shuffled: on_shuffled,
    events.Dealt: on_dealt,
    events.Declared: on_declared,
    events.Gave: on_gave,
    events.Announced: on_announced,
    events.Withdrawn: on_withdrawn,
    events.Thrown: on_thrown,
    events.Discarded: on_discarded,
    events.PutDown: on_put_down,
    events.Passed: on_passed,
    events.Claimed: on_claimed,
    events.Seated: on_seated,
}
