"""`arbitre see` and `arbitre cameras`."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

from calibration.table import Table, TableError
from hardware.boards import BoardError
from hardware.parser import Parser
from vision.picture import PictureError, load_picture
from vision.reading import Reader, Reading


def cameras(argv: Sequence[str]) -> int:
    from vision.cameras.command import cameras as run

    return int(run(argv))


def see(argv: Sequence[str]) -> int:
    """Read boards from pictures: one JSON object a line."""
    parser = Parser(
        prog="arbitre see", description="Read boards from pictures: one JSON object a line."
    )
    parser.add_argument("--table", required=True, help="what `arbitre calibrate` has written")
    parser.add_argument("image", nargs="+", help="pictures of that table")
    options = parser.parse_args(list(argv))
    try:
        reader = Reader(Table.load(options.table))
    except (TableError, BoardError) as error:
        print(error, file=sys.stderr)
        return 2
    bad = False
    for image in options.image:
        try:
            answer = line(image, reader.read(load_picture(image)))
        except PictureError as error:
            answer, bad = {"image": image, "error": str(error)}, True
        print(json.dumps(answer, ensure_ascii=False), flush=True)
    return 2 if bad else 0


def line(image: str, reading: Reading) -> dict[str, Any]:
    return {
        "image": image,
        "pieces": [
            {"cell": seen.cell, "name": seen.name, "confidence": round(seen.confidence, 4)}
            for seen in reading.pieces
        ],
        "unsure": list(reading.unsure),
        "blocked": reading.blocked,
        "warnings": list(reading.warnings),
        "ms": round(reading.ms, 2),
    }
