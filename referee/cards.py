"""Cards by their short names: rank and suit, jokers X1 and X2."""

from __future__ import annotations

from referee.plays import RefereeError

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("S", "H", "D", "C")
JOKERS = ("X1", "X2")
JOKER = "X"
ENTERS = frozenset(("A", "K", JOKER))  # with these a pawn leaves its camp, in every Tock game
FIFTY_TWO = tuple(rank + suit for suit in SUITS for rank in RANKS)
FIFTY_FOUR = FIFTY_TWO + JOKERS
RANK = {card: card[0] if card in JOKERS else card[:-1] for card in FIFTY_FOUR}


def rank(card: str) -> str:
    """The rank of a card; jokers are X."""
    try:
        return RANK[card]
    except (KeyError, TypeError):
        raise RefereeError(f"no card {card!r}; cards are like KH, 10S, X1") from None
