"""Twelve hours at one table in virtual time: whether memory, threads and files stay as they are.

The running table itself plays, with its queue, journal, views and lights on the emulated chip;
every so often the board is photographed, read and compared. Only the clock is not the wall's.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import tempfile
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cv2

from referee import events
from referee.events import Event
from referee.game import Sight
from referee.lights import wanted
from referee.views import public, seat_view
from web.bench.chain import GAMES
from web.bench.clumsy import LostError
from web.bench.pretended import Wood
from web.bench.rig import Rig
from web.chance import Chance
from web.house import House
from web.journal import Journal
from web.opening import opening
from web.owner import Owner
from web.twin.players import Do, Players, Say

HOURS = 12.0
HOUSE_ENTRY = 16  # which only boards of the Tock have
BETWEEN = 6.0  # virtual seconds from one event to the next
PICTURED = ("tijou", "barricades")  # the boards that are photographed, and the games on them
EVERY = 120  # events between two photographed boards


def describe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--hours", type=float, help=f"of virtual time ({HOURS:.0f})")


def resident() -> float:
    """Megabytes this process holds."""
    pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * 4096 / 1e6


class Night:
    """One table that plays on and on."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.before = set(threading.enumerate())  # they are no concern of this table's
        self.dice = random.Random(seed)
        self.chance = Chance(self.dice)
        self.clock = 0.0
        self.path = folder / "journal.sqlite"
        owner = Owner(self.chance, lambda: Journal.open(self.path))
        self.house = House(owner, lambda: self.clock).start()
        self.players = Players(self.chance, self.dice)
        self.games = itertools.cycle(GAMES)
        # all of them before the first hour: what they hold is no growth
        self.rigs = {board: Rig.of(board, HOUSE_ENTRY) for board in PICTURED}
        self.events = self.matches = self.pictures = self.never_told = 0
        self.shown = 0

    def close(self) -> None:
        self.house.stop(10.0)
        for rig in self.rigs.values():
            rig.close()

    def say(self, event: Event) -> None:
        self.clock += BETWEEN
        moment = self.house.say(event, 60.0)
        self.events += 1
        table = moment.table
        assert table is not None
        self.shown += len(json.dumps(public(table)))
        for seat in table.match.order:
            self.shown += len(json.dumps(seat_view(table, seat)))
        rig = self.rig()
        if rig is not None:
            rig.light(wanted(table))

    def rig(self) -> Rig | None:
        table = self.house.now.table
        if table is None or table.match.setup.game not in PICTURED:
            return None
        return self.rigs[table.match.setup.board]

    def see(self, sight: Sight) -> None:
        table = self.house.now.table
        assert table is not None
        wood = Wood(table.match.setup)
        wood.stand(sight)
        rig = self.rig()
        if rig is not None and self.events % EVERY < 2:
            before = rig.pictures
            try:
                rig.see(wood.pieces())
            except LostError:
                self.never_told += 1
            self.pictures += rig.pictures - before
        self.say(events.Seen(pieces=wood.pieces()))

    def beat(self) -> None:
        """The next thing that happens."""
        table = self.house.now.table
        if table is None or table.match.phase == "over":
            self.matches += 1
            chosen = {"game": next(self.games), "mode": "phone"}
            self.say(opening(chosen, self.chance, camera=True))
            return
        act = self.players.decide(table, table.match.setup.seats)
        if isinstance(act, Say):
            self.say(act.event)
        elif isinstance(act, Do):
            self.see(table.match.game.sight(table.match.setup, act.play.position))
        else:
            self.see(table.expected)


def measure(options: Mapping[str, Any]) -> dict[str, Any]:
    cv2.setNumThreads(1)
    hours = options.get("hours") or HOURS
    rows: list[dict[str, Any]] = []
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        night = Night(Path(folder), options.get("seed") or 1)
        try:
            due = 0.0
            while night.clock < hours * 3600:
                night.beat()
                if night.clock >= due:
                    due += 3600.0
                    rows.append(row(night))
            rows.append(row(night))
        finally:
            night.close()
        rigs = list(night.rigs.values())
    half = rows[len(rows) // 2]
    return {
        "hours": round(night.clock / 3600, 2),
        "took_s": round(time.perf_counter() - began, 1),
        "events": night.events,
        "matches": night.matches,
        "pictures": night.pictures,
        "never_told": night.never_told,
        "misread_cells": sum(len(rig.misread) for rig in rigs),
        "light_checks": sum(rig.checks for rig in rigs),
        "wrong_lights": sum(rig.wrong_lights for rig in rigs),
        "memory_mb": [one["memory_mb"] for one in rows],
        "memory_second_half_mb": round(rows[-1]["memory_mb"] - half["memory_mb"], 1),
        "threads": [one["threads"] for one in rows],
        "journal_kb": [one["journal_kb"] for one in rows],
        "journal_bytes_an_event": round(1024 * rows[-1]["journal_kb"] / max(1, night.events)),
    }


def row(night: Night) -> dict[str, Any]:
    files = night.path.parent.glob(f"{night.path.name}*")
    return {
        "memory_mb": round(resident(), 1),
        "threads": 1 + len(set(threading.enumerate()) - night.before),
        "journal_kb": round(sum(one.stat().st_size for one in files) / 1024),
    }


def table(figures: Mapping[str, Any]) -> str:
    rows = [
        f"{figures['hours']} hours, {figures['events']} events, {figures['matches']} matches, "
        f"{figures['pictures']} pictures, in {figures['took_s']} s",
        f"boards never told {figures['never_told']}, cells misread {figures['misread_cells']}; "
        f"lights compared {figures['light_checks']} "
        f"times, wrong {figures['wrong_lights']}",
        f"{'hour':<8}{'MB':>10}{'threads':>10}{'journal kB':>12}",
    ]
    rows += [
        f"{n:<8}{memory:>10.1f}{threads:>10}{journal:>12}"
        for n, (memory, threads, journal) in enumerate(
            zip(figures["memory_mb"], figures["threads"], figures["journal_kb"], strict=True)
        )
    ]
    rows.append(f"memory in the second half: {figures['memory_second_half_mb']:+.1f} MB; journal "
                f"{figures['journal_bytes_an_event']} bytes an event")  # fmt: skip
    return "\n".join(rows) + "\n"
