"""The tables that were calibrated: a file for each board, readers made from them when needed."""

from __future__ import annotations

import logging
from pathlib import Path

import numpy as np

from calibration.table import Table, TableError
from hardware import boards
from hardware.boards import Board, BoardError
from vision.picture import PictureError
from vision.reading import Reader, Reading
from vision.watch import Watcher
from web.lamplight import Colours

log = logging.getLogger(__name__)


class Learned:
    """A folder of calibrated tables. Any thread."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, board: str) -> Path:
        return self.folder / f"{board}.json"

    def knows(self, board: str) -> bool:
        return self.path(board).is_file()

    def load(self, board: str) -> Table | None:
        if not self.knows(board):
            return None
        try:
            return Table.load(self.path(board))
        except (TableError, BoardError) as error:
            log.error("%s; the host's page learns the board again", error)
            return None

    def watch(self, board: str) -> tuple[Board, Watcher] | None:
        table = self.load(board)
        return None if table is None else (table.board, Watcher(Reader(table)))

    def read(
        self, board: str, picture: np.ndarray, lights: Colours | None = None
    ) -> tuple[Board, Reading] | None:
        table = self.load(board)
        if table is None:
            return None
        try:
            return table.board, Reader(table).read(picture, lights)
        except PictureError as error:
            log.warning("the board cannot be read: %s", error)
            return None

    def board(self, name: str, house_entry: int) -> Board:
        """The board as it was built, if it was learned; otherwise as we would build it."""
        table = self.load(name)
        return boards.board(name, house_entry) if table is None else table.board

    def keep(self, name: str, table: Table) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        table.save(self.path(name))
