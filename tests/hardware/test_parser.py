"""Words that make no sense: one line, status 2, whatever the command."""

from __future__ import annotations

import pytest

from hardware.parser import Parser


@pytest.mark.parametrize(
    ("words", "said"),
    [(["--siz", "3"], "--siz"), (["--size", "three"], "three"), (["a\nb"], "a b")],
)
def test_a_mistake_is_one_line(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    parser = Parser(prog="arbitre thing")
    parser.add_argument("--size", type=int)
    with pytest.raises(SystemExit) as stopped:
        parser.parse_args(words)
    assert stopped.value.code == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1
    assert err.startswith("arbitre thing: ")
    assert "arbitre thing --help" in err
