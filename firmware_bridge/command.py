"""`arbitre lights`: find, test, flash and emulate the lights' controller."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Callable, Sequence

from firmware_bridge.drivers import Own, Settings
from firmware_bridge.errors import LightsError
from firmware_bridge.ports import PortError, driver, found
from hardware.board_files import load
from hardware.boards import Board, BoardError
from hardware.firmware.build import BuildError
from hardware.firmware.limits import BAUDS, LIMITS
from hardware.parser import Parser

Words = argparse.Namespace
MOST_DAMAGE = 0.05  # share of bytes: beyond it hardly a greeting gets through
MOST_PROCESSES = 2**22  # the kernel's own limit for the number of one


class WordsError(Exception):
    """The words after the command make no sense."""


def _need_lights(board: Board) -> None:
    if not board.lights:
        raise WordsError(f"{board.name} has no lights: none of its cells has an LED")


def _settings(words: Words, board: Board) -> Settings:
    _need_lights(board)
    if words.serial.startswith("wled:") and words.baud != BAUDS[0]:
        raise WordsError(f"WLED is spoken to at {BAUDS[0]} baud: leave --baud out")
    return Settings(board.lights, words.brightness, words.milliamps, words.baud)


def _find(words: Words) -> int:
    del words
    ports = found()
    if not ports:
        print("no serial port: plug the controller in, or try `arbitre lights emulate`")
    for port in ports:
        mark = "*" if port.likely else " "
        print(f"{mark} {port.path:<14} {port.identity:<28} {port.what}")
    if any(port.likely for port in ports):
        print("* looks like a board for the lights; use its path or its usb: name with --serial")
    return 0


def _stats(words: Words) -> int:
    board = load(words.board)
    lights = driver(words.serial, _settings(words, board))
    if not isinstance(lights, Own):
        raise WordsError("only our own controller counts anything")
    try:
        print(lights.open())
        link, greeting = lights.link, lights.greeting
        assert link is not None
        assert greeting is not None
        stats = link.stats()
    finally:
        lights.close()
    rows = {
        "LEDs it can drive": greeting.leds,
        "most milliamps": greeting.milliamps,
        "dark after silence of": f"{greeting.patience:g} s",
        "running for": f"{stats.uptime:.1f} s",
        "requests understood": stats.good,
        "damaged (CRC)": stats.crc,
        "thread lost and found": stats.resync,
        "bytes overrun": stats.overrun,
        "bytes misframed": stats.framing,
        "bytes without room": stats.full,
        "asked twice": stats.repeated,
        "refused": stats.refused,
        "pictures written": stats.shown,
        "milliamps now at most": stats.milliamps,
    }
    for name, value in rows.items():
        print(f"  {name:<24} {value}")
    return 0


def _test(words: Words) -> int:
    from firmware_bridge.walk import walk

    board = load(words.board)
    return walk(driver(words.serial, _settings(words, board)), board, words.seconds, words.cells)


def _flash(words: Words) -> int:
    from firmware_bridge.flash import flash

    return flash(words.serial, old_bootloader=words.old_bootloader, dry=words.dry_run)


def _emulate(words: Words) -> int:
    from firmware_bridge.desk import emulate

    board = load(words.board)
    _need_lights(board)
    if words.link is not None and not words.link:
        raise WordsError("--link wants a path")
    return emulate(board.lights, parent=words.with_parent, link=words.link)


def _soak(words: Words) -> int:
    from firmware_bridge.soak import marathon

    logging.getLogger("firmware_bridge").setLevel(logging.CRITICAL)
    return marathon(
        updates=words.updates,
        bauds=tuple(words.baud or BAUDS),
        rates=tuple(words.errors or (0.0, 0.001, 0.01)),
        trouble=words.trouble,
        seed=words.seed,
        leds=words.leds,
        as_json=words.json,
    )


def _guide(words: Words) -> int:
    from hardware.guide import write

    for path in write(words.out, words.language):
        print(path)
    return 0


def _share(text: str) -> float:
    value = float(text)
    if not 0 <= value <= MOST_DAMAGE:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and {MOST_DAMAGE}")
    return value


def _seconds(text: str) -> float:
    value = float(text)
    if not 0 <= value <= 3600:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 3600 seconds")
    return value


def _count(least: int, most: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        value = int(text)
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"{value} is not between {least} and {most}")
        return value

    return number


def _port(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--serial",
        default="auto",
        help="auto, none, a path, usb:VID:PID[:SERIAL], emulator://, wled:PORT (default: auto)",
    )
    parser.add_argument("--board", default="tock4", help="name or file (default: tock4)")
    parser.add_argument("--baud", type=int, choices=BAUDS, default=BAUDS[0])
    parser.add_argument("--brightness", type=_count(0, 255), default=160, metavar="0-255")
    parser.add_argument(
        "--milliamps",
        type=_count(0, LIMITS["CAP_LIMIT"]),
        default=LIMITS["CAP_DEFAULT"],
        help=f"what the supply gives (default: {LIMITS['CAP_DEFAULT']})",
    )


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog="arbitre lights", description="The lights of the table.")
    commands = parser.add_subparsers(dest="what", metavar="WHAT", required=True)

    def command(name: str, run: Callable[[Words], int], text: str) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=text, description=text)
        added.set_defaults(run=run)
        return added

    command("find", _find, "list serial ports, likely controllers first")
    test = command("test", _test, "light every cell in turn and say its name")
    _port(test)
    test.add_argument("--seconds", type=_seconds, default=0.6, help="for each cell (default: 0.6)")
    test.add_argument("cells", nargs="*", help="only these cells (default: all)")
    _port(command("stats", _stats, "what the controller has counted"))
    flash = command("flash", _flash, "put our firmware on an Arduino Nano or Uno (needs avrdude)")
    flash.add_argument("--serial", default="auto", help="the board's port (default: auto)")
    flash.add_argument(
        "--old-bootloader", action="store_true", help="boards sold before 2018: 57600 baud"
    )
    flash.add_argument("--dry-run", action="store_true", help="only print the command")
    emulate = command("emulate", _emulate, "a controller for any serial program, without hardware")
    emulate.add_argument("--board", default="tock4", help="name or file (default: tock4)")
    emulate.add_argument("--link", help="also make this path point to it")
    emulate.add_argument(
        "--with-parent",
        type=_count(1, MOST_PROCESSES),
        metavar="PID",
        help="end when that one ends",
    )
    soak = command("soak", _soak, "random pictures over a bad cable into the emulated controller")
    soak.add_argument("--updates", type=_count(1, 10**9), default=50000)
    soak.add_argument("--baud", type=int, choices=BAUDS, action="append")
    soak.add_argument("--errors", type=_share, action="append", help="share of bytes damaged")
    soak.add_argument("--trouble", type=_seconds, default=15.0, help="mean seconds; 0: none")
    soak.add_argument("--leds", type=_count(1, LIMITS["LED_CAPACITY"]), default=200)
    soak.add_argument("--seed", type=int, default=1)
    soak.add_argument("--json", action="store_true", help="one JSON object a run")
    guide = command("guide", _guide, "write the build guide: parts, wiring, power, camera")
    guide.add_argument("--out", default="guide", help="folder (default: guide)")
    guide.add_argument("--language", choices=("fr", "en"), action="append")
    return parser


def lights(argv: Sequence[str]) -> int:
    try:
        words = _parser().parse_args(list(argv))
    except SystemExit as stop:
        return 2 if stop.code else 0
    try:
        run: Callable[[Words], int] = words.run
        return run(words)
    except (WordsError, BoardError, PortError, BuildError, LightsError) as error:
        print(error, file=sys.stderr)
        return 2
    except OSError as error:
        print(f"{error.filename2 or error.filename or 'lights'}: {error.strerror}", file=sys.stderr)
        return 2
