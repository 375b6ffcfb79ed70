"""How quickly a still board is judged: every one of a clumsy evening, as it occurs.

The unit is the building of the table of plays of the same position, taken beside it.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

from referee import events
from referee.events import Event
from referee.lights import wanted
from referee.match import Match
from referee.table import Table
from referee.umpire import step
from web.bench.clumsy import Evening
from web.bench.evenings import Spec

BOARDS = 400  # timed of each game and round
AGAIN = 3  # times each is taken; what else the computer does is left out
EARLY = "early"  # no card is named yet, so there is no table to compare with


class Timing(NamedTuple):
    came_to: str  # the stage, or that a play was taken
    seconds: float
    ratio: float | None


def pace(specs: list[Spec], seed: int, rounds: int) -> dict[str, Any]:
    """The median ratio of each game, and each kind of step apart."""
    ratios, rows = {}, []
    for game in dict.fromkeys(spec.game for spec in specs):
        chosen = [spec for spec in specs if spec.game == game]
        timings = [one for n in range(rounds) for one in timed(chosen[n % len(chosen)], seed + n)]
        compared = [one.ratio for one in timings if one.ratio is not None]
        ratios[game] = round(statistics.median(compared), 2) if compared else 0.0
        rows += by_kind(game, timings)
    return {"step_vs_table": ratios, "steps": rows}


def by_kind(game: str, timings: Iterable[Timing]) -> list[dict[str, Any]]:
    kinds: dict[str, list[Timing]] = {}
    for one in timings:
        kinds.setdefault(one.came_to, []).append(one)
    rows = []
    for kind, found in sorted(kinds.items()):
        spent = sorted(one.seconds * 1000 for one in found)
        ratios = [one.ratio for one in found if one.ratio is not None]
        rows.append(
            {
                "game": game,
                "came_to": kind,
                "boards": len(found),
                "ratio": round(statistics.median(ratios), 2) if ratios else 0.0,
                "p99_ms": round(spent[(len(spent) - 1) * 99 // 100], 2),
                "max_ms": round(spent[-1], 2),
            }
        )
    return rows


def timed(spec: Spec, seed: int) -> list[Timing]:
    """The boards of one clumsy evening, or of its beginning."""
    evening = Timed(spec, seed)
    evening.set_up()
    while evening.match.phase != "over" and len(evening.timings) < BOARDS:
        evening.goes_on()
    return evening.timings


class Timed(Evening):
    """An evening that looks at the clock at each board it shows."""

    def __init__(self, spec: Spec, seed: int) -> None:
        self.timings: list[Timing] = []
        super().__init__(spec, seed)

    def send(self, event: Event, wait: float = 0.2) -> bool:
        if isinstance(event, events.Seen):
            before, board = self.table, replace(event, at=self.clock + wait)
            compared = before.match.phase == "move"
            table = min(building(before.match) for _ in range(AGAIN)) if compared else None
            spent = min(judging(before, board) for _ in range(AGAIN))
            after, _ = step(before, board)
            taken = after.match is not before.match
            came_to = "played" if taken else after.stage if table else EARLY
            self.timings.append(Timing(came_to, spent, spent / table if table else None))
        return super().send(event, wait)


def judging(table: Table, board: Event) -> float:
    """A step and its lights; of the match only its table of plays is worked out before."""
    match = table.match.but()
    if match.phase == "move":
        _ = match.lookup
    fresh = table.but(match=match)
    began = time.perf_counter()
    after, _ = step(fresh, board)
    wanted(after)
    return time.perf_counter() - began


def building(match: Match) -> float:
    """The table of plays of the announced card, built afresh."""
    began = time.perf_counter()
    fresh = match.but()
    _ = fresh.lookup
    return time.perf_counter() - began
