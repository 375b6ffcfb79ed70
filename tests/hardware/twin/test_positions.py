"""Positions to draw: nothing stands where nothing can."""

from collections import Counter

import numpy as np
import pytest

from hardware.boards import BoardError, board, names
from hardware.twin import positions
from hardware.twin.desk import Desk


@pytest.mark.parametrize("name", names())
def test_no_more_pieces_than_there_are_and_none_where_there_is_no_room(name: str) -> None:
    chosen = board(name)
    counts = {piece.name: piece.count for piece in chosen.pieces}
    kinds = {piece.name: piece.kind for piece in chosen.pieces}
    for seed in range(30):
        position = positions.anywhere(chosen, np.random.default_rng(seed))
        seen = Counter(piece for there in position.values() for piece in there)
        assert all(seen[piece] <= counts[piece] for piece in seen)
        for cell_id, there in position.items():
            cell = chosen.cell(cell_id)
            upright = [piece for piece in there if kinds[piece] != "tile"]
            tiles = len(there) - len(upright)
            assert tiles == (cell.kind == "tile")
            assert len(upright) <= (3 if cell.shape == "square" and not tiles else 1)


@pytest.mark.parametrize("name", names())
def test_at_the_start_everybody_waits(name: str) -> None:
    chosen = board(name)
    position = positions.start(chosen, np.random.default_rng(1))
    kinds = {piece.name: piece.kind for piece in chosen.pieces}
    for cell_id, there in position.items():
        for piece in there:
            assert kinds[piece] != "pawn" or chosen.cell(cell_id).kind == "camp"


def test_a_move_takes_one_piece_from_one_cell_to_another() -> None:
    chosen = board("trikolos")
    rng = np.random.default_rng(2)
    before = positions.anywhere(chosen, rng)
    after, name, start, goal = positions.moved(chosen, before, rng)
    assert name in before[start]
    assert name in after[goal]
    assert sum(map(len, before.values())) == sum(map(len, after.values()))


def test_a_desk_is_played_at() -> None:
    desk = Desk.of("tock4", (160, 120))
    desk.move("ac1", "a9")
    assert desk.standing()["a9"] == ("red",)
    assert desk.take("a9") == "red"
    with pytest.raises(BoardError, match="no piece stands"):
        desk.take("a9")
    with pytest.raises(BoardError, match="z9"):
        desk.put("z9", "red")
    with pytest.raises(BoardError, match="pink"):
        desk.arrange({"a1": ("pink",)})
    desk.shine({"a9": (255, 0, 0)})
    assert desk.picture(1).shape == (120, 160, 3)
