"""Cameras behind one small interface: open, take the next frame, close.

`source(text)` makes one from what a person writes: `pi`, `usb:0`, `/dev/video2`, a folder of
pictures, a video, `twin:tock4`.
"""

from vision.cameras.camera import Camera, CameraError, Frame, Mode
from vision.cameras.source import source
from vision.cameras.steady import Steady, Trouble

__all__ = ["Camera", "CameraError", "Frame", "Mode", "Steady", "Trouble", "source"]
