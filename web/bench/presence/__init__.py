"""`arbitre bench presence`: how well one sees whether something stands there; learns it anew."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from calibration.view import Array
from hardware.board_files import load
from hardware.boards import names
from vision.net import read
from web.bench.presence.drawn import Drawn, Job, draw, kind_of
from web.bench.presence.training import Lessons, joined, train, write

__all__ = ["describe", "measure", "table"]

TABLES, PICTURES = 12, 4  # of each board, of each table
EPOCHS = {"holes": 16, "dishes": 16, "fields": 300, "tiles": 300}  # squares teach less
FOLDS = 3
SURE = 2.5  # log odds from which reading claims something
WANTED = (1e-3, 3e-4, 1e-4)  # parts of the claims that may be wrong
KINDS = ("holes", "dishes", "fields", "tiles")


def describe(parser: argparse.ArgumentParser) -> None:
    """Options of this bench alone."""
    parser.add_argument("--tables", type=int, default=TABLES, help="tables drawn of each board")
    parser.add_argument("--board", help="only this board")
    parser.add_argument("--kind", choices=KINDS, help="only the net for these places, from the "
                        "boards that have some")  # fmt: skip
    parser.add_argument("--epochs", type=int,
                        help="how often all lessons are gone through "
                        f"(holes {EPOCHS['holes']}, squares {EPOCHS['fields']})")  # fmt: skip
    parser.add_argument("--write", metavar="DIR",
                        help="learn from all tables and write the weights there")  # fmt: skip
    parser.add_argument(
        "--join",
        metavar="DIR",
        help="what is written says the mean of the new net and of the one there",
    )
    parser.add_argument("--share", type=float, default=0.5,
                        help="the part of that mean which is the one there")  # fmt: skip
    parser.add_argument("--workers", type=int, default=2)


def measure(options: Mapping[str, Any]) -> dict[str, Any]:
    """Tables are of the split that is for development: others are for `arbitre bench vision`."""
    kinds = [options["kind"]] if options["kind"] else KINDS
    boards = [options["board"]] if options["board"] else [b for b in names() if has(b, kinds)]
    pictures = options["pictures"] or PICTURES
    jobs = [
        Job(board, 2 * (1000 * options["seed"] + n) + 1, pictures)
        for n in range(options["tables"])
        for board in boards
    ]
    drawn = run_all(jobs, options["workers"])
    figures: dict[str, Any] = {"seed": options["seed"], "tables": len(drawn)}
    for kind in kinds:
        own = [d for d in drawn if getattr(d, kind) is not None]
        if len({d.number for d in own}) < FOLDS:
            continue
        epochs = options["epochs"] or EPOCHS[kind]
        figures[kind] = held_back(own, kind, epochs, options["seed"])
        if options["write"]:
            lessons = together([getattr(d, kind) for d in own])
            *_, net = train(lessons, epochs, options["seed"])
            if options["join"]:
                before = read(Path(options["join"]) / f"{kind}.npz")
                net = joined(before, net, options["share"])
            write(net, Path(options["write"]) / f"{kind}.npz")
    return figures


def has(board: str, kinds: Sequence[str]) -> bool:
    """Whether a board has places of these kinds."""
    shape = load(board)
    return any(kind_of(shape, cell) in kinds for cell in shape.cells)


def run_all(jobs: Sequence[Job], workers: int) -> list[Drawn]:
    found = []
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        waiting = [pool.submit(draw, job) for job in jobs]
        for number, done in enumerate(as_completed(waiting), 1):
            found.append(done.result())
            print(f"\rtables {number}/{len(jobs)}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return sorted(found, key=lambda drawn: drawn.number)


def together(parts: Sequence[Lessons]) -> Lessons:
    def stack(arrays: Sequence[Array]) -> Array:
        return np.concatenate(arrays).astype(np.float32)

    return Lessons(
        stack([part.seen for part in parts]),
        stack([part.signs for part in parts]),
        stack([part.truth for part in parts]),
    )


def held_back(drawn: Sequence[Drawn], kind: str, epochs: int, seed: int) -> dict[str, Any]:
    """Each table judged by a net that was learned from others."""
    odds, truth = [], []
    for fold in range(FOLDS):
        mine = [d for d in drawn if d.number // 2 % FOLDS == fold]
        rest = [d for d in drawn if d.number // 2 % FOLDS != fold]
        if not mine or not rest:
            continue
        *_, net = train(together([getattr(d, kind) for d in rest]), epochs, seed)
        for own in mine:
            lessons = together([getattr(own, kind)])
            odds.append(net.odds(lessons.seen, lessons.signs))
            truth.append(lessons.truth > 0.5)
    return judged(np.concatenate(odds), np.concatenate(truth))


def judged(odds: Array, truth: Array) -> dict[str, Any]:
    """Errors, and which part must be left open so that few enough of the rest are wrong."""
    wrong = (odds > 0) != truth
    order = np.argsort(-np.abs(odds), kind="stable")
    share = np.cumsum(wrong[order]) / np.arange(1, len(order) + 1)
    open_still = {}
    for wanted in WANTED:
        good = np.flatnonzero(share <= wanted)
        open_still[f"{wanted:g}"] = 1.0 - (int(good[-1]) + 1 if len(good) else 0) / len(order)
    return {
        "places": len(order),
        "wrong": int(wrong.sum()),
        "sure_and_wrong": int((wrong & (np.abs(odds) > SURE)).sum()),
        "unsure": float((np.abs(odds) <= SURE).mean()),
        "open_for": open_still,
    }


def table(figures: Mapping[str, Any]) -> str:
    lines = [f"{figures['tables']} tables of the development split, each judged without itself"]
    for kind in KINDS:
        if kind not in figures:
            continue
        own = figures[kind]
        lines.append(
            f"{kind:<7} {own['places']} places, {own['wrong']} wrong; sure {own['sure_and_wrong']} "
            f"wrong, {100 * own['unsure']:.2f} % unsure"
        )
        lines += [
            f"        {100 * part:.2f} % left open for {wanted} wrong"
            for wanted, part in own["open_for"].items()
        ]
    return "\n".join(lines) + "\n"
