"""Very many frames before one watcher: whether its memory stays as it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from calibration.learning import learn
from hardware.board_files import load
from hardware.twin import looks, positions
from hardware.twin.film import Picture
from hardware.twin.scene import Scene
from vision.reading import Reader
from vision.watch import Watcher
from web.bench.soak import resident
from web.bench.vision.watching import SIZE, drawn_hand

BOARDS, NOISES = 12, 3  # boards that follow each other in turn; different frames of each
SHOWN, REACHED = 25, 5  # frames of a board; the last of them, with a hand over it
MARKS = 20  # how often memory is looked at
RATE = 10.0  # frames a second


@dataclass(frozen=True)
class Job:
    """One table and how many frames of it."""

    board: str
    number: int
    frames: int


def run(job: Job) -> dict[str, Any]:
    cv2.setNumThreads(1)
    board, rng = load(job.board), np.random.default_rng([job.number, 21])
    table = looks.draw_table(board, job.number, SIZE)
    scene = Scene(
        board, looks.Look(table, looks.draw_light(board, job.number, 600.0)),
        looks.draw_camera(board, table),
    )  # fmt: skip
    setup = positions.start(board, rng)
    scene.lock(setup)
    learned = learn(board, [scene.picture({})], scene.picture(setup, seed=1), setup)
    watcher, shots = Watcher(Reader(learned)), drawn(scene, rng)
    memory, still = [], 0
    for n in range(job.frames):
        which, at = divmod(n, SHOWN)
        reached, lying = shots[which % len(shots)]
        seen = watcher.see((lying if at < SHOWN - REACHED else reached)[n % NOISES], n / RATE)
        still += seen.changed
        if (n + 1) % max(job.frames // MARKS, 1) == 0:
            memory.append(round(resident(), 1))
    half = memory[len(memory) // 2 :]
    return {
        "board": board.name,
        "frames": job.frames,
        "boards_reported": still,
        "memory_mb": memory,
        "second_half_mb": round(half[-1] - half[0], 1),
    }


def drawn(scene: Scene, rng: np.random.Generator) -> list[tuple[list[Picture], list[Picture]]]:
    """Frames of boards, each with a hand over it and then without."""
    shots = []
    for n in range(BOARDS):
        there = positions.anywhere(scene.board, rng)
        cell = scene.board.cells[int(rng.integers(len(scene.board.cells)))]
        hand = drawn_hand(scene.board, rng, cell.x, cell.y)
        both = [
            [scene.picture(there, hand=over, seed=n, frame=frame) for frame in range(NOISES)]
            for over in (hand, None)
        ]
        shots.append((both[0], both[1]))
    return shots
