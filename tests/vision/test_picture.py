"""Files that are no pictures, or worse."""

import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.picture import PictureError, decode_picture, load_picture


def encoded(suffix: str, size: tuple[int, int] = (320, 240)) -> bytes:
    noise = np.random.default_rng(1).integers(0, 255, (size[1], size[0], 3), dtype=np.uint8)
    return cv2.imencode(suffix, noise)[1].tobytes()


def bomb(width: int, height: int) -> bytes:
    """A few bytes that claim to be an enormous PNG."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        )

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", b"") + chunk(b"IEND", b"")


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".webp", ".bmp", ".tiff", ".ppm"])
def test_usual_formats_are_read(suffix: str) -> None:
    assert decode_picture(encoded(suffix)).shape == (240, 320, 3)


@pytest.mark.parametrize(
    "data", [b"", b"hello", b"\xff\xd8\xff\xe0", b"\x89PNG\r\n\x1a\n", b"GIF89a"]
)
def test_what_is_no_picture_is_said_to_be_none(data: bytes) -> None:
    with pytest.raises(PictureError):
        decode_picture(data)


@pytest.mark.parametrize("suffix", [".jpg", ".png"])
@pytest.mark.parametrize("part", [0.2, 0.5, 0.97])
def test_a_picture_cut_short_is_not_half_read(suffix: str, part: float) -> None:
    data = encoded(suffix)
    with pytest.raises(PictureError, match=r"cut short|not a picture"):
        decode_picture(data[: int(part * len(data))])


@pytest.mark.parametrize("size", [(60_000, 60_000), (200_000, 300), (8_000, 8_000)])
def test_enormous_pictures_are_refused_unopened(size: tuple[int, int]) -> None:
    with pytest.raises(PictureError, match="pixels"):
        decode_picture(bomb(*size))


def test_tiny_pictures_are_refused() -> None:
    with pytest.raises(PictureError, match="too few"):
        decode_picture(encoded(".png", (16, 16)))


def test_paths_that_lead_nowhere(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="no such file"):
        load_picture(tmp_path / "none.png")
    with pytest.raises(PictureError, match="folder"):
        load_picture(tmp_path)
