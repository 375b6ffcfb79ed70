"""The house as it was agreed: its rooms, and who may ask whom for what."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("hardware", "referee", "vision", "calibration", "firmware_bridge", "web", "tests")
PAPERS = {
    "pyproject.toml", "README.md", "LICENSE", "Makefile", "constraints.txt", "CONTRIBUTING.md",
    "CHANGELOG.md",
}  # fmt: skip
CODE = ("hardware", "referee", "vision", "calibration", "firmware_bridge", "web")

# a part of the house, and the only other parts it may import
MAY_IMPORT = {
    "hardware.boards": {"hardware.boards"},
    "referee": {"referee", "hardware.boards"},
    "referee.games": {"referee", "hardware.boards"},
}
NEVER = {
    "vision": {"referee.games", "web"},
    "calibration": {"referee.games", "web"},
    "firmware_bridge": {"referee.games", "web"},
    "hardware": {"referee.games", "web"},
    "hardware.twin": {"referee.games", "web"},
}
# pure: no clock, no chance, no files; the command reads and writes for it
PURE = {
    "__future__", "bisect", "collections", "dataclasses", "enum", "fractions", "functools",
    "importlib", "itertools", "json", "math", "operator", "pkgutil", "re", "string", "types",
    "typing",
}  # fmt: skip
COMMAND = {"referee.command": {"argparse", "sys"}}
LONGEST_MODULE = 500


def modules(room: str = "") -> Iterator[tuple[str, Path]]:
    for folder in CODE:
        for path in sorted((ROOT / folder).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            if within(name, room) or not room:
                yield name, path


def within(name: str, room: str) -> bool:
    return name == room or name.startswith(f"{room}.")


@cache
def imports(name: str, path: Path) -> tuple[str, ...]:
    return tuple(imported(name, path))


def imported(name: str, path: Path) -> Iterator[str]:
    """Everything a module imports, by its full name, wherever it does so."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            origin = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                origin = ".".join([*above, origin] if origin else above)
            for alias in node.names:
                yield f"{origin}.{alias.name}"


def ours(name: str) -> bool:
    return name.split(".")[0] in CODE


def test_the_top_level_is_as_agreed() -> None:
    ignored = (ROOT / ".gitignore").read_text("utf-8").split()
    there = {
        path.name
        for path in ROOT.iterdir()
        if not path.name.startswith(".")
        and not any(fnmatch(path.name, line.strip("/")) for line in ignored)
    }
    assert there - PAPERS - set(ROOMS) == set()
    assert set(ROOMS) <= there
    assert {"pyproject.toml", "README.md", "LICENSE", "Makefile", "constraints.txt"} <= there
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o111


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_who_may_import_whom(room: str) -> None:
    found = list(modules(room))
    assert found
    for name, path in found:
        for other in filter(ours, imports(name, path)):
            allowed = any(within(other, one) for one in MAY_IMPORT[room])
            whole = other == "hardware.boards"
            assert allowed or whole, f"{name} imports {other}"


@pytest.mark.parametrize("room", NEVER)
def test_who_never_imports_whom(room: str) -> None:
    for name, path in modules(room):
        for other in imports(name, path):
            assert not any(within(other, one) for one in NEVER[room]), f"{name} imports {other}"


def test_tests_are_imported_by_nobody() -> None:
    for name, path in modules():
        assert not any(within(other, "tests") for other in imports(name, path)), name


def test_the_referee_is_pure() -> None:
    for name, path in modules("referee"):
        for other in imports(name, path):
            top = other.split(".")[0]
            allowed = PURE | COMMAND.get(name, set())
            assert ours(other) or top in allowed, f"{name} imports {other}"
            assert ours(other) or top in sys.stdlib_module_names


def test_the_boards_are_data_and_formulas() -> None:
    for name, path in modules("hardware.boards"):
        for other in imports(name, path):
            assert ours(other) or other.split(".")[0] in PURE, f"{name} imports {other}"


def test_no_game_knows_another() -> None:
    games = [(name, path) for name, path in modules("referee.games") if name != "referee.games"]
    assert len(games) >= 4
    for name, path in games:
        others = {one for one, _ in games} - {name}
        for other in imports(name, path):
            assert not any(within(other, one) for one in others), f"{name} imports {other}"


def test_a_module_says_its_idea_first_and_stays_short() -> None:
    for name, path in modules():
        text = path.read_text("utf-8")
        assert ast.get_docstring(ast.parse(text)), f"{name} says nothing of itself"
        assert len(text.splitlines()) <= LONGEST_MODULE, f"{name} is too long"


def test_there_are_no_rooms_for_odds_and_ends() -> None:
    for name, _ in modules():
        assert not {"utils", "util", "helpers", "manager", "base", "common"} & set(name.split("."))
