"""Which LED lies under which cell: lit in binary patterns and looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.learning import CalibrationError
from calibration.view import Array, View, sample
from hardware.boards import Board

CLEAR = 6.0  # grey levels between lit and dark under one cell


def patterns(lights: int) -> tuple[tuple[bool, ...], ...]:
    """The pictures to take: all dark, all lit, then each bit of the LEDs' numbers and its opposite.

    Bits and opposites make every LED burn in exactly half of the patterns, so neither neighbours
    nor the room's light can pass for one.
    """
    bits = max(1, (max(lights, 1) - 1).bit_length())
    shown = [tuple(False for _ in range(lights)), tuple(True for _ in range(lights))]
    for bit in range(bits):
        on = tuple(bool(led >> bit & 1) for led in range(lights))
        shown += [on, tuple(not lit for lit in on)]
    return tuple(shown)


@dataclass(frozen=True)
class LightOrder:
    """Each cell's LED, and the cells and LEDs for which it could not be told."""

    leds: dict[str, int]
    dark: tuple[str, ...]  # cells under which nothing burnt
    unseen: tuple[int, ...]  # LEDs that were seen under no cell
    doubtful: tuple[str, ...]

    def on(self, board: Board) -> Board:
        """The board with its LEDs in the order found."""
        cells = tuple(replace(cell, led=self.leds.get(cell.id)) for cell in board.cells)
        return replace(board, cells=cells)


def find_order(board: Board, view: View, pictures: Sequence[Array], lights: int) -> LightOrder:
    """Read the LEDs' numbers from pictures of the patterns, taken in their order."""
    wanted = len(patterns(lights))
    if len(pictures) != wanted:
        raise CalibrationError(
            f"{wanted} pictures are needed for {lights} lights, not {len(pictures)}"
        )
    sizes = {picture.shape[:2] for picture in pictures}
    if sizes != {(view.lens.size[1], view.lens.size[0])}:
        raise CalibrationError("the pictures are not of the camera mode the table was learned in")
    bright = np.stack([brightness(board, view, picture) for picture in pictures])
    lit = bright[1] - bright[0]
    one, other = bright[2::2], bright[3::2]
    apart = one - other
    leds: dict[str, int] = {}
    doubtful: list[str] = []
    dark: list[str] = []
    claims: dict[int, list[tuple[float, str]]] = {}
    for n, cell in enumerate(board.cells):
        if lit[n] < CLEAR:
            dark.append(cell.id)
            continue
        number = sum(1 << bit for bit in range(len(apart)) if apart[bit, n] > 0)
        sure = float(np.abs(apart[:, n]).min()) / max(float(lit[n]), 1e-6)
        if number >= lights or sure < 0.3:
            doubtful.append(cell.id)
            continue
        claims.setdefault(number, []).append((float(lit[n]), cell.id))
    for number, cells in claims.items():
        cells.sort(reverse=True)  # light leaks into neighbours: the brightest is its own
        leds[cells[0][1]] = number
        doubtful += [cell for brightness_, cell in cells[1:] if brightness_ > 0.6 * cells[0][0]]
        dark += [cell for brightness_, cell in cells[1:] if brightness_ <= 0.6 * cells[0][0]]
    unseen = tuple(led for led in range(lights) if led not in set(leds.values()))
    return LightOrder(leds, tuple(dark), unseen, tuple(doubtful))


def brightness(board: Board, view: View, picture: Array) -> Array:
    """The mean grey level within each cell, clear of its edge."""
    turn = 2 * np.pi * np.arange(8) / 8
    ring = np.column_stack([np.cos(turn), np.sin(turn)])
    steps = np.concatenate([[[0.0, 0.0]], 0.35 * ring, 0.6 * ring])
    reach = np.array([min(cell.reach, 8.0) for cell in board.cells])
    centres = np.array([(cell.x, cell.y) for cell in board.cells])
    spots = centres[:, None] + reach[:, None, None] * steps
    seen = sample(picture, view.project(spots.reshape(-1, 2))).astype(float)
    grey = seen.mean(axis=1) if seen.ndim == 2 else seen
    means: Array = grey.reshape(len(centres), -1).mean(axis=1)
    return means
