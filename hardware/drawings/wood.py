"""The board itself: glued planks of pale wood with their grain, and a line around the edge."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

from hardware.boards import Point
from hardware.drawings.ink import WOOD, Rgb, css, mix
from hardware.drawings.svg import box, layer, num, tag

PLANK = 84.0  # about how wide a plank is
GRAIN = 5.2  # from one line of the grain to the next
ROUNDED = 7.0
FRAME = 2.4  # walnut around the edge; the markers' white margin begins at 3
DARKER: Rgb = (196, 150, 94)
LIGHTER: Rgb = (240, 216, 174)


def wood(name: str, size: Point) -> tuple[str, str]:
    """The definitions that a board needs once, and the ground everything else is drawn on."""
    width, height = size
    clip = tag("clipPath", box(0, 0, width, height, rx=ROUNDED), id=f"{name}-edge")
    ground = layer(
        "wood",
        (
            layer("planks", planks(size), clip_path=f"url(#{name}-edge)"),
            box(FRAME / 2, FRAME / 2, width - FRAME, height - FRAME, rx=ROUNDED - FRAME / 2,
                fill="none", stroke="#6b4120", stroke_width=FRAME),
            box(0.5, 0.5, width - 1, height - 1, rx=ROUNDED - 0.5, fill="none",
                stroke="#a97843", stroke_width=0.6),
            box(FRAME + 0.3, FRAME + 0.3, width - 2 * FRAME - 0.6, height - 2 * FRAME - 0.6,
                rx=ROUNDED - FRAME, fill="none", stroke="#f7e3bd", stroke_width=0.6),
        ),
    )  # fmt: skip
    return clip, ground


def planks(size: Point) -> Iterator[str]:
    width, height = size
    count = max(1, round(height / PLANK))
    deep = height / count
    for n in range(count):
        tone = mix(WOOD, LIGHTER if n % 2 else DARKER, (0.16, 0.22, 0.06, 0.34, 0.12)[n % 5])
        yield box(0, n * deep, width, deep, fill=css(tone))
        yield from grain(width, n * deep, deep, phase=2.399 * (n + 1))
        if n:
            yield box(0, n * deep - 0.15, width, 0.3, fill="#7a4f25", fill_opacity=0.4)


def grain(width: float, top: float, deep: float, phase: float) -> Iterator[str]:
    """Lines that draw closer and wander, each plank cut from another part of the tree."""
    heart = deep * (0.5 + 0.38 * math.sin(phase * 1.7))
    count = int(deep / GRAIN)
    for n in range(1, count):
        rest = n * deep / count
        sway = 2.6 * math.exp(-(((rest - heart) / (deep * 0.22)) ** 2))
        strength = 0.10 + 0.10 * math.sin(phase * 5 + n * 2.3) ** 2
        bends = []
        for step in range(7):
            x = width * step / 6
            wave = math.sin(phase + step * 1.13 + n * 0.13) + 0.5 * math.sin(phase * 3 + step * 2.1)
            y = top + min(max(rest + (0.5 + sway) * wave, 0.6), deep - 0.6)
            bends.append((x, y))
        yield tag("path", d=smooth(bends), fill="none", stroke="#8c5a26",
                  stroke_width=0.45 + 0.35 * math.sin(phase + n) ** 2,
                  stroke_opacity=strength)  # fmt: skip


def smooth(points: list[Point]) -> str:
    """A curve through points from left to right, level at each of them."""
    text = f"M{num(points[0][0])} {num(points[0][1])}"
    for (x0, y0), (x1, y1) in pairwise(points):
        half = (x1 - x0) / 2
        text += f"C{num(x0 + half)} {num(y0)} {num(x1 - half)} {num(y1)} {num(x1)} {num(y1)}"
    return text
