"""A board of a known game with millimetres of its own."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.adopt import adopt
from calibration.learning import CalibrationError
from calibration.view import View
from hardware.boards import Board, read, write


@pytest.fixture(scope="module")
def old(shape: Board) -> Board:
    """Somebody's own board: no markers, and drawn a little differently everywhere."""
    cells = tuple(
        replace(c, x=c.x + 5 * np.sin(c.y / 90), y=c.y + 4 * np.cos(c.x / 80)) for c in shape.cells
    )
    return replace(shape, name="old", cells=cells, markers=(), dictionary=None)


def test_a_few_named_cells_are_enough_to_find_all(
    shape: Board, old: Board, view: View, draw
) -> None:
    picture = draw(old, view)
    named = ["a18", "a14", "b18", "b14", "c18", "c14", "d18", "d14"]
    spots = view.project(np.array([(old.cell(c).x, old.cell(c).y) for c in named]))
    points = {c: (float(x), float(y)) for c, (x, y) in zip(named, spots, strict=True)}
    adopted = adopt(shape, picture, points)
    true = view.project(np.array([(c.x, c.y) for c in old.cells]))
    found = np.array([adopted.pixels[c.id] for c in old.cells])
    assert np.median(np.linalg.norm(found - true, axis=1)) < 1.0
    assert np.linalg.norm(found - true, axis=1).max() < 8.0
    assert [c.id for c in adopted.board.cells] == [c.id for c in shape.cells]
    assert read(write(adopted.board)) == adopted.board


def test_too_few_points_and_points_in_a_line_are_refused(
    shape: Board, old: Board, view: View, empty: np.ndarray
) -> None:
    with pytest.raises(CalibrationError, match="at least 4"):
        adopt(shape, empty, {"a1": (1.0, 2.0)})
    line = {f"a{n}": (10.0 * n, 20.0) for n in (1, 2, 3, 4, 5)}
    with pytest.raises(CalibrationError, match="one line"):
        adopt(shape, empty, line)
    with pytest.raises(CalibrationError, match="z9"):
        adopt(shape, empty, {"z9": (1.0, 2.0)})
