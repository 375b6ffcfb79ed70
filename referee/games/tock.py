"""The Tock family: four games on one cross of four, six or eight branches.

What differs between them is data (`Tock`) and options, compiled once into `Laws`. `Moves`
yields every play of a card; told to be tolerant it also yields those that break a rule, with
the rule, and so explains with the very checks that decide.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from referee import cards
from referee.cross import PAWNS, masks_of_sight, read_cross, sight_of_cross, write_cross
from referee.flow import Flow
from referee.form import sight_of
from referee.game import Judged, Setup, Sight, Value
from referee.plays import CAMP, Part, Play, RefereeError, Refusal, Standing, once, refuse
from referee.seven import SEVEN, State, sevens, unspent
from referee.track import BRANCH, CENTRE, Pawns, Track, Walk, bits, track
from referee.tried import tried

WALKS = {"A": 1, "Q": 12, "K": 13} | {str(n): n for n in (2, 3, 5, 6, 8, 9, 10)}
FIVE = 5
BACK = 4
ENTERS = frozenset(("A", "K", cards.JOKER))
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
            if rank in ENTERS:
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
            for landing in self.landings(seat, walk, meets, jump):
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
            walk = laws.track.walks(seat, cell, steps)[0]
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
                why += (refuse("TOCK-CROSS", seat=self.letter(seat)),)
            yield Landing(walk.bit, (walk.to,), hits, walk.crosses, broken + why)
        if not jump or walk.to >= laws.track.ring or walk.to % BRANCH != CENTRE:
            return
        to = laws.track.jump(walk.to, jump)
        over_start = laws.track.start_jumped(walk.to, jump) == seat
        crosses = walk.crosses or (jump > 0 and over_start)
        if crosses and never:
            broken += (refuse("TOCK-CROSS", seat=self.letter(seat)),)
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
        self, state: State, left: int, idle: int = 0, *, once: bool = False
    ) -> Iterator[tuple[int, State, Step]]:
        """What one pawn may walk next of a seven: how far, and to what board.

        `once` for a pawn that walks one part only, be it allowed more.
        """
        laws, track = self.laws, self.laws.track
        masks, fresh, done, crossed = state
        self.stand(masks, fresh)
        never, many, jump_in_parts = laws.cross == "never", laws.many_parts, laws.jump_in_seven
        # walked in many parts, a longer one is new only for what it passes
        stepwise = many and not once
        for seat in self.own() if laws.seven_partner else self.movers:
            meets, lane = self.meets(seat), track.lane(seat)
            for cell, bit in bits(masks[seat] & ~(idle | done)):
                walks = track.fresh_walks(seat) if fresh & bit else lane[cell]
                for steps in range(1, left + 1):
                    jump = int(laws.jumps and (jump_in_parts or steps == SEVEN))
                    short = stepwise and steps > 1 and (jump_in_parts or not jump)
                    for walk in walks[steps]:
                        if short and not walk.over & self.occupied:
                            continue
                        for landing in self.landings(seat, walk, meets, jump, never):
                            own, now = self.after(seat, bit, landing)
                            walked = 0 if many else done & ~landing.hits | landing.bit
                            after = (own, now, walked, crossed or landing.crosses)
                            yield steps, after, (seat, cell, landing)

    def part(self, seat: int, cell: int, landing: Landing) -> Part:
        names, hits = self.laws.names, landing.hits
        path = (names[cell], *[names[to] for to in landing.path])
        return Part(self.letter(seat), path, self.standing(hits) if hits else ())

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


@lru_cache(maxsize=64)
def compiled(setup: Setup) -> Laws:
    """The laws of a game as it is set up; a pawn's seat is the number of its branch."""
    game, chosen = BY_NAME[setup.game], setup.chosen
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
        own_blocks=game.town,
        spares_partner=chosen.get("partner_hit") == "illegal",
        on_start=chosen["shield"] == "on_start",
        cross=str(chosen["cross"]),
        back_from_anywhere=chosen["back_cross"] == "any",
        many_parts=chosen["seven_parts"] == "many",
        seven_partner=bool(chosen["seven_partner"]),
        lends_five=not game.town,
        five_moves_shielded=bool(chosen.get("five_moves_shielded")),
        sweeps=not game.town,
        jumps=not game.town,
        jumps_always=game.jumps_always,
        jump_hits_both=chosen.get("centre_hits") != "last",
        jump_in_seven=bool(chosen.get("centre_in_seven", True)),
        swap=game.swap,
    )


@dataclass(frozen=True)
class Tock:
    """One of the four games, as data."""

    name: str
    boards: tuple[str, ...]
    options: Mapping[str, tuple[Value, ...]]
    deck: tuple[str, ...]
    town: bool  # tockcitan's rules of walking: no jumps, no sweep, no lent five
    jumps_always: bool
    swap: str
    flow: Flow
    die: bool = False
    seats: tuple[str, ...] = tuple("abcdefgh")

    def check(self, setup: Setup) -> None:
        ring = track(setup.board, setup.house_entry)
        for seat in setup.seats:
            if f"{seat}h1" not in ring.cells:
                raise RefereeError(f'seat "{seat}" is not on {setup.board}')
        if self.name == "tockcitan" and any(len(team) > 1 for team in setup.teams):
            raise RefereeError("tockcitan is played alone; for teams there is tockcitan-team")

    def start(self, setup: Setup) -> Pawns:
        return Pawns((0,) * compiled(setup).track.seats, 0)

    def winners(self, setup: Setup, position: Pawns) -> tuple[str, ...]:
        laws = compiled(setup)
        masks, houses = position.masks, laws.track.houses
        for seat in laws.seats:
            if masks[seat] == houses[seat]:
                team = (seat, *laws.mates[seat])
                if all(masks[one] == houses[one] for one in team):
                    return tuple(laws.names[one * BRANCH][0] for one in sorted(team))
        return ()

    def judge(
        self, setup: Setup, position: Pawns, seat: str, hand: Sequence[str], card: str | None
    ) -> Judged:
        laws = compiled(setup)
        if self.winners(setup, position):
            return Judged([], None)
        if not hand:
            return Judged([], "pass")
        moves = Moves(laws, position, laws.numbers[seat])
        asked = hand if card is None else (card,)
        found = once(play for one in dict.fromkeys(asked) for play in moves.of_card(one))
        if laws.cross == "last_resort":
            free = [play for play in found if not play.crosses]
            spared = len(free) < len(found)
            if spared and (free or self.can(moves, hand, asked, crossing=False)):
                found = free
        forced = None
        if not found and not self.can(moves, hand, asked, crossing=True):
            forced = str(setup.chosen["no_play"])
        return Judged(found, forced)

    def can(self, moves: Moves, hand: Sequence[str], but: Sequence[str], *, crossing: bool) -> bool:
        """Whether some other card of the hand has a play."""
        ranks = {cards.RANK[card]: card for card in hand if card not in but}
        return any(
            crossing or not play.crosses for card in ranks.values() for play in moves.of_card(card)
        )

    def number(self, setup: Setup, seat: str) -> int:
        return compiled(setup).numbers[seat]

    def penalties(self, setup: Setup, position: Pawns, seat: str) -> tuple[tuple[str, Pawns], ...]:
        return ()

    def read(self, setup: Setup, form: Mapping[str, Any]) -> Pawns:
        return read_cross(setup, compiled(setup).track, form)

    def write(self, setup: Setup, position: Pawns) -> dict[str, Any]:
        return write_cross(setup, compiled(setup).track, position)

    def read_sight(self, setup: Setup, form: Mapping[str, Any], before: Pawns) -> Sight:
        return sight_of(setup, form, compiled(setup).track.cells)

    def sight(self, setup: Setup, position: Pawns) -> Sight:
        return sight_of_cross(compiled(setup).track, position)

    def seen(self, position: Pawns) -> tuple[int, ...]:
        return position.masks

    def seen_as(self, setup: Setup, sight: Sight) -> tuple[int, ...] | None:
        return masks_of_sight(setup, compiled(setup).track, sight)

    def attempts(
        self,
        setup: Setup,
        position: Pawns,
        seat: str,
        hand: Sequence[str],
        card: str,
        seen: Sight,
    ) -> Iterator[Play]:
        """Plays that would explain a board, with the rules they break."""
        masks = self.seen_as(setup, seen)
        if masks is None:
            return
        laws = compiled(setup)
        for play in tried(Moves(laws, position, self.number(setup, seat), True), card, masks):
            if not play.broken and play.crosses and laws.cross == "last_resort":
                play = play._replace(broken=(refuse("TOCK-CROSS", seat=seat),))
            yield play

    def partials(
        self, setup: Setup, position: Pawns, seat: str, hand: Sequence[str], card: str
    ) -> Iterator[Play]:
        """A seven on its way: whole parts walked, from where a legal play can still come."""
        if cards.rank(card) != "7":
            return
        whole = {play.position for play in self.judge(setup, position, seat, hand, card).plays}
        moves = Moves(compiled(setup), position, self.number(setup, seat))
        yield from unspent(moves, card, whole)


TOWN: dict[str, tuple[Value, ...]] = {
    "shield": ("on_start",),
    "cross": ("free", "last_resort", "never"),
    "back_cross": ("any", "fresh"),
    "seven_parts": ("many", "one"),
    "seven_partner": (False, True),
    "no_play": ("discard_one", "discard_hand"),
}
CLASSIC: dict[str, tuple[Value, ...]] = {
    "cross": ("last_resort", "free", "never"),
    "seven_parts": ("one", "many"),
    "five_moves_shielded": (False, True),
    "centre_hits": ("both", "last"),
    "centre_in_seven": (True, False),
}
GAMES = (
    Tock(
        name="tockcitan",
        boards=("tock4",),
        options=TOWN | {"recycle": ("shuffle", "turn")},
        deck=cards.FIFTY_TWO,
        town=True,
        jumps_always=False,
        swap="start",
        flow=Flow(hand=4, dealer_more=1, dealer_begins=True, draws="before"),
    ),
    Tock(
        name="tockcitan-team",
        boards=("tock4",),
        options=TOWN | {"seven_partner": (True, False), "partner_hit": ("illegal", "capture")},
        deck=cards.FIFTY_TWO,
        town=True,
        jumps_always=False,
        swap="start",
        flow=Flow(hand=5, chooses_deal=True, exchanges=True),
    ),
    Tock(
        name="tock-fadoq",
        boards=("tock4",),
        options=CLASSIC
        | {
            "shield": ("on_start", "fresh"),
            "back_cross": ("any", "fresh"),
            "seven_partner": (True, False),
            "joker_bonus": ("bankable", "immediate"),
            "no_play": ("discard_one", "discard_hand"),
            "recycle": ("shuffle", "turn"),
        },
        deck=cards.FIFTY_FOUR,
        town=False,
        jumps_always=True,
        swap="other",
        flow=Flow(hand=5, draws="after", extra_play=True),
    ),
    Tock(
        name="tock-globe",
        boards=("tock4", "tock6", "tock8"),
        options=CLASSIC
        | {
            "shield": ("fresh", "on_start"),
            "back_cross": ("fresh", "any"),
            "seven_partner": (False, True),
            "no_play": ("discard_hand", "discard_one"),
            "recycle": ("turn", "shuffle"),
        },
        deck=cards.FIFTY_FOUR,
        town=False,
        jumps_always=False,
        swap="shielded",
        flow=Flow(hand=5, draws="after", extra_play=True, begins_by="lowest card"),
    ),
)
BY_NAME = {game.name: game for game in GAMES}
