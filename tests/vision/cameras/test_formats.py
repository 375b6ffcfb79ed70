"""Made-up buffers of every format: colours, strides, padding, and what is cut off."""

import cv2
import numpy as np
import pytest

from vision.cameras.camera import CameraError
from vision.cameras.formats import COLOURS, DECODERS, Layout, decode, matrix

WIDTH, HEIGHT = 64, 48
LEFT, RIGHT = (40, 60, 200), (200, 90, 30)  # blue, green, red


def board() -> np.ndarray:
    picture = np.full((HEIGHT, WIDTH, 3), LEFT, np.uint8)
    picture[:, WIDTH // 2 :] = RIGHT
    picture[:4] = 255
    picture[-4:] = 0
    return picture


def padded(plane: np.ndarray, stride: int) -> bytes:
    """Rows with rubbish between them, as a camera leaves it."""
    rows = plane.reshape(plane.shape[0], -1)
    wide = np.full((rows.shape[0], stride), 0xAA, np.uint8)
    wide[:, : rows.shape[1]] = rows
    return wide.tobytes()


def luma_and_chroma(colours: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Y, Cb, Cr at full size, by turning our own matrix around."""
    turn = matrix(colours).astype(float)
    parts = (board().astype(float) - turn[:, 3]) @ np.linalg.inv(turn[:, :3]).T
    luma, blue, red = np.clip(np.rint(parts), 0, 255).astype(np.uint8).transpose(2, 0, 1)
    return luma, blue, red


def buffer(format_: str, stride: int, colours: str = "full-601") -> bytes:
    picture = board()
    if format_ in ("RGB888", "BGR888"):
        return padded(picture if format_ == "RGB888" else picture[..., ::-1], stride)
    if format_ in ("XRGB8888", "XBGR8888"):
        ordered = picture if format_ == "XRGB8888" else picture[..., ::-1]
        return padded(np.dstack([ordered, np.full((HEIGHT, WIDTH), 7, np.uint8)]), stride)
    luma, blue, red = luma_and_chroma(colours)
    if format_ == "YUV420":
        planes = [padded(plane[::2, ::2], stride // 2) for plane in (blue, red)]
        return padded(luma, stride) + b"".join(planes)
    if format_ == "NV12":
        pairs = np.stack([blue[::2, ::2], red[::2, ::2]], axis=-1)
        return padded(luma, stride) + padded(pairs, stride)
    if format_ == "YUYV":
        packed = np.empty((HEIGHT, WIDTH * 2), np.uint8)
        packed[:, 0::2], packed[:, 1::4], packed[:, 3::4] = luma, blue[:, ::2], red[:, ::2]
        return padded(packed, stride)
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 100])[1].tobytes()


BYTES = {"RGB888": 3, "BGR888": 3, "XRGB8888": 4, "XBGR8888": 4, "YUYV": 2}


def layout(format_: str, padding: int = 0, colours: str = "full-601") -> Layout:
    return Layout(format_, WIDTH, HEIGHT, WIDTH * BYTES.get(format_, 1) + padding, colours)


@pytest.mark.parametrize("format_", DECODERS)
@pytest.mark.parametrize("padding", [0, 32])
def test_every_format_gives_the_same_board(format_: str, padding: int) -> None:
    wanted = layout(format_, padding)
    picture = decode(buffer(format_, wanted.stride), wanted)
    assert picture.shape == (HEIGHT, WIDTH, 3)
    middle = picture[10:-10].astype(int)
    assert np.abs(middle[:, 4 : WIDTH // 2 - 4] - LEFT).max() <= 5
    assert np.abs(middle[:, WIDTH // 2 + 4 : -4] - RIGHT).max() <= 5


@pytest.mark.parametrize("colours", COLOURS)
def test_colour_spaces_differ_and_each_is_right(colours: str) -> None:
    wanted = layout("NV12", 0, colours)
    picture = decode(buffer("NV12", wanted.stride, colours), wanted)
    assert np.abs(picture[20, 10].astype(int) - LEFT).max() <= 3
    assert picture[0, 10].min() >= 253
    assert picture[-1, 10].max() <= 2


def test_white_and_black_of_the_two_ranges() -> None:
    full, limited = matrix("full-601"), matrix("limited-601")
    grey = np.array([[0, 128, 128, 1], [255, 128, 128, 1], [16, 128, 128, 1], [235, 128, 128, 1]])
    assert np.allclose((grey @ full.T)[:2], [[0] * 3, [255] * 3], atol=0.5)
    assert np.allclose((grey @ limited.T)[2:], [[0] * 3, [255] * 3], atol=0.5)


@pytest.mark.parametrize("format_", DECODERS)
def test_a_buffer_that_was_cut_off_is_no_picture(format_: str) -> None:
    wanted = layout(format_)
    whole = buffer(format_, wanted.stride)
    for length in (0, 1, len(whole) // 2, len(whole) - 1):
        with pytest.raises(CameraError):
            decode(whole[:length], wanted)


def test_a_row_may_not_be_longer_than_its_stride() -> None:
    with pytest.raises(CameraError, match="cannot hold"):
        decode(bytes(100_000), Layout("RGB888", WIDTH, HEIGHT, WIDTH))


def test_an_unknown_format_is_named() -> None:
    with pytest.raises(CameraError, match="SBGGR10"):
        decode(b"", Layout("SBGGR10", WIDTH, HEIGHT, WIDTH))


def test_a_jpeg_of_another_size_is_refused_before_it_is_unpacked() -> None:
    huge = bytearray(buffer("MJPEG", 0))
    place = huge.index(b"\xff\xc0")
    huge[place + 5 : place + 9] = (60000).to_bytes(2, "big") * 2
    with pytest.raises(CameraError, match="60000x60000 instead of 64x48"):
        decode(bytes(huge), layout("MJPEG"))


@pytest.mark.parametrize("size", [(0, 10), (-4, 4), (100_000, 100_000)])
def test_impossible_sizes(size: tuple[int, int]) -> None:
    with pytest.raises(CameraError, match="cannot be right"):
        decode(b"", Layout("RGB888", *size, 400_000))
