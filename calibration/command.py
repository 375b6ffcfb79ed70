"""`arbitre calibrate`: learn one table, or one lens, from pictures."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from calibration.chart import learn_lens, load_lens, save_lens
from calibration.learning import CalibrationError, learn
from calibration.table import Grade
from hardware.board_files import load
from hardware.boards import BoardError
from hardware.parser import Parser
from vision.picture import PictureError, load_picture


def calibrate(argv: Sequence[str]) -> int:
    """Write what was learned to --out; the grades and what to do better to stderr."""
    parser = Parser(prog="arbitre calibrate", description=__doc__)
    parser.add_argument("--board", help="a board's name, or the path of a board file")
    parser.add_argument(
        "--empty", nargs="+", action="extend", default=[], help="pictures of the empty board"
    )
    parser.add_argument(
        "--pieces", action="append", help="a picture with known pieces on known cells"
    )
    parser.add_argument(
        "--setup", action="append", help="which: {cell: piece}; left out, all pawns in their camps"
    )
    parser.add_argument("--points", help="{cell: [x, y]} in pixels, for a board without markers")
    parser.add_argument("--lens", help="a lens learned before")
    parser.add_argument(
        "--lens-from", metavar="DIR", help="learn a lens from pictures of the chart"
    )
    parser.add_argument("--out", required=True, help="where to write the table, or the lens")
    options = parser.parse_args(list(argv))
    try:
        found = lens(options) if options.lens_from else table(options)
    except (BoardError, CalibrationError, PictureError) as error:
        print(error, file=sys.stderr)
        return 2
    except OSError as error:
        print(f"{options.out}: cannot be written: {error.strerror}", file=sys.stderr)
        return 2
    for grade in found:
        advice = f" -> {grade.advice}" if grade.advice else ""
        print(f"{grade.part}: {grade.value:.2f}, {grade.finding}{advice}", file=sys.stderr)
    return 0


def lens(options: argparse.Namespace) -> tuple[Grade, ...]:
    learned = learn_lens(Path(options.lens_from))
    save_lens(learned, options.out)
    return learned.grades


def table(options: argparse.Namespace) -> tuple[Grade, ...]:
    if not options.board:
        raise CalibrationError("which board? --board takes a name or the path of a board file")
    if options.setup and not options.pieces:
        raise CalibrationError("--setup says what stands in the picture given with --pieces")
    board = load(options.board)
    shown, told_setup = only(options.pieces, "--pieces"), only(options.setup, "--setup")
    learned = learn(
        board,
        [picture(path) for path in options.empty],
        picture(shown) if shown else None,
        setup(told_setup) if told_setup else None,
        load_lens(options.lens) if options.lens else None,
        points(options.points) if options.points else None,
    )
    learned.save(options.out)
    return learned.grades


def only(given: Sequence[str] | None, option: str) -> str | None:
    """What was given once, or nothing; two pictures with pieces would need two set-ups."""
    if given and len(given) > 1:
        raise CalibrationError(
            f"{option} was given {len(given)} times: a table is learned from one picture with "
            "pieces, choose the one with most colours on the board"
        )
    return given[0] if given else None


def picture(path: str) -> Any:
    try:
        return load_picture(path)
    except PictureError as error:
        raise PictureError(f"{path}: {error}") from None


def told(path: str, what: str) -> dict[str, Any]:
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise CalibrationError(f"{path}: cannot be read: {error.strerror}") from None
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise CalibrationError(f"{path}: not a JSON file: {error}") from None
    if not isinstance(data, dict):
        raise CalibrationError(f"{path}: an object is expected, {what}")
    return data


def setup(path: str) -> dict[str, str | tuple[str, ...]]:
    read: dict[str, str | tuple[str, ...]] = {}
    what = '{"a18": "red", "5": ["red", "blue"]}'
    for cell, names in told(path, what).items():
        if isinstance(names, str):
            read[cell] = names
        elif isinstance(names, list) and all(isinstance(name, str) for name in names):
            read[cell] = tuple(names)
        else:
            raise CalibrationError(f'{path}: "{cell}": the name of a piece or a list of names')
    return read


def points(path: str) -> dict[str, tuple[float, float]]:
    read = {}
    for cell, spot in told(path, '{"a7": [640, 480]}').items():
        good = isinstance(spot, list) and len(spot) == 2
        if not good or not all(isinstance(v, (int, float)) and abs(v) < 1e5 for v in spot):
            raise CalibrationError(f'{path}: "{cell}": two numbers, x and y in pixels')
        read[cell] = (float(spot[0]), float(spot[1]))
    return read
