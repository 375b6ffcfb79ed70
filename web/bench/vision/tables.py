"""One table of the bench: drawn, learned from two pictures or one, then read under other lamps."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import cv2
import numpy as np

from calibration.learning import CalibrationError, learn
from hardware.board_files import load
from hardware.twin import looks, positions
from hardware.twin.camera import CameraPose
from hardware.twin.cards import BACK, PLAIN_BACK, RANKS, LyingCard
from hardware.twin.film import Picture, develop, exposure
from hardware.twin.scene import Scene
from vision.reading import PictureError, Reader, Reading
from web.bench.vision.failures import keep
from web.bench.vision.tally import Tally, judge

Lights = Mapping[str, tuple[int, int, int]]
WAYS = ("dimmed", "told", "untold")  # to read a board whose lights burn; the product does the first
View = Literal["usual", "low", "far", "bold"]  # from too low, the board small, made as few are
LOW = (42.0, 57.0)  # elevations at which the camera must be called too low


@dataclass(frozen=True)
class Job:
    """One table and how many pictures of it; a worker needs nothing else."""

    board: str
    number: int
    split: looks.Split
    seed: int
    pictures: int
    lights: int
    alone: bool  # learned from the start position alone
    lit: str  # the way lit boards are read
    view: View = "usual"
    failures: str | None = None


@dataclass
class Result:
    """What came out of one table, sorted by what may matter."""

    board: str
    table: str  # which one, and how it was learned
    tally: Tally = field(default_factory=Tally)
    groups: dict[str, dict[str, Tally]] = field(default_factory=dict)
    lit: dict[str, Tally] = field(default_factory=lambda: {way: Tally() for way in WAYS})
    unlearned: list[str] = field(default_factory=list)
    low_pictures: int = 0
    low_warned: int = 0
    far: Tally = field(default_factory=Tally)
    bold: Tally = field(default_factory=Tally)

    def of(self, view: View) -> Tally:
        """What is counted of pictures taken in some way; of those from too low nothing is."""
        return {"usual": self.tally, "far": self.far, "bold": self.bold}.get(view, Tally())

    def group(self, kind: str, name: str) -> Tally:
        return self.groups.setdefault(kind, {}).setdefault(name, Tally())


def elevation(camera: CameraPose) -> float:
    return math.degrees(math.asin(max(-1.0, min(1.0, -camera.ahead[2]))))


def bands(light: looks.Light, camera: CameraPose, glow: bool, alone: bool) -> dict[str, str]:
    high, lux = elevation(camera), light.lux
    kelvin = sum(lamp.kelvin * lamp.share for lamp in light.lamps)
    return {
        "elevation": "60-70" if high < 70 else "70-80" if high < 80 else "80-90",
        "lux": "30-100" if lux < 100 else "100-500" if lux < 500 else "500-2000",
        "kelvin": "2700-3500" if kelvin < 3500 else "3500-5500" if kelvin < 5500 else "5500-7500",
        "glow": "on" if glow else "off",
        "learned": "start alone" if alone else "empty and start",
    }


def some_cards(scene: Scene, rng: np.random.Generator) -> list[LyingCard]:
    """Cards in their zone, and now and then one beside the board."""
    board, cards = scene.board, []
    zone = board.card_zone
    if zone is not None and rng.random() < 0.5 and min(zone.width, zone.height) > 60:
        if zone.width > 110:  # room for the pile they are drawn from
            back = str(rng.choice([BACK, PLAIN_BACK]))
            x, y = zone.x + 32, zone.y + zone.height / 2
            cards.append(LyingCard(x, y, float(rng.normal(0, 5)), back, 4.0))
        for _ in range(int(rng.integers(1, 5))):
            face = f"{RANKS[int(rng.integers(13))]}{'SHDC'[int(rng.integers(4))]}"
            x = zone.x + zone.width / 2 + float(rng.normal(0, 4))
            y = zone.y + zone.height / 2 + float(rng.normal(0, 4))
            cards.append(LyingCard(x, y, float(rng.uniform(0, 360)), face))
    if rng.random() < 0.3:
        side = float(rng.choice([-1, 1])) * (board.size[0] / 2 + float(rng.uniform(70, 130)))
        x, y = board.size[0] / 2 + side, board.size[1] * float(rng.uniform(0.2, 0.8))
        cards.append(LyingCard(x, y, float(rng.uniform(0, 360)), z=-board.thickness))
    return cards


def run(job: Job) -> Result:
    """Learn the table and read its pictures."""
    cv2.setNumThreads(1)
    board = load(job.board)
    learned_by = "start alone" if job.alone else "empty and start"
    result = Result(board.name, f"{board.name} {job.number}, {learned_by}")
    rng = np.random.default_rng([job.seed, job.number, 5])
    bold = job.view == "bold"
    table = looks.draw_table(board, job.number, bold=bold)
    wanted = float(rng.uniform(*LOW)) if job.view == "low" else None
    free = looks.LOOSE if job.view == "far" else looks.FREE
    camera = looks.draw_camera(board, table, wanted, free=free)
    # learning happens at an hour somebody chose: there is light enough
    first = looks.draw_light(
        board, job.number, float(np.exp(rng.uniform(np.log(120), np.log(1500)))), bold
    )
    scene = Scene(board, looks.Look(table, first), camera)
    setup = positions.start(board, rng)
    empty = [] if job.alone else [scene.picture({}, seed=job.number)]
    began = scene.picture(setup, seed=job.number)
    try:
        learned = learn(board, empty, began, setup)
        reader = Reader(learned)
    except (CalibrationError, PictureError) as error:
        result.unlearned.append(f"table {job.number}: {error}")
        result.of(job.view).refuse(job.pictures)
        return result
    per_light = math.ceil(job.pictures / job.lights)
    for n in range(job.pictures):
        hour = n // per_light
        if n % per_light == 0 and hour > 0:
            # another number of the same split: never a light of the other one
            other = job.number + 2 * (1000 + 7 * hour)
            scene = scene.relit(looks.draw_light(board, other, bold=bold))
        read_one(job, n, scene, reader, rng, result)
    return result


def dimmed(
    scene: Scene,
    position: positions.Position,
    lit: Lights,
    cards: list[LyingCard],
    seed: int,
) -> Picture:
    """The same board a moment later with its lights dark; the camera's exposure stays."""
    held = exposure(scene.linear(position, lit, None, seed, cards), scene.look.light)
    dark = scene.linear(position, {}, None, seed, cards)
    return develop(dark, scene.look.table, scene.look.light, seed * 7919 + 1, held)


def shots(
    scene: Scene,
    position: positions.Position,
    lit: Lights,
    cards: list[LyingCard],
    seed: int,
) -> dict[str, tuple[Picture, Lights | None]]:
    """By way of reading: the picture that is read, and the lights the reader is told of."""
    picture = scene.picture(position, lit, seed=seed, cards=cards)
    dark = dimmed(scene, position, lit, cards, seed) if lit else picture
    return {"dimmed": (dark, {}), "told": (picture, lit), "untold": (picture, None)}


def read(reader: Reader, picture: Picture, told: Lights | None) -> Reading | None:
    try:
        return reader.read(picture, told)
    except PictureError:
        return None


def read_one(
    job: Job, n: int, scene: Scene, reader: Reader, rng: np.random.Generator, result: Result
) -> None:
    board, seed = scene.board, job.number * 1000 + n
    position = positions.anywhere(board, rng)
    lit = positions.lights(board, rng) if n % 2 else {}
    found = shots(scene, position, lit, some_cards(scene, rng), seed)
    reading = read(reader, *found[job.lit])
    if job.view in ("far", "bold"):
        result.of(job.view).count(None if reading is None else judge(board, reading, position))
        return
    if job.view == "low":
        result.low_pictures += 1
        result.low_warned += reading is not None and bool(reading.warnings)
        return
    groups = bands(scene.look.light, scene.camera, bool(lit), job.alone)
    tallies = [result.tally, *(result.group(kind, name) for kind, name in groups.items())]
    for way in WAYS if lit else ():
        other = reading if way == job.lit else read(reader, *found[way])
        result.lit[way].count(None if other is None else judge(board, other, position))
    verdict = None if reading is None else judge(board, reading, position)
    for tally in tallies:
        tally.count(verdict)
    if reading is not None and verdict is not None and verdict.wrong and job.failures is not None:
        keep(
            Path(job.failures),
            f"{board.name}-{job.number}-{n}",
            found[job.lit][0],
            verdict,
            {"board": board.name, "table": job.number, "picture": n, **groups,
             "lights": {cell: list(rgb) for cell, rgb in lit.items()}, "read": job.lit,
             "elevation_degrees": round(elevation(scene.camera), 1),
             "lux": round(scene.look.light.lux), "wood": scene.look.table.wood},
            scene.camera,
            board,
            reading.unsure,
        )  # fmt: skip
