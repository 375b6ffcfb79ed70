"""A camera that is opened again by itself after it failed."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from vision.cameras.camera import Camera, CameraError, CameraFinished, Frame, Mode

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 15.0


@dataclass(frozen=True)
class Trouble:
    """No frame now: why, in words, and in how many seconds it is tried again."""

    words: str
    again_in: float


class Steady:
    """Frames for as long as there are any; trouble is told, waited out and tried again."""

    def __init__(
        self,
        camera: Camera,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.camera = camera
        self.clock = clock
        self.sleep = sleep
        self.mode: Mode | None = None
        self.pause = FIRST_PAUSE
        self.waiting = False

    def next(self) -> Frame | Trouble:
        """The next frame, or trouble; after trouble the next call waits before it tries again.

        A folder or video that is through raises `CameraFinished`.
        """
        if self.waiting:
            self.sleep(self.pause)
            self.pause = min(LONGEST_PAUSE, 2 * self.pause)
            self.waiting = False
        try:
            if self.mode is None:
                self.mode = self.camera.open()
            frame = self.camera.frame()
        except CameraFinished:
            raise
        except CameraError as error:
            self.stop()
            self.waiting = True
            return Trouble(str(error), self.pause)
        self.pause = FIRST_PAUSE
        return frame

    def stop(self) -> None:
        """Let go of the camera."""
        self.mode = None
        try:
            self.camera.close()
        except (CameraError, OSError, RuntimeError):
            # it is gone already; what matters was said when it failed
            self.waiting = True
