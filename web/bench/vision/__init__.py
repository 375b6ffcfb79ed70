"""`arbitre bench vision`: tables never tuned on, drawn, learned and read, by board."""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.learning import CalibrationError, learn
from hardware.board_files import load
from hardware.boards import names
from hardware.twin import looks, positions
from hardware.twin.scene import Scene
from vision.reading import PictureError, Reader
from web.bench.vision import enduring, tables, watching
from web.bench.vision.outside import measure_folder
from web.bench.vision.report import table
from web.bench.vision.tally import Tally, coverage_against_error, merged

__all__ = ["describe", "measure", "table"]

PICTURES = 240
PER_TABLE = 18
HARDEST = 8  # tables that are named in the report
LIGHTS = 3
PER_WATCH = 20
ROUNDS = 9


def describe(parser: argparse.ArgumentParser) -> None:
    """Options of this bench alone."""
    parser.add_argument("--board", help="only this board (a name or a board file)")
    parser.add_argument("--split", choices=("test", "train"), default="test",
                        help="train is for development; figures are from test")  # fmt: skip
    parser.add_argument("--hands", type=int, default=0, help="how many hands reach in")
    parser.add_argument("--bumps", type=int, default=0, help="how often the board is knocked")
    parser.add_argument(
        "--frames",
        type=int,
        default=0,
        help="how many frames a watcher sees while its memory is looked at",
    )
    parser.add_argument("--outside", metavar="DIR", help="also read tables pictured by others")
    parser.add_argument("--failures", metavar="DIR", help="keep what was read wrongly there")
    parser.add_argument("--lights", choices=tables.WAYS, default=tables.WAYS[0],
                        help="lit boards are read while the lights are dark, as the running table "
                        "does; by them, told which burn; or by them, told nothing")  # fmt: skip
    parser.add_argument("--workers", type=int, default=2)


def measure(options: Mapping[str, Any]) -> dict[str, Any]:
    boards = [options["board"]] if options.get("board") else list(names())
    for board in boards:
        load(board)  # a wrong name is said before anything is drawn
    pictures = PICTURES if options.get("pictures") is None else options["pictures"]
    stills = run_all(tables.run, still_jobs(boards, pictures, options), options, "tables")
    figures: dict[str, Any] = {
        "seed": options["seed"],
        "split": options["split"],
        "lights": options["lights"],
        "boards": {},
    }
    for board in boards:
        name = load(board).name
        mine = [result for result in stills if result.board == name]
        figures["boards"][name] = merged(result.tally for result in mine).figures() | {
            "vs_lab": against_lab(board, options)
        }
    figures |= together(stills)
    figures |= watched(boards, options)
    if options.get("frames"):
        share = -(-int(options["frames"]) // len(boards))
        number = looks.numbered(options["seed"] * 10000 + 8000, options["split"])
        jobs = [enduring.Job(board, number, share) for board in boards]
        figures["enduring"] = run_all(enduring.run, jobs, options, "frames")
    if options.get("outside"):
        figures["outside"] = measure_folder(Path(options["outside"]), options.get("failures"))
    return figures


def still_jobs(boards: list[str], pictures: int, options: Mapping[str, Any]) -> list[tables.Job]:
    """Tables by turns, so that a run cut short has seen every board."""
    jobs: list[tables.Job] = []
    each = [pictures // len(boards) + (n < pictures % len(boards)) for n in range(len(boards))]
    turn = 0
    while any(each):
        for n, board in enumerate(boards):
            count = min(PER_TABLE, each[n])
            each[n] -= count
            if count:
                jobs.append(job(board, turn, count, options))
        if turn % 4 == 0:
            jobs += [job(board, 5000 + turn, 3, options, "low") for board in boards]
            jobs += [job(board, 6000 + turn // 4, 6, options, "far") for board in boards]
            jobs += [job(board, 6500 + turn // 4, 6, options, "bold") for board in boards]
        turn += 1
    return jobs


def job(
    board: str,
    turn: int,
    count: int,
    options: Mapping[str, Any],
    view: tables.View = "usual",
) -> tables.Job:
    seed = options["seed"]
    return tables.Job(
        board=board,
        number=looks.numbered(seed * 10000 + turn, options["split"]),
        split=options["split"],
        seed=seed,
        pictures=count,
        lights=min(LIGHTS, count),
        alone=turn % 2 == 1,
        lit=options["lights"],
        view=view,
        failures=options.get("failures"),
    )


def run_all(
    work: Callable[[Any], Any], jobs: list[Any], options: Mapping[str, Any], what: str
) -> list[Any]:
    """Every job in worker processes, with a line of progress on a terminal."""
    results: dict[int, Any] = {}
    began = time.monotonic()
    workers = max(1, int(options.get("workers") or 1))
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        waiting = {pool.submit(work, job): n for n, job in enumerate(jobs)}
        for done in as_completed(waiting):
            results[waiting[done]] = done.result()
            spent = time.monotonic() - began
            left = spent / len(results) * (len(jobs) - len(results))
            end = "\r" if sys.stderr.isatty() and len(results) < len(jobs) else "\n"
            if end == "\r" or len(results) % 20 == 0 or len(results) == len(jobs):
                print(f"{what}: {len(results)}/{len(jobs)}, about {left / 60:.1f} min left ",
                      end=end, file=sys.stderr, flush=True)  # fmt: skip
    return [results[n] for n in sorted(results)]


def together(stills: Iterable[tables.Result]) -> dict[str, Any]:
    """All boards in one, and by what may matter."""
    results = list(stills)
    everything = merged(result.tally for result in results)
    groups: dict[str, dict[str, Tally]] = {}
    ways = {way: merged(result.lit[way] for result in results) for way in tables.WAYS}
    for result in results:
        for kind, named in result.groups.items():
            for name, tally in named.items():
                groups.setdefault(kind, {}).setdefault(name, Tally()).merge(tally)
    return {
        "all": everything.figures(),
        "by": {
            kind: {name: tally.figures() for name, tally in sorted(named.items())}
            for kind, named in sorted(groups.items())
        },
        "lit": {way: tally.figures() for way, tally in ways.items()},
        "coverage": coverage_against_error(everything.confidences),
        "confused": dict(everything.confused.most_common(12)),
        "far": merged(result.far for result in results).figures(),
        "bold": merged(result.bold for result in results).figures(),
        "low": {
            "pictures": sum(result.low_pictures for result in results),
            "warned": sum(result.low_warned for result in results),
        },
        "hardest": hardest(results),
        "unlearned": [text for result in results for text in result.unlearned],
    }


def hardest(results: list[tables.Result]) -> dict[str, dict[str, Any]]:
    """The tables that carry most of what is wrong or left open: a few carry nearly all."""
    troubled = [r for r in results if r.tally.claimed > r.tally.right or r.tally.abstained]
    troubled.sort(key=lambda r: (r.tally.right - r.tally.claimed, -r.tally.abstained))
    return {result.table: result.tally.figures() for result in troubled[:HARDEST]}


def watched(boards: list[str], options: Mapping[str, Any]) -> dict[str, Any]:
    """Hands and bumps, shared out over the boards."""
    hands, bumps = int(options.get("hands") or 0), int(options.get("bumps") or 0)
    jobs = []
    rest, turn = [hands, bumps], 0
    while any(rest):
        board = boards[turn % len(boards)]
        some = min(PER_WATCH, rest[0])
        knocks = min(5, -(-rest[1] // 2)) if turn % 2 == 0 or not rest[0] else 0
        rest = [rest[0] - some, max(0, rest[1] - 2 * knocks)]
        number = looks.numbered(options["seed"] * 10000 + 7000 + turn, options["split"])
        jobs.append(
            watching.WatchJob(
                board, number, options["split"], options["seed"], some, knocks,
                options.get("failures"),
            )
        )  # fmt: skip
        turn += 1
    total = watching.WatchResult("all")
    for result in run_all(watching.run, jobs, options, "hands") if jobs else ():
        total.merge(result)
    return {
        "hands": total.hands,
        "false_commits": total.false_commits,
        "false_while_covered": total.false_while_covered,
        "hand_frames": total.frames,
        "late": total.late,
        "late_kinds": dict(total.late_kinds),
        "frames_until_right": {str(n): total.delays[n] for n in sorted(total.delays)},
        "bumps": total.bumps,
        "bump_wrong": total.bump_wrong,
        "bump_late": total.bump_late,
        "frames_until_recovered": {str(n): total.bump_delays[n] for n in sorted(total.bump_delays)},
        "blinks": total.blinks,
        "dark_frames": total.dark_frames,
        "hands_unlearned": total.unlearned,
    }


def against_lab(board_name: str, options: Mapping[str, Any]) -> float | None:
    """Reading a picture in units of turning the same picture to Lab, taken by turns."""
    cv2.setNumThreads(1)
    board = load(board_name)
    number = looks.numbered(options["seed"] * 10000 + 9000, options["split"])
    scene = Scene(
        board, looks.draw(board, number), looks.draw_camera(board, looks.draw_table(board, number))
    )
    rng = np.random.default_rng(options["seed"])
    setup = positions.start(board, rng)
    try:
        reader = Reader(learn(board, [scene.picture({})], scene.picture(setup), setup))
    except (CalibrationError, PictureError):
        return None
    pictures = [scene.picture(positions.anywhere(board, rng), seed=n) for n in range(4)]
    ratios = []
    for n in range(4 + (options.get("rounds") or ROUNDS)):
        picture = pictures[n % len(pictures)]
        began = time.perf_counter_ns()
        reader.read(picture)
        middle = time.perf_counter_ns()
        cv2.cvtColor(picture, cv2.COLOR_BGR2Lab)
        end = time.perf_counter_ns()
        if n >= 4:
            ratios.append((middle - began) / (end - middle))
    return round(statistics.median(ratios), 2)
