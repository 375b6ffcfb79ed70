"""The Tock family: four games on one cross of four, six or eight branches, and their options.

An option is a line among the `options` of a game, a field of `Laws`, and the check in `Moves`
that asks it; one that says how turns go round is a field of `Flow` instead.

Told to be tolerant, the same checks also yield the plays that break a rule, with the rule:
what explains a refusal is what decides it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from referee import cards
from referee.cross import PAWNS
from referee.family import Tock
from referee.flow import Flow
from referee.game import Setup, Value
from referee.plays import Play, Refusal, refuse
from referee.seven import SEVEN, State, sevens
from referee.track import Pawns, Track, Walk, bits, track
from referee.walking import Landing, Step, Walking

WALKS = {"A": 1, "Q": 12, "K": 13} | {str(n): n for n in (2, 3, 5, 6, 8, 9, 10)}
FIVE = 5
BACK = 4
JOKER_STEPS = 18

TOWN = ("tockcitan", "tockcitan-team")  # their walks: no jumps, no sweep, no lent five

TOWN_OPTIONS: dict[str, tuple[Value, ...]] = {
    "shield": ("on_start",),
    "cross": ("free", "last_resort", "never"),
    "back_cross": ("any", "fresh"),
    "seven_parts": ("many", "one"),
    "seven_partner": (False, True),
    "no_play": ("discard_one", "discard_hand"),
}
CLASSIC_OPTIONS: dict[str, tuple[Value, ...]] = {
    "cross": ("last_resort", "free", "never"),
    "seven_parts": ("one", "many"),
    "five_moves_shielded": (False, True),
    "centre_hits": ("both", "last"),
    "centre_in_seven": (True, False),
}
FADOQ_OPTIONS: dict[str, tuple[Value, ...]] = {
    "shield": ("on_start", "fresh"),
    "back_cross": ("any", "fresh"),
    "seven_partner": (True, False),
    "joker_bonus": ("bankable", "immediate"),
    "no_play": ("discard_one", "discard_hand"),
    "recycle": ("shuffle", "turn"),
}
GLOBE_OPTIONS: dict[str, tuple[Value, ...]] = {
    "shield": ("fresh", "on_start"),
    "back_cross": ("fresh", "any"),
    "seven_partner": (False, True),
    "no_play": ("discard_hand", "discard_one"),
    "recycle": ("turn", "shuffle"),
}


@dataclass(frozen=True)
class Laws:
    """One game's facts and options, as the moves ask for them; a seat is its branch's number."""

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


@lru_cache(maxsize=64)
def compiled(setup: Setup) -> Laws:
    """The laws of a game as it is set up."""
    town, chosen = setup.game in TOWN, setup.chosen
    ring = track(setup.board, setup.house_entry)
    number = ring.branches
    seats = tuple(sorted(number[seat] for seat in setup.seats))
    mates = [tuple(number[mate] for mate in setup.mates(seat)) for seat in number]
    rivals = [
        tuple(other for other in seats if other != seat and other not in mates[seat])
        for seat in range(ring.seats)
    ]
    return Laws(
        track=ring,
        names=ring.names,
        numbers=number,
        seats=seats,
        mates=tuple(mates),
        rivals=tuple(rivals),
        own_blocks=town,
        spares_partner=chosen.get("partner_hit") == "illegal",
        on_start=chosen["shield"] == "on_start",
        cross=str(chosen["cross"]),
        back_from_anywhere=chosen["back_cross"] == "any",
        many_parts=chosen["seven_parts"] == "many",
        seven_partner=bool(chosen["seven_partner"]),
        lends_five=not town,
        five_moves_shielded=bool(chosen.get("five_moves_shielded")),
        sweeps=not town,
        jumps=not town,
        jumps_always=setup.game == "tock-fadoq",
        jump_hits_both=chosen.get("centre_hits") != "last",
        jump_in_seven=bool(chosen.get("centre_in_seven", True)),
        swap="start" if town else "other" if setup.game == "tock-fadoq" else "shielded",
    )


def flow_of(flow: Flow, setup: Setup) -> Flow:
    """How turns go round by the options of this table."""
    chosen = setup.chosen
    if chosen.get("joker_bonus") == "immediate":
        flow = replace(flow, extra_play="at once")
    return replace(
        flow,
        stuck="discard_hand" if chosen["no_play"] == "discard_hand" else "discard_one",
        turns_pile=chosen.get("recycle") == "turn",
        last_resort=chosen["cross"] == "last_resort",
    )


class Moves(Walking):
    """The plays from one position for one player."""

    def __init__(self, laws: Laws, pawns: Pawns, player: int, tolerant: bool = False) -> None:
        self.laws = laws
        self.track = laws.track
        self.names = laws.names
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
    ) -> tuple[Landing, ...]:
        """The ends of one walk: where it leads, and from a central cell one jump further."""
        laws = self.laws
        broken: tuple[Refusal, ...] = ()
        blocked = walk.over & meets[0]
        if blocked:
            if not self.tolerant:
                return ()
            broken = self.about("TOCK-PASS", blocked, seat)
        crossed = never and walk.crosses
        refused = walk.bit & meets[1]
        hits = self.occupied & walk.bit
        if sweep:
            hits |= self.occupied & walk.over & laws.track.ring_mask
        found: tuple[Landing, ...] = ()
        if not (crossed or refused):
            found = (Landing(walk.bit, (walk.to,), hits, walk.crosses, broken),)
        elif self.tolerant:
            why = self.about("TOCK-LAND", refused, seat) if refused else ()
            if crossed:
                why += (refuse("TOCK-CROSS", seat=self.letter(seat), cross=laws.cross),)
            found = (Landing(walk.bit, (walk.to,), hits, walk.crosses, broken + why),)
        if not walk.central:
            return found
        if not jump:
            if not self.tolerant:
                return found
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
            return found
        if not (laws.jump_hits_both or sweep):
            hits &= ~walk.bit
        hits |= self.occupied & 1 << to
        return (*found, Landing(1 << to, (walk.to, to), hits, crosses, broken))

    def entering(self, seat: int, card: str) -> Iterator[Play]:
        laws = self.laws
        if self.masks[seat].bit_count() == PAWNS:
            return
        start = laws.track.starts[seat]
        barred = self.shielded & start
        if laws.own_blocks:
            barred |= self.masks[seat] & start
            if laws.spares_partner:
                for mate in laws.mates[seat]:
                    barred |= self.masks[mate] & start
        if barred and not self.tolerant:
            return
        broken = self.about("TOCK-ENTER", barred, seat) if barred else ()
        yield self.entry(card, seat, self.occupied & start, broken)

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
                        why = self.about("TOCK-SWAP", on_start) if on_start else ()
                        yield self.swap(card, (seat, cell), (other, cell2), why)

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

    def steps_of(self, rank: str) -> int:
        """How far a card's walk goes, below zero for backward; 0 where it has none."""
        return {"4": -BACK, cards.JOKER: JOKER_STEPS}.get(rank, WALKS.get(rank, 0))

    def looser(self) -> Iterator[tuple[Refusal, Laws]]:
        """The laws of a seven with one of them left out, and what is broken without it."""
        laws, letter = self.laws, self.letter(self.player)
        yield refuse("TOCK-CROSS", seat=letter, cross=laws.cross), replace(laws, cross="free")
        yield refuse("TOCK-CENTRE", seat=letter), replace(laws, jump_in_seven=True)
        yield refuse("TOCK-SEVEN", seat=letter), replace(laws, many_parts=True)
        yield refuse("TOCK-LAND", seat=letter), replace(laws, spares_partner=False)
        yield refuse("TOCK-PARTNER"), replace(laws, seven_partner=True)


GAMES = (
    Tock(
        name="tockcitan",
        seatings={"tock4": (tuple("ac"), tuple("abc"), tuple("abcd"))},
        options=TOWN_OPTIONS | {"recycle": ("shuffle", "turn")},
        deck=cards.FIFTY_TWO,
        flow=Flow(hand=4, dealer_more=1, dealer_begins=True, draws="before"),
        partners="never",
        laws=compiled,
        moves=Moves,
        flowing=flow_of,
    ),
    Tock(
        name="tockcitan-team",
        seatings={"tock4": (tuple("abcd"),)},
        options=TOWN_OPTIONS
        | {"seven_partner": (True, False), "partner_hit": ("illegal", "capture")},
        deck=cards.FIFTY_TWO,
        flow=Flow(hand=5, chooses_deal=True, exchanges=True),
        partners="always",
        laws=compiled,
        moves=Moves,
        flowing=flow_of,
    ),
    Tock(
        name="tock-fadoq",
        seatings={"tock4": (tuple("abcd"),)},
        options=CLASSIC_OPTIONS | FADOQ_OPTIONS,
        deck=cards.FIFTY_FOUR,
        flow=Flow(hand=5, draws="after", extra_play="kept"),
        partners="always",
        laws=compiled,
        moves=Moves,
        flowing=flow_of,
    ),
    Tock(
        name="tock-globe",
        seatings={
            "tock4": (tuple("ac"), tuple("abcd")),
            "tock6": (tuple("ace"), tuple("abcdef")),
            "tock8": (tuple("aceg"), tuple("abcdefgh")),
        },
        options=CLASSIC_OPTIONS | GLOBE_OPTIONS,
        deck=cards.FIFTY_FOUR,
        flow=Flow(hand=5, draws="after", extra_play="at once", begins_by="lowest card"),
        partners="choice",
        laws=compiled,
        moves=Moves,
        flowing=flow_of,
    ),
)
