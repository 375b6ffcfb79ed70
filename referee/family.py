"""Games of four pawns on a ring with houses, as the rest of the house asks for them.

What their cards do is the game file's business; it is asked here for `Laws`, `Moves` and `Flow`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from referee import cards
from referee.cross import masks_of_sight, read_cross, sight_of_cross, write_cross
from referee.flow import Flow
from referee.form import sight_of
from referee.game import Judged, Partners, Seatings, Setup, Sight, Value
from referee.plays import Play, RefereeError, once, refuse
from referee.seven import unspent
from referee.track import BRANCH, Pawns, track
from referee.tried import Clues, stacked, tried, within_seven

if TYPE_CHECKING:
    from referee.games.tock import Laws, Moves


@dataclass(frozen=True, eq=False)
class Tock:
    """One of the games, as data, with the rules of its file."""

    name: str
    seatings: Seatings
    options: Mapping[str, tuple[Value, ...]]
    deck: tuple[str, ...]
    flow: Flow
    partners: Partners
    laws: Callable[[Setup], Laws]
    moves: type[Moves]
    flowing: Callable[[Flow, Setup], Flow]
    boards: tuple[str, ...] = field(init=False)
    seats: tuple[str, ...] = tuple("abcdefgh")
    guests: tuple[str, ...] = ()
    die: bool = False
    bag: str = ""
    house_entries: tuple[int, ...] = (16, 18)

    def __post_init__(self) -> None:
        object.__setattr__(self, "boards", tuple(self.seatings))

    def flow_of(self, setup: Setup) -> Flow:
        return self.flowing(self.flow, setup)

    def check(self, setup: Setup) -> None:
        ring = track(setup.board, setup.house_entry)
        for seat in setup.seats:
            if seat not in ring.branches:
                raise RefereeError(f'seat "{seat}" is not on {setup.board}')

    def start(self, setup: Setup) -> Pawns:
        return Pawns((0,) * self.laws(setup).track.seats, 0)

    def winners(self, setup: Setup, position: Pawns) -> tuple[str, ...]:
        laws = self.laws(setup)
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
        laws = self.laws(setup)
        if self.winners(setup, position):
            return Judged([], None)
        if not hand:
            return Judged([], "pass")
        moves = self.moves(laws, position, laws.numbers[seat])
        asked = hand if card is None else (card,)
        found = each_card(moves, asked)
        if laws.cross == "last_resort":
            free = [play for play in found if not play.crosses]
            spared = len(free) < len(found)
            if spared and (free or can(moves, hand, asked, crossing=False)):
                found = free
        forced = None
        if not found and not can(moves, hand, asked, crossing=True):
            forced = self.flow_of(setup).stuck
        return Judged(found, forced)

    def penalties(self, setup: Setup, position: Pawns, seat: str) -> tuple[tuple[str, Pawns], ...]:
        return ()

    def read(self, setup: Setup, form: Mapping[str, Any]) -> Pawns:
        return read_cross(setup, self.laws(setup).track, form)

    def write(self, setup: Setup, position: Pawns) -> dict[str, Any]:
        return write_cross(setup, self.laws(setup).track, position)

    def read_sight(self, setup: Setup, form: Mapping[str, Any], before: Pawns) -> Sight:
        return sight_of(setup, form, self.laws(setup).track.cells)

    def sight(self, setup: Setup, position: Pawns) -> Sight:
        return sight_of_cross(self.laws(setup).track, position)

    def seen(self, position: Pawns) -> tuple[int, ...]:
        return position.masks

    def seen_as(self, setup: Setup, sight: Sight) -> tuple[int, ...] | None:
        return masks_of_sight(setup, self.laws(setup).track, sight)

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
        masks, laws = self.seen_as(setup, seen), self.laws(setup)
        moves = self.moves(laws, position, laws.numbers[seat], True)
        if masks is None:
            once_each = self.seen_as(setup, Sight(set(seen)))
            if once_each is not None:
                twice = [one for one, count in seen.items() if count > 1]
                yield from stacked(moves, card, twice, once_each)
            return
        for play in tried(moves, card, masks, clues(self, setup, position, seat, masks)):
            if not play.broken and play.crosses and laws.cross == "last_resort":
                play = play._replace(broken=(refuse("TOCK-CROSS", seat=seat, cross=laws.cross),))
            yield play

    def partials(
        self,
        setup: Setup,
        position: Pawns,
        seat: str,
        hand: Sequence[str],
        card: str,
        seen: Sight | None = None,
    ) -> Iterator[Play]:
        """A seven on its way: whole parts walked, from where a legal play can still come."""
        if cards.rank(card) != "7":
            return
        laws = self.laws(setup)
        moves = self.moves(laws, position, laws.numbers[seat])
        masks = self.seen_as(setup, seen) if seen is not None else None
        if masks is not None and not within_seven(moves, masks):
            return
        whole = {play.position for play in self.judge(setup, position, seat, hand, card).plays}
        yield from unspent(moves, card, whole)


def each_card(moves: Moves, asked: Sequence[str]) -> list[Play]:
    """Each card's plays; those of one rank are found once."""
    found: list[Play] = []
    ranks: dict[str, list[Play]] = {}
    for card in dict.fromkeys(asked):
        rank = cards.RANK[card]
        if rank not in ranks:
            ranks[rank] = once(moves.of_card(card))
            found += ranks[rank]
        else:
            found += [play._replace(card=card) for play in ranks[rank]]
    return found


def can(moves: Moves, hand: Sequence[str], but: Sequence[str], *, crossing: bool) -> bool:
    """Whether some other card of the hand has a play."""
    ranks = {cards.RANK[card]: card for card in hand if card not in but}
    return any(
        crossing or not play.crosses for card in ranks.values() for play in moves.of_card(card)
    )


@lru_cache(maxsize=16)
def clues(game: Tock, setup: Setup, position: Pawns, seat: str, seen: tuple[int, ...]) -> Clues:
    laws = game.laws(setup)
    return Clues(game.moves(laws, position, laws.numbers[seat], True), seen)
