"""Tables of every kind, and pieces scattered over them by chance."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from hardware import boards
from referee.game import Position, Setup
from referee.games import game, games
from referee.notation import read_board
from referee.plays import CAMP

TABLES = (
    "tockcitan | a: | c:",
    "tockcitan | a: | b: | c:",
    "tockcitan seven_parts=one cross=never | a: | b: | c: | d:",
    "tockcitan house_entry=18 cross=last_resort back_cross=fresh | a: | b: | c: | d:",
    "tockcitan-team teams=a,c+b,d | a: | b: | c: | d:",
    "tockcitan-team teams=a,c+b,d partner_hit=capture seven_partner=false | a: | b: | c: | d:",
    "tock-fadoq teams=a,c+b,d | a: | b: | c: | d:",
    "tock-fadoq teams=a,c+b,d shield=fresh seven_parts=many centre_hits=last | a: | b: | c: | d:",
    "tock-globe | a: | c:",
    "tock-globe house_entry=18 five_moves_shielded=true | a: | b: | c: | d:",
    "tock-globe teams=a,c+b,d seven_partner=true | a: | b: | c: | d:",
    "tock-globe tock6 | a: | c: | e:",
    "tock-globe tock6 cross=free centre_in_seven=false | a: | b: | c: | d: | e: | f:",
    "tock-globe tock8 teams=a,e+c,g | a: | c: | e: | g:",
    "tock-globe tock8 cross=never | a: | b: | c: | d: | e: | f: | g: | h:",
    "tijou | a: | c:",
    "tijou king_enters=true | a: | b: | d:",
    "tijou teams=a,c+b,d jack_targets=anyone | a: | b: | c: | d:",
    "tijou shares=e,b eat_landing=false | a: | b: | c: | d: | e:",
    "tijou teams=a,c+b,d+e,f shares=e,a+f,c | a: | b: | c: | d: | e: | f:",
    "barricades | a: | b:",
    "barricades clear_last_line=true | a: | b: | c: | d:",
    "trikolos | white: | black:",
)


@cache
def setup_of(table: str) -> Setup:
    return read_board(table)[0]


def scattered(setup: Setup, chance: random.Random) -> Position:
    """A position as chance throws it: more in the camps and houses than chance alone would."""
    found = game(setup.game)
    form = found.write(setup, found.start(setup))
    if setup.game == "trikolos":
        bag = list("GGGGGGGGGGGGGOOOOOOOOOOOORRRRRRRRRRRR")
        chance.shuffle(bag)
        form["tiles"] = ["".join(bag[n : n + 6]) for n in range(0, 36, 6)]
        form["spare"] = bag[36]
    board = boards.board(setup.board, setup.house_entry)
    free = [cell.id for cell in board.of_kind("ring", "tile", "goal") if cell.id != "spare"]
    chance.shuffle(free)
    if "barricades" in form:
        walls = [cell for cell in free if cell != "goal" and cell[1:] != "1"]
        form["barricades"] = walls[: len(form["barricades"])]
        free = [cell for cell in free if cell not in form["barricades"] and cell != "goal"]
    if setup.game == "trikolos":
        rows = dict(enumerate(form["tiles"]))
        free = [cell for cell in free if rows[int(cell[1]) - 1]["abcdef".index(cell[0])] != "R"]
    host = dict(setup.shares)
    for seat, cells in form["pawns"].items():
        houses = [
            cell.id
            for cell in board.of_kind("house", "arrival")
            if cell.seat == host.get(seat, seat)
        ]
        form["pawns"][seat] = [placed(setup, seat, free, houses, chance) for _ in cells]
    return found.read(setup, form)


def placed(
    setup: Setup, seat: str, free: list[str], houses: list[str], chance: random.Random
) -> str:
    luck = chance.random()
    if luck < 0.3:
        return CAMP
    if luck < 0.45 and setup.game == "trikolos":
        return "home"
    if luck < 0.45 and houses:
        cell = chance.choice(houses)
        if not cell.startswith("A-"):
            houses.remove(cell)
        return cell
    start = f"{seat}18"
    if luck < 0.55 and start in free:
        free.remove(start)
        return start + "*" * (chance.random() < 0.6)
    return chance.choice(free) if setup.game == "tijou" else free.pop()


@pytest.fixture(scope="session")
def throw() -> Callable[[str, int], tuple[Setup, Position, random.Random]]:
    """A table and a position on it, always the same for the same number."""

    def thrown(table: str, seed: int) -> tuple[Setup, Position, random.Random]:
        chance = random.Random(seed)
        setup = setup_of(table)
        return setup, scattered(setup, chance), chance

    return thrown


def a_card(setup: Setup, chance: random.Random) -> tuple[list[str], str | None]:
    """A hand and the card that is played; for a die its throw."""
    found = game(setup.game)
    if found.die:
        throw = str(chance.randint(1, 6))
        return [throw], throw
    if not found.deck:
        return [""], None
    hand = chance.sample(found.deck, 5)
    return hand, hand[0]


@pytest.fixture(scope="session")
def deal() -> Callable[[Setup, random.Random], tuple[list[str], str | None]]:
    return a_card


def pytest_generate_tests(metafunc: Any) -> None:
    if "table" in metafunc.fixturenames:
        metafunc.parametrize("table", TABLES)
    if "each_game" in metafunc.fixturenames:
        metafunc.parametrize("each_game", sorted(games()))
