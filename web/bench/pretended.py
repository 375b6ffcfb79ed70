"""A pretended table: pieces in holes and camps, a deck of real cards, as hands move them."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache

from hardware import boards
from referee.game import Game, Setup, Sight
from referee.games import game as game_named
from referee.match import Match
from referee.plays import CAMP, HOME, Part, Play


@lru_cache(maxsize=16)
def waiting_places(board: str) -> dict[str, list[str]]:
    """The camp of each seat, cell by cell."""
    found: dict[str, list[str]] = {}
    for cell in boards.board(board).of_kind("camp"):
        found.setdefault(cell.seat or "", []).append(cell.id)
    return found


@lru_cache(maxsize=16)
def in_the_box(board: str) -> dict[str, int]:
    return {p.seat or p.name: p.count for p in boards.board(board).pieces}


class Wood:
    """The wooden board: what stands on it, what is in a hand, what waits in which camp."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.game: Game = game_named(setup.game)
        self.sight = Sight()
        self.held: Counter[str] = Counter()
        self.astray: list[tuple[str, str]] = []

    def stand(self, sight: Sight) -> None:
        """Everything where it is wanted, nothing in the hand."""
        self.sight, self.held, self.astray = Sight(sight), Counter(), []

    def lift(self, sight: Sight) -> None:
        """The same with whatever is missing now kept in the hand."""
        before, now = (Counter(piece for piece, _ in one.elements()) for one in (self.sight, sight))
        self.held = self.held + before - now  # what is put down is in the hand no more
        self.sight = Sight(sight)

    def pieces(self) -> tuple[tuple[str, str], ...]:
        """What a camera would read, camps included."""
        standing = Counter(piece for piece, _ in self.sight.elements())
        away = Counter(piece for piece, _ in self.astray)
        found = list(self.astray)
        homes: Counter[str] = Counter()
        for piece, cell in self.sight.elements():
            if cell == HOME:
                homes[piece] += 1
                cell = f"{piece[0]}h{homes[piece]}"
            found.append((piece, cell))
        taken = {cell for _, cell in self.astray}
        for seat in self.setup.seats:
            waiting = in_the_box(self.setup.board)[seat] - standing[seat] - away[seat]
            free = [c for c in waiting_places(self.setup.board)[seat] if c not in taken]
            found += [(seat, cell) for cell in free[: waiting - self.held[seat]]]
        return tuple(sorted(found))

    def mend(self, fixes: tuple[tuple[str, str, str], ...]) -> None:
        """Carry out what the referee asks for, piece by piece."""
        for piece, origin, to in fixes:
            if (piece, origin) in self.astray:
                self.astray.remove((piece, origin))
            elif origin != CAMP:
                self.sight[piece, origin] -= 1
            if to != CAMP:
                self.sight[piece, to] += 1
        self.held = Counter()
        self.sight = +self.sight


@dataclass
class Deck:
    """A real deck: everybody's cards, which the referee may not know."""

    pile: list[str]
    hands: dict[str, list[str]]
    discards: list[str] = field(default_factory=list)

    def copy(self) -> Deck:
        hands = {seat: list(hand) for seat, hand in self.hands.items()}
        return Deck(list(self.pile), hands, list(self.discards))

    def shuffle(self, rng: random.Random) -> None:
        self.pile += self.discards
        self.discards = []
        rng.shuffle(self.pile)

    def follow(self, match: Match) -> None:
        """Draw until everybody holds as many cards as the match says."""
        for seat, hand in match.hands:
            while len(self.hands[seat]) < len(hand):
                if not self.pile:
                    self.pile, self.discards = self.discards, []
                self.hands[seat].append(self.pile.pop(0))

    def lay(self, seat: str, cards: tuple[str, ...]) -> None:
        for card in cards:
            self.hands[seat].remove(card)
            self.discards.append(card)

    def swap(self, one: str, gift: str, other: str, back: str) -> None:
        self.hands[one].remove(gift)
        self.hands[other].remove(back)
        self.hands[one].append(back)
        self.hands[other].append(gift)


# the boards at rest while a play is carried out


def carried_out(match: Match, play: Play, rng: random.Random, *, slow: bool) -> list[Sight]:
    """What the camera may see of a legal play, the whole of it last."""
    final = match.game.sight(match.setup, play.position)
    if not slow:
        return [final]
    if match.setup.game == "trikolos":
        return [*[step for step in pushed(match, play, rng) if step != final], final]
    board, seen = match.sight, []
    for part in play.parts:
        steps = swapped(board, part) if part.swap else walked(board, part, rng)
        seen += [step for step in steps if rng.random() < 0.6]
        board = after(board, part)
        seen.append(board)
    if board != final and not any(part.swap for part in play.parts):
        raise AssertionError(f"{play.text} was not carried out as written")
    return [*[step for step in seen if step != final], final]


def without(board: Sight, *standing: tuple[str, str]) -> Sight:
    return board - Sight([one for one in standing if one[1] != CAMP])


def after(board: Sight, part: Part) -> Sight:
    """The board once a part is done."""
    one = (part.piece, part.path[0])
    if part.swap:
        other = (part.swap, part.path[1])
        return without(board, one, other) + Sight(
            [(part.piece, part.path[1]), (part.swap, part.path[0])]
        )
    return without(board, one, *part.takes) + Sight([(part.piece, part.path[-1])])


def walked(board: Sight, part: Part, rng: random.Random) -> list[Sight]:
    """A piece lifted, what it takes removed before or after, a stop on the way."""
    one, to = (part.piece, part.path[0]), (part.piece, part.path[-1])
    steps = []
    if part.takes and rng.random() < 0.5:
        board = without(board, *part.takes)
        steps.append(board)
    steps.append(without(board, one))
    steps += [without(board, one) + Sight([(part.piece, stop)]) for stop in part.path[1:-1]]
    if any(standing in board for standing in part.takes):
        steps.append(without(board, one) + Sight([to]))
        if len(part.takes) > 1:
            steps.append(without(board, one, part.takes[0]) + Sight([to]))
    return steps


def swapped(board: Sight, part: Part) -> list[Sight]:
    one, other = (part.piece, part.path[0]), (part.swap, part.path[1])
    bare = without(board, one, other)
    return [without(board, one), bare, bare + Sight([(part.piece, part.path[1])])]


def pushed(match: Match, play: Play, rng: random.Random) -> list[Sight]:
    """The row pushed, then the pawn in the hand."""
    from referee.games.trikolos import Moves

    row = int(play.parts[0].path[0].removeprefix("push")) - 1
    moves = Moves(match.setup, match.position, match.setup.seats.index(match.turn))
    board = match.game.sight(match.setup, moves.push(row)[0])
    steps = [board]
    if len(play.parts) > 1 and rng.random() < 0.5:
        steps.append(without(board, (play.parts[1].piece, play.parts[1].path[0])))
    return [step for step in steps if step != match.sight]
