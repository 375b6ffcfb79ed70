"""The web's words: problems, notices, cases, questions and choices in the language of a device."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from referee.dossier import SEVERITIES
from referee.games import games
from referee.match import NotNowError
from referee.plays import Play, RefereeError
from referee.table import Choice
from web.refusals import refusal_key
from web.texts import MissingTextError, Texts, sentences

log = logging.getLogger(__name__)

EVERY_BOARD = "tock8"
OF_PAGES = "ui."
# what only these pages say: phones need not load it
ONLY = {
    "host": (
        "host", "setup", "run", "sure", "cases", "table", "wizard", "lights", "settings",
        "passage", "pin", "evenings", "figures", "machine", "first",
    ),
    "twin": ("twin",),
}  # fmt: skip


@lru_cache(maxsize=32)
def texts(lang: str, board: str) -> Texts:
    return Texts(lang, board, pointing=True)


@dataclass(frozen=True)
class Voice:
    """How one device is spoken to: its language, the colours of the board, who is called what."""

    lang: str
    board: str = EVERY_BOARD
    called: Mapping[str, str] = field(default_factory=dict)

    def say(self, key: str, facts: Mapping[str, Any] | None = None) -> str:
        """The sentence; a text that is missing shows its key rather than nothing."""
        given = {name: self.word(name, value) for name, value in (facts or {}).items()}
        named = {seat: name for seat, name in self.called.items() if name}
        try:
            return texts(self.lang, self.board).said(key, given, named)
        except (MissingTextError, ValueError, TypeError) as error:
            missing(self.lang, key, str(error))
            return key

    def word(self, name: str, value: Any) -> Any:
        """A fact as it is told: plays and games have words of their own."""
        if name == "game" and value in games():
            return self.say(f"game.{value}")
        return texts(self.lang, self.board).play(value) if isinstance(value, Play) else value

    def choice(self, choice: Choice) -> str:
        """One answer to a question, as it stands on its button."""
        here = texts(self.lang, self.board)
        if choice.play is not None:
            return here.play(choice.play)
        if choice.card:
            return here.card(choice.card)
        return self.say(f"answer.{choice.text}")


@lru_cache(maxsize=1000)
def missing(lang: str, key: str, error: str) -> None:
    """Said once for each text."""
    log.error("a text is missing: %s", error)


def say(key: str, lang: str, **facts: Any) -> str:
    return Voice(lang).say(key, facts)


def known(key: str) -> bool:
    return texts("fr", EVERY_BOARD).has(key)


def of_pages(lang: str, page: str = "") -> dict[str, str]:
    """The texts that pages, or one of them, put together; some they share with everybody."""
    said = sentences(lang)
    shared = [f"game.{name}" for name in games()] + [f"severity.{one}" for one in SEVERITIES]
    rooms = {room for name, kept in ONLY.items() if page and page != name for room in kept}
    own = {
        key: text
        for key, text in said.items()
        if key.startswith(OF_PAGES) and key.split(".")[1] not in rooms
    }
    return own | {OF_PAGES + key: said[key] for key in shared}


def refusal(error: RefereeError, voice: Voice) -> tuple[str, str, str]:
    """The referee's no: in words, its key, and the rule if one says so."""
    cited = error.refusal if isinstance(error, NotNowError) else None
    if cited is not None and cited.rule == "TURN":  # whoever was too early asks this themselves
        return voice.say("no.not-your-turn"), "no.not-your-turn", cited.rule
    if cited is not None:
        key = f"rule.{cited.rule}"
        return voice.say(key, dict(cited.facts)), key, cited.rule
    found = refusal_key(str(error))
    if found is None:
        log.warning("no words for: %s", error)
        return str(error), "no.other", ""
    key, facts = found
    return voice.say(key, facts), key, ""
