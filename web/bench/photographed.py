"""A clumsy evening in front of a camera: pictures read, lights decoded from the controller's pin.

Times of the serial line are the controller's own; all others are this machine's.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from hardware.boards import Board
from referee.events import Event, Seen, Tapped
from referee.game import Sight
from referee.lights import wanted
from referee.match import Match
from referee.plays import Play
from referee.views import public, seat_view
from web.bench.clumsy import Evening, LostError
from web.bench.evenings import Spec
from web.bench.rig import Rig, Times
from web.journal import Journal

CLUMSY = 0.03
STUBBORN = 4  # looks at a board the camera is not sure of
DOUBTED = ("still", "lifted", "unfinished", "unsure")  # as far as an open cell can hide a mistake
LEFT_OPEN = "unseeable: the camera is not sure of it"
TOLD = 20.0  # seconds between two words on how far a game is


class Over(Exception):  # noqa: N818 - an end, not a fault
    """One game has been played."""


class OneGame(Evening):
    """An evening that ends with its first game."""

    def finished(self) -> None:
        super().finished()
        raise Over

    def play_one(self) -> None:
        try:
            self.play()
        except Over:
            return


class Photographed(OneGame):
    """The same evening, seen by a camera and shown by lights from some turn on."""

    def __init__(self, spec: Spec, seed: int, journal: Path, first_turn: int = 0) -> None:
        self.rig: Rig | None = None
        self.first_turn = first_turn
        self.times: list[Times] = []
        self.unsure = self.tapped = 0
        self.unseen = 0  # turns played before the camera was there
        self.carried: Match | None = None  # as it stood when the play that is under way began
        super().__init__(spec, seed, CLUMSY)
        self.journal = Journal.open(journal)
        self.journal.append(self.events[0])

    def close(self) -> None:
        self.journal.close()
        if self.rig is not None:
            self.rig.close()

    @property
    def photographed(self) -> Rig | None:
        """The rig, once the game has come far enough."""
        if self.rig is None and self.match.turns >= self.first_turn:
            setup = self.match.setup
            self.rig = Rig.of(setup.board, setup.house_entry)
            self.rig.light(wanted(self.table))
            self.unseen = self.match.turns
        return self.rig

    def note(self, mishap: str, outcome: str) -> None:
        if self.rig is not None:  # what no camera saw is not counted
            super().note(mishap, outcome)

    def look(self, wait: float = 0.2, unsure: tuple[str, ...] = ()) -> None:
        rig = self.photographed
        if rig is None:
            super().look(wait, unsure)
            return
        for again in range(STUBBORN):
            before = rig.pictures
            seen = rig.see(self.wood.pieces())
            self.clock += (rig.pictures - before) / 10.0 + (4.0 if again else 0.0)
            self.unsure += bool(seen.unsure)
            self.left_open = bool(seen.unsure)
            self.must(seen, wait)
            if self.table.stage != "unsure":
                return

    def cannot_stand(self, sight: Sight) -> str:
        """Where two pieces would share a hole, no hand has come to rest."""
        crowded = self.rig is not None and shared_holes(self.rig.board, sight)
        return "a hole holds one piece" if crowded else ""

    def settled_expectation(self, why: str) -> None:
        if self.expected is not None and self.left_open and self.table.stage in DOUBTED:
            self.note(self.expected.name, LEFT_OPEN)
            self.expected = None
        super().settled_expectation(why)

    def carry_out(self, play: Play) -> None:
        self.carried = self.match
        super().carry_out(play)
        self.carried = None

    def lay(self, match: Match, card: str) -> None:
        """Where cells were left open, the play may have been taken a step before its end."""
        at_first = self.carried or match
        super().lay(at_first, at_first.card or card)

    def settle(self, before: Match, play: Play) -> None:
        """A move that the camera leaves open is tapped, as the page asks people to."""
        before = self.carried or before
        try:
            super().settle(before, play)
        except LostError:
            if self.match is not before or not self.left_open:
                raise
            self.tapped += 1
            self.must(Tapped(seat=before.turn, play=play.text))
            self.look()
            super().settle(before, play)

    def send(self, event: Event, wait: float = 0.2) -> bool:
        rig, before = self.rig, self.match
        began = time.perf_counter()
        done = super().send(event, wait)
        umpire = time.perf_counter() - began
        if not done or rig is None:
            return done
        began = time.perf_counter()
        self.journal.append(replace(event, at=self.clock))
        journal = time.perf_counter() - began
        rig.light(wanted(self.table))
        began = time.perf_counter()
        json.dumps(public(self.table))
        for seat in self.match.order:
            json.dumps(seat_view(self.table, seat))
        page = time.perf_counter() - began
        if isinstance(event, Seen) and self.match.last is not before.last:
            self.times.append(Times(rig.reading, umpire, journal, rig.serial, page))
        return done


def shared_holes(board: Board, sight: Sight) -> set[str]:
    """The holes in which more than one piece would have to stand."""
    holes = {cell.id for cell in board.cells if cell.shape == "hole"}
    taken = Counter(cell for _, cell in sight.elements() if cell in holes)
    return {cell for cell, many in taken.items() if many > 1}


class Told(Photographed):
    """One that says how far it is."""

    def __init__(
        self, spec: Spec, seed: int, journal: Path, first_turn: int, turns: int, name: str
    ) -> None:
        self.name, self.turns_to_come = name, turns
        self.began = self.told = time.monotonic()
        super().__init__(spec, seed, journal, first_turn)

    def look(self, wait: float = 0.2, unsure: tuple[str, ...] = ()) -> None:
        super().look(wait, unsure)
        if time.monotonic() - self.told >= TOLD:
            self.told = time.monotonic()
            pictures = self.rig.pictures if self.rig else 0
            print(
                f"{self.name}: turn {self.match.turns} of about {self.turns_to_come}, "
                f"{pictures} pictures, {self.told - self.began:.0f} s",
                file=sys.stderr,
                flush=True,
            )


def length(spec: Spec, seed: int) -> int:
    """How many turns a game takes, or gets to."""
    ahead = OneGame(spec, seed, CLUMSY)
    with suppress(LostError):  # it is told when the same happens before the camera
        ahead.play_one()
    return ahead.match.turns


def played(spec: Spec, seed: int, before_end: int, journal: Path) -> dict[str, Any]:
    """The figures of one game; of its last turns only, if a number of them is given."""
    turns = length(spec, seed)
    first = max(0, turns - before_end) if before_end else 0
    name = f"{spec.label}, {spec.mode}, seed {seed}"
    chain, lost = Told(spec, seed, journal, first, turns, name), ""
    try:
        chain.play_one()
    except LostError as error:
        lost = str(error)
    except (ValueError, AssertionError) as error:  # the umpire believed what was not so
        lost = str(chain.lost(repr(error)))
    finally:
        chain.close()
    return figures_of(chain, lost) | {"name": name, "late": bool(before_end)}


def figures_of(chain: Told, lost: str) -> dict[str, Any]:
    outcomes = Counter(count.outcome.partition(":")[0] for count in chain.counts.elements())
    rig = chain.rig
    return {
        "game": chain.spec.game,
        "turns": chain.match.turns - chain.unseen,
        "false": chain.false,
        "odd": chain.odd,
        "lost": lost,
        "wrong_winner": chain.wrong_winners,
        "outcomes": outcomes,
        "open": sum(n for count, n in chain.counts.items() if count.outcome == LEFT_OPEN),
        "unsure": chain.unsure,
        "tapped": chain.tapped,
        "pictures": rig.pictures if rig else 0,
        "misread": list(rig.misread) if rig else [],
        "checks": rig.checks if rig else 0,
        "wrong_lights": rig.wrong_lights if rig else 0,
        "times": chain.times,
        "seconds": time.monotonic() - chain.began,
        "spent": dict(rig.spent) if rig else {},
    }
