"""What chance has decided stays decided: taken back and played again, nobody gets other cards."""

from __future__ import annotations

from dataclasses import dataclass

from referee.value import Value

Pairs = tuple[tuple[str, str], ...]
Order = tuple[str, ...]


@dataclass(frozen=True)
class Fate(Value):
    """Cards drawn and throws made, each with its seat, and the orders of shuffled piles."""

    drawn: Pairs = ()
    thrown: Pairs = ()
    mixed: tuple[Order, ...] = ()

    def and_then(self, later: Fate) -> Fate:
        return Fate(self.drawn + later.drawn, self.thrown + later.thrown, self.mixed + later.mixed)

    def after(self, earlier: Fate) -> Fate:
        """What came after an earlier moment of the same match."""
        return Fate(
            self.drawn[len(earlier.drawn) :],
            self.thrown[len(earlier.thrown) :],
            self.mixed[len(earlier.mixed) :],
        )

    # of what is decided already, and comes again

    def card_for(self, seat: str, pile: Order) -> str:
        """The card a seat draws: the one it drew before, or the first that was nobody's."""
        if not self.drawn:
            return pile[0]
        for one, card in self.drawn:
            if one == seat and card in pile:
                return card
        others = {card for _, card in self.drawn}
        return next((card for card in pile if card not in others), pile[0])

    def throw_for(self, seat: str) -> str:
        return self.thrown[0][1] if self.thrown and self.thrown[0][0] == seat else ""

    def without_card(self, seat: str, card: str) -> Fate:
        if (seat, card) not in self.drawn:
            return self
        at = self.drawn.index((seat, card))
        return self.but(drawn=self.drawn[:at] + self.drawn[at + 1 :])

    def pile_of(self, cards: Order) -> Order:
        """Cards as they were shuffled before; a new one takes the place of one that is gone."""
        if not self.mixed:
            return cards
        before = self.mixed[0]
        new = [card for card in cards if card not in before]
        held = [card if card in cards else new.pop() for card in before if card in cards or new]
        return (*held, *new)

    def shuffled(self) -> Fate:
        """A shuffle that never was before makes an end of what was known of the cards."""
        if not self.mixed:
            return self.but(drawn=())
        return self.but(mixed=self.mixed[1:])
