"""A lens from pictures of the chart."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.chart import find_chart, learn_lens, lens_from_views, load_lens, save_lens
from calibration.learning import CalibrationError
from calibration.view import Lens
from hardware.drawings.chart import COLUMNS, ROWS, SQUARE, board

TRUE = Lens((800, 600), (700.0, 700.0), (405.0, 296.0), (-0.08, 0.02, 0.0, 0.0, 0.0))


def photograph(turn: tuple[float, float, float], at: tuple[float, float, float]) -> np.ndarray:
    """The chart before a lens that is known."""
    scale = 4
    flat = board().generateImage((int(COLUMNS * SQUARE * scale), int(ROWS * SQUARE * scale)))
    rotation = cv2.Rodrigues(np.array(turn))[0]
    middle = rotation @ np.array([COLUMNS * SQUARE / 2, ROWS * SQUARE / 2, 0.0])
    shift = np.array(at) - middle
    xs, ys = np.meshgrid(np.arange(800.0), np.arange(600.0))
    pixels = np.stack([xs, ys], axis=-1).reshape(-1, 1, 2)
    rays = cv2.undistortPoints(pixels, TRUE.matrix, TRUE.coefficients).reshape(-1, 2)
    rays = np.column_stack([rays, np.ones(len(rays))]) @ rotation
    origin = -rotation.T @ shift
    far = -origin[2] / rays[:, 2]
    spots = (origin + far[:, None] * rays)[:, :2].reshape(600, 800, 2).astype(np.float32) * scale
    seen = cv2.remap(flat, spots[..., 0], spots[..., 1], cv2.INTER_AREA, borderValue=150)
    return cv2.GaussianBlur(seen, (0, 0), 0.7)


VIEWS = [
    ((0.0, 0.0, 0.0), (0, 0, 330)), ((0.5, 0.0, 0.1), (-40, 0, 330)),
    ((-0.5, 0.1, 0.0), (40, 30, 330)), ((0.0, 0.55, 0.3), (0, -40, 340)),
    ((0.1, -0.5, -0.2), (60, 20, 340)), ((0.4, 0.4, 1.4), (-50, -20, 340)),
]  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("chart")
    for n, (turn, at) in enumerate(VIEWS):
        cv2.imwrite(str(path / f"{n}.png"), photograph(turn, at))
    cv2.imwrite(str(path / "wall.png"), np.full((600, 800), 130, np.uint8))
    (path / "torn.jpg").write_bytes(b"\xff\xd8\xff")
    return path


def test_the_lens_that_took_the_pictures_is_found(folder: Path, tmp_path: Path) -> None:
    learned = learn_lens(folder)
    assert learned.lens.focal[0] == pytest.approx(700, rel=0.01)
    assert learned.lens.centre == pytest.approx((405, 296), abs=6)
    assert learned.error < 0.5
    assert {name for name, _ in learned.skipped} == {"wall.png", "torn.jpg"}
    save_lens(learned, tmp_path / "lens.json")
    assert load_lens(tmp_path / "lens.json") == learned.lens


def test_few_views_are_not_enough_and_the_way_on_is_told() -> None:
    view = find_chart("one", photograph(*VIEWS[0]))
    assert view is not None
    with pytest.raises(CalibrationError, match="arbitre board chart"):
        lens_from_views([view])


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(CalibrationError, match="no such folder"):
        learn_lens(tmp_path / "none")


def test_a_lens_file_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "lens.json").write_text('{"size": [1]}')
    with pytest.raises(CalibrationError, match="not a lens"):
        load_lens(tmp_path / "lens.json")
