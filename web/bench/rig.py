"""All the parts between a board and its lights, in virtual time: pictures, watcher, firmware."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache

from calibration.table import Table
from firmware_bridge.drivers import Own, Settings
from firmware_bridge.faults import MachineClock
from firmware_bridge.levels import possible
from firmware_bridge.palette import look
from firmware_bridge.palette import picture as lights_of
from firmware_bridge.protocol_emulator import Serial
from hardware import boards
from hardware.boards import Board
from hardware.firmware.machine import Machine
from hardware.twin.desk import Desk
from referee import events
from vision.reading import Reader, Reading
from vision.watch import Watcher
from web.bench.clumsy import LostError
from web.eyes import standing
from web.twin.hands import hand_over
from web.twin.orders import names_of
from web.twin.table import NUMBER, SIZE, learn_desk

RATE = 10.0  # frames a second
MOST = 80  # frames until a board at rest has to be told
BRIGHTNESS, MILLIAMPS = 160, 2000


@lru_cache(maxsize=8)
def learned(board: str, house_entry: int) -> tuple[Desk, Table]:
    """One desk a board, and what was learned of it."""
    desk = Desk.of(boards.board(board, house_entry), SIZE, NUMBER)
    return desk, learn_desk(desk)


@dataclass
class Times:
    """Seconds of each stage for one finished move."""

    reading: float = 0.0
    umpire: float = 0.0
    journal: float = 0.0
    serial: float = 0.0
    page: float = 0.0


@dataclass
class Rig:
    """One board's desk, watcher and controller."""

    board: Board
    desk: Desk
    watcher: Watcher
    machine: Machine
    driver: Own
    pictures: int = 0
    misread: list[str] = field(default_factory=list)
    wrong_lights: int = 0
    checks: int = 0
    reading: float = 0.0  # seconds of the frame at which the last board was told
    serial: float = 0.0  # virtual seconds from the last wish to the latch
    wished: dict[str, str] = field(default_factory=dict)  # the umpire's lights
    showing: dict[str, str] = field(default_factory=dict)  # the same, or none for a look
    told: dict[str, tuple[int, int, int]] = field(default_factory=dict)
    darken: bool = False  # the watcher wants them dark
    blinks: int = 0
    spent: dict[str, float] = field(default_factory=dict)  # seconds of this machine, by what for

    @classmethod
    def of(cls, name: str, house_entry: int) -> Rig:
        began = time.perf_counter()
        desk, table = learned(name, house_entry)
        board, watcher = desk.board, Watcher(Reader(table))
        learning = {"learning": time.perf_counter() - began}
        settings = Settings(max(1, board.lights), BRIGHTNESS, MILLIAMPS)
        machine = Machine(leds=settings.leds)
        driver = Own(
            lambda: Serial("emulator://", timeout=0.02, machine=machine),
            settings,
            lambda port: MachineClock(machine),
        )
        driver.open()
        desk.arrange({})
        return cls(board, desk, watcher, machine, driver, spent=learning)

    def close(self) -> None:
        self.driver.close()
        self.machine.close()

    # the lights

    def light(self, meanings: dict[str, str]) -> None:
        """What the umpire wants after a step; no look is going on."""
        self.wished, self.darken = meanings, False
        self.show(meanings)

    def show(self, meanings: dict[str, str]) -> None:
        """By the bridge to the firmware; the pin must show just that."""
        want = lights_of(self.board, {c: m for c, m in meanings.items() if c in self.board.by_id})
        called, began = self.machine.now, time.perf_counter()
        before = self.machine.report().latches
        self.driver.show(want)
        report = self.machine.report()
        self.serial = max(0.0, report.latched - called) if report.latches > before else 0.0
        self.checks += 1
        shown = self.machine.picture()
        self.wrong_lights += not possible(want, BRIGHTNESS, MILLIAMPS, shown[: len(want)])
        self.showing = meanings
        self.told = {cell: look(word).srgb for cell, word in meanings.items()}
        self.took("emulating", time.perf_counter() - began)

    def tick(self) -> None:
        """A frame's time passes; a controller that hears nothing for seconds would go dark."""
        self.driver.idle()
        self.machine.run(1 / RATE)

    def took(self, what: str, seconds: float) -> None:
        self.spent[what] = self.spent.get(what, 0.0) + seconds

    def shine(self) -> None:
        shown = self.machine.picture()
        self.desk.shine({c.id: shown[c.led] for c in self.board.cells if c.led is not None})

    # the board

    def see(self, pieces: events.Pairs) -> events.Seen:
        """A hand brings the pieces there and leaves; the watcher says when the board is at rest."""
        names = names_of(self.board.name)
        position: dict[str, tuple[str, ...]] = {}
        for piece, cell in pieces:
            position[cell] = (*position.get(cell, ()), names[piece])
        before = self.desk.standing()
        changed = [c for c in {*before, *position} if before.get(c) != position.get(c)]
        over = self.board.cell(min(changed) if changed else self.board.cells[0].id)
        self.desk.reach(hand_over(self.board, over.x, over.y))
        self.frame()
        self.desk.arrange(position)
        self.frame()
        self.desk.reach(None)
        self.frame()
        for _ in range(MOST):
            reading = self.frame()
            if reading is not None:
                self.compare(reading, position)
                return events.Seen(
                    pieces=standing(self.board, reading), unsure=tuple(reading.unsure)
                )
        raise LostError(f"{self.board.name}: the watcher never told {position}")

    def frame(self) -> Reading | None:
        """One picture to the watcher; what it tells of a board at rest."""
        wanted = {} if self.darken else self.wished
        if self.showing != wanted:
            self.blinks += self.darken
            self.show(wanted)
        start = time.perf_counter()
        self.tick()
        self.shine()
        self.pictures += 1
        run = time.perf_counter()
        picture = self.desk.picture(self.pictures)
        began = time.perf_counter()
        seen = self.watcher.see(picture, self.pictures / RATE, self.told)
        self.reading = time.perf_counter() - began
        self.darken = seen.darken
        self.took("emulating", run - start)
        self.took("drawing", began - run)
        self.took("reading", self.reading)
        return seen.reading if seen.state == "still" else None

    def compare(self, reading: Reading, position: dict[str, tuple[str, ...]]) -> None:
        """Claims that are not true are counted; cells left open are not."""
        stands = Counter((cell, name) for cell, names in position.items() for name in names)
        claimed = Counter((seen.cell, seen.name) for seen in reading.pieces)
        open_cells = set(reading.unsure)
        for cell, name in (*(claimed - stands), *(stands - claimed)):
            if cell not in open_cells:
                self.misread.append(f"{self.board.name} {cell} {name} {self.told.get(cell)}")
