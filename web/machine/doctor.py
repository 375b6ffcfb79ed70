"""`arbitre doctor`: each part of the table, how it is, and what to do about it."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hardware.parser import Parser
from web.machine.checks import look
from web.machine.computer import Computer
from web.machine.findings import Finding
from web.machine.units import CONFIG, STATE
from web.settings import Config, ConfigError, data_folder, read_config
from web.texts import Texts

SIGNS = {"good": "✓", "note": "–", "bad": "✗"}


def parser() -> Parser:
    words = Parser(
        prog="arbitre doctor",
        description="Looks at camera, lights, power, disk, clock, network and versions, and says "
        "what to do. Status 1 where something is wrong.",
    )
    words.add_argument("--data", type=Path, help="the table's data (default: an installed table's)")
    words.add_argument("--config", type=Path, help="its TOML file (default: DATA/arbitre.toml)")
    words.add_argument("--lang", choices=("fr", "en"), help="default: the settings' language")
    words.add_argument("--json", action="store_true", help="one JSON object a part")
    words.add_argument("--root", type=Path, default=Path("/"), help="of another system's files")
    return words


def doctor(argv: Sequence[str]) -> int:
    words = parser().parse_args(list(argv))
    computer = Computer(words.root.absolute())
    try:
        config = configured(computer, words.data, words.config)
    except ConfigError as error:
        print(f"arbitre doctor: {error}", file=sys.stderr)
        return 2
    texts = Texts(words.lang or config.language)
    found = look(computer, config)
    for one in found:
        print(
            json.dumps(as_dict(one, texts), ensure_ascii=False) if words.json else told(one, texts)
        )
    return 1 if any(one.grade == "bad" for one in found) else 0


def configured(computer: Computer, data: Path | None, path: Path | None) -> Config:
    """The settings of the table that is installed here, or of the one that was named."""
    if data is None:
        state = computer.file(STATE)
        data = state if os.access(state, os.R_OK | os.X_OK) else data_folder()
        installed = computer.file(CONFIG)
        path = path or (installed if installed.exists() else None)
    config = read_config(data.expanduser().absolute(), path)
    if config.language not in ("fr", "en"):
        raise ConfigError(f'language is "fr" or "en", not "{config.language}"')
    return config


def told(one: Finding, texts: Texts) -> str:
    line = f"{SIGNS[one.grade]} {texts.say(f'doctor.part.{one.part}')} {one.told(texts)}"
    advice = one.advice(texts)
    return line if not advice else f"{line}\n    → {advice}"


def as_dict(one: Finding, texts: Texts) -> dict[str, Any]:
    return {
        "part": one.part,
        "grade": one.grade,
        "word": one.word,
        "facts": one.facts,
        "name": texts.say(f"doctor.part.{one.part}"),
        "text": one.told(texts),
        "do": one.advice(texts),
    }
