"""What a board is made of: cells, markers, pieces, the zone for cards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Literal

Point = tuple[float, float]
CellKind = Literal["ring", "house", "camp", "arrival", "goal", "tile"]
CellShape = Literal["hole", "square"]
PieceKind = Literal["pawn", "barricade", "tile"]


class BoardError(ValueError):
    """A board that does not exist, or a board file that does not hold together."""


@dataclass(frozen=True)
class Cell:
    """A place a piece can stand on; `x`, `y` are its centre in millimetres, y downwards."""

    id: str
    kind: CellKind
    x: float
    y: float
    shape: CellShape
    diameter: float | None = None
    size: Point | None = None
    led: int | None = None
    seat: str | None = None
    links: tuple[str, ...] = ()  # the cells one step on (races) or beside it (open boards)

    @property
    def reach(self) -> float:
        """Half the cell's width: the radius of a hole, half the side of a square."""
        if self.size is not None:
            return min(self.size) / 2
        return (self.diameter or 0.0) / 2

    @property
    def is_field(self) -> bool:
        """Whether one sees its own face beside what stands on it: a square without a tile."""
        return self.shape == "square" and self.kind != "tile"


@dataclass(frozen=True)
class Marker:
    """A fiducial; corners as OpenCV reports them: its own top left, then clockwise."""

    id: int
    corners: tuple[Point, Point, Point, Point]


@dataclass(frozen=True)
class Piece:
    """One kind of piece: what it looks like, and whose it is."""

    kind: PieceKind
    name: str
    srgb: tuple[int, int, int]
    diameter: float
    height: float
    seat: str | None = None
    count: int = 4


@dataclass(frozen=True)
class Zone:
    """An upright rectangle; `x`, `y` are its top left corner."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Board:
    """Everything physical about one board, in millimetres from its top left corner."""

    name: str
    size: Point
    thickness: float
    cells: tuple[Cell, ...]
    pieces: tuple[Piece, ...]
    dictionary: str | None = None
    markers: tuple[Marker, ...] = ()
    card_zone: Zone | None = None
    house_entry: int | None = None

    @cached_property
    def by_id(self) -> Mapping[str, Cell]:
        return MappingProxyType({cell.id: cell for cell in self.cells})

    def cell(self, cell_id: str) -> Cell:
        try:
            return self.by_id[cell_id]
        except KeyError:
            raise BoardError(f'cell "{cell_id}" is not on {self.name}') from None

    def of_kind(self, *kinds: CellKind) -> tuple[Cell, ...]:
        return tuple(cell for cell in self.cells if cell.kind in kinds)

    @property
    def standing(self) -> tuple[Piece, ...]:
        """The kinds that stand on cells, or on the tiles that lie there."""
        return tuple(piece for piece in self.pieces if piece.kind != "tile")

    def piece(self, name: str) -> Piece:
        for piece in self.pieces:
            if piece.name == name:
                return piece
        known = ", ".join(piece.name for piece in self.pieces)
        raise BoardError(f'no piece "{name}" on {self.name}; there are: {known}')

    @property
    def lights(self) -> int:
        """How long the chain of LEDs is."""
        return 1 + max((cell.led for cell in self.cells if cell.led is not None), default=-1)
