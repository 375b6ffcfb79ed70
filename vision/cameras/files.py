"""A folder of pictures, or a video, as a camera."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from PIL import Image, UnidentifiedImageError

from vision.cameras.camera import CameraError, CameraFinished, Frame, Mode, Picture

PICTURES = (".jpg", ".jpeg", ".png", ".webp", ".bmp")
LARGEST = 64_000_000  # pixels
FORMATS = ("JPEG", "PNG", "WEBP", "BMP")


def read_picture(path: Path) -> Picture:
    """A picture file to blue, green, red; looked at before it is unpacked."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(path, formats=FORMATS) as image:
                width, height = image.size
                if width * height > LARGEST:
                    raise CameraError(f"{path.name}: {width}x{height} is too large")
                pixels = np.asarray(image.convert("RGB"), dtype=np.uint8)
    except UnidentifiedImageError:
        raise CameraError(f"{path.name} is no JPEG, PNG, WebP or BMP picture") from None
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise CameraError(f"{path.name}: the picture is too large") from None
    except (OSError, SyntaxError, ValueError) as error:
        raise CameraError(f"{path.name} cannot be read: {error}") from None
    return np.ascontiguousarray(pixels[..., ::-1])


class FolderCamera:
    """The pictures of a folder by name, one a frame."""

    def __init__(self, folder: Path, rate: float = 10.0, again: bool = False) -> None:
        self.folder = folder
        self.rate = rate
        self.again = again  # from the start once it is through
        self.files: list[Path] = []
        self.taken = 0

    @property
    def name(self) -> str:
        return str(self.folder)

    def open(self) -> Mode:
        if not self.folder.is_dir():
            raise CameraError(f"there is no folder {self.folder}")
        try:
            self.files = sorted(
                path for path in self.folder.iterdir() if path.suffix.lower() in PICTURES
            )
        except OSError as error:
            raise CameraError(f"{self.folder} cannot be read: {error.strerror}") from None
        if not self.files:
            raise CameraError(f"no pictures in {self.folder}: {', '.join(PICTURES)} are read")
        self.taken = 0
        first = read_picture(self.files[0])
        return Mode(first.shape[1], first.shape[0], "files", (f"{len(self.files)} pictures",))

    def frame(self) -> Frame:
        if not self.files:
            raise CameraError(f"{self.folder} is not open")
        if self.taken >= len(self.files) and not self.again:
            raise CameraFinished(f"{self.folder}: that was the last of {self.taken} pictures")
        picture = read_picture(self.files[self.taken % len(self.files)])
        self.taken += 1
        return Frame(picture, self.taken / self.rate, self.taken)

    def close(self) -> None:
        self.files = []


class VideoCamera:
    """A video file, frame by frame."""

    def __init__(self, path: Path, again: bool = False) -> None:
        self.path = path
        self.again = again
        self.video: Any = None
        self.rate = 25.0
        self.taken = 0

    @property
    def name(self) -> str:
        return str(self.path)

    def open(self) -> Mode:
        self.close()
        if not self.path.is_file():
            raise CameraError(f"there is no file {self.path}")
        video = cv2.VideoCapture(str(self.path))
        width = round(video.get(cv2.CAP_PROP_FRAME_WIDTH))
        height = round(video.get(cv2.CAP_PROP_FRAME_HEIGHT))
        if not video.isOpened() or not 0 < width * height <= LARGEST:
            video.release()
            raise CameraError(f"{self.path.name} is no video that can be read here")
        self.video, self.taken = video, 0
        self.rate = video.get(cv2.CAP_PROP_FPS) or 25.0
        return Mode(width, height, "video")

    def frame(self) -> Frame:
        if self.video is None:
            raise CameraError(f"{self.path.name} is not open")
        done, picture = self.video.read()
        if not done and self.again and self.taken:
            self.video.set(cv2.CAP_PROP_POS_FRAMES, 0.0)
            done, picture = self.video.read()
        if not done:
            if self.taken:
                raise CameraFinished(f"{self.path.name}: that was the last of {self.taken} frames")
            raise CameraError(f"{self.path.name} holds no picture that can be read here")
        self.taken += 1
        return Frame(np.asarray(picture, dtype=np.uint8), self.taken / self.rate, self.taken)

    def close(self) -> None:
        if self.video is not None:
            self.video.release()
            self.video = None
