"""USB cameras and everything else the kernel shows as /dev/videoN, through OpenCV."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.cameras.camera import CameraError, Frame, Mode, Picture
from vision.cameras.metering import held_back

SETTLE = 2.0
EXPOSURE_MANUAL, EXPOSURE_AUTO = 1, 3  # as V4L2 counts them
TRIES = 3  # frames a camera may drop in a row
BUFFERS = 4  # frames that may wait to be fetched
LATE = 3  # frames beyond those until what was asked for shows
OLDEST = 10.0  # seconds from which what a driver calls a frame's time means something else


def listed(root: Path = Path("/sys/class/video4linux")) -> list[tuple[int, str]]:
    """Numbers and names of video devices that can be looked through."""
    found = []
    for entry in sorted(root.glob("video*")) if root.is_dir() else []:
        number = entry.name.removeprefix("video")
        if not number.isdigit():
            continue
        # a camera shows several devices; only the first of them gives pictures
        index = read(entry / "index")
        if index in ("", "0"):
            found.append((int(number), read(entry / "name") or entry.name))
    return sorted(found)


def read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


class UsbCamera:
    """One V4L2 camera; focus, exposure and white balance are held once they have settled."""

    def __init__(
        self,
        number: int = 0,
        size: tuple[int, int] = (1280, 960),
        capture: Callable[[int, int], Any] = cv2.VideoCapture,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.number = number
        self.wanted = size
        self.capture = capture
        self.clock = clock
        self.device: Any = None
        self.size = size
        self.taken = 0
        self.fetched: deque[float] = deque(maxlen=BUFFERS + 1)  # when the newest frames were

    @property
    def name(self) -> str:
        return f"usb:{self.number}"

    @property
    def path(self) -> str:
        return f"/dev/video{self.number}"

    def open(self) -> Mode:
        self.close()
        # what is wrong is said by us, in words
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_ERROR)
        device = self.capture(self.number, cv2.CAP_V4L2)
        if not device.isOpened():
            device.release()
            raise CameraError(self.why_closed())
        self.device = device
        device.set(cv2.CAP_PROP_FOURCC, float(cv2.VideoWriter.fourcc(*"MJPG")))
        device.set(cv2.CAP_PROP_FRAME_WIDTH, float(self.wanted[0]))
        device.set(cv2.CAP_PROP_FRAME_HEIGHT, float(self.wanted[1]))
        device.set(cv2.CAP_PROP_BUFFERSIZE, 1.0)
        self.size = (
            round(device.get(cv2.CAP_PROP_FRAME_WIDTH)),
            round(device.get(cv2.CAP_PROP_FRAME_HEIGHT)),
        )
        notes = []
        if self.size != tuple(self.wanted):
            wide, high = self.wanted
            notes.append(f"{wide}x{high} was asked, {self.size[0]}x{self.size[1]} was granted")
        try:
            notes += self.settle()
        except CameraError:
            self.close()
            raise
        return Mode(*self.size, fourcc(device.get(cv2.CAP_PROP_FOURCC)), tuple(notes))

    def why_closed(self) -> str:
        if not os.path.exists(self.path):
            return (
                f"there is no {self.path}: is the camera plugged in? `arbitre cameras` lists them"
            )
        if not os.access(self.path, os.R_OK | os.W_OK):
            return f"no right to use {self.path}: sudo adduser $USER video, then log in again"
        return f"{self.path} does not open: another program uses it, or it is no camera"

    def settle(self) -> list[str]:
        """Two seconds by itself, then hold what it found."""
        device = self.device
        device.set(cv2.CAP_PROP_AUTOFOCUS, 1.0)
        device.set(cv2.CAP_PROP_AUTO_EXPOSURE, float(EXPOSURE_AUTO))
        device.set(cv2.CAP_PROP_AUTO_WB, 1.0)
        end = self.clock() + SETTLE
        while self.clock() < end:
            self.take()
        notes, held = [], {}
        for what, auto, off, value in (
            ("focus", cv2.CAP_PROP_AUTOFOCUS, 0.0, cv2.CAP_PROP_FOCUS),
            ("exposure", cv2.CAP_PROP_AUTO_EXPOSURE, float(EXPOSURE_MANUAL), cv2.CAP_PROP_EXPOSURE),
            ("white balance", cv2.CAP_PROP_AUTO_WB, 0.0, cv2.CAP_PROP_WB_TEMPERATURE),
        ):
            found = device.get(value)
            if not device.set(auto, off):
                notes.append(f"{what} cannot be held: the camera has no such control")
            elif found > 0:
                device.set(value, found)
                held[what] = found
        if "exposure" in held:
            self.hold_back(held["exposure"])
        return notes

    def hold_back(self, exposure: float) -> None:
        """Less light than the camera finds by itself where it would burn out the board."""

        def look() -> Picture:
            for _ in range(BUFFERS + LATE):
                self.take()
            return self.take()

        def expose(kept: float) -> None:
            self.device.set(cv2.CAP_PROP_EXPOSURE, float(max(round(exposure * kept), 1)))

        held_back(look, expose)

    def take(self) -> np.ndarray:
        """The next whole picture; single bad ones are passed over."""
        for _ in range(TRIES):
            done, picture = self.device.read()
            self.fetched.append(self.clock())
            if done and picture is not None and picture.size:
                break
        else:
            gone = not os.path.exists(self.path)
            raise CameraError(
                f"{self.path} was unplugged: plug it in again"
                if gone
                else f"{self.path} sends no pictures: another cable or USB port may help"
            )
        if picture.ndim != 3 or picture.shape[2] != 3 or picture.dtype != np.uint8:
            raise CameraError(f"{self.path} sends a format that OpenCV does not turn into colours")
        if (picture.shape[1], picture.shape[0]) != self.size:
            raise CameraError(
                f"{self.path} sends {picture.shape[1]}x{picture.shape[0]} "
                f"instead of {self.size[0]}x{self.size[1]}"
            )
        return np.asarray(picture, dtype=np.uint8)

    def frame(self) -> Frame:
        if self.device is None:
            raise CameraError(f"{self.name} is not open")
        picture = self.take()
        self.taken += 1
        now = self.fetched[-1]
        stamp = self.device.get(cv2.CAP_PROP_POS_MSEC) / 1000  # the kernel's, since the start
        if stamp > 0 and 0 <= now - stamp < OLDEST:
            return Frame(picture, stamp, self.taken)
        known = len(self.fetched) > BUFFERS
        return Frame(picture, now, self.taken, now - self.fetched[0] if known else OLDEST)

    def close(self) -> None:
        if self.device is not None:
            self.device.release()
            self.device = None


def fourcc(number: float) -> str:
    """The four letters of a format."""
    letters = int(number).to_bytes(4, "little", signed=False) if number > 0 else b"????"
    return letters.decode("ascii", errors="replace").strip("\0 ") or "?"
