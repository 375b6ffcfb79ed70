"""The rules' speed: whole random games, and the table of plays a camera needs.

Everything is timed side by side in one run, in rounds, on this process's own clock, so that
other work on the machine weighs on all sides alike. Ratios are medians of the rounds.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Hashable, Iterator
from functools import cache
from statistics import median
from typing import Any

import chess
import ludopy
import numpy as np

from referee import cards
from referee.game import Game, Position, Setup, chosen_options
from referee.games import game as game_named
from referee.plays import Play

ROUNDS = 15
MOVES = 1000  # of each engine in each round, then to the end of the game
POSITIONS = 15
PAWNS = 4
HAND = 4
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
FACING = (("a", "c"), ("b", "d"))
OPPOSITE = (("a", "e"), ("b", "f"), ("c", "g"), ("d", "h"))
TRIOS = (("a", "c", "e"), ("b", "d", "f"))

Turn = tuple[Position, str]


def setup(name: str, board: str, seats: str, **more: Any) -> Setup:
    options = chosen_options(game_named(name), more.pop("options", {}))
    return Setup(name, board, tuple(seats), options=options, **more)


@cache
def tables() -> tuple[Setup, ...]:
    """The games whose tables are timed: every Tock game, every size of board."""
    many = {"seven_parts": "many", "seven_partner": True}
    return (
        setup("tockcitan", "tock4", "abcd"),
        setup("tockcitan-team", "tock4", "abcd", teams=FACING),
        setup("tock-fadoq", "tock4", "abcd", teams=FACING),
        setup("tock-globe", "tock4", "abcd"),
        setup("tock-globe", "tock6", "abcdef"),
        setup("tock-globe", "tock8", "abcdefgh"),
        setup("tock-globe", "tock8", "abcdefgh", teams=OPPOSITE, options=many),
    )


def random_game(game: Game, setup: Setup, chance: random.Random) -> Iterator[Turn]:
    """One game to its end, a turn each time: draw a card, play one that can be played at random.

    Whoever can play none puts one away. The cards put away come back shuffled.
    """
    position, stock = game.start(setup), list(game.deck)
    waste: list[str] = []
    chance.shuffle(stock)
    hands = {seat: [stock.pop() for _ in range(HAND)] for seat in setup.seats}
    while True:
        for seat in setup.seats:
            yield position, seat
            hand = hands[seat]
            if not stock:
                stock, waste = waste, []
                chance.shuffle(stock)
            hand.append(stock.pop())
            untried, card = hand.copy(), hand[0]
            while untried:
                card = untried.pop(int(chance.random() * len(untried)))
                plays = game.judge(setup, position, seat, (card,), card).plays
                if plays:
                    position = chance.choice(plays).position
                    break
            hand.remove(card)
            waste.append(card)
            if game.winners(setup, position):
                return


def our_games(seed: int) -> int:
    chance, turns = random.Random(seed), 0
    game, town = game_named("tockcitan"), tables()[0]
    while turns < MOVES:
        turns += sum(1 for _ in random_game(game, town, chance))
    return turns


def chess_games(seed: int, *, history: bool = False) -> int:
    """Random games, the board copied each move; with its history as well if so asked."""
    chance, moves = random.Random(seed), 0
    while moves < MOVES:
        board = chess.Board()
        while not board.is_game_over():
            board = board.copy(stack=history)
            board.push(chance.choice(list(board.legal_moves)))
            moves += 1
    return moves


def ludo_games(seed: int) -> int:
    """Random games of four; a move is a throw and what is done with it."""
    np.random.seed(seed)
    chance, moves = random.Random(seed), 0
    while moves < MOVES:
        ludo, won = ludopy.Game(), False
        while not won:
            seen, _ = ludo.get_observation()
            can_move = seen[1]
            piece = chance.choice(can_move) if len(can_move) else -1
            won = ludo.answer_observation(piece)[-1]
            moves += 1
    return moves


def per_second(play: Callable[[int], int], seed: int) -> float:
    start = time.process_time()
    moves = play(seed)
    return moves / (time.process_time() - start)


def kiwipete() -> float:
    """Seconds for the list of legal moves of a busy chess position: the unit of the tables."""
    board = chess.Board(KIWIPETE)
    start = time.process_time()
    for _ in range(100):
        list(board.legal_moves)
    return (time.process_time() - start) / 100


def table_of_plays(
    game: Game, setup: Setup, position: Position, seat: str, card: str
) -> dict[Hashable, Play]:
    """Every board that may be seen after this card, with the play that leads there."""
    plays = game.judge(setup, position, seat, (card,), card).plays
    return {game.seen(play.position): play for play in plays}


@cache
def busy_positions(setup: Setup, seed: int) -> tuple[Turn, ...]:
    """Turns of random games at which the player has four pawns on the ring."""
    game, chance = game_named(setup.game), random.Random(seed)
    found: list[Turn] = []
    while len(found) < POSITIONS:
        for position, seat in random_game(game, setup, chance):
            ring = [
                cell
                for piece, cell in game.sight(setup, position)
                if piece == seat and "h" not in cell[1:]
            ]
            if len(ring) == PAWNS and chance.random() < 0.2:
                found.append((position, seat))
    return tuple(found[:POSITIONS])


def table_times(setup: Setup, seed: int) -> dict[str, float]:
    """The median time of each rank's table, in units of Kiwipete."""
    game, unit = game_named(setup.game), kiwipete()
    found = {}
    for card in {cards.RANK[card]: card for card in game.deck}.values():
        times = []
        for position, seat in busy_positions(setup, seed):
            start = time.process_time()
            table_of_plays(game, setup, position, seat, card)
            times.append(time.process_time() - start)
        found[cards.RANK[card]] = median(times) / unit
    return found


def eight_movable(seed: int) -> float:
    """Seconds for a seven shared among eight pawns: two partners' of one who is home."""
    options = {"seven_parts": "one", "seven_partner": True}
    trios = setup("tock-globe", "tock8", "abcdefgh", teams=TRIOS, options=options)
    game, chance = game_named("tock-globe"), random.Random(seed)
    cells = [f"{seat}{n}" for seat in "abcdefgh" for n in range(1, 18)]
    times = []
    for _ in range(5):
        standing = iter(chance.sample(cells, PAWNS * len(trios.seats)))
        pawns = {seat: [next(standing) for _ in range(PAWNS)] for seat in trios.seats}
        pawns["a"] = [f"ah{n}" for n in range(1, PAWNS + 1)]
        position = game.read(trios, {"pawns": pawns})
        start = time.process_time()
        table_of_plays(game, trios, position, "a", "7S")
        times.append(time.process_time() - start)
    return median(times)


def named(setup: Setup) -> str:
    pairs = ", in pairs" if setup.teams else ""
    parts = dict(setup.options)["seven_parts"]
    return f"{setup.game} on {setup.board}, {len(setup.seats)} players{pairs}, 7 in {parts}"


def measure(options: dict[str, Any]) -> dict[str, Any]:
    seed, rounds = options["seed"], options.get("rounds") or ROUNDS
    if rounds < 1:
        raise ValueError("--rounds: at least 1")
    ours, chess_rates, copied, ludo = [], [], [], []
    sevens: dict[str, list[float]] = {named(one): [] for one in tables()}
    others: dict[str, list[float]] = {named(one): [] for one in tables()}
    units = []
    for one in tables():
        table_times(one, seed)  # once for nothing: boards are laid out, walks worked out
    for n in range(rounds):
        ours.append(per_second(our_games, seed + n))
        chess_rates.append(per_second(chess_games, seed + n))
        ludo.append(per_second(ludo_games, seed + n))
        copied.append(per_second(lambda seed: chess_games(seed, history=True), seed + n))
        units.append(kiwipete())
        for one in tables():
            by_rank = table_times(one, seed)
            sevens[named(one)].append(by_rank.pop("7"))
            others[named(one)].append(max(by_rank.values()))
    by_game = {
        name: {
            "seven_table": round(median(sevens[name]), 2),
            "card_table": round(median(others[name]), 2),
        }
        for name in sevens
    }
    return {
        "moves_per_s": round(median(ours)),
        "vs_python_chess": round(median(map(ratio, ours, chess_rates)), 3),
        "vs_ludopy": round(median(map(ratio, ours, ludo)), 3),
        "seven_table": max(one["seven_table"] for one in by_game.values()),
        "card_table": max(one["card_table"] for one in by_game.values()),
        "tables": by_game,
        "python_chess_moves_per_s": round(median(chess_rates)),
        "vs_python_chess_with_history": round(median(map(ratio, ours, copied)), 3),
        "ludopy_moves_per_s": round(median(ludo)),
        "kiwipete_us": round(median(units) * 1e6, 1),
        "eight_pawns_seven_ms": round(eight_movable(seed) * 1e3, 1),
        "rounds": rounds,
    }


def ratio(ours: float, theirs: float) -> float:
    return ours / theirs


def table(figures: dict[str, Any]) -> str:
    wide = max(map(len, figures["tables"]))
    rows = [
        f"random tockcitan, 4 players  {figures['moves_per_s']:>8} moves/s",
        f"random chess (python-chess)  {figures['python_chess_moves_per_s']:>8} moves/s"
        f"   ours: {figures['vs_python_chess']:.2f} times",
        f"random ludo (ludopy)         {figures['ludopy_moves_per_s']:>8} moves/s"
        f"   ours: {figures['vs_ludopy']:.2f} times",
        "",
        f"table of all plays of a card, in Kiwipetes ({figures['kiwipete_us']} µs)",
        f"{'':<{wide}}  {'a 7':>6}  slowest other",
        *(
            f"{name:<{wide}}  {one['seven_table']:>6.1f}  {one['card_table']:>13.1f}"
            for name, one in figures["tables"].items()
        ),
        "",
        f"a 7 among eight pawns on tock8: {figures['eight_pawns_seven_ms']} ms",
        f"medians of {figures['rounds']} rounds",
    ]
    return "\n".join(rows) + "\n"
