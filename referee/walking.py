"""Pawns in the middle of a play, as bits: what a walk hits, what it leaves, how it is told."""

from __future__ import annotations

from typing import NamedTuple

from referee import cards
from referee.plays import CAMP, Part, Play, Refusal, Standing, refuse
from referee.track import BRANCH, Pawns, Track, bits


class Landing(NamedTuple):
    """One way a walk may end."""

    bit: int
    path: tuple[int, ...]
    hits: int = 0
    crosses: bool = False
    broken: tuple[Refusal, ...] = ()


Step = tuple[int, int, Landing]  # a seat's pawn, from its cell


class Walking:
    """The board as it stands, and what becomes of it. Knows no rule, only what pawns do."""

    track: Track
    names: tuple[str, ...]
    before: Pawns
    masks: tuple[int, ...]
    fresh: int
    shielded: int

    def play(self, card: str, seat: int, cell: int, bit: int, landing: Landing) -> Play:
        part = self.part(seat, cell, landing)
        return Play(
            card,
            (None, (part,)),
            Pawns(*self.after(seat, bit, landing)),
            tuple([piece for piece, _ in part.takes]),
            card in cards.JOKERS,
            landing.crosses,
            0,
            landing.broken,
        )

    def after(self, seat: int, bit: int, landing: Landing) -> tuple[tuple[int, ...], int]:
        """The board once a pawn has left one cell for another, and what it hit is gone."""
        masks, hits = self.masks, landing.hits
        if hits:
            masks = tuple([mask & ~hits for mask in masks])
        own = masks[seat] & ~bit | landing.bit
        return (*masks[:seat], own, *masks[seat + 1 :]), self.fresh & ~(bit | hits)

    def entry(self, card: str, seat: int, hits: int, broken: tuple[Refusal, ...]) -> Play:
        """A pawn put onto its start, fresh."""
        start, name = self.track.starts[seat], self.names[seat * BRANCH]
        masks = tuple([mask & ~hits for mask in self.masks])
        takes = self.standing(hits)
        own = masks[seat] | start
        return Play(
            card,
            (None, (Part(name[0], (CAMP, name), takes),)),
            Pawns((*masks[:seat], own, *masks[seat + 1 :]), self.fresh & ~hits | start),
            tuple([piece for piece, _ in takes]),
            card in cards.JOKERS,
            broken=broken,
        )

    def swap(
        self, card: str, one: tuple[int, int], two: tuple[int, int], broken: tuple[Refusal, ...]
    ) -> Play:
        """Two seats' pawns, each by its cell, change places."""
        (seat, cell), (other, cell2) = one, two
        both = 1 << cell | 1 << cell2
        masks = list(self.masks)
        if seat != other:
            masks[seat] ^= both
            masks[other] ^= both
        path = (self.names[cell], self.names[cell2])
        part = Part(self.letter(seat), path, (), self.letter(other))
        return Play(card, (None, (part,)), Pawns(tuple(masks), self.fresh & ~both), broken=broken)

    def part(self, seat: int, cell: int, landing: Landing) -> Part:
        names, hits = self.names, landing.hits
        path = (names[cell], *[names[to] for to in landing.path])
        return Part(names[seat * BRANCH][0], path, self.standing(hits) if hits else ())

    def letter(self, seat: int) -> str:
        return self.names[seat * BRANCH][0]

    def standing(self, hits: int) -> tuple[Standing, ...]:
        names = self.names
        return tuple(
            (self.letter(seat), names[cell])
            for seat, mask in enumerate(self.masks)
            if mask & hits
            for cell, _ in bits(mask & hits)
        )

    def about(self, rule: str, cells: int, seat: int | None = None) -> tuple[Refusal, ...]:
        """A rule broken because of the pawns on these cells, and the shield if it was theirs."""
        broken: tuple[Refusal, ...] = ()
        houses = ~self.track.ring_mask
        for piece, cell in self.standing(cells)[:1]:
            mover = {} if seat is None else {"seat": self.letter(seat)}
            broken += (refuse(rule, **mover, by=piece, cell=cell),)
        if cells & houses:
            broken = (refuse("TOCK-HOUSE", **dict(broken[0].facts)), *broken)
        elif cells & self.shielded and rule != "TOCK-SHIELD":
            broken += self.about("TOCK-SHIELD", cells & self.shielded, seat)
        return broken
