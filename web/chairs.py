"""Who sits where: the devices that were let in, the seats each holds, the names people gave.

A device is known by a token in its cookie; here only the token's hash is kept.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import secrets
import threading
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from web.papers import PaperError, read_paper, write_paper
from web.problems import AwayError, BadFormError, ConflictError, NotYoursError

log = logging.getLogger(__name__)

LONGEST_NAME = 24
MOST_DEVICES = 400
HOST_HOURS = 12
FORGOTTEN = 7 * 86400.0  # a device not seen for a week has to scan again


@dataclass(frozen=True)
class Device:
    """One phone, tablet or browser."""

    number: int
    digest: str
    seats: tuple[str, ...] = ()
    host_until: float = 0.0
    seen: float = 0.0
    was_host: bool = False  # knew the PIN that is in force


def digest_of(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def clean_name(name: str) -> str:
    """A name as it may be shown: no control characters, one line, not too long."""
    kept = "".join(" " if unicodedata.category(one)[0] in "CZ" else one for one in name)
    whole = " ".join(kept.split())
    if len(whole) > LONGEST_NAME:
        raise BadFormError("api.name-long", most=LONGEST_NAME)
    return whole


class Chairs:
    """Any thread. `clock` gives seconds that go on over a restart, `listening` the devices
    with a page open."""

    def __init__(
        self,
        path: Path,
        clock: Callable[[], float],
        listening: Callable[[], Collection[int]] = tuple,
    ) -> None:
        self._path = path
        self._clock = clock
        self._listening = listening
        self._lock = threading.RLock()
        self._devices: dict[str, Device] = {}
        self._names: dict[str, str] = {}
        self._numbers = 0
        self._changes = 0  # of hands, of all seats
        self._hands: dict[str, int] = {}  # the change after which each seat's people sit there
        self._match = 0  # the same for seats nobody has sat on in this match
        self._read(read_paper(path))

    def _read(self, paper: Mapping[str, Any]) -> None:
        try:
            for form in paper.get("devices", []):
                device = Device(**(form | {"seats": tuple(form["seats"])}))
                if self._clock() - device.seen <= FORGOTTEN:
                    self._devices[device.digest] = device
            self._names = {str(seat): str(name) for seat, name in paper.get("names", {}).items()}
        except (TypeError, KeyError, AttributeError) as error:
            raise PaperError(f"{self._path.name} is damaged ({error}): move it away") from None
        self._numbers = max((one.number for one in self._devices.values()), default=0)

    def _keep(self) -> None:
        devices = [vars(device) for device in self._devices.values()]
        try:
            write_paper(self._path, {"devices": devices, "names": self._names})
        except OSError as error:  # play goes on; after a restart phones scan again
            log.error("who sits where cannot be kept: %s", error)

    # being let in

    def admit(self) -> tuple[str, Device]:
        """A new device and the token for its cookie."""
        token = secrets.token_urlsafe(32)
        with self._lock:
            self._numbers += 1
            self._make_room()
            device = Device(self._numbers, digest_of(token), seen=self._clock())
            self._devices[device.digest] = device
            self._keep()
        return token, device

    def _make_room(self) -> None:
        """Whoever does nothing here and was not seen for longest has to scan again.

        Nobody who sits, is the host or has a page open ever goes for somebody new.
        """
        listening = set(self._listening())
        while len(self._devices) >= MOST_DEVICES:
            idle = [
                one
                for one in self._devices.values()
                if not one.seats and not self.is_host(one) and one.number not in listening
            ]
            if not idle:
                raise AwayError("api.table-full")
            del self._devices[min(idle, key=lambda one: one.seen).digest]

    def device(self, token: str) -> Device | None:
        """Whose token this is."""
        digest = digest_of(token)
        with self._lock:
            found = self._devices.get(digest)
            if found is None or not hmac.compare_digest(found.digest, digest):
                return None
            now = self._clock()
            if now - found.seen > 3600:  # kept on paper with the next change
                found = self._put(replace(found, seen=now))
            return found

    def now(self, device: Device) -> Device:
        """The device as it is now; as it was where it is gone."""
        with self._lock:
            return self._devices.get(device.digest, device)

    def forget(self, device: Device) -> None:
        with self._lock:
            gone = self._devices.pop(device.digest, device)
            self._change_hands(gone.seats)
            self._unname(gone.seats)

    def devices(self) -> tuple[Device, ...]:
        with self._lock:
            return tuple(self._devices.values())

    def _put(self, device: Device) -> Device:
        self._devices[device.digest] = device
        return device

    def _change(self, device: Device, **changes: Any) -> Device:
        """The device as it is now, with changes; NotYoursError if it is gone meanwhile."""
        with self._lock:
            now = self._devices.get(device.digest)
            if now is None:
                raise NotYoursError("api.stranger")
            changed = self._put(replace(now, **changes))
            self._keep()
            return changed

    # the host

    def is_host(self, device: Device) -> bool:
        return device.host_until > self._clock()

    def host_in(self, device: Device) -> Device:
        until = self._clock() + HOST_HOURS * 3600.0
        return self._change(device, host_until=until, was_host=True)

    def host_out(self, device: Device) -> Device:
        return self._change(device, host_until=0.0)

    def all_hosts_out(self, but: Device) -> None:
        """Whoever logged in with the old PIN has to know the new one."""
        with self._lock:
            for one in self.devices():
                if one.digest != but.digest:
                    self._put(replace(one, host_until=0.0, was_host=False))
            self._keep()

    # seats

    def holders(self, seat: str) -> tuple[Device, ...]:
        return tuple(device for device in self.devices() if seat in device.seats)

    def hands(self, seat: str) -> int:
        """A number that changes with the people of a seat: what they gave out is good till then."""
        with self._lock:
            return self._hands.get(seat, self._match)

    def _change_hands(self, seats: Iterable[str]) -> None:
        self._changes += 1
        self._hands |= dict.fromkeys(seats, self._changes)

    def take(self, device: Device, seat: str, *, invited: int | None = None) -> Device:
        """Sit down; on a seat that is held only if its present holder shared it.

        `invited` is what `hands` said when the invitation was given.
        """
        with self._lock:
            now = self._devices.get(device.digest, device)
            if seat in now.seats:
                return now
            if invited is not None and invited != self.hands(seat):
                raise NotYoursError("api.ticket-used")
            held = bool(self.holders(seat))
            if held and invited is None:
                raise ConflictError("api.seat-taken", seat=seat)
            changed = self._change(device, seats=(*now.seats, seat))
            if not held:
                self._change_hands((seat,))
            return changed

    def leave(self, device: Device, seat: str) -> Device:
        with self._lock:
            now = self._devices.get(device.digest, device)
            if seat not in now.seats:
                raise NotYoursError("api.seat-not-held", seat=seat)
            left = tuple(one for one in now.seats if one != seat)
            changed = self._change(device, seats=left)
            self._change_hands((seat,))
            self._unname((seat,))
            return changed

    def free(self, seat: str) -> None:
        """The host frees a seat: its phone is dead, or its people have gone."""
        with self._lock:
            for device in self.holders(seat):
                left = tuple(one for one in device.seats if one != seat)
                self._put(replace(device, seats=left))
            self._change_hands((seat,))
            self._unname((seat,))

    def _unname(self, seats: Iterable[str]) -> None:
        """A name goes with its person: nobody inherits it, not from the match's papers either."""
        self._names |= {seat: "" for seat in seats if not self.holders(seat)}
        self._keep()

    def moved(self, places: Mapping[str, str]) -> None:
        """Players have changed places: each device and name goes with its person."""
        with self._lock:
            for device in self.devices():
                seats = tuple(places.get(seat, seat) for seat in device.seats)
                self._put(replace(device, seats=seats))
            self._names = {places.get(seat, seat): name for seat, name in self._names.items()}
            self._change_hands({*places, *places.values()})
            self._keep()

    def only(self, seats: Iterable[str]) -> None:
        """A new match has these seats; whoever sat elsewhere stands."""
        kept = set(seats)
        with self._lock:
            for device in self.devices():
                left = tuple(one for one in device.seats if one in kept)
                self._put(replace(device, seats=left))
            self._names = {seat: name for seat, name in self._names.items() if seat in kept}
            self._changes += 1
            self._match, self._hands = self._changes, {}
            self._keep()

    # names

    def name(self, seat: str) -> str:
        with self._lock:
            return self._names.get(seat, "")

    def called(self, seat: str) -> str | None:
        """The name that was given; empty once its person has gone, None where there was none."""
        with self._lock:
            return self._names.get(seat)

    def call(self, seat: str, name: str) -> None:
        cleaned = clean_name(name)
        with self._lock:
            self._names[seat] = cleaned
            self._keep()
