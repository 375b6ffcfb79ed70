"""A picture file to pixels: known formats only, its size checked before anything is unpacked."""

from __future__ import annotations

import io
import warnings
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

FORMATS = ("JPEG", "PNG", "WEBP", "BMP", "TIFF", "PPM")
MOST_BYTES = 60_000_000
MOST_PIXELS = 50_000_000  # the largest phone camera; a frame of it takes 150 MB
LEAST = 120  # pixels; below that no board can be told from another


class PictureError(ValueError):
    """A picture that cannot be used, with what to do about it."""


def load_picture(path: Path | str) -> np.ndarray:
    """A BGR picture from a file; whatever is wrong with it is a PictureError."""
    try:
        if Path(path).stat().st_size > MOST_BYTES:
            raise PictureError("the file is larger than any photograph: not read")
        data = Path(path).read_bytes()
    except FileNotFoundError:
        raise PictureError("no such file") from None
    except IsADirectoryError:
        raise PictureError("a folder, not a picture") from None
    except OSError as error:
        raise PictureError(f"cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise PictureError(f"no such file: {error}") from None
    return decode_picture(data)


def decode_picture(data: bytes) -> np.ndarray:
    """A BGR picture from an encoded one."""
    if not data:
        raise PictureError("the file is empty")
    check_header(data)
    try:
        picture = cv2.imdecode(np.frombuffer(data, dtype=np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        picture = None
    if picture is None:
        raise PictureError("damaged or cut short: take it or copy it again")
    return picture


def check_header(data: bytes) -> None:
    """Refuse by format, size and completeness, without unpacking the picture."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(data), formats=FORMATS) as header:
                width, height = header.size
                kind = header.format
    except Image.DecompressionBombError:
        raise PictureError("far too many pixels: not read") from None
    except (OSError, SyntaxError, ValueError, TypeError, OverflowError):
        raise PictureError(f"not a picture ({', '.join(FORMATS)})") from None
    if width * height > MOST_PIXELS:
        raise PictureError(f"{width}x{height} pixels are too many: take it smaller")
    if min(width, height) < LEAST:
        raise PictureError(f"{width}x{height} pixels are too few to see a board")
    if kind == "JPEG" and b"\xff\xd9" not in data[-4096:]:
        raise PictureError("damaged or cut short: take it or copy it again")
    if kind == "PNG" and b"IEND" not in data[-64:]:
        raise PictureError("damaged or cut short: take it or copy it again")
