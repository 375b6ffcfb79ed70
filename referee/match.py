"""What surrounds a play: deals, hands, exchanges, turns, teams, points.

A match is a frozen value; `apply` gives the next one for an event, or says why not. It knows
no board pictures: whether what stands is what was played is the umpire's business.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from typing import Any, Literal, NamedTuple

from referee import cards
from referee.deck import Hand, Pile
from referee.fate import Fate
from referee.flow import Flow, order
from referee.game import Game, Judged, Position, Setup, Sight
from referee.games import game as game_named
from referee.plays import Play, RefereeError, Refusal, refuse
from referee.value import Value

GAME = cache(game_named)  # asked for many times a step

Phase = Literal["lots", "shuffle", "deal", "exchange", "turn", "move", "extra", "seats", "over"]
MODES = ("real", "declared", "phone")
NOBODY = ""
NO_CARDS = Hand()


class NotNowError(RefereeError):
    """An event that does not fit; `refusal` is the rule it would break, if a rule it is."""

    def __init__(self, message: str, refusal: Refusal | None = None) -> None:
        super().__init__(message)
        self.refusal = refusal


class Touch(NamedTuple):
    """A play with the pieces it moves and the cells it moves them from, over and to."""

    play: Play
    pieces: frozenset[str]
    cells: frozenset[str]


@dataclass(frozen=True)
class Match(Value):
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
    received: tuple[tuple[str, str], ...] = ()  # what came in the exchange, until one plays
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
    chanced: Fate = field(default_factory=Fate)  # what chance has decided in this game
    decided: Fate = field(default_factory=Fate)  # and what it has, in plays taken back, for later
    revealed: bool = False  # cards, or a throw, seen since the play that undo would take back

    @property
    def game(self) -> Game:
        return GAME(self.setup.game)

    @property
    def flow(self) -> Flow:
        return flow_of(self.setup)

    @property
    def order(self) -> tuple[str, ...]:
        return order_of(self.setup)

    @property
    def champions(self) -> tuple[str, ...]:
        """Who has won a match that was played to its end: most points, ties are shared."""
        if self.phase != "over" or self.games_done < self.flow.games:
            return ()
        points, most = dict(self.points), max(n for _, n in self.points)
        return tuple(seat for seat in self.setup.seats if points[self.person(seat)] == most)

    def hand(self, seat: str) -> Hand:
        for one, held in self.hands:
            if one == seat:
                return held
        return NO_CARDS

    def bank(self, seat: str) -> int:
        return dict(self.banked).get(seat, 0)

    def person(self, seat: str) -> str:
        return dict(self.persons).get(seat, seat)

    def next_seat(self, seat: str) -> str:
        order = self.order
        return order[(order.index(seat) + 1) % len(order)]

    @property
    def phone_deck(self) -> bool:
        return self.mode == "phone" and bool(self.game.deck)

    @cached_property
    def known_hand(self) -> tuple[str, ...] | None:
        """The hand of whose turn it is, if all of it is known."""
        hand = self.hand(self.turn)
        return hand.cards if self.game.deck and hand.known else None

    @property
    def on_honour(self) -> tuple[str, ...]:
        """What nobody can judge while hands are not known: taken on the players' honour."""
        if not self.game.deck or self.mode == "phone":
            return ()
        if self.mode == "declared" and all(hand.known for _, hand in self.hands):
            return ()
        named = {
            "honour.must-play": self.flow.stuck != "",
            "honour.cross": self.flow.last_resort,
            "honour.exchange": self.flow.exchanges and bool(self.setup.teams),
        }
        return tuple(key for key, holds in named.items() if holds)

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

    @cached_property
    def sight(self) -> Sight:
        """The board as it should stand."""
        return self.game.sight(self.setup, self.position)

    @cached_property
    def lookup(self) -> dict[Hashable, tuple[Play, ...]]:
        """The board that would be seen, to the plays that leave it."""
        found: dict[Hashable, list[Play]] = {}
        for play in self.judged.plays:
            found.setdefault(self.game.seen(play.position), []).append(play)
        return {key: tuple(plays) for key, plays in found.items()}

    @cached_property
    def jumping(self) -> tuple[Touch, ...]:
        """The plays with a stop on the way, from which a hand may still go on."""
        found = []
        for play in self.judged.plays:
            way = play.way
            while way is not None:
                way, parts = way
                if any(len(part.path) > 2 for part in parts):
                    found.append(touched(play))
                    break
        return tuple(found)

    @cached_property
    def possible(self) -> tuple[Play, ...]:
        """What any card that may still be in a hand would allow: known to all, whoever holds it."""
        ranks = {cards.rank(one): one for one in self.game.deck if one not in self.pile.discards}
        return tuple(
            play
            for card in ranks.values()
            for play in self.game.judge(self.setup, self.position, self.turn, [card], card).plays
        )

    @cached_property
    def touches(self) -> tuple[Touch, ...]:
        """The plays that hands may be in the middle of; before a card is named, of every card."""
        if self.phase == "move":
            return tuple(touched(play) for play in self.judged.plays)
        if self.phase in ("turn", "extra") and self.game.deck:
            return tuple(touched(play) for play in self.possible)
        return ()

    def judged_card(self, seat: str, card: str) -> Judged:
        """What a card would allow a seat, with what is known of the hand."""
        hand = self.hand(seat)
        held = hand.cards if hand.known and card in hand.cards else (card,)
        return self.game.judge(self.setup, self.position, seat, held, card)


def touched(play: Play) -> Touch:
    pieces, cells = set[str](), set[str]()
    for part in play.parts:
        pieces |= {part.piece, part.swap}
        cells.update(part.path)
        cells.update([cell for _, cell in part.takes])
    return Touch(play, frozenset(pieces), frozenset(cells))


@lru_cache(maxsize=64)
def order_of(setup: Setup) -> tuple[str, ...]:
    return order(setup, flow_of(setup))


@lru_cache(maxsize=64)
def flow_of(setup: Setup) -> Flow:
    return game_named(setup.game).flow_of(setup)


def fresh_deck(match: Match) -> Match:
    deck = match.game.deck
    pile = Pile(discards=deck) if match.phone_deck else Pile(hidden=len(deck))
    hands = tuple((seat, Hand()) for seat in match.setup.seats) if deck else ()
    return match.but(phase="lots", pile=pile, hands=hands)


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
    return match.but(phase="deal" if enough else "shuffle", after_draw="deal", turn=NOBODY)


def draw_one(match: Match, seat: str, owed: tuple[tuple[str, int], ...] = ()) -> Match:
    """A card from the pile into a hand: the next, or the one drawn before it was taken back."""
    named = match.decided.card_for(seat, match.pile.cards) if match.pile.cards else ""
    card, pile = match.pile.drawing(named)
    changes: dict[str, Any] = {}
    if card:
        changes["chanced"] = match.chanced.but(drawn=(*match.chanced.drawn, (seat, card)))
        changes["decided"] = match.decided.without_card(seat, card)
    hands = hands_with(match, seat, match.hand(seat).with_card(card))
    return match.but(pile=pile, hands=hands, owed=owed, revealed=True, **changes)


def hands_with(match: Match, seat: str, hand: Hand) -> tuple[tuple[str, Hand], ...]:
    return tuple([(one, hand if one == seat else held) for one, held in match.hands])


def with_hand(match: Match, seat: str, hand: Hand) -> Match:
    return match.but(hands=hands_with(match, seat, hand))


def refuse_elsewhere(match: Match, seat: str, *named: str) -> None:
    """The deck is counted: a card is in one place only."""
    for n, card in enumerate(named):
        need(card in match.game.deck, f"{match.game.name} is played without {card}")
        held = any(other != seat and card in hand.cards for other, hand in match.hands)
        lies_out = card == match.card and seat != match.turn
        given = any(other != seat and card == gift for other, gift in match.gifts)
        if held or lies_out or given or card in match.pile.discards or card in named[:n]:
            # that a card is in a hand may be known to the referee; nobody is told in which
            where = "discards" if card in match.pile.discards else "elsewhere"
            raise NotNowError(f"{card} is elsewhere", refuse("DECK", card=card, where=where))


def turn_of(match: Match, seat: str, *, draws: bool = False) -> Match:
    """It is a seat's turn, a card drawn first where that is the way."""
    phase: Phase = "move" if not match.game.deck and not match.game.die else "turn"
    turned = match.but(
        turn=seat,
        phase=phase,
        card="",
        extra=False,
        extra_used=False,
        turns=match.turns + 1,
        owed=((seat, 1),) if draws else match.owed,
    )
    if match.decided.throw_for(seat):
        return thrown(turned, match.decided.throw_for(seat))
    return drawing(turned, "turn") if draws else turned


def thrown(match: Match, value: str) -> Match:
    """The die of whose turn it is lies there; so it will when its play is taken back."""
    throw, left = (match.turn, value), match.decided.thrown
    return match.but(
        card=value,
        phase="move",
        revealed=True,
        chanced=match.chanced.but(thrown=(*match.chanced.thrown, throw)),
        decided=match.decided.but(thrown=left[1:] if left[:1] == (throw,) else ()),
    )


def drawing(match: Match, then: str) -> Match:
    """Cards drawn as far as the pile goes; what lies open makes a new one."""
    while match.owed:
        (seat, many), *rest = match.owed
        if not len(match.pile) and not match.pile.lying:
            match = match.but(owed=())
        elif len(match.pile):
            owed = ((seat, many - 1), *rest) if many > 1 else tuple(rest)
            match = draw_one(match, seat, owed)
        elif match.flow.turns_pile:
            match = match.but(pile=match.pile.turned(match.phone_deck))
        else:
            return match.but(phase="shuffle", after_draw=then)
    if then == "settle":
        return settled(match)
    return match if match.phase == "turn" else match.but(phase="turn")


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
    return to_deal(match.but(dealer=match.next_seat(match.dealer)))


def played(match: Match, play: Play) -> Match:
    """The match after a legal play of whose turn it is."""
    seat, flow = match.turn, match.flow
    changes: dict[str, Any] = {"position": play.position, "last": play, "last_seat": seat}
    changes |= {"revealed": False, "card": "", "phase": "turn"}
    if match.game.deck:
        changes |= laying(match, seat, (play.card or match.card,))
    if match.extra:
        changes |= {"extra": False, "extra_used": True, "banked": banked(match, seat, -1)}
    if play.again and flow.extra_play:
        changes["banked"] = banked(match, seat, 0 if match.extra else 1)
    if flow.draws == "after":
        changes["owed"] = ((seat, 1),)
    winners = match.game.winners(match.setup, play.position)
    moved = match.but(**changes)
    if winners:
        return won(moved.but(owed=()), winners)
    if flow.draw_by_repetition:
        moved = repeated(moved, match.next_seat(seat))
    return drawing(moved, "settle") if match.game.deck else end_turn(moved)


def laying(match: Match, seat: str, named: tuple[str, ...]) -> dict[str, Any]:
    """What changes when cards leave a hand for the open discards."""
    hand = match.hand(seat)
    for card in named:
        hand = hand.without(card)
    return {"hands": hands_with(match, seat, hand), "pile": match.pile.taking(named)}


def settled(match: Match) -> Match:
    """After drawing: an extra play if one is open and some card can be played, or the next turn."""
    kept = match.flow.extra_play == "kept"
    open_now = match.bank(match.turn) > 0 and not (kept and match.extra_used)
    if open_now and can_play(match):
        return match.but(phase="extra")
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
    if not match.banked or match.flow.extra_play == "kept":
        return match
    return match.but(banked=())


def banked(match: Match, seat: str, more: int) -> tuple[tuple[str, int], ...]:
    counts = dict(match.banked)
    counts[seat] = counts.get(seat, 0) + more
    return tuple(sorted((one, count) for one, count in counts.items() if count))


def repeated(match: Match, seat: str) -> Match:
    """The position noted, with who is to play from it."""
    key = (match.position, seat)
    counts = dict(match.seen_before)
    counts[key] = counts.get(key, 0) + 1
    return match.but(seen_before=tuple(counts.items()))


def won(match: Match, winners: tuple[str, ...]) -> Match:
    """The game is over; points go to the persons, and another game may follow."""
    points = dict(match.points)
    for seat in winners:
        points[match.person(seat)] = points.get(match.person(seat), 0) + 1
    done = match.games_done + 1
    phase: Phase = "seats" if done < match.flow.games else "over"
    return match.but(
        winners=winners,
        points=tuple(sorted(points.items())),
        games_done=done,
        phase=phase,
        turn=NOBODY,
        revealed=match.revealed or phase == "over",  # from now on all of it may be read
    )


def withdrawn(match: Match) -> Match:
    """The announced card back in the hand; all have seen that it is there."""
    if not match.card or not match.game.deck:
        return match
    phase: Phase = "extra" if match.extra else "turn"
    shown = with_hand(match, match.turn, match.hand(match.turn).showing(match.card))
    return shown.but(card="", phase=phase, extra=False)


def taken_back(before: Match, since: Match) -> Match:
    """A match as it stood before an act, and nothing decided anew: cards, throws, shuffles."""
    return withdrawn(before).but(
        decided=since.chanced.after(before.chanced).and_then(since.decided),
        revealed=before.revealed or since.revealed,
    )


def whose_turn(match: Match, seat: str) -> None:
    if seat != match.turn:
        raise NotNowError(f"it is not the turn of seat {seat}", refuse("TURN", seat=seat))


def need(holds: bool, message: str) -> None:
    if not holds:
        raise NotNowError(message)
