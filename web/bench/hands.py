"""A legal play as hands carry it out: in any order, several pieces in them, stops on the way."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Literal, NamedTuple

from referee.plays import CAMP, Part, Play
from web.bench.pretended import Wood

EARLY = 0.35  # of the plays have a piece lifted before it is needed


class Act(NamedTuple):
    """One movement of a hand; what is taken goes to its camp, or stays in the hand for now."""

    what: Literal["lift", "take", "hold", "put"]
    piece: str
    cell: str


def acts(play: Play, wood: Wood, rng: random.Random) -> list[Act]:
    """The movements of a play, as somebody might happen to make them."""
    plain = [act for part in play.parts for act in of_part(part, rng)]
    put = {act[1:] for act in plain if act.what == "put"}  # a stop is lifted from in its turn
    lifts = [n for n, act in enumerate(plain) if act.what == "lift" and n and act[1:] not in put]
    if lifts and rng.random() < EARLY:
        later = rng.choice(lifts)
        sooner = [*plain[:later], *plain[later + 1 :]]
        sooner.insert(rng.randrange(later), plain[later])
        if possible(sooner, wood):
            return sooner
    return plain if possible(plain, wood) else []


def of_part(part: Part, rng: random.Random) -> Iterator[Act]:
    here, there = part.path[0], part.path[-1]
    if part.swap:
        both = [(part.piece, here, there), (part.swap, there, here)]
        for piece, cell, _ in rng.sample(both, 2):
            yield Act("lift", piece, cell)
        for piece, _, cell in rng.sample(both, 2):
            yield Act("put", piece, cell)
        return
    away: list[Literal["take", "hold"]] = ["take", "take", "hold"]
    takes = [Act(rng.choice(away), *taken) for taken in part.takes]
    rng.shuffle(takes)
    before, between = sorted(rng.randint(0, len(takes)) for _ in range(2))
    yield from takes[:before]
    yield Act("lift", part.piece, here)
    yield from takes[before:between]
    for stop in part.path[1:-1]:
        if rng.random() < 0.4:
            yield Act("put", part.piece, stop)
            yield Act("lift", part.piece, stop)
    yield Act("put", part.piece, there)
    yield from takes[between:]


def possible(planned: list[Act], wood: Wood) -> bool:
    """Whether every piece is there when a hand reaches for it."""
    tried = Wood(wood.setup)
    tried.stand(wood.sight)
    return all(done(tried, act) for act in planned)


def done(wood: Wood, act: Act) -> bool:
    """One movement on the wood; False where no such piece stands, or none is in the hand."""
    standing = act.piece, act.cell
    if act.what == "put":
        if wood.held[act.piece] < 1:
            return False
        wood.held[act.piece] -= 1
        wood.sight[standing] += 1
        return True
    if act.cell == CAMP:
        wood.held[act.piece] += 1
        return True
    if wood.sight[standing] < 1:
        return False
    wood.sight[standing] -= 1
    wood.sight = +wood.sight
    if act.what != "take":
        wood.held[act.piece] += 1
    return True
