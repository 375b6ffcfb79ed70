"""Whole games through everything: pictures, watcher, umpire, journal, bridge, firmware, pages.

A clumsy table plays; its boards are photographed by the virtual camera and read, its lights are
decoded from the emulated controller's pin after every step.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import astuple, fields
from pathlib import Path
from statistics import median
from typing import Any

import cv2

from web.bench.evenings import SPECS, Spec
from web.bench.photographed import played
from web.bench.rig import Times

LATE = 50  # games joined shortly before their end
LAST_TURNS = 8
SHOWN = 20  # of what went wrong
GAMES = ("tijou", "tockcitan", "tockcitan-team", "tock-fadoq", "tock-globe", "barricades",
         "trikolos")  # fmt: skip
Work = tuple[Spec, int, int]  # an evening, its seed, and how many turns before its end it is joined


def describe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--late", type=int, help=f"games from late positions ({LATE})")
    parser.add_argument("--turns", type=int, help=f"the last turns of these ({LAST_TURNS})")
    parser.add_argument("--only", default="", help="only this game")
    cores = os.cpu_count() or 1
    parser.add_argument("--workers", type=int, default=cores, help=f"games at once ({cores})")


def spec_of(game: str, n: int) -> Spec:
    """Any of the seatings and modes of cards of a game."""
    found = [spec for spec in SPECS if spec.game == game]
    return found[n % len(found)]


def measure(options: Mapping[str, Any]) -> dict[str, Any]:
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
    return summed(list(run(work, options.get("workers") or 1)))


def run(work: list[Work], workers: int) -> Iterator[dict[str, Any]]:
    """Every game's figures, in the order of the work, with a word on each as it ends."""
    began = time.monotonic()
    if workers < 2 or len(work) < 2:
        for n, one in enumerate(work, 1):
            yield said(game(one), n, len(work), began)
        return
    spawning = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=spawning) as pool:
        waiting = {pool.submit(game, one): n for n, one in enumerate(work)}
        done = {
            waiting[one]: said(one.result(), n, len(work), began)
            for n, one in enumerate(as_completed(waiting), 1)
        }
    for n in sorted(done):
        yield done[n]


def game(one: Work) -> dict[str, Any]:
    cv2.setNumThreads(1)
    with tempfile.TemporaryDirectory() as folder:
        return played(*one, Path(folder) / "journal.sqlite")


def said(done: dict[str, Any], n: int, many: int, began: float) -> dict[str, Any]:
    amiss = len(done["false"]) + done["outcomes"]["missed"] + done["wrong_lights"]
    amiss += bool(done["lost"]) + done["wrong_winner"]
    print(
        f"{n} of {many} games, {time.monotonic() - began:.0f} s: {done['name']}, "
        f"{done['turns']} turns, {done['pictures']} pictures, "
        f"{f'{amiss} amiss' if amiss else 'all right'}",
        file=sys.stderr,
        flush=True,
    )
    return done


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
        "left_open": sum(game["open"] for game in done),
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
        "by_game": [row_of(one) for one in done],
        "details": [
            text for game in done for text in (*game["false"], game["lost"], *game["odd"]) if text
        ][:SHOWN],
        "misread": [text for game in done for text in game["misread"]][:SHOWN],
    }  # fmt: skip


def row_of(one: Mapping[str, Any]) -> dict[str, Any]:
    """What one game came to, and where its time went."""
    outcomes, spent = one["outcomes"], one["spent"]
    return {
        "game": one["name"],
        "late": one["late"],
        "turns": one["turns"],
        "pictures": one["pictures"],
        "irregularities": outcomes["right"] + outcomes["wrong kind"] + outcomes["missed"],
        "missed": outcomes["missed"],
        "wrong_kind": outcomes["wrong kind"],
        "false_flags": len(one["false"]),
        "wrong_winner": one["wrong_winner"],
        "lost": bool(one["lost"]),
        "wrong_lights": one["wrong_lights"],
        "misread_cells": len(one["misread"]),
        "seconds": round(one["seconds"], 1),
        "spent": {what: round(seconds, 1) for what, seconds in spent.items()},
    }


def table(figures: Mapping[str, Any]) -> str:
    rows = [
        f"{figures['games']} games, {figures['turns']} turns, {figures['pictures']} pictures",
        f"irregularities {figures['irregularities']}, missed {figures['missed']}, of another kind "
        f"{figures['wrong_kind']}, left open by the camera {figures['left_open']}",
        f"false flags {figures['false_flags']}, wrong winners {figures['wrong_winners']}, "
        f"games lost {figures['lost']}",
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
    rows += [
        "",
        f"{'game':<40}{'turns':>6}{'pictures':>9}{'irregular':>10}{'missed':>7}{'false':>6}"
        f"{'lost':>5}{'lights':>7}{'misread':>8}{'s':>7}  of it",
    ]
    rows += [
        f"{('end of ' if row['late'] else '') + row['game']:<40}{row['turns']:>6}"
        f"{row['pictures']:>9}{row['irregularities']:>10}{row['missed']:>7}{row['false_flags']:>6}"
        f"{row['lost']:>5}{row['wrong_lights']:>7}{row['misread_cells']:>8}{row['seconds']:>7.0f}"
        f"  {', '.join(f'{what} {spent:.0f}' for what, spent in row['spent'].items())}"
        for row in figures["by_game"]
    ]
    rows += ["", *figures["details"], *figures["misread"]]
    return "\n".join(rows).rstrip() + "\n"
