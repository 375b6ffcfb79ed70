"""Frames over time before the watcher."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import count

import numpy as np
import pytest

from hardware.twin import looks
from hardware.twin.camera import Bump
from hardware.twin.hand import Hand
from hardware.twin.scene import Scene
from vision.darkness import WAIT
from vision.reading import Reader, Reading, Seen
from vision.watch import Watched, Watcher

Lights = Mapping[str, tuple[int, int, int]]
LATE = 1  # frames until the lights are dark, or burn again
AGAIN = 6  # frames after which a board is read again here


class Film:
    """Shows scenes to a watcher, each frame with noise of its own."""

    def __init__(self, tock) -> None:
        self.watcher = Watcher(Reader(tock.table))
        self.clock = count()
        self.asked: list[bool] = []  # for darkness, by frame

    def show(
        self, scene: Scene, pieces: dict, frames: int, hand: Hand | None = None
    ) -> list[Watched]:
        light = scene.linear(pieces, None, hand, 7)
        seen = []
        for _ in range(frames):
            tick = next(self.clock)
            seen.append(self.watcher.see(scene.expose(light.copy(), tick), tick / 10))
        return seen

    def glow(
        self,
        scene: Scene,
        pieces: dict,
        frames: int,
        lights: Lights,
        hand: Hand | None = None,
        *,
        obeyed: bool = True,
        told: bool = True,
    ) -> list[Watched]:
        """The same with lights, which are dark a frame after the watcher has asked for it."""
        pictures: dict[bool, np.ndarray] = {}
        seen = []
        for _ in range(frames):
            tick = next(self.clock)
            dark = obeyed and all([False, *self.asked][-LATE - 1 :][:1])
            if dark not in pictures:
                pictures[dark] = scene.linear(pieces, {} if dark else lights, hand, 7)
            burn = {} if dark else lights
            picture = scene.expose(pictures[dark].copy(), tick)
            seen.append(self.watcher.see(picture, tick / 10, burn if told else None))
            self.asked.append(seen[-1].darken)
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


def test_a_colour_that_nobody_brought_is_left_open_until_it_stays(tock, film, monkeypatch) -> None:
    monkeypatch.setattr("vision.watch.REREAD", AGAIN)
    film.show(tock.scene, tock.start, 6)
    cell, read = (
        next(c for c, who in tock.start.items() if who == ("red",)),
        film.watcher.reader.read,
    )

    def misled(image: np.ndarray, burning: Lights | None = None) -> Reading:
        found = read(image, burning)
        other = [replace(s, name="blue") if s.cell == cell else s for s in found.pieces]
        return replace(found, pieces=tuple(other))

    monkeypatch.setattr(film.watcher.reader, "read", misled)
    hand = Hand(tock.board.cell(cell).x, tock.board.cell(cell).y, 18.0, 90.0)
    film.show(tock.scene, tock.start, 2, hand)
    seen = film.show(tock.scene, tock.start, 8)
    assert seen[-1].state == "still"
    assert unsure(seen[-1]) == {cell}
    assert any(w.changed for w in seen)
    seen = film.show(tock.scene, tock.start, 5 * AGAIN)
    assert names(seen[-1])[cell] == "blue"
    assert sum(w.changed for w in seen) == 1


@pytest.mark.usefixtures("sooner")
def test_such_a_colour_is_believed_in_the_end_where_lights_burn_too(
    tock, film, monkeypatch
) -> None:
    lights, (after, hand) = glowing(tock), moved(tock)
    film.glow(tock.scene, after, 2, lights, hand)
    film.glow(tock.scene, after, 8, lights)
    read = film.watcher.reader.read

    def misled(image: np.ndarray, burning: Lights | None = None) -> Reading:
        found = read(image, burning)
        other = [replace(s, name="blue") if s.cell == "a18" else s for s in found.pieces]
        return replace(found, pieces=tuple(other))

    monkeypatch.setattr(film.watcher.reader, "read", misled)
    film.glow(tock.scene, after, 2, lights, hand)
    assert unsure(film.glow(tock.scene, after, 10, lights)[-1]) == {"a18"}
    film.asked.clear()
    seen = film.glow(tock.scene, after, 8 * AGAIN, lights)
    assert names(seen[-1])["a18"] == "blue"
    assert spells(film.asked) <= 3


def test_a_hand_that_only_the_dark_shows_is_not_forgotten_when_lights_burn_again(
    tock, film, monkeypatch
) -> None:
    lights, (after, hand) = glowing(tock), moved(tock)
    film.glow(tock.scene, after, 2, lights, hand)
    read = film.watcher.reader.read

    def among_lights(image: np.ndarray, burning: Lights | None = None) -> Reading:
        return replace(read(image, burning), blocked=not burning)

    monkeypatch.setattr(film.watcher.reader, "read", among_lights)
    seen = film.glow(tock.scene, after, 30, lights)
    assert {w.state for w in seen[8:]} == {"hand"}
    assert spells(film.asked) == 1


# lights under the cells


def glowing(tock) -> dict[str, tuple[int, int, int]]:
    """Some lights under empty cells and under a piece, in a piece's own colour and in others."""
    cells = [c.id for c in tock.board.cells if c.led is not None and c.id not in tock.start]
    return {cells[3]: (255, 0, 0), cells[20]: (0, 0, 255), cells[41]: (255, 255, 255),
            cells[57]: (0, 160, 0)}  # fmt: skip


def moved(tock) -> tuple[dict, Hand]:
    cell = next(c for c, who in tock.start.items() if who == ("red",))
    after = {c: who for c, who in tock.start.items() if c != cell} | {"a18": ("red",)}
    return after, Hand(tock.board.cell("a18").x, tock.board.cell("a18").y, 18.0, 90.0)


@pytest.fixture
def sooner(monkeypatch) -> None:
    monkeypatch.setattr("vision.watch.REREAD", AGAIN)


def spells(asked: list[bool]) -> int:
    """How many times darkness was asked for."""
    return sum(now and not before for before, now in zip([False, *asked], asked, strict=False))


@pytest.mark.usefixtures("sooner")
def test_a_board_at_rest_is_read_in_the_dark_once_and_not_while_hands_move(tock, film) -> None:
    lights, (after, hand) = glowing(tock), moved(tock)
    film.glow(tock.scene, tock.start, 3, lights, replace(hand, x=hand.x + 80))
    covered = film.glow(tock.scene, after, 8, lights, hand)
    assert not any(film.asked)
    assert all(w.state != "still" for w in covered)
    seen = film.glow(tock.scene, after, 8, lights)
    assert [w.state for w in seen].index("still") < 8
    assert names(seen[-1])["a18"] == "red"
    assert not unsure(seen[-1])
    assert spells(film.asked) == 1
    assert sum(film.asked) <= LATE + 2  # frames
    assert sum(w.changed for w in covered + seen) == 1
    # neither lights that come back, nor others, nor reading again make it blink
    film.asked.clear()
    rest = film.glow(tock.scene, after, AGAIN + 4, lights)
    other = dict(list(lights.items())[:2]) | {"a18": (255, 255, 255)}
    rest += film.glow(tock.scene, after, AGAIN + 4, other)
    assert {w.state for w in rest} == {"still"}
    assert not any(film.asked)
    assert {id(w.reading) for w in rest} == {id(seen[-1].reading)}


def test_a_hand_that_comes_ends_the_darkness(tock, film) -> None:
    lights, (after, hand) = glowing(tock), moved(tock)
    film.glow(tock.scene, after, 2, lights, hand)
    while not (seen := film.glow(tock.scene, after, 1, lights)[0]).darken:
        assert seen.state != "still"
    seen = film.glow(tock.scene, after, 1, lights, hand)[0]
    assert (seen.state, seen.darken) == ("moving", False)
    assert not any(w.darken for w in film.glow(tock.scene, after, 8, lights, hand))
    assert film.glow(tock.scene, after, 8, lights)[-1].state == "still"
    assert spells(film.asked) == 2


def test_hands_that_come_as_soon_as_lights_burn_are_no_restless_camera(tock, film) -> None:
    lights, (after, hand) = glowing(tock), moved(tock)
    boards = [after, tock.start, after, tock.start, after]
    for board in boards:
        film.glow(tock.scene, board, 2, lights, hand)
        while film.glow(tock.scene, board, 1, lights)[0].state != "still":
            assert len(film.asked) < 70
    assert spells(film.asked) == len(boards)


@pytest.mark.parametrize("told", [True, False])
@pytest.mark.usefixtures("sooner")
def test_where_darkness_never_comes_the_board_is_read_by_its_lights(tock, film, told: bool) -> None:
    lights, (after, hand) = glowing(tock), moved(tock)
    film.glow(tock.scene, after, 2, lights, hand, obeyed=False, told=told)
    seen = film.glow(tock.scene, after, WAIT + 8, lights, obeyed=False, told=told)
    assert seen[-1].state == "still"
    assert names(seen[-1])["a18"] == "red"
    assert spells(film.asked) == told
    film.asked.clear()
    film.glow(tock.scene, after, AGAIN + 4, lights, obeyed=False, told=told)
    assert not any(film.asked)


@pytest.mark.usefixtures("sooner")
def test_what_reading_again_doubts_is_looked_at_in_the_dark_once(tock, film, monkeypatch) -> None:
    lights, (after, hand) = glowing(tock), moved(tock)
    film.glow(tock.scene, after, 2, lights, hand)
    film.glow(tock.scene, after, 8, lights)
    film.asked.clear()
    read, ghost = film.watcher.reader.read, next(iter(lights))

    def misled(image: np.ndarray, burning: Lights | None = None) -> Reading:
        """A light passes for a piece."""
        found = read(image, burning)
        return (
            replace(found, pieces=(*found.pieces, Seen(ghost, "red", 0.99))) if burning else found
        )

    monkeypatch.setattr(film.watcher.reader, "read", misled)
    seen = film.glow(tock.scene, after, 3 * AGAIN, lights)
    assert spells(film.asked) == 1
    assert sum(film.asked) <= LATE + 2
    assert not any(w.changed for w in seen)
    assert all(ghost not in names(w) for w in seen)


def test_of_a_board_in_the_dark_one_look_that_seems_covered_is_not_the_last(
    tock, film, monkeypatch
) -> None:
    lights, (after, hand) = glowing(tock), moved(tock)
    film.glow(tock.scene, after, 2, lights, hand)
    read, dark = film.watcher.reader.read, []

    def startled(image: np.ndarray, burning: Lights | None = None) -> Reading:
        found = read(image, burning)
        dark.extend([found] if not burning else [])
        return replace(found, blocked=True) if not burning and len(dark) == 1 else found

    monkeypatch.setattr(film.watcher.reader, "read", startled)
    seen = film.glow(tock.scene, after, 10, lights)
    assert len(dark) == 3  # the first, and two that agree
    assert seen[-1].state == "still"
    assert names(seen[-1])["a18"] == "red"


@pytest.mark.usefixtures("sooner")
def test_what_has_changed_beside_a_light_is_found_by_reading_again(tock, film) -> None:
    """Where lights come and go no motion is looked for: a piece taken there is missed at first."""
    lights, (after, hand) = glowing(tock), moved(tock)
    lights |= {"a18": (255, 255, 255)}
    film.glow(tock.scene, after, 2, lights, hand)
    assert names(film.glow(tock.scene, after, 8, lights)[-1])["a18"] == "red"
    film.asked.clear()
    gone = {c: who for c, who in after.items() if c != "a18"}
    seen = film.glow(tock.scene, gone, AGAIN + 8, lights)
    assert seen[-1].state == "still"
    assert "a18" not in names(seen[-1])
    assert spells(film.asked) == 1


@pytest.mark.usefixtures("sooner")
def test_a_camera_whose_exposure_follows_the_lights_does_not_make_them_blink_for_ever(
    tock, film
) -> None:
    lights, (after, hand) = glowing(tock), moved(tock)
    expose, since = tock.scene.expose, [9]

    class Restless:
        """The table in front of such a camera."""

        linear = tock.scene.linear

        def expose(self, light: np.ndarray, noise: int) -> np.ndarray:
            since[0] += 1
            switched = len(film.asked) > 2 and film.asked[-2] != film.asked[-3]
            since[0] = 0 if switched else since[0]
            picture = expose(light, noise)
            return np.minimum(picture * 1.4, 255).astype(np.uint8) if since[0] == 2 else picture

    film.glow(Restless(), after, 2, lights, hand)
    seen = film.glow(Restless(), after, 42, lights)
    assert names(seen[-1])["a18"] == "red"
    assert sum(w.state == "still" for w in seen[-12:]) > 6
    assert 1 < spells(film.asked) <= 3
    assert not any(film.asked[-12:])
