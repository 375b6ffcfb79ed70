"""What went wrong at a table: each case with what was seen, the rule, and what became of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal

from referee.plays import Refusal
from referee.value import Value

Kind = Literal[
    "illegal-move",  # a move no card of this seat allows
    "wrong-card",  # right for another card than the one announced
    "wrong-count",  # too far, or not far enough
    "short-seven",  # part of a seven left unwalked
    "left-standing",  # a captured piece still on the board
    "unfinished",  # something else of the play not done
    "others-pawn",  # somebody else's piece moved
    "out-of-turn",  # a move of another seat than the one whose turn it is
    "wrong-camp",  # a captured piece put into another's camp
    "moved-between",  # a piece nudged while nothing was to be moved
    "two-moved",  # more pieces moved than a play moves
    "missing",  # a piece is gone
    "impossible-card",  # a card that is known to be elsewhere
    "must-play",  # gave up though something could be played
    "by-hand",  # raised by a player
]
SEVERITIES = ("teaching", "friendly", "tournament")
IN_TIME = {"teaching": 600.0, "friendly": 60.0, "tournament": 20.0}  # seconds to mend a slip
DECISIONS = ("nothing", "slip", "warning", "penalty")  # the mildest first


@dataclass(frozen=True)
class Case(Value):
    """One irregularity."""

    number: int
    kind: Kind
    seat: str  # whose turn it was, or who is accused
    reasons: tuple[Refusal, ...] = ()
    opened: float = 0.0
    turns: int = 0  # which turn of the match
    before: str = ""  # the pictures' references
    after: str = ""
    raised_by: str = ""  # a seat, or nobody: the umpire saw it
    mended: float | None = None  # when the board was put right
    decision: str = ""
    votes: tuple[tuple[str, str], ...] = ()

    @property
    def open(self) -> bool:
        return not self.decision

    @property
    def on_board(self) -> bool:
        """Whether the board still shows what was wrong."""
        return self.mended is None and not self.raised_by

    def took(self) -> float | None:
        return None if self.mended is None else self.mended - self.opened


def mended(case: Case, at: float, severity: str) -> Case:
    """Put right: in time it was a slip; later the host has the word."""
    if case.mended is not None:
        return case
    in_time = at - case.opened <= IN_TIME[severity] and not case.raised_by
    return case.but(mended=at, decision=case.decision or ("slip" if in_time else ""))


def voted(case: Case, seat: str, decision: str, voters: int) -> Case:
    """A vote: what more than half of the voters share is decided.

    When all have voted and agree on nothing, it is the mildest of what most of them chose.
    """
    votes = tuple(sorted((dict(case.votes) | {seat: decision}).items()))
    counts = Counter(choice for _, choice in votes)
    most = max(counts.values())
    mildest = min((one for one in counts if counts[one] == most), key=DECISIONS.index)
    decided = most * 2 > voters or len(votes) == voters
    return case.but(votes=votes, decision=mildest if decided else "")
