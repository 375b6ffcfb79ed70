"""`arbitre judge`: requests on stdin, answers on stdout, a line each."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from typing import Any

from referee.judging import answer
from referee.plays import RefereeError

LONGEST_LINE = 1_000_000


def judge(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="arbitre judge",
        description="Judge positions: one JSON request a line on stdin, one answer on stdout.",
    )
    parser.parse_args(argv)
    for number, line in enumerate(sys.stdin.buffer, start=1):
        if line.strip():
            said = answered(line, number)
            sys.stdout.write(json.dumps(said, ensure_ascii=False, separators=(",", ":")) + "\n")
            sys.stdout.flush()
    return 0


def answered(line: bytes, number: int) -> dict[str, Any]:
    """The answer to one line, whatever is on it."""
    request: Any = None
    try:
        if len(line) > LONGEST_LINE:
            raise RefereeError("the line is too long")
        request = json.loads(line.decode("utf-8"), parse_constant=refuse_constant)
        return answer(request)
    except UnicodeDecodeError:
        error = "not UTF-8"
    except json.JSONDecodeError as wrong:
        error = f"not JSON: {wrong}"
    except RecursionError:
        error = "not JSON: nested too deeply"
    except RefereeError as wrong:
        error = str(wrong)
    asked = request.get("id") if isinstance(request, dict) else None
    return {"id": asked, "error": f"line {number}: {error}"}


def refuse_constant(name: str) -> None:
    raise RefereeError(f"{name} is not JSON")
