"""A gallery of pictures that were read wrongly, for people to look at."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from hardware.boards import Board
from hardware.twin.camera import CameraPose
from web.bench.vision.tally import Verdict

MARKED = (0, 0, 255)
UNSURE = (0, 220, 255)
MOST = 400  # pictures in one gallery


def keep(
    folder: Path,
    name: str,
    picture: np.ndarray,
    verdict: Verdict,
    facts: dict[str, Any],
    camera: CameraPose | None = None,
    board: Board | None = None,
    unsure: tuple[str, ...] = (),
) -> None:
    """The picture as it was, one with the wrong cells marked, and a line of facts."""
    folder.mkdir(parents=True, exist_ok=True)
    if len(list(folder.glob("*.json"))) >= MOST:
        return
    cv2.imwrite(str(folder / f"{name}.png"), picture)
    facts = {
        **facts,
        "wrong": [
            {"cell": cell, "there": list(there), "read": list(read)}
            for cell, there, read in verdict.wrong
        ],
        "unsure": list(unsure),
        "warnings": list(verdict.warnings),
    }
    (folder / f"{name}.json").write_text(json.dumps(facts, ensure_ascii=False, indent=1))
    if camera is None or board is None:
        return
    marked = picture.copy()
    for cell_id in unsure:
        x, y = spot(camera, board, cell_id)
        cv2.circle(marked, (x, y), 16, UNSURE, 1, cv2.LINE_AA)
    for cell_id, there, read in verdict.wrong:
        x, y = spot(camera, board, cell_id)
        cv2.circle(marked, (x, y), 18, MARKED, 2, cv2.LINE_AA)
        words = f"{cell_id}: {'+'.join(there) or '-'} > {'+'.join(read) or '-'}"
        cv2.putText(marked, words, (x + 20, y), cv2.FONT_HERSHEY_SIMPLEX, 0.45, MARKED, 1)
    cv2.imwrite(str(folder / f"{name}.marked.png"), marked)


def spot(camera: CameraPose, board: Board, cell_id: str) -> tuple[int, int]:
    cell = board.cell(cell_id)
    x, y = camera.project([(cell.x, cell.y, 0.0)])[0]
    return round(float(x)), round(float(y))
