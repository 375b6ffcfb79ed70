"""Small private files of one table: written whole or not at all, readable by nobody else."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any


class PaperError(ValueError):
    """A file of the data folder that cannot be understood, with what to do about it."""


def write_paper(path: Path, content: Any) -> None:
    """JSON, in one piece; raises OSError."""
    text = json.dumps(content, ensure_ascii=False, indent=1) + "\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)  # mode 0600
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def read_paper(path: Path) -> dict[str, Any]:
    """The object in a file; empty where there is none, PaperError where it is no such file."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise PaperError(f"{path.name} is damaged ({error}): move it away to begin anew") from None
    if not isinstance(content, dict):
        raise PaperError(f"{path.name} is not one of this program's files: move it away")
    return content
