"""The colour cast of the pieces: light falls on them from another side than on the face of the
board, and what stands around them shows in their varnish.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from calibration.view import Array
from vision.colour import likelihoods_full
from vision.evidence import Evidence
from vision.explain import Explanation
from vision.lanes import middles
from vision.light import levels, linear
from vision.looks import Kinds

CLEAR, SEEN = 1.0, -0.5  # mean log odds of pieces that are asked; of what may be one
INNER = 0.6  # the part of a point that a piece covers, for it to be asked
FEWEST, ASKED = 8, 40  # points a piece needs, and points that are asked of each
PIECES = 4  # that are needed at least
COLOURS = 3  # from which their differences tell more than one gain
BURNT = 0.3  # the part of a piece's points of which a channel may tell only the least there is
HALFWAY = 8  # of so many half of what they say is believed
TELLING, MOST = 0.3, 1.2  # logarithms of light from which that matters, and up to which it goes
NOTHING = 0.004  # light that even black sends back
STRANGE, OFTEN = -1.5, 0.12  # log density a point below which a piece's colour is not usual; how
# many of them must not be
STEPS = (0.4, 0.2, 0.1)  # logarithms of light by which better gains are looked for, and
ADDED, MOST_ADDED = 0.1, 0.15  # how much of one of them added light is, and that at most
ROUNDS = 12  # steps of one size at most
WORTH = 0.3  # log density a point that all of a step must bring for each logarithm of it
DEALS, BID, DEAREST = 20, 0.01, 3.0  # how kinds are dealt out of which there are not enough
BETTER = 0.4  # log density a point that all steps together must bring


@dataclass(frozen=True)
class Cast:
    """What the light of pieces is now, against what it was when they were learned."""

    gain: Array  # (3,) what it has to be multiplied with, blue, green, red
    added: Array  # (3,) what was added to it before; below 0 what was there then and no more

    def without(self, light: Array) -> Array:
        """Amounts of light (N, 3) as they were then."""
        found: Array = np.maximum(light - self.added, 0.0) * self.gain
        return found

    @property
    def likely(self) -> bool:
        """Whether light may be so."""
        gained = np.abs(np.log(self.gain)).max() < MOST + ADDED
        return bool(gained and self.added.min() > -MOST_ADDED / 2 and self.added.max() < MOST_ADDED)

    def steps(self, size: float) -> Iterator[Cast]:
        for channel in range(3):
            one = np.eye(3)[channel]
            for way in (size, -size):
                yield replace(self, added=self.added + way * ADDED * one)
                yield replace(self, gain=self.gain * np.exp(way * one))
        for way in (size, -size):
            yield replace(self, gain=self.gain * np.exp(way))


UNCHANGED = Cast(np.ones(3), np.zeros(3))


@dataclass(frozen=True)
class Shown:
    """The colours of pieces that were found: as many of each."""

    light: Array  # (pieces, ASKED, 3)
    full: Array  # (pieces, ASKED, 3) true of what the sensor tells the least of
    kinds: tuple[int, ...]  # what they seemed to be
    clear: Array  # (pieces,) true for those that clearly are pieces


def shown(kinds: Kinds, evidence: Evidence, explained: Explanation) -> Shown:
    points, theirs, clear = [], [], []
    for n, (site, found) in enumerate(zip(explained.sites, explained.found, strict=True)):
        own = explained.foremost(n)
        if len(found) > 1 or kinds.flat[own.kind] or own.mean < SEEN:
            continue
        its = site.points[site.cover[own.stance] > INNER]
        its = its[~(evidence.shine | evidence.burnt)[its]]
        if len(its) >= FEWEST:
            points.append(its[np.linspace(0, len(its) - 1, ASKED).astype(np.int64)])
            theirs.append(own.kind)
            clear.append(bool(found) and own.mean >= CLEAR)
    if not points:
        none = np.zeros((0, ASKED, 3))
        return Shown(none, none > 0, (), np.zeros(0, dtype=bool))
    at = np.concatenate(points)
    light = linear(evidence.paint[at]).reshape(-1, ASKED, 3)
    return Shown(light, evidence.full[at].reshape(light.shape), tuple(theirs), np.array(clear))


def cast(kinds: Kinds, evidence: Evidence, explained: Explanation) -> Cast | None:
    """The light in which most of the pieces found look as they were learned; None where they do, or
    where few are found.
    """
    seen = shown(kinds, evidence, explained)
    if len(seen.kinds) < PIECES:
        return None
    gained = of_most(kinds, seen)
    found = gained or UNCHANGED
    usual = fits(rated(kinds, seen, found), kinds.exist)
    if len(set(seen.kinds)) < COLOURS or np.mean(usual < STRANGE) < OFTEN:
        return gained
    better = improved(kinds, seen, found, float(usual.mean()))
    return better or gained


def of_most(kinds: Kinds, seen: Shown) -> Cast | None:
    """The gain that most clear pieces tell of."""
    clear = np.flatnonzero(seen.clear)
    if len(clear) < PIECES:
        return None
    theirs = dealt(rated(kinds, seen, UNCHANGED)[clear], kinds.exist)
    off = np.log((middles(seen.light[clear]) + NOTHING) / (kinds.light[theirs] + NOTHING))
    told = seen.full[clear].mean(axis=1) < BURNT
    few = told.sum(axis=0) < PIECES  # of such a channel all of them may speak, or none
    asked = told | few
    middle = [np.median(own[its]) for own, its in zip(off.T, asked.T, strict=True)]
    many = asked.sum(axis=0)
    off = np.array(middle) * many / (many + HALFWAY)
    if np.abs(off).max() < TELLING:
        return None
    return Cast(np.exp(-np.clip(off, -MOST, MOST)), np.zeros(3))


def rated(kinds: Kinds, seen: Shown, under: Cast) -> Array:
    """(pieces, K) how usual their colours are for each kind in such a light."""
    light = under.without(seen.light.reshape(-1, 3)).astype(np.float32)
    chances = likelihoods_full(kinds.tables, levels(light), seen.full.reshape(-1, 3))
    each = chances.reshape(len(seen.kinds), ASKED, -1).mean(axis=1)
    found: Array = each - kinds.usual[: each.shape[1]]
    return found


def fits(rated: Array, exist: Array) -> Array:
    """(pieces,) how usual their colours are for the kinds that they are likeliest to be of."""
    found: Array = rated[np.arange(len(rated)), dealt(rated, exist)]
    return found


def dealt(rated: Array, exist: Array) -> Array:
    """(pieces,) the kinds they are likeliest to be of, when no more are of a kind than `exist`; if
    there are more of them than of all kinds, whatever they are likeliest to be of.
    """
    rows, price = np.arange(len(rated)), np.zeros(rated.shape[1])
    if len(rated) > exist[: len(price)].sum() or len(price) < 2:
        found: Array = rated.argmax(axis=1)
        return found
    for _ in range(DEALS):
        asked = rated - price
        best = asked.argmax(axis=1)
        over = np.flatnonzero(np.bincount(best, minlength=len(price)) > exist[: len(price)])
        if not len(over):
            break
        own = asked[rows, best]
        asked[rows, best] = -np.inf
        more = own - asked.max(axis=1)  # by how much they are likelier to be of this than the next
        for kind in over:
            its = np.sort(more[best == kind])
            price[kind] += its[len(its) - int(exist[kind]) - 1] + BID
    found = (rated - np.minimum(price, DEAREST)).argmax(axis=1)
    return found


def improved(kinds: Kinds, seen: Shown, begun: Cast, before: float) -> Cast | None:
    """A light in which all of them together look better: the best step after the other; None where
    that brings little.
    """
    found, good = begun, before
    for size in STEPS:
        for _ in range(ROUNDS):
            best, most = None, good + WORTH * size
            for one in found.steps(size):
                mean = fitting(kinds, seen, one, most) if one.likely else most
                if mean > most:
                    best, most = one, mean
            if best is None:
                break
            found, good = best, most
    return found if good > before + BETTER else None


def fitting(kinds: Kinds, seen: Shown, under: Cast, least: float) -> float:
    """The mean of how they fit in such a light, or anything below if that is not over the `least`:
    they fit no better than when there are enough of all kinds.
    """
    each = rated(kinds, seen, under)
    most = float(each.max(axis=1).mean())
    if most <= least:
        return most
    return float(fits(each, kinds.exist).mean())


def without_cast(kinds: Kinds, evidence: Evidence, light: Cast) -> Evidence:
    """What the points speak for when pieces stand in such light."""
    paint = levels(light.without(linear(evidence.paint)).astype(np.float32))
    chances, nothing, same = evidence.chances.copy(), evidence.nothing.copy(), evidence.same
    chances[:, : kinds.tables.shape[1]] = likelihoods_full(kinds.tables, paint, evidence.full)
    nothing[same] = np.maximum(nothing[same], chances[same].max(axis=1))
    return replace(evidence, chances=chances, nothing=nothing)
