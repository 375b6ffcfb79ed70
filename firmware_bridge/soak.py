"""A long run into the emulated controller over a bad cable: every acknowledged picture right?"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from firmware_bridge.bridge import Keeper
from firmware_bridge.drivers import Own, Settings
from firmware_bridge.errors import LinkLostError
from firmware_bridge.faults import BadSerial, Cable, MachineClock
from firmware_bridge.levels import possible
from firmware_bridge.picture import DARK, Light, Picture
from hardware.firmware.machine import Machine

Progress = Callable[[int, int], None]
CONNECTING = 600.0  # seconds of the machine's time


@dataclass(frozen=True)
class Outcome:
    """What one run came to."""

    baud: int
    errors: float
    updates: int
    acknowledged: int
    wrong_pictures: int
    final_right: bool
    retries: int
    connections: int
    bytes_hit: int
    frames_hit: int
    pulled: int
    resets: int
    cut: int  # frames that a pull or a reset met on their way: heard or not
    off_line: int  # frames at another rate than the chip's, or while it started
    unaccounted: int  # what the counters of both ends and the cable's do not explain
    overruns: int
    timing_faults: int
    longest_gap_us: float
    seconds: float  # virtual
    wall: float

    def as_dict(self) -> dict[str, object]:
        return asdict(self)


def light(dice: random.Random) -> Light:
    return (dice.randrange(256), dice.randrange(256), dice.randrange(256), dice.randrange(16))


class Pictures:
    """Random pictures, each a little different from the one before; a few altogether."""

    def __init__(self, dice: random.Random, leds: int) -> None:
        self._dice, self._lights = dice, [DARK] * leds

    def next(self) -> Picture:
        dice, lights = self._dice, self._lights
        leds, kind = len(lights), dice.random()
        if kind < 0.02:
            lights[:] = [light(dice) for _ in lights]
        elif kind < 0.07:
            lights[:] = [light(dice)] * leds
        elif kind < 0.2:
            start, colour = dice.randrange(leds), light(dice)
            for n in range(start, min(leds, start + dice.randrange(2, 30))):
                lights[n] = colour
        elif kind < 0.35:
            colour = light(dice)
            for n in dice.sample(range(leds), dice.randrange(2, 20)):
                lights[n] = colour
        else:
            for n in dice.sample(range(leds), dice.choice((1, 2, 4, 10))):
                lights[n] = light(dice)
        return tuple(lights)


def run(
    baud: int,
    errors: float,
    updates: int,
    *,
    seed: int = 1,
    leds: int = 200,
    trouble: float = 30.0,
    firmware: str = "lights.hex",
    progress: Progress = lambda done, of: None,
) -> Outcome:
    """`updates` random pictures; with trouble the cable is pulled and the controller reset."""
    dice = random.Random(f"{seed} {baud} {errors}")
    started = time.monotonic()
    with Machine(firmware, leds) as machine:
        clock = MachineClock(machine)
        cable = Cable(machine, dice, errors, trouble)
        settings = Settings(leds, baud=baud)
        driver = Own(lambda: BadSerial(cable), settings, lambda port: clock)
        keeper = Keeper(driver, clock)
        pictures = Pictures(dice, leds)
        acknowledged = wrong = 0

        def right(picture: Picture) -> bool:
            return possible(picture, settings.brightness, settings.milliamps, machine.picture())

        wanted = pictures.next()
        while not keeper.step(wanted):
            if machine.now > CONNECTING:
                raise LinkLostError(
                    f"no connection in {CONNECTING:g} s with {errors:g} of the bytes damaged: "
                    f"{keeper.status.problem}"
                )
            clock.sleep(0.1)
        books = None if trouble else Books.now(driver, cable)
        for done in range(updates):
            wanted = pictures.next()
            if keeper.step(wanted):
                acknowledged += 1
                wrong += not right(wanted)
            else:
                clock.sleep(0.1)
            if done % 500 == 499:
                progress(done + 1, updates)
        cable.heal()
        final = any(_again(keeper, wanted, clock) for _ in range(100)) and right(wanted)
        counts, injected = driver.counts, cable.injected
        report = machine.report()
        unaccounted = _audit(driver, cable)
        if books:
            unaccounted += Books.now(driver, cable).unexplained_since(books)
        return Outcome(
            baud=baud,
            errors=errors,
            updates=updates,
            acknowledged=acknowledged,
            wrong_pictures=wrong,
            final_right=final,
            retries=counts.retries,
            connections=keeper.status.connections,
            bytes_hit=injected.bytes_hit,
            frames_hit=injected.frames_hit,
            pulled=injected.pulled,
            resets=injected.resets,
            cut=cable.ledger.cut,
            off_line=cable.ledger.off_line,
            unaccounted=unaccounted,
            overruns=report.overruns,
            timing_faults=report.bad_timing + report.bad_gaps,
            longest_gap_us=report.longest_gap_us,
            seconds=machine.now,
            wall=time.monotonic() - started,
        )


def _audit(driver: Own, cable: Cable) -> int:
    """Frame by frame through all lives of the controller; and each attempt was a frame."""
    assert driver.link is not None
    told = driver.link.stats()
    injected, counts = cable.injected, driver.counts
    written = injected.frames + injected.refused
    return cable.ledger.close(told) + abs(counts.attempts + counts.greetings - written)


def _again(keeper: Keeper, wanted: Picture, clock: MachineClock) -> bool:
    if keeper.step(wanted):
        return True
    clock.sleep(0.2)
    return False


@dataclass(frozen=True)
class Books:
    """The same faults as seen from three places: the cable, the host, the controller."""

    frames: int
    frames_hit: int
    answers: int
    attempts: int
    requests: int
    heard_back: int
    good: int
    resync: int

    @staticmethod
    def now(driver: Own, cable: Cable) -> Books:
        assert driver.link is not None
        stats = driver.link.stats()
        injected, counts = cable.injected, driver.counts
        return Books(
            frames=injected.frames,
            frames_hit=injected.frames_hit,
            answers=injected.answers,
            attempts=counts.attempts + counts.greetings,
            requests=counts.requests + counts.sessions - counts.given_up,
            heard_back=counts.answers + counts.strays,
            good=stats.good,
            resync=stats.resync,
        )

    def unexplained_since(self, before: Books) -> int:
        """Frames that were neither heard nor hit, losses without a hit, retries without a loss."""
        heard = (self.good - before.good) % 65536
        lost = (self.resync - before.resync) % 65536
        hit = self.frames_hit - before.frames_hit
        unanswered = (self.answers - before.answers) - (self.heard_back - before.heard_back)
        retries = (self.attempts - before.attempts) - (self.requests - before.requests)
        return (
            abs((self.frames - before.frames - hit) % 65536 - heard)
            + abs(hit % 65536 - lost)
            + abs(retries - hit - unanswered)
        )


COLUMNS = (
    *(("baud", 7), ("errors", 7), ("acknowledged", 13), ("wrong_pictures", 6), ("final_right", 6)),
    *(("retries", 8), ("connections", 6), ("bytes_hit", 9), ("pulled", 7), ("resets", 7)),
    *(("cut", 5), ("unaccounted", 6), ("timing_faults", 7), ("seconds", 9), ("wall", 7)),
)
TITLES = {
    "acknowledged": "acknowledged",
    "wrong_pictures": "wrong",
    "final_right": "final",
    "connections": "conn.",
    "unaccounted": "unexp",
    "timing_faults": "timing",
}


def marathon(
    *,
    updates: int,
    bauds: Sequence[int],
    rates: Sequence[float],
    trouble: float,
    seed: int,
    leds: int,
    as_json: bool = False,
) -> int:
    """One run for each rate of each kind; 1 if any acknowledged picture was wrong."""

    def progress(done: int, of: int) -> None:
        if sys.stderr.isatty():
            print(f"\r{done} of {of}", end="", file=sys.stderr, flush=True)

    failed = False
    if not as_json:
        print(" ".join(f"{TITLES.get(name, name):>{width}}" for name, width in COLUMNS))
    for baud in bauds:
        for errors in rates:
            outcome = run(
                baud, errors, updates, seed=seed, leds=leds, trouble=trouble, progress=progress
            )
            figures = outcome.as_dict()
            wrong = outcome.wrong_pictures or outcome.unaccounted or not outcome.final_right
            failed |= bool(wrong)
            if sys.stderr.isatty():
                print("\r", end="", file=sys.stderr)
            if as_json:
                print(json.dumps(figures), flush=True)
                continue
            cells = []
            for name, width in COLUMNS:
                value = figures[name]
                short = isinstance(value, float) and name != "errors"
                cells.append(f"{value:>{width}.1f}" if short else f"{value!s:>{width}}")
            print(" ".join(cells), flush=True)
    return 1 if failed else 0
