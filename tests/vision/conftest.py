"""One virtual table, learned from two pictures; made once for all tests of a worker."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from calibration.learning import learn
from calibration.table import Table
from hardware.board_files import load
from hardware.boards import Board
from hardware.twin import looks, positions
from hardware.twin.scene import Scene

SIZE = (960, 720)
WOOD = (110, 160, 200)  # blue, green, red


def bgr(colour: tuple[float, ...], many: int = 1) -> np.ndarray:
    """So many points of one colour."""
    return np.tile(np.array(colour, dtype=np.float32), (many, 1))


@dataclass(frozen=True)
class Desk:
    """A virtual table and what was learned of it."""

    board: Board
    scene: Scene
    table: Table
    start: dict[str, tuple[str, ...]]
    empty: np.ndarray


def desk(name: str, number: int) -> Desk:
    board = load(name)
    table = looks.draw_table(board, number, SIZE)
    light = looks.draw_light(board, number, 700.0)
    scene = Scene(board, looks.Look(table, light), looks.draw_camera(board, table, 80.0))
    start = positions.start(board, np.random.default_rng(number))
    scene.lock(start)
    empty = scene.picture({}, seed=1)
    learned = learn(board, [empty], scene.picture(start, seed=2), start)
    return Desk(board, scene, learned, start, empty)


@pytest.fixture(scope="session")
def tock() -> Desk:
    return desk("tock4", 401)


@pytest.fixture(scope="session")
def tiles() -> Desk:
    return desk("trikolos", 401)


@pytest.fixture(scope="session")
def squares() -> Desk:
    return desk("tijou", 401)
