"""The log: more in the file than on the screen, and a full disk stops nothing."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from web.machine.logbook import FORM, LARGEST, LOG, Patient


def test_a_full_disk_is_said_once(capsys: pytest.CaptureFixture[str]) -> None:
    book = logging.Logger("full")
    book.addHandler(Patient("/dev/full", encoding="utf-8"))
    for _ in range(3):
        book.error("nobody can write this down")
    assert capsys.readouterr().err.count("No space left") == 1


def test_the_log_does_not_grow_for_ever(tmp_path: Path) -> None:
    book = logging.Logger("long")
    file = Patient(tmp_path / LOG, maxBytes=LARGEST // 100, backupCount=2, encoding="utf-8")
    file.setFormatter(logging.Formatter(FORM))
    book.addHandler(file)
    for n in range(1000):
        book.warning("line %s", n)
    file.close()
    assert sum(one.stat().st_size for one in tmp_path.iterdir()) < LARGEST // 25
    assert "line 999" in (tmp_path / LOG).read_text()
