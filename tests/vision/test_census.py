"""What the known number of pieces says of places that cannot be told by themselves."""

import math

import pytest

from vision.census import ALTERED, GONE, SLIGHTLY, Set, occupied, without_altered, without_too_many
from vision.claims import Seen


def test_what_is_missing_is_where_it_is_likeliest() -> None:
    likely, hardly, never = occupied([0.5, -5.0, -9.0], lost=1)
    assert likely > 1.5
    assert hardly < -2.3
    assert never < hardly


def test_two_places_share_one_missing_piece() -> None:
    one, other = occupied([1.0, 1.0], lost=1)
    assert one == other
    assert -0.5 < one < 0.5
    both = occupied([1.0, 1.0], lost=2)
    assert min(both) > 1.5


def test_a_missing_piece_may_lie_on_the_floor() -> None:
    (alone,) = occupied([-6.0], lost=1)
    assert alone < -1.0  # a place that looks quite empty is not the only one it can be at
    (doubtful,) = occupied([0.0], lost=1)
    assert doubtful == pytest.approx(-math.log(GONE))


def test_of_too_many_the_least_sure_are_left_open() -> None:
    said = [(Seen(cell, "red", sure),) for cell, sure in zip("abcde", (9, 5, 8, 7, 6), strict=True)]
    left = without_too_many([*said, None, ()], {"red": Set(4, 4)})
    assert [own is None for own in left] == [False, True, False, False, False, True, False]
    assert without_too_many(list(said), {"red": Set(5, 5)}) == said
    assert without_too_many(list(said), {}) == said  # nobody knows how many there are


def test_one_too_many_is_rather_one_of_two_in_one_place() -> None:
    two, alone = (Seen("a", "red", 0.99), Seen("a", "red", 0.98)), (Seen("b", "red", 0.6),)
    assert without_too_many([two, alone], {"red": Set(2, 2)}) == [None, alone]
    other = (Seen("a", "red", 0.99), Seen("a", "blue", 0.98))
    third = (Seen("c", "red", 0.9),)
    assert without_too_many([other, alone, third], {"red": Set(2, 2)}) == [other, None, third]


def test_far_too_many_are_none_of_them_believed() -> None:
    said = [(Seen(str(n), "red", 0.9 - 0.01 * n),) for n in range(7)]
    assert without_too_many(list(said), {"red": Set(4, 4)}) == [None] * 7


def test_while_a_piece_is_missing_a_field_that_changed_is_left_open() -> None:
    red = (Seen("5", "red", 0.99),)
    assert without_altered((), 0.3, ALTERED) == ()
    assert without_altered((), 0.3, SLIGHTLY) is None
    assert without_altered((), 0.9, ALTERED) is None
    assert without_altered(red, 0.9, ALTERED) == red  # a piece has a shadow beside it
    assert without_altered(red, 0.99, ALTERED) is None
