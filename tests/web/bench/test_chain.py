"""The last turns of two games through pictures, umpire, firmware and pages."""

from __future__ import annotations

import pytest

from web.bench import chain


@pytest.mark.parametrize("game", ["tijou", "tock-globe"])
def test_the_end_of_a_game_is_seen_judged_and_lit_rightly(game: str) -> None:
    figures = chain.measure({"games": 0, "late": 1, "only": game, "seed": 3, "turns": 4})
    assert figures["games"] == 1
    assert figures["lost"] == 0, figures["details"]
    assert figures["wrong_winners"] == 0
    assert figures["false_flags"] == 0, figures["details"]
    assert figures["missed"] == 0
    assert figures["light_checks"] > 5
    assert figures["wrong_lights"] == 0
    assert figures["moves_timed"] > 0
    assert "reading and serial alone" in chain.table(figures)


def test_a_game_that_is_not_there_is_said() -> None:
    with pytest.raises(ValueError, match="no game"):
        chain.measure({"only": "chess"})
