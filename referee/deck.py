"""Hands and piles: what is known of a real deck, and all of a phone's.

A card that is not known is a blank. A real deck has blanks everywhere; with declared hands the
players fill theirs in; the phones' deck has none.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from referee.plays import RefereeError
from referee.value import Value


@dataclass(frozen=True)
class Hand(Value):
    cards: tuple[str, ...] = ()
    blanks: int = 0

    def __len__(self) -> int:
        return len(self.cards) + self.blanks

    @property
    def known(self) -> bool:
        return not self.blanks

    def may_hold(self, card: str) -> bool:
        return card in self.cards or self.blanks > 0

    def without(self, card: str) -> Hand:
        """The hand once a card has left it: a known one, or one of the blanks.

        After one that nobody named no card of it is known any more.
        """
        if card in self.cards:
            at = self.cards.index(card)
            return self.but(cards=self.cards[:at] + self.cards[at + 1 :])
        if not card and len(self):
            return Hand((), len(self) - 1)
        if not self.blanks:
            raise RefereeError(f"{card or 'that card'} is not in the hand")
        return self.but(blanks=self.blanks - 1)

    def showing(self, card: str) -> Hand:
        """All have seen that this card is in it: one of the blanks, if it was not known."""
        return self if card in self.cards else self.without(card).with_card(card)

    def with_card(self, card: str) -> Hand:
        if not card:
            return self.but(blanks=self.blanks + 1)
        return self.but(cards=(*self.cards, card))

    def declared(self, cards: tuple[str, ...]) -> Hand:
        """The blanks filled in with what the player says is there."""
        new = [card for card in cards if card not in self.cards]
        if len(new) != len(cards) - len(self.cards) or len(set(cards)) < len(cards):
            raise RefereeError("a hand that is declared holds the cards already known")
        if len(new) > self.blanks:
            raise RefereeError(f"{len(self)} cards are in this hand, not {len(cards)}")
        return Hand(self.cards + tuple(new), self.blanks - len(new))


@dataclass(frozen=True)
class Pile(Value):
    """What is left to draw, top first, and what lies open; `hidden` counts unknown cards."""

    cards: tuple[str, ...] = ()
    hidden: int = 0
    discards: tuple[str, ...] = ()
    unseen: int = 0  # discards nobody has named

    def __len__(self) -> int:
        return len(self.cards) + self.hidden

    @property
    def lying(self) -> int:
        return len(self.discards) + self.unseen

    def drawing(self, card: str) -> tuple[str, Pile]:
        """A card of the pile, unnamed from a real one, and the pile without it."""
        if self.cards:
            at = self.cards.index(card)
            return card, self.but(cards=self.cards[:at] + self.cards[at + 1 :])
        if not self.hidden:
            raise RefereeError("the pile is empty")
        return "", self.but(hidden=self.hidden - 1)

    def taking(self, cards: Iterable[str]) -> Pile:
        """The pile with cards laid open on the discards."""
        named = list(cards)
        known = tuple(card for card in named if card)
        return self.but(
            discards=self.discards + known, unseen=self.unseen + len(named) - len(known)
        )

    def turned(self, named: bool) -> Pile:
        """The discards turned over, unshuffled: the first thrown is the first drawn.

        A real deck's are blanks again: nobody says how it was stacked.
        """
        if not named:
            return Pile(hidden=len(self) + self.lying)
        return Pile(cards=self.cards + self.discards)

    def shuffled(self, cards: tuple[str, ...]) -> Pile:
        """What is left and the discards, in a new order; unnamed where a real deck was mixed."""
        if not cards:
            return Pile(hidden=len(self) + self.lying)
        if self.hidden or self.unseen or sorted(cards) != sorted(self.cards + self.discards):
            raise RefereeError("these are not the cards of the pile and the discards")
        return Pile(cards=cards)
