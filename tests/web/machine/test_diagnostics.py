"""The archive for whoever helps says where it hurts, and nothing about anybody."""

from __future__ import annotations

import io
import json
import logging
import zipfile
from pathlib import Path

import pytest

from web.chairs import Chairs
from web.machine.computer import Computer
from web.machine.diagnostics import archive, diagnostics, harmless
from web.machine.logbook import FORM, LOG
from web.pin import Pin
from web.settings import Config

NAMES = ("Marguerite", "Zébulon")
SECRET = "Zq7-secret-token-of-a-phone-0123456789"


def everything(packed: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(packed)) as opened:
        return {name: opened.read(name).decode() for name in opened.namelist()}


def table(data: Path) -> tuple[str, ...]:
    """A table's files with everything nobody else may see; returns those things."""
    data.mkdir(parents=True, exist_ok=True)
    pin = Pin(data / "host.json", lambda: 0.0)
    pin.first("271828")
    chairs = Chairs(data / "chairs.json", lambda: 0.0)
    token, _ = chairs.admit()
    (data / "pictures").mkdir()
    (data / "pictures" / "face.jpg").write_bytes(b"\xff\xd8 a face \xff\xd9")
    book = logging.getLogger("test.diagnostics")
    book.propagate = False
    handler = logging.FileHandler(data / LOG, encoding="utf-8")
    handler.setFormatter(logging.Formatter(FORM))
    book.addHandler(handler)
    book.warning("'%s' sat down at 192.168.1.77 by /join/ABCDEFG", NAMES[0])
    try:
        raise ValueError(f"{NAMES[1]} has {SECRET}")
    except ValueError:
        book.exception('the table failed on "%s"', NAMES[1])
    book.removeHandler(handler)
    handler.close()
    return ("271828", token, "a face", SECRET, "192.168.1.77", "ABCDEFG", *NAMES)


def test_nothing_of_anybody_is_in_the_archive(tmp_path: Path) -> None:
    hidden = table(tmp_path / "data")
    packed = archive(Computer(tmp_path), Config(tmp_path / "data", name="Chez Marguerite"))
    told = "\n".join(everything(packed).values())
    for secret in hidden:
        assert secret not in told
    assert str(tmp_path) not in told


def test_it_says_where_it_hurts(tmp_path: Path) -> None:
    table(tmp_path / "data")
    found = everything(archive(Computer(tmp_path), Config(tmp_path / "data")))
    assert sorted(found) == ["data.json", "doctor.json", "log.txt", "settings.json"]
    assert "test_diagnostics.py:" in found["log.txt"]
    assert "ValueError" in found["log.txt"]
    assert "WARNING test.diagnostics" in found["log.txt"]
    assert json.loads(found["data.json"])["pictures/"]["files"] == 1
    assert {one["part"] for one in json.loads(found["doctor.json"])} >= {"camera", "power"}
    assert json.loads(found["settings.json"])["port"] == 8000


def test_the_command_writes_it_or_says_why_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--root", str(tmp_path), "--data", str(tmp_path)]
    assert diagnostics([*words, "--out", str(tmp_path / "help.zip")]) == 0
    assert zipfile.is_zipfile(tmp_path / "help.zip")
    assert diagnostics([*words, "--out", "/no/such/folder.zip"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    "text",
    ["GET /api/view?ticket=abcDEF-1", "from 10.0.0.8", "pin=1234", "/home/margot/x", "'Margot'"],
)
def test_what_would_tell_on_somebody_is_taken_out(text: str) -> None:
    assert "…" in harmless(text) or "A.B.C.D" in harmless(text)
    assert "1234" not in harmless(text)
    assert "argot" not in harmless(text)


def test_an_apostrophe_hides_no_words() -> None:
    told = "the lights' port cannot be opened; it is 'O'Brien's' and the board's cable"
    assert harmless(told) == "the lights' port cannot be opened; it is '…' and the board's cable"
