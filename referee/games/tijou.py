"""Tijou: a square ring where pieces crowd together, and only the 2 and the 5 eat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from hardware.boards.tijou import CORNERS, RING, arrival_name
from referee import cards
from referee.flow import Flow
from referee.form import sight_of
from referee.game import Judged, Partners, Seatings, Setup, Sight, Value
from referee.plays import CAMP, Part, Play, RefereeError, Refusal, Standing, once, refuse
from referee.square import (
    ARRIVALS,
    ARRIVED,
    OFF,
    PIECES,
    RING_NAMES,
    Places,
    moved,
    name_of,
    places_of_sight,
    read_square,
    sight_of_square,
    write_square,
)

GUESTS = ("e", "f")

# how far each card walks, backward below zero, and whether it eats on the way
WALKS: Mapping[str, Mapping[int, bool]] = {
    **{str(n): {n: False} for n in (3, 6, 7, 8, 9, 10)},
    **{"A": {1: False}, "2": {2: True, -2: True}, "4": {-4: False}, "5": {5: True}},
    **{"Q": {12: False}, "K": {13: False}},
}

Faults = tuple[Refusal, ...]


class Does(NamedTuple):
    """What a card may be used for."""

    walks: Mapping[int, bool]  # how far, backward below zero, and whether it eats on the way
    enters: bool
    arrives: bool
    swaps: bool


@dataclass(frozen=True)
class Laws:
    """One game's facts and options, as the moves ask for them."""

    seats: tuple[str, ...]
    sortie: tuple[int, ...]
    arrival: tuple[str, ...]
    enemies: tuple[tuple[int, ...], ...]
    targets: tuple[tuple[int, ...], ...]
    does: Mapping[str, Does]  # by rank
    eat_landing: bool


class Moves:
    """The plays from one position for one player.

    Told what is seen, the same checks also yield the plays that break a rule and may have left
    that: whatever takes an own piece to where one of them stands now.
    """

    def __init__(
        self, laws: Laws, position: Places, player: int, seen: Places | None = None
    ) -> None:
        self.laws = laws
        self.places = position.places
        self.player = player
        self.own = position.places[player]
        self.standing = sorted({piece for piece in self.own if OFF < piece < ARRIVED})
        self.seen = seen
        self.come = Counter(seen.places[player] if seen else ()) - Counter(self.own)
        del self.come[OFF]

    def of_card(self, card: str) -> Iterator[Play]:
        does = self.laws.does[cards.RANK[card]]
        for piece in self.standing:
            for steps, eats, why in self.strides(card, does):
                yield from self.walking(card, piece, steps, eats, why)
        yield from self.entering(card, does)
        yield from self.arriving(card, does)
        yield from self.swapping(card, does)

    def strides(self, card: str, does: Does) -> Iterator[tuple[int, bool, Faults]]:
        """How far a piece may walk; told what is seen, how far it may not."""
        for steps, eats in does.walks.items():
            yield steps, eats, ()
        if self.seen is None:
            return
        worth = " ".join(map(str, sorted({abs(steps) for steps in does.walks})))
        for steps in (*range(1, RING // 2 + 1), *range(-1, -RING // 2, -1)):
            if not does.walks:
                yield steps, False, (refuse("TIJOU-SWAP", seat=self.letter),)
            elif steps not in does.walks:
                facts = {"moved": steps, "worth": worth, "card": card}
                yield steps, False, (refuse("TIJOU-WALK", seat=self.letter, **facts),)

    def walking(self, card: str, piece: int, steps: int, eats: bool, why: Faults) -> Iterator[Play]:
        end = (piece - 1 + steps) % RING + 1
        for stop, turned in self.stops(self.player, end):
            if self.seen is None:
                yield self.walk(card, piece, steps, stop, eats)
            elif stop in self.come:
                play = self.walk(card, piece, steps, stop, eats)
                path = on_the_way(piece, steps)
                play = self.overeaten(play, dict.fromkeys((*path, piece, ARRIVED), ()))
                if stop != end:
                    corner = refuse("TIJOU-CORNER", seat=self.letter, cell=end)
                    play = self.overeaten(play, {stop: (corner,)})
                yield play._replace(broken=(why or turned) + play.broken)

    def stops(self, seat: int, end: int) -> Iterator[tuple[int, Faults]]:
        """Where a piece comes to rest that came to a cell: a corner sends it across."""
        right = opposite(end) if self.sent_on(seat, end) else end
        yield right, ()
        if self.seen is not None and end in CORNERS:
            why = refuse("TIJOU-CORNER", seat=self.laws.seats[seat], cell=end)
            yield opposite(right), (why,)

    def walk(self, card: str, piece: int, steps: int, stop: int, eats: bool) -> Play:
        """A walk, forward or backward, to where the piece comes to rest."""
        laws, path = self.laws, on_the_way(piece, steps)
        eaten = frozenset(path if laws.eat_landing else path[:-1]) if eats else frozenset()
        stops = (path[-1],) if stop == path[-1] else (path[-1], stop)
        changed = {self.player: moved(self.own, piece, stop)}
        takes: list[Standing] = []
        if eaten:
            for enemy in laws.enemies[self.player]:
                left = tuple(sorted(OFF if one in eaten else one for one in self.places[enemy]))
                if left != self.places[enemy]:
                    changed[enemy] = left
                    takes += [
                        (laws.seats[enemy], str(one)) for one in self.places[enemy] if one in eaten
                    ]
        part = Part(self.letter, (str(piece), *map(str, stops)), tuple(takes))
        return self.play(card, part, changed)

    def overeaten(self, play: Play, where: Mapping[int, Faults]) -> Play:
        """A play with everything eaten that is gone from cells where it had to stay."""
        assert self.seen is not None
        for seat, now in enumerate(self.seen.places):
            after = play.position.places[seat]
            for place in (Counter(after) - Counter(now)).elements():
                if place in where:
                    by = self.laws.seats[seat]
                    cell = place if place != ARRIVED else self.laws.arrival[seat]
                    why = (refuse("TIJOU-EAT", seat=self.letter, by=by, cell=cell), *where[place])
                    left = moved(play.position.places[seat], place, OFF)
                    play = play._replace(
                        position=play.position.but(seat, left), broken=play.broken + why
                    )
        return play

    def entering(self, card: str, does: Does) -> Iterator[Play]:
        if OFF not in self.own:
            return
        entree = self.laws.sortie[self.player] + 1
        if does.enters and self.seen is None:
            yield self.put(card, OFF, entree)
        for cell in self.come:
            if cell != ARRIVED:
                why = refuse("TIJOU-ENTER", seat=self.letter, cell=cell)
                right = does.enters and cell == entree
                play = self.put(card, OFF, cell)._replace(broken=() if right else (why,))
                yield self.overeaten(play, {cell: (why,)})

    def arriving(self, card: str, does: Does) -> Iterator[Play]:
        """From one's sortie, when nobody of one's own waits outside; and never back."""
        sortie = self.laws.sortie[self.player]
        may = does.arrives and OFF not in self.own
        if may and sortie in self.own and self.seen is None:
            yield self.put(card, sortie, ARRIVED)
        if ARRIVED in self.come:
            for piece in sorted({*self.own} - {ARRIVED}):
                facts = {"cell": piece if piece != OFF else CAMP}
                why = (refuse("TIJOU-ARRIVE", seat=self.letter, **facts),)
                right = may and piece == sortie
                yield self.put(card, piece, ARRIVED)._replace(broken=() if right else why)
        if ARRIVED in self.own:
            why = (refuse("TIJOU-ARRIVE", seat=self.letter, cell=self.laws.arrival[self.player]),)
            for cell in self.come:
                yield self.put(card, ARRIVED, cell)._replace(broken=why)

    def swapping(self, card: str, does: Does) -> Iterator[Play]:
        laws, tolerant = self.laws, self.seen is not None
        if not (does.swaps or tolerant):
            return
        targets = laws.targets[self.player]
        for other in range(len(laws.seats)) if tolerant else targets:
            if other == self.player:
                continue
            fair = does.swaps and other in targets
            for theirs in sorted({one for one in self.places[other] if OFF < one < ARRIVED}):
                for piece in self.standing:
                    if piece != theirs:
                        yield from self.swaps(card, piece, other, theirs, fair=fair)

    def swaps(
        self, card: str, piece: int, other: int, theirs: int, *, fair: bool
    ) -> Iterator[Play]:
        """Two pieces change places; corners may send on either."""
        for mine_to, turned in self.stops(self.player, theirs):
            if self.seen is not None and mine_to not in self.come:
                continue
            for theirs_to, theirs_turned in self.stops(other, piece):
                names = self.laws.seats
                part = Part(self.letter, (str(piece), str(theirs)), (), names[other])
                changed = {
                    self.player: moved(self.own, piece, mine_to),
                    other: moved(self.places[other], theirs, theirs_to),
                }
                why = () if fair else (refuse("TIJOU-SWAP", seat=self.letter, by=names[other]),)
                play = self.play(card, part, changed, why + turned + theirs_turned)
                if self.seen is not None:
                    play = self.overeaten(play, {theirs: (), mine_to: ()})
                yield play

    def sent_on(self, seat: int, cell: int) -> bool:
        """Whether a corner sends a piece to the opposite one."""
        return cell in CORNERS and cell != self.laws.sortie[seat]

    def play(
        self,
        card: str,
        part: Part,
        changed: Mapping[int, tuple[int, ...]],
        broken: Faults = (),
    ) -> Play:
        places = tuple([changed.get(n, one) for n, one in enumerate(self.places)])
        captured = tuple(sorted(piece for piece, _ in part.takes))
        return Play(card, (None, (part,)), Places(places), captured, broken=broken)

    def put(self, card: str, piece: int, to: int) -> Play:
        """A piece simply put somewhere."""
        laws = self.laws
        names = {OFF: CAMP, ARRIVED: laws.arrival[self.player]}
        part = Part(self.letter, (names.get(piece, str(piece)), names.get(to, str(to))))
        return self.play(card, part, {self.player: moved(self.own, piece, to)})

    def unturned(self, card: str) -> Iterator[Play]:
        """Walks on their way: on the corner, not yet sent on."""
        for piece in self.standing:
            for steps, eats in self.laws.does[cards.RANK[card]].walks.items():
                end = (piece - 1 + steps) % RING + 1
                if self.sent_on(self.player, end):
                    yield self.walk(card, piece, steps, end, eats)._replace(left=1)

    def tried(self, card: str) -> Iterator[Play]:
        """The plays that leave what is seen, but for pieces not yet or wrongly taken off."""
        assert self.seen is not None
        if self.come.total() > 1:  # one piece a card
            rule = "TIJOU-WALK" if self.laws.does[cards.RANK[card]].walks else "TIJOU-SWAP"
            yield Play(card, None, self.seen, broken=(refuse(rule, seat=self.letter, pieces=2),))
        for play in self.of_card(card):
            lost = 0
            takes = Counter(play.parts[0].takes)
            for seat, (after, now) in enumerate(
                zip(play.position.places, self.seen.places, strict=True)
            ):
                more = Counter(now) - Counter(after)
                del more[OFF]
                names = Counter((self.laws.seats[seat], str(place)) for place in more.elements())
                if names - takes:
                    break
                fewer = Counter(after) - Counter(now)
                lost += fewer.total() - fewer[OFF]
            else:
                gone = (refuse("BOARD", more=0, fewer=lost),) if lost else ()
                yield play._replace(broken=play.broken + gone)

    @property
    def letter(self) -> str:
        return self.laws.seats[self.player]


def on_the_way(piece: int, steps: int) -> list[int]:
    """The cells of a walk, its last one included."""
    way = 1 if steps > 0 else -1
    return [(piece - 1 + n) % RING + 1 for n in range(way, steps + way, way)]


def opposite(corner: int) -> int:
    return (corner - 1 + RING // 2) % RING + 1


def does(rank: str, *, king_enters: bool) -> Does:
    """What a card does; a joker does what any other does."""
    if rank == cards.JOKER:
        every = [does(one, king_enters=king_enters) for one in cards.RANKS]
        walks = {steps: eats for one in every for steps, eats in one.walks.items()}
        return Does(walks, True, True, True)
    enters = rank == "2" or (king_enters and rank == "K")
    return Does(WALKS.get(rank, {}), enters, rank in ("2", "10"), rank == "J")


@lru_cache(maxsize=64)
def compiled(setup: Setup) -> Laws:
    shares = dict(setup.shares)
    hosts = [shares.get(seat, seat) for seat in setup.seats]
    number = {seat: n for n, seat in enumerate(setup.seats)}
    mates = [[number[mate] for mate in setup.mates(seat)] for seat in setup.seats]
    others = [[n for n in range(len(setup.seats)) if n != me] for me in range(len(setup.seats))]
    enemies = [tuple(n for n in others[me] if n not in mates[me]) for me in range(len(others))]
    anyone = setup.chosen["jack_targets"] == "anyone"
    return Laws(
        seats=setup.seats,
        sortie=tuple(CORNERS["abcd".index(host)] for host in hosts),
        arrival=tuple(arrival_name(host) for host in hosts),
        enemies=tuple(enemies),
        targets=tuple(tuple(one) for one in others) if anyone else tuple(enemies),
        does={
            rank: does(rank, king_enters=bool(setup.chosen["king_enters"]))
            for rank in (*cards.RANKS, cards.JOKER)
        },
        eat_landing=bool(setup.chosen["eat_landing"]),
    )


SEATINGS: Seatings = {
    "tijou": tuple(tuple(seats) for seats in ("ac", "abc", "abcd", "abcde", "abcdef"))
}


class Tijou:
    name = "tijou"
    boards = ("tijou",)
    seats = ("a", "b", "c", "d", "e", "f")
    options: Mapping[str, tuple[Value, ...]] = {
        "king_enters": (False, True),
        "jack_targets": ("opponents", "anyone"),
        "eat_landing": (True, False),
    }
    deck = cards.FIFTY_FOUR
    die = False
    flow = Flow(
        clockwise=False,
        hand=5,
        tops_up=True,
        exchanges=True,
        keeps=2,
        puts_down=True,
        games=3,
    )
    seatings = SEATINGS
    guests: tuple[str, ...] = GUESTS
    partners: Partners = "always"
    bag = ""
    house_entries: tuple[int, ...] = ()

    def flow_of(self, setup: Setup) -> Flow:
        return self.flow

    def check(self, setup: Setup) -> None:
        shares = dict(setup.shares)
        hosts = set(shares.values())
        for guest, host in shares.items():
            if guest not in GUESTS or guest not in setup.seats:
                raise RefereeError(f'"shares": "{guest}" is not a guest at this table')
            if host not in "abcd" or host not in setup.seats:
                raise RefereeError(f'"shares": "{guest}" shares with a, b, c or d, not "{host}"')
        if len(hosts) < len(shares):
            raise RefereeError('"shares": each guest shares with another seat')
        for seat in setup.seats:
            if seat in GUESTS and seat not in shares:
                raise RefereeError(f'"shares" says whose cells seat "{seat}" uses')

    def start(self, setup: Setup) -> Places:
        return Places(((OFF,) * PIECES,) * len(setup.seats))

    def winners(self, setup: Setup, position: Places) -> tuple[str, ...]:
        for seat, pieces in zip(setup.seats, position.places, strict=True):
            if pieces == (ARRIVED,) * PIECES:
                return tuple(sorted((seat, *setup.mates(seat))))
        return ()

    def judge(
        self, setup: Setup, position: Places, seat: str, hand: Sequence[str], card: str | None
    ) -> Judged:
        if self.winners(setup, position):
            return Judged([], None)
        if not hand:
            return Judged([], "pass")
        moves = Moves(compiled(setup), position, setup.seats.index(seat))
        asked = hand if card is None else (card,)
        found = once(play for one in asked for play in moves.of_card(one))
        return Judged(found, None if found else "put_down")

    def partials(
        self,
        setup: Setup,
        position: Places,
        seat: str,
        hand: Sequence[str],
        card: str,
        seen: Sight | None = None,
    ) -> Iterator[Play]:
        yield from Moves(compiled(setup), position, setup.seats.index(seat)).unturned(card)

    def attempts(
        self,
        setup: Setup,
        position: Places,
        seat: str,
        hand: Sequence[str],
        card: str,
        seen: Sight,
    ) -> Iterator[Play]:
        after, laws, number = self.seen_as(setup, seen), compiled(setup), setup.seats.index(seat)
        swaps_only = not laws.does[cards.RANK[card]].walks
        if after is None:
            if any(piece == seat and cell in ARRIVALS for piece, cell in seen):
                why: Faults = (refuse("TIJOU-ARRIVE", seat=seat),)
                if swaps_only:
                    why = (refuse("TIJOU-SWAP"), *why)
                yield Play(card, None, position, broken=why)
            return
        yield from Moves(laws, position, number, after).tried(card)
        if not swaps_only:
            return
        for other, letter in enumerate(setup.seats):  # a jack for two pieces of others
            for play in Moves(laws, position, other, after).of_card(card):
                if other != number and play.parts[0].swap and play.position == after:
                    why = (refuse("TIJOU-SWAP"), refuse("OWN", seat=letter))
                    yield play._replace(broken=why)

    def penalties(
        self, setup: Setup, position: Places, seat: str
    ) -> tuple[tuple[str, Places], ...]:
        """The best placed piece: in the arrival, else the farthest from the entree."""
        number, laws = setup.seats.index(seat), compiled(setup)
        entree = laws.sortie[number] + 1
        own = position.places[number]
        standing = [piece for piece in own if piece != OFF]
        if not standing:
            return ()

        def progress(piece: int) -> int:
            return RING if piece == ARRIVED else (piece - entree) % RING

        best = max(standing, key=progress)
        after = position.but(number, moved(own, best, OFF))
        return ((name_of(laws.arrival[number], best), after),)

    def read(self, setup: Setup, form: Mapping[str, Any]) -> Places:
        return read_square(setup, compiled(setup).arrival, form)

    def write(self, setup: Setup, position: Places) -> dict[str, Any]:
        return write_square(setup, compiled(setup).arrival, position)

    def read_sight(self, setup: Setup, form: Mapping[str, Any], before: Places) -> Sight:
        return sight_of(setup, form, {*RING_NAMES, *ARRIVALS})

    def sight(self, setup: Setup, position: Places) -> Sight:
        return sight_of_square(setup, compiled(setup).arrival, position)

    def seen(self, position: Places) -> Places:
        return position

    def seen_as(self, setup: Setup, sight: Sight) -> Places | None:
        return places_of_sight(setup, compiled(setup).arrival, sight)


GAMES = (Tijou(),)
