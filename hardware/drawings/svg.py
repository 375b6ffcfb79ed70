"""Just enough SVG: elements, numbers and outlines as text."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from hardware.boards import Point


def num(value: float) -> str:
    """Hundredths of a millimetre, without trailing noughts."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def tag(name: str, *children: str, **attributes: object) -> str:
    """An element; `cls` stands for class, an underscore for a hyphen, None for left out."""
    words = [name]
    for key, value in attributes.items():
        if value is None:
            continue
        text = num(value) if isinstance(value, (int, float)) else escape(str(value))
        words.append(f'{"class" if key == "cls" else key.replace("_", "-")}="{text}"')
    if not children:
        return f"<{' '.join(words)}/>"
    return f"<{' '.join(words)}>{''.join(children)}</{name}>"


def layer(name: str, children: Iterable[str], **attributes: object) -> str:
    """A named group, one child a line so that two drawings can be compared."""
    return tag("g", "\n", "\n".join(children), "\n", cls=name, **attributes)


def circle(x: float, y: float, radius: float, **attributes: object) -> str:
    return tag("circle", cx=x, cy=y, r=radius, **attributes)


def box(x: float, y: float, width: float, height: float, **attributes: object) -> str:
    """A rectangle by its top left corner."""
    return tag("rect", x=x, y=y, width=width, height=height, **attributes)


def outline(points: Iterable[Point], closed: bool = False) -> str:
    """The `d` of a path straight from point to point."""
    steps = " L".join(f"{num(x)} {num(y)}" for x, y in points)
    return f"M{steps}{'Z' if closed else ''}"


def place(x: float, y: float, angle: float = 0.0) -> str:
    """A transform that moves the origin to a point and turns it clockwise."""
    turn = f" rotate({num(angle)})" if angle else ""
    return f"translate({num(x)} {num(y)}){turn}"


def document(width: float, height: float, view: tuple[float, float], *children: str) -> str:
    """A whole drawing, a millimetre a unit; `view` is where its top left corner lies."""
    return (
        tag(
            "svg",
            "\n",
            "\n".join(children),
            "\n",
            xmlns="http://www.w3.org/2000/svg",
            width=f"{num(width)}mm",
            height=f"{num(height)}mm",
            viewBox=" ".join(num(part) for part in (*view, width, height)),
        )
        + "\n"
    )
