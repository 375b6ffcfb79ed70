"""Everything the umpire knows at one moment: the match, the board as seen, what is asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from referee.dossier import Case
from referee.game import Sight
from referee.looks import Look
from referee.match import Match
from referee.plays import Play
from referee.value import Value
from referee.verdict import Fix

# what the board is doing
Stage = Literal[
    "still",  # as it should be
    "follow",  # the board has to catch up with the game: set-up, undo, a tap, a penalty
    "lifted",  # one piece in the hand
    "unfinished",  # part of a legal play
    "pending",  # a whole play, but one that could still go on
    "asking",  # more than one reading: a phone is asked
    "wrong",  # an irregular board
    "disturbed",  # too much moved at once
    "unsure",  # the camera cannot read enough of it
]
HISTORY = 30
EVERYBODY = ""


@dataclass(frozen=True)
class Notice:
    """Something to say: a text's key with its facts, to a seat or to everybody."""

    key: str
    facts: tuple[tuple[str, Any], ...] = ()
    to: str = EVERYBODY


def notice(key: str, to: str = EVERYBODY, **facts: Any) -> Notice:
    return Notice(key, tuple(facts.items()), to)


@dataclass(frozen=True)
class Choice:
    """One answer to a question: a card to name, a play, or yes and no."""

    text: str
    card: str = ""
    play: Play | None = None
    undo: bool = False


@dataclass(frozen=True)
class Question:
    number: int
    key: str
    to: str
    choices: tuple[Choice, ...]
    lasting: bool = False  # asked by a phone: a board in order is no answer


@dataclass(frozen=True)
class Penalty:
    """A piece that a cheat must take off, once the board shows it is gone."""

    case: int
    seat: str
    cell: str
    position: Any


@dataclass(frozen=True)
class Table(Value):
    match: Match
    severity: str = "friendly"
    camera: bool = True
    host: bool = True
    at: float = 0.0
    stage: Stage = "follow"
    ready: bool = False  # the board has stood right since this game began
    seen: Look | None = None
    picture: str = ""
    calm_picture: str = ""  # of the last board that was right
    since: float = 0.0  # when the stage began
    lifted: tuple[str, str] | None = None
    pending: Play | None = None
    way: Sight | None = None  # the last board seen that was part of a play
    to_do: tuple[Fix, ...] = ()
    put_right: tuple[Fix, ...] = ()
    question: Question | None = None
    questions: int = 0
    hint: Play | None = None  # that the player asked for
    notices: tuple[Notice, ...] = ()
    cases: tuple[Case, ...] = ()
    shown_case: int = 0  # the number of the one that the board shows
    penalty: Penalty | None = None
    history: tuple[Match, ...] = ()
    undo_asked: str = ""
    agreed: tuple[str, ...] = ()  # who has agreed to take back
    paused: bool = False
    hidden: str = ""  # why the camera sees no board

    @property
    def expected(self) -> Sight:
        """The board as it should stand."""
        if self.penalty is not None:
            return self.match.game.sight(self.match.setup, self.penalty.position)
        return self.match.sight

    @property
    def open_case(self) -> Case | None:
        """The case that the board still shows."""
        if not self.shown_case:
            return None
        return next(case for case in self.cases if case.number == self.shown_case)

    def with_case(self, case: Case) -> Table:
        others = tuple(one for one in self.cases if one.number != case.number)
        shown = self.shown_case if self.shown_case != case.number else 0
        return self.but(
            cases=tuple(sorted((*others, case), key=lambda one: one.number)),
            shown_case=case.number if case.on_board else shown,
        )

    def acting(self, before: Match, **changes: Any) -> Table:
        """After an act: how things stood is kept, and nobody asks any more about the one before."""
        forgotten = {"question": None, "undo_asked": "", "agreed": (), "hint": None}
        kept = (*self.history[1 - HISTORY :], before)
        return self.but(history=kept, **(forgotten | changes))

    def saying(self, *notices: Notice) -> Table:
        return self.but(notices=notices)

    def entering(self, stage: Stage, **changes: Any) -> Table:
        """Another stage of the board; what belonged to the one before is forgotten."""
        return self.but(**self.on_entering(stage, **changes))

    def on_entering(self, stage: Stage, **changes: Any) -> dict[str, Any]:
        since = self.since if stage == self.stage else self.at
        return CLEARED | {"stage": stage, "since": since} | changes


CLEARED: dict[str, Any] = {
    "lifted": None,
    "pending": None,
    "way": None,
    "to_do": (),
    "put_right": (),
    "question": None,
    "hint": None,
}
