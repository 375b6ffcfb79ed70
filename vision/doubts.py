"""From an explanation to claims: what is sure enough to be said, and what is left open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from calibration.view import Array
from vision.claims import Seen, confidence
from vision.cover import Cover
from vision.evidence import Evidence, Lights
from vision.explain import CLIP, Explanation, Standing
from vision.fields import ALL_OF_FIELD, without_whole
from vision.glow import disguised
from vision.looks import Kinds
from vision.outlook import Learned, Outlook
from vision.presence import Presence
from vision.sites import Site

MEAN, RIVAL = 0.3, 0.35  # log odds a point below which a piece, or its kind, is not claimed
ALIKE, RIVAL_ODD = 2.0, 0.7  # from so unusual colours on so much is asked for before the rival
RIVAL_GLOW = 1.2  # before a piece, from a light nobody told of
FIT = 3.4  # how much less usual than it should be a piece's colour may be
FIT_GUESSED = 1.2  # the same where one does not know what the empty place looks like
BEYOND_DOUBT = 1.0  # log odds a point from which that does not matter there
SPILL = 0.5  # the part of the surroundings that may have a piece's colour
EMPTY = 0.4  # log odds a point below which emptiness is not claimed
SURE, SCALE = 2.5, 4.0  # log odds from which it is claimed whether a hole holds a piece
SURE_BLOCKED = 7.0  # the same where something lies about
SURE_GUESSED = 3.0  # the same where one does not know what the empty place looks like
SHOWN = 0.3  # the part of a place that must be seen to claim anything
MEAN_BLOCKED, CLOSER_BLOCKED = 1.0, 1.6  # what is asked for more where something lies about
DISGUISE = 1.0  # how much surer a piece must be where a light of its own colour burns
BLIND, WHITE = 0.7, 0.2  # the part of a cell, and of a piece, that may be burnt out
CLEAR = 0.6  # the part around a light that must look empty
LEAST = 8  # points from which a part of them is told
UNKNOWN, UNKNOWN_IN_SQUARE = 0.6, 0.4  # the part of a place that may show what nobody knows
DIM = -14.5  # log density below which a point does not look empty


@dataclass(frozen=True)
class Asked:
    """What is asked for of a claim on one cell."""

    odds: float  # log odds for or against a piece in a hole
    mean: float  # log odds a point for a piece
    closer: float  # how much more usual its colours must be than elsewhere


def asked(guessed: bool, beside: bool) -> Asked:
    """`guessed`: one does not know what the empty place looks like; `beside`: something lies
    beside it, and a sleeve has a colour too.
    """
    closer = FIT - FIT_GUESSED if guessed else 0.0
    if beside:
        closer = max(closer, CLOSER_BLOCKED)
    odds = SURE_BLOCKED if beside else SURE_GUESSED if guessed else SURE
    return Asked(odds, MEAN_BLOCKED if beside else MEAN, closer)


NOTHING: tuple[Array, float] = (np.zeros(0), -np.inf)
Said = tuple[Seen, ...] | None  # the pieces claimed on a site; None where it is left open


class Judge:
    """Decides site by site what is said of one picture, tiles apart."""

    def __init__(
        self,
        learned: Learned,
        outlook: Outlook,
        evidence: Evidence,
        explained: Explanation,
        cover: Cover,
        lights: Lights | None,
    ) -> None:
        self.kinds, self.alike = learned.kinds, frozenset(learned.table.alike)
        self.outlook, self.evidence, self.explained = outlook, evidence, explained
        self.cover, self.told = cover, lights is not None
        self.shining = bool(evidence.burnt.any())
        self.inside = outlook.inside & ~outlook.guess
        self.colours = disguised(learned.table.board, lights or {})

    @cached_property
    def strange(self) -> Array:
        """(sites,) the part of what a piece would hide that looks like no piece and not empty."""
        return self.share(self.explained.background < DIM)

    @cached_property
    def altered(self) -> Array:
        """(sites,) the part of what one more piece would hide that is not as it was, on fields;
        where all of a field is not, that says nothing of a piece.
        """
        altered = self.evidence.altered
        return self.share(without_whole(altered, self.outlook.fields, ALL_OF_FIELD))

    def forget(self) -> None:
        """Other pieces were found: more is bare than before, or less."""
        for known in ("altered", "strange"):
            self.__dict__.pop(known, None)

    def share(self, points: Array) -> Array:
        """(sites,) the most of what a piece would hide that is of such points (P,), and bare; of
        tiles nobody asks.
        """
        odd = np.append(points & self.explained.bare, False).astype(np.float32)
        found = np.zeros(len(self.explained.sites))
        for batch in self.outlook.batches:
            its = odd[batch.points]
            told = (its.sum(axis=1) > UNKNOWN_IN_SQUARE * LEAST) & ~self.outlook.tiled[
                batch.numbers
            ]
            for row in np.flatnonzero(told):
                cover = batch.cover[row, :-1]  # the last is of a light
                shares = (cover @ its[row]) / np.maximum(cover.sum(axis=1), LEAST)
                found[batch.numbers[row]] = shares.max(initial=0.0)
        return found

    def clear(self, there: Presence) -> Array:
        """(sites,) true where it can be said at a glance that nothing stands there."""
        sites, guessed = self.outlook.sites.sites, self.outlook.guessed
        beside = self.cover.beside
        known, guess = (
            np.where(beside, asked(own, True).odds, asked(own, False).odds) for own in (False, True)
        )
        odds = there.holes.copy()
        for n, (_, more) in there.others.items():
            odds[n] = np.inf if self.explained.found[n] else more
        hole = self.outlook.holed
        unknown = np.where(hole, UNKNOWN, np.where(self.outlook.tiled, np.inf, UNKNOWN_IN_SQUARE))
        doubted = self.evidence.lit | (self.strange > unknown)
        doubted |= [site.cell.id in self.alike for site in sites]
        doubted[list(self.cover.cells)] = True
        # a sleeve has a piece's colour, too, and no pattern
        doubted |= beside & [bool(found) for found in self.explained.found]
        empty: Array = ~doubted & (odds <= -np.where(guessed, guess, known))
        for site in np.flatnonzero(empty & ~hole).tolist():
            shown = self.explained.scores[site].shown >= SHOWN
            empty[site] = shown and not self.dazzled(site, ())
        return empty

    def say(self, n: int, there: Presence) -> Said:
        """What stands on a site. Where one does not know what the empty place looks like a piece
        must look very much like one; where a piece and the empty place look alike none is called
        empty.
        """
        site, kinds, explained = self.outlook.sites.sites[n], self.kinds, self.explained
        verdict = explained.verdict(n)
        lit = [s for s in verdict.pieces if kinds.flat[s.kind]]
        standing = [s for s in verdict.pieces if not kinds.flat[s.kind]]
        beside = bool(self.cover.beside[n])
        ask = asked(bool(self.outlook.guessed[n]), beside)
        odds: list[float | None] = [None] * len(standing)
        if site.cell.shape != "hole":
            found, more = there.others.get(n, NOTHING)
            there_are = found > -ask.odds  # or else it was found by mistake
            standing = [s for s, stands in zip(standing, there_are, strict=True) if stands]
            odds = found[there_are].tolist()
            doubtful = more > -ask.odds or (not verdict.pieces and verdict.shown < SHOWN)
        elif lit:
            doubtful = verdict.next_mean > -EMPTY
        else:
            holds = float(there.holes[n])
            standing = in_hole(explained, kinds, n, holds)
            odds = [holds] * len(standing)
            disputed = bool(standing) != bool(verdict.pieces)
            doubtful = abs(holds) < ask.odds or (beside and disputed)
        hides = self.colours.get(site.cell.id, frozenset())
        margins = [
            margin(explained, kinds, n, s, ask, own, beside)
            - DISGUISE * (kinds.names[s.kind] in hides)
            for s, own in zip(standing, odds, strict=True)
        ]
        glows = [glow_margin(explained, n, s, self.told, self.evidence.burnt) for s in lit]
        doubtful |= min([*margins, *glows], default=1.0) < 0 or n in self.cover.cells
        doubtful |= not standing and site.cell.id in self.alike
        unknown = UNKNOWN if site.cell.shape == "hole" else UNKNOWN_IN_SQUARE
        if not standing and not lit and site.cell.kind != "tile":
            doubtful |= bool(self.strange[n] > unknown)
        if standing or site.cell.shape != "hole":
            doubtful |= self.dazzled(n, standing)
        if doubtful:
            return None
        return tuple(
            Seen(site.cell.id, kinds.names[s.kind], confidence(sure))
            for s, sure in zip(standing, margins, strict=True)
        )

    def hidden(self, n: int) -> bool:
        """Whether hardly anything can be seen of a site."""
        return self.explained.verdict(n).shown < SHOWN or self.dazzled(n, ())

    def dazzled(self, n: int, standing: Sequence[Standing]) -> bool:
        """Whether shine hides what stands on a site, or what would."""
        site = self.outlook.sites.sites[n]
        return self.shining and dazzled(site, standing, self.evidence.burnt, self.inside)


def dazzled(site: Site, standing: Sequence[Standing], burnt: Array, inside: Array) -> bool:
    """Whether shine burns out all there is to see, or all that would set a light piece apart."""
    white = burnt[site.points]
    if not standing or not white.any():
        return bool(white.mean() > BLIND)
    face = ~inside[site.points]
    for piece in standing:
        own, beside = site.cover[piece.stance] > 0.5, face & (site.cover[piece.stance] < 0.1)
        if beside.sum() >= LEAST and white[beside].mean() > BLIND and white[own].mean() > WHITE:
            return True
    return False


def in_hole(explained: Explanation, kinds: Kinds, n: int, odds: float) -> list[Standing]:
    """The piece a hole holds if one is likely, found before or not."""
    foremost = explained.foremost(n)
    return [foremost] if odds > 0 and not kinds.flat[foremost.kind] else []


def margin(
    explained: Explanation,
    kinds: Kinds,
    n: int,
    standing: Standing,
    ask: Asked,
    odds: float | None,
    beside: bool,
) -> float:
    """How far a claim is from every reason to doubt that it is a piece, and this kind; below 0 it
    is not made. `odds` say whether it is a piece at all, None where a light burns.
    """
    fit = usualness(explained, n, standing) - kinds.usual[standing.kind]
    spill = spilt(explained, n, standing)
    sheet = max(2.0 * (SPILL - spill), min(2.0 * (0.9 - spill), fit + 0.5 * FIT))
    rival = standing.rival - (RIVAL if fit > -ALIKE else RIVAL_ODD)
    usual = fit + FIT - ask.closer
    if odds is None:
        unusual = max(standing.mean - 2 * ask.mean, fit + 0.8 * FIT)
        return float(min(standing.mean - ask.mean, rival, usual, unusual, sheet))
    sure = (odds - ask.odds) / SCALE
    if ask.closer and standing.mean < BEYOND_DOUBT:
        sure = min(sure, usual)
    return float(min(sure, rival, sheet, usual) if beside else min(sure, rival, sheet))


def glow_margin(
    explained: Explanation, n: int, standing: Standing, told: bool, burnt: Array
) -> float:
    """How sure it is that only a light shows there, and no piece."""
    clear = clear_around(explained, n, burnt) - CLEAR
    before = RIVAL if told else RIVAL_GLOW
    return float(min(standing.mean - MEAN, standing.rival - before, clear))


def usualness(explained: Explanation, n: int, standing: Standing) -> float:
    """How usual the colours of a piece are for its kind: mean log density."""
    site = explained.sites[n]
    inside = site.points[site.cover[standing.stance] > 0.7]
    return float(explained.kinds[inside, standing.kind].mean()) if len(inside) else 0.0


def ahead(explained: Explanation, n: int, standing: Standing) -> Array:
    """(K,) how much more usual the colours of a piece are for its kind than for each: mean log odds
    of its points that nothing nearer hides; without end where none is seen.
    """
    site = explained.sites[n]
    points = site.points[site.cover[standing.stance] > 0.7]
    away = site.away[standing.stance % len(site.stances)]
    chances = explained.kinds[points[explained.owner_away[points] >= away]]
    if not len(chances):
        return np.full(chances.shape[1], np.inf)
    odds = np.clip(chances[:, standing.kind, None] - chances, -CLIP, CLIP)
    found: Array = odds.mean(axis=0)
    return found


def spilt(explained: Explanation, n: int, standing: Standing) -> float:
    """The part of what lies beside a piece, and is no other's, that has its colour too."""
    site = explained.sites[n]
    many = len(site.stances)
    rows = [standing.stance % many + solid * many for solid in range(explained.solids)]
    beside = site.cover[rows].max(axis=0) < 0.02
    points = site.points[beside & explained.bare[site.points]]
    if len(points) < LEAST:
        return 0.0
    own = explained.kinds[points, standing.kind] - explained.background[points]
    return float(np.count_nonzero(own > 1.0) / len(own))


def clear_around(explained: Explanation, n: int, burnt: Array) -> float:
    """The part of what a piece would cover beyond the light in its hole that looks empty; what is
    `burnt` out there does not, for a pale piece in bright light is burnt out all over.
    """
    site = explained.sites[n]
    glow = site.cover[-len(site.stances) :].max(axis=0)
    beyond = (site.cover[: -len(site.stances)].max(axis=0) > 0.6) & (glow < 0.1)
    points = site.points[beyond & explained.bare[site.points]]
    empty = (explained.background[points] > DIM) & ~burnt[points]
    return float(empty.mean()) if len(points) >= LEAST else 1.0
