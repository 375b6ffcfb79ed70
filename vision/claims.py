"""What is said of one picture: pieces claimed, and what is left open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.sites import Sites

TOO_MANY = 1.5  # times as many of a kind as exist: then something else looks like all of them


@dataclass(frozen=True)
class Seen:
    """One piece on one cell."""

    cell: str
    name: str
    confidence: float


@dataclass(frozen=True)
class Claims:
    """Pieces claimed and cells left open."""

    pieces: tuple[Seen, ...]
    unsure: tuple[str, ...]


def gathered(sites: Sites, said: Sequence[tuple[Seen, ...] | None]) -> Claims:
    """What is said of one site after the other; cells beyond the picture are left open."""
    open_still = [s.cell.id for s, own in zip(sites.sites, said, strict=True) if own is None]
    pieces = tuple(seen for own in said for seen in own or ())
    return Claims(pieces, (*sites.outside, *open_still))


def confidence(margin: float) -> float:
    return float(1.0 / (1.0 + np.exp(-2.0 - 4.0 * margin)))


def claimed(said: Sequence[tuple[Seen, ...] | None]) -> Counter[str]:
    """How many of each kind are claimed, on sites one after the other."""
    return Counter(seen.name for pieces in said for seen in pieces or ())
