"""As many phones as seats play a game from a late position to its end, with nothing but taps.

Every game, and whole ones from the first card, are played by `make test-pages`.
"""

from __future__ import annotations

from typing import Any

import pytest


@pytest.mark.parametrize(
    ("game", "lang"), [("tijou", "fr"), ("tockcitan", "en"), ("trikolos", "fr")]
)
def test_a_game_is_played_to_its_end_by_taps(
    game: str, lang: str, begin: Any, late_game: Any, play_out: Any
) -> None:
    match, position = late_game(game)
    assert play_out(begin(match, position), match.seats, lang)
