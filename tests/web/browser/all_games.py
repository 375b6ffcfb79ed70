"""All seven games by taps in both languages, and whole ones of Tijou and Tock: this takes minutes.

Run by `make test-pages`; its name keeps it out of the suite.
"""

from __future__ import annotations

from typing import Any

import pytest

GAMES = ("tijou", "tockcitan", "tockcitan-team", "tock-fadoq", "tock-globe", "barricades",
         "trikolos")  # fmt: skip


@pytest.mark.parametrize("lang", ["fr", "en"])
@pytest.mark.parametrize("game", GAMES)
def test_a_game_from_a_late_position(
    game: str, lang: str, begin: Any, late_game: Any, play_out: Any
) -> None:
    match, position = late_game(game)
    assert play_out(begin(match, position), match.seats, lang)


def test_a_die_of_wood_is_told_by_its_number(begin: Any, late_game: Any, play_out: Any) -> None:
    match, position = late_game("barricades", "real")
    assert play_out(begin(match, position), match.seats, "fr")


@pytest.mark.parametrize(("game", "lang"), [("tijou", "fr"), ("tock-globe", "en")])
def test_a_whole_game_from_its_first_card(
    game: str, lang: str, begin: Any, late_game: Any, play_out: Any
) -> None:
    match, _ = late_game(game)
    assert play_out(begin(match), match.seats, lang, limit=4000)
