"""What a watcher makes of changes that no move explains."""

from collections import Counter

import pytest

from vision.claims import Seen
from vision.continuity import PATIENCE, Memory, puzzles

Board = dict[str, str]  # by cell: the first letters of the pieces on it
NAMES = {"w": "white", "y": "yellow", "b": "blue", "k": "black"}


def stands(board: Board) -> dict[str, Counter[str]]:
    return {cell: Counter(NAMES[one] for one in own) for cell, own in board.items()}


def seen(board: Board) -> list[Seen]:
    return [Seen(cell, NAMES[one], 0.9) for cell, own in board.items() for one in own]


@pytest.mark.parametrize(
    ("before", "now", "unsure", "puzzling"),
    [
        ({"1": "b"}, {"1": "k"}, (), {"1"}),  # a colour that nobody brought
        ({"1": "b", "2": "k"}, {"1": "k", "2": "k"}, (), {"1"}),
        ({"1": "b", "2": "k"}, {"1": "k"}, (), set()),  # taken, and still in the hand
        ({"1": "b", "2": "k"}, {"1": "k", "bc1": "b"}, (), set()),
        ({"1": "b"}, {"1": "k"}, ("7",), {"1"}),  # one open cell is not two pieces
        ({"1": "b"}, {"1": "k"}, ("7", "8"), set()),
        ({"1": "wy"}, {"1": "y"}, (), {"1"}),  # gone from a crowd
        ({"1": "wy"}, {"1": "y", "2": "w"}, (), set()),
        ({"1": "wy"}, {"1": "y"}, ("2",), set()),
        ({"1": "w", "2": "y"}, {"2": "y"}, (), set()),  # lifted
        ({"2": "y"}, {"1": "w", "2": "y"}, (), set()),  # set down
        ({"1": "b"}, {"2": "k"}, ("1",), set()),  # an open cell tells nothing
        ({}, {"1": "b"}, (), set()),
    ],
)
def test_what_no_move_explains_is_a_puzzle(
    before: Board, now: Board, unsure: tuple[str, ...], puzzling: set[str]
) -> None:
    assert puzzles(stands(before), stands(now), unsure) == puzzling


def test_a_puzzle_is_believed_in_the_end_and_only_then() -> None:
    memory = Memory()
    assert not memory.doubt(seen({"1": "b", "2": "w"}), (), ())
    for _ in range(PATIENCE):
        assert memory.doubt(seen({"1": "k", "2": "w"}), (), ()) == {"1"}
    assert not memory.doubt(seen({"1": "k", "2": "w"}), (), ())
    assert not memory.doubt(seen({"1": "k", "2": "w"}), (), ())


def test_what_stood_on_an_open_cell_is_remembered() -> None:
    memory = Memory()
    memory.doubt(seen({"1": "b"}), (), ())
    memory.doubt([], ("1",), ())
    assert memory.doubt(seen({"1": "k"}), (), ()) == {"1"}
    assert not memory.doubt(seen({"1": "b"}), (), ())


def test_open_cells_explain_a_change_and_do_not_make_a_mistake_the_truth() -> None:
    memory = Memory()
    memory.doubt(seen({"1": "b"}), (), ())
    assert not memory.doubt(seen({"1": "k"}), ("7", "8"), ())
    assert not memory.doubt(seen({"1": "b"}), (), ())


def test_every_cell_is_waited_for_by_itself() -> None:
    memory = Memory()
    memory.doubt(seen({"1": "b", "2": "w"}), (), ())
    for other in "ykyk"[:PATIENCE]:
        assert memory.doubt(seen({"1": "k", "2": other}), (), ()) == {"1", "2"}
    assert memory.doubt(seen({"1": "k", "2": "k"}), (), ()) == {"2"}


def test_another_board_is_no_puzzle() -> None:
    memory = Memory()
    memory.doubt(seen({"1": "b", "2": "b", "3": "w", "4": "w"}), (), ())
    assert not memory.doubt(seen({"1": "k", "2": "k", "3": "y", "4": "y"}), (), ())


def test_tiles_may_become_others_for_whole_rows_of_them_are_pushed() -> None:
    memory = Memory()
    memory.doubt([Seen("a1", "tile-red", 0.9)], (), {"tile-red", "tile-green"})
    assert not memory.doubt([Seen("a1", "tile-green", 0.9)], (), {"tile-red", "tile-green"})
