"""The command `arbitre`: a word, and the room that answers it."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence

COMMANDS = {
    "play": ("web.play:play", "start a table: camera, referee, lights, web page"),
    "judge": ("referee.command:judge", "judge positions: JSONL in, JSONL out"),
    "board": ("hardware.command:board", "one board as data, picture, workshop drawing, markers"),
    "calibrate": ("calibration.command:calibrate", "learn one table from pictures of it"),
    "see": ("vision.command:see", "read boards from pictures"),
    "cameras": ("vision.command:cameras", "list and try the cameras"),
    "lights": ("firmware_bridge.command:lights", "find, test, flash and emulate the lights"),
    "doctor": ("web.machine.doctor:doctor", "how every part of the table is, and what to do"),
    "hotspot": ("web.machine.hotspot:hotspot", "the table's own Wi-Fi, and the picture to scan"),
    "diagnostics": ("web.machine.diagnostics:diagnostics", "an archive for whoever helps"),
    "replay": ("web.replay:replay", "a match played again from a journal or a record"),
    "screenshots": ("web.twin.screenshots:screenshots", "the pictures of the README, made anew"),
    "bench": ("web.bench:bench", "figures anybody can repeat"),
}


def usage() -> str:
    width = max(map(len, COMMANDS))
    rows = (f"  {name:<{width}}  {what}" for name, (_, what) in COMMANDS.items())
    return "arbitre: the table that knows the rules\n\n" + "\n".join(rows) + "\n"


def main(argv: Sequence[str] | None = None) -> int:
    words = list(sys.argv[1:] if argv is None else argv)
    if not words or words[0] in ("-h", "--help"):
        print(usage(), end="")
        return 0
    if words[0] not in COMMANDS:
        print(f'no command "{words[0]}"; `arbitre --help` lists them', file=sys.stderr)
        return 2
    # a board's sums are small: more threads for them would only wait for each other
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    module, function = COMMANDS[words[0]][0].split(":")
    try:
        return int(getattr(importlib.import_module(module), function)(words[1:]) or 0)
    except BrokenPipeError:  # the reader of our output went away, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
