"""Everything that can happen at a table: the words the umpire understands and the journal keeps.

Randomness (lots, shuffles, throws) comes in as events, so a real deck, a phone's deck and a
recorded evening are the same thing. Every event reads back from its JSON form.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, get_type_hints

from referee.plays import RefereeError

Pairs = tuple[tuple[str, str], ...]
Cards = tuple[str, ...]
Teams = tuple[tuple[str, ...], ...]
Chosen = tuple[tuple[str, str | bool], ...]
FOREVER = 1e12  # seconds; no clock is as late


@dataclass(frozen=True)
class Event:
    """Something that happened, `at` so many seconds on the table's clock."""

    kind: ClassVar[str] = ""
    at: float = 0.0


# who plays, and how


@dataclass(frozen=True)
class Opened(Event):
    """A match begins: which game, who sits where, how cards are handled, how strict."""

    kind: ClassVar[str] = "opened"
    game: str = ""
    board: str = ""
    seats: Cards = ()
    house_entry: int = 16
    teams: Teams = ()
    options: Chosen = ()
    shares: Pairs = ()
    mode: str = "real"
    severity: str = "friendly"
    persons: Pairs = ()  # (seat, person): points follow the person
    tiles: Cards = ()  # Trikolos: the rows as they lie, and the spare last
    camera: bool = True
    host: bool = True  # without one the table votes


@dataclass(frozen=True)
class Seated(Event):
    """Before the next game of a match: who sits where now, and with whom."""

    kind: ClassVar[str] = "seated"
    persons: Pairs = ()
    teams: Teams = ()
    shares: Pairs = ()


@dataclass(frozen=True)
class Lots(Event):
    """Who deals first, or begins; with what everybody drew or threw, where that decides."""

    kind: ClassVar[str] = "lots"
    seat: str = ""
    drawn: Pairs = ()


# cards and dice


@dataclass(frozen=True)
class Shuffled(Event):
    """The pile, top card first; without cards where a real deck was shuffled by hand."""

    kind: ClassVar[str] = "shuffled"
    cards: Cards = ()


@dataclass(frozen=True)
class Dealt(Event):
    """A deal, of so many cards where the dealer may choose."""

    kind: ClassVar[str] = "dealt"
    seat: str = ""
    size: int = 0


@dataclass(frozen=True)
class Declared(Event):
    """A player says, to the referee alone, which cards of a real deck are in the hand."""

    kind: ClassVar[str] = "declared"
    seat: str = ""
    cards: Cards = ()


@dataclass(frozen=True)
class Gave(Event):
    """The card for the partner is chosen; with a real deck it may stay unnamed."""

    kind: ClassVar[str] = "gave"
    seat: str = ""
    card: str = ""


@dataclass(frozen=True)
class Announced(Event):
    """The card that is about to be played."""

    kind: ClassVar[str] = "announced"
    seat: str = ""
    card: str = ""


@dataclass(frozen=True)
class Withdrawn(Event):
    """The announced card goes back into the hand: nothing has been moved yet."""

    kind: ClassVar[str] = "withdrawn"
    seat: str = ""


@dataclass(frozen=True)
class Thrown(Event):
    kind: ClassVar[str] = "thrown"
    seat: str = ""
    value: int = 0


@dataclass(frozen=True)
class Discarded(Event):
    """Cards given up because none can be played."""

    kind: ClassVar[str] = "discarded"
    seat: str = ""
    cards: Cards = ()


@dataclass(frozen=True)
class PutDown(Event):
    """A card laid down without effect, because it cannot be carried out."""

    kind: ClassVar[str] = "put-down"
    seat: str = ""
    card: str = ""


@dataclass(frozen=True)
class Passed(Event):
    """Not playing: keeping the last cards, leaving an extra play, or unable to move."""

    kind: ClassVar[str] = "passed"
    seat: str = ""


@dataclass(frozen=True)
class Claimed(Event):
    """The same position for the third time: a draw is claimed."""

    kind: ClassVar[str] = "claimed"
    seat: str = ""


# the board


@dataclass(frozen=True)
class Seen(Event):
    """A still board as the camera reads it: (piece, cell) pairs, camps included."""

    kind: ClassVar[str] = "seen"
    pieces: Pairs = ()
    unsure: Cards = ()
    picture: str = ""


@dataclass(frozen=True)
class Hidden(Event):
    """A hand or a sleeve is over the board, or the camera sees nothing."""

    kind: ClassVar[str] = "hidden"
    why: str = "hand"


@dataclass(frozen=True)
class Camera(Event):
    kind: ClassVar[str] = "camera"
    works: bool = True


@dataclass(frozen=True)
class Tick(Event):
    """Time passes."""

    kind: ClassVar[str] = "tick"


@dataclass(frozen=True)
class Tapped(Event):
    """A play chosen on a page, by its text: for tables without camera."""

    kind: ClassVar[str] = "tapped"
    seat: str = ""
    play: str = ""


@dataclass(frozen=True)
class Confirmed(Event):
    """The player says: that was my move."""

    kind: ClassVar[str] = "confirmed"
    seat: str = ""


@dataclass(frozen=True)
class Answered(Event):
    """An answer to the umpire's question, by the number of the choice."""

    kind: ClassVar[str] = "answered"
    seat: str = ""
    question: int = 0
    choice: int = 0


@dataclass(frozen=True)
class Adopted(Event):
    """The host takes what stands for the true position."""

    kind: ClassVar[str] = "adopted"


# going back, and quarrels


@dataclass(frozen=True)
class UndoAsked(Event):
    kind: ClassVar[str] = "undo-asked"
    seat: str = ""


@dataclass(frozen=True)
class Undone(Event):
    """The last play is taken back; `consent` where cards have been seen since."""

    kind: ClassVar[str] = "undone"
    consent: bool = False


@dataclass(frozen=True)
class Hinted(Event):
    """The player whose turn it is asks for a hint."""

    kind: ClassVar[str] = "hinted"
    seat: str = ""


@dataclass(frozen=True)
class Flagged(Event):
    """Somebody raises a flag by hand."""

    kind: ClassVar[str] = "flagged"
    seat: str = ""
    against: str = ""
    rule: str = ""


@dataclass(frozen=True)
class Ruled(Event):
    """The host decides a case of the dossier."""

    kind: ClassVar[str] = "ruled"
    case: int = 0
    decision: str = ""


@dataclass(frozen=True)
class Voted(Event):
    """One seat's vote on a case, where there is no host."""

    kind: ClassVar[str] = "voted"
    seat: str = ""
    case: int = 0
    decision: str = ""


@dataclass(frozen=True)
class Severity(Event):
    kind: ClassVar[str] = "severity"
    severity: str = "friendly"


@dataclass(frozen=True)
class Paused(Event):
    kind: ClassVar[str] = "paused"
    on: bool = True


@dataclass(frozen=True)
class Ended(Event):
    """The host ends the match early."""

    kind: ClassVar[str] = "ended"


KINDS: dict[str, type[Event]] = {
    kind.kind: kind
    for kind in globals().values()
    if isinstance(kind, type) and issubclass(kind, Event) and kind.kind
}


def write_event(event: Event) -> dict[str, Any]:
    """The JSON form, fields at their default left out."""
    form: dict[str, Any] = {"event": event.kind}
    for field in fields(event):
        value = getattr(event, field.name)
        if value != field.default:
            form[field.name] = value
    return form


def read_event(form: object) -> Event:
    """An event from its JSON form; whatever does not fit is said."""
    if not isinstance(form, Mapping) or form.get("event") not in KINDS:
        raise RefereeError(f"no such event: {form!r:.80}")
    kind = KINDS[form["event"]]
    hints = get_type_hints(kind)
    given = {}
    for name, value in form.items():
        if name == "event":
            continue
        if name not in {field.name for field in fields(kind)}:
            raise RefereeError(f'event "{kind.kind}" has no "{name}"')
        given[name] = fitted(value, hints[name], f"{kind.kind}.{name}")
    return kind(**given)


def fitted(value: Any, hint: Any, where: str) -> Any:
    """The value, lists turned to tuples, if it is of the kind that is needed."""
    if hint is float:
        if type(value) not in (int, float) or not abs(value) < FOREVER:
            raise RefereeError(f"{where}: a number of seconds is needed, not {value!r:.40}")
        return float(value)
    if hint in (str, int, bool):
        if type(value) is not hint:
            raise RefereeError(f"{where}: {hint.__name__} needed, not {value!r:.40}")
        return value
    if not isinstance(value, (list, tuple)):
        raise RefereeError(f"{where}: a list is needed, not {value!r:.40}")
    found = tuple(tuple(one) if isinstance(one, list) else one for one in value)
    for one in found:
        inner = one if isinstance(one, tuple) else (one,)
        if not all(isinstance(part, (str, bool)) for part in inner):
            raise RefereeError(f"{where}: a list of names is needed")
    pairs = all(isinstance(one, tuple) and len(one) == 2 for one in found)
    if hint in (Pairs, Chosen) and not (pairs and all(isinstance(one[0], str) for one in found)):
        raise RefereeError(f"{where}: a list of pairs is needed")
    if hint not in (Cards, Chosen) and any(type(part) is bool for one in found for part in one):
        raise RefereeError(f"{where}: a list of names is needed")
    if hint == Teams and not all(isinstance(one, tuple) for one in found):
        raise RefereeError(f"{where}: a list of teams is needed")
    if hint == Cards and not all(isinstance(one, str) for one in found):
        raise RefereeError(f"{where}: a list of names is needed")
    return found
