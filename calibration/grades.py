"""How well a table was learned, part by part, and what would make it better."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from calibration.fit import Fit
from calibration.looks import Learned
from calibration.table import Grade
from calibration.view import Array
from hardware.boards import Board

LOW = 60.0  # degrees


def grades(
    board: Board,
    fit: Fit,
    markers: tuple[int, ...],
    kinds: Sequence[Learned],
    pictures: Sequence[Array],
    lens_known: bool,
) -> tuple[Grade, ...]:
    given = [
        place_grade(board, fit, markers),
        elevation_grade(board, fit),
        light_grade(pictures),
        *(piece_grade(kind) for kind in kinds),
    ]
    if not lens_known:
        given.append(
            Grade("lens", 0.7, "guessed from one picture", "`--lens-from` with the chart is surer")
        )
    return tuple(given)


def step(value: float, good: float, bad: float) -> float:
    """1 at `good`, 0 at `bad`, straight in between."""
    return float(np.clip((value - bad) / (good - bad), 0.0, 1.0))


def place_grade(board: Board, fit: Fit, markers: tuple[int, ...]) -> Grade:
    missing = [str(m.id) for m in board.markers if m.id not in markers]
    value = step(fit.error, 0.3, 3.0) * (0.8 if len(missing) > 1 else 1.0)
    value *= min(fit.agreeing / max(0.8 * fit.points, 1.0), 1.0)
    found = f"{fit.points} points lie within {fit.error:.2f} pixels; {fit.holes} holes found"
    advice = ""
    if missing:
        advice = f"markers not seen: {', '.join(missing)}; free them, or light them better"
    elif value < 0.5:
        advice = "hold the camera still and sharp; check that the board's measures are its own"
    return Grade("place", value, found, advice)


def reading_grade(right: int, many: int, alike: Sequence[str]) -> Grade:
    """How much of what stands in the picture learned from is read back."""
    advice = ""
    if alike:
        advice = (
            f"pieces cannot be told from their places on {', '.join(alike)}: other light may do"
        )
    elif right < many:
        advice = "more even light, and pieces of colours farther apart"
    value = right / many if many else 1.0
    return Grade("reading", value, f"{right} of {many} places with pieces read back", advice)


def elevation_grade(board: Board, fit: Fit) -> Grade:
    middle = (board.size[0] / 2, board.size[1] / 2)
    degrees = fit.view.elevation(middle)
    advice = "" if degrees >= LOW else "raise the camera: pieces hide each other below 60 degrees"
    return Grade("elevation", step(degrees, 75.0, 45.0), f"{degrees:.0f} degrees", advice)


def light_grade(pictures: Sequence[Array]) -> Grade:
    bright = min(float(np.mean(picture)) for picture in pictures)
    burnt = max(float(np.mean(picture.min(axis=2) > 250)) for picture in pictures)
    value = step(bright, 70.0, 15.0) * step(burnt, 0.02, 0.25)
    advice = ""
    if bright < 40:
        advice = "too dark: more light, or a longer exposure"
    elif burnt > 0.08:
        advice = "large parts are burnt out: less exposure, or turn the lamp away"
    return Grade("light", value, f"mean {bright:.0f} of 255, {100 * burnt:.0f} % burnt out", advice)


def piece_grade(kind: Learned) -> Grade:
    name = kind.piece.name
    if not kind.seen:
        return Grade(
            f"piece {name}", 0.4, "nominal colour only", f"show {name} on known cells once"
        )
    advice = (
        "" if kind.fit > 1.0 else f"{name} is hard to tell from the board: more or softer light"
    )
    found = f"learned from {kind.seen}, {kind.solid.height:.0f} mm high, tells {kind.fit:.1f}"
    return Grade(f"piece {name}", step(kind.fit, 2.5, 0.0), found, advice)
