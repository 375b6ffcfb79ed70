"""A clumsy table: whole games through the umpire, played legally, and now and then not.

Players know their own hands; the umpire knows what the mode of cards lets it know. Every case
it opens is compared with what was really done.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import NamedTuple

from referee import events
from referee.events import Event
from referee.game import Sight
from referee.lights import wanted
from referee.match import Match, NotNowError
from referee.plays import Play
from referee.table import Table
from referee.umpire import step
from web.bench import deals, hands, mishaps, slips, unusual
from web.bench.evenings import Spec, opening
from web.bench.mishaps import Mishap
from web.bench.outcome import rightly_told
from web.bench.players import best
from web.bench.pretended import Deck, Wood, carried_out

CLUMSY = 0.12  # of the turns go wrong
SLOW = 0.15  # of the plays are carried out in stages
LONGEST = 4000  # turns of a match


class Count(NamedTuple):
    game: str
    mishap: str
    outcome: str  # "right", "missed", "wrong kind: …" or "unseeable: …"


class LostError(Exception):
    """The umpire and the table no longer agree: what the bench is there to find."""


class Evening:
    left_open = False  # whether nobody is sure of all that was seen last

    def __init__(self, spec: Spec, seed: int, clumsy: float = CLUMSY, slow: float = SLOW) -> None:
        self.spec, self.seed, self.clumsy, self.slow = spec, seed, clumsy, slow
        self.rng = random.Random(f"{spec}{seed}")
        self.counts: Counter[Count] = Counter()
        self.false: list[str] = []
        self.odd: list[str] = []  # flagged otherwise than meant, or not at all
        self.expected: Mishap | None = None
        self.clock = 0.0
        self.events: list[Event] = []
        self.points: Counter[str] = Counter()
        self.wrong_winners = 0
        self.games = 0
        self.turns = 0
        first = opening(spec, self.rng)
        self.table, _ = step(None, first)
        self.events.append(first)
        self.wood = Wood(self.match.setup)
        self.deck = self.new_deck()
        self.undo: tuple[Deck, Sight] | None = None
        self.lying: str | None = None  # the card that lies out

    @property
    def match(self) -> Match:
        return self.table.match

    def new_deck(self) -> Deck:
        deck = Deck(list(self.match.game.deck), {seat: [] for seat in self.match.setup.seats})
        deck.shuffle(self.rng)
        return deck

    def hand(self, seat: str) -> tuple[str, ...]:
        """The cards a player really has in the hand."""
        if self.match.phone_deck:
            return self.match.hand(seat).cards
        return tuple(self.deck.hands[seat])

    # talking to the umpire

    def send(self, event: Event, wait: float = 0.2) -> bool:
        self.clock += wait
        event = replace(event, at=self.clock)
        before = self.table
        try:
            self.table, _ = step(before, event)
        except NotNowError as error:
            self.refusal = str(error)
            return False
        self.events.append(event)
        wanted(self.table)
        for case in self.table.cases[len(before.cases) :]:
            self.flagged(case.kind)
        self.draw()
        return True

    def draw(self) -> None:
        """Cards are drawn as the match says, but not while one lies out to be played."""
        if self.lying is None and self.match.game.deck and not self.match.phone_deck:
            self.deck.follow(self.match)

    def must(self, event: Event, wait: float = 0.2) -> None:
        if not self.send(event, wait):
            raise self.lost(f"{event} was refused: {self.refusal}")

    def lost(self, why: str) -> LostError:
        table = self.table
        return LostError(
            f"{self.spec} seed {self.seed} turn {self.match.turns}: {why} "
            f"(stage {table.stage}, phase {self.match.phase}, card {self.match.card!r})"
        )

    def look(self, wait: float = 0.2, unsure: tuple[str, ...] = ()) -> None:
        if unsure:
            pieces = tuple(one for one in self.wood.pieces() if one[1] not in unsure)
            self.must(events.Seen(pieces=pieces, unsure=unsure), wait)
        else:
            self.must(events.Seen(pieces=self.wood.pieces()), wait)

    def cannot_stand(self, sight: Sight) -> str:
        """Why pieces cannot stand so, if they cannot; a pretended board takes all of them."""
        return ""

    def note(self, mishap: str, outcome: str) -> None:
        self.counts[Count(self.spec.game, mishap, outcome)] += 1

    def flagged(self, kind: str) -> None:
        expected = self.expected
        if expected is None:
            self.false.append(f"{kind}: {self.lost('flagged')}")
            return
        right = kind in expected.kinds
        if not right:
            self.odd.append(f"{expected.name}: {kind}: {self.lost('flagged')}")
        self.note(expected.name, "right" if right else f"wrong kind: {kind}")
        self.expected = None

    # an evening

    def play(self) -> None:
        self.set_up()
        while self.match.phase != "over":
            self.goes_on()
        self.finished()

    def goes_on(self) -> None:
        """Whatever comes next."""
        if self.match.turns > LONGEST:
            raise self.lost("no end")
        phase = self.match.phase
        if phase in ("turn", "extra"):
            self.turn()
        elif phase == "move":
            self.move(None)
        else:
            deals.next_of(self)

    def set_up(self) -> None:
        """The board is set up in any order, and shown now and then."""
        wanted_board = list(self.match.sight.elements())
        self.rng.shuffle(wanted_board)
        for many in sorted(self.rng.randint(0, len(wanted_board)) for _ in range(2)):
            self.wood.stand(Sight(wanted_board[:many]))
            self.look()
        self.follow()

    def follow(self) -> None:
        """Everything where the umpire wants it."""
        self.wood.stand(self.table.expected)
        self.look()
        if self.table.stage not in ("still", "pending"):
            raise self.lost("the board is right, and the umpire says it is not")

    def finished(self) -> None:
        """Whether the right ones have won, by the wood alone."""
        self.games += 1
        self.turns += self.match.turns
        self.wrong_winners += not rightly_told(self.match, self.wood, self.points)

    # a turn

    def counted(self) -> None:
        """What is known of the hands is true."""
        for seat, hand in self.match.hands:
            held = self.hand(seat)
            if not set(hand.cards) <= set(held) or len(hand) != len(held):
                raise self.lost(f"{seat} holds {held}, not {hand}")

    def turn(self) -> None:
        self.counted()
        seat = self.match.turn
        if self.rng.random() < self.clumsy:
            slips.between_turns(self, seat)
        if self.match.phase not in ("turn", "extra") or self.match.turn != seat:
            return
        if self.match.game.die:
            self.must(events.Thrown(seat=seat, value=self.rng.randint(1, 6)))
            return
        deals.declare(self, [seat])
        if self.rng.random() < self.clumsy * 0.3 and slips.impossible_card(self, seat):
            return
        hand, keeps = self.hand(seat), self.match.flow.keeps
        if self.match.phase == "turn" and len(hand) <= keeps and self.rng.random() < 0.1:
            self.must(events.Passed(seat=seat))
            return
        plays = self.playable(seat)
        if not plays:
            self.give_up(seat, hand)
            return
        if self.rng.random() < self.clumsy * 0.2 and slips.must_play(self, seat, hand, plays):
            return
        card, play = self.chosen(seat, plays)
        if self.rng.random() < self.slow / 3 and unusual.played_first(self, seat, card, play):
            return
        if self.rng.random() < self.clumsy * 0.3 and slips.another_card(self, seat, card, plays):
            return
        self.must(events.Announced(seat=seat, card=card))
        self.move(play)

    def playable(self, seat: str) -> dict[str, list[Play]]:
        """What each card of the real hand can do."""
        match, hand = self.match, self.hand(seat)
        judged = {
            card: match.game.judge(match.setup, match.position, seat, hand, card).plays
            for card in hand
        }
        return {card: plays for card, plays in judged.items() if plays}

    def chosen(self, seat: str, plays: dict[str, list[Play]]) -> tuple[str, Play]:
        choices = {card: best(self.match, seat, found, self.rng) for card, found in plays.items()}
        play = best(self.match, seat, list(choices.values()), self.rng)
        return next((card, one) for card, one in choices.items() if one is play)

    def give_up(self, seat: str, hand: tuple[str, ...]) -> None:
        if self.match.phase == "extra":
            self.must(events.Passed(seat=seat))
            return
        if self.match.flow.puts_down:
            self.put_down(seat, self.rng.choice(hand))
            return
        whole = self.match.setup.chosen["no_play"] == "discard_hand"
        cards = hand if whole else (self.rng.choice(hand),)
        self.laying(seat, events.Discarded(seat=seat, cards=cards), cards)

    def put_down(self, seat: str, card: str) -> None:
        self.laying(seat, events.PutDown(seat=seat, card=card), (card,))

    def laying(self, seat: str, event: Event, cards: tuple[str, ...]) -> bool:
        """Cards laid open, in the hand of the real deck too, before anything is drawn."""
        heard, drawing = len(self.table.cases), self.match.game.deck and not self.match.phone_deck
        self.lying = cards[0]
        given_up = self.send(event) and len(self.table.cases) == heard
        self.lying = None
        if not given_up:
            return False
        if drawing:
            self.deck.lay(seat, cards)
        self.draw()
        self.undo = None
        return True

    # a play

    def move(self, play: Play | None) -> None:
        """The announced card, or the throw, is carried out."""
        match = self.match
        if play is None:
            plays = match.judged.plays
            if not plays:
                self.must(events.Passed(seat=match.turn))
                self.undo = None
                return
            if match.game.die and self.rng.random() < self.clumsy * 0.1:
                self.expect(Mishap("gave up too early", Sight(), frozenset(("must-play",))))
                self.send(events.Passed(seat=match.turn))
                self.settled_expectation("the umpire let it pass")
            play = best(match, match.turn, plays, self.rng)
        if self.rng.random() < self.clumsy:
            found = [one for make in mishaps.WITH_CARD for one in make(match, play, self.rng)]
            if found and slips.misplay(self, self.rng.choice(found), play):
                return
        self.carry_out(play)

    def carry_out(self, play: Play) -> None:
        slow = self.rng.random() < self.slow and self.table.stage != "wrong"
        if slow and self.rng.random() < 0.7 and self.match.setup.game != "trikolos":
            self.by_hand(play)
            slow = False
        *stages, last = carried_out(self.match, play, self.rng, slow=slow)
        for stage in stages:
            self.wood.lift(stage)
            self.glimpse()
        self.land(play, last)

    def by_hand(self, play: Play) -> None:
        """Piece by piece, in whatever order, some of it unseen."""
        for act in hands.acts(play, self.wood, self.rng)[:-1]:
            hands.done(self.wood, act)
            if self.rng.random() < 0.75:
                self.glimpse()

    def glimpse(self) -> None:
        """A look in the middle of a play."""
        if self.cannot_stand(self.wood.sight):
            return
        self.look()
        if self.rng.random() < 0.2:
            self.must(events.Hidden())

    def land(self, play: Play, last: Sight) -> None:
        """The whole play lies there; what the umpire asks is answered."""
        before = self.match
        self.lay(before, before.card)
        self.wood.stand(last)
        changed = [cell for piece, cell in (last - before.sight) + (before.sight - last)]
        if changed and self.rng.random() < 0.03:
            self.look(unsure=(self.rng.choice(changed),))
        self.look()
        self.settle(before, play)
        if self.match.position != play.position:
            raise self.lost(f"{play.text} was read as {self.match.last}")
        if self.rng.random() < self.clumsy * 0.5:
            unusual.take_back(self, before)

    def lay(self, match: Match, card: str) -> None:
        """The card lies out; how things stood is remembered, to be taken back."""
        self.undo = (self.deck.copy(), Sight(match.sight))
        if match.game.deck and not match.phone_deck:
            self.deck.lay(match.turn, (card,))
            self.lying = card

    def settle(self, before: Match, play: Play) -> None:
        for _ in range(10):
            table = self.table
            if table.match is not before and table.match.position == play.position:
                self.lying = None
                self.draw()
                if table.stage != "follow":
                    return
                self.look()
            elif table.stage == "asking" and table.question is not None:
                self.answer(table, play)
            elif table.stage == "pending":
                wait = self.rng.random() < 0.5
                self.must(events.Tick() if wait else events.Confirmed(seat=before.turn), 2.0)
            elif self.match is before and before.game.seen(play.position) == before.game.seen(
                before.position
            ):
                self.must(events.Confirmed(seat=before.turn))
            else:
                break
        raise self.lost(f"{play.text} was not taken")

    def answer(self, table: Table, play: Play) -> None:
        question = table.question
        assert question is not None
        for number, choice in enumerate(question.choices):
            if choice.play == play or (
                choice.card and choice.play is None and choice.text == play.text
            ):
                heard = events.Answered(seat=question.to, question=question.number, choice=number)
                self.must(heard)
                return
        raise self.lost(f"{play.text} is not among {[one.text for one in question.choices]}")

    def expect(self, mishap: Mishap) -> None:
        self.expected = mishap

    def settled_expectation(self, why: str) -> None:
        """Whatever was to be flagged by now and was not is missed."""
        if self.expected is not None:
            self.note(self.expected.name, f"missed: {why}, stage {self.table.stage}")
            self.odd.append(str(self.lost(f"{self.expected.name} was missed")))
            self.expected = None
