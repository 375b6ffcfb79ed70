"""What the web needs of the house, in one place: the table, who is let in, what is plugged in."""

from __future__ import annotations

import logging
import secrets
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from referee.events import Event, Pairs, Seated
from web.chairs import Chairs
from web.eyes import Eyes
from web.house import House
from web.journal import Journal
from web.journal_words import repair_text
from web.lamps import Lamps
from web.machine.computer import Computer
from web.machine.network import own_address
from web.owner import Moment
from web.papers import read_paper, write_paper
from web.photos import Photos
from web.pin import Pin
from web.presence import Presence
from web.settings import Config, HostSettings, HouseRules
from web.streams import Hub
from web.tickets import Often, Tickets, is_code, new_code
from web.wizard import Wizard

log = logging.getLogger(__name__)

PIN_FILE, DOOR_FILE, CHAIRS_FILE = "host.json", "door.json", "chairs.json"
THREADS = 80
SPARE = 12  # threads that are kept for questions, not for streams
GUESSES = (10, 60.0)  # of the table's code from one place, and in how many seconds
COMINGS = (60, 600.0)  # new phones from one place: a club may stand behind one address


@dataclass(frozen=True)
class State:
    """One part of the table: whether it is there, and the key of what is said of it."""

    there: bool
    key: str
    facts: dict[str, Any] = field(default_factory=dict)


@dataclass
class Fittings:
    """What is plugged in; each may be missing."""

    eyes: Eyes | None = None
    lamps: Lamps | None = None
    photos: Photos | None = None
    wizard: Wizard | None = None


class Reception:
    """Made once for an application."""

    def __init__(
        self,
        house: House,
        config: Config,
        fittings: Fittings | None = None,
        settings: HostSettings | None = None,
    ) -> None:
        self.house = house
        self.config = config
        self.fittings = fittings or Fittings()
        self.chance = house.chance
        self.boot = secrets.token_hex(4)
        self.hub = Hub(THREADS - SPARE)
        self.chairs = Chairs(config.data / CHAIRS_FILE, time.time, self.hub.pages)
        self.pin = Pin(config.data / PIN_FILE, time.monotonic)
        self.settings = settings or HostSettings.load(
            config.data / "settings.json", config.language
        )
        self.rules = HouseRules(config.data / "rules.json")
        self.tickets = Tickets(time.monotonic, door_code(config.data / DOOR_FILE))
        self.port = config.port
        self.virtual = False  # whether a virtual table stands in for camera and lights
        self.computer = Computer()
        self.guesses = Often(time.monotonic, *GUESSES)
        self.comings = Often(time.monotonic, *COMINGS)
        self.presence = Presence(self.hub, self.chairs, house.nudge)
        house.listen(self.on_moment)

    def on_moment(self, moment: Moment) -> None:
        self.hub.publish(moment.version)
        if self.fittings.lamps is not None:
            self.fittings.lamps.show(moment)
        if self.fittings.photos is not None:
            self.fittings.photos.of_cases(moment)

    def say(self, event: Event) -> Moment:
        """An event to the table; people who change places take their phones with them."""
        before = self.house.now.table
        moment = self.house.say(event)
        if isinstance(event, Seated) and before is not None:
            seats = {person: seat for seat, person in event.persons}
            self.chairs.moved({seat: seats[person] for seat, person in before.match.persons})
            self.house.nudge()
        return moment

    def repair(self, lang: str) -> str:
        """What was found damaged in the journal at the start, and mended; empty if nothing was."""
        found = self.house.journal
        repair = found.repair if isinstance(found, Journal) else None
        return "" if repair is None else repair_text(repair, lang)

    def renew_code(self) -> str:
        """Another code for the table: what was printed before lets nobody in any more."""
        code = self.tickets.renew_code()
        keep_code(self.config.data / DOOR_FILE, code)
        return code

    # the camera

    def sees(self, board: str) -> bool:
        """Whether a match on this board can be watched."""
        eyes = self.fittings.eyes
        return eyes is not None and eyes.learned(board)

    def watch(self, on: bool) -> None:
        eyes = self.fittings.eyes
        if eyes is not None:
            (eyes.open if on else eyes.close)()

    def lying(self, board: str) -> Pairs:
        """The pieces that the camera sees on a board, by their cells."""
        eyes = self.fittings.eyes
        return eyes.lying(board) if eyes is not None else ()

    # addresses

    @property
    def address(self) -> str:
        """Where phones find the table: by number, since names often fail on guest networks."""
        host = self.config.host if self.config.host not in ("", "0.0.0.0", "::") else own_address()  # noqa: S104
        host = f"[{host}]" if ":" in host else host
        return f"http://{host}" + ("" if self.port == 80 else f":{self.port}")

    def invitation(self) -> dict[str, str]:
        """How others get in, for the QR on the screen."""
        url = f"{self.address}/join/{self.tickets.table}"
        picture = f"/qr.svg?ticket={self.tickets.table}"
        return {
            "url": url, "qr": picture, "code": self.tickets.code, "address": self.address,
            "name": self.config.name,
        }  # fmt: skip

    # what is there

    def health(self, moment: Moment) -> dict[str, State]:
        return {"camera": self._camera(), "lights": self._lights(), "journal": journal(moment)}

    def _camera(self) -> State:
        if self.fittings.eyes is None:
            return State(False, "camera.absent")
        sight = self.fittings.eyes.sight
        return State(sight.works, f"camera.{sight.word}", dict(sight.facts))

    def _lights(self) -> State:
        lamps = self.fittings.lamps
        if lamps is None:
            return State(False, "lights.absent")
        status = lamps.status
        if status is None or not (status.connected or status.problem):
            return State(False, "lights.starting")
        if status.connected:
            return State(True, "lights.there", {"said": status.said})
        return State(False, f"lights.{status.word or 'trouble'}", {"why": status.problem})


def door_code(path: Path) -> str:
    """The table's code: the same after a restart, since it may hang printed on the wall."""
    code = read_paper(path).get("code", "")
    if is_code(code):
        return str(code)
    code = new_code()
    keep_code(path, code)
    return code


def keep_code(path: Path, code: str) -> None:
    try:
        write_paper(path, {"code": code})
    except OSError as error:  # after a restart it will be another
        log.error("the table's code cannot be kept: %s", error)


def journal(moment: Moment) -> State:
    if not moment.unrecorded:
        return State(True, "journal.there")
    return State(False, f"journal.{moment.unrecorded}")
