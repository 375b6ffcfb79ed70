"""Hands reaching in and boards knocked aside, frame by frame, before the watcher.

At every second visit lights burn under the cells; they go dark when the watcher asks for it.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np

from calibration.learning import CalibrationError, learn
from hardware.board_files import load
from hardware.boards import Board
from hardware.twin import looks, positions
from hardware.twin.camera import Bump
from hardware.twin.film import Picture
from hardware.twin.hand import FINGERS, SKINS, Hand, hand_cover
from hardware.twin.scene import Scene
from hardware.twin.shade import Floats
from vision.reading import PictureError, Reader
from vision.watch import Watched, Watcher
from web.bench.vision.failures import keep
from web.bench.vision.tally import Verdict, judge

SIZE = (960, 720)  # three quarters of a still picture's side: many more frames in the same time
RATE = 10.0  # frames a second
AFTER = 8  # frames within which the right board must be there once the hand has left
BUMP_AFTER = 30
BUMP_FAR, BUMP_TURN = 15.0, 3.0
KINDS = ("moves", "nothing", "stays", "sleeve")
LATE = 1  # frames from the wish that lights be dark, or burn, to the first that surely shows it


@dataclass(frozen=True)
class WatchJob:
    """Hands and bumps at one table under one lamp."""

    board: str
    number: int
    split: looks.Split
    seed: int
    hands: int
    bumps: int
    failures: str | None = None


@dataclass
class WatchResult:
    board: str
    hands: int = 0
    frames: int = 0
    false_commits: int = 0  # a wrong board reported still, at any time
    false_while_covered: int = 0
    late: int = 0  # the right board did not follow within eight frames
    delays: Counter[int] = field(default_factory=Counter)
    late_kinds: Counter[str] = field(default_factory=Counter)
    bumps: int = 0
    bump_wrong: int = 0
    bump_late: int = 0
    bump_delays: Counter[int] = field(default_factory=Counter)
    blinks: int = 0  # how often the lights were asked to go dark
    dark_frames: int = 0
    unlearned: list[str] = field(default_factory=list)

    def merge(self, other: WatchResult) -> None:
        for name in ("hands", "frames", "false_commits", "false_while_covered", "late", "bumps",
                     "bump_wrong", "bump_late", "blinks", "dark_frames"):  # fmt: skip
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in ("delays", "late_kinds", "bump_delays"):
            getattr(self, name).update(getattr(other, name))
        self.unlearned += other.unlearned


def drawn_hand(board: Board, rng: np.random.Generator, x: float, y: float) -> Hand:
    """Somebody's hand over a place, the arm coming from the nearest side or thereabouts."""
    width, height = board.size
    sides = {0.0: width - x, 90.0: height - y, 180.0: x, 270.0: y}
    turn = min(sides, key=lambda side: sides[side] * float(rng.uniform(0.5, 1.5)))
    sleeve = None
    if rng.random() < 0.75:
        red, green, blue = (float(part) for part in rng.uniform(15, 240, 3))
        sleeve = (red, green, blue)
    return Hand(
        x,
        y,
        float(rng.uniform(8, 30)),
        turn + float(rng.normal(0, 18)),
        str(rng.choice(list(FINGERS))),  # type: ignore[arg-type]
        int(rng.integers(len(SKINS))),
        sleeve,
        float(rng.uniform(140, 330)),
        float(rng.uniform(0.8, 1.12)),
        bool(rng.random() < 0.5),
    )


def withdrawn(hand: Hand, far: float) -> Hand:
    """The same hand pulled back along its arm."""
    angle = math.radians(hand.turn)
    return replace(
        hand, x=hand.x + far * math.cos(angle), y=hand.y + far * math.sin(angle), carries=None
    )


@dataclass(frozen=True)
class Moment:
    """What is true in a few frames."""

    position: positions.Position
    hand: Hand | None
    frames: int


def story(
    board: Board, kind: str, before: positions.Position, rng: np.random.Generator
) -> list[Moment]:
    """A hand's visit from the first finger over the board until it is gone."""
    after, name, start, goal = positions.moved(board, before, rng)
    source, target = board.cell(start), board.cell(goal)
    tall = board.piece(name).height
    hand = drawn_hand(board, rng, source.x, source.y)
    moments = [Moment(before, withdrawn(hand, float(rng.uniform(80, 160))), 1)]
    if kind == "moves":
        lifted = positions.without(before, start, name)
        carried = replace(
            hand, x=target.x, y=target.y, z=40.0, gesture="pinch",
            carries=(name, (target.x, target.y, 40.0 - 0.5 * tall)),
        )  # fmt: skip
        moments += [
            Moment(before, hand, 1),
            Moment(lifted, carried, 1),
            Moment(after, replace(carried, z=14.0, carries=None), int(rng.integers(1, 3))),
        ]
        last, hand = after, replace(carried, carries=None)
    elif kind == "nothing":
        moments.append(Moment(before, hand, int(rng.integers(1, 3))))
        last = before
    elif kind == "stays":
        last = after if rng.random() < 0.5 else before
        moments.append(Moment(last, hand, int(rng.integers(10, 16))))
    else:  # the hand is back, its arm or sleeve still lies over the edge
        last = after
        moments.append(Moment(before, hand, 1))
        resting = replace(withdrawn(hand, float(rng.uniform(30, 110))), z=2.0)
        moments.append(Moment(after, resting, int(rng.integers(6, 12))))
        hand = resting
    moments.append(Moment(last, withdrawn(hand, float(rng.uniform(110, 200))), 1))
    moments.append(Moment(last, None, AFTER + 2))
    return moments


class Stage:
    """A table before the watcher, one frame after the other; what stays is lit once."""

    def __init__(self, watcher: Watcher, result: WatchResult) -> None:
        self.watcher, self.result = watcher, result
        self.lights: Mapping[str, tuple[int, int, int]] = {}
        self.asked = deque([False] * (LATE + 1), LATE + 1)
        self.ticks = 0

    def show(self, scene: Scene, moment: Moment, seed: int) -> None:
        self.scene, self.moment, self.seed = scene, moment, seed
        self.drawn: dict[bool, Floats] = {}

    def frame(self, noise: int, blur: float | None = None) -> tuple[Picture, Watched]:
        """A picture, and what the watcher makes of it."""
        dark, moment = self.asked[0], self.moment
        burning = {} if dark else self.lights
        if dark not in self.drawn:
            self.drawn[dark] = self.scene.linear(
                moment.position, burning, moment.hand, self.seed
            )  # fmt: skip
        picture = self.scene.expose(self.drawn[dark].copy(), noise, blur)
        watched = self.watcher.see(picture, self.ticks / RATE, burning)
        self.ticks += 1
        self.result.blinks += watched.darken and not self.asked[-1]
        self.result.dark_frames += dark
        self.asked.append(watched.darken)
        return picture, watched

    def frames(self, scene: Scene, moment: Moment, seed: int) -> Iterator[tuple[Picture, Watched]]:
        """All of one moment."""
        self.show(scene, moment, seed)
        for n in range(moment.frames):
            yield self.frame(seed * 31 + n + id_of(moment))


def id_of(moment: Moment) -> int:
    """A number for the noise of a moment that is the same in every run."""
    hand = moment.hand
    return 0 if hand is None else round(hand.x * 100 + hand.y * 10 + hand.z)


def settled(watched: Watched, verdict: Verdict | None, changed: set[str]) -> bool:
    """Whether this is the right board: nothing wrong, and the move itself is claimed."""
    if watched.state != "still" or watched.reading is None or verdict is None or verdict.wrong:
        return False
    return not changed & set(watched.reading.unsure)


def run(job: WatchJob) -> WatchResult:
    cv2.setNumThreads(1)
    board = load(job.board)
    result = WatchResult(board.name)
    rng = np.random.default_rng([job.seed, job.number, 9])
    table = looks.draw_table(board, job.number, SIZE)
    camera = looks.draw_camera(board, table)
    lux = float(np.exp(rng.uniform(np.log(60), np.log(1500))))
    light = looks.draw_light(board, job.number, lux)
    scene = Scene(board, looks.Look(table, light), camera)
    setup = positions.start(board, rng)
    scene.lock(setup)  # as a camera that has settled: exposure no longer follows
    try:
        learned = learn(board, [scene.picture({})], scene.picture(setup, seed=1), setup)
        watcher = Watcher(Reader(learned))
    except (CalibrationError, PictureError) as error:
        result.unlearned.append(f"table {job.number}: {error}")
        return result
    stage, lamps = Stage(watcher, result), np.random.default_rng([job.seed, job.number, 11])
    position = setup
    for _ in stage.frames(scene, Moment(setup, None, 6), 1):
        pass
    for n in range(job.hands):
        kind = KINDS[int(rng.choice(len(KINDS), p=[0.5, 0.2, 0.15, 0.15]))]
        stage.lights = positions.lights(board, lamps) if n % 2 else {}
        position = one_hand(job, scene, stage, kind, position, rng, result, n)
    for n in range(job.bumps):
        stage.lights = positions.lights(board, lamps) if n % 2 else {}
        one_bump(job, scene, stage, position, rng, result, n)
    return result


def one_hand(
    job: WatchJob,
    scene: Scene,
    stage: Stage,
    kind: str,
    before: positions.Position,
    rng: np.random.Generator,
    result: WatchResult,
    n: int,
) -> positions.Position:
    moments = story(scene.board, kind, before, rng)
    last = moments[-1].position
    changed = {cell for cell in {*before, *last} if before.get(cell) != last.get(cell)}
    followed: int | None = None
    clean = 0
    fooled = fooled_covered = False
    for moment in moments:
        covered = moment.hand is not None and hand_cover(scene.board, scene.camera, moment.hand)[1]
        for picture, watched in stage.frames(scene, moment, job.number * 977 + 3):
            result.frames += 1
            verdict = None
            if watched.state == "still" and watched.reading is not None:
                verdict = judge(scene.board, watched.reading, moment.position)
                if verdict.wrong:
                    if not fooled:
                        show(job, n, kind, picture, verdict, scene, watched)
                    fooled = True
                    fooled_covered |= covered
            if moment.hand is None:
                clean += 1
                if followed is None and settled(watched, verdict, changed):
                    followed = clean
    result.hands += 1
    result.false_commits += fooled
    result.false_while_covered += fooled_covered
    if followed is None or followed > AFTER:
        result.late += 1
        result.late_kinds[kind] += 1
    result.delays[followed or -1] += 1
    return last


def one_bump(
    job: WatchJob,
    scene: Scene,
    stage: Stage,
    position: positions.Position,
    rng: np.random.Generator,
    result: WatchResult,
    n: int,
) -> None:
    """Knock the board aside, wait until it is read again, put it back the same way."""
    far, way = BUMP_FAR * math.sqrt(rng.random()), float(rng.uniform(0, 2 * math.pi))
    turn = float(rng.uniform(-BUMP_TURN, BUMP_TURN))
    bump = Bump(far * math.cos(way), far * math.sin(way), turn)
    for aim in (bump, Bump()):
        there = scene.bumped(aim)
        there.locked = scene.locked
        stage.show(there, Moment(position, None, BUMP_AFTER), job.number * 977 + 3)
        wrong, recovered = False, None
        for frame in range(BUMP_AFTER):
            # knocked things blur for a frame
            blur = 3.0 if frame == 0 else None
            picture, watched = stage.frame(n * 101 + frame, blur)
            if watched.state != "still" or watched.reading is None:
                continue
            verdict = judge(there.board, watched.reading, position)
            if verdict.wrong:
                if not wrong:
                    show(job, 10000 + n, "bump", picture, verdict, there, watched)
                wrong = True
            elif recovered is None and verdict.abstained <= 3:
                recovered = frame + 1
            if recovered is not None and frame >= recovered + 2:
                break
        result.bumps += 1
        result.bump_wrong += wrong
        result.bump_late += recovered is None
        result.bump_delays[recovered or -1] += 1


def show(
    job: WatchJob,
    n: int,
    kind: str,
    picture: np.ndarray,
    verdict: Verdict,
    scene: Scene,
    watched: Watched,
) -> None:
    if job.failures is None or watched.reading is None:
        return
    keep(
        Path(job.failures),
        f"{kind}-{scene.board.name}-{job.number}-{n}",
        picture,
        verdict,
        {"board": scene.board.name, "table": job.number, "kind": kind,
         "events": list(watched.events)},
        scene.camera,
        scene.board,
        watched.reading.unsure,
    )  # fmt: skip
