"""What a game is to the rest of the house: facts, and a handful of pure functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol

from referee.flow import Flow
from referee.plays import Play, RefereeError, Standing

Value = str | bool
Partners = Literal["never", "always", "choice"]
Seatings = Mapping[str, tuple[tuple[str, ...], ...]]  # by board, fewest players first
Sight = Counter[Standing]  # what stands where; pieces in a camp are left out
Position = Any  # each game has its own frozen kind


@dataclass(frozen=True)
class Setup:
    """What is fixed for a game: which, on what board, who sits where, by which options."""

    game: str
    board: str
    seats: tuple[str, ...]
    house_entry: int = 16
    teams: tuple[tuple[str, ...], ...] = ()
    options: tuple[tuple[str, Value], ...] = ()
    shares: tuple[tuple[str, str], ...] = ()
    chosen: Mapping[str, Value] = field(init=False, repr=False, compare=False)
    digest: int = field(init=False, repr=False, compare=False)  # asked for at every judgement

    def __post_init__(self) -> None:
        object.__setattr__(self, "chosen", dict(self.options))
        whole = self.game, self.board, self.seats, self.house_entry, self.teams, self.options
        object.__setattr__(self, "digest", hash((*whole, self.shares)))

    def __hash__(self) -> int:
        return self.digest

    def mates(self, seat: str) -> tuple[str, ...]:
        """The other seats of a seat's team."""
        for team in self.teams:
            if seat in team:
                return tuple(other for other in team if other != seat)
        return ()


class Judged(NamedTuple):
    """What a hand can do; `forced` says what must be done when nothing can."""

    plays: list[Play]
    forced: str | None


class Game(Protocol):
    """One game. Positions are frozen and equal when the board and all that counts is equal."""

    name: str
    boards: tuple[str, ...]
    seats: tuple[str, ...]  # all there are
    options: Mapping[str, tuple[Value, ...]]  # the values of each, its default first
    deck: tuple[str, ...]  # the cards; empty where there are none
    die: bool
    flow: Flow  # as it goes where no option says otherwise
    seatings: Seatings
    guests: tuple[str, ...]  # seats without cells of their own
    partners: Partners  # whether those who face each other play together
    bag: str  # the tiles its board is laid with, by their letters
    house_entries: tuple[int, ...]  # where its boards' houses may begin; none without houses

    def flow_of(self, setup: Setup) -> Flow: ...
    def check(self, setup: Setup) -> None: ...
    def start(self, setup: Setup) -> Position: ...
    def winners(self, setup: Setup, position: Position) -> tuple[str, ...]: ...
    def judge(
        self, setup: Setup, position: Position, seat: str, hand: Sequence[str], card: str | None
    ) -> Judged: ...
    def partials(
        self,
        setup: Setup,
        position: Position,
        seat: str,
        hand: Sequence[str],
        card: str,
        seen: Sight | None = None,
    ) -> Iterator[Play]:
        """Legal plays on their way; those that cannot lead to what is seen may be left out."""

    def attempts(
        self,
        setup: Setup,
        position: Position,
        seat: str,
        hand: Sequence[str],
        card: str,
        seen: Sight,
    ) -> Iterator[Play]:
        """Plays that would explain what is seen, with the rules they break."""

    def penalties(
        self, setup: Setup, position: Position, seat: str
    ) -> tuple[tuple[str, Position], ...]:
        """What a cheat loses: the cells of the best placed pieces, each with the board after."""

    def read(self, setup: Setup, form: Mapping[str, Any]) -> Position: ...
    def write(self, setup: Setup, position: Position) -> dict[str, Any]: ...
    def read_sight(self, setup: Setup, form: Mapping[str, Any], before: Position) -> Sight: ...
    def sight(self, setup: Setup, position: Position) -> Sight: ...
    def seen(self, position: Position) -> Hashable: ...
    def seen_as(self, setup: Setup, sight: Sight) -> Hashable: ...


def chosen_options(game: Game, given: Mapping[str, Any]) -> tuple[tuple[str, Value], ...]:
    """Every option of a game with its value; an unknown one, or an unknown value, is an error."""
    for name, value in given.items():
        if name not in game.options:
            where = " (it belongs to the board)" if name == "house_entry" else ""
            names = ", ".join(game.options) or "none"
            raise RefereeError(f'no option "{name}" in {game.name}{where}; there are: {names}')
        choices = game.options[name]
        if not any(type(value) is type(choice) and value == choice for choice in choices):
            said = ", ".join(str(choice).lower() for choice in choices)
            raise RefereeError(f'option "{name}" is one of {said}, not {value!r}')
    return tuple((name, given.get(name, choices[0])) for name, choices in game.options.items())


def check_setup(game: Game, setup: Setup) -> None:
    """What a game has none of is an error that says so."""
    for team in setup.teams:
        for seat in team:
            if seat not in setup.seats:
                raise RefereeError(f'"teams": seat {seat!r} does not play')
        if len(team) > 1 and game.partners == "never":
            raise RefereeError(f'"teams": in {game.name} everybody plays alone')
    if setup.shares and not game.guests:
        raise RefereeError(f'"shares": nobody shares cells in {game.name}')
    if setup.house_entry not in (game.house_entries or (16,)):
        entries = " or ".join(str(entry) for entry in game.house_entries)
        what = f"is {entries}" if entries else f"is of Tock boards; {setup.board} has no houses"
        raise RefereeError(f'"house_entry" {what}, not {setup.house_entry!r}')
    game.check(setup)
