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
from referee.form import pawns_of, sight_of, written
from referee.game import Judged, Partners, Seatings, Setup, Sight, Value
from referee.plays import CAMP, Part, Play, RefereeError, Refusal, Standing, once, refuse

PIECES = 3
OFF, ARRIVED = 0, RING + 1  # beside the ring's 1 to 36
GUESTS = ("e", "f")

# how far each card walks, backward below zero, and whether it eats on the way
WALKS = {"A": ((1, False),), "2": ((2, True), (-2, True)), "4": ((-4, False),)}
WALKS |= {"5": ((5, True),), "Q": ((12, False),), "K": ((13, False),)}
WALKS |= {str(n): ((n, False),) for n in (3, 6, 7, 8, 9, 10)}
ARRIVING = ("2", "10")


class Places(NamedTuple):
    """Where everybody's three pieces are, in the order of the seats, lowest first."""

    places: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Laws:
    """One game's facts and options, as the moves ask for them."""

    seats: tuple[str, ...]
    sortie: tuple[int, ...]
    arrival: tuple[str, ...]
    arrival_of: Mapping[str, str]
    enemies: tuple[tuple[int, ...], ...]
    targets: tuple[tuple[int, ...], ...]
    enters: frozenset[str]
    eat_landing: bool


class Moves:
    """The plays from one position for one player."""

    def __init__(self, laws: Laws, position: Places, player: int) -> None:
        self.laws = laws
        self.places = position.places
        self.player = player
        self.own = position.places[player]

    def of_card(self, card: str) -> Iterator[Play]:
        rank = cards.RANK[card]
        if rank == cards.JOKER:
            for one in cards.RANKS:
                yield from self.of_rank(card, one)
        else:
            yield from self.of_rank(card, rank)

    def of_rank(self, card: str, rank: str) -> Iterator[Play]:
        standing = sorted({piece for piece in self.own if OFF < piece < ARRIVED})
        for piece in standing:
            for steps, eats in WALKS.get(rank, ()):
                yield self.walk(card, piece, steps, eats=eats)
        if rank in self.laws.enters and OFF in self.own:
            yield self.enter(card)
        if rank in ARRIVING and self.may_arrive():
            yield self.arrive(card)
        if rank == "J":
            yield from self.swaps(card, standing)

    def walk(
        self, card: str, piece: int, steps: int, *, eats: bool = False, turns: bool = True
    ) -> Play:
        """A walk, forward or backward; `turns` off leaves the piece on the corner it came to."""
        laws = self.laws
        way = 1 if steps > 0 else -1
        path = [(piece - 1 + n) % RING + 1 for n in range(way, steps + way, way)]
        eaten = frozenset(path if laws.eat_landing else path[:-1]) if eats else frozenset()
        stops = [path[-1]]
        if turns and self.sent_on(self.player, path[-1]):
            stops.append(opposite(path[-1]))
        changed = {self.player: moved(self.own, piece, stops[-1])}
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

    def enter(self, card: str) -> Play:
        return self.put(card, OFF, self.laws.sortie[self.player] + 1)

    def may_arrive(self) -> bool:
        """From one's sortie, when nobody of one's own waits outside."""
        return self.laws.sortie[self.player] in self.own and OFF not in self.own

    def arrive(self, card: str) -> Play:
        return self.put(card, self.laws.sortie[self.player], ARRIVED)

    def swaps(self, card: str, standing: Sequence[int], *, turns: bool = True) -> Iterator[Play]:
        for other in self.laws.targets[self.player]:
            yield from self.swaps_with(card, standing, other, turns=turns)

    def swaps_with(
        self, card: str, standing: Sequence[int], other: int, *, turns: bool = True
    ) -> Iterator[Play]:
        for theirs in sorted({one for one in self.places[other] if OFF < one < ARRIVED}):
            for piece in standing:
                if piece != theirs:
                    yield self.swap(card, piece, other, theirs, turns=turns)

    def swap(self, card: str, piece: int, other: int, theirs: int, *, turns: bool = True) -> Play:
        mine_to, theirs_to = theirs, piece
        if turns and self.sent_on(self.player, mine_to):
            mine_to = opposite(mine_to)
        if turns and self.sent_on(other, theirs_to):
            theirs_to = opposite(theirs_to)
        part = Part(self.letter, (str(piece), str(theirs)), (), self.laws.seats[other])
        changed = {
            self.player: moved(self.own, piece, mine_to),
            other: moved(self.places[other], theirs, theirs_to),
        }
        return self.play(card, part, changed)

    def sent_on(self, seat: int, cell: int) -> bool:
        """Whether a corner sends a piece to the opposite one."""
        return cell in CORNERS and cell != self.laws.sortie[seat]

    def play(self, card: str, part: Part, changed: Mapping[int, tuple[int, ...]]) -> Play:
        places = tuple([changed.get(n, one) for n, one in enumerate(self.places)])
        captured = tuple(sorted(piece for piece, _ in part.takes))
        return Play(card, (None, (part,)), Places(places), captured)

    # what was tried

    def unturned(self, card: str) -> Iterator[Play]:
        """Plays on their way: on the corner, not yet sent on."""
        rank = cards.RANK[card]
        standing = sorted({piece for piece in self.own if OFF < piece < ARRIVED})
        for one in cards.RANKS if rank == cards.JOKER else (rank,):
            for piece in standing:
                for steps, eats in WALKS.get(one, ()):
                    yield self.walk(card, piece, steps, eats=eats, turns=False)._replace(left=1)
            if one == "J":
                for play in self.swaps(card, standing, turns=False):
                    yield play._replace(left=1)

    def tried(self, card: str, position: Places) -> Iterator[Play]:
        """Whatever one of these pieces could have done to leave this board, right or wrong."""
        rank, laws, now = cards.RANK[card], self.laws, position.places[self.player]
        standing = sorted({piece for piece in self.own if OFF < piece < ARRIVED})
        yield from self.swapped(card, standing, position)
        gone: list[tuple[int, int]] = []
        if sum((Counter(now) - Counter((*self.own, *(OFF,) * PIECES))).values()) > 1:
            why = refuse("TIJOU-WALK", seat=self.letter)  # one piece a card
            yield Play(card, None, Places(self.places), broken=(why,))
            return
        for seat, was in enumerate(self.places):
            if seat != self.player:
                lost = taken_off(was, position.places[seat])
                if lost is None:
                    return
                gone += [(seat, place) for place in lost]
        for piece in standing:
            for steps in (*range(1, RING // 2 + 1), *range(-1, -RING // 2, -1)):
                yield from self.walked(card, piece, steps, now, gone)
        if gone:
            return
        for piece in standing:
            if now == moved(self.own, piece, ARRIVED):
                fits = rank in (*ARRIVING, cards.JOKER)
                done = fits and piece == laws.sortie[self.player] and self.may_arrive()
                why = refuse("TIJOU-ARRIVE", seat=self.letter, cell=piece)
                yield self.put(card, piece, ARRIVED)._replace(broken=() if done else (why,))
        for cell in range(1, RING + 1):
            if OFF in self.own and now == moved(self.own, OFF, cell):
                fits = rank in laws.enters or rank == cards.JOKER
                done = fits and cell == laws.sortie[self.player] + 1
                why = refuse("TIJOU-ENTER", seat=self.letter, cell=cell)
                yield self.put(card, OFF, cell)._replace(broken=() if done else (why,))
            if ARRIVED in self.own and now == moved(self.own, ARRIVED, cell):
                why = refuse("TIJOU-ARRIVE", seat=self.letter, cell=laws.arrival[self.player])
                yield self.put(card, ARRIVED, cell)._replace(broken=(why,))

    def walked(
        self,
        card: str,
        piece: int,
        steps: int,
        now: tuple[int, ...],
        gone: Sequence[tuple[int, int]],
    ) -> Iterator[Play]:
        """A walk that may have left one's own pieces so, with what is wrong about it."""
        rank, letter = cards.RANK[card], self.letter
        ranks = cards.RANKS if rank == cards.JOKER else (rank,)
        allowed = {walk for one in ranks for walk in WALKS.get(one, ())}
        way = 1 if steps > 0 else -1
        path = [(piece - 1 + n) % RING + 1 for n in range(way, steps + way, way)]
        end = path[-1]
        right = opposite(end) if self.sent_on(self.player, end) else end
        for stop in (end, opposite(end)) if end in CORNERS else (end,):
            after = moved(self.own, piece, stop)
            lost = taken_off(after, now)
            if lost is None or stop in lost or stop == piece:
                continue
            faults: tuple[Refusal, ...] = ()
            if stop != right:
                faults += (refuse("TIJOU-CORNER", seat=letter, cell=end),)
            if rank == "J":
                faults += (refuse("TIJOU-SWAP", seat=letter),)
            elif steps not in {one for one, _ in allowed}:
                worth = " ".join(map(str, sorted({abs(one) for one, _ in allowed})))
                faults += (refuse("TIJOU-WALK", seat=letter, moved=steps, worth=worth, card=card),)
            eaten = path if self.laws.eat_landing else path[:-1]
            wrong = [
                (seat, place)
                for seat, place in (*gone, *[(self.player, place) for place in lost])
                if (steps, True) not in allowed
                or seat not in self.laws.enemies[self.player]
                or place not in eaten
            ]
            if any(place not in (*path, stop) for _, place in wrong):
                faults += (refuse("BOARD", more=0, fewer=len(wrong)),)
            elif wrong:
                seat, place = wrong[0]
                by = self.laws.seats[seat]
                faults += (refuse("TIJOU-EAT", seat=letter, by=by, cell=place),)
            part = Part(letter, (str(piece), *map(str, dict.fromkeys((end, stop)))))
            yield Play(card, (None, (part,)), Places(self.places), broken=faults)

    def swapped(self, card: str, standing: Sequence[int], position: Places) -> Iterator[Play]:
        rank, laws = cards.RANK[card], self.laws
        for other in range(len(laws.seats)):
            if other == self.player:
                continue
            for play in self.swaps_with(card, standing, other):
                if play.position == position:
                    fair = other in laws.targets[self.player]
                    why = refuse("TIJOU-SWAP", seat=self.letter, by=laws.seats[other])
                    allowed = fair and rank in ("J", cards.JOKER)
                    yield play._replace(broken=() if allowed else (why,))

    def put(self, card: str, piece: int, to: int) -> Play:
        """A piece simply put somewhere."""
        laws = self.laws
        names = {OFF: CAMP, ARRIVED: laws.arrival[self.player]}
        part = Part(self.letter, (names.get(piece, str(piece)), names.get(to, str(to))))
        return self.play(card, part, {self.player: moved(self.own, piece, to)})

    @property
    def letter(self) -> str:
        return self.laws.seats[self.player]


def moved(pieces: tuple[int, ...], piece: int, to: int) -> tuple[int, ...]:
    left = list(pieces)
    left[left.index(piece)] = to
    return tuple(sorted(left))


def taken_off(was: tuple[int, ...], now: tuple[int, ...]) -> tuple[int, ...] | None:
    """The places of the pieces that are off the board now; None if others moved as well."""
    come = Counter(now) - Counter(was)
    if any(place != OFF for place in come):
        return None
    return tuple((Counter(was) - Counter(now)).elements())


def opposite(corner: int) -> int:
    return (corner - 1 + RING // 2) % RING + 1


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
        arrival_of={s: arrival_name(h) for s, h in zip(setup.seats, hosts, strict=True)},
        enemies=tuple(enemies),
        targets=tuple(tuple(one) for one in others) if anyone else tuple(enemies),
        enters=frozenset(("2", "K") if setup.chosen["king_enters"] else ("2",)),
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
        self, setup: Setup, position: Places, seat: str, hand: Sequence[str], card: str
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
        after, laws = self.seen_as(setup, seen), compiled(setup)
        if after is None:
            astray = [piece for piece, cell in seen if cell in ARRIVALS and piece == seat]
            if astray:
                why = refuse("TIJOU-ARRIVE", seat=seat)
                yield Play(card, None, position, broken=(why,))
            return
        for number, letter in enumerate(setup.seats):
            moves = Moves(laws, position, number)
            fits = [
                rank
                for rank in cards.RANKS
                if any(play.position == after for play in moves.of_card(CARD_OF[rank]))
            ]
            if letter != seat:
                turn = (refuse("TURN", seat=letter),) if fits else ()
                why_not = (refuse("OWN", seat=letter), *turn)
            else:
                why_not = (refuse("CARD", card=card, fits=" ".join(fits)),) if fits else ()
            if letter != seat and fits:  # then it was that player's own play
                yield Play(card, None, position, broken=why_not)
            else:
                for play in moves.tried(card, after):
                    yield play._replace(broken=play.broken + why_not)

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
        places = list(position.places)
        places[number] = moved(own, best, OFF)
        return ((self.cell(laws, number, best), Places(tuple(places))),)

    def read(self, setup: Setup, form: Mapping[str, Any]) -> Places:
        laws = compiled(setup)
        places = []
        for n, cells in enumerate(pawns_of(setup, form, PIECES).values()):
            places.append(tuple(sorted(self.place(laws, n, cell) for cell in cells)))
        return Places(tuple(places))

    def place(self, laws: Laws, seat: int, cell: str) -> int:
        if cell == CAMP:
            return OFF
        if cell == laws.arrival[seat]:
            return ARRIVED
        if cell in RING_NAMES:
            return RING_NAMES[cell]
        if cell in ARRIVALS:
            raise RefereeError(f'"{cell}" is not the arrival of seat "{laws.seats[seat]}"')
        raise RefereeError(f'cell "{cell}" is not on tijou')

    def cell(self, laws: Laws, seat: int, place: int) -> str:
        return {OFF: CAMP, ARRIVED: laws.arrival[seat]}.get(place, str(place))

    def write(self, setup: Setup, position: Places) -> dict[str, Any]:
        laws = compiled(setup)
        return written(
            {
                seat: [self.cell(laws, n, place) for place in position.places[n]]
                for n, seat in enumerate(setup.seats)
            }
        )

    def read_sight(self, setup: Setup, form: Mapping[str, Any], before: Places) -> Sight:
        return sight_of(setup, form, {*RING_NAMES, *ARRIVALS})

    def sight(self, setup: Setup, position: Places) -> Sight:
        laws = compiled(setup)
        return Sight(
            (seat, self.cell(laws, n, place))
            for n, seat in enumerate(setup.seats)
            for place in position.places[n]
            if place != OFF
        )

    def seen(self, position: Places) -> Places:
        return position

    def seen_as(self, setup: Setup, sight: Sight) -> Places | None:
        laws = compiled(setup)
        found: dict[str, list[int]] = {seat: [] for seat in setup.seats}
        for (piece, cell), many in sight.items():
            own = found.get(piece)
            place = RING_NAMES.get(cell, ARRIVED)
            if own is None or (place == ARRIVED and cell != laws.arrival_of[piece]):
                return None
            own += [place] * many
        places = []
        for own in found.values():
            if len(own) > PIECES:
                return None
            own += [OFF] * (PIECES - len(own))
            own.sort()
            places.append(tuple(own))
        return Places(tuple(places))


CARD_OF = {cards.RANK[card]: card for card in cards.FIFTY_FOUR}
RING_NAMES = {str(n): n for n in range(1, RING + 1)}
ARRIVALS = tuple(arrival_name(seat) for seat in "abcd")
GAMES = (Tijou(),)
