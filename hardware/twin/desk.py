"""The virtual table one can play at: pieces are put and taken while a camera looks on."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from hardware.board_files import load
from hardware.boards import Board, BoardError
from hardware.twin import looks, positions
from hardware.twin.camera import Bump, framing
from hardware.twin.cards import LyingCard
from hardware.twin.film import Picture
from hardware.twin.hand import Hand
from hardware.twin.scene import Scene

Rgb = tuple[int, int, int]
Pieces = Mapping[str, tuple[str, ...]]
Aside = Mapping[str, tuple[float, float]]  # by cell: millimetres off it, in x and y
NUMBER = 4  # a table in good light, seen well
ELEVATION = 78.0
LUX = 600.0


@dataclass(frozen=True)
class Scenery:
    """All that a picture shows, as it is at one moment."""

    pieces: dict[str, tuple[str, ...]]
    lights: dict[str, Rgb] = field(default_factory=dict)
    hand: Hand | None = None
    lifted: tuple[str, str] | None = None  # the cell and the name of what that hand took
    aside: tuple[tuple[str, tuple[float, float]], ...] = ()  # what is being shoved
    cards: tuple[LyingCard, ...] = ()
    place: int = 0  # counts other lamps and bumps

    def without_lights(self) -> Scenery:
        return replace(self, lights={})

    @property
    def lying(self) -> dict[str, tuple[str, ...]]:
        """What stands on the board: all but what is in the hand."""
        cell, name = self.lifted or ("", "")
        left = list(self.pieces.get(cell, ()))
        if name not in left:
            return self.pieces
        left.remove(name)
        return {**self.pieces, cell: tuple(left)}


class Desk:
    """Pieces, lights and a hand on one table; every thread may ask and change."""

    def __init__(self, board: Board, scene: Scene, position: Pieces) -> None:
        self.board = board
        self.scene = scene
        self.lock = threading.Lock()
        self.now = Scenery(dict(position))
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
        camera = framing(
            chosen, table.lens, elevation=ELEVATION, azimuth=90.0, roll=0.7, margin=0.03
        )
        start = positions.start(chosen, np.random.default_rng(number))
        return cls(chosen, Scene(chosen, looks.Look(table, light), camera), start)

    @property
    def size(self) -> tuple[int, int]:
        return self.scene.camera.size

    @property
    def lights(self) -> dict[str, Rgb]:
        return self.now.lights

    # the pieces

    def put(self, cell: str, name: str) -> None:
        """Set one piece down on a cell."""
        self.board.cell(cell)
        self.board.piece(name)
        with self.lock:
            pieces = self.now.pieces
            self._set({**pieces, cell: (*pieces.get(cell, ()), name)})

    def take(self, cell: str, name: str | None = None) -> str:
        """Lift a piece off a cell: the one named, or the one set down last."""
        with self.lock:
            there = list(self.now.pieces.get(cell, ()))
            if not there or (name is not None and name not in there):
                raise BoardError(f'no {name or "piece"} stands on "{cell}"')
            lifted = there.pop() if name is None else there.pop(there.index(name))
            self._set({**self.now.pieces, cell: tuple(there)})
            return lifted

    def move(self, start: str, goal: str, name: str | None = None) -> None:
        self.board.cell(goal)
        self.put(goal, self.take(start, name))

    def arrange(self, position: Pieces) -> None:
        """Everything anew."""
        for cell, names in position.items():
            self.board.cell(cell)
            for name in names:
                self.board.piece(name)
        with self.lock:
            self._set({cell: tuple(names) for cell, names in position.items()})

    def standing(self) -> dict[str, tuple[str, ...]]:
        return dict(self.now.pieces)

    def _set(self, pieces: Pieces) -> None:
        standing = {cell: names for cell, names in pieces.items() if names}
        self.now = replace(self.now, pieces=standing, lifted=None, aside=())

    # what else is seen

    def shine(self, lights: Mapping[str, Rgb]) -> None:
        """The lights under the cells as they are now."""
        with self.lock:
            lit = {cell: rgb for cell, rgb in lights.items() if any(rgb)}
            self.now = replace(self.now, lights=lit)

    def reach(self, hand: Hand | None, lifted: tuple[str, str] | None = None) -> None:
        """A hand over the board, or none; with what it has taken from a cell, till it is put."""
        with self.lock:
            self.now = replace(self.now, hand=hand, lifted=lifted, aside=())

    def shove(self, hand: Hand, aside: Aside) -> None:
        """A hand that has moved things off their cells, and is not done with it."""
        with self.lock:
            self.now = replace(self.now, hand=hand, lifted=None, aside=tuple(sorted(aside.items())))

    def lay(self, *cards: LyingCard) -> None:
        """These cards lie on the board, and no others."""
        with self.lock:
            self.now = replace(self.now, cards=cards)

    def relight(self, lux: float, number: int = NUMBER) -> None:
        """Another lamp; the camera's exposure stays as it was locked."""
        light = replace(self.scene.look.light, lux=lux)
        if number != light.number:
            drawn = looks.draw_light(self.board, number, lux)
            light = replace(drawn, exposure=0.0, balance=(1.0, 1.0), occluders=0.1)
        self._place(self.scene.relit(light))

    def bump(self, bump: Bump) -> None:
        """Somebody knocks against the board."""
        self._place(self.scene.bumped(bump))

    def _place(self, scene: Scene) -> None:
        scene.locked = self.scene.locked
        with self.drawing, self.lock:
            self.scene = scene
            self.now = replace(self.now, place=self.now.place + 1)

    # the camera

    def picture(self, frame: int) -> Picture:
        """What the camera sees now."""
        return self.shown(self.now, frame)

    def shown(self, now: Scenery, frame: int) -> Picture:
        """What the camera saw at that moment."""
        with self.drawing:  # the scene keeps its last light, for one thread at a time
            return self.scene.picture(
                now.lying, now.lights, now.hand, frame=frame, cards=now.cards, aside=now.aside
            )
