"""A ring with houses as bits: every walk on it, worked out once.

A cell is a number and a bit: ring cells first, clockwise from the first start, then the
houses. What a walk meets is then one `&` away, however many pawns stand about.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from hardware import boards
from hardware.boards.tock import ARM, PER_BRANCH
from hardware.boards.tock import HOUSE as HOUSE

BRANCH = PER_BRANCH
CENTRE = ARM  # the central cell is where an arm's steps in are done
LONGEST = 18


class Walk(NamedTuple):
    """From a cell over others to a last one; and whether it `crosses` one's own start."""

    to: int
    bit: int
    over: int  # the cells walked over, the last one left out
    crosses: bool = False
    central: bool = False  # whether it ends on a central cell


class Pawns(NamedTuple):
    """Where everybody stands: one mask a branch, and the fresh pawns among them."""

    masks: tuple[int, ...]
    fresh: int


class Track:
    """One Tock board as the rules see it. Seats are numbers, in the order of the branches."""

    def __init__(self, board_name: str, house_entry: int) -> None:
        board = boards.board(board_name, house_entry)
        self.names = tuple(cell.id for cell in board.of_kind("ring", "house"))
        self.cells = {name: n for n, name in enumerate(self.names)}
        self.ring = len(board.of_kind("ring"))
        self.seats = self.ring // BRANCH
        self.branches = {name[0]: n // BRANCH for n, name in enumerate(self.names[: self.ring])}
        self.entry_at_start = house_entry == BRANCH
        self.starts = tuple(1 << BRANCH * seat for seat in range(self.seats))
        self.start_mask = mask_of(BRANCH * seat for seat in range(self.seats))
        self.houses = tuple(
            ((1 << HOUSE) - 1) << self.ring + HOUSE * seat for seat in range(self.seats)
        )
        self.ring_mask = (1 << self.ring) - 1
        self.backward = [self.back(cell, 4) for cell in range(self.ring)]
        self._lanes: list[list[list[tuple[Walk, ...]]] | None] = [None] * self.seats
        self._reach: dict[tuple[int, int, int, bool], int] = {}
        self._fresh: list[list[tuple[Walk, ...]] | None] = [None] * self.seats

    def lane(self, seat: int) -> list[list[tuple[Walk, ...]]]:
        """Every walk of a seat's pawn that is not fresh: by its cell, then by its steps."""
        lane = self._lanes[seat]
        if lane is None:
            lane = [
                [self.walks(seat, cell, steps) for steps in range(LONGEST + 1)]
                for cell in range(len(self.names))
            ]
            self._lanes[seat] = lane
        return lane

    def fresh_walks(self, seat: int) -> list[tuple[Walk, ...]]:
        """The same for a fresh pawn, which has no lap behind it."""
        fresh = self._fresh[seat]
        if fresh is None:
            start = BRANCH * seat
            fresh = [self.walks(seat, start, steps, True) for steps in range(LONGEST + 1)]
            self._fresh[seat] = fresh
        return fresh

    def walks(self, seat: int, cell: int, steps: int, fresh: bool = False) -> tuple[Walk, ...]:
        if steps < 1:
            return ()
        if cell >= self.ring:
            return self._inside(seat, cell, steps)
        start = BRANCH * seat
        path = [(cell + n) % self.ring for n in range(1, steps + 1)]
        if self.entry_at_start:  # stepping past one's own start crosses it
            left = [cell, *path[:-1]]
            crosses = start in (left[1:] if fresh else left)
            to_entry = self.ring if fresh else (start - cell) % self.ring
        else:  # stepping onto it does
            crosses = start in path
            to_entry = (start - 2 - cell) % self.ring
        to = path[-1]
        found = [Walk(to, 1 << to, mask_of(path[:-1]), crosses, to % BRANCH == CENTRE)]
        inside = steps - to_entry
        if 1 <= inside <= HOUSE:
            first = self.ring + HOUSE * seat
            to = first + inside - 1
            found.append(Walk(to, 1 << to, mask_of((*path[:to_entry], *range(first, to)))))
        return tuple(found)

    def _inside(self, seat: int, cell: int, steps: int) -> tuple[Walk, ...]:
        first, to = self.ring + HOUSE * seat, cell + steps
        if not first <= cell < to < first + HOUSE:
            return ()
        return (Walk(to, 1 << to, mask_of(range(cell + 1, to))),)

    def back(self, cell: int, steps: int) -> Walk:
        """A walk backward on the ring; nobody walks backward in a house."""
        to = (cell - steps) % self.ring
        over = mask_of((cell - n) % self.ring for n in range(1, steps))
        return Walk(to, 1 << to, over, False, to % BRANCH == CENTRE)

    def reach(self, seat: int, cell: int, steps: int, jumps: bool) -> int:
        """Every cell a pawn may touch in so many steps, its own included."""
        key = (seat, cell, steps, jumps)
        if key not in self._reach:
            cells = 1 << cell
            for n in range(1, steps + 1):
                for walk in self.walks(seat, cell, n):
                    cells |= walk.over | walk.bit
                    if jumps and walk.central:
                        cells |= self.reach(seat, self.jump(walk.to, 1), steps - n, jumps)
            self._reach[key] = cells
        return self._reach[key]

    def jump(self, cell: int, direction: int) -> int:
        """The next central cell, for a pawn that stands on one."""
        return (cell + direction * BRANCH) % self.ring

    def start_jumped(self, cell: int, direction: int) -> int:
        """Whose start lies between this central cell and the next."""
        return (cell // BRANCH + (direction > 0)) % self.seats


def mask_of(cells: Iterable[int]) -> int:
    mask = 0
    for cell in cells:
        mask |= 1 << cell
    return mask


def bits(mask: int) -> Iterator[tuple[int, int]]:
    """The cells in a mask, lowest first, each with its bit."""
    while mask:
        bit = mask & -mask
        yield bit.bit_length() - 1, bit
        mask ^= bit


@lru_cache(maxsize=16)
def track(board_name: str, house_entry: int) -> Track:
    return Track(board_name, house_entry)
