"""Lights in the colour of a piece, and beside each other."""

from __future__ import annotations

import numpy as np
import pytest

from hardware.boards import board
from hardware.twin import looks
from hardware.twin.hand import Hand
from vision.glow import disguised
from vision.reading import Reader


def test_a_white_light_could_be_a_white_piece_and_a_dark_cell_nothing():
    lights = {"1": (21, 21, 21), "2": (60, 4, 0), "3": (0, 0, 0)}
    assert disguised(board("tijou"), lights) == {
        "1": frozenset({"white"}),
        "2": frozenset({"red"}),
    }


@pytest.mark.parametrize("many", [6, 14])
def test_in_the_evening_many_lights_beside_each_other_are_no_thing_over_the_board(
    tock, many: int
) -> None:
    middle = tock.board.cell("a18")
    near = sorted(
        (cell for cell in tock.board.cells if cell.led is not None),
        key=lambda cell: np.hypot(cell.x - middle.x, cell.y - middle.y),
    )
    lights = {cell.id: (255, 255, 255) for cell in near[:many]}
    evening = tock.scene.relit(looks.draw_light(tock.board, 401, 60.0))
    reader = Reader(tock.table)
    reading = reader.read(evening.picture(tock.start, lights, seed=3), lights)
    assert not reading.blocked
    assert not reading.unsure
    away = tock.board.cell("c10")
    hand = Hand(away.x, away.y, 18.0, 0.0)
    assert reader.read(evening.picture(tock.start, lights, hand, seed=3), lights).blocked
