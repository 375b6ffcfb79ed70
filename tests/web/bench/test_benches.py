"""`arbitre bench`: lists the benches there are, all of them, and no others."""

from __future__ import annotations

import importlib

import pytest

from web.bench import bench, benches


def test_the_list_is_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench(["--list"]) == 0
    listed = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert listed == sorted(benches())
    assert {"rules", "umpire", "lights", "vision", "chain", "soak"} <= set(listed)
    for name, what in benches().items():
        module = importlib.import_module(f"web.bench.{name}")
        assert callable(module.measure)
        assert callable(module.table)
        assert what


@pytest.mark.parametrize("words", [["chess"], ["rules", "--what"], ["chain", "--only", "chess"]])
def test_bad_words_get_one_line(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert bench(words) == 2
    assert capsys.readouterr().err.count("\n") == 1
