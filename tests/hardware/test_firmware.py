"""The controller's real binary in the emulator: what it does with light, time and a bad host."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge import protocol
from firmware_bridge.levels import draw, possible
from firmware_bridge.picture import Picture, apply, dark
from firmware_bridge.protocol import Answer, Frame, FrameReader, Greeting, Stats
from hardware.firmware import build
from hardware.firmware.build import HERE, sizes
from hardware.firmware.limits import BAUDS, LIMITS, cause
from hardware.firmware.machine import BROWN_OUT, POWER_ON, RESET_LINE, Machine

LEDS = 200
FLASH, RAM = 8192, 1700


class Talk:
    """One request, its answer, without the bridge."""

    def __init__(self, machine: Machine) -> None:
        self.machine, self.sequence = machine, 0
        machine.run(0.1)

    def send(self, operation: int, payload: bytes = b"") -> None:
        self.machine.send(Frame(self.sequence, operation, payload).encoded())

    def answer(self, patience: float = 0.3) -> Answer | None:
        reader, end = FrameReader(), self.machine.now + patience
        while self.machine.now < end:
            self.machine.run(0.002, bytes_=1)
            for frame in reader.feed(self.machine.take(200)):
                assert frame.sequence == self.sequence
                return Answer.of(frame)
        return None

    def ask(self, operation: int, payload: bytes = b"", *, again: bool = False) -> Answer:
        self.sequence = (self.sequence + (not again)) % 256
        self.send(operation, payload)
        answer = self.answer()
        assert answer is not None
        return answer

    def start(self, brightness: int = 255, milliamps: int = 8000) -> Greeting:
        greeting = Greeting.of(self.ask(protocol.HELLO, b"\x01"))
        setup = protocol.setup(self.machine.leds, brightness, milliamps)
        assert self.ask(protocol.SETUP, setup).said == protocol.OK
        return greeting

    def show(self, payload: bytes) -> None:
        assert self.ask(protocol.SHOW, payload).said == protocol.OK

    def stats(self) -> Stats:
        return Stats.of(self.ask(protocol.STATS))


@pytest.fixture
def machine() -> Iterator[Machine]:
    with Machine(leds=LEDS) as made:
        yield made


@pytest.fixture
def talk(machine: Machine) -> Talk:
    return Talk(machine)


def fill(red: int, green: int, blue: int, rhythm: int = 0) -> bytes:
    return bytes((LIMITS["PUT_FILL"] | rhythm, red, green, blue))


# the build


def test_the_build_prints_sizes_within_the_limits(tmp_path: object) -> None:
    words = ["make", "-C", str(HERE), f"BUILD={tmp_path}", "chip"]
    printed = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    flash, static = sizes()
    assert f"flash {flash} of {FLASH} bytes, RAM {static} of {RAM} bytes" in printed
    assert flash <= FLASH


def test_ram_with_256_leds_and_the_deepest_stack_stays_under_the_limit() -> None:
    with Machine(leds=256) as machine:
        talk = Talk(machine)
        talk.start()
        talk.show(fill(255, 255, 255, 3))
        for n in range(12):
            talk.ask(protocol.STAGE, bytes([0x30, 0, 69]) + bytes(range(n, n + 210)))
            talk.show(bytes([0x5F, n]) + b"\x13\x01\x02\x03" * 16)
            talk.stats()
            machine.press(0, bool(n % 2))
            machine.run(0.3)
        assert machine.ram_used(sizes()[1]) <= RAM


def test_a_machine_without_a_compiler_is_told_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(build, "BUILD", tmp_path)
    with pytest.raises(build.BuildError, match=r"avr-gcc.*apt-get install .*gcc-avr") as told:
        build.built.__wrapped__("lights.hex")
    packages = str(told.value).partition("apt-get install ")[2].split()
    assert len(set(packages)) == len(packages)
    with pytest.raises(build.BuildError, match="apt-get install"):
        build.built.__wrapped__("emulator.so")


# waking up and going dark


def test_the_leds_are_black_at_boot_before_any_host(machine: Machine) -> None:
    assert machine.picture() != ((0, 0, 0),) * LEDS  # as they happened to wake up
    machine.run(0.08)
    assert machine.picture() == ((0, 0, 0),) * LEDS


@pytest.mark.parametrize("bits", [POWER_ON, RESET_LINE, BROWN_OUT])
@pytest.mark.parametrize("bootloader", [0.0, 1.0])
def test_the_greeting_says_what_it_is_and_why_it_started(
    machine: Machine, bits: int, bootloader: float
) -> None:
    machine.reset(bits, bootloader)
    machine.run(bootloader)
    greeting = Talk(machine).start()
    assert greeting.protocol == LIMITS["PROTOCOL_VERSION"]
    assert (greeting.leds, greeting.payload, greeting.rhythms) == (256, 224, 16)
    assert greeting.milliamps == LIMITS["CAP_LIMIT"]
    assert greeting.patience == 3.0
    assert greeting.cause == cause(bits)


def test_dark_when_the_host_is_gone_and_not_before(machine: Machine, talk: Talk) -> None:
    greeting = talk.start()
    talk.show(fill(9, 9, 9))
    machine.run(greeting.patience - 0.1)
    assert machine.picture() == ((9, 9, 9),) * LEDS
    machine.run(0.2)
    assert machine.picture() == ((0, 0, 0),) * LEDS
    assert talk.ask(protocol.SHOW, fill(9, 9, 9)).said == protocol.NO_SESSION
    assert machine.picture() == ((0, 0, 0),) * LEDS


def test_the_chips_watchdog_ends_a_program_run_wild(machine: Machine, talk: Talk) -> None:
    talk.start()
    talk.show(fill(200, 0, 0))
    machine.hang()
    machine.run(0.2)
    assert machine.picture() == ((200, 0, 0),) * LEDS
    machine.run(0.2)
    assert machine.report().watchdog_resets == 1
    assert machine.picture() == ((0, 0, 0),) * LEDS
    assert talk.start().cause == "watchdog"


# pictures


def test_what_is_staged_is_not_shown_and_what_is_shown_is_latched_when_answered(
    machine: Machine, talk: Talk
) -> None:
    talk.start()
    talk.show(b"")
    talk.ask(protocol.STAGE, bytes([0x10, 7, 1, 2, 3]))
    machine.run(0.5)
    assert machine.picture()[7] == (0, 0, 0)
    talk.show(bytes([0x10, 8, 4, 5, 6]))
    assert machine.picture()[7:9] == ((1, 2, 3), (4, 5, 6))


def test_half_a_picture_is_never_seen_however_the_rhythms_run(talk: Talk) -> None:
    machine = talk.machine
    talk.start()
    talk.show(fill(0, 0, 90, 4) + bytes([0x12, 5, 0, 0, 90]))
    for n in range(40):
        machine.run(0.0013 * n)  # at every moment of a tick
        talk.ask(protocol.STAGE, bytes([0x20, 0, 99, 90, 0, 0]))
        machine.run(0.03)
        assert {(red, green) for red, green, _ in machine.picture()} == {(0, 0)}
        talk.show(fill(0, 0, 90, 4))


def test_a_greeting_alone_changes_nothing_on_the_table(talk: Talk) -> None:
    talk.start()
    talk.show(fill(7, 7, 7))
    for _ in range(30):
        talk.ask(protocol.HELLO, b"\x01")
        talk.machine.run(0.011)
        assert talk.machine.picture() == ((7, 7, 7),) * LEDS


def test_every_instruction_does_what_its_python_twin_does(machine: Machine, talk: Talk) -> None:
    talk.start()
    picture: Picture = dark(LEDS)
    for payload in (
        bytes([0x00, 1, 2, 3]),
        bytes([0x10, 199, 4, 5, 6]),
        bytes([0x20, 10, 20, 7, 8, 9]),
        bytes([0x30, 30, 32, 1, 1, 1, 2, 2, 2, 3, 3, 3]),
        bytes([0x40, 3, 250, 0, 5, 100, 150, 199]),
        bytes([0x52, 40, 0x00, 9, 9, 9, 0x30, 8, 8, 8, 0xF0, 7, 7, 7]),
        bytes([0x10, 0, 1, 1, 1, 0x10, 1, 2, 2, 2]),
    ):
        talk.show(payload)
        picture = apply(picture, payload)
        assert machine.picture() == tuple(light[:3] for light in picture)


@pytest.mark.parametrize(
    "payload",
    [
        bytes([0x60, 1, 2, 3, 4, 5]),
        bytes([0x10, 200, 1, 2, 3]),
        bytes([0x20, 5, 4, 1, 2, 3]),
        bytes([0x20, 5, 200, 1, 2, 3]),
        bytes([0x30, 0, 1, 1, 2, 3, 4, 5]),
        bytes([0x40, 2, 1, 2, 3, 0]),
        bytes([0x51, 199, 0, 1, 2, 3, 0, 1, 2, 3]),
        bytes([0x00, 1, 2]),
        bytes([0x10, 3, 9, 9, 9, 0x70]),  # a good one first: not even that is done
    ],
)
def test_a_payload_that_makes_no_sense_changes_nothing(
    machine: Machine, talk: Talk, payload: bytes
) -> None:
    talk.start()
    talk.show(fill(5, 6, 7))
    assert talk.ask(protocol.SHOW, payload).said == protocol.MALFORMED
    talk.show(b"")
    assert machine.picture() == ((5, 6, 7),) * LEDS
    assert talk.stats().refused == 1


def test_a_repeated_request_is_answered_again_but_not_done_again(talk: Talk) -> None:
    talk.start()
    talk.show(fill(1, 1, 1))
    before = talk.machine.report().latches
    assert talk.ask(protocol.SHOW, fill(1, 1, 1), again=True).said == protocol.OK
    assert talk.machine.report().latches == before
    assert talk.stats().repeated == 1


# the wire


def test_bits_and_pauses_are_right_even_while_bytes_pour_in(machine: Machine, talk: Talk) -> None:
    talk.start()
    talk.ask(protocol.BAUD, b"\x02")
    machine.run(0.001)
    machine.baud(500000)
    talk.show(fill(255, 255, 255, 4))
    for _ in range(60):
        machine.send(bytes(range(97)) * 2)
        machine.run(0.011)
    report = machine.report()
    assert report.latches > 20
    assert (report.bad_timing, report.bad_gaps, report.torn) == (0, 0, 0)
    assert 2.5 < report.longest_gap_us <= 4.0


def test_a_firmware_that_pauses_between_bytes_is_caught() -> None:
    with Machine("wrong-pause.hex", LEDS) as machine:
        machine.run(0.1)
        assert machine.report().bad_gaps > 0


def test_two_bytes_wait_a_third_holds_on_and_more_are_lost(machine: Machine) -> None:
    machine.run(0.1)
    machine.hang()
    machine.send(b"12345")
    machine.run(0.002)
    assert machine.report().overruns == 2


def test_a_wrong_rate_is_garbage_to_the_chip(machine: Machine, talk: Talk) -> None:
    talk.start()
    machine.baud(9600)
    talk.sequence += 1
    talk.send(protocol.PING)
    assert talk.answer() is None
    machine.baud(115200)
    assert machine.report().garbled > 0
    assert talk.stats().good == 3


def test_a_half_heard_frame_is_given_up_and_the_next_is_heard(machine: Machine, talk: Talk) -> None:
    talk.start()
    whole = Frame(99, protocol.SHOW, fill(1, 2, 3)).encoded()
    machine.send(whole[:6])
    machine.run(0.06)
    talk.show(fill(3, 2, 1))
    stats = talk.stats()
    assert (stats.resync, stats.crc) == (1, 0)
    assert machine.picture() == ((3, 2, 1),) * LEDS


@pytest.mark.parametrize("hit", range(12))
def test_a_frame_with_any_byte_damaged_is_not_carried_out(
    machine: Machine, talk: Talk, hit: int
) -> None:
    talk.start()
    frame = bytearray(Frame(99, protocol.SHOW, fill(1, 2, 3)).encoded())
    frame[hit] ^= 0x10
    machine.send(bytes(frame))
    machine.run(0.1)
    assert machine.take(100) == b""
    stats = talk.stats()
    assert (stats.good, stats.resync) == (3, 1)


# rates


@pytest.mark.parametrize("index", range(len(BAUDS)))
def test_a_new_rate_is_answered_at_the_old_one_and_given_up_if_nobody_comes(
    machine: Machine, talk: Talk, index: int
) -> None:
    talk.start()
    assert talk.ask(protocol.BAUD, bytes([index])).said == protocol.OK
    machine.run(0.001)
    machine.baud(BAUDS[index])
    assert talk.ask(protocol.PING).said == protocol.OK
    machine.run(4.0)
    machine.baud(BAUDS[0])
    assert talk.start().cause == "power on"


# power


@pytest.mark.parametrize("milliamps", [100, 1500, 2000, 8000])
def test_all_white_stays_under_the_cap(machine: Machine, talk: Talk, milliamps: int) -> None:
    talk.start(255, milliamps)
    talk.show(fill(255, 255, 255))
    lit = sum(sum(light) for light in machine.picture())
    idle = LEDS * LIMITS["IDLE_MILLIAMPS"]
    drawn = idle + lit * LIMITS["CHANNEL_MILLIAMPS"] / 255
    assert drawn <= max(milliamps, idle)
    assert talk.stats().milliamps <= max(milliamps, idle)
    if milliamps > idle:
        assert drawn > 0.9 * milliamps  # and it is used


def test_no_host_gets_more_milliamps_than_the_firmware_allows(talk: Talk) -> None:
    talk.start()
    asked = protocol.setup(LEDS, 255, LIMITS["CAP_LIMIT"] + 1)
    assert talk.ask(protocol.SETUP, asked).said == protocol.TOO_MUCH


@pytest.mark.parametrize(("brightness", "milliamps"), [(255, 8000), (100, 8000), (255, 600)])
def test_brightness_and_cap_dim_exactly_as_the_host_reckons(
    machine: Machine, talk: Talk, brightness: int, milliamps: int
) -> None:
    talk.start(brightness, milliamps)
    payload = fill(250, 128, 3) + bytes([0x10, 5, 255, 0, 77])
    talk.show(payload)
    picture = apply(dark(LEDS), payload)
    assert possible(picture, brightness, milliamps, machine.picture())
    assert draw(picture, brightness, milliamps) <= milliamps


# rhythms, buttons, self-test


def lit_share(machine: Machine, seconds: float, step: float = 0.025) -> tuple[float, int]:
    """How much of the time the first LED is on, and how often it comes on."""
    on = changes = 0
    before, count = machine.picture()[0] != (0, 0, 0), round(seconds / step)
    for _ in range(count):
        machine.run(step)
        now = machine.picture()[0] != (0, 0, 0)
        on += now
        changes += now and not before
        before = now
    return on / count, changes


@pytest.mark.parametrize(
    ("rhythm", "share", "flashes"),
    [(0, 1.0, 0), (1, 0.5, 4), (2, 0.5, 8), (5, 1 / 8, 4), (6, 14 / 16, 2), (7, 1 / 8, 2)],
)
def test_rhythms_run_without_any_traffic(
    machine: Machine, talk: Talk, rhythm: int, share: float, flashes: int
) -> None:
    talk.start()
    setup = protocol.setup(LEDS, 255, 8000)
    talk.ask(protocol.SETUP, setup)
    talk.show(fill(50, 50, 50, rhythm))
    sent = machine.report().latches
    seen, came_on = lit_share(machine, 2.0)
    _, more = lit_share(machine, 0.9)
    assert seen == pytest.approx(share, abs=0.03)
    assert came_on in (flashes // 2, flashes // 2 + 1) if flashes else came_on == 0
    assert machine.report().latches - sent <= 2 * flashes + 3
    assert more <= 3  # never more than three flashes a second


def test_a_pulse_swells_and_fades_and_its_other_half_opposes_it(
    machine: Machine, talk: Talk
) -> None:
    talk.start()
    talk.show(bytes([0x13, 0, 255, 255, 255, 0x1B, 1, 255, 255, 255]))
    first, second = [], []
    for _ in range(80):
        machine.run(0.025)
        picture = machine.picture()
        first.append(picture[0][0])
        second.append(picture[1][0])
    top, bottom = max(first), min(first)
    assert top > 20 * bottom > 20
    turns = sum(
        (a < b) != (b < c) for a, b, c in zip(first, first[1:], first[2:], strict=False) if b != c
    )
    assert turns <= 4
    high = first.index(top)
    assert second[high] <= bottom + 2


def test_presses_are_debounced_counted_and_never_lost(machine: Machine, talk: Talk) -> None:
    talk.start()
    before = talk.ask(protocol.PING).presses
    for _ in range(3):
        for down in (True, False, True):  # contacts chatter
            machine.press(0, down)
            machine.run(0.003)
        machine.run(0.08)
        machine.press(0, False)
        machine.run(0.08)
    machine.press(1, True)
    machine.run(0.08)
    after = talk.ask(protocol.PING).presses
    assert [new - old for old, new in zip(before, after, strict=True)] == [3, 1]


def test_the_first_button_held_at_power_on_walks_the_chain_without_a_host(
    machine: Machine,
) -> None:
    machine.run(0.1)
    machine.press(0, True)
    machine.reset(POWER_ON)
    seen: set[tuple[int, tuple[int, int, int]]] = set()
    for _ in range(40):
        machine.run(0.025)
        seen |= {(n, light) for n, light in enumerate(machine.picture()) if light != (0, 0, 0)}
    assert len({n for n, _ in seen}) >= 3
    assert len({colour for _, colour in seen}) == 4


def test_the_self_test_ends_with_the_hosts_next_picture(machine: Machine, talk: Talk) -> None:
    talk.start()
    assert talk.ask(protocol.TEST, b"\x01").said == protocol.OK
    machine.run(0.5)
    assert machine.picture() != ((0, 0, 0),) * LEDS
    talk.show(fill(0, 0, 0) + bytes([0x10, 3, 1, 1, 1]))
    machine.run(0.5)
    assert {n for n, light in enumerate(machine.picture()) if light != (0, 0, 0)} == {3}


def test_time_in_the_chip_is_time_outside(machine: Machine, talk: Talk) -> None:
    talk.start()
    begun, then = machine.now, talk.stats().uptime
    for n in range(60):
        talk.show(fill(n, 0, 0, 3))
    assert talk.stats().uptime - then == pytest.approx(machine.now - begun, abs=0.03)
    assert machine.report().unmodelled == 0
