"""Tickets: what a QR code carries, and the short code for those who type."""

from __future__ import annotations

import hmac
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Kind = Literal["table", "seat", "screen"]

LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # nothing that is mistaken for something else
CODE = 6
GRACE = 60.0  # several phones may scan the same picture on the big screen
LIFE = {"seat": 600.0, "screen": 600.0}
MOST = 200


@dataclass(frozen=True)
class Ticket:
    """What lets a device in; one for a seat also seats it. `used` when it was first shown."""

    text: str
    kind: Kind
    seat: str = ""
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
        self.code = code or new_code()  # stays good, printed or typed, until it is renewed
        self.table = self._mint("table").text

    def _mint(self, kind: Kind, seat: str = "") -> Ticket:
        ticket = Ticket(secrets.token_urlsafe(12), kind, seat, self._clock())
        good = [one for one in self._tickets if self._good(one)]
        self._tickets = [*good[-MOST:], ticket]
        return ticket

    def _good(self, ticket: Ticket) -> bool:
        now = self._clock()
        if ticket.used is not None:
            return ticket.kind == "table" and now - ticket.used <= GRACE
        return ticket.kind not in LIFE or now - ticket.made <= LIFE[ticket.kind]

    def mint(self, kind: Kind, seat: str = "") -> str:
        with self._lock:
            return self._mint(kind, seat).text

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
            used = Ticket(ticket.text, ticket.kind, ticket.seat, ticket.made, self._clock())
            self._tickets[n] = used
        if ticket.text == self.table:
            self.table = self._mint("table").text

    def is_table(self, text: str) -> bool:
        """Whether this ticket, or code, is good and only lets in."""
        with self._lock:
            return same(plain(text), self.code) or any(
                same(text, one.text) and one.kind == "table" and self._good(one)
                for one in self._tickets
            )

    def known(self, text: str) -> bool:
        """Whether a ticket is good, without using it."""
        with self._lock:
            return same(plain(text), self.code) or any(
                same(text, one.text) and self._good(one) for one in self._tickets
            )


def same(one: str, other: str) -> bool:
    """Equal, in a time that does not tell how much of it is."""
    return hmac.compare_digest(one.encode(), other.encode())


class Guesses:
    """How often a place may guess a table's code: a few times a minute. Any thread."""

    MOST, PERIOD = 10, 60.0

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._made: dict[str, list[float]] = {}

    def allow(self, place: str) -> bool:
        """Counts a wrong guess; False when there were too many."""
        now = self._clock()
        with self._lock:
            if len(self._made) > 1000:
                self._made.clear()
            made = [at for at in self._made.get(place, ()) if now - at < self.PERIOD]
            self._made[place] = [*made, now][-self.MOST - 1 :]
            return len(made) < self.MOST
