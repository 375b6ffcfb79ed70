"""As many phones as seats play each game to its end with nothing but taps, from a late position.

From further back in both languages, and whole games from the first card: `make test-pages`.
"""

from __future__ import annotations

from typing import Any

import pytest


@pytest.mark.parametrize(
    ("game", "lang"),
    [
        ("tijou", "fr"),
        ("tockcitan", "en"),
        ("tockcitan-team", "fr"),
        ("tock-fadoq", "en"),
        ("tock-globe", "fr"),
        ("barricades", "en"),
        ("trikolos", "fr"),
    ],
)
def test_a_game_is_played_to_its_end_by_taps(
    game: str, lang: str, begin: Any, late_game: Any, fateful: Any, play_out: Any
) -> None:
    match, position = late_game(game)
    assert play_out(begin(match, position, fateful.get(game)), match.seats, lang, seed=6)
