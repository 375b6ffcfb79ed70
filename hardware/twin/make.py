"""How a board was made: painted, burnt, its holes deep or shallow, dark or freshly drilled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.boards import Board, Cell

Bytes = NDArray[Any]
Rgb = tuple[float, float, float]
Seats = Mapping[str, Rgb]  # what a seat is painted in, sRGB 0 to 255
SHIFT = 4  # OpenCV draws on sixteenths of a pixel
INSIDES = ("floor", "fresh", "dark", "seat")
MARKS = ("bare", "discs", "band", "burnt")
CAMPS = ("plain", "wash", "frame")
EMBLEMS = ("none", "disc", "star", "starred disc")
FRESH, BURNT = (222.0, 188.0, 140.0), (46.0, 34.0, 28.0)  # wood newly cut, and charred
AROUND = 7.0  # millimetres that a camp's colour reaches beyond its cells


@dataclass(frozen=True)
class Make:
    """What one maker did that others do not."""

    inside: str  # what the holes look like in there: one of INSIDES
    depth: float  # of the holes, millimetres
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
        depth=float(rng.uniform(2.0, 16.0)),
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
    face = picture.astype(np.float32)
    if make.paint is not None:
        grain = face / np.maximum(face.reshape(-1, 3).mean(axis=0), 1.0)
        face = np.array(make.paint[::-1], np.float32) * (0.85 + 0.15 * grain)
    if make.ornament:
        adorn(face, board, rng, scale)
    for seat, colour in seats.items():
        own = [cell for cell in board.cells if cell.seat == seat and cell.kind == "camp"]
        if own and make.camps != "plain":
            ground(face, own, make.camps, colour, float(rng.uniform(0.3, 0.9)), scale)
    for cell in board.cells:
        if cell.shape == "hole" and make.marks != "bare":
            mark(face, cell, make.marks, seats.get(cell.seat or ""), scale)
    whole: Bytes = np.clip(face, 0, 255).astype(np.uint8)
    return whole


def at(x: float, y: float, scale: float) -> tuple[int, int]:
    """Millimetres to the picture's sixteenths; pixel centres lie at half a pixel."""
    factor = scale * (1 << SHIFT)
    half = 1 << (SHIFT - 1)
    return round(x * factor) - half, round(y * factor) - half


def adorn(face: Bytes, board: Board, rng: np.random.Generator, scale: float) -> None:
    """A star of two colours and rings around it, in the middle."""
    x, y = board.size[0] / 2, board.size[1] / 2
    wide = min(board.size) * float(rng.uniform(0.06, 0.16))
    colours = rng.uniform(25, 235, (2, 3)).tolist()
    points = star(x, y, wide, int(rng.integers(4, 9)), float(rng.uniform(0, np.pi)), scale)
    cv2.fillPoly(face, [points], colours[0], cv2.LINE_AA, SHIFT)
    for part in (0.4, 1.1, 1.25):
        cv2.circle(face, at(x, y, scale), round(part * wide * scale * (1 << SHIFT)), colours[1],
                   max(1, round(1.5 * scale)), cv2.LINE_AA, SHIFT)  # fmt: skip


def star(x: float, y: float, wide: float, points: int, turn: float, scale: float) -> Bytes:
    """The corners of a star, as OpenCV draws them."""
    turns = np.pi * np.arange(2 * points) / points + turn
    away = np.where(np.arange(2 * points) % 2, 0.45, 1.0) * wide
    corners = np.column_stack([x + away * np.cos(turns), y + away * np.sin(turns)])
    return np.array([at(u, v, scale) for u, v in corners.tolist()], np.int32)


def emblems(face: Bytes, board: Board, make: Make, seats: Seats, scale: float) -> None:
    """In the fields of a seat a disc of its colour, a star, or a pale star in a disc."""
    for cell in board.cells:
        seat = seats.get(cell.seat or "")
        if not cell.is_field or seat is None or make.emblem == "none":
            continue
        wide, colour = 0.42 * min(cell.size or (2 * cell.reach,) * 2), seat[::-1]
        if make.emblem != "star":
            middle = at(cell.x, cell.y, scale)
            reach = round(wide * scale * (1 << SHIFT))
            cv2.circle(face, middle, reach, colour, cv2.FILLED, cv2.LINE_AA, SHIFT)
        points = star(cell.x, cell.y, 0.9 * wide, 5, -np.pi / 2, scale)
        if make.emblem == "star":
            cv2.fillPoly(face, [points], colour, cv2.LINE_AA, SHIFT)
        elif make.emblem == "starred disc":
            line = max(1, round(1.2 * scale))
            cv2.polylines(face, [points], True, (210, 220, 225), line, cv2.LINE_AA, SHIFT)


def ground(
    face: Bytes, camp: list[Cell], how: str, colour: Rgb, thick: float, scale: float
) -> None:
    """What a camp lies in: a field of the seat's colour, thin or thick, or a line around it."""
    reach = [cell.reach + AROUND for cell in camp]
    spots = np.concatenate(
        [[(c.x - r, c.y - r), (c.x + r, c.y - r), (c.x + r, c.y + r), (c.x - r, c.y + r)]
         for c, r in zip(camp, reach, strict=True)]
    )  # fmt: skip
    hull = cv2.convexHull(np.array([at(x, y, scale) for x, y in spots], np.int32))
    if how == "frame":
        line = max(1, round(2.5 * scale))
        cv2.polylines(face, [hull], True, colour[::-1], line, cv2.LINE_AA, SHIFT)
        return
    cover = np.zeros(face.shape[:2], np.float32)
    cv2.fillPoly(cover, [hull], thick, cv2.LINE_AA, SHIFT)
    face += cover[..., None] * (np.array(colour[::-1], np.float32) - face)


def mark(face: Bytes, cell: Cell, how: str, seat: Rgb | None, scale: float) -> None:
    """A disc of the seat's colour or of white under a hole, a band around it, or a burnt edge."""
    inner, outer = {"discs": (0.0, 4.5), "band": (1.5, 3.5), "burnt": (-0.5, 1.5)}[how]
    colour = BURNT if how == "burnt" else seat or (232.0, 228.0, 216.0)
    middle = cell.reach + (inner + outer) / 2 if inner else (cell.reach + outer) / 2
    thick = outer - inner if inner else cell.reach + outer
    cv2.circle(face, at(cell.x, cell.y, scale), round(middle * scale * (1 << SHIFT)), colour[::-1],
               max(1, round(thick * scale)), cv2.LINE_AA, SHIFT)  # fmt: skip


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
