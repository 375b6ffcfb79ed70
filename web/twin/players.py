"""What a simple, sensible player does next: home, forward, captures; by events like anybody."""

from __future__ import annotations

import random
from collections.abc import Collection
from dataclasses import dataclass

from referee import events
from referee.events import Event
from referee.match import Match
from referee.plays import Play
from referee.table import Question, Table
from web.bench.players import best
from web.chance import Chance


@dataclass(frozen=True)
class Say:
    """Something a player tells the table."""

    event: Event


@dataclass(frozen=True)
class Do:
    """A play to be carried out on the board."""

    play: Play


@dataclass(frozen=True)
class Tidy:
    """The board has to be brought to where the referee wants it."""


Act = Say | Do | Tidy


class Players:
    """Decide for some seats. One intention lasts until the position has changed."""

    def __init__(self, chance: Chance, rng: random.Random) -> None:
        self.chance = chance
        self.rng = rng
        self.meant: Play | None = None
        self.when: tuple[object, ...] = ()

    def decide(self, table: Table, seats: Collection[str]) -> Act | None:
        """The next thing that one of these seats, or the table for all of them, has to do."""
        match = table.match
        if table.paused or match.phase == "over":
            return None
        if table.question is not None:
            return self.answer(table, table.question, seats)
        if table.stage in ("follow", "disturbed") or table.penalty is not None:
            return Tidy()
        if table.stage == "wrong":
            return Tidy() if match.turn in seats or not match.turn else None
        if table.stage == "pending":
            return Say(events.Confirmed(seat=match.turn)) if match.turn in seats else None
        if match.phase in ("turn", "extra", "move"):
            return self.of_turn(match) if match.turn in seats else None
        return self.between(match, seats)

    def between(self, match: Match, seats: Collection[str]) -> Act | None:
        """Lots, shuffles, deals, exchanges, the next game's seats."""
        if match.phase == "lots":
            return Say(self.chance.lots(match))
        if match.phase == "seats":
            return Say(self.chance.seats(match))
        if match.phase == "shuffle" and not match.phone_deck:
            return Say(events.Shuffled())
        if match.phase == "deal" and match.dealer in seats:
            size = match.flow.hand if match.flow.chooses_deal and match.deals else 0
            size = min(size, len(match.pile) // len(match.order))
            return Say(events.Dealt(seat=match.dealer, size=size))
        if match.phase == "exchange":
            for seat in match.order:
                if seat in seats and seat not in match.given and match.setup.mates(seat):
                    return Say(events.Gave(seat=seat, card=self.gift(match, seat)))
        return None

    def gift(self, match: Match, seat: str) -> str:
        """A card that is of little use to oneself."""
        hand = match.hand(seat).cards
        idle = [card for card in hand if not match.judged_card(seat, card).plays]
        return self.rng.choice(idle or list(hand) or [""])

    def of_turn(self, match: Match) -> Act:
        if match.phase == "move":
            return self.move(match)
        if match.game.die:
            return Say(self.chance.throw(match.turn))
        seat, hand = match.turn, match.hand(match.turn).cards
        choices = {card: match.judged_card(seat, card).plays for card in hand}
        good = {
            card: best(match, seat, plays, self.rng) for card, plays in choices.items() if plays
        }
        if good:
            play = best(match, seat, list(good.values()), self.rng)
            card = next(card for card, one in good.items() if one is play)
            self.meant, self.when = play, (match.position, seat, card)
            return Say(events.Announced(seat=seat, card=card))
        return Say(self.nothing(match, seat, hand))

    def nothing(self, match: Match, seat: str, hand: tuple[str, ...]) -> Event:
        """No card can be played."""
        if match.phase == "extra" or not hand:
            return events.Passed(seat=seat)
        if match.flow.puts_down:
            return events.PutDown(seat=seat, card=self.rng.choice(hand))
        if match.flow.stuck == "discard_hand":
            return events.Discarded(seat=seat, cards=hand)
        return events.Discarded(seat=seat, cards=(self.rng.choice(hand),))

    def move(self, match: Match) -> Act:
        plays, seat = match.judged.plays, match.turn
        if not plays:
            return Say(events.Withdrawn(seat=seat) if match.card and match.game.deck
                       else events.Passed(seat=seat))  # fmt: skip
        here = (match.position, seat, match.card)
        if self.meant not in plays or self.when != here:
            self.meant, self.when = best(match, seat, plays, self.rng), here
        play = self.meant
        assert play is not None
        if match.game.seen(play.position) == match.game.seen(match.position):
            return Say(events.Confirmed(seat=seat))
        return Do(play)

    def answer(self, table: Table, question: Question, seats: Collection[str]) -> Act | None:
        """The play that was meant; whoever wants to take back may."""
        own = [seat for seat in (question.to, *table.match.order) if seat in seats]
        own = [seat for seat in own if question.to in (seat, "")]
        if not own:
            return None
        number = self.chosen(table, question)
        if question.choices[number].undo:
            own = [seat for seat in own if seat not in (*table.agreed, table.undo_asked)]
        if not own:
            return None
        heard = events.Answered(seat=own[0], question=question.number, choice=number)
        return Say(heard)

    def chosen(self, table: Table, question: Question) -> int:
        for number, choice in enumerate(question.choices):
            if choice.undo and question.lasting:
                return number
            if self.meant is not None and choice.play is not None:
                if choice.play.position == self.meant.position:
                    return number
            elif self.meant is not None and choice.card and choice.card == self.meant.card:
                return number
        return len(question.choices) - 1
