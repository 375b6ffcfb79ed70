"""Counting what was read: right, unsure, wrong, with the range chance leaves open."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hardware.boards import Board
from vision.reading import Reading

COVERAGES = (1.0, 0.999, 0.997, 0.99, 0.95, 0.9)


@dataclass(frozen=True)
class Verdict:
    """One picture's reading beside the truth."""

    cells: int
    claimed: int
    wrong: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...]  # cell, there, read
    abstained: int
    confidences: tuple[tuple[float, bool], ...]  # of every piece claimed
    blocked: bool
    warnings: tuple[str, ...]

    @property
    def perfect(self) -> bool:
        return not self.wrong and not self.abstained


def judge(board: Board, reading: Reading, truth: Mapping[str, Sequence[str]]) -> Verdict:
    """Every cell that is claimed, against what stands there."""
    unsure = set(reading.unsure)
    read: dict[str, list[str]] = {}
    for seen in reading.pieces:
        read.setdefault(seen.cell, []).append(seen.name)
    wrong = []
    for cell in board.cells:
        if cell.id in unsure:
            continue
        there, found = sorted(truth.get(cell.id, ())), sorted(read.get(cell.id, ()))
        if there != found:
            wrong.append((cell.id, tuple(there), tuple(found)))
    bad = {cell for cell, _, _ in wrong}
    return Verdict(
        len(board.cells),
        len(board.cells) - len(unsure),
        tuple(wrong),
        len(unsure),
        tuple((seen.confidence, seen.cell not in bad) for seen in reading.pieces),
        reading.blocked,
        reading.warnings,
    )


@dataclass
class Tally:
    """Sums over pictures."""

    pictures: int = 0
    cells: int = 0
    claimed: int = 0
    right: int = 0
    abstained: int = 0
    sure: int = 0  # pictures without a single unsure cell
    perfect: int = 0
    refused: int = 0
    blocked: int = 0
    warned: int = 0
    confidences: list[tuple[float, bool]] = field(default_factory=list)
    confused: Counter[str] = field(default_factory=Counter)

    def refuse(self, pictures: int = 1) -> None:
        self.pictures += pictures
        self.refused += pictures

    def count(self, verdict: Verdict | None) -> None:
        """One picture; None where it was refused."""
        if verdict is None:
            self.refuse()
        else:
            self.add(verdict)

    def add(self, verdict: Verdict) -> None:
        self.pictures += 1
        self.cells += verdict.cells
        self.claimed += verdict.claimed
        self.right += verdict.claimed - len(verdict.wrong)
        self.abstained += verdict.abstained
        self.sure += not verdict.abstained
        self.perfect += verdict.perfect
        self.blocked += verdict.blocked
        self.warned += bool(verdict.warnings)
        self.confidences += verdict.confidences
        for _, there, read in verdict.wrong:
            self.confused[f"{'+'.join(there) or 'empty'} read as {'+'.join(read) or 'empty'}"] += 1

    def merge(self, other: Tally) -> None:
        for name in ("pictures", "cells", "claimed", "right", "abstained", "sure", "perfect",
                     "refused", "blocked", "warned"):  # fmt: skip
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.confidences += other.confidences
        self.confused += other.confused

    def figures(self) -> dict[str, Any]:
        return {
            "pictures": self.pictures,
            "cells": self.cells,
            "claimed": self.claimed,
            "wrong": self.claimed - self.right,
            "cells_right": share(self.right, self.claimed),
            "cells_right_range": wilson(self.right, self.claimed),
            "boards_perfect": share(self.perfect, self.sure),
            "boards_perfect_range": wilson(self.perfect, self.sure),
            "boards_perfect_of_all": share(self.perfect, self.pictures),
            "boards_sure": self.sure,
            "abstained": share(self.abstained, self.cells),
            "refused": self.refused,
            "called_blocked": self.blocked,
            "warned": self.warned,
        }


def merged(tallies: Iterable[Tally]) -> Tally:
    result = Tally()
    for tally in tallies:
        result.merge(tally)
    return result


def share(part: int, whole: int) -> float | None:
    return round(part / whole, 6) if whole else None


def wilson(part: int, whole: int, z: float = 1.96) -> tuple[float, float] | None:
    """The 95 % range of a share; cells of one picture are not independent, so take it as a hint."""
    if not whole:
        return None
    p, square = part / whole, z * z / whole
    middle = (p + square / 2) / (1 + square)
    half = z * math.sqrt(p * (1 - p) / whole + square / (4 * whole)) / (1 + square)
    return round(max(0.0, middle - half), 6), round(min(1.0, middle + half), 6)


def coverage_against_error(claims: Sequence[tuple[float, bool]]) -> list[dict[str, float]]:
    """How wrong piece claims are when only the surest share of them is kept."""
    ordered = sorted(claims, key=lambda claim: -claim[0])
    curve = []
    for wanted in COVERAGES:
        kept = ordered[: round(len(ordered) * wanted)]
        if kept:
            wrong = sum(not right for _, right in kept)
            curve.append(
                {
                    "coverage": wanted,
                    "claims": len(kept),
                    "error": round(wrong / len(kept), 6),
                    "least_confidence": round(kept[-1][0], 4),
                }
            )
    return curve
