"""What has to be done now and then while the table runs: old pictures away, the journal copied."""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Callable

from web.journal_file import JournalError

log = logging.getLogger(__name__)

EVERY = 600.0


class Caretaker:
    """A thread that does its rounds."""

    def __init__(self, rounds: dict[str, Callable[[], object]], every: float = EVERY) -> None:
        self._rounds = rounds
        self._every = every
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="caretaker", daemon=True)

    def start(self) -> Caretaker:
        self._thread.start()
        return self

    def _run(self) -> None:
        while True:
            self.round()
            if self._stopping.wait(self._every):
                return

    def round(self) -> None:
        for name, work in self._rounds.items():
            try:
                work()
            except (OSError, sqlite3.Error, JournalError) as error:
                log.error("%s: %s", name, error)
            except Exception:  # the outermost loop of this thread
                log.exception("%s failed", name)

    def stop(self, patience: float = 0.5) -> None:
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(patience)
