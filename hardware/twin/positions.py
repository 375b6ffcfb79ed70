"""Boards with pieces anywhere they can physically stand; no game is asked."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from hardware.boards import Board, Cell
from hardware.boards.barricades import FIRST_BARRICADES

Position = dict[str, tuple[str, ...]]
IN_ONE_SQUARE = 3
HOME = 0.1  # how often a pawn in play has come home


def camps(board: Board) -> dict[str, list[Cell]]:
    """The waiting places of each seat."""
    places: dict[str, list[Cell]] = {}
    for cell in board.of_kind("camp"):
        places.setdefault(cell.seat or "", []).append(cell)
    return places


def start(board: Board, rng: np.random.Generator) -> Position:
    """Everybody waiting; tiles dealt out, barricades where a game begins or anywhere."""
    position: dict[str, list[str]] = {}
    deal_tiles(board, rng, position)
    waiting = camps(board)
    for piece in board.pieces:
        if piece.kind == "pawn":
            for cell in waiting.get(piece.seat or "", [])[: piece.count]:
                position[cell.id] = [piece.name]
        elif piece.kind == "barricade":
            known = [name for name in FIRST_BARRICADES if name in board.by_id]
            free = known or [cell.id for cell in board.of_kind("ring")]
            for name in free[: piece.count]:
                position[name] = [piece.name]
    return {cell: tuple(names) for cell, names in position.items()}


def anywhere(board: Board, rng: np.random.Generator) -> Position:
    """Pieces in play: some wait, the others stand on any cell that has room."""
    position: dict[str, list[str]] = {}
    deal_tiles(board, rng, position)
    tiles = {cell.id for cell in board.of_kind("tile")}
    waiting = camps(board)
    share = float(rng.uniform(0.05, 0.7))  # how many still wait
    gathered = float(rng.uniform(0, 0.5))  # how much they crowd together
    last: Cell | None = None
    for piece in board.pieces:
        if piece.kind == "tile":
            continue
        own = list(waiting.get(piece.seat or "", []))
        for _ in range(piece.count):
            at_home = [cell for cell in own if cell.id not in position]
            if piece.kind == "pawn" and at_home and rng.random() < share:
                position[at_home[int(rng.integers(len(at_home)))].id] = [piece.name]
                continue
            free = [cell for cell in board.cells if room(cell, position, tiles)]
            if piece.kind == "barricade":
                free = [cell for cell in free if cell.kind == "ring"]
            if not free:
                break
            homes = [c for c in free if c.kind == "arrival" and c.seat == piece.seat]
            if homes and rng.random() < HOME:
                free = homes
            elif last is not None and rng.random() < gathered:
                free = sorted(free, key=partial(apart, last))[:4]
            last = free[int(rng.integers(len(free)))]
            position.setdefault(last.id, []).append(piece.name)
    return {cell: tuple(names) for cell, names in position.items()}


def apart(one: Cell, other: Cell) -> float:
    return math.hypot(one.x - other.x, one.y - other.y)


def room(cell: Cell, position: dict[str, list[str]], tiles: set[str]) -> bool:
    """Whether one more piece can stand there."""
    if cell.id == "spare":
        return False
    there = len(position.get(cell.id, ()))
    if cell.id in tiles:
        return there == 1
    if cell.shape == "square" and cell.reach > 15 and cell.kind in ("ring", "arrival"):
        return there < IN_ONE_SQUARE
    return there == 0 and cell.kind not in ("camp",)


def deal_tiles(board: Board, rng: np.random.Generator, position: dict[str, list[str]]) -> None:
    names = [p.name for p in board.pieces if p.kind == "tile" for _ in range(p.count)]
    if not names:
        return
    dealt = rng.permutation(names)
    for cell, name in zip(board.of_kind("tile"), dealt, strict=False):
        position[cell.id] = [str(name)]


def moved(
    board: Board, position: Position, rng: np.random.Generator
) -> tuple[Position, str, str, str]:
    """One pawn carried to another place: the new position, its name, from where, to where."""
    kinds = {piece.name: piece.kind for piece in board.pieces}
    tiles = {cell.id for cell in board.of_kind("tile")}
    pawns = [
        (cell, name)
        for cell, names in sorted(position.items())
        for name in names
        if kinds[name] != "tile"
    ]
    cell, name = pawns[int(rng.integers(len(pawns)))]
    rest = {place: list(names) for place, names in without(position, cell, name).items()}
    free = [c.id for c in board.cells if room(c, rest, tiles) and c.id != cell]
    goal = free[int(rng.integers(len(free)))]
    rest.setdefault(goal, []).append(name)
    return {place: tuple(names) for place, names in rest.items()}, name, cell, goal


def without(position: Position, cell: str, name: str) -> Position:
    """The position after one piece was lifted."""
    rest = list(position[cell])
    rest.remove(name)
    left = {place: names for place, names in position.items() if place != cell}
    return {**left, cell: tuple(rest)} if rest else left


def lights(
    board: Board, rng: np.random.Generator, most: int = 16
) -> dict[str, tuple[int, int, int]]:
    """Some cells lit in the colours of pieces, white or a rainbow, dim to bright."""
    wired = [cell.id for cell in board.cells if cell.led is not None]
    if not wired:
        return {}
    chosen = rng.choice(wired, size=min(len(wired), int(rng.integers(1, most + 1))), replace=False)
    bright = float(np.exp(rng.uniform(np.log(0.06), 0)))
    lit: dict[str, tuple[int, int, int]] = {}
    for cell in chosen:
        colour = rng.choice([0, 255], size=3)
        if not colour.any():
            colour = np.array([255, 255, 255])
        lit[str(cell)] = tuple(int(part * bright) for part in colour)  # type: ignore[assignment]
    return lit
