"""The last turns of some games through pictures, umpire, firmware and pages."""

from __future__ import annotations

from typing import Any

import pytest

from hardware.boards import board
from referee.game import Sight
from web.bench import chain
from web.bench.photographed import Photographed, shared_holes
from web.bench.rig import Rig

STAGES = {"reading", "umpire", "journal", "serial", "page"}


def all_right(figures: dict[str, Any]) -> None:
    assert figures["lost"] == 0, figures["details"]
    assert figures["wrong_winners"] == 0
    assert figures["false_flags"] == 0, figures["details"]
    assert figures["missed"] == 0
    assert figures["light_checks"] > 5
    assert figures["wrong_lights"] == 0
    assert figures["moves_timed"] > 0
    assert set(figures["stages"]) == STAGES
    assert sum(figures["stages"].values()) == pytest.approx(1.0, abs=0.01)
    assert 1.0 <= figures["vs_reading_plus_serial"] < 3.0


def test_the_end_of_a_game_is_seen_judged_and_lit_rightly() -> None:
    figures = chain.measure({"games": 0, "late": 1, "only": "tock-globe", "seed": 3, "turns": 4})
    assert figures["games"] == 1
    all_right(figures)
    assert "reading and serial alone" in chain.table(figures)


def test_games_played_at_once_are_told_in_their_order(capsys: pytest.CaptureFixture[str]) -> None:
    options = {"games": 0, "late": 2, "only": "tijou", "seed": 3, "turns": 3, "workers": 2}
    figures = chain.measure(options)
    all_right(figures)
    told = [row["game"] for row in figures["by_game"]]
    assert [name.rpartition(" ")[2] for name in told] == ["1003", "1004"]
    assert all(row["late"] and row["spent"]["drawing"] > 0 for row in figures["by_game"])
    assert all(name in chain.table(figures) for name in told)
    assert "2 of 2 games" in capsys.readouterr().err


def test_a_table_that_lost_its_way_is_told_and_counted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever the umpire believes that is not so ends that game, and no other."""

    def nobody(self: Photographed, *_: object) -> None:
        raise ValueError("no such card")

    monkeypatch.setattr(Photographed, "look", nobody)
    figures = chain.measure({"games": 2, "late": 0, "only": "", "seed": 3, "workers": 1})
    assert (figures["games"], figures["lost"]) == (2, 2)
    assert "no such card" in figures["details"][0]
    assert "1 amiss" in capsys.readouterr().err


def test_a_hole_holds_one_piece_and_a_square_many() -> None:
    sight = Sight([("a", "d14"), ("b", "d14"), ("a", "d15"), ("c", "home"), ("c", "home")])
    assert shared_holes(board("tock4"), sight) == {"d14"}
    assert not shared_holes(board("tijou"), Sight([("a", "12"), ("b", "12"), ("b", "12")]))


def test_the_lights_stay_however_long_nothing_is_told() -> None:
    """A controller that hears nothing goes dark; whoever drives it greets it while it waits."""
    rig = Rig.of("tock4", 16)
    rig.light({"a1": "may-go", "b3": "wrong"})
    for _ in range(40):
        rig.tick()
    rig.light({"a1": "may-go", "b3": "wrong"})
    rig.close()
    assert (rig.checks, rig.wrong_lights) == (2, 0)


def test_a_game_that_is_not_there_is_said() -> None:
    with pytest.raises(ValueError, match="no game"):
        chain.measure({"only": "chess"})
