"""The demonstration: the free seats play by themselves, with hands on the virtual board."""

from __future__ import annotations

import logging
import random
import threading
from collections.abc import Callable

from referee import events
from referee.games import games
from referee.match import Match
from referee.plays import Play, RefereeError
from referee.table import Table
from web import opening
from web.chance import Chance
from web.house import BusyError, House
from web.owner import Moment
from web.twin.hands import Hands, hand_over, leaving
from web.twin.orders import carries
from web.twin.players import Do, Players, Say, Tidy
from web.twin.table import VirtualTable

log = logging.getLogger(__name__)

FIRST = "tijou"
BEAT = 0.3  # seconds between two looks at the table
THOUGHT = 1.1  # before somebody says something
SEEN = 25.0  # seconds the camera has to see what was done; then it is tapped
BETWEEN = 12.0  # from the end of a match to the next one
CHOOSING = 120.0  # the same where the host's page is open: a game may be chosen there


class Demo:
    """A thread that plays the seats nobody has taken. It may be told to rest."""

    def __init__(
        self,
        house: House,
        table: VirtualTable,
        held: Callable[[str], bool],
        rng: random.Random | None = None,
        pace: float = 1.0,
        first: str = FIRST,
        choosing: Callable[[], bool] = lambda: False,
    ) -> None:
        self._house, self._table, self._held = house, table, held
        self._rng = rng or random.Random()
        self._pace = pace
        self._first, self._choosing = first, choosing
        self._players = Players(Chance(), self._rng)
        self._stopping = threading.Event()
        self._hands = Hands(self.wait, 0.55 * pace)
        self.playing = True
        self._begun = False  # the first match is the one that was asked for
        self._over = self._waited = 0.0
        self._thread = threading.Thread(target=self._run, name="demo", daemon=True)

    def start(self) -> Demo:
        self._house.listen(self.lay)
        self.lay(self._house.now)
        self._thread.start()
        return self

    def stop(self, patience: float = 1.0) -> None:
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(patience)

    def wait(self, seconds: float) -> bool:
        return self._stopping.wait(seconds)

    def lay(self, moment: Moment) -> None:
        """The desk has the board of the game that is played, or will be the first."""
        if moment.table is not None:
            setup = moment.table.match.setup
            self._table.wanted = (setup.board, setup.house_entry)
        elif not self._begun:
            self._table.wanted = (games()[self._first].boards[0], 16)

    def _run(self) -> None:
        while not self.wait(BEAT * self._pace):
            try:
                self.beat()
            except (RefereeError, BusyError) as error:
                log.info("the demonstration was refused: %s", error)
                self.wait(1.0)
            except Exception:  # the outermost loop of this thread: people can still play
                log.exception("the demonstration stumbled")
                self.wait(5.0)

    def beat(self) -> None:
        """One thing that a free seat, or the table, has to do now."""
        table = self._house.now.table
        if not self.playing:
            return
        if table is None or table.match.phase == "over":
            self.between(table)
            return
        self._begun, self._over = True, 0.0
        free = [seat for seat in table.match.setup.seats if not self._held(seat)]
        act = self._players.decide(table, free)
        if isinstance(act, Say):
            self.wait(THOUGHT * self._pace)
            self._house.say(act.event)
        elif isinstance(act, Do):
            self.do(table, act.play)
        elif isinstance(act, Tidy):
            self.tidy(table)

    # matches

    def between(self, table: Table | None) -> None:
        """The next match: the same again for people who sit there, any of the seven otherwise."""
        self._over += BEAT * self._pace
        wait = CHOOSING if self._choosing() else BETWEEN
        if self._begun and self._over < wait * self._pace:
            return
        before = table.match if self._begun and table is not None else None
        self._begun, self._over = True, 0.0
        self._house.say(self.opening(before))

    def opening(self, before: Match | None) -> events.Opened:
        if before is None:
            return self.first_of(self._first)
        if any(self._held(seat) for seat in before.setup.seats):
            return self.first_of(before.setup.game, before)
        return self.first_of(self._rng.choice(sorted(games())))

    def first_of(self, game: str, before: Match | None = None) -> events.Opened:
        chosen: dict[str, object] = {"game": game, "mode": "phone"}
        if before is not None:
            chosen |= {"board": before.setup.board, "seats": before.setup.seats}
        elif game == "tock-globe":
            chosen |= {"board": "tock4", "seats": tuple("abcd"), "teams": (("a", "c"), ("b", "d"))}
        tiles = tiles_on(self._table) if games()[game].bag else ()
        if tiles:
            chosen["tiles"] = tiles
        return opening.opening(chosen, self._players.chance, camera=True)

    # on the board

    def do(self, table: Table, play: Play) -> None:
        """A play by hand; where no camera looks, or it does not see it, by a tap as well."""
        match = table.match
        desk = self._table.desk
        wanted = match.game.sight(match.setup, play.position)
        if table.camera:
            self._hands.carry(desk, carries(desk.board, desk.standing(), wanted))
            if self.followed(match):
                return
        now = self._house.now.table
        if now is not None and now.match.position == match.position and now.match.turn:
            self._house.say(events.Tapped(seat=match.turn, play=play.text))
            if not now.camera:
                self._hands.carry(desk, carries(desk.board, desk.standing(), wanted))

    def followed(self, match: Match) -> bool:
        """Waits until the table has something to say about what was done."""
        for _ in range(round(SEEN / BEAT)):
            if self.wait(BEAT):
                return True
            table = self._house.now.table
            if table is None or not table.camera:
                return False
            moved = table.match.position != match.position or table.match.setup != match.setup
            if moved or table.stage in ("pending", "asking", "wrong", "disturbed"):
                return True
        return False

    def tidy(self, table: Table) -> None:
        """Everything where the referee wants it; a board in order is shown again."""
        desk = self._table.desk
        orders = carries(desk.board, desk.standing(), table.expected)
        if orders:
            self._waited = 0.0
            self._hands.carry(desk, orders)
            self.wait(1.5)
            return
        self._waited += BEAT * self._pace
        if self._waited > 4.0:
            self._waited = 0.0
            cell = next(iter(desk.board.cells))
            desk.reach(leaving(hand_over(desk.board, cell.x, cell.y)))
            self.wait(0.6)
            desk.reach(None)


def tiles_on(table: VirtualTable) -> tuple[str, ...]:
    """The tiles as they lie on the desk, if it is laid with some."""
    standing = {} if table.laid is None else table.laid.standing()
    return opening.laid((name, cell) for cell, names in standing.items() for name in names)
