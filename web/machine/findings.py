"""What a look at one part of the computer has found: a word, its facts, and what to do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from web.machine.computer import Computer
from web.settings import Config
from web.texts import Texts

Grade = Literal["good", "note", "bad"]


@dataclass(frozen=True)
class Finding:
    """`part` and `word` name the sentence; `do`, where there is something to do, the advice."""

    part: str
    grade: Grade
    word: str
    facts: dict[str, Any] = field(default_factory=dict)
    do: str = ""

    def told(self, texts: Texts) -> str:
        return texts.said(f"doctor.{self.part}.{self.word}", self._facts(texts))

    def advice(self, texts: Texts) -> str:
        return texts.said(f"doctor.do.{self.do}", self._facts(texts)) if self.do else ""

    def _facts(self, texts: Texts) -> dict[str, Any]:
        """Sizes with the decimal sign of the language."""
        size = self.facts.get("size")
        return self.facts if size is None else self.facts | {"size": texts.decimal(size)}


Check = Callable[[Computer, Config], Finding]


def good(part: str, word: str, **facts: Any) -> Finding:
    return Finding(part, "good", word, facts)


def note(part: str, word: str, do: str = "", **facts: Any) -> Finding:
    """Nothing wrong, but worth knowing."""
    return Finding(part, "note", word, facts, do)


def bad(part: str, word: str, do: str, **facts: Any) -> Finding:
    return Finding(part, "bad", word, facts, do)
