"""How a board was made: painted or burnt, its holes dark, freshly drilled or coloured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.boards import Board, Cell
from hardware.twin.strokes import SHIFT, at, sixteenths, star

Bytes = NDArray[Any]
Rgb = tuple[float, float, float]
Seats = Mapping[str, Rgb]  # what a seat is painted in, sRGB 0 to 255
INSIDES = ("floor", "fresh", "dark", "seat")
MARKS = ("bare", "discs", "band", "burnt")
CAMPS = ("plain", "wash", "frame")
EMBLEMS = ("none", "disc", "star", "starred disc")
FRESH, BURNT = (222.0, 188.0, 140.0), (46.0, 34.0, 28.0)  # wood newly cut, and charred
PALE = (232.0, 228.0, 216.0)
AROUND = 7.0  # millimetres that a camp's colour reaches beyond its cells
# millimetres from a hole's edge from which and to which it is painted around
AROUND_HOLES = {"discs": (-2.0, 4.5), "band": (1.5, 3.5), "burnt": (-0.5, 1.5)}
ADORNED = 0.2  # the part of a board that an ornament may reach from its middle


@dataclass(frozen=True)
class Make:
    """What one maker did that others do not."""

    inside: str  # what the holes look like in there: one of INSIDES
    paint: Rgb | None  # the whole board is painted in this, if in anything
    marks: str  # what is painted around the holes: one of MARKS
    camps: str  # what becomes of the ground of a seat's camp: one of CAMPS
    ornament: bool  # painted in the middle
    emblem: str  # painted in fields that are a seat's: one of EMBLEMS
    uneven: float  # by how much one hole differs from the next


def draw_make(rng: np.random.Generator) -> Make:
    """Any of it, about as often as anything else."""
    paint = None
    if rng.random() < 0.4:
        pixel = np.array([[[rng.uniform(0, 180), rng.uniform(0, 200), rng.uniform(50, 240)]]])
        red, green, blue = cv2.cvtColor(pixel.astype(np.uint8), cv2.COLOR_HSV2RGB)[0, 0]
        paint = (float(red), float(green), float(blue))
    return Make(
        inside=str(rng.choice(INSIDES)),
        paint=paint,
        marks=str(rng.choice(MARKS)),
        camps=str(rng.choice(CAMPS)),
        ornament=bool(rng.random() < 0.4),
        emblem=str(rng.choice(EMBLEMS)),
        uneven=float(rng.uniform(0.0, 0.35)),
    )


def made(
    picture: Bytes, board: Board, make: Make, seats: Seats, rng: np.random.Generator, scale: float
) -> Bytes:
    """The face of a board with all that its maker painted on it, but for lines and rings."""
    face = picture.copy()
    if make.paint is not None:
        grain = picture / np.maximum(picture.reshape(-1, 3).mean(axis=0), 1.0)
        painted = np.array(make.paint[::-1]) * (0.85 + 0.15 * grain)
        face = np.clip(painted, 0, 255).astype(np.uint8)
    if make.ornament:
        adorn(face, board, rng, scale)
    for seat, colour in seats.items():
        own = [cell for cell in board.cells if cell.seat == seat and cell.kind == "camp"]
        if own and make.camps != "plain":
            ground(face, own, make.camps, colour, float(rng.uniform(0.3, 0.9)), scale)
    for cell in board.cells:
        if cell.shape == "hole" and make.marks != "bare":
            mark(face, cell, make.marks, seats.get(cell.seat or ""), scale)
    return face


def adorn(face: Bytes, board: Board, rng: np.random.Generator, scale: float) -> None:
    """A star of two colours and rings around it, in the middle."""
    x, y = board.size[0] / 2, board.size[1] / 2
    wide = ADORNED * min(board.size) * float(rng.uniform(0.4, 1.0))
    colours = rng.uniform(25, 235, (2, 3)).tolist()
    points = star(x, y, wide / 1.25, int(rng.integers(4, 9)), float(rng.uniform(0, np.pi)), scale)
    cv2.fillPoly(face, [points], colours[0], cv2.LINE_AA, SHIFT)
    for part in (0.32, 0.88, 1.0):
        cv2.circle(face, at(x, y, scale), sixteenths(part * wide, scale), colours[1],
                   stroke(1.5, scale), cv2.LINE_AA, SHIFT)  # fmt: skip


def emblems(face: Bytes, board: Board, make: Make, seats: Seats, scale: float) -> None:
    """In the fields of a seat a disc of its colour, a star, or a pale star in a disc."""
    for cell in board.cells:
        seat = seats.get(cell.seat or "")
        if not cell.is_field or seat is None or make.emblem == "none":
            continue
        wide, colour = 0.42 * min(cell.size or (2 * cell.reach,) * 2), seat[::-1]
        points = star(cell.x, cell.y, 0.9 * wide, 5, -np.pi / 2, scale)
        if make.emblem == "star":
            cv2.fillPoly(face, [points], colour, cv2.LINE_AA, SHIFT)
            continue
        middle, reach = at(cell.x, cell.y, scale), sixteenths(wide, scale)
        cv2.circle(face, middle, reach, colour, cv2.FILLED, cv2.LINE_AA, SHIFT)
        if make.emblem == "starred disc":
            cv2.polylines(face, [points], True, PALE[::-1], stroke(1.2, scale), cv2.LINE_AA, SHIFT)


def ground(
    face: Bytes, camp: list[Cell], how: str, colour: Rgb, thick: float, scale: float
) -> None:
    """What a camp lies in: a field of the seat's colour, thin or thick, or a line around it."""
    corners = [
        at(cell.x + u * (cell.reach + AROUND), cell.y + v * (cell.reach + AROUND), scale)
        for cell in camp
        for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    hull = cv2.convexHull(np.array(corners, np.int32))
    if how == "frame":
        cv2.polylines(face, [hull], True, colour[::-1], stroke(2.5, scale), cv2.LINE_AA, SHIFT)
        return
    washed = face.copy()
    cv2.fillPoly(washed, [hull], colour[::-1], cv2.LINE_AA, SHIFT)
    face[:] = cv2.addWeighted(washed, thick, face, 1.0 - thick, 0)


def mark(face: Bytes, cell: Cell, how: str, seat: Rgb | None, scale: float) -> None:
    """A disc of the seat's colour or of white under a hole, a band around it, or a burnt edge."""
    inner, outer = AROUND_HOLES[how]
    colour = BURNT if how == "burnt" else seat or PALE
    wide = outer - inner
    cv2.circle(face, at(cell.x, cell.y, scale), sixteenths(cell.reach + inner + wide / 2, scale),
               colour[::-1], stroke(wide, scale), cv2.LINE_AA, SHIFT)  # fmt: skip


def stroke(wide: float, scale: float) -> int:
    """The width of a line in pixels."""
    return max(1, round(wide * scale))


def insides(board: Board, make: Make, seats: Seats, rng: np.random.Generator) -> dict[str, Rgb]:
    """By cell what the maker left in a hole, sRGB; none where that is as everywhere."""
    found: dict[str, Rgb] = {}
    if make.inside == "floor":
        return found
    for cell in board.cells:
        colour = {"fresh": FRESH, "dark": BURNT}.get(make.inside, seats.get(cell.seat or ""))
        if cell.shape == "hole" and colour is not None:
            tone = float(np.exp(make.uneven * rng.normal()))
            red, green, blue = np.clip(tone * np.array(colour), 8, 245).tolist()
            found[cell.id] = red, green, blue
    return found
