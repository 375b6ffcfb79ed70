"""Pieces as solids: which pixels a piece covers when it stands somewhere, perhaps leaning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.view import Array, View
from hardware.boards import Cell, Piece

# how wide a turned pawn is along its height, as parts of its foot
PAWN = ((0.0, 1.0), (0.12, 1.0), (0.28, 0.78), (0.45, 0.6), (0.6, 0.52), (0.7, 0.6), (0.82, 0.66),
        (0.92, 0.5), (1.0, 0.15))  # fmt: skip
PEG = ((0.0, 1.0), (0.25, 1.0), (0.5, 0.98), (0.75, 0.95), (0.92, 0.9), (1.0, 0.75))
CONE = ((0.0, 1.0), (0.2, 0.9), (0.4, 0.74), (0.6, 0.58), (0.8, 0.42), (1.0, 0.2))
BALL = ((0.0, 0.5), (0.1, 0.72), (0.25, 0.92), (0.5, 1.0), (0.75, 0.87), (0.9, 0.6), (1.0, 0.15))
SHAPES = {"turned": PAWN, "peg": PEG, "cone": CONE, "ball": BALL}
BLOCK = ((0.0, 1.0), (0.25, 1.0), (0.5, 1.0), (0.75, 1.0), (1.0, 0.97))
FLAT = ((0.0, 1.0),)
STEEP = np.radians(4.5)
OFF = 0.9  # millimetres
ROOMY = 1.6  # how much wider than a piece a dish is that shows beside it
ROOM = 1.8  # millimetres a piece may shift in its hole from which it stands on the hole's floor


@dataclass(frozen=True)
class Solid:
    """A kind of piece by its measures."""

    diameter: float
    height: float
    block: bool = False
    flat: bool = False  # no piece: the light in a hole
    shape: str = "turned"  # one of SHAPES
    sunk: float = 0.0  # how deep it stands in a hole

    @property
    def waiting(self) -> Solid:
        """What of it shows in a hole."""
        return replace(self, height=self.height - self.sunk, sunk=0.0)

    @property
    def profile(self) -> tuple[tuple[float, float], ...]:
        if self.flat:
            return FLAT
        return BLOCK if self.block else SHAPES[self.shape]


@dataclass(frozen=True)
class Stance:
    """Where a piece's foot is, and how far its top leans over for each millimetre of height."""

    x: float
    y: float
    lean_x: float = 0.0
    lean_y: float = 0.0


GLOW = Solid(0.0, 0.0, flat=True)  # as wide as its hole
SPOT = 12.0  # millimetres across the light in the middle of a square


def roomy(cell: Cell, pieces: Sequence[Piece]) -> bool:
    """Whether a cell is a dish, most of which can be seen beside such a piece in it."""
    widest = max((piece.diameter for piece in pieces), default=0.0)
    return cell.shape == "hole" and cell.reach >= ROOMY * widest / 2


def stances_in_hole(x: float, y: float, room: float = 0.0) -> tuple[Stance, ...]:
    """Upright in the middle, and off it leaning eight ways; anywhere in a dish with `room`."""
    ways = [2 * np.pi * n / 8 for n in range(8)]
    leans = [(float(np.cos(a)), float(np.sin(a))) for a in ways]
    if room > ROOM:
        return (
            Stance(x, y),
            *(Stance(x + part * room * u, y + part * room * v)
              for part in (0.45, 0.95) for u, v in leans),
        )  # fmt: skip
    slope = float(np.tan(STEEP))
    return (
        Stance(x, y),
        *(Stance(x + OFF * u, y + OFF * v, slope * u, slope * v) for u, v in leans),
    )


def stances_in_square(
    x: float, y: float, half: float, step: float
) -> tuple[tuple[Stance, ...], tuple[int, ...]]:
    """Upright on a fine grid over a square in which pieces stand where they like; and which of
    these make up a grid half as fine.
    """
    many = 2 * max(int(np.ceil(half / step)), 1) + 1
    along = np.linspace(-half, half, many)
    fine = tuple(Stance(x + float(u), y + float(v)) for v in along for u in along)
    return fine, tuple(m * many + n for m in range(0, many, 2) for n in range(0, many, 2))


def levels(view: View, pixels: Array, solid: Solid, foot: float = 0.0) -> Array:
    """Where each pixel's ray meets the planes of a solid's profile: (levels, N, 2) millimetres;
    its foot stands so high above the board.
    """
    return view.planes(pixels, [foot + part * solid.height for part, _ in solid.profile])


def coverage(planes: Array, solid: Solid, stances: tuple[Stance, ...], soft: float) -> Array:
    """How far each stance covers each pixel, 0 to 1: (stances, N); `soft` mm wide at the edge."""
    covered = np.zeros((len(stances), planes.shape[1]), dtype=np.float32)
    x, y, u, v = (
        np.array([getattr(s, k) for s in stances]) for k in ("x", "y", "lean_x", "lean_y")
    )
    for plane, (part, wide) in zip(planes, solid.profile, strict=True):
        height = part * solid.height
        dx = plane[None, :, 0] - (x + u * height)[:, None]
        dy = plane[None, :, 1] - (y + v * height)[:, None]
        inside = solid.diameter / 2 * wide - np.sqrt(dx * dx + dy * dy)
        np.maximum(covered, np.clip(0.5 + inside / soft, 0.0, 1.0), out=covered)
    return covered
