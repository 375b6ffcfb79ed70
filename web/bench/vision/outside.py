"""Pictures made by others: folders with a board, a truth and pictures of one table each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.learning import CalibrationError, learn
from hardware.board_files import load
from vision.reading import PictureError, Reader
from web.bench.vision.failures import keep
from web.bench.vision.tally import Tally, judge, merged

EMPTY, START = "empty.jpg", "start.jpg"


def measure_folder(folder: Path, failures: str | None) -> dict[str, Any]:
    """Every table in a folder, learned from two pictures and from one."""
    if not folder.is_dir():
        raise ValueError(f"{folder} is no folder")
    tables = sorted(path.parent for path in folder.glob("*/board.json"))
    if not tables:
        raise ValueError(f"no table in {folder}: each needs board.json, truth.json and pictures")
    found: dict[str, Any] = {}
    for alone in (False, True):
        learned_from = "start alone" if alone else "empty and start"
        tallies: dict[str, Tally] = {}
        hands = {"pictures": 0, "called_blocked": 0, "wrong": 0}
        troubles: list[str] = []
        for table in tables:
            tallies[table.name] = read_table(table, alone, hands, troubles, failures)
        found[learned_from] = {
            "tables": {name: tally.figures() for name, tally in tallies.items()},
            "all": merged(tallies.values()).figures(),
            "hands": hands,
            "unlearned": troubles,
        }
    return found


def read_table(
    table: Path, alone: bool, hands: dict[str, int], troubles: list[str], failures: str | None
) -> Tally:
    tally = Tally()
    board = load(str(table / "board.json"))
    truth = json.loads((table / "truth.json").read_text(encoding="utf-8"))
    setup = pieces_of(truth[START])
    others = [name for name in sorted(truth) if name not in (EMPTY, START)]
    try:
        empty = [] if alone else [picture(table / EMPTY)]
        reader = Reader(learn(board, empty, picture(table / START), setup))
    except (CalibrationError, PictureError) as error:
        troubles.append(f"{table.name}: {error}")
        tally.refuse(len(others))
        return tally
    for name in others:
        image = picture(table / name)
        hand = bool(truth[name].get("hand"))
        try:
            reading = reader.read(image)
        except PictureError:
            tally.refuse()
            continue
        verdict = judge(board, reading, pieces_of(truth[name]))
        if hand:
            hands["pictures"] += 1
            hands["called_blocked"] += reading.blocked
            hands["wrong"] += len(verdict.wrong)
        else:
            tally.add(verdict)
        if verdict.wrong and failures is not None:
            label = f"outside-{table.name}-{Path(name).stem}-{'one' if alone else 'two'}"
            keep(Path(failures), label, image, verdict,
                 {"table": table.name, "picture": name, "hand": hand, "alone": alone},
                 unsure=reading.unsure)  # fmt: skip
    return tally


def pieces_of(entry: dict[str, Any]) -> dict[str, tuple[str, ...]]:
    return {
        cell: tuple([names] if isinstance(names, str) else names)
        for cell, names in entry["pieces"].items()
    }


def picture(path: Path) -> np.ndarray:
    image = cv2.imread(str(path))
    if image is None:
        raise ValueError(f"{path} cannot be read as a picture")
    return np.asarray(image, dtype=np.uint8)
