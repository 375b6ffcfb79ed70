"""The umpire before a clumsy table: what it flags, what it must not, who wins; and how quickly."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from referee.games import game as game_named
from web.bench.clumsy import Count, Evening, LostError
from web.bench.evenings import SPECS, Spec
from web.bench.pace import pace

GAMES = 2000
ROUNDS = 5
SHOWN = 20  # of what went wrong


def describe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--only", default="", help="only games, seats or modes with this in them")


def measure(options: dict[str, Any]) -> dict[str, Any]:
    specs = [spec for spec in SPECS if options.get("only", "") in f"{spec.label} {spec.mode}"]
    if not specs:
        raise ValueError(f'no such evenings: "{options["only"]}"')
    games, seed = options.get("games") or GAMES, options.get("seed") or 1
    work: list[tuple[Spec, int]] = []
    while sum(game_named(spec.game).flow.games for spec, _ in work) < games:
        work.append((specs[len(work) % len(specs)], seed * 1_000_000 + len(work)))
    counts: Counter[Count] = Counter()
    false: list[str] = []
    lost: list[str] = []
    odd: list[str] = []
    wrong = finished = turns = 0
    for done in played(work, options.get("processes") or 1):
        counts.update(done["counts"])
        false += done["false"]
        lost += done["lost"]
        odd += done["odd"]
        wrong += done["wrong"]
        finished += done["games"]
        turns += done["turns"]
    rounds = options.get("rounds") or ROUNDS
    return summed(counts) | {
        "games": finished,
        "evenings": len(work),
        "turns": turns,
        "false_flags": len(false),
        "wrong_winners": wrong,
        "lost": len(lost),
        **pace(specs, seed, rounds),
        "details": (false + lost + odd)[:SHOWN],
    }


def played(work: list[tuple[Spec, int]], processes: int) -> Iterable[dict[str, Any]]:
    """Every evening's figures as they come, with a word on how far it is."""
    began, told = time.monotonic(), 0
    with ProcessPoolExecutor(processes) as pool:
        for n, done in enumerate(pool.map(evening, work, chunksize=4), 1):
            yield done
            if sys.stderr.isatty() or n - told >= 100:
                told = n
                print(
                    f"{n} of {len(work)} evenings, {time.monotonic() - began:.0f} s",
                    file=sys.stderr,
                    end="\r" if sys.stderr.isatty() else "\n",
                )


def evening(one: tuple[Spec, int]) -> dict[str, Any]:
    """One evening; if the umpire and the table lose each other, that is said."""
    spec, seed = one
    table = Evening(spec, seed)
    lost = []
    try:
        table.play()
    except LostError as error:
        lost.append(str(error))
    except (ValueError, AssertionError) as error:  # the umpire believed what was not so
        lost.append(str(table.lost(str(error))))
    return {
        "counts": table.counts,
        "false": table.false,
        "lost": lost,
        "odd": table.odd,
        "wrong": table.wrong_winners + len(lost),
        "games": table.games,
        "turns": table.turns,
    }


def summed(counts: Counter[Count]) -> dict[str, Any]:
    """The totals, and a row for each game and kind of mishap."""
    rows: dict[tuple[str, str], Counter[str]] = {}
    unseeable: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for count, many in counts.items():
        what, _, why = count.outcome.partition(": ")
        rows.setdefault((count.game, count.mishap), Counter())[what] += many
        if what == "unseeable":
            unseeable[f"{count.mishap}: {why}"] += many
        elif what != "right":
            wrong[f"{count.mishap}: {count.outcome}"] += many
    total = sum(rows.values(), Counter())
    return {
        "irregularities": sum(total.values()) - total["unseeable"],
        "flagged_right": total["right"],
        "missed": total["missed"],
        "wrong_kind": total["wrong kind"],
        "unseeable": dict(sorted(unseeable.items())),
        "not_right": dict(sorted(wrong.items())),
        "by_kind": [
            {"game": game, "mishap": mishap, **dict(row)}
            for (game, mishap), row in sorted(rows.items())
        ],
    }


# for people


def table(figures: dict[str, Any]) -> str:
    rows = [
        f"{figures['games']} games in {figures['evenings']} matches, {figures['turns']} turns",
        f"irregularities that can be seen {figures['irregularities']}, "
        f"flagged with the right kind {figures['flagged_right']}, "
        f"missed {figures['missed']}, wrong kind {figures['wrong_kind']}",
        f"legal play flagged {figures['false_flags']}, wrong winners {figures['wrong_winners']}, "
        f"matches lost {figures['lost']}",
        "",
        f"{'game':<16}{'mishap':<26}{'right':>8}{'missed':>8}{'other':>8}{'unseeable':>11}",
    ]
    rows += [
        f"{row['game']:<16}{row['mishap']:<26}{row.get('right', 0):>8}"
        f"{row.get('missed', 0):>8}{row.get('wrong kind', 0):>8}{row.get('unseeable', 0):>11}"
        for row in figures["by_kind"]
    ]
    rows += ["", "cannot be seen, and why"]
    rows += [f"  {many:>6}  {why}" for why, many in figures["unseeable"].items()]
    rows += ["", "a step in units of its position's table of plays, median"]
    rows += [f"  {game:<16}{value:>6.2f}" for game, value in figures["step_vs_table"].items()]
    rows += [
        "",
        f"{'a step, by what it came to':<32}{'boards':>8}{'ratio':>8}{'p99 ms':>9}{'max ms':>9}",
    ]
    rows += [
        f"  {row['game']:<16}{row['came_to']:<14}{row['boards']:>8}{row['ratio']:>8.2f}"
        f"{row['p99_ms']:>9.1f}{row['max_ms']:>9.1f}"
        for row in figures["steps"]
    ]
    for name in ("not_right", "details"):
        rows += [f"  {one}" for one in figures[name]]
    return "\n".join(rows) + "\n"
