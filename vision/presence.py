"""Whether a hole holds a piece: one log odds of all that its dots and its points together tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.view import Array
from vision.aspect import (
    COMPARED,
    MARKS,
    MARKS_ON_FIELDS,
    MARKS_ON_TILES,
    beside_others,
    look,
    of_most,
)
from vision.colour import opponent, tint
from vision.dots import DOTS, Where
from vision.evidence import UNEVEN, Evidence
from vision.explain import CLIP, Explanation, Standing
from vision.light import levels
from vision.likeness import likeness
from vision.net import read_net
from vision.outlook import Learned, Outlook

LEAST = 4.0  # points of a part below which it says nothing
TEN = 10.0  # points of one log odds each that count as one sign
FAR, THIRD = 10.0, 3.0  # what one sign may be at most; its size against the others
VERY = 0.8  # likeness from which hardly anything can have come between
SIGNS = ("mean", "total", "inner", "outer", "odd", "odd in shine", "alike", "fit", "shine",
         "same", "very alike")  # fmt: skip
MOST_UNEVEN = 2.5  # times as far from what is expected as a calm picture: more is not told
NONE = np.zeros((0, DOTS, MARKS), dtype=np.float32)
MOSTLY = 0.6  # of what one stance hides at most of what is not as it was
AKIN = 2.0  # log odds that the net misses of a piece on a field of its own colour
FAREST = 1.5  # how far colours are from each other at most
NO_LIGHT = -8.0  # log odds where what comes nearest to a piece is a light that does not burn, or
# nothing is thought of: so clear that nobody doubts that a place is empty


HOLES, DISHES, FIELDS, TILES = (
    read_net(f"{name}.npz") for name in ("holes", "dishes", "fields", "tiles")
)


@dataclass(frozen=True)
class Presence:
    """The log odds of what stands or might stand."""

    holes: Array  # (sites,) for a piece in each hole, 0 where there is none
    others: Mapping[int, tuple[Array, float]]  # by site: for each piece found, and for one more
    told: Array  # (holes, DOTS, MARKS) what every dot told
    usual: Array  # (COMPARED, DOTS) what it told of most holes

    def surer(self, n: int, which: int | None, least: float) -> Presence:
        """The same, but for one hole, or for one of the pieces found on a square, from somebody who
        knows more.
        """
        if n in self.others:
            odds, more = self.others[n]
            raised = [max(own, least) if m == which else own for m, own in enumerate(odds)]
            return replace(self, others={**self.others, n: (np.array(raised), more)})
        holes = self.holes.copy()
        holes[n] = max(float(holes[n]), least)
        return replace(self, holes=holes)

    def holding(self, n: int, odds: Array, more: float = NO_LIGHT) -> Presence:
        """The same, but for a square on which other pieces were found."""
        return replace(self, others={**self.others, n: (odds, more)})


def presence(
    learned: Learned,
    outlook: Outlook,
    evidence: Evidence,
    explained: Explanation,
    before: Presence | None = None,
    again: Sequence[int] = (),
) -> Presence:
    """Of all sites; or, where one has looked `before`, of some that are asked `again`."""
    places, flat = outlook.dots, learned.kinds.flat
    odds = np.zeros(len(explained.sites)) if before is None else before.holes.copy()
    asked = places.holes if before is None else [n for n in again if n in places.row]
    told, usual = (NONE, None) if before is None else (before.told, before.usual)
    if asked:
        told, usual, seen, hints_of = hints(
            learned, outlook, evidence, explained, asked, told, usual
        )
        dished = outlook.dished[asked]
        for net, its in ((HOLES, ~dished), (DISHES, dished)):
            if its.any():
                odds[np.array(asked)[its]] = net.odds(seen[its], hints_of[its])
        odds[[n for n in asked if flat[explained.foremost(n).kind]]] = NO_LIGHT
    usual = np.zeros((len(COMPARED), DOTS)) if usual is None else usual
    if before is None:
        return Presence(odds, elsewhere(learned, outlook, evidence, explained), told, usual)
    kept = {n: own for n, own in before.others.items() if n not in again}
    others = elsewhere(learned, outlook, evidence, explained, again)
    return Presence(odds, kept | others, told, usual)


def elsewhere(
    learned: Learned,
    outlook: Outlook,
    evidence: Evidence,
    explained: Explanation,
    asked: Sequence[int] | None = None,
) -> dict[int, tuple[Array, float]]:
    """Of sites that are no holes, all or those `asked`: the log odds of the pieces found, and of
    one more.
    """
    others = [n for n in outlook.others if asked is None or n in asked]
    where, own = candidates(learned, explained, others)
    found: dict[int, tuple[Array, float]] = {n: (np.zeros(0), NO_LIGHT) for n in others}
    if where:
        net = TILES if outlook.tiled.any() else FIELDS
        odds = net.odds(*hints_elsewhere(learned, outlook, evidence, explained, where, own))
        odds += disguise(outlook, explained, where, own)
        sites = np.array([n for n, _ in where])
        for n in dict.fromkeys(sites.tolist()):
            its = sites == n
            more = odds[its & ~own]
            found[n] = odds[its & own], float(more[0]) if len(more) else NO_LIGHT
    return found


def likeliest(
    learned: Learned,
    outlook: Outlook,
    evidence: Evidence,
    explained: Explanation,
    asked: Sequence[tuple[int, int]],
) -> list[tuple[float, Standing]]:
    """The log odds of one more piece on a square, and where, for each of some squares and kinds:
    stances that hide most of what is not as it was are asked for all that their dots tell, whatever
    colours make of it.
    """
    odd = evidence.altered & explained.bare
    first = [hiding(explained, n, odd) for n, _ in asked]
    found = among(learned, outlook, evidence, explained, asked, first)
    # where a piece is likeliest it is looked for more finely
    finer = [beside(explained, n, s) for (n, _), (_, s) in zip(asked, found, strict=True)]
    return among(learned, outlook, evidence, explained, asked, finer)


def among(
    learned: Learned,
    outlook: Outlook,
    evidence: Evidence,
    explained: Explanation,
    asked: Sequence[tuple[int, int]],
    stances: Sequence[Array],
) -> list[tuple[float, Standing]]:
    """The likeliest of some stances of each of some squares and kinds, and its log odds."""
    net = TILES if outlook.tiled.any() else FIELDS
    tried = [explained.tried(n, kind, own) for (n, kind), own in zip(asked, stances, strict=True)]
    where = [(n, s) for (n, _), own in zip(asked, tried, strict=True) for s in own]
    none = np.zeros(len(where), dtype=bool)
    odds = net.odds(*hints_elsewhere(learned, outlook, evidence, explained, where, none))
    odds += disguise(outlook, explained, where, none)
    ends = np.cumsum([len(own) for own in tried])
    return [
        max(zip(own.tolist(), standing, strict=True), key=lambda one: one[0])
        for own, standing in zip(np.split(odds, ends[:-1]), tried, strict=True)
    ]


def disguise(outlook: Outlook, explained: Explanation, where: Where, own: Array) -> Array:
    """What is added to the log odds of pieces on fields of their own colour, for little speaks for
    them; not to those of one more beside one that was found (`own` are those).
    """
    akin = outlook.akin[[n for n, _ in where], [standing.kind for _, standing in where]]
    for row in np.flatnonzero(akin & ~own).tolist():
        n, standing = where[row]
        akin[row] = all(found.kind != standing.kind for found in explained.found[n])
    return np.where(akin, np.float32(AKIN), np.float32(0.0))


def hiding(explained: Explanation, n: int, altered: Array) -> Array:
    """The stances on a square that would hide most of what is not as it was."""
    site = explained.sites[n]
    hides = site.first_cover @ altered[site.points].astype(np.float32)
    hides = hides[: len(site.coarse)] / site.mass[site.first[: len(site.coarse)]]
    taken = explained.taken(n)
    if taken is not None and not taken[site.coarse].all():
        hides[taken[site.coarse]] = -1.0
    found: Array = site.coarse[hides >= MOSTLY * hides.max()]
    return found


def beside(explained: Explanation, n: int, standing: Standing) -> Array:
    """A stance on a square and those next to it where there is room."""
    site, taken = explained.sites[n], explained.taken(n)
    near = site.beside(standing.stance % len(site.stances))
    return near if taken is None or taken[near].all() else near[~taken[near]]


def candidates(
    learned: Learned, explained: Explanation, others: Sequence[int]
) -> tuple[list[tuple[int, Standing]], Array]:
    """What stands or might stand on sites that are no holes, and which of it was found."""
    flat = learned.kinds.flat
    where, own = [], []
    for n in others:
        standing = [s for s in explained.found[n] if not flat[s.kind]]
        where += [(n, s) for s in standing]
        own += [True] * len(standing)
        best = explained.scores[n].best
        if explained.thinkable(n) and not flat[best.kind]:
            where.append((n, best))
            own.append(False)
    return where, np.array(own, dtype=bool)


def hints_elsewhere(
    learned: Learned,
    outlook: Outlook,
    evidence: Evidence,
    explained: Explanation,
    where: Where,
    own: Array,
) -> tuple[Array, Array]:
    """What the dots of such pieces tell, and signs besides."""
    tiled = bool(outlook.tiled.any())
    many = MARKS_ON_TILES if tiled else MARKS_ON_FIELDS
    seen = look(outlook.dots, evidence, learned.kinds.usual, explained, where, many)
    tile = [explained.sites[n].cell.kind == "tile" for n, _ in where]
    plain = besides(learned, outlook, explained, where)
    uneven = np.minimum(evidence.uneven[[n for n, _ in where]] / UNEVEN, MOST_UNEVEN)
    signs = np.column_stack([plain, own, tile, uneven])
    if not tiled:
        signs = np.column_stack([signs, set_apart(learned, outlook, evidence, where)])
    return seen, signs.astype(np.float32)


def set_apart(learned: Learned, outlook: Outlook, evidence: Evidence, where: Where) -> Array:
    """How far the colours of such pieces are from those of the fields on which they stand."""
    rows = np.searchsorted(outlook.field_sites, [n for n, _ in where])
    its = tint(evidence.border[outlook.fields[rows, 0]])
    theirs = tint(opponent(levels(learned.kinds.light.astype(np.float32))))
    own = theirs[[standing.kind for _, standing in where]]
    found: Array = np.minimum(np.hypot(*(own - its).T), FAREST)
    return found


def hints(
    learned: Learned,
    outlook: Outlook,
    evidence: Evidence,
    explained: Explanation,
    asked: Sequence[int],
    before: Array,
    usual: Array | None = None,
) -> tuple[Array, Array, Array, Array]:
    """What the dots of every hole tell, and of most of them (`before` and `usual`: the same of when
    one looked last, or nothing); of the best piece at each hole that is `asked`: that and how it
    differs from others, and all signs besides.
    """
    places = outlook.dots
    where = [(n, explained.foremost(n)) for n in asked]
    rows = np.array([places.row[n] for n in asked])
    own = look(places, evidence, learned.kinds.usual, explained, where)
    told = before.copy() if len(before) else np.zeros((len(places.holes), DOTS, MARKS), np.float32)
    told[rows] = own
    most = of_most(told) if usual is None else usual
    seen = np.concatenate([own, beside_others(told, most, places.beside, rows)], axis=2)
    every = np.clip(signs(learned, outlook, evidence, explained, asked), -FAR, FAR)
    plain = besides(learned, outlook, explained, where)
    return told, most, seen, np.concatenate([plain, every / THIRD], axis=1).astype(np.float32)


def besides(learned: Learned, outlook: Outlook, explained: Explanation, where: Where) -> Array:
    """Sizes in this view, colour and shape of the kind, and how it was found."""
    kinds, sites = learned.kinds, explained.sites
    numbers = np.array([n for n, _ in where], dtype=np.int64)
    wide = np.array([solid.diameter for solid in kinds.solids])
    high = np.array([solid.height for solid in kinds.solids])
    solid = np.array([s.stance // len(sites[n].stances) for n, s in where], dtype=np.int64)
    reach = np.array([sites[n].cell.reach for n, _ in where])
    how = np.array([(s.kind, s.mean, s.rival, s.total) for _, s in where]).reshape(-1, 4)
    across, tall = wide[solid], high[solid]
    found = np.stack(
        [
            outlook.scales[numbers] * across / 20.0,
            outlook.lows[numbers],
            kinds.lightness[how[:, 0].astype(np.int64)] / 128.0,
            2.0 * reach / np.maximum(across, 1.0),
            outlook.guessed[numbers],
            tall / np.maximum(across, 1.0) / 2.0,
            how[:, 1],
            how[:, 2],
            how[:, 3] / 30.0,
            np.array([explained.scores[n].shown for n, _ in where]),
        ],
        axis=1,
    )
    plain: Array = np.clip(found, -5.0, 5.0)
    return plain


def signs(
    learned: Learned,
    outlook: Outlook,
    evidence: Evidence,
    explained: Explanation,
    asked: Sequence[int],
) -> Array:
    """(asked, SIGNS) of the best piece at each of some holes.

    How it does against emptiness: over all its points, within the hole and beyond; how unlike its
    neighbours' the hole's inside is; how alike the pattern of light is to the empty look's; how
    usual the piece's colours are; how much shines, and how much is just as expected.
    """
    usual, points_of_all = learned.kinds.usual, len(outlook.flat)
    found = np.zeros((len(explained.sites), len(SIGNS)))
    wanted = frozenset(asked)
    free_of_all = np.append(explained.bare, False)
    trust = np.append(explained.trust, 0.0)
    kinds, none = evidence.every, np.float32(0.0)
    nothing, odd = np.append(evidence.nothing, none), np.append(evidence.strange, none)
    within, shiny = np.append(outlook.inside, False), np.append(evidence.shine, False)
    unchanged = np.append(evidence.same, False)
    one, other = np.append(evidence.marks[:, 0], none), np.append(outlook.relief[:, 0], none)
    for batch in outlook.batches:
        chosen = [row for row, n in enumerate(batch.numbers) if n in wanted]
        if not chosen:
            continue
        numbers, points = [batch.numbers[row] for row in chosen], batch.points[chosen]
        own = [explained.foremost(n) for n in numbers]
        kind = np.array([standing.kind for standing in own])
        stance = np.minimum([standing.stance for standing in own], batch.cover.shape[1] - 1)
        cover = batch.cover[chosen, stance]
        claimed = np.array([bool(explained.found[n]) for n in numbers])
        free = free_of_all[points] | (claimed[:, None] & (cover > 0.5))
        weight = cover * free * trust[points]
        fits = kinds[points, kind[:, None]]
        odds = np.clip(fits - nothing[points], -CLIP, CLIP)
        hole = within[points] & free
        shine = mean(shiny[points], points < points_of_all)
        match = likeness(one[points], other[points], free).match
        oddness = mean(odd[points], hole)
        found[numbers] = np.column_stack(
            [
                mean(odds, weight),
                (odds * weight).sum(axis=1) / TEN,
                mean(odds, weight * within[points]),
                mean(odds, weight * ~within[points]),
                oddness * (1.0 - shine),
                oddness * shine,
                match,
                mean(fits, weight) - usual[kind],
                shine,
                mean(unchanged[points], weight),
                np.maximum(match - VERY, 0.0) / (1.0 - VERY),
            ]
        )
    return found[list(asked)]


def mean(values: Array, weight: Array) -> Array:
    """Of each row; 0 where next to nothing counts."""
    whole = weight.sum(axis=1)
    sums = (values * weight).sum(axis=1)
    found: Array = np.where(whole >= LEAST, sums / np.maximum(whole, 1e-6), 0.0)
    return found
