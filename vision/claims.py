"""From an explanation to claims: what is sure enough to be said, and what is left open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from calibration.view import Array
from vision.cover import Cover
from vision.explain import Explanation, Standing
from vision.hollow import LEAST
from vision.looks import Kinds
from vision.sites import Site, Sites

MEAN, RIVAL = 0.3, 0.35  # log odds a point below which a piece, or its kind, is not claimed
ALIKE, RIVAL_ODD = 2.0, 0.7  # from so unusual colours on so much is asked for before the rival
RIVAL_GLOW = 1.2  # before a piece, from a light nobody told of
FIT = 3.4  # how much less usual than it should be a piece's colour may be
FIT_GUESSED = 1.6  # the same where one does not know what the empty place looks like
SPILL = 0.5  # the part of the surroundings that may have a piece's colour
EMPTY = 0.4  # log odds a point below which emptiness is not claimed
BARE_TILE = 0.5  # log odds a point above which a tile is not called bare
SURE, SCALE = 2.5, 4.0  # log odds from which it is claimed whether a hole holds a piece
SURE_GUESSED = 1.5  # the same where one does not know what the empty place looks like
SHOWN = 0.3  # the part of a place that must be seen to claim anything
MEAN_BLOCKED, CLOSER_BLOCKED = 1.0, 1.6  # what is asked for more where something lies about
DISGUISE = 1.0  # how much surer a piece must be where a light of its own colour burns
BLIND, WHITE = 0.7, 0.2  # the part of a cell, and of a piece, that may be burnt out
CLEAR = 0.6  # the part around a light that must look empty


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


def confidence(margin: float) -> float:
    return float(1.0 / (1.0 + np.exp(-2.0 - 4.0 * margin)))


def make_claims(
    sites: Sites,
    kinds: Kinds,
    explained: Explanation,
    cover: Cover,
    guessed: frozenset[str],
    alike: frozenset[str],
    inside: Array,
    odds: Array,
    told: bool,
    disguised: Mapping[str, frozenset[str]],
    burnt: Array,
) -> Claims:
    """All claims. On cells whose empty look is `guessed` a piece must look very much like one;
    where a piece and the empty place look `alike` none is called empty. `inside`: points in holes;
    `odds` (sites,): the log odds for a piece in each hole. `told`: whether the lights are known;
    `disguised`: by cell the pieces whose colour is that of the light known to burn there. `burnt`:
    points that are white and nothing else.
    """
    pieces: list[Seen] = []
    unsure: list[str] = list(sites.outside)
    for n, site in enumerate(sites.sites):
        verdict = explained.verdict(n)
        lit = [s for s in verdict.pieces if kinds.flat[s.kind]]
        standing = [s for s in verdict.pieces if not kinds.flat[s.kind]]
        hole = site.cell.shape == "hole"
        if hole and not lit:
            standing = in_hole(explained, kinds, n, float(odds[n]))
        closer = FIT - FIT_GUESSED if site.cell.id in guessed else 0.0
        least = SURE_GUESSED if site.cell.id in guessed else SURE
        mean = MEAN
        if cover.blocked:  # a sleeve has a colour too
            mean, closer = MEAN_BLOCKED, max(closer, CLOSER_BLOCKED)
        hides = disguised.get(site.cell.id, frozenset())
        margins = [
            (
                margin_in_hole(kinds, explained, n, s, float(odds[n]) - least, cover.blocked)
                if hole and not lit
                else margin(kinds, explained, n, s, closer, mean)
            )
            - DISGUISE * (kinds.names[s.kind] in hides)
            for s in standing
        ]
        glows = [glow_margin(explained, n, s, told) for s in lit]
        hidden = not verdict.pieces and verdict.shown < SHOWN
        hidden |= not standing and site.cell.id in alike
        doubtful = min([*margins, *glows], default=1.0) < 0
        if hole and not lit:
            doubtful = doubtful or abs(odds[n]) < least
        else:
            least = BARE_TILE if site.cell.kind == "tile" else -EMPTY
            doubtful = doubtful or verdict.next_mean > least
        if n in cover.cells or hidden or doubtful or dazzled(site, standing, burnt, inside):
            unsure.append(site.cell.id)
            continue
        pieces += [
            Seen(site.cell.id, kinds.names[s.kind], confidence(sure))
            for s, sure in zip(standing, margins, strict=True)
        ]
    return Claims(tuple(pieces), tuple(unsure))


def in_hole(explained: Explanation, kinds: Kinds, n: int, odds: float) -> list[Standing]:
    """The piece a hole holds if one is likely, found before or not."""
    foremost = explained.foremost(n)
    return [foremost] if odds > 0 and not kinds.flat[foremost.kind] else []


def margin_in_hole(
    kinds: Kinds, explained: Explanation, n: int, standing: Standing, over: float, blocked: bool
) -> float:
    """How far a claim in a hole is from every reason to doubt that it is a piece, and this kind;
    `over`: its log odds beyond what is asked for.
    """
    fit = explained.fit(n, standing) - kinds.usual[standing.kind]
    spill = explained.spills(n, standing)
    sheet = max(2.0 * (SPILL - spill), min(2.0 * (0.9 - spill), fit + 0.5 * FIT))
    rival = standing.rival - (RIVAL if fit > -ALIKE else RIVAL_ODD)
    sure = over / SCALE
    if blocked:
        sure = min(sure, standing.mean - MEAN_BLOCKED, fit + FIT - CLOSER_BLOCKED)
    return float(min(sure, rival, sheet))


def dazzled(site: Site, standing: Sequence[Standing], burnt: Array, inside: Array) -> bool:
    """Whether shine burns out all there is to see, or all that would set a light piece apart."""
    white = burnt[site.points]
    if not standing:
        return bool(white.mean() > BLIND)
    for piece in standing:
        own = site.cover[piece.stance] > 0.5
        face = (site.cover[piece.stance] < 0.1) & ~inside[site.points]
        if face.sum() >= LEAST and white[face].mean() > BLIND and white[own].mean() > WHITE:
            return True
    return False


def margin(
    kinds: Kinds,
    explained: Explanation,
    n: int,
    standing: Standing,
    closer: float = 0.0,
    mean: float = MEAN,
) -> float:
    """How far a claim is from every reason to doubt it; below 0 it is not made."""
    fit = explained.fit(n, standing) - kinds.usual[standing.kind]
    spill = explained.spills(n, standing)
    unusual = max(standing.mean - 2 * mean, fit + 0.8 * FIT)
    sheet = max(2.0 * (SPILL - spill), min(2.0 * (0.9 - spill), fit + 0.5 * FIT))
    rival = RIVAL if fit > -ALIKE else RIVAL_ODD
    least = min(standing.mean - mean, standing.rival - rival, fit + FIT - closer, unusual, sheet)
    return float(least)


def glow_margin(explained: Explanation, n: int, standing: Standing, told: bool) -> float:
    """How sure it is that only a light shows there, and no piece."""
    clear = explained.clear_around(n) - CLEAR
    before = RIVAL if told else RIVAL_GLOW
    return float(min(standing.mean - MEAN, standing.rival - before, clear))
