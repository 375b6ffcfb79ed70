"""The build guide: how to make a table, with every figure worked out from the boards themselves."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hardware.guide.pages import LANGUAGES, files

__all__ = ["LANGUAGES", "files", "write"]


def write(folder: str | Path, languages: Sequence[str] | None = None) -> list[Path]:
    """The guide in a folder: a page a language, the drawings beside it."""
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    written = []
    for name, text in files(tuple(languages or LANGUAGES)).items():
        path = out / name
        path.write_text(text, encoding="utf-8")
        written.append(path)
    return written
