"""Which pieces, together, explain the picture best: the clearest first, the hidden ones by it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from calibration.view import Array
from vision.batches import Batch
from vision.sites import Site

LEAST = 2.0  # points a piece must cover to be thought of
CLIP = 5.0  # what one point may say for or against, in log odds
TELLING, LEAST_TOLD = 2.0, 0.2  # log odds from which a point counts fully; what it counts at least
STANDS = 0.0  # mean log odds a point from which something stands there
STANDS_ON_TILE = (
    0.8  # the same on a tile, of all it covers: tiles and the gaps beside them are dark
)
WORTH = -1.0  # mean log odds a point from which a piece's place is looked for more finely
WORTH_ON_TILE = 0.0  # the same on a tile
HIDDEN = 0.22  # the part of a piece that must show
TWO_APART = 0.78  # diameters between two pieces in one square
VAIN = -2.0  # mean log odds a point below which nobody looks twice


class Standing(NamedTuple):  # many are made for every picture, most of them in vain
    """A piece found: class, stance, mean log odds a point against nothing and the next class."""

    kind: int
    stance: int  # among solids * stances
    total: float
    mean: float
    rival: float


@dataclass(frozen=True)
class Verdict:
    """What one cell shows: pieces, the best thing not claimed, and how much of it can be seen."""

    pieces: tuple[Standing, ...]
    next_mean: float  # mean log odds of the best piece not claimed; negative is good
    shown: float


def told(evidence: Array, cover: Array, trust: Array) -> Array:
    """For each of some sites (sites, points), or for one, how many of the covered points say
    anything.
    """
    counts = np.minimum(LEAST_TOLD + (1 - LEAST_TOLD) / TELLING * np.abs(evidence), 1.0)
    telling: Array = (counts * cover * trust).sum(axis=-1)
    return telling


def odds(barred: Array) -> Array:
    """Log odds to add: 0, or endlessly unlikely for what is barred."""
    return np.where(barred, np.float32(-np.inf), np.float32(0.0))


class Scores(NamedTuple):
    """The best piece for one site as things stand."""

    best: Standing
    shown: float


def finer(site: Site, found: Scores) -> bool:
    """Whether a site's pieces are looked for more finely than at first."""
    worth = WORTH_ON_TILE if site.cell.kind == "tile" else WORTH
    return len(site.coarse) < len(site.stances) and found.best.mean > worth


class Explanation:
    """The state of one picture's explanation; made anew for each picture."""

    def __init__(
        self,
        sites: tuple[Site, ...],
        ready: tuple[Batch, ...],
        kinds: Array,  # (P, K) log densities
        background: Array,  # (P,)
        allowed: Array,  # (solids, K) which kind is which solid
        diameters: Array,  # (K,)
        flat_kinds: Array,  # (K,) true for what is no piece
        trust: Array,  # (P,) 0 to 1: how well the background is known
        masses: tuple[Array, ...],  # each site's covers weighed by trust
        barred: Array,  # (sites, K) true for kinds that cannot be there
    ) -> None:
        self.sites, self.kinds, self.background = sites, kinds, background
        self.trust, self.masses = trust, masses
        self.barred = odds(barred)  # (sites, K) so
        self.trusted = np.append(trust, 0.0).astype(np.float32)
        self.diameters = diameters
        self.now = background.copy()
        self.owner_away = np.full(len(background), np.inf)
        self.solids = allowed.shape[0]
        self.wrongs: dict[int, Array] = {}
        self.solid_kinds = ~np.asarray(flat_kinds)
        self.upright = odds(~self.solid_kinds)  # (K,) what is no piece is no other piece's rival
        self.allowed = np.asarray(allowed, dtype=bool)
        self.on_tiles = np.array([site.cell.kind == "tile" for site in sites])
        self.least = np.where(self.on_tiles, STANDS_ON_TILE, STANDS)
        self.crowds = np.array([site.most > 1 for site in sites])
        self.spare = np.full(len(sites), -np.inf)  # mean log odds of a second piece, at first
        self.found: list[list[Standing]] = [[] for _ in sites]
        self.scores: list[Scores] = [Scores(Standing(0, 0, 0, 0, 0), 1.0)] * len(sites)
        evidence = np.clip(kinds - background[:, None], -CLIP, CLIP) * trust[:, None]
        evidence = evidence.astype(np.float32)
        evidence = np.vstack([evidence, np.zeros((1, kinds.shape[1]), dtype=np.float32)])
        for batch in ready:
            weighed = batch.weigh(evidence)
            rated, stance, kind = self.best(batch, weighed)
            rows = np.arange(len(batch.numbers))
            cover = batch.cover[rows, np.minimum(stance, batch.cover.shape[1] - 1)]
            telling = told(evidence[batch.points, kind[:, None]], cover, self.trusted[batch.points])
            chosen = self.rate(batch, weighed, rated, stance, kind, telling)
            for n, score in zip(batch.numbers, chosen, strict=True):
                self.scores[n] = score
                if finer(sites[n], score):
                    self.scores[n] = self.beside(n, score, self.seen(n), None)

    def best(self, batch: Batch, weighed: Array) -> tuple[Array, Array, Array]:
        """(sites, solids * stances, kinds) with what cannot be made endlessly unlikely, and for
        each site the best stance and the best kind.
        """
        rated = weighed + self.wrong(weighed.shape[1] // self.solids)
        rated[batch.mass < LEAST] = -np.inf
        rated += self.barred[batch.numbers][:, None]
        best = rated.reshape(len(rated), -1).argmax(axis=1)
        stance, kind = np.divmod(best, weighed.shape[2])
        return rated, stance, kind

    def elsewhere(self, batch: Batch, stance: Array, kind: Array) -> Array:
        """(sites, solids * stances): true for stances that leave room for a second piece beside the
        best one. What is seen there is no rival of it.
        """
        spots = batch.spots
        at = spots[np.arange(len(spots)), stance % spots.shape[1]]
        apart = np.hypot(*(spots - at[:, None]).transpose(2, 0, 1))
        crowds = self.crowds[batch.numbers][:, None]
        room = (apart > TWO_APART * self.diameters[kind][:, None]) & crowds
        return np.tile(room, (1, self.solids))

    def rate(
        self,
        batch: Batch,
        weighed: Array,
        rated: Array,
        stance: Array,
        kind: Array,
        telling: Array,
    ) -> list[Scores]:
        """How good the best ones among the stances tried first are, over as many points as are
        `telling`; `rated` is used up.
        """
        numbers, mass = batch.numbers, batch.mass
        rows = np.arange(len(numbers))
        total, weight = rated[rows, stance, kind], np.maximum(mass[rows, stance], 1e-6)
        if self.crowds[numbers].any():
            room = self.elsewhere(batch, stance, kind)
            means = np.where(room, rated.max(axis=2) / np.maximum(mass, 1e-6), -np.inf)
            self.spare[numbers] = means.max(axis=1)
            rated[room] = -np.inf
        rivals = rated.max(axis=1)
        rivals[rows, kind] = -np.inf
        same = weighed[rows, stance] + self.upright + self.barred[numbers]
        same[rows, kind] = -np.inf
        second = np.maximum(rivals.max(axis=1), same.max(axis=1))
        telling = np.where(self.on_tiles[numbers], weight, telling)
        return [
            self.scored(n, self.sites[n].row(own, int(s)), *found)
            for n, own, s, *found in zip(
                numbers, batch.tried, stance, kind.tolist(), total.tolist(), second.tolist(),
                weight.tolist(), telling.tolist(), strict=True,
            )
        ]  # fmt: skip

    def scored(
        self,
        n: int,
        stance: int,
        kind: int,
        total: float,
        second: float,
        weight: float,
        telling: float,
    ) -> Scores:
        """How good a piece is for a site, by its sum of log odds and that of the `second` best."""
        if total == -math.inf:
            return Scores(Standing(kind, stance, total, -CLIP, 0.0), 0.0)
        mean, rival = total / max(telling, 1e-6), min((total - second) / weight, CLIP)
        shown = weight / (float(self.masses[n][stance]) + 1e-6)
        return Scores(Standing(kind, stance, total, mean, rival), shown)

    def score(self, n: int) -> None:
        """Weigh one site again, with what stands around it (and in it) explained."""
        site, seen, taken = self.sites[n], self.seen(n), self.taken(n)
        cover = site.cover if len(site.coarse) == len(site.stances) else site.first_cover
        found = self.choose(n, site.coarse, cover, seen, taken)
        self.scores[n] = self.beside(n, found, seen, taken)

    def seen(self, n: int) -> Array:
        """(N, K + 1) what the points of a site speak for, each as far as it counts; and how far
        that is.
        """
        points, nearest = self.sites[n].points, self.sites[n].away.min()
        counts = (self.owner_away[points] > nearest + 1e-6) * self.trust[points]
        seen = np.empty((len(points), self.kinds.shape[1] + 1), dtype=np.float32)
        own = self.kinds[points] - self.now[points][:, None]
        np.clip(own, -CLIP, CLIP, out=own)
        np.multiply(own, counts[:, None], out=seen[:, :-1])
        seen[:, -1] = counts
        return seen

    def beside(self, n: int, found: Scores, seen: Array, taken: Array | None) -> Scores:
        """The same, looked for more finely where something may stand."""
        site = self.sites[n]
        if not finer(site, found):
            return found
        near = site.beside(found.best.stance % len(site.stances))
        return self.choose(n, near, site.cover[site.rows(near)], seen, taken)

    def taken(self, n: int) -> Array | None:
        """(stances,) true where what is found leaves no room; None where nothing is found."""
        site = self.sites[n]
        if not self.found[n]:
            return None
        taken = np.zeros(len(site.stances), dtype=bool)
        for standing in self.found[n]:
            at = site.spots[standing.stance % len(site.stances)]
            if not self.solid_kinds[standing.kind]:
                at = np.array([site.cell.x, site.cell.y])
            apart = np.hypot(*(site.spots - at).T)
            taken |= apart < TWO_APART * self.diameters[standing.kind]
        return taken

    def choose(
        self, n: int, tried: Array, cover: Array, seen: Array, taken: Array | None
    ) -> Scores:
        """The best piece for one site among some stances, of which `cover` is what each covers."""
        site, many, kinds = self.sites[n], len(tried), self.kinds.shape[1]
        sums = cover @ seen
        weighed, mass = sums[:, :-1], sums[:, -1]
        gone = (mass < LEAST).reshape(self.solids, many)
        if taken is not None:
            gone |= taken[tried]
        rated = weighed + self.wrong(many)
        rated += self.barred[n]
        if gone.any():
            rated[gone.ravel()] = -np.inf
        stance, kind = divmod(int(rated.argmax()), kinds)
        total, weight = float(rated[stance, kind]), max(float(mass[stance]), 1e-6)
        rivals = rated
        if self.crowds[n]:
            away = site.spots[tried] - site.spots[tried[stance % many]]
            room = np.hypot(away[:, 0], away[:, 1]) > TWO_APART * self.diameters[kind]
            rivals = rated.reshape(self.solids, many, kinds)[:, ~room]
        rivals = rivals.reshape(-1, kinds).max(axis=0)
        same = weighed[stance] + self.upright + self.barred[n]
        rivals[kind] = same[kind] = -np.inf
        telling = weight
        if not self.on_tiles[n]:
            telling = float(told(seen[:, kind], cover[stance], seen[:, -1]))
        second = float(max(rivals.max(), same.max()))
        return self.scored(n, site.row(tried, stance), kind, total, second, weight, telling)

    def tried(self, n: int, kind: int, stances: Array) -> list[Standing]:
        """A piece of a kind in each of some stances; of its rivals nobody asks."""
        site, seen = self.sites[n], self.seen(n)
        solid = int(self.allowed[:, kind].argmax())
        rows = solid * len(site.stances) + stances
        sums = site.cover[rows] @ seen[:, [kind, -1]]
        telling = told(seen[:, kind], site.cover[rows], seen[:, -1])
        means = sums[:, 0] / np.maximum(telling, LEAST)
        return [
            Standing(kind, int(row), float(total), float(mean), CLIP)
            for row, total, mean in zip(rows, sums[:, 0], means, strict=True)
        ]

    def wrong(self, many: int) -> Array:
        """(solids * stances, K), of so `many` stances: log odds of 0, or endlessly unlikely for
        kinds that are no such solid.
        """
        if many not in self.wrongs:
            self.wrongs[many] = np.repeat(odds(~self.allowed), many, axis=0)
        return self.wrongs[many]

    def put(self, n: int, standing: Standing) -> Array:
        """Let a piece explain the points it covers, where nothing nearer does: those points."""
        site = self.sites[n]
        away = site.away[standing.stance % len(site.stances)]
        inside = site.points[site.cover[standing.stance] > 0.5]
        mine: Array = inside[self.owner_away[inside] > away]
        self.now[mine] = self.kinds[mine, standing.kind]
        self.owner_away[mine] = away
        return mine

    def rebuild(self, n: int) -> None:
        """Take away what is explained around one site and put the others' pieces back."""
        points = self.sites[n].points
        self.now[points] = self.background[points]
        self.owner_away[points] = np.inf
        for other in self.sites[n].near:
            for standing in self.found[other]:
                self.put(other, standing)

    def room(self, n: int) -> bool:
        """Whether one more piece might stand in a site beside what was found there."""
        found = len(self.found[n])
        return not found or (found < self.sites[n].most and bool(self.spare[n] > VAIN))

    def may_hold_more(self, n: int) -> bool:
        """Whether there is room for one more piece in a site, whatever is seen of it."""
        taken, site = self.taken(n), self.sites[n]
        full = taken is not None and bool(taken[site.coarse].all())
        return len(self.found[n]) < site.most and not full

    def vain(self, n: int) -> bool:
        """Whether no kind can be in a site."""
        return not self.found[n] and self.scores[n].best.total == -math.inf

    def thinkable(self, n: int) -> bool:
        """Whether the best piece for a site is one more than was found, and not quite in vain."""
        return self.room(n) and self.scores[n].best.mean > VAIN

    def stands(self, n: int) -> bool:
        score = self.scores[n]
        return self.room(n) and score.best.mean > self.least[n] and score.shown > HIDDEN

    def pursue(self) -> None:
        """Claim the clearest piece, explain its pixels; weigh a neighbour again when its turn
        comes; and so on.
        """
        waiting = {n for n in range(len(self.sites)) if self.stands(n)}
        stale: set[int] = set()  # sites of which something was explained since they were weighed
        later: set[int] = set()  # those in which a piece had been found before
        limit = 12 * len(self.sites)
        while (waiting or stale) and limit:
            limit -= 1
            if waiting:
                n = max(waiting, key=lambda m: (self.scores[m].best.total, -m))
            else:
                n = min(stale)
            if n in stale:
                stale.discard(n)
                self.score(n)
                (waiting.add if self.stands(n) else waiting.discard)(n)
                continue
            standing = self.scores[n].best
            self.found[n].append(standing)
            changed = np.zeros(len(self.now), dtype=bool)
            changed[self.put(n, standing)] = True
            waiting.discard(n)
            for m in self.sites[n].near:
                if changed[self.sites[m].points].any():
                    if self.found[m]:
                        later.add(m)
                    if self.room(m):
                        stale.add(m)
            if self.room(n):
                stale.add(n)
                waiting.add(n)
        self.review(later)

    def ask_again(self, n: int, barred: Array) -> None:
        """Explain one site anew, with some kinds (K,) ruled out."""
        self.barred[n, barred] = -np.inf
        self.spare[n] = np.inf
        self.found[n] = []
        self.rebuild(n)
        self.score(n)
        while self.stands(n):
            self.accept(n)
            if not self.room(n):
                break
            self.score(n)

    def lessen(self, points: Array, background: Array, share: float) -> None:
        """Let some points (P,) speak for nothing; ask again where they made more than a share of a
        piece, be it found or only thought of.
        """
        self.background = background
        free = points & self.bare
        self.now[free] = background[free]
        for n, site in enumerate(self.sites):
            its = points[site.points]
            if not its.any():
                continue
            if any(self.made_of(site, standing, its) > share for standing in self.found[n]):
                self.ask_again(n, np.zeros(self.kinds.shape[1], dtype=bool))
            elif self.made_of(site, self.scores[n].best, its) > share:
                self.score(n)

    def made_of(self, site: Site, standing: Standing, its: Array) -> float:
        """The part of what a piece covers that is of some of its site's points."""
        cover = site.cover[standing.stance]
        return float(cover @ its) / float(site.mass[standing.stance])

    def accept(self, n: int, standing: Standing | None = None) -> None:
        """Let the best piece for a site stand there, or one that somebody else found."""
        self.found[n].append(standing or self.scores[n].best)
        self.put(n, self.found[n][-1])

    def keep(self, n: int, pieces: list[Standing]) -> None:
        """Let only these of the pieces found on a site stand there."""
        self.found[n] = pieces
        self.rebuild(n)
        for standing in pieces:
            self.put(n, standing)

    def review(self, later: set[int]) -> None:
        """Ask each cell once more around which something was explained `later` than in it."""
        for n in sorted(later):
            site = self.sites[n]
            if site.most > 1:
                continue
            before = self.found[n][0]
            self.found[n] = []
            self.rebuild(n)
            self.score(n)
            if self.stands(n):
                self.found[n] = [self.scores[n].best]
                self.put(n, self.scores[n].best)
            if not self.found[n] or self.found[n][0].kind != before.kind:
                for m in site.near:
                    if not self.found[m]:
                        self.score(m)

    @property
    def bare(self) -> Array:
        """(P,) true where no piece found hides a point."""
        bare: Array = self.owner_away == np.inf
        return bare

    def foremost(self, n: int) -> Standing:
        """The first piece found in a cell, or else the likeliest one."""
        return self.found[n][0] if self.found[n] else self.scores[n].best

    def verdict(self, n: int) -> Verdict:
        score = self.scores[n]
        full = self.found[n] and self.sites[n].most == 1
        return Verdict(tuple(self.found[n]), -CLIP if full else score.best.mean, score.shown)
