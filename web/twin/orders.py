"""What hands have to carry so that a board becomes another, piece by piece."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from hardware import boards
from hardware.boards import Board
from referee.game import Sight
from referee.plays import CAMP, HOME

Standing = Mapping[str, tuple[str, ...]]


class Carry(NamedTuple):
    """One piece from one cell to another."""

    name: str
    start: str
    goal: str


@lru_cache(maxsize=16)
def names_of(board: str) -> dict[str, str]:
    """The pieces' names in the referee's words: the seat's, or the kind's."""
    return {piece.seat or piece.name: piece.name for piece in boards.board(board).pieces}


def places(board: Board, piece: str, kind: str) -> list[str]:
    """A seat's camp, or where its arrived pieces stand."""
    return [cell.id for cell in board.of_kind("camp" if kind == CAMP else "arrival")
            if cell.seat == piece]  # fmt: skip


def carries(board: Board, standing: Standing, wanted: Sight) -> list[Carry]:
    """The moves from what stands to what the referee wants to see; camps fill up by themselves."""
    seats = {name: piece for piece, name in names_of(board.name).items()}
    camps = {cell.id: cell.seat for cell in board.of_kind("camp")}
    stands = Counter((seats[name], cell) for cell, names in standing.items() for name in names)
    should = placed(board, stands, wanted)
    gone, come = stands - should, should - stands
    found = []
    for piece in sorted({piece for piece, _ in (*gone, *come)}):
        own = sorted((cell for one, cell in gone.elements() if one == piece), key=waits(camps))
        to = sorted((cell for one, cell in come.elements() if one == piece), key=waits(camps))
        name = names_of(board.name)[piece]
        found += [Carry(name, start, goal) for start, goal in zip(own, to, strict=False)]
    return sorted(found, key=lambda one: one.goal not in camps)  # what is taken goes first


def waits(camps: Mapping[str, str | None]) -> Callable[[str], tuple[bool, str]]:
    """Cells in order, those of camps last."""
    return lambda cell: (cell in camps, cell)


Pieces = Counter[tuple[str, str]]


def placed(board: Board, stands: Pieces, wanted: Sight) -> Pieces:
    """Every piece with a cell of its own: in its camp where the referee does not speak of it."""
    should: Pieces = Counter()
    homes: Counter[str] = Counter()
    for piece, cell in wanted.elements():
        if cell == HOME:
            row = places(board, piece, HOME)
            cell, homes[piece] = row[homes[piece]], homes[piece] + 1
        should[piece, cell] += 1
    out = Counter(piece for piece, _ in should.elements())
    for piece, many in Counter(piece for piece, _ in stands.elements()).items():
        camp = places(board, piece, CAMP)
        kept = [cell for cell in reversed(camp) if stands[piece, cell]]  # the first place is lit
        free = [*kept, *(cell for cell in camp if cell not in kept)]
        for cell in free[: max(0, many - out[piece])]:
            should[piece, cell] += 1
    return should


def carried(standing: Standing, orders: Sequence[Carry]) -> dict[str, tuple[str, ...]]:
    """The board once all of it is done; what is not where it should start from is left out."""
    now = {cell: list(names) for cell, names in standing.items()}
    for order in orders:
        if order.name in now.get(order.start, ()):
            now[order.start].remove(order.name)
            now.setdefault(order.goal, []).append(order.name)
    return {cell: tuple(names) for cell, names in now.items()}
