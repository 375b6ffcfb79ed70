"""Figures anybody can repeat: `arbitre bench NAME`.

Each bench is a module here with `measure(options) -> dict` and `table(figures) -> str`; one that
takes options of its own adds them in `describe(parser)`.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from collections.abc import Sequence

BENCHES = {
    "rules": "the rules' speed beside other engines",
    "umpire": "whole games judged: irregularities found, false alarms",
    "journal": "a table killed at any moment: nothing that was acknowledged is lost",
    "lights": "updates over the serial line into the emulated controller",
    "vision": "pictures of tables never tuned on: right, unsure, wrong",
    "cards": "cards on photographs: found, missed, made up",
    "chain": "from the picture to the light, whole games",
    "phones": "from a post to the last of fifty phones, beside a bare echo",
    "soak": "twelve hours of play in virtual time: memory, threads, files",
    "companions": "the computer's players against each other",
}


def bench(argv: Sequence[str]) -> int:
    words = list(argv)
    if not words or words[0] in ("-h", "--help"):
        print("usage: arbitre bench NAME [--json] [--seed N] [--rounds N] ...\n")
        width = max(map(len, BENCHES))
        print("\n".join(f"  {name:<{width}}  {what}" for name, what in BENCHES.items()))
        return 0
    name = words[0]
    if name not in BENCHES:
        print(f'no bench "{name}"; there are: {", ".join(BENCHES)}', file=sys.stderr)
        return 2
    try:
        module = importlib.import_module(f"web.bench.{name}")
    except ModuleNotFoundError as error:
        if error.name and error.name.startswith("web.bench"):
            print(f'the bench "{name}" is not part of this version', file=sys.stderr)
        else:
            print(
                f'the bench "{name}" needs {error.name}: install the extra "bench"', file=sys.stderr
            )
        return 2
    parser = argparse.ArgumentParser(prog=f"arbitre bench {name}", description=BENCHES[name])
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, help="rounds of each comparison of speeds")
    parser.add_argument("--games", type=int, help="how many games")
    parser.add_argument("--pictures", type=int, help="how many pictures")
    if hasattr(module, "describe"):
        module.describe(parser)
    try:
        options = vars(parser.parse_args(words[1:]))
    except SystemExit as stop:
        return 2 if stop.code else 0
    try:
        figures = module.measure(options)
    except (OSError, ValueError) as error:
        print(f"arbitre bench {name}: {error}", file=sys.stderr)
        return 2
    if options["json"]:
        print(json.dumps(figures, ensure_ascii=False))
    else:
        print(module.table(figures), end="")
    return 0
