"""The virtual table one can play at: pieces are put and taken while a camera looks on."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from hardware.boards import Board, BoardError, load
from hardware.twin import looks, positions
from hardware.twin.film import Picture
from hardware.twin.hand import Hand
from hardware.twin.scene import Scene

Rgb = tuple[int, int, int]
NUMBER = 4  # a table in good light, seen well
ELEVATION = 78.0
LUX = 600.0


class Desk:
    """Pieces, lights and a hand on one table; every thread may ask and change."""

    def __init__(self, board: Board, scene: Scene, position: Mapping[str, tuple[str, ...]]) -> None:
        self.board = board
        self.scene = scene
        self.lock = threading.Lock()
        self.pieces: dict[str, tuple[str, ...]] = dict(position)
        self.lights: dict[str, Rgb] = {}
        self.hand: Hand | None = None
        self.drawing = threading.Lock()
        self.scene.lock(position)

    @classmethod
    def of(
        cls, board: Board | str, size: tuple[int, int] = looks.SIZE, number: int = NUMBER
    ) -> Desk:
        """A friendly table with everybody in their camps."""
        chosen = load(board) if isinstance(board, str) else board
        table = replace(looks.draw_table(chosen, number, size), blur=0.7, varnish=0.3)
        light = replace(
            looks.draw_light(chosen, number, LUX), exposure=0.0, balance=(1.0, 1.0), occluders=0.1
        )
        camera = looks.draw_camera(chosen, table, ELEVATION)
        start = positions.start(chosen, np.random.default_rng(number))
        return cls(chosen, Scene(chosen, looks.Look(table, light), camera), start)

    @property
    def size(self) -> tuple[int, int]:
        return self.scene.camera.size

    def put(self, cell: str, name: str) -> None:
        """Set one piece down on a cell."""
        self.board.cell(cell)
        self.board.piece(name)
        with self.lock:
            self.pieces[cell] = (*self.pieces.get(cell, ()), name)

    def take(self, cell: str, name: str | None = None) -> str:
        """Lift a piece off a cell: the one named, or the one set down last."""
        with self.lock:
            there = list(self.pieces.get(cell, ()))
            if not there or (name is not None and name not in there):
                raise BoardError(f'no {name or "piece"} stands on "{cell}"')
            lifted = there.pop() if name is None else there.pop(there.index(name))
            if there:
                self.pieces[cell] = tuple(there)
            else:
                del self.pieces[cell]
            return lifted

    def move(self, start: str, goal: str, name: str | None = None) -> None:
        self.board.cell(goal)
        self.put(goal, self.take(start, name))

    def arrange(self, position: Mapping[str, tuple[str, ...]]) -> None:
        """Everything anew."""
        for cell, names in position.items():
            self.board.cell(cell)
            for name in names:
                self.board.piece(name)
        with self.lock:
            self.pieces = {cell: tuple(names) for cell, names in position.items() if names}

    def shine(self, lights: Mapping[str, Rgb]) -> None:
        """The lights under the cells as they are now."""
        with self.lock:
            self.lights = dict(lights)

    def reach(self, hand: Hand | None) -> None:
        """A hand over the board, or none."""
        with self.lock:
            self.hand = hand

    def standing(self) -> dict[str, tuple[str, ...]]:
        with self.lock:
            return dict(self.pieces)

    def picture(self, frame: int) -> Picture:
        """What the camera sees now."""
        with self.lock:
            pieces, lights, hand = dict(self.pieces), dict(self.lights), self.hand
        with self.drawing:  # the scene keeps its last light, for one thread at a time
            return self.scene.picture(pieces, lights, hand, frame=frame)
