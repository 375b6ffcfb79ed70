"""A lens from pictures of the printed chart, with what each picture is worth."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from calibration.learning import CalibrationError
from calibration.table import Grade
from calibration.view import Array, Lens, floats, read_lens
from hardware.drawings.chart import board as chart
from vision.picture import PictureError, load_picture

SUFFIXES = {".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"}
FEWEST_CORNERS, FEWEST_VIEWS = 8, 4
GRID = 6  # the picture is divided into so many fields a side to see where the chart has been
LENS_VERSION = 1
NARROW, BROAD = 25.0, 120.0  # degrees of view between which a camera's lens lies


@dataclass(frozen=True)
class ChartView:
    """One picture of the chart."""

    name: str
    corners: Array  # (N, 2) pixels
    points: Array  # (N, 3) millimetres
    size: tuple[int, int]
    sharpness: float


@dataclass(frozen=True)
class LearnedLens:
    lens: Lens
    error: float  # pixels, root mean square
    views: tuple[tuple[str, float], ...]  # each picture's own error
    skipped: tuple[tuple[str, str], ...]  # pictures not used, and why
    coverage: float  # the part of the picture where the chart has been
    grades: tuple[Grade, ...]


def find_chart(name: str, image: Array) -> ChartView | None:
    """The chart's corners in a picture, if enough of it is seen."""
    grey = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    board = chart()
    corners, ids, _, _ = cv2.aruco.CharucoDetector(board).detectBoard(grey)
    if ids is None or len(np.ravel(ids)) < FEWEST_CORNERS:
        return None
    pixels = np.asarray(corners, dtype=np.float32).reshape(-1, 2)
    points = np.asarray(board.getChessboardCorners(), dtype=np.float32)[np.ravel(ids)]
    spread = np.linalg.matrix_rank(points[:, :2] - points[0, :2], tol=1.0)
    if spread < 2:
        return None
    sharp = float(cv2.Laplacian(grey, cv2.CV_64F).var())
    return ChartView(name, pixels, points, (grey.shape[1], grey.shape[0]), sharp)


def learn_lens(folder: Path) -> LearnedLens:
    """All pictures in a folder; those that do not show the chart are named, not fatal."""
    if not folder.is_dir():
        raise CalibrationError(f"{folder}: no such folder of pictures")
    views, skipped = [], []
    for path in sorted(p for p in folder.iterdir() if p.suffix.lower() in SUFFIXES):
        try:
            view = find_chart(path.name, load_picture(path))
        except PictureError as error:
            skipped.append((path.name, str(error)))
            continue
        if view is None:
            skipped.append((path.name, "too little of the chart can be seen"))
        else:
            views.append(view)
    return lens_from_views(views, skipped)


def lens_from_views(
    views: Sequence[ChartView], skipped: Sequence[tuple[str, str]] = ()
) -> LearnedLens:
    sizes = {view.size for view in views}
    if len(sizes) > 1:
        raise CalibrationError("the pictures differ in size: take all of them in one camera mode")
    if len(views) < FEWEST_VIEWS:
        raise CalibrationError(
            f"the chart was found in {len(views)} pictures, at least {FEWEST_VIEWS} are needed: "
            "print it with `arbitre board chart --pdf`, fill the picture with it, tilt it"
        )
    (size,) = sizes
    used = list(views)
    for _ in range(3):
        error, matrix, distortion, each = solve(used, size)
        limit = max(3.0 * float(np.median(each)), 1.5)
        bad = [view for view, own in zip(used, each, strict=True) if own > limit]
        if not bad or len(used) - len(bad) < FEWEST_VIEWS:
            break
        skipped = [*skipped, *((v.name, "its corners do not fit the others") for v in bad)]
        used = [view for view in used if view not in bad]
    lens = Lens(
        size,
        (float(matrix[0, 0]), float(matrix[1, 1])),
        (float(matrix[0, 2]), float(matrix[1, 2])),
        floats(distortion)[:5],
    )
    covered = coverage(used, size)
    return LearnedLens(
        lens,
        error,
        tuple((view.name, float(own)) for view, own in zip(used, each, strict=True)),
        tuple(skipped),
        covered,
        lens_grades(lens, error, covered, len(used), skipped),
    )


def solve(views: Sequence[ChartView], size: tuple[int, int]) -> tuple[float, Array, Array, Array]:
    start = np.array([[size[0], 0, size[0] / 2], [0, size[0], size[1] / 2], [0, 0, 1.0]])
    flags = cv2.CALIB_USE_INTRINSIC_GUESS | cv2.CALIB_FIX_K3
    error, matrix, distortion, rvecs, tvecs = cv2.calibrateCamera(
        [v.points for v in views], [v.corners for v in views], size, start, np.zeros(5), flags=flags
    )
    each = []
    for view, rvec, tvec in zip(views, rvecs, tvecs, strict=True):
        seen = cv2.projectPoints(view.points, rvec, tvec, matrix, distortion)[0].reshape(-1, 2)
        each.append(float(np.sqrt(((seen - view.corners) ** 2).sum(axis=1).mean())))
    return float(error), matrix, distortion, np.array(each)


def coverage(views: Sequence[ChartView], size: tuple[int, int]) -> float:
    fields = set()
    for view in views:
        for x, y in view.corners:
            fields.add((int(x * GRID / size[0]), int(y * GRID / size[1])))
    return len(fields) / GRID**2


def field_of_view(lens: Lens) -> float:
    """Degrees across the picture's width."""
    return float(np.degrees(2 * np.arctan(lens.size[0] / 2 / lens.focal[0])))


def lens_grades(
    lens: Lens, error: float, covered: float, views: int, skipped: Sequence[tuple[str, str]]
) -> tuple[Grade, ...]:
    degrees = field_of_view(lens)
    off = max(abs(lens.centre[n] - lens.size[n] / 2) / lens.size[n] for n in (0, 1))
    sane = NARROW < degrees < BROAD and off < 0.12 and 0.9 < lens.focal[0] / lens.focal[1] < 1.1
    return (
        Grade(
            "lens error",
            float(np.clip(1.4 - error, 0, 1)),
            f"{error:.2f} pixels over {views} pictures, {len(skipped)} not used",
            "" if error < 0.8 else "glue the chart flat, hold still, use more light",
        ),
        Grade(
            "lens coverage",
            float(np.clip(covered / 0.75, 0, 1)),
            f"the chart has been in {100 * covered:.0f} % of the picture",
            "" if covered > 0.6 else "show it in the corners and at the edges too",
        ),
        Grade(
            "lens sanity",
            1.0 if sane else 0.2,
            f"{degrees:.0f} degrees across",
            "" if sane else "no usual lens: take pictures with the chart tilted, near and far",
        ),
    )  # fmt: skip


def save_lens(learned: LearnedLens, path: Path | str) -> None:
    data = {"version": LENS_VERSION, "error": learned.error, **learned.lens.write()}
    Path(path).write_text(json.dumps(data) + "\n", encoding="utf-8")


def load_lens(path: Path | str) -> Lens:
    name = Path(path).name
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise CalibrationError(f"{name}: cannot be read: {error.strerror}") from None
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise CalibrationError(f"{name}: not a JSON file: {error}") from None
    try:
        return read_lens(data)
    except (KeyError, TypeError, ValueError) as error:
        raise CalibrationError(f"{name}: not a lens file ({error}); learn it again") from None
