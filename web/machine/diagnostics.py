"""`arbitre diagnostics`: what somebody far away needs to help, without secrets, names or pictures.

Nothing is copied from the table's own files but figures: no PIN, no token, no journal, no
photograph. Of the log only lines that say no more than where in the program they come from.
"""

from __future__ import annotations

import io
import json
import os
import re
import sqlite3
import sys
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import fields
from pathlib import Path
from typing import Any

from hardware.parser import Parser
from web.machine.checks import look
from web.machine.computer import Computer
from web.machine.doctor import as_dict, configured
from web.machine.logbook import LOG
from web.settings import Config, ConfigError
from web.texts import Texts

NAME = "arbitre-diagnostics.zip"
LAST_LINES = 400
PLAIN = ("port", "language", "camera", "camera_size", "serial", "brightness", "milliamps", "baud")
# a line of the log, as web.machine.logbook writes them
LINE = re.compile(r"^[\d-]{10} [\d:,]{8,12} (?:DEBUG|INFO|WARNING|ERROR|CRITICAL) ")
WHERE = re.compile(r'^  File "(?P<path>[^"]+)", line (?P<line>\d+), in (?P<name>[\w<>]+)$')
FAULT = re.compile(r"^[A-Za-z_][\w.]*(?:Error|Exception|Interrupt|Exit)\b")
# what could tell who plays, or let somebody in
HIDDEN = (
    (re.compile(r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.])"), "A.B.C.D"),
    (re.compile(r"(?i)(/join/|ticket=|token=|code=|pin[\"': =]+)[\w.~-]+"), r"\1…"),
    (re.compile(r"\b[0-9a-f]{16,}\b|\b[A-Za-z0-9_-]{24,}\b"), "…"),
    (re.compile(r"(?:/home|/Users)/[^/\s\"']+"), "/home/…"),
    # an apostrophe is no quotation mark: those stand at the edges of words
    (re.compile(r"(?<!\w)'.*?'(?!\w)|\"[^\"]*\"|«[^»]*»"), "'…'"),
)


def parser() -> Parser:
    words = Parser(
        prog="arbitre diagnostics",
        description="Writes an archive to send to whoever helps: what the doctor found, versions, "
        "sizes, and where the log's errors came from. No secrets, names or pictures.",
    )
    words.add_argument("--out", type=Path, default=Path(NAME), help=f"(default: {NAME})")
    words.add_argument("--data", type=Path, help="the table's data (default: an installed table's)")
    words.add_argument("--config", type=Path, help="its TOML file (default: DATA/arbitre.toml)")
    words.add_argument("--root", type=Path, default=Path("/"), help="of another system's files")
    return words


def diagnostics(argv: Sequence[str]) -> int:
    words = parser().parse_args(list(argv))
    computer = Computer(words.root.absolute())
    try:
        config = configured(computer, words.data, words.config)
        packed = archive(computer, config)
        words.out.write_bytes(packed)
    except (ConfigError, OSError) as error:
        why = f"{words.out}: {error.strerror}" if isinstance(error, OSError) else str(error)
        print(f"arbitre diagnostics: {why}", file=sys.stderr)
        return 2
    print(f"{words.out} ({len(packed) // 1024 + 1} kB)")
    return 0


def archive(computer: Computer, config: Config) -> bytes:
    """A zip of a few small texts."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in papers(computer, config):
            packed.writestr(name, text)
    return out.getvalue()


def papers(computer: Computer, config: Config) -> Iterator[tuple[str, str]]:
    english = Texts("en")
    found = [hidden(as_dict(one, english)) for one in look(computer, config)]
    yield "doctor.json", json.dumps(found, indent=1, ensure_ascii=False)
    plain = {one.name: getattr(config, one.name) for one in fields(config) if one.name in PLAIN}
    yield "settings.json", json.dumps(hidden(plain), indent=1)
    yield "data.json", json.dumps(sizes(config.data), indent=1)
    yield "log.txt", "\n".join(log_lines(computer, config)) + "\n"


def hidden(value: Any) -> Any:
    """The same with every text made harmless."""
    if isinstance(value, dict):
        return {name: hidden(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [hidden(one) for one in value]
    return harmless(value) if isinstance(value, str) else value


def harmless(text: str) -> str:
    for pattern, instead in HIDDEN:
        text = pattern.sub(instead, text)
    return text


def sizes(data: Path) -> dict[str, Any]:
    """How many files of each kind and how large; of the journal how many events of which kind."""
    kinds: dict[str, list[int]] = {}
    for folder, _, names in os.walk(data):
        for name in names:
            place = Path(folder) / name
            try:
                size = place.stat().st_size
            except OSError:
                continue  # gone meanwhile
            inside = place.relative_to(data).parts
            kind = f"{inside[0]}/" if len(inside) > 1 else place.suffix or "other"
            kinds.setdefault(kind, []).append(size)
    told: dict[str, Any] = {
        kind: {"files": len(found), "bytes": sum(found)} for kind, found in sorted(kinds.items())
    }
    return told | {"journal": journal_figures(data / "journal.sqlite")}


def journal_figures(path: Path) -> dict[str, int]:
    """Rows by table, nothing of what is in them."""
    if not path.exists():
        return {}
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=2.0)) as lines:
            names = [
                str(row[0])
                for row in lines.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            ]
            return {
                name: int(lines.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0])  # noqa: S608
                for name in names
            }
    except sqlite3.Error:
        return {"unreadable": 1}


def log_lines(computer: Computer, config: Config) -> Iterator[str]:
    """The last lines of the log, and of tracebacks only where and what kind."""
    try:
        text = (config.data / LOG).read_text(encoding="utf-8", errors="replace")
    except OSError:
        text = computer.ask("journalctl", "-u", "arbitre", "-n", "400", "-o", "cat") or ""
    for line in text.splitlines()[-LAST_LINES:]:
        where = WHERE.match(line)
        if where:
            yield f"  {Path(where['path']).name}:{where['line']} {where['name']}"
        elif LINE.match(line):
            yield harmless(line)
        elif FAULT.match(line):
            yield line.partition(":")[0]
