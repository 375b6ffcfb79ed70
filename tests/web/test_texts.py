"""What people read: complete in every language, with the numbers of the case."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from referee.game import Setup
from referee.games import games
from referee.notation import find_play, read_board
from referee.plays import CAMP, refuse
from referee.verdict import Fix
from web.texts import TRANSLATIONS, MissingTextError, Texts, languages, sentences, variants

REFEREE = Path(__file__).parents[2] / "referee"
THIN = "\u202f"


@pytest.fixture(params=languages())
def texts(request: pytest.FixtureRequest) -> Texts:
    return Texts(request.param)


def cited_rules() -> set[str]:
    """The first word of every refusal in the referee's code."""
    found = set()
    for path in REFEREE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name in ("refuse", "about"):
                words = ast.walk(node.args[0])
                found |= {word.value for word in words if isinstance(word, ast.Constant)}
    return {str(rule) for rule in found}


def test_french_comes_first_and_english_is_there() -> None:
    assert languages()[:2] == ("fr", "en")


def test_every_language_says_everything(texts: Texts) -> None:
    assert texts.keys == Texts("fr").keys


def test_no_key_is_given_twice() -> None:
    for path in TRANSLATIONS.glob("*/LC_MESSAGES/*.po"):
        keys = re.findall(r'^msgid "(.+)"$', path.read_text("utf-8"), re.MULTILINE)
        assert len(keys) == len(set(keys))


def test_nothing_is_left_unsaid(texts: Texts) -> None:
    with (TRANSLATIONS / texts.language / "LC_MESSAGES" / "messages.po").open("rb") as file:
        assert [one.id for one in read_po(file) if one.id and not one.string] == []


def test_every_rule_the_referee_cites_is_explained(texts: Texts) -> None:
    assert cited_rules() >= {"TOCK-PASS", "TIJOU-EAT", "BAR-LIFT", "TRI-FALL", "OWN", "BOARD"}
    for rule in cited_rules():
        assert texts.explain(refuse(rule)), rule


def test_a_rule_can_be_said_without_facts_and_shortly(texts: Texts) -> None:
    for key in texts.keys:
        if key.startswith("rule."):
            assert any(not fields for _, fields, _ in variants(texts.language)[key]), key
            assert len(texts.say(key)) < 130, key  # a child of ten reads it at a glance


def test_every_option_is_asked_and_answered(texts: Texts) -> None:
    for game in games().values():
        for name, values in game.options.items():
            assert texts.say(f"option.{name}.question").endswith("?")
            assert texts.say(f"option.{name}.sheet.{game.name}")
            for value in values:
                assert texts.say(f"option.{name}.{str(value).lower()}")
        if "tock4" in game.boards:
            assert texts.say(f"option.house_entry.sheet.{game.name}")
        assert texts.say(f"game.{game.name}")
        for must in ("discard_one", "discard_hand", "put_down", "pass"):
            assert texts.say(f"forced.{must}")


def test_an_unknown_key_is_an_error(texts: Texts) -> None:
    with pytest.raises(MissingTextError):
        texts.say("rule.NO-SUCH-RULE")
    with pytest.raises(MissingTextError):
        Texts("tlh")


def test_french_spaces_do_not_break() -> None:
    for key, sentence in sentences("fr").items():
        bare = re.sub(r"{[^}]*}", "x", sentence)
        assert not re.search(r"[^\u202f\u00a0]:(?!\S)", bare), key
        assert not re.search(r"[^\u202f][;!?](?!\S)", bare), key
        assert not re.search(r"[^\u202f\u00a0]»|«[^\u202f\u00a0]", bare), key


def test_the_numbers_of_the_case_are_filled_in() -> None:
    french, english = Texts("fr"), Texts("en")
    nine = refuse("TOCK-EXACT", seat="a", moved=9, worth=8, card="8S")
    assert french.explain(nine) == f"Le pion rouge a avancé de 9 cases{THIN}; un 8 en vaut 8."
    assert english.explain(nine) == "The red pawn walked 9 steps; an 8 is worth 8."
    passed = refuse("TOCK-PASS", seat="c", by="b", cell="b18")
    assert french.explain(passed) == "Le pion vert ne peut pas dépasser le pion bleu en b18."
    own = refuse("TOCK-PASS", seat="b", by="b", cell="b5")
    assert "sa couleur" in french.explain(own)
    card = refuse("CARD", card="8S", fits="A K X")
    assert french.explain(card) == ("Ce coup irait avec un as, un roi ou un joker, pas avec un 8.")
    eaten = refuse("TIJOU-EAT", seat="a", by="c", cell=7)
    assert french.explain(eaten) == "La pièce verte en 7 ne devait pas être mangée."


def test_pieces_are_called_by_the_colours_of_their_board() -> None:
    setup = Setup("trikolos", "trikolos", ("white", "black"))
    refusal = refuse("TRI-ARRIVE", seat="black", moved=1)
    assert Texts("fr").explain(refusal, setup).startswith("Le pion noir")


def test_players_are_called_by_their_names() -> None:
    called = {"a": "Zoé"}
    assert Texts("fr").said("rule.TURN", {"seat": "a"}, called)


def test_cards_are_said_in_the_language_of_the_deck() -> None:
    french, english = Texts("fr"), Texts("en")
    assert [french.card(card) for card in ("KH", "AS", "8D", "X1")] == [
        "le roi de cœur", "l’as de pique", "le 8 de carreau", "le joker",
    ]  # fmt: skip
    assert [french.index(card) for card in ("KH", "QS", "JD", "AC", "10H")] == [
        "R♥", "D♠", "V♦", "1♣", "10♥",
    ]  # fmt: skip
    assert [english.index(card) for card in ("KH", "QS", "JD", "AC", "X2")] == [
        "K♥", "Q♠", "J♦", "A♣", "Joker",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("board", "card", "play", "told"),
    [
        ("tockcitan | a: b3 | b: b11", "8S", "8S b3-b11", "le 8 : b3 → b11, prend le pion bleu"),
        ("tockcitan | a: | b:", "AS", "AS camp-a18", "l’as : entre en a18"),
        ("tockcitan | a: b3 | b: c9", "JS", "JS b3~c9:b",
         "le valet : échange le pion rouge en b3 et le pion bleu en c9"),
        ("tock-globe | a: b5 | b: c7", "2S", "2S b5-b7-c7",
         "le 2 : b5 → b7 → c7, prend le pion bleu"),
        ("barricades | a: e1 | b:", "2", "e1-e3 e3-e5",
         "e1 → e3, la barricade de e3 va en e5"),
    ],
)  # fmt: skip
def test_plays_are_told(board: str, card: str, play: str, told: str) -> None:
    setup, position = read_board(board)
    plays = games()[setup.game].judge(setup, position, setup.seats[0], (card,), card).plays
    said = Texts("fr").play(find_play(plays, play))
    assert said.replace(THIN, " ") == told


def test_what_to_put_right_is_said() -> None:
    french = Texts("fr")
    assert [
        french.fix(Fix("a", "b12", "b3")),
        french.fix(Fix("b", "b3", CAMP)),
        french.fix(Fix("b", CAMP, "b18")),
        french.fix(Fix("barricade", "e5", "e3")),
        french.fix(Fix("barricade", "e5", CAMP)),
    ] == [
        "Remets le pion rouge de b12 en b3.",
        "Remets le pion bleu de b3 dans son camp.",
        "Remets le pion bleu du camp en b18.",
        "Remets la barricade de e5 en e3.",
        "Enlève la barricade de e5.",
    ]


def test_no_facts_leave_a_brace_behind(texts: Texts) -> None:
    several: tuple[dict[str, str | int], ...] = (
        {"seat": "a"},
        {"seat": "a", "by": "b", "cell": "b18"},
        {"seat": "b", "by": "b", "cell": "b18"},
        {"card": "8S"},
        {"seat": "h", "moved": -3, "worth": 4, "card": "4S"},
        {"more": 2, "fewer": 1},
    )
    for rule in cited_rules():
        for facts in several:
            assert not set("{}") & set(texts.explain(refuse(rule, **facts)))
