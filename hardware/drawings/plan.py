"""What a drawing asks of a board: whose cell, which way a seat looks, where the path runs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from statistics import median

from hardware.boards import Board, Cell, Piece, Point

OWNED = ("house", "camp", "arrival")
NEIGHBOURLY = 1.7  # a step of a path is at most this many usual steps long
BESIDE = 24  # how many directions are tried for a label


def seats(board: Board) -> tuple[str, ...]:
    """The seats that have pieces, in the order of the board."""
    return tuple(dict.fromkeys(piece.seat for piece in board.pieces if piece.seat is not None))


def owner(board: Board, cell: Cell) -> str | None:
    """Whose cell it is; boards from elsewhere tell it only by the name, as in `bh3`."""
    if cell.seat is not None or cell.kind not in OWNED:
        return cell.seat
    mine = [seat for seat in seats(board) if cell.id.startswith(seat)]
    return max(mine, key=len, default=None)


def start_of(board: Board, cell: Cell) -> str | None:
    """Whose pieces come onto the board at this ring cell: its own seat, or the camp's behind it."""
    if cell.seat is not None or cell.kind != "ring":
        return cell.seat
    behind = (c for c in board.of_kind("camp") if cell.id in c.links)
    return next((owner(board, c) for c in behind), None)


def set_of(board: Board, seat: str | None) -> Piece | None:
    """The pawns a seat plays with."""
    own = (p for p in board.pieces if p.kind == "pawn" and p.seat == seat and seat is not None)
    return next(own, None)


def owned(board: Board, seat: str, *kinds: str) -> tuple[Cell, ...]:
    return tuple(c for c in board.cells if c.kind in kinds and owner(board, c) == seat)


def centroid(cells: Sequence[Cell]) -> Point:
    return sum(c.x for c in cells) / len(cells), sum(c.y for c in cells) / len(cells)


def facing(board: Board, seat: str) -> float:
    """How far round the table, clockwise in degrees from the lower edge, a seat sits."""
    middle = board.size[0] / 2, board.size[1] / 2
    telling = (owned(board, seat, kind) for kind in ("house", "camp", "arrival", "ring"))
    cells = next((cells for cells in telling if cells), ())
    if not cells:
        return 0.0
    x, y = centroid(cells)
    if math.dist((x, y), middle) < 1.0:
        return 0.0
    angle = math.degrees(math.atan2(y - middle[1], x - middle[0])) - 90.0
    if cells[0].kind != "house":  # a camp lies somewhere along an edge: its owner sits at that edge
        angle = 90.0 * round(angle / 90.0)
    return round(angle % 360.0, 3)


def circuit(board: Board) -> tuple[Cell, ...]:
    """The ring in the order it is walked, if it is one ring; nothing on an open net."""
    ring = board.of_kind("ring")
    if len(ring) < 3:
        return ()
    if not any(cell.links for cell in ring):  # a board that does not say: as its cells are listed
        return ring if close_together(ring) else ()
    walked, cell = [ring[0]], ring[0]
    for _ in ring:
        onward = [c for c in map(board.by_id.get, cell.links) if c is not None and c.kind == "ring"]
        if len(onward) != 1:
            return ()
        cell = onward[0]
        if cell is ring[0]:
            return tuple(walked) if len(walked) == len(ring) else ()
        walked.append(cell)
    return ()


def close_together(ring: Sequence[Cell]) -> bool:
    steps = [apart(a, b) for a, b in zip(ring, (*ring[1:], ring[0]), strict=True)]
    return max(steps) <= NEIGHBOURLY * median(steps)


def apart(one: Cell, other: Cell) -> float:
    return math.dist((one.x, one.y), (other.x, other.y))


def steps(board: Board, *kinds: str) -> tuple[tuple[Cell, Cell], ...]:
    """Each pair of linked cells of these kinds once."""
    pairs: dict[frozenset[str], tuple[Cell, Cell]] = {}
    for cell in board.cells:
        for link in cell.links:
            other = board.by_id.get(link)
            if other is not None and cell.kind in kinds and other.kind in kinds:
                pairs.setdefault(frozenset((cell.id, link)), (cell, other))
    return tuple(pairs.values())


def clear_spot(board: Board, cell: Cell, distance: float) -> Point:
    """The place at that distance from a cell's centre which other cells leave freest."""
    middle = board.size[0] / 2, board.size[1] / 2
    outward = math.atan2(cell.y - middle[1], cell.x - middle[0])
    zone = board.card_zone
    others = [c for c in board.cells if c is not cell and apart(c, cell) < 4 * distance]

    def spot(turn: float) -> Point:
        angle = outward + turn
        return cell.x + distance * math.cos(angle), cell.y + distance * math.sin(angle)

    def room(turn: float) -> float:
        x, y = spot(turn)
        free = [math.dist((x, y), (c.x, c.y)) - c.reach for c in others]
        if zone is not None:
            free.append(math.hypot(max(zone.x - x, 0.0, x - zone.x - zone.width),
                                   max(zone.y - y, 0.0, y - zone.y - zone.height)))  # fmt: skip
        # enough is enough: then rather outward; rounded, so that every arm decides alike
        return round(min([*free, distance]) - abs(turn) * 0.3, 2)

    turns = sorted((2 * math.pi * n / BESIDE - math.pi for n in range(BESIDE)), key=abs)
    return spot(max(turns, key=room))


def bounds(cells: Iterable[Cell]) -> tuple[float, float, float, float]:
    """Left, top, right, bottom of what these cells cover."""
    boxes = [(c.x, c.y, *((c.size[0] / 2, c.size[1] / 2) if c.size else (c.reach,) * 2))
             for c in cells]  # fmt: skip
    return (
        min(x - w for x, _, w, _ in boxes),
        min(y - h for _, y, _, h in boxes),
        max(x + w for x, _, w, _ in boxes),
        max(y + h for _, y, _, h in boxes),
    )
