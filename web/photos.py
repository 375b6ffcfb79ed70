"""Pictures of the board: the newest in memory, those that a case needs on disk for a while."""

from __future__ import annotations

import logging
import os
import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

log = logging.getLogger(__name__)

RECENT = 12
QUALITY = 82
HOURS = {"never": 0.0, "evening": 12.0, "week": 168.0, "month": 744.0}  # how long they are kept
NAME = re.compile(r"[0-9a-f]{1,16}-[0-9]{1,9}")


def encoded(picture: np.ndarray, quality: int = QUALITY) -> bytes:
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise ValueError("this picture cannot be encoded")
    return bytes(data)


class Photos:
    """Any thread. A picture's name is given at once; it is encoded when it is put in."""

    def __init__(
        self, folder: Path, keep: Callable[[], str], clock: Callable[[], float] = time.time
    ) -> None:
        self._folder = folder
        self._keep = keep
        self._clock = clock
        self._lock = threading.Lock()
        self._recent: OrderedDict[str, bytes] = OrderedDict()
        self._run = f"{int(clock()):x}"
        self._count = 0

    def put(self, picture: np.ndarray) -> str:
        """Remembers a picture for now; its name."""
        data = encoded(picture)
        with self._lock:
            self._count += 1
            name = f"{self._run}-{self._count}"
            self._recent[name] = data
            while len(self._recent) > RECENT:
                self._recent.popitem(last=False)
        return name

    def save(self, name: str) -> None:
        """To disk, because a case refers to it; unless the host wants no pictures."""
        with self._lock:
            data = self._recent.get(name)
        if data is None or HOURS.get(self._keep(), 0.0) == 0.0 or self._path(name).exists():
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            handle = os.open(self._path(name), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.write(data)
        except OSError as error:  # the case is judged without it
            log.error("a picture cannot be kept: %s", error)

    def get(self, name: str) -> bytes | None:
        if not NAME.fullmatch(name):
            return None
        with self._lock:
            data = self._recent.get(name)
        if data is not None:
            return data
        try:
            return self._path(name).read_bytes()
        except OSError:
            return None

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}.jpg"

    def tidy(self) -> int:
        """Deletes what is older than the host wants; how many that were."""
        oldest = self._clock() - 3600.0 * HOURS.get(self._keep(), 0.0)
        gone = 0
        for path in self._folder.glob("*.jpg") if self._folder.is_dir() else ():
            try:
                if path.stat().st_mtime <= oldest:
                    path.unlink()
                    gone += 1
            except OSError as error:
                log.error("a picture cannot be deleted: %s", error)
        return gone

    def of_cases(self, moment: Any) -> None:
        """Keeps the pictures that cases refer to: listens to the house."""
        if moment.table is None:
            return
        for case in moment.table.cases[-2:]:
            for name in (case.before, case.after):
                if name:
                    self.save(name)
