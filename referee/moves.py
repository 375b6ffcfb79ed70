"""Every play of a Tock card from one position, by the laws of the game that is played.

Told to be tolerant, the same checks also yield the plays that break a rule, with the rule:
what explains a refusal is what decides it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from referee import cards
from referee.cross import PAWNS
from referee.plays import CAMP, Part, Play, Refusal, Standing, refuse
from referee.seven import SEVEN, State, sevens
from referee.track import BRANCH, CENTRE, Pawns, Track, Walk, bits

WALKS = {"A": 1, "Q": 12, "K": 13} | {str(n): n for n in (2, 3, 5, 6, 8, 9, 10)}
FIVE = 5
BACK = 4
JOKER_STEPS = 18


@dataclass(frozen=True)
class Laws:
    """One game's facts and options, as the moves ask for them."""

    track: Track
    names: tuple[str, ...]
    numbers: Mapping[str, int]  # of each seat's branch
    seats: tuple[int, ...]
    mates: tuple[tuple[int, ...], ...]
    rivals: tuple[tuple[int, ...], ...]  # everybody who is not in one's team
    own_blocks: bool  # tockcitan: nobody walks past or onto their own
    spares_partner: bool
    on_start: bool
    cross: str
    back_from_anywhere: bool
    many_parts: bool
    seven_partner: bool
    lends_five: bool  # the 5 is walked by an opponent's pawn
    five_moves_shielded: bool
    sweeps: bool  # the king's 13
    jumps: bool
    jumps_always: bool  # after a 5 and a 4 too
    jump_hits_both: bool
    jump_in_seven: bool
    swap: str  # who is barred: those on their "start", "other" ones on it, or the "shielded"


class Landing(NamedTuple):
    """One way a walk may end."""

    bit: int
    path: tuple[int, ...]
    hits: int = 0
    crosses: bool = False
    broken: tuple[Refusal, ...] = ()


Step = tuple[int, int, Landing]  # a seat's pawn, from its cell


class Moves:
    """The plays from one position for one player."""

    def __init__(self, laws: Laws, pawns: Pawns, player: int, tolerant: bool = False) -> None:
        self.laws = laws
        self.player = player
        self.tolerant = tolerant
        self.before = pawns
        self.stand(*pawns)
        self.movers = self.own()

    def stand(self, masks: tuple[int, ...], fresh: int) -> None:
        """Look at the board as it stands in the middle of a play."""
        self.masks, self.fresh = masks, fresh
        occupied = 0
        for mask in masks:
            occupied |= mask
        self.occupied = occupied
        self.shielded = fresh
        if self.laws.on_start:
            shielded = 0
            if occupied & self.laws.track.start_mask:
                for mask, start in zip(masks, self.laws.track.starts, strict=True):
                    shielded |= mask & start
            self.shielded = shielded

    def own(self) -> tuple[int, ...]:
        """Whose pawns the player moves: a partner's, once the own four are home."""
        mates = self.laws.mates[self.player]
        if mates and self.masks[self.player] == self.laws.track.houses[self.player]:
            return mates
        return (self.player,)

    def meets(self, seat: int) -> tuple[int, int]:
        """What a pawn of a seat can neither walk past nor land on."""
        laws, own = self.laws, self.masks[seat]
        if laws.own_blocks:
            refuses = own | self.shielded
            if laws.spares_partner:
                for mate in laws.mates[seat]:
                    refuses |= self.masks[mate]
            return own, refuses
        stops = self.shielded | own & laws.track.houses[seat]
        return stops, stops

    def of_card(self, card: str) -> Iterator[Play]:
        """Every play of a card, some of them leading to the same board."""
        rank, laws = cards.RANK[card], self.laws
        for seat in self.movers:
            if rank in cards.ENTERS:
                yield from self.entering(seat, card)
            if rank in WALKS and not (laws.lends_five and rank == "5"):
                yield from self.walking(seat, self.masks[seat], card, WALKS[rank])
            elif rank == cards.JOKER:
                yield from self.walking(seat, self.masks[seat], card, JOKER_STEPS)
            elif rank == "4":
                yield from self.backing(seat, self.masks[seat], card)
        if rank == "J":
            yield from self.swapping(card)
        elif rank == "7":
            yield from sevens(self, card)
        elif rank == "5" and laws.lends_five:
            for rival in laws.rivals[self.player]:
                yield from self.lending(rival, self.masks[rival], card)

    def walking(self, seat: int, pawns: int, card: str, steps: int) -> Iterator[Play]:
        if not pawns:
            return
        laws = self.laws
        meets, never = self.meets(seat), laws.cross == "never"
        sweep = laws.sweeps and card[0] == "K"
        track, lane = laws.track, laws.track.lane(seat)
        for cell, bit in bits(pawns):
            walks = track.fresh_walks(seat) if self.fresh & bit else lane[cell]
            for walk in walks[steps] if steps < len(walks) else track.walks(seat, cell, steps):
                for landing in self.landings(seat, walk, meets, int(laws.jumps), never, sweep):
                    yield self.play(card, seat, cell, bit, landing)

    def backing(self, seat: int, pawns: int, card: str, steps: int = BACK) -> Iterator[Play]:
        laws = self.laws
        meets, start = self.meets(seat), laws.track.starts[seat]
        jump = -1 if laws.jumps_always else 0
        for cell, bit in bits(pawns & laws.track.ring_mask):
            walk = laws.track.backward[cell] if steps == BACK else laws.track.back(cell, steps)
            barred: tuple[Refusal, ...] = ()
            if not laws.back_from_anywhere and (walk.over | bit & ~self.fresh) & start:
                if not self.tolerant:
                    continue
                barred = (refuse("TOCK-BACK", seat=self.letter(seat)),)
            for landing in self.landings(seat, walk, meets, jump, ahead=-1):
                if barred:
                    landing = landing._replace(broken=landing.broken + barred)
                yield self.play(card, seat, cell, bit, landing)

    def lending(self, seat: int, pawns: int, card: str, steps: int = FIVE) -> Iterator[Play]:
        """An opponent's pawn walks, along the ring whatever lies beside it."""
        laws = self.laws
        meets = self.meets(seat)
        for cell, bit in bits(pawns & laws.track.ring_mask):
            barred: tuple[Refusal, ...] = ()
            if bit & self.shielded and not laws.five_moves_shielded:
                if not self.tolerant:
                    continue
                barred = self.about("TOCK-FIVE", bit) + self.about("TOCK-SHIELD", bit)
            for walk in laws.track.walks(seat, cell, steps):
                if walk.to >= laws.track.ring:
                    if not self.tolerant:
                        continue
                    to = laws.names[walk.to]
                    barred += (refuse("TOCK-FIVE", seat=self.letter(seat), cell=to),)
                for landing in self.landings(seat, walk, meets, int(laws.jumps_always)):
                    landing = landing._replace(crosses=False, broken=landing.broken + barred)
                    yield self.play(card, seat, cell, bit, landing)

    def landings(
        self,
        seat: int,
        walk: Walk,
        meets: tuple[int, int],
        jump: int,
        never: bool = False,
        sweep: bool = False,
        ahead: int = 1,
    ) -> Iterator[Landing]:
        """The ends of one walk: where it leads, and from a central cell one jump further."""
        laws = self.laws
        broken: tuple[Refusal, ...] = ()
        blocked = walk.over & meets[0]
        if blocked:
            if not self.tolerant:
                return
            broken = self.about("TOCK-PASS", blocked, seat)
        crossed = never and walk.crosses
        refused = walk.bit & meets[1]
        hits = self.occupied & walk.bit
        if sweep:
            hits |= self.occupied & walk.over & laws.track.ring_mask
        if not (crossed or refused):
            yield Landing(walk.bit, (walk.to,), hits, walk.crosses, broken)
        elif self.tolerant:
            why = self.about("TOCK-LAND", refused, seat) if refused else ()
            if crossed:
                why += (refuse("TOCK-CROSS", seat=self.letter(seat), cross=laws.cross),)
            yield Landing(walk.bit, (walk.to,), hits, walk.crosses, broken + why)
        if walk.to % BRANCH != CENTRE or walk.to >= laws.track.ring:
            return
        if not jump:
            if not self.tolerant:
                return
            jump = ahead
            broken += (refuse("TOCK-CENTRE", seat=self.letter(seat)),)
        to = laws.track.jump(walk.to, jump)
        over_start = laws.track.start_jumped(walk.to, jump) == seat
        crosses = walk.crosses or (jump > 0 and over_start)
        if crosses and never:
            broken += (refuse("TOCK-CROSS", seat=self.letter(seat), cross=laws.cross),)
        if jump < 0 and over_start and not laws.back_from_anywhere:
            broken += (refuse("TOCK-BACK", seat=self.letter(seat)),)
        if broken and not self.tolerant:
            return
        if not (laws.jump_hits_both or sweep):
            hits &= ~walk.bit
        yield Landing(1 << to, (walk.to, to), hits | self.occupied & 1 << to, crosses, broken)

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

    def entering(self, seat: int, card: str) -> Iterator[Play]:
        laws = self.laws
        if self.masks[seat].bit_count() == PAWNS:
            return
        start, name = laws.track.starts[seat], laws.names[seat * BRANCH]
        barred = self.shielded & start
        if laws.own_blocks:
            barred |= self.masks[seat] & start
            if laws.spares_partner:
                for mate in laws.mates[seat]:
                    barred |= self.masks[mate] & start
        if barred and not self.tolerant:
            return
        hits = self.occupied & start
        masks = tuple([mask & ~hits for mask in self.masks])
        takes = self.standing(hits)
        yield Play(
            card,
            (None, (Part(name[0], (CAMP, name), takes),)),
            Pawns(
                (*masks[:seat], masks[seat] | start, *masks[seat + 1 :]),
                self.fresh & ~hits | start,
            ),
            tuple([piece for piece, _ in takes]),
            card in cards.JOKERS,
            broken=self.about("TOCK-ENTER", barred, seat) if barred else (),
        )

    def swapping(self, card: str) -> Iterator[Play]:
        laws, ring, starts = self.laws, self.laws.track.ring_mask, self.laws.track.starts
        for seat in self.movers:
            for other in laws.seats:
                if other == seat and laws.own_blocks:
                    continue
                if laws.swap == "shielded":
                    barred, barred_other = self.shielded, self.shielded
                else:
                    barred, barred_other = starts[seat], starts[other]
                    if laws.swap == "other" and other != seat:
                        barred = 0
                for cell, bit in bits(self.masks[seat] & ring):
                    for cell2, bit2 in bits(self.masks[other] & ring):
                        if other == seat and cell2 <= cell:
                            continue
                        on_start = bit & barred | bit2 & barred_other
                        if on_start and not self.tolerant:
                            continue
                        yield self.swap(card, (seat, cell, bit), (other, cell2, bit2), on_start)

    def swap(
        self, card: str, one: tuple[int, int, int], two: tuple[int, int, int], barred: int
    ) -> Play:
        (seat, cell, bit), (other, cell2, bit2) = one, two
        masks = list(self.masks)
        if seat != other:
            masks[seat] ^= bit | bit2
            masks[other] ^= bit | bit2
        names = self.laws.names
        part = Part(self.letter(seat), (names[cell], names[cell2]), (), self.letter(other))
        fresh = self.fresh & ~(bit | bit2)
        why = self.about("TOCK-SWAP", barred) if barred else ()
        return Play(card, (None, (part,)), Pawns(tuple(masks), fresh), broken=why)

    def parts(
        self, state: State, left: int, idle: int = 0, *, once: bool = False, whole: bool = False
    ) -> Iterator[tuple[int, State, Step]]:
        """What one pawn may walk next of a seven: how far, and to what board.

        `once` for a pawn that walks one part only, be it allowed more; `whole` where nobody but
        these pawns can spend what is left.
        """
        laws, track = self.laws, self.laws.track
        masks, fresh, done, crossed = state
        self.stand(masks, fresh)
        never, many, jump_in_parts = laws.cross == "never", laws.many_parts, laws.jump_in_seven
        # walked in many parts, a longer one is new only for what it passes
        stepwise = many and not once
        for seat in self.own() if laws.seven_partner else self.movers:
            meets, lane = self.meets(seat), track.lane(seat)
            bars = 0 if self.tolerant else meets[0]
            movable = masks[seat] & ~(idle | done)
            last = whole and not movable & (movable - 1)  # it spends all that is left
            for cell, bit in bits(movable):
                walks = track.fresh_walks(seat) if fresh & bit else lane[cell]
                for steps in range(left if last else 1, left + 1):
                    jump = int(laws.jumps and (jump_in_parts or steps == SEVEN))
                    short = stepwise and steps > 1 and (jump_in_parts or not jump)
                    for walk in walks[steps]:
                        over = walk.over
                        if over & bars or (short and not over & self.occupied):
                            continue
                        for landing in self.landings(seat, walk, meets, jump, never):
                            if landing.broken:  # wrong parts are explained one by one
                                continue
                            own, now = self.after(seat, bit, landing)
                            walked = 0 if many else done & ~landing.hits | landing.bit
                            after = (own, now, walked, crossed or landing.crosses)
                            yield steps, after, (seat, cell, landing)

    def part(self, seat: int, cell: int, landing: Landing) -> Part:
        names, hits = self.laws.names, landing.hits
        path = (names[cell], *[names[to] for to in landing.path])
        return Part(names[seat * BRANCH][0], path, self.standing(hits) if hits else ())

    def steps_of(self, rank: str) -> int:
        """How far a card's walk goes, below zero for backward; 0 where it has none."""
        return {"4": -BACK, cards.JOKER: JOKER_STEPS}.get(rank, WALKS.get(rank, 0))

    def letter(self, seat: int) -> str:
        return self.laws.names[seat * BRANCH][0]

    def standing(self, hits: int) -> tuple[Standing, ...]:
        names = self.laws.names
        return tuple(
            (self.letter(seat), names[cell])
            for seat, mask in enumerate(self.masks)
            if mask & hits
            for cell, _ in bits(mask & hits)
        )

    def about(self, rule: str, cells: int, seat: int | None = None) -> tuple[Refusal, ...]:
        """A rule broken because of the pawns on these cells, and the shield if it was theirs."""
        broken: tuple[Refusal, ...] = ()
        houses = ~self.laws.track.ring_mask
        for piece, cell in self.standing(cells)[:1]:
            mover = {} if seat is None else {"seat": self.letter(seat)}
            broken += (refuse(rule, **mover, by=piece, cell=cell),)
        if cells & houses:
            broken = (refuse("TOCK-HOUSE", **dict(broken[0].facts)), *broken)
        elif cells & self.shielded and rule != "TOCK-SHIELD":
            broken += self.about("TOCK-SHIELD", cells & self.shielded, seat)
        return broken
