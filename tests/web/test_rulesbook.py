"""The chapters of the rules book: each game has its own, by what it is played with."""

from __future__ import annotations

from typing import Any

import pytest

from referee.games import games
from referee.games.barricades import Barricades
from web.rulesbook.chapters import book


def told(game: str) -> set[str]:
    return {item.text for _, items in book(games()[game]) for item in items}


@pytest.mark.parametrize("game", sorted(games()))
def test_every_game_has_a_goal_a_turn_and_an_end(game: str) -> None:
    titles = [title for title, _ in book(games()[game])]
    assert {"goal", "turn", "end"} <= {*titles}


def test_jokers_partners_and_drawing_are_told_where_there_are_any() -> None:
    jokers = {game for game in games() if "tock.joker" in told(game)}
    assert jokers == {"tock-fadoq", "tock-globe"}
    assert {game for game in games() if "tock.goal-team" in told(game)} == {
        "tockcitan-team",
        "tock-fadoq",
    }
    assert {game for game in games() if "tock.partner" in told(game)} == {
        "tockcitan-team",
        "tock-fadoq",
        "tock-globe",
    }
    hands = {
        game: next(iter(told(game) & {"tock.hand-citan", "tock.hand-team"}), "") for game in games()
    }
    assert (hands["tockcitan"], hands["tockcitan-team"]) == ("tock.hand-citan", "tock.hand-team")


def test_a_game_without_a_chapter_is_not_told_as_another() -> None:
    class Ludo(Barricades):
        name = "ludo"

    ludo: Any = Ludo()
    assert book(ludo) == ()
