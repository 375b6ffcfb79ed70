"""Boards by name or from files: tables have boards we have never seen."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hardware.boards import Board, BoardError, board, names, read

ROUND = ("circle", "disc", "disk", "round")


def load(name_or_path: str) -> Board:
    """One of ours by name, or a board file by path."""
    if name_or_path in names():
        return board(name_or_path)
    path = Path(name_or_path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        ours = ", ".join(names())
        raise BoardError(f'no board "{name_or_path}" and no such file; ours: {ours}') from None
    except UnicodeDecodeError:
        raise BoardError(f"{path.name}: not a text file in UTF-8") from None
    except OSError as error:
        raise BoardError(f"{path.name}: cannot be read: {error.strerror}") from None
    except ValueError:  # a zero byte in the name
        raise BoardError(f"{name_or_path!r} is neither a board nor a file's name") from None
    try:
        form = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BoardError(f"{path.name}: not a JSON file: {error}") from None
    try:
        return read(in_our_words(form))
    except BoardError as error:
        raise BoardError(f"{path.name}: {error}") from None


def in_our_words(form: Any) -> Any:
    """A board's form with round cells, drilled or only printed, called holes as ours are."""
    if not isinstance(form, dict) or not isinstance(form.get("cells"), list):
        return form
    return form | {
        "cells": [
            cell | {"shape": "hole"}
            if isinstance(cell, dict) and cell.get("shape") in ROUND
            else cell
            for cell in form["cells"]
        ]
    }
