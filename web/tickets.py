"""Tickets: what a QR code carries, and the short code for those who type.

A seat's ticket is good for those who hold the seat when it is made: see `Chairs.hands`.
"""

from __future__ import annotations

import hmac
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

Kind = Literal["table", "seat", "screen"]

LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # nothing that is mistaken for something else
CODE = 6
GRACE = 60.0  # several phones may scan the same picture on the big screen
LIFE = {"seat": 600.0, "screen": 600.0}
MOST_OF_A_SEAT = 4  # and of screens: the older ones go first
MOST_PLACES = 1000  # whose guesses are counted
MOST_SPENT = 500  # tickets that are remembered once they are no longer good


@dataclass(frozen=True)
class Ticket:
    """What lets a device in; one for a seat also seats it. `used` when it was first shown."""

    text: str
    kind: Kind
    seat: str = ""
    hands: int = 0
    made: float = 0.0
    used: float | None = None


def new_code() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(CODE))


def is_code(text: object) -> bool:
    return isinstance(text, str) and len(text) == CODE and set(text) <= set(LETTERS)


def plain(code: str) -> str:
    """A typed code as it was meant."""
    return code.upper().replace(" ", "").replace("-", "")


class Tickets:
    """The tickets that are good now. Any thread."""

    def __init__(self, clock: Callable[[], float], code: str = "") -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._tickets: list[Ticket] = []
        self._spent: list[str] = []
        self.code = code or new_code()  # stays good, printed or typed, until it is renewed
        self.table = self._mint("table").text

    def _mint(self, kind: Kind, seat: str = "", hands: int = 0) -> Ticket:
        ticket = Ticket(secrets.token_urlsafe(12), kind, seat, hands, self._clock())
        good = [one for one in self._tickets if self._good(one)]
        if kind != "table":  # those of the table are as many as are used up within the grace
            like = [one for one in good if (one.kind, one.seat) == (kind, seat)]
            dropped = like[: max(0, len(like) + 1 - MOST_OF_A_SEAT)]
            good = [one for one in good if one not in dropped]
        kept = {one.text for one in good}
        gone = [one.text for one in self._tickets if one.text not in kept]
        self._spent = [*self._spent, *gone][-MOST_SPENT:]
        self._tickets = [*good, ticket]
        return ticket

    def _good(self, ticket: Ticket) -> bool:
        now = self._clock()
        if ticket.used is not None:
            return ticket.kind == "table" and now - ticket.used <= GRACE
        return ticket.kind not in LIFE or now - ticket.made <= LIFE[ticket.kind]

    def mint(self, kind: Kind, seat: str = "", hands: int = 0) -> str:
        with self._lock:
            return self._mint(kind, seat, hands).text

    def renew_code(self) -> str:
        with self._lock:
            self.code = new_code()
            return self.code

    def show(self, text: str) -> Ticket | None:
        """The ticket, used up by being shown; None for one that is not good."""
        with self._lock:
            if same(plain(text), self.code):
                return Ticket(self.code, "table")
            for n, ticket in enumerate(self._tickets):
                if same(text, ticket.text) and self._good(ticket):
                    self._use(n, ticket)
                    return ticket
        return None

    def _use(self, n: int, ticket: Ticket) -> None:
        if ticket.used is None:
            self._tickets[n] = replace(ticket, used=self._clock())
        if ticket.text == self.table:
            self.table = self._mint("table").text

    def is_table(self, text: str) -> bool:
        """Whether this ticket, or code, is good and only lets in."""
        with self._lock:
            return same(plain(text), self.code) or any(
                same(text, one.text) and one.kind == "table" and self._good(one)
                for one in self._tickets
            )

    def spent(self, text: str) -> bool:
        """Whether this was a ticket once: showing it again is no guess."""
        with self._lock:
            return text in self._spent or any(text == one.text for one in self._tickets)

    def known(self, text: str) -> bool:
        """Whether a ticket is good, without using it."""
        with self._lock:
            return same(plain(text), self.code) or any(
                same(text, one.text) and self._good(one) for one in self._tickets
            )


def same(one: str, other: str) -> bool:
    """Equal, in a time that does not tell how much of it is."""
    return hmac.compare_digest(one.encode(), other.encode())


class Often:
    """How often a place may do something within a time: guess, or come in. Any thread."""

    def __init__(self, clock: Callable[[], float], most: int, period: float) -> None:
        self._clock = clock
        self.most, self.period = most, period
        self._lock = threading.Lock()
        self._made: dict[str, list[float]] = {}

    def wait(self, place: str) -> int:
        """The seconds this place has to wait before the next one; 0 if it need not."""
        with self._lock:
            made = self._recent(place)
            if len(made) < self.most:
                return 0
            return max(1, round(made[-self.most] + self.period - self._clock()))

    def count(self, place: str) -> None:
        with self._lock:
            if place not in self._made and len(self._made) >= MOST_PLACES:
                oldest = min(self._made, key=lambda one: self._made[one][-1])
                del self._made[oldest]
            self._made[place] = [*self._recent(place), self._clock()][-self.most :]

    def _recent(self, place: str) -> list[float]:
        now = self._clock()
        return [at for at in self._made.get(place, ()) if now - at < self.period]
