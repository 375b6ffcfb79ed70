"""The host's PIN: kept as a hash, guesses counted.

Wrong PINs close the place they come from, and many of them, from wherever, close every place that
has been wrong before. A device that has been the host is counted by itself, so that nobody else's
guesses shut the host out; a place that was never wrong may always try once. That once is what a
guesser with many addresses is left with: in half a day 254 guesses from all of a house's network,
and some 70 waited for. Of four digits that is one in thirty; six digits are out of reach.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from web.papers import PaperError, read_paper, write_paper
from web.problems import BadFormError, ConflictError, NotYoursError, WaitError

SHORTEST, LONGEST = 4, 12
TRIES = 5  # wrong ones before anybody has to wait
FIRST_WAIT, LONGEST_WAIT = 30.0, 900.0
MOST_PLACES = 1000  # beyond these nobody new counts as never wrong
FORGOTTEN = 12 * 3600.0  # seconds after which wrong tries no longer count
EVERYWHERE = "everywhere"
COST = {"n": 2**14, "r": 8, "p": 1}


@dataclass(frozen=True)
class Tries:
    """Wrong guesses from one place."""

    wrong: int = 0
    last: float = 0.0
    closed_until: float = 0.0


def hashed(pin: str, salt: bytes) -> bytes:
    return hashlib.scrypt(pin.encode(), salt=salt, **COST)


class Pin:
    """Any thread. The file holds a salt and a hash, never the PIN."""

    def __init__(self, path: Path, clock: Callable[[], float]) -> None:
        self._path = path
        self._clock = clock
        self._lock = threading.Lock()
        self._tries: dict[str, Tries] = {}
        paper = read_paper(path)
        try:
            self._salt = bytes.fromhex(paper.get("salt", ""))
            self._hash = bytes.fromhex(paper.get("hash", ""))
        except (TypeError, ValueError):
            raise PaperError(f"{path.name} is damaged: start with --reset-pin") from None

    @property
    def is_set(self) -> bool:
        return bool(self._hash)

    def set(self, pin: str) -> None:
        if not (pin.isascii() and pin.isdigit() and SHORTEST <= len(pin) <= LONGEST):
            raise BadFormError("api.pin-form", least=SHORTEST, most=LONGEST)
        salt = secrets.token_bytes(16)
        digest = hashed(pin, salt)
        write_paper(self._path, {"salt": salt.hex(), "hash": digest.hex()})
        self._salt, self._hash = salt, digest

    def first(self, pin: str) -> None:
        """The first PIN ever; whoever comes second has to know it."""
        with self._lock:
            if self.is_set:
                raise ConflictError("api.pin-set")
            self.set(pin)

    def check(self, pin: str, place: str, known: str = "") -> None:
        """NotYoursError for a wrong PIN; WaitError when there were too many.

        `known` names a device that has been the host, whatever its place.
        """
        if not self.is_set:
            raise ConflictError("api.pin-missing")
        with self._lock:  # one at a time: guessing in parallel gains nothing
            now = self._clock()
            mine = known or place
            self._forget(now)
            counted = (mine,) if known or not self._was_wrong(mine) else (mine, EVERYWHERE)
            closed = max(self._tries.get(where, Tries()).closed_until for where in counted)
            if now < closed:
                raise WaitError("api.pin-wait", seconds=round(closed - now) or 1)
            if hmac.compare_digest(hashed(pin[:64], self._salt), self._hash):
                self._tries.pop(mine, None)
                return
            self._count(mine, TRIES, now)
            if not known:
                self._count(EVERYWHERE, 4 * TRIES, now)
            raise NotYoursError("api.pin-wrong")

    def _was_wrong(self, place: str) -> bool:
        return place in self._tries or len(self._tries) > MOST_PLACES

    def _forget(self, now: float) -> None:
        self._tries = {k: one for k, one in self._tries.items() if now - one.last <= FORGOTTEN}

    def _count(self, where: str, most: int, now: float) -> None:
        tries = self._tries.get(where, Tries())
        wrong = tries.wrong + 1
        wait = 0.0
        if wrong >= most:
            wait = min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** min(wrong - most, 10))
        if where in self._tries or where == EVERYWHERE or len(self._tries) <= MOST_PLACES:
            self._tries[where] = Tries(wrong, now, now + wait)
