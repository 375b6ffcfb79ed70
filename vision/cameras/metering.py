"""How far a camera's own exposure is held back: what is burnt out has no colour left."""

from __future__ import annotations

from collections.abc import Callable

from vision.cameras.camera import Picture

BURNT = 250  # levels that tell nothing any more
MARGIN = 0.15  # of each side: what lies there is rather the table than the board
MANY = 0.04  # the part of the picture that may be burnt out, as a lamp's mirror image is
STEP, STEPS = 2**-0.5, 4  # how much less light at a time, and how often at most


def burnt_out(picture: Picture) -> float:
    """The part of a colour picture's middle in which one of its colours is burnt out."""
    high, wide = (round(MARGIN * side) for side in picture.shape[:2])
    middle = picture[high : -high or None : 4, wide : -wide or None : 4]
    return float((middle.max(axis=2) >= BURNT).mean()) if middle.size else 0.0


def held_back(look: Callable[[], Picture], expose: Callable[[float], None]) -> None:
    """Less light, as parts of what there was, until little is burnt out; `look` takes a picture in
    the light last asked for with `expose`.
    """
    for step in range(1, STEPS + 1):
        if burnt_out(look()) <= MANY:
            return
        expose(STEP**step)
    look()  # whoever takes the next picture finds it in this light


def shared(time: float, gain: float, kept: float) -> tuple[float, float]:
    """An exposure time and a gain that together let in that part of the light. Gain goes first: it
    adds noise, and a time shorter than a lamp's flicker shows stripes.
    """
    less = max(1.0, gain * kept) if gain > 1.0 else gain
    return time * gain * kept / less, less
