"""Whatever the table or the web may say is there in every language, with the facts it has."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from referee import events, match
from referee.dossier import DECISIONS, SEVERITIES, Kind
from referee.match import NotNowError
from referee.plays import RefereeError, refuse
from web.refusals import REFUSALS, refusal_key
from web.texts import Texts, languages
from web.wording import Voice, refusal

ROOT = Path(events.__file__).parents[1]
WEB = sorted([*(ROOT / "web").glob("*.py"), *(ROOT / "web" / "api").glob("*.py")])
UMPIRE = [
    ROOT / "referee" / f"{name}.py"
    for name in ("course", "court", "dealing", "deck", "match", "umpire", "asking", "still")
]
TOLD_AT_DOORS = ("api.", "play.", "health.")


def trees(paths: list[Path]) -> Iterator[ast.AST]:
    for path in paths:
        yield from ast.walk(ast.parse(path.read_text(encoding="utf-8")))


def web_keys() -> set[str]:
    """Every text's key that stands in the web's code."""
    words = {
        node.value
        for node in trees(WEB)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    return {word for word in words if re.fullmatch(r"(api|recording|resume)\.[a-z-]+", word)}


def notices() -> set[str]:
    """Every notice of the umpire that has a name of its own."""
    return {
        str(node.args[0].value)
        for node in trees(UMPIRE)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "notice"
        and node.args
        and isinstance(node.args[0], ast.Constant)
    }


def refusals() -> set[str]:
    """The umpire's refusals, an example for each part that varies."""
    found = set()
    for node in trees(UMPIRE):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        said = {"need": node.args[1:2], "NotNowError": node.args[:1], "RefereeError": node.args[:1]}
        for word in said.get(node.func.id, ()):
            if isinstance(word, ast.Constant):
                found.add(str(word.value))
            elif isinstance(word, ast.JoinedStr):
                found.add("".join(example(part) for part in word.values))
    return found


def example(part: ast.expr) -> str:
    if isinstance(part, ast.Constant):
        return str(part.value)
    assert isinstance(part, ast.FormattedValue)
    return (
        "'tijou'" if part.conversion == ord("r") else "tijou" if "name" in ast.dump(part) else "7"
    )


@pytest.fixture(params=languages())
def texts(request: pytest.FixtureRequest) -> Texts:
    return Texts(request.param)


def test_every_word_of_the_web_is_there(texts: Texts) -> None:
    keys = web_keys()
    assert len(keys) > 50
    assert not {key for key in keys if not texts.has(key)}


def test_every_notice_case_and_question_is_there(texts: Texts) -> None:
    keys = notices() | {f"case.{kind}" for kind in get_args(Kind)}
    keys |= {f"decision.{one}" for one in DECISIONS} | {"ask.card", "ask.play", "ask.undo"}
    keys |= {"game.won", "game.drawn", "answer.yes", "answer.no", "answer.undo", "answer.none"}
    keys |= {f"mode.{one}" for one in match.MODES} | {f"severity.{one}" for one in SEVERITIES}
    assert "turn.yours" in keys
    assert not {key for key in keys if not texts.has(key)}


def test_cases_are_told_to_their_players_and_about_them(texts: Texts) -> None:
    voice = Voice(texts.language, "tock4", {"a": "Léa"})
    for kind in get_args(Kind):
        assert voice.say(f"case.{kind}") != f"case.{kind}"
        assert voice.say(f"case.{kind}", {"seat": "a"}) != f"case.{kind}"
    assert "Léa" in voice.say("case.by-hand", {"seat": "a"})


def test_every_refusal_of_the_umpire_has_words(texts: Texts) -> None:
    said = refusals()
    assert len(said) > 45
    for message in said:
        found = refusal_key(message)
        assert found is not None, message
        assert texts.has(found[0]), found[0]
        voice = Voice(texts.language)
        text, key, _ = refusal(RefereeError(message), voice)
        assert text not in (message, key), message


@pytest.mark.parametrize(
    ("board", "cell", "lang", "called"),
    [
        ("tock4", "a5", "fr", "rouge 5"),
        ("tock4", "bh2", "fr", "maison bleue 2"),
        ("tock4", "bh2", "en", "blue house 2"),
        ("barricades", "a5", "fr", "a5"),
        ("tijou", "A-c", "fr", "l’arrivée verte"),
    ],
)
def test_cells_are_called_as_one_points_at_them(
    board: str, cell: str, lang: str, called: str
) -> None:
    facts = {"seat": "a", "by": "b", "cell": cell}
    assert Voice(lang, board).say("rule.TOCK-PASS", facts).endswith(f" {called}.")


def test_every_refusal_key_is_there(texts: Texts) -> None:
    assert not {key for _, key in REFUSALS if not texts.has(f"no.{key}")}


def test_a_rule_that_says_no_is_named(texts: Texts) -> None:
    error = NotNowError("it is not your turn", refuse("TURN", seat="b"))
    text, key, rule = refusal(error, Voice(texts.language))
    assert (key, rule) == ("no.not-your-turn", "TURN")
    assert text != key


def test_a_missing_text_shows_its_key() -> None:
    assert Voice("fr").say("there.is.no.such", {"seat": "a"}) == "there.is.no.such"
