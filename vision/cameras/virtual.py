"""The virtual table as a camera."""

from __future__ import annotations

import time
from collections.abc import Callable

from hardware.twin.desk import Desk
from vision.cameras.camera import CameraError, Frame, Mode


class VirtualCamera:
    """Photographs a virtual table as it stands when the frame is taken."""

    def __init__(
        self, desk: Desk, rate: float = 5.0, clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:  # fmt: skip
        self.desk = desk
        self.rate = rate
        self.clock = clock
        self.sleep = sleep
        self.taken = 0
        self.ready = False
        self.due = 0.0

    @property
    def name(self) -> str:
        return f"twin:{self.desk.board.name}"

    def open(self) -> Mode:
        self.ready = True
        self.due = self.clock()
        width, height = self.desk.size
        return Mode(width, height, "drawn")

    def frame(self) -> Frame:
        if not self.ready:
            raise CameraError(f"{self.name} is not open")
        wait = self.due - self.clock()
        if wait > 0:
            self.sleep(wait)
        self.due = max(self.due, self.clock()) + 1 / self.rate
        self.taken += 1
        began = self.clock()
        return Frame(self.desk.picture(self.taken), began, self.taken)

    def close(self) -> None:
        self.ready = False
