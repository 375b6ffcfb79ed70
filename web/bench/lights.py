"""How quickly a change of lights becomes visible, beside sending every LED every time.

Everything runs on the emulated chip in its own time: our firmware, and beside it a plain Adalight
receiver, both driven through pyserial. Times are from the host's call to the latch of the chain.
"""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from statistics import median
from typing import Any

from firmware_bridge.drivers import Adalight, Own, Settings
from firmware_bridge.levels import possible
from firmware_bridge.picture import Light, Picture, dark, payloads
from firmware_bridge.protocol import OVERHEAD
from firmware_bridge.protocol_emulator import Serial
from firmware_bridge.soak import run
from hardware.firmware.limits import BAUDS, DIVIDERS, LIMITS
from hardware.firmware.machine import Machine

LEDS = 200
CHANGED = 10
MILLIAMPS = LIMITS["CAP_LIMIT"]
LATCH = LEDS * 24 * LIMITS["BIT_NS"] * 1e-9 + 280e-6
PULSE = 3


def _colour(dice: random.Random, rhythm: int = 0) -> Light:
    return (dice.randrange(256), dice.randrange(256), dice.randrange(256), rhythm)


def _adalight(baud: int, dice: random.Random, rounds: int) -> float:
    """Seconds to the latch of one full frame, all LEDs another colour."""
    with Machine(f"adalight-{DIVIDERS[baud]}.hex", LEDS) as machine:
        machine.run(0.1)
        driver = Adalight(
            lambda: Serial("emulator://", baud, timeout=0.01, machine=machine),
            Settings(LEDS, 255, MILLIAMPS),
            lambda port: port,  # type: ignore[arg-type,return-value]
        )
        driver.open()
        times = []
        for _ in range(rounds):
            machine.run(0.2 + dice.random() / 50)
            called, latches = machine.now, machine.report().latches
            driver.show(tuple(_colour(dice) for _ in range(LEDS)))
            machine.run(1.0, latches=latches + 1)
            times.append(machine.report().latched - called)
        driver.close()
        return median(times)


class _Ours:
    def __init__(self, baud: int, machine: Machine) -> None:
        self.machine = machine
        self.settings = Settings(LEDS, 255, MILLIAMPS, baud)
        self.driver = Own(
            lambda: Serial("emulator://", timeout=0.01, machine=machine),
            self.settings,
            lambda port: port,  # type: ignore[arg-type,return-value]
        )
        self.driver.open()
        self.driver.show(dark(LEDS))
        self.wrong = 0

    def latch(self, picture: Picture, dice: random.Random) -> float:
        """Seconds from the call to the latch, at no particular moment of the rhythms."""
        self.machine.run(0.05 + dice.random() / 20)
        called = self.machine.now
        self.driver.show(picture)
        seen = self.machine.picture()
        settings = self.settings
        self.wrong += not possible(picture, settings.brightness, settings.milliamps, seen)
        return self.machine.report().latched - called


def _changed(picture: Picture, dice: random.Random, rhythm: int = 0) -> Picture:
    lights = list(picture)
    for n in dice.sample(range(LEDS), CHANGED):
        lights[n] = _colour(dice, rhythm)
    return tuple(lights)


def _one(baud: int, rounds: int, seed: int) -> dict[str, Any]:
    dice = random.Random(f"{seed} {baud}")
    adalight = _adalight(baud, dice, rounds)
    with Machine("lights.hex", LEDS) as machine:
        ours = _Ours(baud, machine)
        few, moving, all_of_them, sizes, thinking = [], [], [], [], []
        picture: Picture = tuple(_colour(dice) for _ in range(LEDS))
        ours.latch(picture, dice)
        for _ in range(rounds):
            following = _changed(picture, dice)
            begun = time.perf_counter()
            parts = payloads(picture, following)
            thinking.append(time.perf_counter() - begun)
            sizes.append(sum(map(len, parts)) + OVERHEAD * len(parts))
            few.append(ours.latch(following, dice))
            picture = tuple(_colour(dice) for _ in range(LEDS))
            all_of_them.append(ours.latch(picture, dice))
        for _ in range(rounds):
            picture = _changed(picture, dice, PULSE)
            moving.append(ours.latch(picture, dice))
        retries, wrong = ours.driver.counts.retries, ours.wrong
        report = machine.report()
        ours.driver.close()
    bad_cable = run(baud, 0.001, 20 * rounds, seed=seed, trouble=0.0)
    return {
        "updates": 3 * rounds + bad_cable.updates,
        "wrong_pictures": wrong + bad_cable.wrong_pictures,
        "retries": retries + bad_cable.retries,
        "retries_clean": retries,
        "bytes_hit": bad_cable.bytes_hit,
        "unaccounted": bad_cable.unaccounted,
        "delta10_ms": median(few) * 1000,
        "delta10_bytes": median(sizes),
        "delta10_moving_ms": median(moving) * 1000,
        "host_ms": median(thinking) * 1000,
        "adalight_ms": adalight * 1000,
        "full_ms": median(all_of_them) * 1000,
        "delta10_vs_adalight": median(few) / adalight,
        "delta10_moving_vs_adalight": median(moving) / adalight,
        "full_vs_wire": median(all_of_them) / (LEDS * 3 * 10 / baud + LATCH),
        "longest_gap_us": max(report.longest_gap_us, bad_cable.longest_gap_us),
        "timing_faults": report.bad_timing + report.bad_gaps + bad_cable.timing_faults,
    }


def measure(options: Mapping[str, Any]) -> dict[str, Any]:
    rounds = options.get("rounds") or 25
    seed = options.get("seed") or 1
    return {str(baud): _one(baud, rounds, seed) for baud in BAUDS}


def table(figures: Mapping[str, Any]) -> str:
    bauds = list(figures)
    rows = ["".join([f"{'':<28}", *(f"{baud:>10}" for baud in bauds)])]
    for name in figures[bauds[0]]:
        cells = []
        for baud in bauds:
            value = figures[baud][name]
            cells.append(f"{value:>10.3f}" if isinstance(value, float) else f"{value:>10}")
        rows.append("".join([f"{name:<28}", *cells]))
    return "\n".join(rows) + "\n"
