"""A row pushed with the spare tile: what rides along, where who falls off is put, what is seen."""

from __future__ import annotations

import numpy as np
import pytest

from hardware.boards import BoardError, board
from hardware.twin.desk import Desk
from web.twin.hands import Hands
from web.twin.pushing import pushed, row_of

TRIKOLOS = board("trikolos")
LETTERS = {"G": "tile-green", "O": "tile-orange", "R": "tile-red"}


def lying(rows: str, spare: str, **pawns: str) -> dict[str, tuple[str, ...]]:
    """Rows 1 to 6 from a to f; a pawn by the cell it stands on."""
    cells = [cell for row in range(1, 7) for cell in row_of(row)]
    found = {
        cell: (LETTERS[letter], *([pawns[cell]] if cell in pawns else []))
        for cell, letter in zip(cells, rows.replace(" ", ""), strict=True)
    }
    return found | {"spare": (LETTERS[spare],)}


REDS = "RRRRRR " * 6


def test_tiles_move_towards_a_with_whoever_stands_on_them() -> None:
    after = pushed(TRIKOLOS, lying("OGRROG " + REDS[7:], "R", c1="white"), 1)
    assert [after[cell][0][5].upper() for cell in row_of(1)] == list("GRROGR")
    assert after["b1"] == ("tile-red", "white")
    assert after["spare"] == ("tile-orange",)
    assert {cell: names for cell, names in after.items() if cell[1:] != "1"} == {
        cell: names for cell, names in lying(REDS, "O").items() if cell[1:] != "1"
    }


def test_who_falls_off_comes_to_the_new_tile_if_it_may_stand_there() -> None:
    after = pushed(TRIKOLOS, lying(REDS, "G", a3="black"), 3)
    assert after["f3"] == ("tile-green", "black")
    assert after["spare"] == ("tile-red",)


@pytest.mark.parametrize(
    ("pawn", "rows", "place"),
    [
        ("white", "RRRRRG RRRRRG RRRRRR RRRRRR RRRRRG RRRRRR", "f2"),
        ("black", "RRRRRG RRRRRG RRRRRR RRRRRR RRRRRG RRRRRR", "f5"),
        ("white", "RRRRRR RRRRRR RRRRRR RRRRRR RRRRRG RRRRRR", "wc2"),
    ],
)
def test_or_back_along_the_column_or_to_its_camp(pawn: str, rows: str, place: str) -> None:
    standing = lying(rows, "R", a3=pawn) | {"wc1": ("white",)}
    assert pawn in pushed(TRIKOLOS, standing, 3)[place]


def test_nobody_is_put_where_somebody_stands() -> None:
    after = pushed(TRIKOLOS, lying("RRRRRG RRRRRG " + REDS[14:], "R", a3="white", f2="black"), 3)
    assert after["f1"] == ("tile-green", "white")


def test_a_row_with_a_gap_is_not_pushed() -> None:
    standing = lying(REDS, "G") | {"d4": ()}
    with pytest.raises(BoardError, match='"d4"'):
        pushed(TRIKOLOS, standing, 4)
    with pytest.raises(BoardError, match="spare"):
        pushed(TRIKOLOS, standing | {"spare": ()}, 1)
    with pytest.raises(BoardError):
        pushed(board("tijou"), {}, 1)


def test_the_camera_sees_the_row_on_its_way() -> None:
    desk = Desk.of(TRIKOLOS, (480, 480))
    pictures: list[np.ndarray] = []
    before = desk.picture(1)
    row = row_of(2)
    Hands(lambda seconds: pictures.append(desk.picture(1))).push(
        desk, row, pushed(TRIKOLOS, desk.standing(), 2)
    )
    desk.reach(None)
    start, far = (TRIKOLOS.cell(cell) for cell in (row[0], "a5"))
    beside = desk.scene.camera.project([(start.x - 40, start.y, 0.0), (far.x - 40, far.y, 0.0)])

    def changed(picture: np.ndarray, spot: np.ndarray) -> float:
        x, y = np.rint(spot).astype(int)
        here = (slice(y - 4, y + 5), slice(x - 4, x + 5))
        return float(np.abs(picture[here].astype(float) - before[here]).mean())

    assert changed(pictures[1], beside[0]) > 20 > 4 * changed(pictures[1], beside[1])
    assert changed(desk.picture(1), beside[0]) < 5


def test_what_a_hand_holds_is_not_on_its_cell_as_well() -> None:
    desk = Desk.of(board("tijou"), (480, 480))
    everybody = desk.standing()
    desk.reach(None, ("ac1", "red"))
    assert desk.standing() == everybody
    assert desk.now.lying == everybody | {"ac1": ()}
    desk.move("ac1", "5", "red")
    assert desk.now.lying == desk.standing()
    desk.reach(None, ("9", "red"))  # nothing stands there
    assert desk.now.lying == desk.standing()
