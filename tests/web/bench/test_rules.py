"""The bench of the rules: its figures are there, and are what they say they are."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from referee.games import game
from web.bench import bench, rules


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "MOVES", 60)
    monkeypatch.setattr(rules, "POSITIONS", 2)
    rules.busy_positions.cache_clear()


@pytest.mark.usefixtures("small")
def test_every_figure_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench(["rules", "--rounds", "1", "--json"]) == 0
    said: dict[str, Any] = json.loads(capsys.readouterr().out)
    for name in ("moves_per_s", "vs_python_chess", "vs_ludopy", "seven_table", "card_table"):
        assert said[name] > 0
    worst = max(said["tables"].values(), key=lambda one: float(one["seven_table"]))
    assert said["seven_table"] == worst["seven_table"]
    assert any("tock8" in name for name in said["tables"])
    assert "Kiwipete" in rules.table(said)


def test_no_rounds_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench(["rules", "--rounds", "-1"]) == 2
    assert "--rounds" in capsys.readouterr().err


def test_a_random_game_is_played_to_its_end() -> None:
    """Cards are neither lost nor made, and nobody plays on after somebody has won."""
    setup = rules.tables()[0]
    tockcitan = game("tockcitan")
    turns = list(rules.random_game(tockcitan, setup, random.Random(5)))
    assert [seat for _, seat in turns[:5]] == ["a", "b", "c", "d", "a"]
    assert not any(tockcitan.winners(setup, position) for position, _ in turns)
    assert len(turns) > 100


def test_busy_positions_have_four_pawns_on_the_ring() -> None:
    for setup in rules.tables()[:2]:
        found = game(setup.game)
        for position, seat in rules.busy_positions(setup, 3)[:5]:
            cells = found.write(setup, position)["pawns"][seat]
            assert all(cell != "camp" and "h" not in cell[1:] for cell in cells)
