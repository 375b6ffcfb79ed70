"""The wiring drawn: supply, fuse, capacitor, controller, chain, buttons, computer."""

from __future__ import annotations

from collections.abc import Mapping

from hardware.drawings.svg import box, circle, document, outline, tag

PLUS, MINUS, DATA, USB, INK = "#c0392b", "#222222", "#1e8449", "#7d3c98", "#222222"
WIDTH, HEIGHT = 880.0, 470.0
SMALL, LARGE = 13, 16


def _text(x: float, y: float, text: str, size: float = SMALL) -> str:
    return tag("text", text, x=x, y=y, font_size=size, fill=INK)


def _lines(x: float, y: float, text: str) -> list[str]:
    """Text in lines; the drawing's texts are parted by a stroke."""
    return [_text(x, y + 17 * n, line) for n, line in enumerate(text.split("|"))]


def _box(
    x: float, y: float, width: float, height: float, text: str, fill: str, inset: float = 10
) -> list[str]:
    frame = box(x, y, width, height, rx=6, fill=fill, stroke=INK, stroke_width=1.5)
    return [frame, *_lines(x + inset, y + 24, text)]


def _wire(colour: str, *points: tuple[float, float], thick: float = 3.0) -> str:
    return tag("path", d=outline(points), fill="none", stroke=colour, stroke_width=thick)


def _dot(x: float, y: float, colour: str) -> str:
    return circle(x, y, 4, fill=colour)


def drawing(words: Mapping[str, str]) -> str:
    """One drawing for all boards; how many LEDs and feeds is in the tables."""
    plus, minus = 300.0, 350.0  # the two rails under the board
    parts: list[str] = [box(0, 0, WIDTH, HEIGHT, fill="#ffffff")]
    # rails
    parts += [
        _wire(PLUS, (190, plus), (820, plus), thick=4),
        _wire(MINUS, (190, minus), (820, minus), thick=4),
        _text(828, plus + 5, "+5 V"),
        _text(828, minus + 5, "GND"),
    ]
    # supply and fuse
    parts += _box(20, 270, 110, 110, words["supply"], "#fdebd0")
    parts += [
        _wire(PLUS, (130, plus), (150, plus)),
        box(150, plus - 9, 40, 18, fill="#ffffff", stroke=INK, stroke_width=1.5),
        tag("path", d=outline([(150, plus), (190, plus)]), stroke=PLUS, stroke_width=1.5),
        *_lines(146, plus - 18, words["fuse"]),
        _wire(MINUS, (130, minus), (190, minus)),
    ]
    # capacitor
    parts += [
        _wire(PLUS, (230, plus), (230, plus + 20)),
        _wire(INK, (216, plus + 20), (244, plus + 20), thick=4),
        _wire(INK, (216, plus + 30), (244, plus + 30), thick=4),
        _wire(MINUS, (230, plus + 30), (230, minus)),
        _dot(230, plus, PLUS),
        _dot(230, minus, MINUS),
        *_lines(206, minus + 22, words["capacitor"]),
    ]
    # controller
    parts += _box(270, 60, 170, 120, words["controller"], "#d6eaf8", 44)
    parts += [
        _wire(MINUS, (350, 180), (350, minus)),
        _dot(350, minus, MINUS),
        _text(336, 174, "GND"),
        _wire(DATA, (440, 120), (470, 120)),
        _text(416, 125, "D6"),
    ]
    # resistor and chain
    parts += [
        box(470, 111, 44, 18, fill="#ffffff", stroke=INK, stroke_width=1.5),
        *_lines(462, 84, words["resistor"]),
        _wire(DATA, (514, 120), (560, 120)),
    ]
    for n in range(3):
        x = 560 + 95 * n
        parts += [
            box(x, 92, 56, 56, rx=4, fill="#fcf3cf", stroke=INK, stroke_width=1.5),
            circle(x + 28, 120, 15, fill="#ffffff", stroke=INK),
            _text(x + 4, 88, f"LED {('0', '1', '2')[n]}"),
            _wire(PLUS, (x + 14, 148), (x + 14, plus)),
            _dot(x + 14, plus, PLUS),
            _wire(MINUS, (x + 42, 148), (x + 42, minus)),
            _dot(x + 42, minus, MINUS),
        ]
        end = (x + 95, 120.0) if n < 2 else (x + 78, 120.0)
        parts.append(_wire(DATA, (x + 56, 120), end))
    parts += [_text(830, 125, "…", LARGE), *_lines(560, 56, words["chain"])]
    # buttons
    for n, (pin, y) in enumerate((("D2", 105.0), ("D3", 155.0))):
        parts += [
            _wire(DATA, (270, y), (215, y)),
            _text(276, y + 5, pin),
            circle(200, y, 15, fill="#ffffff", stroke=INK, stroke_width=1.5),
            circle(200, y, 8, fill="#e5e7e9", stroke=INK),
            _wire(MINUS, (185, y), (165, y)),
            _text(82, y + 5, words["first"] if n == 0 else words["second"]),
        ]
    parts += [
        _wire(MINUS, (165, 105), (165, 235), (350, 235)),
        _dot(165, 155, MINUS),
        _dot(350, 235, MINUS),
    ]
    # the computer
    parts += _box(20, 20, 130, 46, words["computer"], "#e8daef")
    parts += [
        _wire(USB, (150, 40), (355, 40), (355, 60)),
        _text(200, 34, words["usb"]),
    ]
    parts += _lines(20, 430, words["note"])
    return document(
        WIDTH, HEIGHT, (0, 0), tag("g", "\n", "\n".join(parts), "\n", font_family="sans-serif")
    )
