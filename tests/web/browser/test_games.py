"""As many phones as seats play each game from a late position to its end, by taps, in both tongues."""

from __future__ import annotations

from typing import Any

import pytest

from referee import events

FACING = (("a", "c"), ("b", "d"))
PAIR = ("a", "c")
FOUR = ("a", "b", "c", "d")

# game, seats, teams, where the pieces stand
LATE: dict[str, tuple[tuple[str, ...], Any, dict[str, Any]]] = {
    "tijou": (FOUR, FACING, {"pawns": {
        "a": ["A-a", "A-a", "36"], "b": ["A-b", "A-b", "9"], "c": ["A-c", "A-c", "18"],
        "d": ["A-d", "A-d", "27"]}}),
    "tockcitan": (PAIR, (), {"pawns": {
        "a": ["ah4", "ah3", "ah2", "d13"], "c": ["ch4", "ch3", "ch2", "b13"]}}),
    "tockcitan-team": (FOUR, FACING, {"pawns": {
        "a": ["ah4", "ah3", "ah2", "ah1"], "b": ["bh4", "bh3", "bh2", "a12"],
        "c": ["ch4", "ch3", "ch2", "b13"], "d": ["dh4", "dh3", "dh2", "c12"]}}),
    "tock-fadoq": (FOUR, FACING, {"pawns": {
        "a": ["ah4", "ah3", "ah2", "d13"], "b": ["bh4", "bh3", "bh2", "bh1"],
        "c": ["ch4", "ch3", "ch2", "ch1"], "d": ["dh4", "dh3", "dh2", "c12"]}}),
    "tock-globe": (PAIR, (), {"pawns": {
        "a": ["ah4", "ah3", "ah2", "d13"], "c": ["ch4", "ch3", "ch2", "b13"]}}),
    "barricades": (PAIR, (), {"pawns": {
        "a": ["h11", "i9", "camp", "camp", "camp"], "c": ["h13", "camp", "camp", "camp", "camp"]},
        "barricades": ["a3", "e3", "m3", "q3", "g7", "k7", "d3", "c5", "e5"]}),
    "trikolos": (("white", "black"), (), {"pawns": {
        "white": ["home", "home", "home", "c6"], "black": ["home", "home", "d1", "e2"]}}),
}  # fmt: skip
BOARDS = {"tijou": "tijou", "barricades": "barricades", "trikolos": "trikolos"}


def opening(game: str) -> tuple[events.Opened, dict[str, Any]]:
    seats, teams, position = LATE[game]
    board = BOARDS.get(game, "tock4")
    mode = "real" if game in ("barricades", "trikolos") else "phone"
    return events.Opened(
        game=game, board=board, seats=seats, teams=teams, mode=mode, camera=False
    ), position


@pytest.mark.parametrize(("game", "lang"), [(g, ("fr", "en")[n % 2]) for n, g in enumerate(LATE)])
def test_a_game_is_played_to_its_end_by_taps(
    game: str, lang: str, begin: Any, phone: Any, tapping: Any
) -> None:
    evening = begin(*opening(game))
    phones = {seat: phone(evening, seat, lang=lang) for seat in LATE[game][0]}
    tapping(evening, phones)
    assert evening.table.match.winners
