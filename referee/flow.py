"""How a game goes around its plays: who deals what, who draws when, who is next. Data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from referee.game import Setup


@dataclass(frozen=True)
class Flow:
    """One game's way around the table."""

    clockwise: bool = True
    hand: int = 0  # cards in a full hand; 0 without cards
    dealer_more: int = 0
    dealer_begins: bool = False
    draws: Literal["never", "before", "after"] = "never"
    chooses_deal: bool = False  # from the second deal on the dealer says how many
    tops_up: bool = False  # later deals fill the hands up
    exchanges: bool = False  # partners swap a card before each deal is played
    keeps: int = 0  # so many cards may be kept by passing
    puts_down: bool = False  # a card that cannot be carried out is laid down
    extra_play: Literal["", "at once", "kept"] = ""  # after a joker: lost or kept if not used
    stuck: Literal["", "discard_one", "discard_hand"] = ""  # whoever cannot play gives up
    turns_pile: bool = False  # where nothing is left to draw, the discards are turned over
    last_resort: bool = False  # some plays are legal only where the hand has no other
    begins_by: Literal["lot", "lowest card", "highest throw", "first seat"] = "lot"
    draw_by_repetition: bool = False
    carries: bool = False  # a play also moves pieces that nobody touches
    games: int = 1  # in a match


def order(setup: Setup, flow: Flow) -> tuple[str, ...]:
    """The seats in the order of play; guests sit at the right of whose cells they share."""
    guests = {host: guest for guest, host in setup.shares}
    residents = [seat for seat in sorted_seats(setup) if seat not in guests.values()]
    if not flow.clockwise:
        residents = residents[:1] + residents[:0:-1]
    found: list[str] = []
    for seat in residents:
        found.append(seat)
        if seat in guests:
            found.append(guests[seat])
    return tuple(found)


def sorted_seats(setup: Setup) -> list[str]:
    """Clockwise on the board; named sides in the order they were given."""
    if all(len(seat) == 1 for seat in setup.seats):
        return sorted(setup.seats)
    return list(setup.seats)
