"""Tables of every kind, and pieces scattered over them by chance."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from hardware import boards
from referee import events
from referee.deck import Hand, Pile
from referee.events import Event
from referee.game import Position, Setup
from referee.games import game, games
from referee.match import Match
from referee.notation import read_board
from referee.plays import CAMP
from referee.table import Notice, Table
from referee.umpire import step
from web.bench.pretended import Wood

TABLES = (
    "tockcitan | a: | c:",
    "tockcitan | a: | b: | c:",
    "tockcitan seven_parts=one cross=never | a: | b: | c: | d:",
    "tockcitan house_entry=18 cross=last_resort back_cross=fresh | a: | b: | c: | d:",
    "tockcitan-team teams=a,c+b,d | a: | b: | c: | d:",
    "tockcitan-team teams=a,c+b,d partner_hit=capture seven_partner=false | a: | b: | c: | d:",
    "tock-fadoq teams=a,c+b,d | a: | b: | c: | d:",
    "tock-fadoq teams=a,c+b,d shield=fresh seven_parts=many centre_hits=last | a: | b: | c: | d:",
    "tock-globe | a: | c:",
    "tock-globe house_entry=18 five_moves_shielded=true | a: | b: | c: | d:",
    "tock-globe teams=a,c+b,d seven_partner=true | a: | b: | c: | d:",
    "tock-globe tock6 | a: | c: | e:",
    "tock-globe tock6 cross=free centre_in_seven=false | a: | b: | c: | d: | e: | f:",
    "tock-globe tock8 teams=a,e+c,g | a: | c: | e: | g:",
    "tock-globe tock8 cross=never | a: | b: | c: | d: | e: | f: | g: | h:",
    "tijou | a: | c:",
    "tijou king_enters=true | a: | b: | d:",
    "tijou teams=a,c+b,d jack_targets=anyone | a: | b: | c: | d:",
    "tijou shares=e,b eat_landing=false | a: | b: | c: | d: | e:",
    "tijou teams=a,c+b,d+e,f shares=e,a+f,c | a: | b: | c: | d: | e: | f:",
    "barricades | a: | b:",
    "barricades clear_last_line=true | a: | b: | c: | d:",
    "trikolos | white: | black:",
)


@cache
def setup_of(table: str) -> Setup:
    return read_board(table)[0]


def scattered(setup: Setup, chance: random.Random) -> Position:
    """A position as chance throws it: more in the camps and houses than chance alone would."""
    found = game(setup.game)
    form = found.write(setup, found.start(setup))
    if setup.game == "trikolos":
        bag = list("GGGGGGGGGGGGGOOOOOOOOOOOORRRRRRRRRRRR")
        chance.shuffle(bag)
        form["tiles"] = ["".join(bag[n : n + 6]) for n in range(0, 36, 6)]
        form["spare"] = bag[36]
    board = boards.board(setup.board, setup.house_entry)
    free = [cell.id for cell in board.of_kind("ring", "tile", "goal") if cell.id != "spare"]
    chance.shuffle(free)
    if "barricades" in form:
        walls = [cell for cell in free if cell != "goal" and cell[1:] != "1"]
        form["barricades"] = walls[: len(form["barricades"])]
        free = [cell for cell in free if cell not in form["barricades"] and cell != "goal"]
    if setup.game == "trikolos":
        rows = dict(enumerate(form["tiles"]))
        free = [cell for cell in free if rows[int(cell[1]) - 1]["abcdef".index(cell[0])] != "R"]
    host = dict(setup.shares)
    for seat, cells in form["pawns"].items():
        houses = [
            cell.id
            for cell in board.of_kind("house", "arrival")
            if cell.seat == host.get(seat, seat)
        ]
        form["pawns"][seat] = [placed(setup, seat, free, houses, chance) for _ in cells]
    return found.read(setup, form)


def placed(
    setup: Setup, seat: str, free: list[str], houses: list[str], chance: random.Random
) -> str:
    luck = chance.random()
    if luck < 0.3:
        return CAMP
    if luck < 0.45 and setup.game == "trikolos":
        return "home"
    if luck < 0.45 and houses:
        cell = chance.choice(houses)
        if not cell.startswith("A-"):
            houses.remove(cell)
        return cell
    start = f"{seat}18"
    if luck < 0.55 and start in free:
        free.remove(start)
        return start + "*" * (chance.random() < 0.6)
    return chance.choice(free) if setup.game == "tijou" else free.pop()


@pytest.fixture(scope="session")
def throw() -> Callable[[str, int], tuple[Setup, Position, random.Random]]:
    """A table and a position on it, always the same for the same number."""

    def thrown(table: str, seed: int) -> tuple[Setup, Position, random.Random]:
        chance = random.Random(seed)
        setup = setup_of(table)
        return setup, scattered(setup, chance), chance

    return thrown


def a_card(setup: Setup, chance: random.Random) -> tuple[list[str], str | None]:
    """A hand and the card that is played; for a die its throw."""
    found = game(setup.game)
    if found.die:
        throw = str(chance.randint(1, 6))
        return [throw], throw
    if not found.deck:
        return [""], None
    hand = chance.sample(found.deck, 5)
    return hand, hand[0]


@pytest.fixture(scope="session")
def deal() -> Callable[[Setup, random.Random], tuple[list[str], str | None]]:
    return a_card


def pytest_generate_tests(metafunc: Any) -> None:
    if "table" in metafunc.fixturenames:
        metafunc.parametrize("table", TABLES)
    if "each_game" in metafunc.fixturenames:
        metafunc.parametrize("each_game", sorted(games()))


class Sitting:
    """An evening at one table: what is said to the umpire, what it says, what stands there."""

    def __init__(
        self,
        line: str,
        turn: str,
        hands: dict[str, str],
        mode: str,
        set_up: bool,
        **opened: Any,
    ):
        setup, position = read_board(line)
        self.clock = 0.0
        self.said: list[Notice] = []
        self.now, _ = step(
            None,
            events.Opened(
                game=setup.game,
                board=setup.board,
                seats=setup.seats,
                house_entry=setup.house_entry,
                teams=setup.teams,
                options=setup.options,
                shares=setup.shares,
                mode=mode,
                **opened,
            ),
        )
        self.wood = Wood(setup)
        if turn:
            self.under_way(turn, hands, position)
        elif set_up:
            self.restored()

    def under_way(self, turn: str, hands: dict[str, str], position: Position) -> None:
        """The middle of a game: hands as given, everybody else's from the rest of the deck."""
        match = self.match
        changes: dict[str, Any] = {"position": position, "turn": turn, "dealer": match.order[0]}
        phase = "turn" if match.game.deck or match.game.die else "move"
        if match.game.deck:
            held = {seat: tuple(hands[seat].split()) for seat in hands}
            rest = [card for card in match.game.deck if not any(card in h for h in held.values())]
            for seat in match.order:
                if seat not in held:
                    held[seat], rest = tuple(rest[:5]), rest[5:]
            known = {seat: Hand(cards) for seat, cards in held.items()}
            blank = {seat: Hand((), len(cards)) for seat, cards in held.items()}
            changes["hands"] = tuple(known.items() if match.phone_deck else blank.items())
            changes["pile"] = Pile(tuple(rest)) if match.phone_deck else Pile(hidden=len(rest))
        self.now = self.now.but(match=match.but(phase=phase, deals=1, turns=1, **changes))
        self.wood.stand(self.match.sight)
        self.look()

    @property
    def match(self) -> Match:
        return self.now.match

    def tell(self, event: Event, wait: float = 0.2) -> Table:
        self.clock += wait
        self.now, intents = step(self.now, replace(event, at=self.clock))
        self.said = [intent.notice for intent in intents]
        return self.now

    def look(self, unsure: tuple[str, ...] = ()) -> Table:
        pieces = tuple(one for one in self.wood.pieces() if one[1] not in unsure)
        return self.tell(events.Seen(pieces=pieces, unsure=unsure, picture=f"{self.clock:.1f}.png"))

    def shows(self, *hands: str, unsure: tuple[str, ...] = ()) -> Table:
        """Pieces moved by hand, `a:b3>b7`; `a:b3>` stays in the hand; to or from `camp`."""
        for hand in hands:
            piece, _, way = hand.partition(":")
            origin, _, to = way.partition(">")
            if origin != CAMP:
                self.wood.sight[piece, origin] -= 1
            if to and to != CAMP:
                self.wood.sight[piece, to] += 1
            if to == "":
                self.wood.held[piece] += 1
            elif origin == "":
                self.wood.held[piece] -= 1
        self.wood.sight = +self.wood.sight
        return self.look(unsure)

    def restored(self) -> Table:
        self.wood.stand(self.match.sight)
        return self.look()

    def plays(self, seat: str, card: str, *hands: str) -> Table:
        self.tell(events.Announced(seat=seat, card=card))
        return self.shows(*hands)

    @property
    def keys(self) -> list[str]:
        return [one.key for one in self.said]

    @property
    def kinds(self) -> list[str]:
        return [case.kind for case in self.now.cases]


@pytest.fixture(scope="session")
def sit() -> Callable[..., Sitting]:
    """`sit("tockcitan | a: b3 | c:", turn="a", hands={"a": "8S"})`: a table in the middle of it."""

    def sat(
        line: str,
        turn: str = "",
        hands: dict[str, str] | None = None,
        mode: str = "phone",
        set_up: bool = True,
        **o: Any,
    ) -> Sitting:
        return Sitting(line, turn, hands or {}, mode, set_up, **o)

    return sat
