"""The server that `arbitre bench phones` measures: a whole table, and a bare echo beside it."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from flask import Response, jsonify

from referee import events
from web import opening
from web.app import create_app
from web.chance import Chance
from web.guard import rooms
from web.house import House
from web.journal import Journal
from web.owner import Owner
from web.reception import Reception
from web.serving import Server
from web.settings import Config

FIRST = 10**9  # the echo's numbers begin where the table's versions never come


def serve(words: Sequence[str]) -> None:
    folder, phones = Path(words[0]), int(words[1])
    house = House(Owner(Chance(), lambda: Journal.open(folder / "journal.sqlite")))
    app = create_app(house, Config(folder, camera="none", serial="none"))
    here: Reception = app.extensions["arbitre"]
    counted = [FIRST]

    def echo() -> Response:
        """A number from one phone to all, with nothing else done."""
        rooms()
        counted[0] += 1
        here.hub.publish(counted[0])
        return jsonify({"version": counted[0]})

    app.add_url_rule("/bench/echo", view_func=echo, methods=["POST"])
    house.start()
    seat, hand = begun(house, here.chance)
    cookies = []
    for _ in range(phones):
        token, device = here.chairs.admit()
        here.chairs.take(device, seat, invited=here.chairs.hands(seat))
        cookies.append(token)
    server = Server(app, "127.0.0.1", 0)
    server.stop_on_signals()
    told = {"port": server.port, "cookies": cookies, "seat": seat, "hand": hand}
    print(json.dumps(told), flush=True)
    server.run()
    house.stop()


def begun(house: House, chance: Chance) -> tuple[str, list[str]]:
    """A game of Tijou, dealt and exchanged: whose turn it is, and with which cards."""
    house.say(opening.opening({"game": "tijou", "mode": "phone"}, chance, camera=False))
    house.say(events.Lots(seat="a"))
    table = house.say(events.Dealt(seat="a")).table
    assert table is not None
    for seat in table.match.order:
        table = house.say(events.Gave(seat=seat, card=table.match.hand(seat).cards[0])).table
        assert table is not None
    return table.match.turn, list(table.match.hand(table.match.turn).cards)


if __name__ == "__main__":
    serve(sys.argv[1:])
