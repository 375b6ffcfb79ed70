"""Hands over the virtual table: they come from a side, carry a piece, and leave again."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from hardware.boards import Board, BoardError
from hardware.boards.trikolos import SPARE, TILE
from hardware.twin.desk import Desk, Pieces
from hardware.twin.hand import Hand
from web.twin.orders import Carry, carried

LIFT = 38.0  # millimetres above the board that a piece is carried
MANY = 4  # pieces carried one by one; more are shifted together
AWAY = 130.0
SLID = (0.0, 0.5)  # of a tile's width that a pushed row has moved when one looks


def hand_over(board: Board, x: float, y: float, name: str = "", skin: int = 1) -> Hand:
    """Somebody's hand over a place, the arm from the nearest side; a piece in it or none."""
    width, height = board.size
    sides = {0.0: width - x, 90.0: height - y, 180.0: x, 270.0: y}
    turn = min(sides, key=lambda side: sides[side])
    carried = None
    if name:
        carried = (name, (x, y, LIFT - 0.5 * board.piece(name).height))
    return Hand(x, y, LIFT if name else 14.0, turn, "pinch", skin, carries=carried)


def leaving(hand: Hand) -> Hand:
    angle = math.radians(hand.turn)
    return replace(
        hand, x=hand.x + AWAY * math.cos(angle), y=hand.y + AWAY * math.sin(angle), carries=None
    )


class Hands:
    """Carries pieces on a desk as people do, taking their time."""

    def __init__(self, wait: Callable[[float], object], step: float = 0.5) -> None:
        self._wait = wait
        self._step = step

    def carry(self, desk: Desk, orders: Sequence[Carry]) -> None:
        """Every piece to its place; whatever is not there any more is left out."""
        if len(orders) > MANY:
            self.shift(desk, orders)
            return
        for order in orders:
            self.one(desk, order)
        desk.reach(None)

    def one(self, desk: Desk, order: Carry) -> None:
        board = desk.board
        start, goal = board.cell(order.start), board.cell(order.goal)
        try:
            desk.reach(hand_over(board, start.x, start.y))
            self._wait(self._step)
            desk.take(order.start, order.name)
            desk.reach(hand_over(board, goal.x, goal.y, order.name))
            self._wait(self._step)
            desk.put(order.goal, order.name)
            desk.reach(leaving(hand_over(board, goal.x, goal.y)))
            self._wait(self._step / 2)
        except BoardError:
            # somebody else has taken it meanwhile: the table will be looked at again
            desk.reach(None)

    def push(self, desk: Desk, row: Sequence[str], after: Pieces) -> None:
        """A row of tiles slides away from the spare one, which takes the last one's place."""
        board = desk.board
        last, spare = board.cell(row[-1]), board.cell(SPARE)
        for far in SLID:
            x = last.x + (1 - far) * TILE
            aside = dict.fromkeys(row, (-far * TILE, 0.0))
            aside[SPARE] = (x - spare.x, last.y - spare.y)
            desk.shove(replace(hand_over(board, x, last.y), gesture="flat", turn=0.0), aside)
            self._wait(self._step)
        desk.arrange(after)
        desk.reach(leaving(replace(hand_over(board, last.x, last.y), turn=0.0)))

    def shift(self, desk: Desk, orders: Sequence[Carry]) -> None:
        """Many at once, with a flat hand: a row that is pushed, a board that is set up."""
        if not orders:  # all is where it belongs
            return
        board = desk.board
        middle = board.cell(orders[0].goal)
        desk.reach(replace(hand_over(board, middle.x, middle.y), gesture="flat"))
        self._wait(self._step)
        desk.arrange(carried(desk.standing(), orders))
        self._wait(self._step)
        desk.reach(None)
