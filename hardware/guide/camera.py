"""Where the camera goes: height, what it sees, how slanting it looks at the farthest cell."""

from __future__ import annotations

import math
from dataclasses import dataclass

from hardware.boards import Board

ROOM = 15.0  # millimetres around the board that must be in the picture
PIXELS = 1280  # across the picture the table works on
ASPECT = 9 / 16


@dataclass(frozen=True)
class Lens:
    """One camera module: its view in degrees, as its maker states it for a 16:9 picture.

    Where the sensor is higher than that, nothing is stated, and the width tells the height.
    """

    name: str
    horizontal: float
    stated: float = 0.0  # up and down

    @property
    def half_width(self) -> float:
        """Half the width seen from a distance of one."""
        return math.tan(math.radians(self.horizontal / 2))

    @property
    def vertical(self) -> float:
        """The view up and down in a 16:9 picture of the sensor's full width."""
        return self.stated or math.degrees(2 * math.atan(self.half_width * ASPECT))

    @property
    def half_height(self) -> float:
        """Half the height seen from a distance of one."""
        return math.tan(math.radians(self.vertical / 2))


LENSES = (
    Lens("Camera Module 2", 62.2),
    Lens("Camera Module 3", 66.0, 41.0),
    Lens("Camera Module 3 Wide", 102.0, 67.0),
)


@dataclass(frozen=True)
class Mount:
    """A camera over the middle of a board, looking straight down."""

    height: float  # lens above the board's surface, millimetres
    seen: tuple[float, float]  # what the picture covers at the surface
    pixel: float  # millimetres of board a pixel
    steepest: float  # degrees at which it looks down on the farthest cell
    hidden: float  # how far the tallest piece there covers the board behind it


def mount(board: Board, lens: Lens) -> Mount:
    """As low as the whole board, the pieces on its edge and some room fit into the picture."""
    long, short = sorted(board.size, reverse=True)
    tall = max((piece.height for piece in board.pieces), default=0.0)
    over_width = (long / 2 + ROOM) / lens.half_width
    over_height = (short / 2 + ROOM) / lens.half_height
    height = math.ceil((max(over_width, over_height) + tall) / 10) * 10.0
    width = 2 * height * lens.half_width
    middle = (board.size[0] / 2, board.size[1] / 2)
    away = max(math.dist(middle, (cell.x, cell.y)) for cell in board.cells)
    return Mount(
        height=height,
        seen=(width, 2 * height * lens.half_height),
        pixel=width / PIXELS,
        steepest=math.degrees(math.atan2(height, away)),
        hidden=away * tall / (height - tall),
    )
