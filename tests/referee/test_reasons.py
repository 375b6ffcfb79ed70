"""A board that only a looser table would allow is refused by the very rule that is looser there."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from referee.game import Position, Setup, Sight, Value
from referee.games import game as game_named
from referee.notation import read_board
from referee.plays import Refusal
from referee.reasons import reasons
from referee.verdict import verdict

Throw = Callable[[str, int], tuple[Setup, Position, random.Random]]
Deal = Callable[[Setup, random.Random], tuple[list[str], str | None]]

FOUR = "| a: | b: | c: | d:"
PAIRS = "teams=a,c+b,d"
LOOSER: list[tuple[str, str, Value, Value, str, str]] = [
    (f"tockcitan {FOUR}", "cross", "free", "never", "TOCK-CROSS", ""),
    (f"tock-globe {FOUR}", "cross", "free", "last_resort", "TOCK-CROSS", ""),
    (f"tock-globe house_entry=18 {FOUR}", "cross", "free", "last_resort", "TOCK-CROSS", ""),
    (f"tockcitan {FOUR}", "back_cross", "any", "fresh", "TOCK-BACK", "4S"),
    (f"tock-fadoq {PAIRS} {FOUR}", "back_cross", "any", "fresh", "TOCK-BACK", "4S"),
    (f"tockcitan {FOUR}", "seven_parts", "many", "one", "TOCK-SEVEN", "7S"),
    (f"tock-globe {FOUR}", "seven_parts", "many", "one", "TOCK-SEVEN", "7S"),
    (f"tock-globe {FOUR}", "centre_in_seven", True, False, "TOCK-CENTRE", "7S"),
    (f"tock-globe {FOUR}", "five_moves_shielded", True, False, "TOCK-FIVE", "5S"),
    (f"tock-fadoq {PAIRS} {FOUR}", "shield", "fresh", "on_start", "TOCK-SHIELD", ""),
    (f"tockcitan-team {PAIRS} {FOUR}", "partner_hit", "capture", "illegal", "TOCK-LAND", "8S"),
    (f"tijou {FOUR}", "king_enters", True, False, "TIJOU-ENTER", "KS"),
    (f"tijou {PAIRS} {FOUR}", "jack_targets", "anyone", "opponents", "TIJOU-SWAP", "JS"),
    (f"barricades {FOUR}", "clear_last_line", False, True, "BAR-GOAL", ""),
]
BOARDS = 12


@pytest.mark.parametrize(("line", "option", "looser", "stricter", "rule", "card"), LOOSER)
def test_the_rule_that_forbids_is_the_one_that_is_named(
    line: str, option: str, looser: Value, stricter: Value, rule: str, card: str,
    throw: Throw, deal: Deal,
) -> None:  # fmt: skip
    shown = 0
    for seed in range(3000):
        setup, position, chance = throw(line, seed)
        loose, strict = (
            replace(setup, options=tuple((dict(setup.options) | {option: value}).items()))
            for value in (looser, stricter)
        )
        game, seat = game_named(setup.game), chance.choice(setup.seats)
        hand, played = ([card], card) if card else deal(setup, chance)
        hand = [played] if played else hand
        judged = game.judge(strict, position, seat, hand, played)
        allowed = {game.seen(play.position) for play in judged.plays} | {game.seen(position)}
        plays = game.judge(loose, position, seat, hand, played).plays
        wrong = [play for play in plays if game.seen(play.position) not in allowed]
        if not wrong:
            continue
        play = chance.choice(wrong)
        seen = game.sight(loose, play.position)
        found = verdict(game, strict, position, seat, hand, played, judged, seen)
        assert found.kind == "illegal", play.text
        assert rule in [reason.rule for reason in found.reasons], (play.text, found.reasons)
        shown += 1
        if shown == BOARDS:
            return
    raise AssertionError("too few boards show the difference")


@pytest.mark.parametrize("moved", range(1, 8))
def test_however_many_of_the_others_were_moved_few_boards_are_tried(
    moved: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each may have been moved alone, beside the rest: not every way of that is followed up."""
    tried: list[Sight] = []

    def counted(*words: Any) -> tuple[Refusal, ...]:
        tried.append(words[6])
        return reasons(*words)

    monkeypatch.setattr("referee.verdict.reasons", counted)
    setup, position = read_board(
        "tock-globe tock8 | " + " | ".join(f"{one}: {one}1 {one}5" for one in "abcdefgh")
    )
    game = game_named("tock-globe")
    judged = game.judge(setup, position, "a", ["8S"], "8S")
    seen = game.sight(setup, position)
    for other in "bcdefgh"[:moved]:
        seen = seen - Sight([(other, f"{other}1")]) + Sight([(other, f"{other}2")])
    found = verdict(game, setup, position, "a", ["8S"], "8S", judged, seen)
    assert found.kind == "illegal"
    assert "OWN" in {reason.rule for reason in found.reasons}
    assert len(found.put_right) == moved
    assert len(tried) <= 2**4
    assert len(tried) == len({frozenset(board.items()) for board in tried})
