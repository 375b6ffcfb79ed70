"""The players of the demonstration get every game to its end, by events like anybody."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from referee import events
from referee.game import Sight
from referee.games import games
from referee.table import Table
from referee.umpire import step
from web.bench.pretended import Wood
from web.chance import Chance
from web.opening import opening
from web.twin.players import Do, Players, Say, Tidy

LONGEST = 6000


class Watched:
    """A table whose camera sees at once whatever is done."""

    def __init__(self, game: str, seed: int) -> None:
        self.dice = random.Random(seed)
        self.chance = Chance(self.dice)
        opened = opening({"game": game, "mode": "phone"}, self.chance, camera=True)
        self.table, _ = step(None, opened)
        self.hear(self.seen(self.table.expected))

    def seen(self, sight: Sight) -> events.Seen:
        wood = Wood(self.table.match.setup)
        wood.stand(sight)
        return events.Seen(pieces=wood.pieces())

    def hear(self, event: events.Event) -> None:
        self.table, _ = step(self.table, replace(event, at=self.table.at + 1.0))
        while (more := self.chance.automatic(self.table)) is not None:
            self.table, _ = step(self.table, replace(more, at=self.table.at))


def played(game: str, seed: int, seats: str | None = None) -> Table:
    """One game from the lots to the winner."""
    here = Watched(game, seed)
    players = Players(here.chance, here.dice)
    for _ in range(LONGEST):
        table = here.table
        if table.match.games_done or table.match.phase == "over":
            return table
        act = players.decide(table, table.match.setup.seats)
        assert act is not None, (table.stage, table.match.phase)
        if isinstance(act, Say):
            here.hear(act.event)
        elif isinstance(act, Do):
            match = table.match
            here.hear(here.seen(match.game.sight(match.setup, act.play.position)))
        else:
            assert isinstance(act, Tidy)
            here.hear(here.seen(table.expected))
    raise AssertionError(f"{game} never ends: {here.table.match.position}")


@pytest.mark.parametrize("game", sorted(games()))
def test_every_game_is_played_to_its_end_without_a_case(game: str) -> None:
    table = played(game, 3)
    assert table.match.winners or table.match.drawn_game
    assert table.cases == ()


def test_players_speak_for_the_free_seats_only() -> None:
    here = Watched("tijou", 1)
    players = Players(here.chance, here.dice)
    while here.table.match.phase != "turn":
        act = players.decide(here.table, here.table.match.setup.seats)
        assert isinstance(act, Say)
        here.hear(act.event)
    mine = here.table.match.turn
    others = [seat for seat in here.table.match.setup.seats if seat != mine]
    assert players.decide(here.table, others) is None
    act = players.decide(here.table, [mine])
    assert isinstance(act, Say)
    assert act.event.kind in ("announced", "put-down")


def test_a_wish_to_take_back_is_granted_by_everybody_else() -> None:
    here = Watched("barricades", 2)
    players = Players(here.chance, here.dice)
    while not here.table.history:
        act = players.decide(here.table, here.table.match.setup.seats)
        if isinstance(act, Say):
            here.hear(act.event)
        elif isinstance(act, Do):
            match = here.table.match
            here.hear(here.seen(match.game.sight(match.setup, act.play.position)))
    before = here.table.history[-1].position
    mover = here.table.match.last_seat
    here.hear(events.UndoAsked(seat=mover))
    others = [seat for seat in here.table.match.setup.seats if seat != mover]
    for _ in range(len(others)):
        act = players.decide(here.table, others)
        if not isinstance(act, Say):
            break
        here.hear(act.event)
    assert here.table.match.position == before
