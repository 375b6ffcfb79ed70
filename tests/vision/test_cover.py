"""What lies over the board, on made-up light: things, light, and things taken for pieces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from hardware.board_files import load
from vision.cover import Cover, Signs, Surroundings, find_cover
from vision.light import Light, lattice

TOCK = load("tock4")
PLACE = lattice(TOCK)
SITES: Any = [SimpleNamespace(cell=cell) for cell in TOCK.cells]
VIEW: Any = SimpleNamespace(camera=(250.0, -250.0, 900.0))
AROUND = Surroundings(PLACE, SITES, VIEW, None)
CAMP = [n for n, c in enumerate(TOCK.cells) if c.kind == "camp" and c.seat == "a"]
MIDDLE = np.mean([(TOCK.cells[n].x, TOCK.cells[n].y) for n in CAMP], axis=0)
AWAY = np.hypot(*(PLACE.points - MIDDLE).T)
SOLID: Any = SimpleNamespace(height=25.0, diameter=12.0)


def lit(odd: np.ndarray, lift: np.ndarray | None = None) -> Light:
    many = len(PLACE.points)
    none, zero = np.zeros(many, bool), np.zeros(many)
    lift = zero if lift is None else lift
    return Light(np.ones(3), np.ones(many), zero, odd, none, none, lift, zero, 1.0, 0.0)


def signs(lost: Sequence[int] = (), held: Sequence[int] = ()) -> Signs:
    def these(chosen: Sequence[int]) -> np.ndarray:
        return np.isin(np.arange(len(SITES)), chosen)

    pieces: Any = [(SimpleNamespace(x=TOCK.cells[n].x, y=TOCK.cells[n].y), SOLID) for n in held]
    doubted = these([*lost, *held])
    return Signs(
        these(lost), these([]), these(held), doubted, these([]), these([]), pieces, list(held)
    )


def found(odd: np.ndarray, told: Signs) -> Cover:
    more: Any = None  # nothing here has become lighter
    return find_cover(AROUND, lit(odd), told, SITES, more)


@pytest.fixture(scope="module")
def hand() -> np.ndarray:
    """As strange as a hand, over a camp, with an outline."""
    return np.where(AWAY < 45.0, 3.0, 0.0)


def test_holes_that_are_not_recognised_block_and_what_is_beside_them_is_known() -> None:
    cover = found(np.zeros(len(AWAY)), signs(lost=CAMP[:2]))
    assert cover.blocked
    assert set(CAMP) <= set(np.flatnonzero(cover.beside))
    assert cover.beside.mean() < 0.5


def test_where_nothing_blocks_no_piece_is_looked_at_again() -> None:
    row = [n for n, c in enumerate(TOCK.cells) if c.kind == "ring" and c.x == 202.0 and c.y < 130.0]
    x, y = PLACE.points.T
    arm = np.where((np.abs(x - 202.0) < 20.0) & (y < 124.0), 3.0, 0.0)
    assert not found(arm, signs(held=row)).blocked  # pieces in coloured light may look so
    cover = found(arm, signs(lost=row[:2], held=row[2:]))
    assert cover.blocked
    assert set(row) <= cover.cells


def test_pieces_beside_a_thing_are_part_of_it_only_where_all_around_them_is_strange(hand) -> None:
    ring = [n for n, c in enumerate(TOCK.cells) if c.kind == "ring"]
    near = min(
        ring, key=lambda n: np.hypot(TOCK.cells[n].x - MIDDLE[0], TOCK.cells[n].y - MIDDLE[1])
    )
    cover = found(hand, signs(lost=CAMP[:2], held=[CAMP[2], near]))
    assert cover.blocked
    assert CAMP[2] in cover.cells
    assert near not in cover.cells


def test_soft_light_over_pieces_is_no_thing() -> None:
    for width in (60.0, 100.0, 150.0):
        soft = 2.4 * np.clip((width + 60.0 - AWAY) / 120.0, 0.0, 1.0)
        assert sum(AROUND.amid(signs(held=CAMP).pieces, soft, soft >= 0)) >= 3
        assert not found(soft, signs(held=CAMP)).blocked


def test_of_two_pieces_on_a_field_one_may_be_none() -> None:
    told = signs(held=[CAMP[0], CAMP[0], CAMP[1]])
    left = told.without([True, False, True])
    assert left.owners == [CAMP[0]]
    assert left.held[CAMP[0]]
    assert not left.held[CAMP[1]]
    assert left.lost[CAMP].tolist() == [True, True, False, False]


def test_shadows_that_pieces_throw_are_no_things_and_one_that_none_throws_is() -> None:
    ring = [n for n, c in enumerate(TOCK.cells) if c.kind == "ring"][::3]
    spots = np.array([(TOCK.cells[n].x + 26.0, TOCK.cells[n].y + 12.0) for n in ring])
    each = np.hypot(*(PLACE.points[:, None] - spots).transpose(2, 0, 1))
    under = next(
        n for n in range(len(SITES)) if n not in ring and each[AROUND.middles[n]].min() < 14
    )
    own = each[:, each[AROUND.middles[under]].argmin()]
    odd = np.where(own < 20.0, 2.5, 0.0)  # the others are too faint to be strange
    told = replace(signs(lost=[under], held=ring), doubted=np.zeros(len(SITES), dtype=bool))
    more: Any = None
    ramp = np.where(PLACE.points[:, 1] > 200.0, -0.4, 0.0)  # it may be darker on one side
    for dark, blocked in (
        (own * 0 > 1, True),
        (own < 20.0, True),
        (each.min(axis=1) < 20.0, False),
    ):
        light = lit(odd, np.where(dark, -0.6, 0.0))
        assert find_cover(AROUND, light, told, SITES, more).blocked == blocked
        light = replace(light, lift=light.lift + ramp, shade=np.exp(ramp))
        assert find_cover(AROUND, light, told, SITES, more).blocked == blocked
