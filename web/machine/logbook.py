"""What is written down while the table runs: for people on the screen, more of it in a file."""

from __future__ import annotations

import logging
import logging.handlers
import sys
from pathlib import Path

LOG = "arbitre.log"
LARGEST, KEPT = 1_000_000, 2  # bytes of a file, and how many old ones
FORM = "%(asctime)s %(levelname)s %(name)s: %(message)s"


class Patient(logging.handlers.RotatingFileHandler):
    """A full disk costs lines of the log, and is said once."""

    silent = False

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's name
        if not self.silent:
            self.silent = True
            error = sys.exc_info()[1]
            print(f"the log cannot be written: {error}", file=sys.stderr)


def begin(data: Path, verbose: bool) -> None:
    """Warnings on the screen, or everything; in DATA/arbitre.log always everything."""
    screen = logging.StreamHandler()
    screen.setLevel(logging.INFO if verbose else logging.WARNING)
    handlers: list[logging.Handler] = [screen]
    try:
        data.mkdir(parents=True, exist_ok=True)
        file = Patient(
            data / LOG, maxBytes=LARGEST, backupCount=KEPT, encoding="utf-8", delay=False
        )
        (data / LOG).chmod(0o600)
        handlers.append(file)
    except OSError as error:
        print(f"the log cannot be written: {error}", file=sys.stderr)
    logging.basicConfig(level=logging.INFO, format=FORM, handlers=handlers)
