"""How a table looks: its woods, its set of pieces, its lamps and its camera, drawn by number.

Every ingredient comes from a number of its own. Even numbers are for tests, odd ones for
development, so no wood, lamp or set of pieces is ever in both.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np

from hardware.boards import Board, Cell
from hardware.twin.camera import Bump, CameraPose, Lens, framing
from hardware.twin.make import Make, Rgb, draw_make
from hardware.twin.surface import CLOTHS, WOODS

Split = Literal["test", "train"]
SIZE = (1280, 960)
DISH = 3.5  # millimetres
WIDE = 17.0
PROFILES, OFTEN = ("turned", "halma", "peg", "skittle"), (0.5, 0.2, 0.1, 0.2)
BOLD_PROFILES = (*PROFILES, "cone", "barrel", "mushroom")
BOLD_EXPOSURE, BOLD_BALANCE = (-1.1, 0.7), 0.12
BOLD_DEPTH = (2.0, 16.0)  # of holes, millimetres
FREE, LOOSE = (0.015, 0.08), (0.06, 0.22)  # parts of a picture left free on each side of a board


@dataclass(frozen=True)
class Lamp:
    """A round or broad source of light above the table; `share` of the light on the board."""

    at: tuple[float, float, float]
    reach: tuple[float, float]  # half its width and depth, millimetres
    kelvin: float
    share: float


@dataclass(frozen=True)
class Light:
    """One hour in one room, and what the camera makes of it."""

    number: int
    lux: float
    ambient: float  # share of the light that comes from everywhere
    ambient_kelvin: float
    lamps: tuple[Lamp, ...]
    occluders: float = 0.2  # how dark the soft shadows of people and shelves are
    exposure: float = 0.0  # steps of brightness the camera is off
    balance: tuple[float, float] = (1.0, 1.0)  # red and blue gains off by these factors
    adapted: float = 0.85  # how far the camera follows the colour of the light


@dataclass(frozen=True)
class PieceSet:
    """Pieces as turned and painted by somebody."""

    number: int
    profile: str
    colours: dict[str, Rgb]  # sRGB, 0 to 255, by piece name
    shine: float
    roughness: float
    sink: float  # how deep a peg stands in its hole
    worn: float  # share of the paint that is scratched off or painted over
    block: str = "block"


@dataclass(frozen=True)
class Table:
    """One table: the board on it, the set of pieces, the camera's lens."""

    number: int
    wood: str
    along: bool
    varnish: float
    roughness: float
    rings: bool
    lines: bool
    hole_depth: float
    hole_floor: Rgb
    ground: str  # a wood or a cloth
    ground_shine: float
    table_edge: tuple[float, float, float] | None  # the table ends beyond this line
    pieces: PieceSet
    lens: Lens
    blur: float
    vignetting: float
    fringe: float  # colours of a point drift apart by this share towards the corners
    sharpening: float
    jpeg: int
    led_lux: float
    floor_wood: float  # how much of a hole's floor is the board's own wood, 0 a frosted disc
    make: Make | None = None  # of a board made in ways that few are

    def depth_of(self, cell: Cell) -> float:
        """Holes for a peg are deep, places wider than any peg are shallow dishes."""
        return min(DISH, self.hole_depth) if 2 * cell.reach > WIDE else self.hole_depth

    def seat_colours(self, board: Board) -> dict[str, Rgb]:
        """What a seat is painted in: as its pieces are."""
        return {piece.seat: self.pieces.colours[piece.name] for piece in board.pieces if piece.seat}


@dataclass(frozen=True)
class Look:
    table: Table
    light: Light


def numbered(seed: int, split: Split) -> int:
    return 2 * seed + (0 if split == "test" else 1)


def generator(kind: str, number: int) -> np.random.Generator:
    return np.random.default_rng([number, *kind.encode()])


def draw_light(board: Board, number: int, lux: float | None = None, bold: bool = False) -> Light:
    """A lamp, a window, several of both: 30 to 2,000 lux, 2,700 to 7,500 K. The bold ones are
    candles, too, lamps of very different colours, and cameras that expose as they please.
    """
    rng = generator(f"light {board.name}", number)
    width, height = board.size
    middle = (width / 2, height / 2)
    key = float(rng.uniform(2700, 7500))
    lamps = []
    many = int(rng.choice([1, 2, 3], p=[0.4, 0.35, 0.25]))
    kinds = rng.choice(["bulb", "window", "panel", "row", "stand"], size=many)
    for n, kind in enumerate(kinds):
        kelvin = key if n == 0 else float(np.clip(key * rng.uniform(0.7, 1.4), 2700, 7500))
        turn = float(rng.uniform(0, 2 * math.pi))
        away, high, reach = {
            "bulb": (rng.uniform(0, 900), rng.uniform(700, 1500), (40.0, 40.0)),
            "window": (rng.uniform(1200, 2600), rng.uniform(600, 1500), (500.0, 400.0)),
            "panel": (rng.uniform(0, 1000), rng.uniform(1300, 1900), (300.0, 300.0)),
            "row": (rng.uniform(0, 900), rng.uniform(1300, 1900), (600.0, 50.0)),
            "stand": (rng.uniform(600, 1500), rng.uniform(400, 900), (60.0, 60.0)),
        }[str(kind)]
        at = (
            middle[0] + float(away) * math.cos(turn),
            middle[1] + float(away) * math.sin(turn),
            float(high),
        )
        flip = bool(rng.random() < 0.5)
        lamps.append(Lamp(at, reach[::-1] if flip else reach, kelvin, float(rng.uniform(0.3, 1.0))))
    total = sum(lamp.share for lamp in lamps)
    drawn_lux = float(np.exp(rng.uniform(np.log(30), np.log(2000))))
    light = Light(
        number=number,
        lux=drawn_lux if lux is None else lux,
        ambient=float(rng.uniform(0.15, 0.65)),
        ambient_kelvin=float(np.clip(key * rng.uniform(0.8, 1.25), 2700, 7500)),
        lamps=tuple(replace(lamp, share=lamp.share / total) for lamp in lamps),
        occluders=float(rng.uniform(0.0, 0.5)),
        exposure=float(np.clip(rng.normal(0, 0.25), -0.6, 0.6)),
        balance=(float(np.exp(rng.normal(0, 0.05))), float(np.exp(rng.normal(0, 0.06)))),
        adapted=float(rng.uniform(0.8, 1.0)),
    )
    return boldly(light, generator(f"bold light {board.name}", number)) if bold else light


def boldly(light: Light, rng: np.random.Generator) -> Light:
    """The same lamps in other colours, and a camera that follows them badly."""
    candle = rng.random() < 0.25
    between = (1850.0, 2400.0) if candle else (2200.0, 8500.0)
    red, blue = np.exp(rng.normal(0, BOLD_BALANCE, 2)).tolist()
    return replace(
        light,
        lamps=tuple(replace(lamp, kelvin=float(rng.uniform(*between))) for lamp in light.lamps),
        ambient=float(rng.uniform(0.1, 0.7)),
        exposure=float(rng.uniform(*BOLD_EXPOSURE)),
        balance=(float(red), float(blue)),
        adapted=float(rng.uniform(0.6, 1.0)),
    )


def draw_pieces(board: Board, number: int, bold: bool = False) -> PieceSet:
    """The named colours as another maker painted them, still told apart by a person; the bold ones
    of other shapes, too.
    """
    rng = generator(f"{'bold ' if bold else ''}pieces {board.name}", number)
    colours: dict[str, Rgb] = {}
    for piece in board.pieces:
        for _ in range(60):
            colour = repainted(rng, piece.srgb, 1.8 if bold else 1.0)
            if all(apart(colour, other) > 34 for other in colours.values()):
                break
        else:
            colour = piece.srgb
        colours[piece.name] = colour
    return PieceSet(
        number=number,
        profile=str(rng.choice(BOLD_PROFILES) if bold else rng.choice(PROFILES, p=OFTEN)),
        colours=colours,
        shine=float(rng.uniform(0.2, 1.0)),
        roughness=float(rng.uniform(0.12, 0.4)),
        sink=float(rng.uniform(0, 5)),
        worn=float(rng.uniform(0, 0.12)) if rng.random() < 0.6 else 0.0,
        block=str(rng.choice(["block", "drum"])),
    )


def repainted(rng: np.random.Generator, srgb: tuple[int, int, int], freely: float = 1.0) -> Rgb:
    lab = cv2.cvtColor(np.array([[srgb]], np.uint8), cv2.COLOR_RGB2LAB)[0, 0].astype(float)
    chroma = np.hypot(*(lab[1:] - 128))
    turn = rng.normal(0, 0.12 * freely)
    scale = float(rng.uniform(1 - 0.25 * freely, 1.08))
    a, b = (lab[1:] - 128) * scale
    a, b = a * math.cos(turn) - b * math.sin(turn), a * math.sin(turn) + b * math.cos(turn)
    spread = freely * (14 if chroma > 20 else 7)
    changed = np.array([lab[0] + rng.normal(0, spread), a + 128, b + 128])
    pixel = np.clip(changed, 12, 246).astype(np.uint8).reshape(1, 1, 3)
    red, green, blue = cv2.cvtColor(pixel, cv2.COLOR_LAB2RGB)[0, 0]
    return float(red), float(green), float(blue)


def apart(one: Rgb, other: Rgb) -> float:
    pair = np.array([[one, other]]).round().astype(np.uint8)
    lab = cv2.cvtColor(pair, cv2.COLOR_RGB2LAB)[0].astype(float)
    return float(np.linalg.norm((lab[0] - lab[1]) * (100 / 255, 1, 1)))


def draw_table(
    board: Board, number: int, size: tuple[int, int] = SIZE, bold: bool = False
) -> Table:
    """One of many homes; the bold ones have boards and pieces made in ways that few are."""
    rng = generator(f"table {board.name}", number)
    width, height = size
    focal = float(rng.uniform(0.72, 1.15)) * width
    wide = (1.15 * width / focal - 1) / 0.6
    lens = Lens(
        size,
        focal,
        (width / 2 + float(rng.normal(0, 8)), height / 2 + float(rng.normal(0, 8))),
        (
            float(rng.uniform(-0.10, 0.02)) * (0.3 + wide),
            float(rng.uniform(-0.01, 0.02)),
            float(rng.normal(0, 0.0004)),
            float(rng.normal(0, 0.0004)),
            0.0,
        ),
    )
    edge = None
    if rng.random() < 0.35:
        turn = float(rng.choice([0, 0.5, 1, 1.5])) * math.pi + float(rng.normal(0, 0.2))
        edge = (math.cos(turn), math.sin(turn), max(board.size) * float(rng.uniform(0.62, 0.95)))
    darkness = float(rng.uniform(0.35, 0.95))
    table = Table(
        number=number,
        wood=str(rng.choice(list(WOODS))),
        along=bool(rng.random() < 0.5),
        varnish=float(rng.uniform(0, 1.2)) if rng.random() < 0.8 else 0.0,
        roughness=float(np.exp(rng.uniform(np.log(0.03), np.log(0.25)))),
        rings=bool(rng.random() < 0.6),
        lines=bool(rng.random() < 0.5),
        hole_depth=float(rng.uniform(6, 14)),
        hole_floor=(190 * darkness, 180 * darkness, 165 * darkness),
        ground=str(rng.choice([*WOODS, *CLOTHS, *CLOTHS])),
        ground_shine=float(rng.uniform(0, 0.7)),
        table_edge=edge,
        pieces=draw_pieces(board, number),
        lens=lens,
        blur=float(rng.uniform(0.3, 1.5)),
        vignetting=float(rng.uniform(0.05, 0.45)),
        fringe=float(rng.uniform(0, 0.0007)),
        sharpening=float(rng.uniform(0, 0.8)),
        jpeg=int(rng.integers(75, 97)),
        led_lux=float(np.exp(rng.uniform(np.log(400), np.log(2500)))),
        floor_wood=float(rng.uniform(0.1, 1.0)) if board.lights else 1.0,
    )
    if not bold:
        return table
    rng = generator(f"make {board.name}", number)
    return replace(
        table,
        hole_depth=float(rng.uniform(*BOLD_DEPTH)),
        make=draw_make(rng),
        pieces=draw_pieces(board, number, bold),
    )


def draw_camera(
    board: Board,
    table: Table,
    elevation: float | None = None,
    low: float = 60.0,
    free: tuple[float, float] = FREE,
) -> CameraPose:
    """Somewhere from `low` to 90 degrees over the table, turned a little; `free`: how much of the
    picture may lie beside the board, on each side.
    """
    rng = generator(f"camera {board.name}", table.number)
    drawn = float(rng.uniform(low, 90))
    quarter = float(rng.choice([0, 0, 0, 90, 180, 270]))
    return framing(
        board,
        table.lens,
        elevation=drawn if elevation is None else elevation,
        azimuth=90 + quarter + float(rng.normal(0, 7)),
        roll=float(rng.normal(0, 3)),
        margin=float(rng.uniform(*free)),
        aim=(float(rng.normal(0, 12)), float(rng.normal(0, 12))),
    )


def draw(board: Board, seed: int, split: Split = "test", light: int | None = None) -> Look:
    """The look numbered `seed` of a split; another `light` for another hour at the same table."""
    return Look(
        draw_table(board, numbered(seed, split)),
        draw_light(board, numbered(seed if light is None else light, split)),
    )


def bumped_light(light: Light, bump: Bump, about: tuple[float, float]) -> Light:
    """The same lamps seen from a board that was moved."""

    def moved(lamp: Lamp) -> Lamp:
        x, y = bump.apply(lamp.at[0], lamp.at[1], about)
        return replace(lamp, at=(x, y, lamp.at[2]))

    return replace(light, lamps=tuple(moved(lamp) for lamp in light.lamps))
