"""Frames over time before the watcher."""

from itertools import count

import numpy as np
import pytest

from hardware.twin import looks
from hardware.twin.camera import Bump
from hardware.twin.hand import Hand
from hardware.twin.scene import Scene
from vision.reading import Reader
from vision.watch import Watched, Watcher


class Film:
    """Shows scenes to a watcher, each frame with noise of its own."""

    def __init__(self, tock) -> None:
        self.watcher = Watcher(Reader(tock.table))
        self.clock = count()

    def show(
        self, scene: Scene, pieces: dict, frames: int, hand: Hand | None = None
    ) -> list[Watched]:
        light = scene.linear(pieces, None, hand, 7)
        seen = []
        for _ in range(frames):
            tick = next(self.clock)
            seen.append(self.watcher.see(scene.expose(light.copy(), tick), tick / 10))
        return seen


@pytest.fixture
def film(tock) -> Film:
    film = Film(tock)
    assert film.show(tock.scene, tock.start, 6)[-1].state == "still"
    return film


def names(watched: Watched) -> dict[str, str]:
    assert watched.reading is not None
    return {seen.cell: seen.name for seen in watched.reading.pieces}


def unsure(watched: Watched) -> set[str]:
    assert watched.reading is not None
    return set(watched.reading.unsure)


def test_a_move_is_seen_after_the_hand_has_left_and_never_under_it(tock, film: Film) -> None:
    cell = next(c for c, who in tock.start.items() if who == ("red",))
    after = {c: who for c, who in tock.start.items() if c != cell} | {"a18": ("red",)}
    hand = Hand(tock.board.cell("a18").x, tock.board.cell("a18").y, 18.0, 90.0)
    covered = film.show(tock.scene, after, 8, hand)
    assert all(w.state != "still" or names(w).get("a18") == "red" for w in covered)
    seen = film.show(tock.scene, after, 8)
    assert seen[-1].state == "still"
    assert names(seen[-1])["a18"] == "red"
    assert cell not in names(seen[-1])
    assert sum(w.changed for w in covered + seen) == 1


def test_a_still_board_is_read_once_and_not_again_and_again(tock, film: Film) -> None:
    readings = {id(w.reading) for w in film.show(tock.scene, tock.start, 6)}
    assert len(readings) == 1


def test_a_knock_is_noticed_and_the_same_board_read_again(tock, film: Film) -> None:
    knocked = tock.scene.bumped(Bump(8.0, 5.0, -1.0))
    knocked.locked = tock.scene.locked
    seen = film.show(knocked, tock.start, 12)
    assert any("rebumped" in w.events for w in seen)
    assert seen[-1].state == "still"
    right = {cell: who[0] for cell, who in tock.start.items()}
    open_cells = unsure(seen[-1])
    assert names(seen[-1]) == {c: n for c, n in right.items() if c not in open_cells}


def test_a_new_lamp_is_told_and_read_by(tock, film: Film) -> None:
    evening = tock.scene.relit(looks.draw_light(tock.board, 403, 300.0))
    evening.lock(tock.start)
    seen = film.show(evening, tock.start, 50)
    assert seen[-1].state == "still"
    right = {cell: who[0] for cell, who in tock.start.items()}
    open_cells = unsure(seen[-1])
    assert names(seen[-1]) == {c: n for c, n in right.items() if c not in open_cells}


def test_the_light_going_out_is_no_board(tock, film: Film) -> None:
    black = np.zeros_like(tock.empty)
    seen = [film.watcher.see(black, 100 + n / 10) for n in range(8)]
    assert all(w.state != "still" for w in seen)
    assert any("dark" in w.events for w in seen)


def test_a_frame_of_another_size_is_lost_not_read(film: Film) -> None:
    assert film.watcher.see(np.zeros((480, 640, 3), np.uint8), 200.0).events == ("lost",)
