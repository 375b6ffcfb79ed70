"""Lights in the colour of a piece."""

from __future__ import annotations

from hardware.boards import board
from vision.glow import disguised


def test_a_white_light_could_be_a_white_piece_and_a_dark_cell_nothing():
    lights = {"1": (21, 21, 21), "2": (60, 4, 0), "3": (0, 0, 0)}
    assert disguised(board("tijou"), lights) == {
        "1": frozenset({"white"}),
        "2": frozenset({"red"}),
    }
