"""How a match begins: what is made of the tiles that lie there."""

from __future__ import annotations

from hardware.boards.trikolos import COLUMNS, ROWS
from web.opening import laid

WHOLE = [("tile-green", f"{column}{row}") for row in ROWS for column in COLUMNS]


def test_tiles_are_told_by_rows_with_the_spare_one_last() -> None:
    lying = [("tile-red", "spare"), *WHOLE[::-1], ("white", "a1"), ("black", "bc1")]
    assert laid(lying) == ("GGGGGG",) * 6 + ("R",)


def test_where_one_is_not_seen_none_are_told() -> None:
    assert laid(WHOLE) == ()
    assert laid([("tile-red", "spare"), *WHOLE[1:]]) == ()
    assert laid([]) == ()
