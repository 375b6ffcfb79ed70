"""One game from first to last for each game and number of players, kept as text in games/*.txt.

The first line is the board at the start. Then a turn a line: who, the hand or throw, what was
played, or after `-` what had to be done instead. `=` lines say how the board stands: every
tenth turn and at the end, where the winners are named.

`python tests/referee/test_games.py` plays them anew.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from hardware import boards
from hardware.boards.barricades import neighbours
from hardware.boards.tijou import CORNERS
from referee.game import Setup
from referee.games import game as game_named
from referee.games import games
from referee.notation import board_text, find_play, position_text, read_board
from referee.plays import CAMP, HOME, Play

GAMES = Path(__file__).parent / "games"
PAIRS = "teams=a,c+b,d"
TABLES = {
    "tockcitan-2": "tockcitan | a: | c:",
    "tockcitan-3": "tockcitan | a: | b: | c:",
    "tockcitan-4": "tockcitan | a: | b: | c: | d:",
    "tockcitan-team-4": f"tockcitan-team {PAIRS} | a: | b: | c: | d:",
    "tock-fadoq-4": f"tock-fadoq {PAIRS} | a: | b: | c: | d:",
    "tock-globe-2": "tock-globe | a: | c:",
    "tock-globe-3": "tock-globe tock6 | a: | c: | e:",
    "tock-globe-4": "tock-globe | a: | b: | c: | d:",
    "tock-globe-4-pairs": f"tock-globe {PAIRS} | a: | b: | c: | d:",
    "tock-globe-4-tock8": "tock-globe tock8 | a: | c: | e: | g:",
    "tock-globe-4-tock8-pairs": "tock-globe tock8 teams=a,e+c,g | a: | c: | e: | g:",
    "tock-globe-6": "tock-globe tock6 | a: | b: | c: | d: | e: | f:",
    "tock-globe-6-pairs": "tock-globe tock6 teams=a,d+b,e+c,f | a: | b: | c: | d: | e: | f:",
    "tock-globe-8": "tock-globe tock8 | a: | b: | c: | d: | e: | f: | g: | h:",
    "tock-globe-8-pairs": (
        "tock-globe tock8 teams=a,e+b,f+c,g+d,h | a: | b: | c: | d: | e: | f: | g: | h:"
    ),
    "tijou-2": "tijou | a: | c:",
    "tijou-3": "tijou | a: | c: | d:",
    "tijou-4": f"tijou {PAIRS} | a: | b: | c: | d:",
    "tijou-5": "tijou shares=e,a | a: | b: | c: | d: | e:",
    "tijou-6": f"tijou {PAIRS}+e,f shares=e,a+f,c | a: | b: | c: | d: | e: | f:",
    "barricades-2": "barricades | a: | c:",
    "barricades-3": "barricades | a: | b: | d:",
    "barricades-4": "barricades | a: | b: | c: | d:",
    "trikolos-2": "trikolos | white: | black:",
}
HAND = 5
EVERY = 10


def order(setup: Setup) -> list[str]:
    """Clockwise; in Tijou to the right, a guest after the host."""
    if setup.game != "tijou":
        return list(setup.seats)
    guests = {host: guest for guest, host in setup.shares}
    found: list[str] = []
    for seat in ("a", "d", "c", "b"):
        if seat in setup.seats:
            found += [seat, guests[seat]] if seat in guests else [seat]
    return found


def liking(setup: Setup, seat: str, play: Play) -> float:
    """What a child sees at once: who is home, who was captured, who is far on the way."""
    team = (seat, *setup.mates(seat))
    pawns = game_named(setup.game).write(setup, play.position)["pawns"]
    way = sum(progress(setup, mate, cell) for mate in team for cell in pawns[mate])
    ours = sum(captured in team for captured in play.captured)
    return way + len(play.captured) - 2 * ours - 2 * play.crosses


def progress(setup: Setup, seat: str, cell: str) -> float:
    """How far a piece has come, from nothing in the camp to 3 at home."""
    cell = cell.rstrip("*")
    if cell == CAMP:
        return 0.0
    if cell in (HOME, "goal") or cell.startswith("A-") or cell[1:2] == "h":
        return 3.0
    if setup.game == "barricades":
        return 2.5 - 0.1 * steps_to_goal()[cell]
    if setup.game == "trikolos":
        return 1.0
    ring = [one.id for one in boards.board(setup.board, setup.house_entry).of_kind("ring")]
    host = dict(setup.shares).get(seat, seat)
    first = str(CORNERS["abcd".index(host)] + 1) if setup.game == "tijou" else f"{seat}18"
    return 0.5 + 2 * ((ring.index(cell) - ring.index(first)) % len(ring)) / len(ring)


@cache
def steps_to_goal() -> dict[str, int]:
    found, edge = {"goal": 0}, ["goal"]
    for cell in edge:
        for other in neighbours(cell):
            if other not in found:
                found[other] = found[cell] + 1
                edge.append(other)
    return found


def played(table: str, seed: int) -> Iterator[str]:
    """A game by a player who likes to come home and to capture, and else goes by chance."""
    chance = random.Random(seed)
    setup, position = read_board(table)
    game = game_named(setup.game)
    yield board_text(setup, position)
    stock, hands = list[str](), {seat: list[str]() for seat in setup.seats}
    turn = 0
    while not game.winners(setup, position):
        seat = order(setup)[turn % len(setup.seats)]
        hand = hands[seat]
        if game.die:
            hand[:] = [str(chance.randint(1, 6))]
        while len(hand) < HAND and game.deck:
            if not stock:
                held = [card for one in hands.values() for card in one]
                stock = [card for card in game.deck if card not in held]
                chance.shuffle(stock)
            hand.append(stock.pop())
        asked = hand if game.deck or game.die else [""]
        judged = game.judge(setup, position, seat, asked, asked[0] if game.die else None)
        said = f"{seat} [{' '.join(hand)}]"
        if judged.plays:
            plays = sorted(judged.plays, key=lambda one: one.text)
            play = max(plays, key=lambda one: liking(setup, seat, one) + chance.random())
            position = play.position
            yield f"{said} {play.text}"
            gone = [play.card] if play.card else []
        else:
            yield f"{said} - {judged.forced}"
            gone = list(hand) if judged.forced == "discard_hand" else hand[:1]
        for card in gone:
            hand.remove(card)
        turn += 1
        if turn % EVERY == 0:
            yield f"= {position_text(setup, position)}"
        if turn > 4000:
            raise RuntimeError(f"{table}: no end")
    yield f"= {position_text(setup, position)}"
    yield f"won by {' '.join(game.winners(setup, position))} after {turn} turns"


def read_turn(line: str) -> tuple[str, list[str], str]:
    seat, rest = line.split(" ", 1)
    hand, _, done = rest.removeprefix("[").partition("] ")
    return seat, hand.split(), done


@pytest.mark.parametrize("name", sorted(TABLES))
def test_the_game_as_it_was_played(name: str) -> None:
    first, *lines = (GAMES / f"{name}.txt").read_text("utf-8").splitlines()
    setup, position = read_board(first)
    assert setup == read_board(TABLES[name])[0]
    game = game_named(setup.game)
    turns = 0
    for line in lines:
        if line.startswith("= "):
            assert line == f"= {position_text(setup, position)}"
        elif line.startswith("won by "):
            assert line == f"won by {' '.join(game.winners(setup, position))} after {turns} turns"
        else:
            assert not game.winners(setup, position)
            seat, hand, done = read_turn(line)
            asked = hand or [""]
            judged = game.judge(setup, position, seat, asked, asked[0] if game.die else None)
            if done.startswith("- "):
                assert (judged.plays, judged.forced) == ([], done.removeprefix("- "))
            else:
                position = find_play(judged.plays, done).position
            turns += 1
    assert lines[-1].startswith("won by ")


def test_every_game_and_number_of_players_is_there() -> None:
    shown = {
        (read_board(table)[0].game, len(read_board(table)[0].seats)) for table in TABLES.values()
    }
    wanted = {
        "tockcitan": {2, 3, 4},
        "tockcitan-team": {4},
        "tock-fadoq": {4},
        "tock-globe": {2, 3, 4, 6, 8},
        "tijou": {2, 3, 4, 5, 6},
        "barricades": {2, 3, 4},
        "trikolos": {2},
    }
    assert wanted.keys() == games().keys(), "a game without its numbers of players"
    assert {(name, many) for name, numbers in wanted.items() for many in numbers} <= shown
    assert {path.stem for path in GAMES.glob("*.txt")} == TABLES.keys()


if __name__ == "__main__":
    for name, table in TABLES.items():
        candidates = (list(played(table, seed)) for seed in range(int((sys.argv[1:] or ["6"])[0])))
        shortest = min(candidates, key=len)
        (GAMES / f"{name}.txt").write_text("\n".join(shortest) + "\n", "utf-8")
        print(name, shortest[-1])
