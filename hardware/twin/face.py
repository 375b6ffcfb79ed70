"""The face of a board as its maker left it: wood, painted rings, lines, markers, scratches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.boards import Board, Cell
from hardware.twin.looks import Table, generator
from hardware.twin.make import emblems, made
from hardware.twin.strokes import SHIFT, at
from hardware.twin.surface import Surface, wood

Bytes = NDArray[Any]
FRAME = 3.0  # white paper around a marker, millimetres
STAINED = 0.6  # the part of the boards whose fields are stained, and of those whose homes are
# what fields are stained in: cream, sand, sage, grey, rose, slate, tan, walnut, ebony, white
TONES = ((236, 222, 190), (214, 190, 150), (196, 208, 186), (190, 192, 196), (214, 190, 182),
         (120, 136, 150), (176, 138, 96), (96, 68, 48), (58, 44, 38), (238, 236, 230))  # fmt: skip


def face(board: Board, table: Table, scale: float) -> Surface:
    """The board's top as a flat picture, `scale` pixels a millimetre, without its holes."""
    rng = generator("face", table.number)
    plain = wood(rng, table.wood, board.size, scale, table.along)
    if table.make is not None:
        maker = generator("maker", table.number)
        own = made(plain.colour, board, table.make, table.seat_colours(board), maker, scale)
        plain = replace(plain, colour=own)
    picture: Bytes = plain.colour.copy()
    burnt = picture.reshape(-1, 3).mean(axis=0) * 0.35
    if table.lines:
        draw_lines(picture, board, scale, tuple(burnt))
    seat_colours = table.seat_colours(board)
    fields = generator("fields", table.number)
    line = burnt if fields.random() < 0.7 else np.minimum(burnt * 5.0, 235.0)
    picture = stain(picture, board, scale, fields, seat_colours)
    for cell in board.cells:
        colour = seat_colours.get(cell.seat or "")
        if cell.shape == "square":
            draw_square(picture, cell, scale, tuple(line), colour)
        elif colour is not None and table.rings:
            draw_ring(picture, cell, scale, colour[::-1])
    if table.make is not None:
        emblems(picture, board, table.make, seat_colours, scale)
    scratch(picture, rng, scale)
    # paint lies on the wood: the grain still shows a little
    mixed: Bytes = cv2.addWeighted(picture, 0.9, plain.colour, 0.1, 0)
    paste_markers(mixed, board, scale, rng)
    return Surface(mixed, plain.relief, scale)


def draw_lines(picture: Bytes, board: Board, scale: float, colour: tuple[float, ...]) -> None:
    for cell in board.cells:
        for link in cell.links:
            other = board.by_id.get(link)
            if other is None or "square" in (cell.shape, other.shape) or cell.kind == "camp":
                continue
            if np.hypot(cell.x - other.x, cell.y - other.y) < 60:
                cv2.line(
                    picture, at(cell.x, cell.y, scale), at(other.x, other.y, scale), colour,
                    max(1, round(0.8 * scale)), cv2.LINE_AA, SHIFT,
                )  # fmt: skip


def stain(
    picture: Bytes,
    board: Board,
    scale: float,
    rng: np.random.Generator,
    seats: Mapping[str, tuple[float, float, float]],
) -> Bytes:
    """The fields of many boards are stained in two tones by turns, and those of a seat in its
    colour: pieces as light, as dark or as red as what they stand on.
    """
    fields = [cell for cell in board.cells if cell.is_field]
    stained, seated = rng.random() < STAINED, rng.random() < STAINED
    tones = [np.array(rng.choice(TONES)) + rng.uniform(-12, 12, 3) for _ in range(2)]
    thick = float(rng.uniform(0.45, 0.95))
    paint, cover = picture.copy(), np.zeros(picture.shape[:2], np.float32)
    for n, cell in enumerate(fields):
        width, height = cell.size or (2 * cell.reach, 2 * cell.reach)
        low = at(cell.x - width / 2, cell.y - height / 2, scale)
        high = at(cell.x + width / 2, cell.y + height / 2, scale)
        seat = seats.get(cell.seat or "")
        if seat is not None and seated:
            tone, own = 0.85 * np.array(seat[::-1]), 0.9
        elif seat is None and stained:
            tone, own = tones[n % 2][::-1], thick
        else:
            continue
        tint = tuple(np.clip(tone, 0, 255).tolist())
        cv2.rectangle(paint, low, high, tint, cv2.FILLED, cv2.LINE_AA, SHIFT)
        cv2.rectangle(cover, low, high, own, cv2.FILLED, cv2.LINE_AA, SHIFT)
    mixed: Bytes = picture + cover[..., None] * (paint.astype(np.float32) - picture)
    return mixed.astype(np.uint8)


def draw_square(
    picture: Bytes,
    cell: Cell,
    scale: float,
    line: tuple[float, ...],
    seat: tuple[float, float, float] | None,
) -> None:
    width = height = 2 * cell.reach
    if cell.size is not None:
        width, height = cell.size
    first = at(cell.x - width / 2, cell.y - height / 2, scale)
    last = at(cell.x + width / 2, cell.y + height / 2, scale)
    if seat is not None:
        edge = 3.0
        cv2.rectangle(
            picture,
            at(cell.x - width / 2 + edge, cell.y - height / 2 + edge, scale),
            at(cell.x + width / 2 - edge, cell.y + height / 2 - edge, scale),
            tuple(0.85 * part for part in seat[::-1]),
            max(1, round(2.2 * scale)),
            cv2.LINE_AA,
            SHIFT,
        )
    cv2.rectangle(picture, first, last, line, max(1, round(0.8 * scale)), cv2.LINE_AA, SHIFT)


def draw_ring(picture: Bytes, cell: Cell, scale: float, colour: tuple[float, float, float]) -> None:
    radius = round((cell.reach + 0.6) * scale * (1 << SHIFT))
    place = at(cell.x, cell.y, scale)
    cv2.circle(picture, place, radius, colour, max(1, round(2.0 * scale)), cv2.LINE_AA, SHIFT)


def scratch(picture: Bytes, rng: np.random.Generator, scale: float) -> None:
    """Years of play: fine lines a little lighter or darker than what they cross."""
    marks = np.zeros(picture.shape[:2], np.uint8)
    height, width = picture.shape[:2]
    for _ in range(int(rng.integers(0, 50))):
        x, y = rng.uniform(0, width), rng.uniform(0, height)
        dx, dy = rng.normal(0, 30 * scale, 2)
        cv2.line(
            marks, (round(x), round(y)), (round(x + dx), round(y + dy)),
            int(rng.integers(10, 60)), 1, cv2.LINE_AA,
        )  # fmt: skip
    change = marks if rng.random() < 0.7 else None
    if change is not None:
        for channel in range(3):
            picture[..., channel] = cv2.add(picture[..., channel], marks)
    else:
        for channel in range(3):
            picture[..., channel] = cv2.subtract(picture[..., channel], marks)


def paste_markers(picture: Bytes, board: Board, scale: float, rng: np.random.Generator) -> None:
    """Printed on paper and glued on, ink not quite black."""
    if board.dictionary is None or not hasattr(cv2.aruco, board.dictionary):
        return
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, board.dictionary))
    ink, paper = float(rng.uniform(18, 50)), float(rng.uniform(205, 245))
    bits = dictionary.markerSize + 2
    for marker in board.markers:
        sheet: Bytes = cv2.aruco.generateImageMarker(dictionary, marker.id, bits * 24)
        corners = np.array(marker.corners, np.float64)
        edge = FRAME / max(1.0, float(np.linalg.norm(corners[1] - corners[0]))) * bits * 24
        border = round(edge)
        framed: Bytes = cv2.copyMakeBorder(
            sheet, border, border, border, border, cv2.BORDER_CONSTANT, value=255
        )
        side = bits * 24
        inner = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32) + border - 0.5
        place = (corners * scale - 0.5).astype(np.float32)
        turn = cv2.getPerspectiveTransform(inner, place)
        size = (picture.shape[1], picture.shape[0])
        printed: Bytes = (ink + framed.astype(np.float32) / 255 * (paper - ink)).astype(np.uint8)
        printed = cv2.GaussianBlur(printed, (0, 0), 2.5)
        shade = cv2.warpPerspective(printed, turn, size, flags=cv2.INTER_AREA)
        mask = cv2.warpPerspective(np.full_like(framed, 255), turn, size)[..., None] / 255.0
        low = np.clip(place.min(axis=0).astype(int) - 30, 0, None)
        high = place.max(axis=0).astype(int) + 30
        part = (slice(low[1], high[1]), slice(low[0], high[0]))
        picture[part] = (
            picture[part] * (1 - mask[part]) + shade[part][..., None] * mask[part]
        ).astype(np.uint8)
