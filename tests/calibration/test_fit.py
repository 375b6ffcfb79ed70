"""Placing a board from one picture of it."""

import cv2
import numpy as np
import pytest

from calibration.fit import FitError, fit, guess, marker_sights, sights
from calibration.holes import find_edges
from calibration.markers import agreeing, find_markers
from calibration.view import View
from hardware.board_files import load
from hardware.boards import Board


def grey(picture: np.ndarray) -> np.ndarray:
    return cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)


def off(view: View, true: View, shape: Board) -> np.ndarray:
    places = np.array([(c.x, c.y) for c in shape.cells])
    return np.linalg.norm(view.project(places) - true.project(places), axis=1)


def test_all_markers_are_found_where_they_are(shape: Board, view: View, empty: np.ndarray) -> None:
    found = find_markers(shape, empty)
    assert set(found) == {m.id for m in shape.markers}
    for marker in shape.markers:
        assert found[marker.id] == pytest.approx(view.project(np.array(marker.corners)), abs=1.5)


def test_markers_too_blurred_to_be_read_are_still_told_apart(
    shape: Board, view: View, empty: np.ndarray
) -> None:
    found = find_markers(shape, cv2.GaussianBlur(empty, (0, 0), 2.4))
    assert len(found) >= 3
    for marker in shape.markers:
        if marker.id in found:
            assert found[marker.id] == pytest.approx(view.project(np.array(marker.corners)), abs=3)


def test_edges_lie_where_the_holes_are(shape: Board, view: View, empty: np.ndarray) -> None:
    cells = [c for c in shape.cells if c.kind == "ring"]
    centres = np.array([(c.x, c.y) for c in cells])
    edges = find_edges(view, grey(empty), centres + 2.0, np.full(len(cells), 6.5), 5.0)
    miss = np.linalg.norm(edges.pixels - view.project(centres), axis=1)
    assert np.median(miss) < 0.3
    assert (edges.contrast > 0).all()


def test_the_holes_place_the_board_to_a_part_of_a_pixel(
    shape: Board, view: View, empty: np.ndarray
) -> None:
    known = marker_sights(shape, find_markers(shape, empty))
    found = fit(shape, grey(empty), known, None)
    assert off(found.view, view, shape).max() < 0.6
    assert found.view.lens.focal[0] == pytest.approx(view.lens.focal[0], rel=0.12)


def test_two_markers_and_the_holes_are_enough(shape: Board, view: View, empty: np.ndarray) -> None:
    all_markers = find_markers(shape, empty)
    two = {n: all_markers[n] for n in sorted(all_markers)[:2]}
    found = fit(shape, grey(empty), marker_sights(shape, two), None)
    assert off(found.view, view, shape).max() < 1.0


def test_light_floors_deep_in_the_holes_do_not_shift_the_board(
    shape: Board, view: View, draw
) -> None:
    floor = draw(shape, view, floor=(190, 195, 200))
    known = marker_sights(shape, find_markers(shape, floor))
    assert off(fit(shape, grey(floor), known, None).view, view, shape).max() < 1.0


def test_pieces_on_known_cells_are_left_out(
    shape: Board, view: View, start: np.ndarray, camps: dict[str, str]
) -> None:
    known = marker_sights(shape, find_markers(shape, start))
    found = fit(shape, grey(start), known, None, frozenset(camps))
    assert off(found.view, view, shape).max() < 0.6


def test_three_points_place_nothing() -> None:
    three = sights(np.eye(3)[:, :2] * 100, np.eye(3)[:, :2] * 100, 1.0)
    with pytest.raises(FitError, match="four"):
        guess(three, (640, 480), None)


def test_points_that_fit_no_board_are_refused() -> None:
    rng = np.random.default_rng(2)
    wild = sights(rng.uniform(0, 500, (8, 2)), rng.uniform(0, 640, (8, 2)), 1.0)
    with pytest.raises(FitError, match="fit"):
        guess(wild, (640, 480), None)


def test_a_marker_where_the_others_say_it_cannot_be_is_left_out() -> None:
    board = load("tock4")
    flat = {m.id: np.array(m.corners) * 1.4 + (200.0, 60.0) for m in board.markers}
    stray = board.markers[0].id
    flat[stray] = flat[stray] + (350.0, 420.0)
    kept = agreeing(board, flat, (960, 1280))
    assert set(kept) == {m.id for m in board.markers} - {stray}
