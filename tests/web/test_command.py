"""`arbitre WORD`: every word has its room, and bad words get one line and status 2."""

from __future__ import annotations

import pytest

from web.command import COMMANDS, main

NO_WORDS = {"bench": ["chess"]}


@pytest.mark.parametrize("word", COMMANDS)
def test_bad_words_get_one_line(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        status = main([word, *NO_WORDS.get(word, ["--no-such-word"])])
    except SystemExit as stopped:
        status = int(str(stopped.code))
    said = capsys.readouterr()
    assert status == 2
    assert said.err.count("\n") == 1
    assert said.out == ""


@pytest.mark.parametrize("word", COMMANDS)
def test_every_word_explains_itself(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        status = main([word, "--help"])
    except SystemExit as stopped:
        status = int(str(stopped.code))
    assert status == 0
    assert f"arbitre {word}" in capsys.readouterr().out


def test_an_unknown_word_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dance"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_the_settings_with_comments_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--print-config"]) == 0
    printed = capsys.readouterr().out
    assert "camera = " in printed
    assert printed.count("#") > 8
