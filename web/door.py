"""At the door: who comes in by which ticket or code, and how often one place may try."""

from __future__ import annotations

from web.chairs import Device
from web.problems import NotYoursError, WaitError
from web.reception import Reception
from web.tickets import Ticket


def come_in(rooms: Reception, place: str) -> tuple[str, Device]:
    """A new device, one of not too many from this place."""
    wait = rooms.comings.wait(place)
    if wait:
        raise WaitError("api.join-wait", seconds=wait)
    admitted = rooms.chairs.admit()
    rooms.comings.count(place)
    return admitted


def is_guess(rooms: Reception, text: str, place: str) -> bool:
    """Whether this counts as one if it is wrong; WaitError where a place guessed too often.

    Such a place is told nothing, of the right code neither; a ticket that was good once is no
    guess.
    """
    if rooms.tickets.spent(text):
        return False
    wait = rooms.guesses.wait(place)
    if wait:
        raise WaitError("api.code-wait", seconds=wait)
    return True


def shown(rooms: Reception, text: str, place: str, inside: bool) -> Ticket | None:
    """The ticket or code, used; None where somebody who is in already leaves it to others."""
    guess = is_guess(rooms, text, place)
    if inside and rooms.tickets.is_table(text):
        return None
    found = rooms.tickets.show(text)
    if found is None and guess:
        rooms.guesses.count(place)
    if found is None or not still_good(rooms, found):
        raise NotYoursError("api.ticket-used")
    return found


def still_good(rooms: Reception, ticket: Ticket) -> bool:
    """A seat's ticket ends with those who held the seat when it was made."""
    return ticket.kind != "seat" or ticket.hands == rooms.chairs.hands(ticket.seat)


def typed(rooms: Reception, code: str, place: str, inside: bool) -> None:
    """A code, or the table's ticket, as somebody typed it; NotYoursError if it is not good."""
    guess = is_guess(rooms, code, place)
    if not rooms.tickets.is_table(code):
        if guess:
            rooms.guesses.count(place)
        raise NotYoursError("api.code-wrong")
    if not inside:
        rooms.tickets.show(code)
