"""Lessons from drawn tables: what the dots of every place show, and whether something is there."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.learning import CalibrationError, learn
from calibration.view import Array
from hardware.board_files import load
from hardware.boards import Board, Cell
from hardware.twin import looks, positions
from hardware.twin.film import Picture
from hardware.twin.scene import Scene
from vision.aspect import MARKS
from vision.dots import DOTS
from vision.explain import Standing
from vision.picture import PictureError
from vision.presence import candidates, hints, hints_elsewhere
from vision.reading import Reader, Sight
from vision.solids import roomy
from web.bench.presence.training import Lessons
from web.bench.vision.tables import some_cards

LOOSELY = 0.4  # the part of the tables that the camera shows small
BOLDLY = 0.4  # the part of them that are made and lit in ways that few are


@dataclass(frozen=True)
class Job:
    """One table; a worker needs nothing else."""

    board: str
    number: int
    pictures: int


@dataclass(frozen=True)
class Drawn:
    """What one table teaches; None where it has no such places or was not learned."""

    number: int
    holes: Lessons | None
    dishes: Lessons | None
    fields: Lessons | None
    tiles: Lessons | None


def draw(job: Job) -> Drawn:
    """Each picture under a lamp of its own, read by one who learned the table from two pictures and
    by one who saw the start position alone.
    """
    cv2.setNumThreads(1)
    board = load(job.board)
    chance = np.random.default_rng([job.number, 11])
    bold = bool(chance.random() < BOLDLY)
    table = looks.draw_table(board, job.number, bold=bold)
    bright = float(np.exp(chance.uniform(np.log(120), np.log(1500))))
    first = looks.draw_light(board, job.number, bright, bold)
    free = looks.LOOSE if chance.random() < LOOSELY else looks.FREE
    scene = Scene(board, looks.Look(table, first), looks.draw_camera(board, table, free=free))
    setup = positions.start(board, chance)
    empty, began = scene.picture({}, seed=job.number), scene.picture(setup, seed=job.number)
    readers = [reader for seen in ([empty], []) for reader in learned(board, seen, began, setup)]
    holes, dishes, others = [], [], []
    for n in range(job.pictures if readers else 0):
        if n:
            other = job.number + 2 * (1000 + 7 * n)
            scene = scene.relit(looks.draw_light(board, other, bold=bold))
        there = positions.anywhere(board, chance)
        cards = some_cards(scene, chance)
        picture = scene.picture(there, seed=1000 * job.number + n, cards=cards)
        for reader in readers:
            try:
                sight = reader.sight(picture, {})
            except PictureError:
                continue
            plain, dished = of_holes(reader, sight, there)
            holes.append(plain)
            dishes.append(dished)
            others += of_others(reader, sight, there)
    tiles = bool(board.of_kind("tile"))
    return Drawn(
        job.number,
        joined(holes),
        joined(dishes),
        joined([] if tiles else others),
        joined(others if tiles else []),
    )


def kind_of(board: Board, cell: Cell) -> str:
    """Which net is asked of a cell."""
    if cell.shape == "hole":
        return "dishes" if roomy(cell, board.standing) else "holes"
    return "fields" if cell.is_field else "tiles"


def learned(
    board: Board, empty: list[Picture], began: Picture, setup: positions.Position
) -> list[Reader]:
    """A reader; none where the table cannot be learned."""
    try:
        return [Reader(learn(board, empty, began, setup))]
    except (CalibrationError, PictureError):
        return []


def of_holes(reader: Reader, sight: Sight, there: positions.Position) -> tuple[Lessons, Lessons]:
    """Of the holes that are no dishes, and of dishes."""
    judge, outlook = sight.judge, reader.outlook
    explained, flat = judge.explained, reader.learned.kinds.flat
    numbers, none = outlook.dots.holes, np.zeros((0, DOTS, MARKS))
    *_, seen, signs = hints(reader.learned, outlook, judge.evidence, explained, numbers, none)
    use = [
        row
        for row, n in enumerate(numbers)
        if n not in judge.cover.cells and not flat[explained.foremost(n).kind]
    ]
    cells = [outlook.sites.sites[numbers[row]].cell.id for row in use]
    truth = np.array([cell in there for cell in cells], dtype=np.float32)
    lessons = Lessons(seen[use], signs[use], truth)
    dished = outlook.dished[[numbers[row] for row in use]]
    return lessons[~dished], lessons[dished]


def of_others(reader: Reader, sight: Sight, there: positions.Position) -> list[Lessons]:
    """Of squares and tiles, if anything may stand there: of several pieces in one the picture does
    not say which is which, so those found too often are left out.
    """
    judge, outlook = sight.judge, reader.outlook
    where, own = candidates(reader.learned, judge.explained, outlook.others)
    if not where:
        return []
    seen, signs = hints_elsewhere(
        reader.learned, outlook, judge.evidence, judge.explained, where, own
    )
    names = reader.learned.kinds.names
    found = Counter((n, s.kind) for (n, s), mine in zip(where, own, strict=True) if mine)

    def stands(n: int, standing: Standing, mine: bool) -> float | None:
        cell = outlook.sites.sites[n].cell.id
        truly = there.get(cell, ()).count(names[standing.kind])
        many = found[n, standing.kind]
        if not mine:
            return float(truly > many)
        return 1.0 if many <= truly else 0.0 if truly == 0 else None

    told = [stands(n, s, mine) for (n, s), mine in zip(where, own.tolist(), strict=True)]
    use = [
        row
        for row, ((n, _), truth) in enumerate(zip(where, told, strict=True))
        if truth is not None and n not in judge.cover.cells
    ]
    truth = np.array([told[row] for row in use], dtype=np.float32)
    return [Lessons(seen[use], signs[use], truth)]


def joined(parts: list[Lessons]) -> Lessons | None:
    """Several lessons one after the other, small enough to be kept by the million."""
    whole = [part for part in parts if len(part)]
    if not whole:
        return None

    def stack(arrays: list[Array]) -> Array:
        return np.concatenate([array.astype(np.float16) for array in arrays])

    return Lessons(
        stack([part.seen for part in whole]),
        stack([part.signs for part in whole]),
        stack([part.truth for part in whole]),
    )
