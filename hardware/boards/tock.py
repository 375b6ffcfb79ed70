"""The cross-shaped Tock boards of four, six and eight branches: one formula for all three."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from hardware.boards.layout import (
    DICTIONARY,
    THICKNESS,
    clockwise,
    corner_markers,
    grid,
    holes,
    lit,
    pawns,
)
from hardware.boards.shapes import Board, BoardError, Cell, Point, Zone

ARM = 7  # steps out along an arm, and as many in
TIP = 4  # steps across its tip
PER_BRANCH = 2 * ARM + TIP
HOUSE = 4
SEATS = "abcdefgh"
HOLE = 13.0


@dataclass(frozen=True)
class Measures:
    """What the angle between the arms leaves room for, in millimetres."""

    pitch: float  # eight arms stand so close that their inner holes need a wider one
    side: float
    camp: float  # the middle of a camp from the middle of the board, in pitches
    cards: Point  # width and height of the zone in the middle
    first_marker: int


MEASURES = {
    4: Measures(24.0, 500.0, 6.5, (76.0, 116.0), 4),
    6: Measures(24.0, 600.0, 8.2, (130.0, 130.0), 8),
    8: Measures(29.0, 760.0, 10.3, (190.0, 190.0), 12),
}


def ring_names(branches: int) -> tuple[str, ...]:
    """The ring clockwise from the first branch's start: a18 a1 … a17 b18 b1 …"""
    steps = (PER_BRANCH, *range(1, PER_BRANCH))
    return tuple(f"{seat}{n}" for seat in SEATS[:branches] for n in steps)


def house_names(seat: str) -> tuple[str, ...]:
    return tuple(f"{seat}h{n}" for n in range(1, HOUSE + 1))


def entry_name(seat: str, branches: int, house_entry: int) -> str:
    """The ring cell from which a seat's house is one step on."""
    if house_entry == PER_BRANCH:
        return f"{seat}{PER_BRANCH}"
    before = SEATS[(SEATS.index(seat) - 1) % branches]
    return f"{before}{house_entry}"


def ring_places(branches: int, measures: Measures) -> Iterator[tuple[float, float, int]]:
    """Every ring hole in ring order: how far out along its arm, how far across, which arm."""
    pitch = measures.pitch
    inner, half = inner_corner(branches, pitch), pitch * TIP / 2
    tip = inner + ARM * pitch
    for branch in range(branches):
        for step in range(ARM + 1):  # from the start in to the central cell
            yield tip - step * pitch, half, branch
        for step in range(1, ARM + 1):  # out along the next arm
            yield inner + step * pitch, -half, branch + 1
        for step in range(1, TIP):  # across its tip
            yield tip, -half + step * pitch, branch + 1


def inner_corner(branches: int, pitch: float) -> float:
    """How far out along an arm it meets its neighbour."""
    return pitch * TIP / 2 / math.tan(math.pi / branches)


def tock(branches: int, house_entry: int = 16) -> Board:
    """The board of `branches` arms; the first points down, the others follow clockwise."""
    if house_entry not in (16, 18):
        raise BoardError(f'"house_entry" is 16 or 18, not {house_entry!r}')
    return laid_out(branches, house_entry)


@cache
def laid_out(branches: int, house_entry: int) -> Board:
    measures = MEASURES[branches]
    pitch, middle, seats = measures.pitch, measures.side / 2, SEATS[:branches]
    tip = inner_corner(branches, pitch) + ARM * pitch

    def place(out: float, across: float, branch: float) -> Point:
        angle = math.pi / 2 + 2 * math.pi * branch / branches
        u, v = math.cos(angle), math.sin(angle)
        return middle + out * u - across * v, middle + out * v + across * u

    ring = ring_names(branches)
    turnings = {entry_name(seat, branches, house_entry): seat for seat in seats}
    cells: list[Cell] = []
    for n, (name, where) in enumerate(zip(ring, ring_places(branches, measures), strict=True)):
        links = [ring[(n + 1) % len(ring)]]
        if name in turnings:
            links.append(f"{turnings[name]}h1")
        owner = name[0] if name == f"{name[0]}{PER_BRANCH}" else None
        cells += holes([name], [place(*where)], HOLE, kind="ring", seat=owner, links=tuple(links))
    for branch, seat in enumerate(seats):
        house = house_names(seat)
        for n, name in enumerate(house, start=1):
            spot = place(tip - n * pitch, 0.0, branch)
            cells += holes([name], [spot], HOLE, kind="house", seat=seat, links=house[n : n + 1])
    for branch, seat in enumerate(seats):
        spots = grid(place(measures.camp * pitch, 0.0, branch + 0.5), 2, 2, pitch)
        names = [f"{seat}c{n}" for n in range(1, 5)]
        cells += holes(names, spots, HOLE, kind="camp", seat=seat)
    runs = [
        ring,
        *(house_names(seat) for seat in seats),
        *(clockwise([f"{seat}c{n}" for n in range(1, 5)]) for seat in seats),
    ]
    wide, high = measures.cards
    return Board(
        name=f"tock{branches}",
        size=(measures.side, measures.side),
        thickness=THICKNESS,
        cells=lit(cells, runs),
        pieces=pawns(seats, count=4, diameter=12.0, height=28.0),
        dictionary=DICTIONARY,
        markers=corner_markers(measures.first_marker, (measures.side,) * 2, 30.0, 8.0),
        card_zone=Zone(middle - wide / 2, middle - high / 2, wide, high),
        house_entry=house_entry,
    )
