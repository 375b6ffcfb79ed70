"""What every camera can do, and what is said when one cannot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]


class CameraError(Exception):
    """A camera that gives no picture; the message tells a person what to do."""


class CameraFinished(CameraError):  # noqa: N818 - an end, not a fault
    """A folder or video has no further pictures."""


@dataclass(frozen=True)
class Mode:
    """What the camera granted, which may differ from what was asked."""

    width: int
    height: int
    format: str
    notes: tuple[str, ...] = ()  # what could not be locked or was granted otherwise

    def __str__(self) -> str:
        return f"{self.width}x{self.height} {self.format}"


@dataclass(frozen=True)
class Frame:
    """One picture, blue green red, with the seconds at which it was taken."""

    bgr: Picture
    time: float
    number: int
    doubt: float = 0.0  # seconds by which it may be older, where the camera does not tell


class Camera(Protocol):
    """Open, take frames, close; opening again after closing starts afresh."""

    @property
    def name(self) -> str: ...

    def open(self) -> Mode: ...

    def frame(self) -> Frame: ...

    def close(self) -> None: ...
