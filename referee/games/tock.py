"""The Tock family: four games on one cross of four, six or eight branches.

What differs between them is data (`Tock`) and options, compiled once into `Laws`, by which
`Moves` yields every play of a card.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from referee import cards
from referee.cross import masks_of_sight, read_cross, sight_of_cross, write_cross
from referee.flow import Flow
from referee.form import sight_of
from referee.game import Judged, Setup, Sight, Value
from referee.moves import Laws, Moves
from referee.plays import Play, RefereeError, once, refuse
from referee.seven import unspent
from referee.track import BRANCH, Pawns, track
from referee.tried import Clues, stacked, tried


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
        masks, laws = self.seen_as(setup, seen), compiled(setup)
        moves = Moves(laws, position, self.number(setup, seat), True)
        if masks is None:
            once_each = self.seen_as(setup, Sight(set(seen)))
            if once_each is not None:
                twice = [one for one, count in seen.items() if count > 1]
                yield from stacked(moves, card, twice, once_each)
            return
        for play in tried(moves, card, masks, clues(setup, position, seat, masks)):
            if not play.broken and play.crosses and laws.cross == "last_resort":
                play = play._replace(broken=(refuse("TOCK-CROSS", seat=seat, cross=laws.cross),))
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


@lru_cache(maxsize=16)
def clues(setup: Setup, position: Pawns, seat: str, seen: tuple[int, ...]) -> Clues:
    laws = compiled(setup)
    return Clues(Moves(laws, position, laws.numbers[seat], True), seen)


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
