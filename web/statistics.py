"""The figures of a match, from its events alone, and from what all could see of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from hardware import boards
from hardware.boards.tijou import CORNERS
from referee import cards, events
from referee.events import Event
from referee.match import Match
from referee.plays import Play
from referee.table import Table
from web.states import Step, steps

FARTHEST = 13  # no card walks farther; more than that backward round a ring is forward


@dataclass(frozen=True)
class SeatFigures:
    """One player's share of a match: the seat at its end, whatever seats were held before."""

    seat: str
    person: str
    plays: int = 0
    idle: int = 0  # turns in which nothing could be played
    captures: int = 0  # opponents' pieces sent off
    suffered: int = 0  # own pieces sent off, by whomever
    laps: int | None = None  # rounds of the board; None where there are none
    cards: int = 0  # cards laid open that have a value, or throws
    mean_card: float | None = None
    seconds: float = 0.0  # on turn, pauses left out
    longest: float = 0.0  # the longest turn
    irregularities: int = 0
    taken_back: int = 0

    @property
    def idle_share(self) -> float | None:
        turns = self.plays + self.idle
        return self.idle / turns if turns else None


@dataclass(frozen=True)
class MatchFigures:
    game: str
    board: str
    seats: tuple[SeatFigures, ...]
    seconds: float = 0.0
    turns: int = 0
    irregularities: tuple[tuple[str, int], ...] = ()  # by kind
    mended: int = 0
    winners: tuple[str, ...] = ()
    points: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class Act:
    """What a turn came to; taken back with it."""

    who: str
    plays: int = 0
    idle: int = 0
    captures: int = 0
    hits: tuple[str, ...] = ()  # whose pieces went off
    laps: int = 0
    values: tuple[int, ...] = ()


@dataclass
class Tally:
    """What is counted while a match goes by."""

    acts: list[Act] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
    longest: dict[str, float] = field(default_factory=dict)
    taken_back: Counter[str] = field(default_factory=Counter)
    turn: tuple[str, int] = ("", 0)
    lasting: float = 0.0
    paused: float = 0.0
    cases: Counter[str] = field(default_factory=Counter)

    def hear(self, one: Step) -> None:
        before, after = one.before, one.table
        if before is None:
            return
        self.time(before, after)
        for case in after.cases[len(before.cases) :]:
            self.cases[player(after.match, case.seat)] += 1
        act = act_of(one)
        if act is not None:
            self.acts.append(act)
        if any(intent.notice.key == "undo.done" for intent in one.intents) and self.acts:
            self.taken_back[self.acts.pop().who] += 1

    def time(self, before: Table, after: Table) -> None:
        passed = after.at - before.at
        if before.paused:
            self.paused += passed
            return
        seat = player(before.match, before.match.turn)
        turn = seat, before.match.turns
        self.lasting = passed + (self.lasting if turn == self.turn else 0.0)
        self.turn = turn
        if seat:
            self.seconds[seat] = self.seconds.get(seat, 0.0) + passed
            self.longest[seat] = max(self.longest.get(seat, 0.0), self.lasting)


def player(match: Match, seat: str) -> str:
    """Points and figures follow the person; two of one name are told apart by their seats."""
    names = [person for _, person in match.persons]
    return match.person(seat) if seat and len(set(names)) == len(names) else seat


def act_of(one: Step) -> Act | None:
    """What an event brought about, if a turn came to something."""
    assert one.before is not None
    match = one.before.match
    for intent in one.intents:
        if intent.notice.key == "play.done":
            facts = dict(intent.notice.facts)
            return of_play(one.before, str(facts["seat"]), facts["play"])
    if one.table.match is match:
        return None
    who = player(match, match.turn)
    if isinstance(one.event, (events.Discarded, events.PutDown)):
        laid = getattr(one.event, "cards", None) or (getattr(one.event, "card", ""),)
        return Act(who, idle=1, values=values(laid))
    if isinstance(one.event, events.Adopted):
        return Act(who)
    if isinstance(one.event, events.Passed):
        stuck = match.game.die and match.phase == "move"
        return Act(who, idle=int(stuck), values=values((match.card,)) if stuck else ())
    return None


def of_play(table: Table, seat: str, play: Play) -> Act:
    match = table.match
    laid = (play.card or match.card,)
    laps = sum(rounds(match.setup.board, *one) for one in ways(match, play))
    if match.setup.game.startswith("tock"):
        laps += play.crosses
    allies = {seat, *match.setup.mates(seat)}
    captures = sum(hit not in allies for hit in play.captured)
    hits = tuple(player(match, hit) for hit in play.captured)
    return Act(player(match, seat), 1, 0, captures, hits, laps, values(laid))


def ways(match: Match, play: Play) -> Iterable[tuple[str, str, str]]:
    """Each walk of a play: whose cells count as home, from where, to where."""
    shares = dict(match.setup.shares)
    for part in play.parts:
        if not part.swap and len(part.path) > 1:
            owner = shares.get(part.piece, part.piece)
            for origin, to in zip(part.path, part.path[1:], strict=False):
                yield owner, origin, to


@lru_cache(maxsize=16)
def ring_of(board: str) -> dict[str, int]:
    return {cell.id: n for n, cell in enumerate(boards.board(board).of_kind("ring"))}


@lru_cache(maxsize=16)
def goes_round(board: str) -> bool:
    """Whether pieces walk round a ring until they are home."""
    cells = boards.board(board)
    return bool(cells.of_kind("ring") and cells.of_kind("house", "arrival"))


def rounds(board: str, owner: str, origin: str, to: str) -> int:
    """Whether a walk ends a round of the board."""
    if not goes_round(board):
        return 0
    ring = ring_of(board)
    if origin not in ring:
        return 0
    if to not in ring:
        return int(to != "camp")  # into the house, or the arrival: once round
    if boards.board(board).of_kind("house"):
        return 0  # crossing is the play's own word
    sortie = ring[str(CORNERS["abcd".index(owner)])]
    walked = (ring[to] - ring[origin]) % len(ring)
    return int((sortie - ring[origin]) % len(ring) < walked <= FARTHEST)


def values(laid: Iterable[str]) -> tuple[int, ...]:
    """What cards are worth in steps, or a throw; jokers and unnamed cards have no number."""
    found = []
    for card in laid:
        if card.isdecimal():
            found.append(int(card))
        elif cards.RANK.get(card) in cards.RANKS:
            found.append(cards.RANKS.index(cards.RANK[card]) + 1)
    return tuple(found)


def figures(happened: Iterable[Event]) -> MatchFigures:
    """The figures of a match, finished or not: nothing hidden goes into them."""
    tally = Tally()
    table: Table | None = None
    began = 0.0
    for one in steps(happened):
        if table is None:
            began = one.table.at
        tally.hear(one)
        table = one.table
    if table is None:
        return MatchFigures("", "", ())
    match = table.match
    return MatchFigures(
        match.setup.game,
        match.setup.board,
        tuple(of_seat(table, tally, seat) for seat in match.order),
        table.at - began - tally.paused,
        match.turns,
        tuple(sorted(Counter(case.kind for case in table.cases).items())),
        sum(case.mended is not None for case in table.cases),
        match.champions,
        match.points,
    )


def of_seat(table: Table, tally: Tally, seat: str) -> SeatFigures:
    who = player(table.match, seat)
    own = [act for act in tally.acts if act.who == who]
    laid = [value for act in own for value in act.values]
    return SeatFigures(
        seat,
        table.match.person(seat),
        plays=sum(act.plays for act in own),
        idle=sum(act.idle for act in own),
        captures=sum(act.captures for act in own),
        suffered=sum(act.hits.count(who) for act in tally.acts),
        laps=sum(act.laps for act in own) if goes_round(table.match.setup.board) else None,
        cards=len(laid),
        mean_card=sum(laid) / len(laid) if laid else None,
        seconds=tally.seconds.get(who, 0.0),
        longest=tally.longest.get(who, 0.0),
        irregularities=tally.cases[who],
        taken_back=tally.taken_back[who],
    )
