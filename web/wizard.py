"""The host learns a table: pictures of the empty board, one with pieces, then grades and advice."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

import cv2
import numpy as np

from calibration.learning import CalibrationError, Setup, learn
from calibration.table import Grade, Table
from hardware import boards
from hardware.boards import BoardError
from vision.cameras import Frame
from web.learned import Learned
from web.photos import encoded
from web.problems import ConflictError

log = logging.getLogger(__name__)

Stage = Literal["pictures", "learning", "learned", "failed"]
MOST_PICTURES = 5
WIDEST = 1280


@dataclass(frozen=True)
class Progress:
    """How far the host has come."""

    board: str = ""
    stage: Stage = "pictures"
    empty: tuple[np.ndarray, ...] = ()
    pieces: np.ndarray | None = None
    setup: Setup | None = None
    table: Table | None = None
    problem: str = ""

    @property
    def grades(self) -> tuple[Grade, ...]:
        return () if self.table is None else self.table.grades


class Wizard:
    """One board at a time; learning takes seconds and has a thread of its own."""

    def __init__(
        self,
        learned: Learned,
        newest: Callable[[], Frame | None],
        kept: Callable[[], None],
        news: Callable[[], None],
    ) -> None:
        self._learned = learned
        self._newest = newest
        self._kept = kept
        self._news = news
        self._lock = threading.Lock()
        self.now = Progress()

    def state(self) -> dict[str, Any]:
        now = self.now
        return {
            "board": now.board,
            "boards": list(boards.names()),
            "stage": now.stage,
            "empty": len(now.empty),
            "pieces": now.pieces is not None,
            "problem": now.problem,
            "grades": [
                {"part": g.part, "value": g.value, "finding": g.finding, "advice": g.advice}
                for g in now.grades
            ],
            "learned": [name for name in boards.names() if self._learned.knows(name)],
        }

    def begin(self, board: str) -> None:
        with self._lock:
            self.now = Progress(board)

    def take_empty(self) -> None:
        """A picture of the board with nothing on it."""
        picture = self._picture()
        with self._lock:
            now = self._ready()
            if len(now.empty) >= MOST_PICTURES:
                raise ConflictError("api.enough-pictures", most=MOST_PICTURES)
            self.now = Progress(now.board, "pictures", (*now.empty, picture), now.pieces, now.setup)

    def take_pieces(self, setup: Setup | None) -> None:
        """A picture with pieces; without words all pawns wait in their camps."""
        picture = self._picture()
        with self._lock:
            now = self._ready()
            self.now = Progress(now.board, "pictures", now.empty, picture, setup)

    def learn(self) -> None:
        with self._lock:
            now = self._ready()
            if not now.empty and now.pieces is None:
                raise ConflictError("api.no-pictures")
            self.now = Progress(now.board, "learning", now.empty, now.pieces, now.setup)
        threading.Thread(target=self._learn, args=(self.now,), name="learn", daemon=True).start()

    def _learn(self, now: Progress) -> None:
        try:
            board = boards.board(now.board)
            table = learn(board, now.empty, now.pieces, now.setup)
        except (CalibrationError, BoardError) as error:
            after = replace(now, stage="failed", problem=str(error))
        except Exception as error:  # the outermost of this thread: told, never silent
            log.exception("learning failed")
            after = replace(now, stage="failed", problem=str(error))
        else:
            after = replace(now, stage="learned", table=table, problem="")
        with self._lock:
            if self.now is now:
                self.now = after
        self._news()

    def keep(self) -> None:
        with self._lock:
            now = self.now
            if now.table is None:
                raise ConflictError("api.nothing-learned")
            self._learned.keep(now.board, now.table)
            self.now = Progress(now.board)
        self._kept()

    def drop(self) -> None:
        with self._lock:
            self.now = Progress()

    def _ready(self) -> Progress:
        if not self.now.board:
            raise ConflictError("api.which-board")
        if self.now.stage == "learning":
            raise ConflictError("api.learning")
        return self.now

    def _picture(self) -> np.ndarray:
        frame = self._newest()
        if frame is None:
            raise ConflictError("api.no-picture")
        return frame.bgr.copy()

    # the live picture

    def live(self, marked: bool) -> bytes:
        """The camera's newest picture; with the cells drawn over it, if the table was learned."""
        picture = self._picture()
        table = self.now.table or (self._learned.load(self.now.board) if self.now.board else None)
        if marked and table is not None and table.lens.size == picture.shape[1::-1]:
            draw_cells(picture, table)
        if picture.shape[1] > WIDEST:
            high = round(picture.shape[0] * WIDEST / picture.shape[1])
            picture = cv2.resize(picture, (WIDEST, high), interpolation=cv2.INTER_AREA)
        return encoded(picture, 75)


def draw_cells(picture: np.ndarray, table: Table) -> None:
    """Every cell's place, a circle of its size on the board."""
    for cell in table.board.cells:
        turn = np.linspace(0.0, 2 * np.pi, 16, endpoint=False)
        reach = max(cell.reach, 3.0)
        ring = np.stack(
            [cell.x + reach * np.cos(turn), cell.y + reach * np.sin(turn), np.zeros(16)], axis=1
        )
        spots = np.rint(table.view.project(ring)).astype(np.int32)
        cv2.polylines(picture, [spots.reshape(-1, 1, 2)], True, (255, 255, 255), 3, cv2.LINE_AA)
        cv2.polylines(picture, [spots.reshape(-1, 1, 2)], True, (40, 40, 220), 1, cv2.LINE_AA)
