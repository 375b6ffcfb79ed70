"""Millimetres to pixels and back."""

import numpy as np
import pytest

from calibration.view import Lens, View, read_lens, read_pose, sample


def test_pixels_go_back_to_their_place_on_the_board(view: View) -> None:
    places = np.array([[0.0, 0.0], [250.0, 250.0], [490.0, 30.0], [20.0, 470.0]])
    assert view.ground(view.project(places)) == pytest.approx(places, abs=1e-3)


def test_what_stands_higher_is_seen_farther_from_the_camera(view: View) -> None:
    foot, head = view.project(np.array([[250.0, 100.0, 0.0], [250.0, 100.0, 30.0]]))
    on_board = view.ground(np.array([head]))[0]
    x, y, _ = view.camera
    assert np.hypot(on_board[0] - x, on_board[1] - y) > np.hypot(250 - x, 100 - y)
    assert view.ground(np.array([head]), 30.0)[0] == pytest.approx([250.0, 100.0], abs=1e-3)
    assert np.linalg.norm(head - foot) > 5


def test_the_camera_stands_above_the_board(view: View) -> None:
    assert view.camera[2] > 500
    assert 60 < view.elevation((250.0, 250.0)) < 90


def test_lens_and_pose_read_back_as_written(view: View) -> None:
    assert read_lens(view.lens.write()) == view.lens
    assert read_pose(view.pose.write()) == view.pose


def test_a_lens_without_a_focal_length_is_refused() -> None:
    broken = Lens((10, 10), (1.0, 1.0), (5.0, 5.0)).write() | {"focal": [0.0, 1.0]}
    with pytest.raises(ValueError, match="focal"):
        read_lens(broken)


def test_sampling_far_more_points_than_one_remap_takes() -> None:
    ramp = np.tile(np.arange(50, dtype=np.float32), (40, 1))
    spots = np.column_stack([np.linspace(0, 49, 70_000), np.full(70_000, 7.0)])
    assert sample(ramp, spots) == pytest.approx(spots[:, 0], abs=0.05)


def test_sampling_nowhere_gives_nothing() -> None:
    assert sample(np.zeros((4, 5, 3), np.uint8), np.zeros((0, 2))).shape == (0, 3)
    assert sample(np.zeros((4, 5), np.float32), np.zeros((0, 2))).shape == (0,)
