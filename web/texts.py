"""What is said to people, in their language: keys in, sentences out.

A language is a folder of files, `translations/LANGUAGE/LC_MESSAGES/*.po`, read as they are. A key
may have variants, `rule.TOCK-PASS~own`: of those whose conditions hold and whose placeholders are
all among the facts, the most particular one is taken. Placeholders name facts and how to put
them: `{seat}` a colour, `{seat:f}` the same for a feminine noun, `{seat:who}` the player,
`{card:a}` "a king", `{moved:steps}` "1 step".
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from babel.messages.pofile import read_po

from hardware import boards
from referee import cards
from referee.game import Setup
from referee.plays import CAMP, Part, Play, Refusal
from referee.verdict import Fix

TRANSLATIONS = Path(__file__).parent / "translations"
FIRST = "fr"
SEATS = ("seat", "by", "piece", "other")
CELLS = ("cell", "origin", "to")
BRANCH = re.compile(r"([a-h])(h?)(\d+)\*?")

Facts = Mapping[str, Any]


class MissingTextError(KeyError):
    """A key without a sentence in a language."""


@cache
def languages() -> tuple[str, ...]:
    """The languages there are, the first one first."""
    found = sorted({path.parent.parent.name for path in TRANSLATIONS.glob("*/LC_MESSAGES/*.po")})
    return tuple(sorted(found, key=lambda one: one != FIRST))


@cache
def sentences(language: str) -> Mapping[str, str]:
    """Every key of a language with its sentence."""
    spaced = typeset if language == "fr" else str
    found: dict[str, str] = {}
    for path in sorted((TRANSLATIONS / language / "LC_MESSAGES").glob("*.po")):
        with path.open("rb") as file:
            catalog = read_po(file, locale=language)
        found |= {str(one.id): spaced(str(one.string)) for one in catalog if one.id and one.string}
    return found


def typeset(sentence: str) -> str:
    """French: the space before ; : ! ? and inside « » is thin and does not break a line."""
    return re.sub(r"(?<=\S) (?=[;:!?»])|(?<=«) ", "\u202f", sentence)


@cache
def colours(board: str) -> Mapping[str, str]:
    """The colour of each seat's pieces on a board."""
    return {piece.seat: piece.name for piece in boards.board(board).pieces if piece.seat}


class Texts:
    """The sentences of one language; on another board than ours by the colours of its pieces."""

    def __init__(self, language: str, board: str = "tock8", *, pointing: bool = False) -> None:
        if language not in languages():
            raise MissingTextError(f"no language {language!r}; there are: {languages()}")
        self.language = language
        self.sentences = sentences(language)
        self.colours = {"white": "white", "black": "black"} | dict(colours(board))
        # whether a branch is called by its colour, as one points at it, and not by its letter
        self.pointing = pointing and bool(boards.board(board).of_kind("house"))

    @property
    def keys(self) -> list[str]:
        """Every key, variants left out."""
        return sorted({key.partition("~")[0] for key in self.sentences})

    def has(self, key: str) -> bool:
        return bool(variants(self.language).get(key))

    def say(self, key: str, /, **facts: Any) -> str:
        return self.said(key, facts)

    def said(self, key: str, facts: Facts, called: Mapping[str, str] | None = None) -> str:
        """The sentence for a key with its facts; `called` names players by their seats."""
        holds = conditions(facts)
        best: tuple[int, int] = (-1, -1)
        chosen = ""
        for tags, fields, sentence in variants(self.language).get(key, ()):
            rank = (len(tags), len(fields))
            if tags <= holds and fields <= facts.keys() and rank > best:
                best, chosen = rank, sentence
        if best < (0, 0):
            raise MissingTextError(f"{self.language}: no text for {key!r} with {sorted(facts)}")
        return Wording(self, called or {}).format(chosen, **facts)

    def explain(self, refusal: Refusal, setup: Setup | None = None) -> str:
        """Why not, by one rule, with the numbers and names of the case."""
        here = self if setup is None else self.on(setup)
        return here.said(f"rule.{refusal.rule}", dict(refusal.facts))

    def on(self, setup: Setup) -> Texts:
        return Texts(self.language, setup.board)

    def decimal(self, number: str) -> str:
        return number.replace(".", ",") if self.language == "fr" else number

    # the words for what stands and lies on a table

    def colour(self, seat: str, form: str = "") -> str:
        name = self.colours.get(seat, seat)
        key = f"colour.{name}.{form}" if form else f"colour.{name}"
        return self.sentences.get(key) or self.sentences.get(f"colour.{name}") or name

    def piece(self, piece: str) -> str:
        """A piece with its article: the red pawn, the barricade, the green tile."""
        if self.has(f"piece.{piece}"):
            return self.say(f"piece.{piece}")
        return self.say("piece.pawn", seat=piece)

    def cell(self, cell: object) -> str:
        branch = BRANCH.fullmatch(str(cell)) if self.pointing else None
        if branch is not None:
            seat, house, number = branch.groups()
            key, form = ("cell.in-house", "f") if house else ("cell.on-branch", "")
            sentence = self.sentences[key]
            return sentence.format(colour=self.colour(seat, form), number=number)
        return self.sentences.get(f"cell.{cell}") or str(cell)

    def rank(self, rank: str, form: str = "") -> str:
        """A rank: 8, roi; with `a` its article: un 8, un roi; with `the`: le 8."""
        key = f"rank.{rank}" if f"rank.{rank}" in self.sentences else "rank.number"
        return self.say(f"{key}.{form}" if form else key, rank=rank)

    def card(self, card: str) -> str:
        """A card in words: le roi de cœur."""
        if card in cards.JOKERS or card not in cards.RANK:
            return self.rank(cards.RANK.get(card, card)[0], "the")
        suit = self.say(f"suit.{card[-1]}")
        return self.say("card", rank=self.rank(cards.RANK[card], "the"), suit=suit)

    def index(self, card: str) -> str:
        """A card as its corner shows it: R♥."""
        if card not in cards.RANK:
            return card
        rank = self.sentences.get(f"index.{cards.RANK[card]}", cards.RANK[card])
        return rank if card in cards.JOKERS else rank + self.say(f"sign.{card[-1]}")

    def listed(self, words: Iterable[str], last: str = "or") -> str:
        """a, b or c."""
        *first, end = words
        return self.say(f"list.{last}", first=", ".join(first), end=end) if first else end

    # plays and what hands have to do

    def play(self, play: Play) -> str:
        """A play as one would tell it: le 8 : b3 → b11, prend le pion bleu."""
        told = ", ".join(self.part(part) for part in play.parts) or self.say("play.nothing")
        if play.card is None:
            return told
        return self.say("play.with-card", card=self.rank(cards.RANK[play.card], "the"), told=told)

    def part(self, part: Part) -> str:
        if part.swap:
            one, two = part.path
            return self.say("play.swap", origin=one, to=two, piece=part.piece, other=part.swap)
        if part.path[0].startswith("push"):
            return self.say("play.push", row=part.path[0].removeprefix("push"))
        if part.piece == "barricade":
            return self.say("play.barricade", origin=part.path[0], to=part.path[-1])
        if part.path[0] == CAMP:
            told = self.say("play.enter", to=part.path[-1])
        else:
            told = " → ".join(self.cell(cell) for cell in part.path)
        taken = [self.piece(piece) for piece, _ in part.takes]
        return (
            told if not taken else self.say("play.takes", told=told, what=self.listed(taken, "and"))
        )

    def fix(self, fix: Fix) -> str:
        """One thing to put right: Remets le pion rouge de b12 en b3."""
        key = "fix.from-camp" if fix.origin == CAMP else "fix.move"
        if fix.to == CAMP:
            key = "fix.take-away" if self.has(f"piece.{fix.piece}") else "fix.to-camp"
        return self.say(key, what=self.piece(fix.piece), origin=fix.origin, to=fix.to)


Variant = tuple[frozenset[str], frozenset[str], str]


@cache
def variants(language: str) -> Mapping[str, tuple[Variant, ...]]:
    """The ways to say each key: under which conditions, with which facts, and the sentence."""
    found: dict[str, tuple[Variant, ...]] = {}
    for whole, sentence in sentences(language).items():
        key, *tags = whole.split("~")
        fields = frozenset(
            name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None
        )
        tags = [tag for tag in tags if not tag.isdigit()]  # numbers only keep keys apart
        found[key] = (*found.get(key, ()), (frozenset(tags), fields, sentence))
    return found


def conditions(facts: Facts) -> frozenset[str]:
    """What variants may ask: own, back, one, and any fact by its value."""
    found = {f"{name}={value}" for name, value in facts.items()}
    if "by" in facts and facts.get("by") == facts.get("seat"):
        found.add("own")
    moved = facts.get("moved")
    if isinstance(moved, int) and moved < 0:
        found.add("back")
    if facts.get("card") in cards.RANK:
        found.add(f"rank={cards.RANK[facts['card']]}")
    return frozenset(found)


class Wording(string.Formatter):
    """Puts facts into sentences as people say them."""

    def __init__(self, texts: Texts, called: Mapping[str, str]) -> None:
        self.texts = texts
        self.called = called
        self.name = ""

    def get_field(self, field_name: str, args: Any, kwargs: Any) -> Any:
        self.name = field_name
        return kwargs[field_name], field_name

    def format_field(self, value: Any, format_spec: str) -> str:
        texts, name = self.texts, self.name
        if format_spec == "who":
            return self.called.get(value) or capital(texts.colour(value))
        if name in SEATS:
            return texts.colour(str(value), format_spec)
        if name == "seats":
            each = (self.called.get(s) or capital(texts.colour(s)) for s in str(value).split())
            return texts.listed(each, "and")
        if name in CELLS:
            return texts.cell(value)
        if format_spec == "full":
            return texts.card(str(value))
        if name == "card" and format_spec in ("a", "the"):
            return texts.rank(cards.RANK.get(value, str(value)), format_spec)
        if name in ("fits", "worth") and not format_spec:
            return texts.listed(str(value).split())
        if name == "fits":
            return texts.listed(texts.rank(one, format_spec) for one in str(value).split())
        if format_spec:
            number = abs(int(value))
            unit = "one" if number == 1 or (number == 0 and texts.language == "fr") else "many"
            return texts.say(f"unit.{format_spec}.{unit}", number=number)
        return str(abs(value)) if isinstance(value, int) and name == "moved" else str(value)


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]
