"""From what a person writes to a camera."""

from __future__ import annotations

from pathlib import Path

from hardware.boards import BoardError
from hardware.twin.desk import Desk
from vision.cameras.camera import Camera, CameraError
from vision.cameras.files import PICTURES, FolderCamera, VideoCamera
from vision.cameras.pi import PiCamera
from vision.cameras.usb import UsbCamera
from vision.cameras.virtual import VirtualCamera

FORMS = "pi, pi:1, usb:0, /dev/video0, a folder of pictures, a video file, twin:tock4"


def source(text: str, size: tuple[int, int] = (1280, 960), again: bool = False) -> Camera:
    """The camera meant by `text`; nothing is opened yet."""
    kind, _, rest = text.partition(":")
    if kind in ("pi", "usb") and (rest.isdigit() or not rest):
        number = int(rest or 0)
        return PiCamera(number, size) if kind == "pi" else UsbCamera(number, size)
    if kind == "twin":
        try:
            return VirtualCamera(Desk.of(rest or "tock4", size))
        except BoardError as error:
            raise CameraError(str(error)) from error
    if text.startswith("/dev/video") and text.removeprefix("/dev/video").isdigit():
        return UsbCamera(int(text.removeprefix("/dev/video")), size)
    path = Path(text)
    if path.is_dir():
        return FolderCamera(path, again=again)
    if path.is_file():
        if path.suffix.lower() in PICTURES:
            raise CameraError(f"{path.name} is one picture: `arbitre see` reads it")
        return VideoCamera(path, again=again)
    raise CameraError(f'no camera "{text}"; known are {FORMS}')
