"""What goes round the table as a sheet: three lines a case, in turns.txt.

    # recycle  tock-globe: the open cards are turned over
    tock-globe recycle=turn | a: b3 | c:
    holds 2S 3S 6S 8S 9S, pile, open 5H 6H 7H, 2S b3-b5
    turn c, draws 5H

The board; what the first seat holds, which cards are left to draw and which lie open, oldest
first, if that matters, and what is played; then whose turn it is, how many extra plays are kept,
what was drawn last, or that the cards are shuffled.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from referee import events
from referee.game import Value
from referee.games import games
from referee.notation import read_board

SHEET = Path(__file__).parent / "turns.txt"


def cases() -> Iterator[list[str]]:
    for block in SHEET.read_text("utf-8").strip().split("\n\n"):
        about, *lines = block.splitlines()
        assert about.startswith("# ")
        assert len(lines) == 3, about
        yield lines


@pytest.mark.parametrize("lines", list(cases()), ids=lambda lines: lines[0][:40])
def test_turns(lines: list[str], sit: Callable[..., Any]) -> None:
    board, done, expected = lines
    (_, *held), *acts = [act.split() for act in done.split(", ")]
    evening = sit(board, turn="a", hands={"a": " ".join(held)})
    pile = evening.match.pile
    for what, *cards in acts:
        if what == "passes":
            evening.tell(events.Passed(seat="a"))
        elif what in ("pile", "open"):
            name = {"pile": "cards", "open": "discards"}[what]
            pile = pile.but(**{name: tuple(cards)})
            evening.now = evening.now.but(match=evening.match.but(pile=pile))
        else:
            evening.tell(events.Announced(seat="a", card=what))
            evening.tell(events.Tapped(seat="a", play=" ".join([what, *cards])))
            evening.restored()  # the board follows
    match = evening.match
    for words in expected.split(", "):
        what, *fact = words.split()
        if what in ("turn", "extra"):
            assert (match.phase, match.turn) == (what, fact[0])
        elif what == "keeps":
            assert match.bank("a") == int(fact[0])
        elif what == "draws":
            assert any(hand.cards[-1:] == (fact[0],) for _, hand in match.hands)
        else:
            assert match.phase == what


def test_every_way_round_the_table_is_shown() -> None:
    shown: dict[tuple[str, str], set[Value]] = defaultdict(set)
    for lines in cases():
        setup, _ = read_board(lines[0])
        for name, value in setup.options:
            shown[setup.game, name].add(value)
    for game in games().values():
        for name in ("recycle", "joker_bonus"):
            if name in game.options:
                assert shown[game.name, name] == set(game.options[name]), (game.name, name)
