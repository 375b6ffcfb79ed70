"""Positions as JSON: what every game's reader and writer shares."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any

from referee.game import Setup, Sight
from referee.plays import CAMP, RefereeError


def pawns_of(setup: Setup, form: Mapping[str, Any], count: int) -> dict[str, list[str]]:
    """Everybody's pawns by name, as many as there are in the box."""
    pawns = form.get("pawns")
    if not isinstance(pawns, Mapping):
        raise RefereeError('"pawns" is missing: a list of cells for each seat')
    for seat in pawns:
        if seat not in setup.seats:
            raise RefereeError(f'pawns of seat "{seat}", who does not play')
    found: dict[str, list[str]] = {}
    for seat in setup.seats:
        cells = pawns.get(seat)
        if not isinstance(cells, list) or not all(isinstance(cell, str) for cell in cells):
            raise RefereeError(f'seat "{seat}": a list of cells is needed')
        if len(cells) != count:
            raise RefereeError(f'seat "{seat}" has {len(cells)} pawns; there are {count}')
        found[seat] = cells
    return found


def written(pawns: Mapping[str, Iterable[str]]) -> dict[str, Any]:
    return {"pawns": {seat: sorted(cells) for seat, cells in pawns.items()}}


def filled(cells: Sequence[str], count: int) -> list[str]:
    """The pawns that stand, and the others in their camp."""
    return [*cells, *[CAMP] * (count - len(cells))]


def sight_of(setup: Setup, form: Mapping[str, Any], cells: Container[str]) -> Sight:
    """The pawns of an observed board. Camps may be left out, stars cannot be seen."""
    pawns = form.get("pawns")
    if not isinstance(pawns, Mapping):
        raise RefereeError('observed: "pawns" is missing: a list of cells for each seat')
    sight = Sight()
    for seat, standing in pawns.items():
        if seat not in setup.seats:
            raise RefereeError(f'observed: pawns of seat "{seat}", who does not play')
        if not isinstance(standing, list):
            raise RefereeError(f'observed: seat "{seat}": a list of cells is needed')
        for text in standing:
            name = text.removesuffix("*") if isinstance(text, str) else text
            if name == CAMP:
                continue
            if not isinstance(name, str) or name not in cells:
                raise RefereeError(f'observed: cell "{text}" is not on {setup.board}')
            sight[seat, name] += 1
    return sight
