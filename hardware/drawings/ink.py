"""Colours: the wood's, the seats', and what stays legible on them."""

from __future__ import annotations

import math

Rgb = tuple[int, int, int]

ENGRAVED = "#5b3a1c"  # a burnt line
ENGRAVED_LIGHT = "#fff1d6"  # the light that its lower edge catches
WALNUT = "#8a5a33"
MAPLE = "#f6e7c8"
DARK: Rgb = (38, 27, 18)
LIGHT: Rgb = (255, 249, 236)
WOOD: Rgb = (226, 193, 142)


def css(rgb: Rgb) -> str:
    return "#{:02x}{:02x}{:02x}".format(*rgb)


def mix(one: Rgb, other: Rgb, share: float) -> Rgb:
    """`one` with a share of `other` stirred in."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def brightness(rgb: Rgb) -> float:
    """How light a colour looks, 0 to 1."""
    red, green, blue = (math.pow(part / 255, 2.2) for part in rgb)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def legible(rgb: Rgb) -> str:
    """Dark or light ink, whichever can be read on this colour."""
    return css(DARK if brightness(rgb) > 0.26 else LIGHT)
