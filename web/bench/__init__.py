"""Figures anybody can repeat: `arbitre bench NAME`.

Each bench is a module here with `measure(options) -> dict` and `table(figures) -> str`; one that
takes options of its own adds them in `describe(parser)`.
"""

from __future__ import annotations

import ast
import importlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from hardware.firmware.build import BuildError
from hardware.parser import Parser

HELP = ("-h", "--help", "--list")


def benches() -> dict[str, str]:
    """Every bench there is, with the first line of what it says of itself; none is imported."""
    found = {}
    for place in sorted(path for folder in __path__ for path in Path(folder).iterdir()):
        source = place / "__init__.py" if place.is_dir() else place
        if source.suffix != ".py" or not source.is_file() or place.name == Path(__file__).name:
            continue
        tree = ast.parse(source.read_text(encoding="utf-8"))
        if any(isinstance(node, ast.FunctionDef) and node.name == "measure" for node in tree.body):
            found[place.stem] = (ast.get_docstring(tree) or "").partition("\n")[0]
    return found


def rounds(text: str) -> int:
    """A whole number from one on."""
    if (number := int(text)) < 1:
        raise ValueError
    return number


def bench(argv: Sequence[str]) -> int:
    words = list(argv)
    there = benches()
    if not words or words[0] in HELP:
        if "--list" not in words:
            print("usage: arbitre bench NAME [--json] [--seed N] [--rounds N] ...\n")
        width = max(map(len, there))
        print("\n".join(f"  {name:<{width}}  {what}" for name, what in there.items()))
        return 0
    name = words[0]
    if name not in there:
        print(f'no bench "{name}"; there are: {", ".join(there)}', file=sys.stderr)
        return 2
    try:
        module = importlib.import_module(f"web.bench.{name}")
    except ModuleNotFoundError as error:
        print(f'the bench "{name}" needs {error.name}: install the extra "bench"', file=sys.stderr)
        return 2
    parser = Parser(prog=f"arbitre bench {name}", description=there[name])
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=rounds, help="rounds of each comparison of speeds")
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
    except (OSError, ValueError, BuildError) as error:
        print(f"arbitre bench {name}: {error}", file=sys.stderr)
        return 2
    if options["json"]:
        print(json.dumps(figures, ensure_ascii=False))
    else:
        print(module.table(figures), end="")
    return 0
