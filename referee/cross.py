"""Tock positions as people write them and as they are seen: names to bits and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.form import filled, pawns_of, written
from referee.game import Setup, Sight
from referee.plays import CAMP, RefereeError
from referee.track import BRANCH, Pawns, Track, bits

PAWNS = 4


def branch(track: Track, seat: str) -> int:
    """The number of a seat's branch."""
    return track.branches[seat]


def read_cross(setup: Setup, track: Track, form: Mapping[str, Any]) -> Pawns:
    masks, fresh, taken = [0] * track.seats, 0, 0
    for seat, cells in pawns_of(setup, form, PAWNS).items():
        number = branch(track, seat)
        for text in cells:
            if text == CAMP:
                continue
            name = text.removesuffix("*")
            if name not in track.cells:
                raise RefereeError(f'cell "{text}" is not on {setup.board}')
            bit = 1 << track.cells[name]
            if bit & ~(track.ring_mask | track.houses[number]):
                raise RefereeError(f'"{name}" is not the house of seat "{seat}"')
            if bit & taken:
                raise RefereeError(f'two pawns on "{name}"')
            if text != name:
                if bit != track.starts[number]:
                    raise RefereeError(f'"{text}": only a pawn on its own start is fresh')
                fresh |= bit
            taken |= bit
            masks[number] |= bit
    return Pawns(tuple(masks), fresh)


def write_cross(setup: Setup, track: Track, position: Pawns) -> dict[str, Any]:
    pawns = {}
    for seat in setup.seats:
        standing = [
            track.names[cell] + "*" * bool(bit & position.fresh)
            for cell, bit in bits(position.masks[branch(track, seat)])
        ]
        pawns[seat] = filled(standing, PAWNS)
    return written(pawns)


def sight_of_cross(track: Track, position: Pawns) -> Sight:
    names = track.names
    return Sight(
        (names[seat * BRANCH][0], names[cell])
        for seat, mask in enumerate(position.masks)
        for cell, _ in bits(mask)
    )


def masks_of_sight(setup: Setup, track: Track, sight: Sight) -> tuple[int, ...] | None:
    """What is seen as bits; None where a hole would hold two pawns of a seat."""
    masks = [0] * track.seats
    cells, branches = track.cells, track.branches
    for (piece, name), count in sight.items():
        if name not in cells or piece not in branches or count > 1:
            return None
        masks[branches[piece]] |= 1 << cells[name]
    return tuple(masks)
