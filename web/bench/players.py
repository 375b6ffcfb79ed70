"""Players who want to win: what a play is worth to them, quickly."""

from __future__ import annotations

import random
from functools import lru_cache

from hardware import boards
from hardware.boards.barricades import GOAL, neighbours
from referee.game import Setup, Sight
from referee.match import Match
from referee.plays import HOME, Play

LOOKED_AT = 40  # plays weighed at a turn


@lru_cache(maxsize=128)
def worth(setup: Setup) -> dict[tuple[str, str], float]:
    """How good it is for a seat's piece to stand on a cell."""
    if setup.game == "tijou":
        return on_tijou(setup)
    if setup.game == "barricades":
        return on_barricades(setup)
    if setup.game == "trikolos":
        rows = {f"{c}{r}": r for c in "abcdef" for r in range(1, 7)}
        up = {("white", cell): 1.0 + row for cell, row in rows.items()}
        down = {("black", cell): 8.0 - row for cell, row in rows.items()}
        return up | down | {(seat, HOME): 14.0 for seat in setup.seats}
    return on_cross(setup)


def on_cross(setup: Setup) -> dict[tuple[str, str], float]:
    board = boards.board(setup.board, setup.house_entry)
    ring = [cell.id for cell in board.of_kind("ring")]
    found = {}
    for seat in setup.seats:
        start = ring.index(f"{seat}18")
        for n in range(len(ring)):
            found[seat, ring[(start + n) % len(ring)]] = 12.0 + 60.0 * n / len(ring)
        for n in range(1, 5):
            found[seat, f"{seat}h{n}"] = 90.0 + 8.0 * n
    return found


def on_tijou(setup: Setup) -> dict[tuple[str, str], float]:
    shares = dict(setup.shares)
    found = {}
    for seat in setup.seats:
        host = shares.get(seat, seat)
        sortie = {"a": 1, "b": 10, "c": 19, "d": 28}[host]
        for cell in range(1, 37):
            found[seat, str(cell)] = 15.0 + (cell - sortie - 1) % 36 / 2 + 25.0 * (cell == sortie)
        found[seat, f"A-{host}"] = 90.0
    return found


def on_barricades(setup: Setup) -> dict[tuple[str, str], float]:
    distance, edge = {GOAL: 0}, [GOAL, *neighbours(GOAL)]
    distance[edge[1]] = 1
    for cell in edge:
        for other in neighbours(cell):
            if other not in distance:
                distance[other] = distance[cell] + 1
                edge.append(other)
    found = {(seat, cell): 60.0 - far for seat in setup.seats for cell, far in distance.items()}
    return found | {(seat, GOAL): 999.0 for seat in setup.seats}


def value(match: Match, seat: str, sight: Sight) -> float:
    table, mates = worth(match.setup), match.setup.mates(seat)
    total = 0.0
    for standing, many in sight.items():
        gain = table.get(standing, 0.0) * many
        if standing[0] == seat or standing[0] in mates:
            total += gain
        else:
            total -= gain * 0.3
    return total


def best(match: Match, seat: str, plays: list[Play], rng: random.Random) -> Play:
    """The play a sensible player would choose, not always the same."""
    some = plays if len(plays) <= LOOKED_AT else rng.sample(plays, LOOKED_AT)
    weighed = [
        (value(match, seat, match.game.sight(match.setup, play.position)) + 4 * rng.random(), n)
        for n, play in enumerate(some)
    ]
    return some[max(weighed)[1]]
