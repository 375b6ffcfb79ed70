"""Plays counted over whole turns, as chess engines do: a change of the rules changes a number."""

from __future__ import annotations

import pytest

from referee import cards
from referee.game import Position, Setup
from referee.games import game as game_named
from referee.notation import read_board


def asked(setup: Setup, which: str) -> list[tuple[list[str], str | None]]:
    """Every rank, every throw, or nothing to choose."""
    game = game_named(setup.game)
    if game.die:
        return [([str(n)], str(n)) for n in range(1, 7)]
    if not game.deck:
        return [([""], None)]
    ranks = [rank + "S" for rank in (which.split() or cards.RANKS)]
    return [([card], card) for card in ranks]


def count(setup: Setup, position: Position, turns: int, which: str, number: int = 0) -> int:
    """Sequences of so many plays, seats taking turns; who can play nothing passes."""
    if turns == 0:
        return 1
    game, seat = game_named(setup.game), setup.seats[number % len(setup.seats)]
    found = 0
    for hand, card in asked(setup, which):
        plays = game.judge(setup, position, seat, hand, card).plays
        if turns == 1:
            found += len(plays)
        else:
            found += sum(
                count(setup, play.position, turns - 1, which, number + 1) for play in plays
            )
    return found


BUSY = "a: a18* b3 d15 ah2 | b: b18 c9 a5 bh1 | c: c17 d2 b7 | d: d18* a10 c1"
WIDE = "a: a18* b3 | b: c9 | c: d5 | d: e7 | e: e18* | f: g2 | g: h14 | h: a6"
SQUARE = "a: 1 5 | b: 9 11 | c: 8 28 A-c | d: 2 2 36"
TILES = "tiles: GORGOR OGRROG RGOORG GROGRO OGRRGO GGOROR"
PAIRS = "teams=a,c+b,d"


@pytest.mark.parametrize(
    ("board", "turns", "which", "plays"),
    [
        (f"tockcitan | {BUSY}", 1, "", 146),
        (f"tockcitan | {BUSY}", 2, "A 4 7 J K", 16380),
        (f"tockcitan house_entry=18 seven_parts=one | {BUSY}", 1, "", 113),
        (f"tockcitan-team {PAIRS} | {BUSY}", 1, "", 125),
        (f"tockcitan-team {PAIRS} | {BUSY}", 2, "4 7 J Q", 11873),
        (f"tock-fadoq {PAIRS} | {BUSY}", 1, "", 140),
        (f"tock-fadoq {PAIRS} | {BUSY}", 2, "4 5 7 K", 10074),
        (f"tock-globe | {BUSY}", 1, "", 139),
        (f"tock-globe | {BUSY}", 2, "A 5 7 J", 14944),
        (f"tock-globe seven_parts=many cross=free | {BUSY}", 1, "", 186),
        (f"tock-globe tock8 | {WIDE}", 1, "", 41),
        (f"tock-globe tock8 | {WIDE}", 2, "5 7 J K", 348),
        ("tijou | a: 1 5 | c: 8 28 A-c", 1, "", 31),
        (f"tijou {PAIRS} | {SQUARE.replace('a: 1 5', 'a: 1 5 20')}", 3, "2 4 5 J K", 10026),
        (f"tijou king_enters=true jack_targets=anyone {PAIRS} | {SQUARE}", 2, "", 1578),
        ("barricades | a: | b:", 1, "", 176),
        ("barricades | a: d3 h13 | b: e1 q13", 2, "", 156618),
        ("barricades | a: j9 | b: | c: | d: a11", 1, "", 338),
        (f"trikolos | white: | black: | {TILES} | spare: G", 3, "", 3881),
        (f"trikolos | white: a2 c5 f6 home | black: a5 b1 c2 | {TILES} | spare: O", 3, "", 1813),
    ],
)
def test_so_many_plays(board: str, turns: int, which: str, plays: int) -> None:
    assert count(*read_board(board), turns, which) == plays
