"""`arbitre judge`: requests on stdin, answers on stdout, a line each."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

from referee.judging import answer
from referee.plays import RefereeError

LONGEST_LINE = 1_000_000
LONGEST_ERROR = 240
USAGE = "positions come on stdin, one JSON request a line; answers go to stdout, a line each"


def judge(argv: Sequence[str]) -> int:
    if argv:
        asked = argv[0] in ("-h", "--help")
        if not asked:
            print(f"arbitre judge: no {argv[0]!r} is known; {USAGE}", file=sys.stderr)
            return 2
        print(f"arbitre judge: {USAGE}")
        return 0
    for number, line in enumerate(lines(sys.stdin.buffer), start=1):
        if line.strip():
            sys.stdout.buffer.write(answered(line, number))
            sys.stdout.buffer.flush()
    return 0


def lines(stream: BinaryIO) -> Iterator[bytes]:
    """A stream's lines; of one that is too long just enough to see that it is."""
    while line := stream.readline(LONGEST_LINE + 1):
        rest = line
        while len(rest) > LONGEST_LINE and not rest.endswith(b"\n"):
            rest = stream.readline(LONGEST_LINE + 1)
        yield line


def answered(line: bytes, number: int) -> bytes:
    """The answer to one line, whatever is on it, as a line."""
    request: Any = None
    try:
        if len(line) > LONGEST_LINE:
            raise RefereeError("the line is too long")
        request = read(line)
        return written(answer(request))
    except UnicodeDecodeError:
        error = "not UTF-8"
    except RecursionError:
        request, error = None, "nested too deeply"
    except RefereeError as wrong:
        error = shortened(str(wrong))
    except Exception as fault:  # the next line is served all the same
        error = f"this cannot be judged: {type(fault).__name__}"
        print(f"arbitre judge: line {number}: {fault!r}", file=sys.stderr)
    asked = request.get("id") if isinstance(request, dict) else None
    try:
        return written({"id": asked, "error": f"line {number}: {error}"})
    except RecursionError:
        return written({"id": None, "error": f"line {number}: {error}"})


def shortened(error: str) -> str:
    return error if len(error) <= LONGEST_ERROR else error[: LONGEST_ERROR - 1] + "…"


def read(line: bytes) -> Any:
    try:
        return json.loads(
            line.decode("utf-8-sig"), parse_constant=refuse_number, parse_float=finite
        )
    except json.JSONDecodeError as wrong:
        raise RefereeError(f"not JSON: {wrong}") from None
    except (RefereeError, UnicodeDecodeError):
        raise
    except ValueError:
        raise RefereeError("not JSON: a number of thousands of digits") from None


def written(said: dict[str, Any]) -> bytes:
    compact = (",", ":")
    try:
        return (json.dumps(said, ensure_ascii=False, separators=compact) + "\n").encode()
    except UnicodeEncodeError:  # half a character, echoed as it was escaped
        return (json.dumps(said, separators=compact) + "\n").encode()


def finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else refuse_number(text)


def refuse_number(text: str) -> float:
    raise RefereeError(f"{text[:20]} is not a number in JSON")
