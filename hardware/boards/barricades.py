"""Barricades: a net of 111 holes under a goal, four houses of five pawns."""

from __future__ import annotations

from functools import cache

from hardware.boards.layout import DICTIONARY, THICKNESS, corner_markers, grid, holes, lit, pawns
from hardware.boards.shapes import Board, Cell, Piece, Point, Zone

SEATS = "abcd"
GOAL = "goal"
GOAL_BELOW = "i13"
PAWNS = 5
ROWS = {
    1: "abcdefghijklmnopq",
    2: "aeimq",
    3: "abcdefghijklmnopq",
    4: "cgko",
    5: "cdefghijklmno",
    6: "em",
    7: "efghijklm",
    8: "gk",
    9: "ghijk",
    10: "i",
    11: "abcdefghijklmnopq",
    12: "aq",
    13: "abcdefghijklmnopq",
}
DOORS = {"a": "c1", "b": "g1", "c": "k1", "d": "o1"}
FIRST_BARRICADES = ("a3", "e3", "i3", "m3", "q3", "g7", "k7", "i9", "i10", "i11", "i13")

PITCH = 26.0
WIDTH = 560.0
HEIGHT = 580.0
HOLE = 13.0


def cell_names() -> tuple[str, ...]:
    return tuple(f"{column}{row}" for row, columns in ROWS.items() for column in columns)


def neighbours(name: str) -> tuple[str, ...]:
    """The cells one step away: beside it in its row, straight above and below."""
    if name == GOAL:
        return (GOAL_BELOW,)
    column, row = name[0], int(name[1:])
    beside = [chr(ord(column) + d) for d in (-1, 1)]
    found = [f"{c}{row}" for c in beside if c in ROWS[row]]
    found += [f"{column}{r}" for r in (row - 1, row + 1) if column in ROWS.get(r, "")]
    if name == GOAL_BELOW:
        found.append(GOAL)
    return tuple(found)


def wiring() -> tuple[tuple[str, ...], ...]:
    """The long rows up to and fro, round the last three, and what lies beside them hung in."""
    row = {n: tuple(f"{column}{n}" for column in columns) for n, columns in ROWS.items()}
    last = row[11].index("i11") + 1
    chain = (*row[1], *row[3][::-1], *row[5], *row[7][::-1], *row[9], *row[10])
    chain += (*row[11][:last][::-1], "a12", *row[13], "q12", *row[11][last:][::-1])
    links = tuple((name,) for n in (2, 4, 6, 8) for name in row[n])
    camps = (("1", "2", "3"), ("4", "5"))
    return (
        chain,
        (GOAL,),
        *links,
        *(tuple(f"{seat}c{n}" for n in line) for seat in DOORS for line in camps),
    )


@cache
def barricades() -> Board:
    """Row 1 lies above the houses at the bottom, the goal at the top."""
    left = (WIDTH - 16 * PITCH) / 2
    bottom = HEIGHT - 118.0

    def spot(name: str) -> Point:
        if name == GOAL:
            return spot(GOAL_BELOW)[0], spot(GOAL_BELOW)[1] - 1.4 * PITCH
        return left + PITCH * (ord(name[0]) - ord("a")), bottom - PITCH * (int(name[1:]) - 1)

    cells: list[Cell] = []
    for name in cell_names():
        cells += holes([name], [spot(name)], HOLE, kind="ring", links=neighbours(name))
    cells += holes([GOAL], [spot(GOAL)], 20.0, kind="goal", links=neighbours(GOAL))
    for seat, door in DOORS.items():
        x, y = spot(door)
        spots = grid((x, y + 46.0), 3, 1, PITCH) + grid((x, y + 46.0 + PITCH), 2, 1, PITCH)
        names = [f"{seat}c{n}" for n in range(1, PAWNS + 1)]
        cells += holes(names, spots, HOLE, kind="camp", seat=seat, links=(door,))
    block = Piece("barricade", "barricade", (232, 224, 204), 17.0, 22.0, None, 11)
    return Board(
        name="barricades",
        size=(WIDTH, HEIGHT),
        thickness=THICKNESS,
        cells=lit(cells, wiring()),
        pieces=(*pawns(SEATS, count=PAWNS, diameter=12.0, height=28.0), block),
        dictionary=DICTIONARY,
        markers=corner_markers(16, (WIDTH, HEIGHT)),
        card_zone=Zone(WIDTH / 2 - 75.0, 14.0, 150.0, 54.0),
    )
