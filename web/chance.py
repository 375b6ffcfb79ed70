"""What chance decides: shuffles, lots, throws and seats, drawn here and told to the umpire."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from referee import cards, events
from referee.match import Match
from referee.plays import RefereeError
from referee.table import Table

SIDES = "abcd"  # of a Tijou board
GUESTS = "ef"


class Chance:
    """One source of randomness; by default the system's, which nobody can foretell."""

    def __init__(self, source: random.Random | None = None) -> None:
        self.source = source or random.SystemRandom()

    def automatic(self, table: Table | None) -> events.Event | None:
        """What the table does by itself: the phones' deck is shuffled as soon as it has to be."""
        if table is None or table.paused or table.penalty is not None:
            return None
        match = table.match
        if match.phase == "shuffle" and match.phone_deck:
            return events.Shuffled(cards=self.shuffled(match.pile.cards + match.pile.discards))
        return None

    def shuffled(self, deck: Sequence[str]) -> tuple[str, ...]:
        return tuple(self.source.sample(list(deck), len(deck)))

    def throw(self, seat: str) -> events.Thrown:
        return events.Thrown(seat=seat, value=self.source.randint(1, 6))

    def lots(self, match: Match) -> events.Lots:
        """Who deals or begins; ties draw again among themselves."""
        how = match.flow.begins_by
        if how in ("lot", "first seat"):
            return events.Lots(seat=self.source.choice(match.order))
        seats: tuple[str, ...] = match.order
        while True:
            drawn = self.drawn(match, seats)
            values = {seat: lot_value(how, value) for seat, value in drawn}
            best = min(values.values()) if how == "lowest card" else max(values.values())
            seats = tuple(seat for seat in seats if values[seat] == best)
            if len(seats) == 1:
                return events.Lots(seat=seats[0], drawn=drawn)

    def drawn(self, match: Match, seats: Sequence[str]) -> events.Pairs:
        if match.flow.begins_by == "lowest card":
            taken: Sequence[str] = self.source.sample(list(match.game.deck), len(seats))
        else:
            taken = [str(self.source.randint(1, 6)) for _ in seats]
        return tuple(zip(seats, taken, strict=True))

    def seats(self, match: Match) -> events.Seated:
        """Who sits where in the next game of a match, and with whom."""
        persons = [person for _, person in match.persons]
        seats, shares = match.setup.seats, match.setup.shares
        if match.game.guests:
            seats, shares = self.tijou_seats(len(persons))
        taken = self.shuffled(persons)
        return events.Seated(
            persons=tuple(zip(seats, taken, strict=True)),
            teams=match.setup.teams,
            shares=shares,
        )

    def tijou_seats(self, many: int) -> tuple[tuple[str, ...], events.Pairs]:
        """The seats of so many players: an empty side and shared cells are drawn by lot."""
        if many == 2:
            return ("a", "c"), ()
        if many == 3:
            empty = self.source.choice(SIDES)
            return tuple(side for side in SIDES if side != empty), ()
        seats = (*SIDES, *GUESTS)[:many]
        if many == 5:
            return seats, (("e", self.source.choice(SIDES)),)
        if many == 6:
            pair = self.source.choice(("ac", "bd"))
            return seats, tuple(zip(GUESTS, self.shuffled(pair), strict=True))
        return seats, ()

    def tiles(self) -> tuple[str, ...]:
        """Trikolos: six rows as they lie, and the spare."""
        bag = "".join(self.shuffled("G" * 13 + "O" * 12 + "R" * 12))
        return (*(bag[row : row + 6] for row in range(0, 36, 6)), bag[36])

    def draw(self, what: str, match: Match, seat: str) -> events.Event:
        """What somebody asks the table to draw."""
        drawers: dict[str, Callable[[], events.Event]] = {
            "die": lambda: self.throw(seat),
            "lots": lambda: self.lots(match),
            "seats": lambda: self.seats(match),
        }
        if what not in drawers:
            raise RefereeError(f"the table draws {', '.join(drawers)}, not {what!r}")
        return drawers[what]()


def lot_value(how: str, value: str) -> int:
    if how == "highest throw":
        return int(value)
    rank = cards.rank(value)
    return len(cards.RANKS) if rank == cards.JOKER else cards.RANKS.index(rank)
