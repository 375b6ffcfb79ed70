"""The demonstration: when it begins a match, and when it leaves that to others."""

from __future__ import annotations

import random

from referee import events
from web.house import House
from web.twin.demo import BEAT, BETWEEN, CHOOSING, Demo
from web.twin.table import VirtualTable


def test_whoever_chooses_a_game_is_given_time(house: House) -> None:
    house.start()
    virtual = VirtualTable(128, 2000, lambda board: None)
    open_pages = [True]
    demo = Demo(house, virtual, lambda seat: False, random.Random(1), choosing=open_pages.pop)

    def over() -> bool:
        assert house.now.table is not None
        return house.now.table.match.phase == "over"

    def beats(seconds: float, page: bool) -> None:
        for _ in range(round(seconds / BEAT)):
            open_pages[:] = [page]
            demo.beat()

    beats(BEAT, True)  # the very first begins at once
    assert not over()
    house.say(events.Ended())
    beats(CHOOSING - 1.0, True)
    assert over()
    beats(BEAT, False)
    assert not over()
    house.say(events.Ended())
    beats(BETWEEN - 1.0, False)
    assert over()
    beats(1.0 + BEAT, False)
    assert not over()
