"""Whole games through everything: pictures, watcher, umpire, journal, bridge, firmware, pages.

A clumsy table plays; its boards are photographed by the virtual camera and read, its lights are
decoded from the emulated controller's pin after every step. Times of the serial line are the
controller's own; all others are this machine's.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import astuple, fields, replace
from pathlib import Path
from statistics import median
from typing import Any

import cv2

from referee.events import Event, Seen, Tapped
from referee.lights import wanted
from referee.match import Match
from referee.plays import Play
from referee.views import public, seat_view
from web.bench.clumsy import Evening, LostError
from web.bench.evenings import SPECS, Spec
from web.bench.rig import Rig, Times
from web.journal import Journal

CLUMSY = 0.03
LATE = 50  # games joined shortly before their end
LAST_TURNS = 8
STUBBORN = 4  # looks at a board the camera is not sure of
GAMES = ("tijou", "tockcitan", "tockcitan-team", "tock-fadoq", "tock-globe", "barricades",
         "trikolos")  # fmt: skip


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


class Chain(OneGame):
    """The same evening, seen by a camera and shown by lights from some turn on."""

    def __init__(self, spec: Spec, seed: int, journal: Path, first_turn: int = 0) -> None:
        self.rig: Rig | None = None
        self.first_turn = first_turn
        self.times: list[Times] = []
        self.unsure = self.tapped = 0
        self.carried: Match | None = None  # as it stood when the play that is under way began
        self.open_cells: tuple[str, ...] = ()  # of the last look: nothing is claimed of them
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
        return self.rig

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
            self.open_cells = seen.unsure
            self.must(seen, wait)
            if self.table.stage != "unsure":
                return

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
            if self.match is not before or not self.open_cells:
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
        public_text = json.dumps(public(self.table))
        for seat in self.match.order:
            json.dumps(seat_view(self.table, seat))
        page = time.perf_counter() - began
        assert public_text
        if isinstance(event, Seen) and self.match.last is not before.last:
            self.times.append(Times(rig.reading, umpire, journal, rig.serial, page))
        return done


def describe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--late", type=int, help=f"games from late positions ({LATE})")
    parser.add_argument("--turns", type=int, help=f"the last turns of these ({LAST_TURNS})")
    parser.add_argument("--only", default="", help="only this game")


def spec_of(game: str, n: int) -> Spec:
    """Any of the seatings and modes of cards of a game."""
    found = [spec for spec in SPECS if spec.game == game]
    return found[n % len(found)]


def measure(options: Mapping[str, Any]) -> dict[str, Any]:
    cv2.setNumThreads(1)
    seed, only = options.get("seed") or 1, options.get("only") or ""
    games = [game for game in GAMES if not only or game == only]
    if not games:
        raise ValueError(f'no game "{only}"; there are: {", ".join(GAMES)}')
    whole = options.get("games")
    late = options.get("late")
    work = [(spec_of(game, seed + n), seed + n, 0) for n, game in enumerate(games)]
    work = work[: len(work) if whole is None else whole]
    for n in range(LATE if late is None else late):
        game = games[n % len(games)]
        work.append((spec_of(game, seed + n), 1000 + seed + n, options.get("turns") or LAST_TURNS))
    with tempfile.TemporaryDirectory() as folder:
        done = [figures_of(one) for one in run(work, Path(folder))]
    return summed(done)


def last_turn(spec: Spec, seed: int) -> int:
    """How many turns a game takes."""
    ahead = OneGame(spec, seed, CLUMSY)
    ahead.play_one()
    return ahead.match.turns


def run(work: list[tuple[Spec, int, int]], folder: Path) -> Iterator[tuple[Chain, str]]:
    for n, (spec, seed, before_end) in enumerate(work):
        first = max(0, last_turn(spec, seed) - before_end) if before_end else 0
        chain, lost = Chain(spec, seed, folder / f"{n}.sqlite", first), ""
        try:
            chain.play_one()
        except LostError as error:
            lost = str(error)
        finally:
            chain.close()
        yield chain, lost


def figures_of(one: tuple[Chain, str]) -> dict[str, Any]:
    chain, lost = one
    outcomes = Counter(count.outcome.partition(":")[0] for count in chain.counts.elements())
    rig = chain.rig
    return {
        "game": chain.spec.game,
        "turns": chain.match.turns,
        "false": chain.false,
        "lost": lost,
        "wrong_winner": chain.wrong_winners,
        "outcomes": outcomes,
        "unsure": chain.unsure,
        "tapped": chain.tapped,
        "pictures": rig.pictures if rig else 0,
        "misread": list(rig.misread) if rig else [],
        "checks": rig.checks if rig else 0,
        "wrong_lights": rig.wrong_lights if rig else 0,
        "times": chain.times,
    }


def summed(done: list[dict[str, Any]]) -> dict[str, Any]:
    times = [one for game in done for one in game["times"]]
    names = [one.name for one in fields(Times)]
    stages = {
        name: median([astuple(one)[n] for one in times]) if times else 0.0
        for n, name in enumerate(names)
    }
    total = sum(stages.values())
    least = stages["reading"] + stages["serial"]
    outcomes: Counter[str] = sum((game["outcomes"] for game in done), Counter())
    return {
        "games": len(done),
        "turns": sum(game["turns"] for game in done),
        "pictures": sum(game["pictures"] for game in done),
        "irregularities": outcomes["right"] + outcomes["wrong kind"] + outcomes["missed"],
        "false_flags": sum(len(game["false"]) for game in done),
        "missed": outcomes["missed"],
        "wrong_kind": outcomes["wrong kind"],
        "wrong_winners": sum(game["wrong_winner"] for game in done),
        "lost": sum(bool(game["lost"]) for game in done),
        "light_checks": sum(game["checks"] for game in done),
        "wrong_lights": sum(game["wrong_lights"] for game in done),
        "misread_cells": sum(len(game["misread"]) for game in done),
        "looks_with_unsure_cells": sum(game["unsure"] for game in done),
        "moves_tapped": sum(game["tapped"] for game in done),
        "moves_timed": len(times),
        "stages_ms": {name: round(1000 * value, 3) for name, value in stages.items()},
        "stages": {name: round(value / total, 4) if total else 0.0
                   for name, value in stages.items()},
        "total_ms": round(1000 * total, 3),
        "vs_reading_plus_serial": round(total / least, 3) if least else 0.0,
        "details": [text for game in done for text in (*game["false"], game["lost"]) if text][:20],
        "misread": [text for game in done for text in game["misread"]][:20],
    }  # fmt: skip


def table(figures: Mapping[str, Any]) -> str:
    rows = [
        f"{figures['games']} games, {figures['turns']} turns, {figures['pictures']} pictures",
        f"irregularities {figures['irregularities']}, missed {figures['missed']}, of another kind "
        f"{figures['wrong_kind']}; false flags {figures['false_flags']}, wrong winners "
        f"{figures['wrong_winners']}, games lost {figures['lost']}",
        f"lights compared {figures['light_checks']} times, wrong {figures['wrong_lights']}",
        f"cells misread {figures['misread_cells']}, boards with unsure cells "
        f"{figures['looks_with_unsure_cells']}, moves tapped because of them "
        f"{figures['moves_tapped']}",
        "",
        f"from the frame that is read to lights and phones, medians of {figures['moves_timed']}:",
    ]
    rows += [
        f"  {name:<10}{figures['stages_ms'][name]:>10.2f} ms {share:>8.1%}"
        for name, share in figures["stages"].items()
    ]
    rows.append(f"  {'all':<10}{figures['total_ms']:>10.2f} ms, "
                f"{figures['vs_reading_plus_serial']:.2f} x reading and serial alone")  # fmt: skip
    rows += ["", *figures["details"], *figures["misread"]]
    return "\n".join(rows).rstrip() + "\n"
