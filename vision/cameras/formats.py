"""Camera buffers to pictures: a table of formats, each with its row stride."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.camera import CameraError, Picture

Bytes = NDArray[np.uint8]
LARGEST = 64_000_000  # pixels; no board camera has more

COLOURS = {
    "full-601": ("601", False),
    "limited-601": ("601", True),
    "full-709": ("709", False),
    "limited-709": ("709", True),
}
WEIGHTS = {"601": (0.299, 0.114), "709": (0.2126, 0.0722)}  # of red and of blue in brightness


@dataclass(frozen=True)
class Layout:
    """How a buffer is laid out; `stride` is the bytes from one row to the next."""

    format: str
    width: int
    height: int
    stride: int
    colours: str = "full-601"


def decode(data: object, layout: Layout) -> Picture:
    """The picture in a buffer; a short or unknown buffer is an error, never half a picture."""
    if layout.format not in DECODERS:
        raise CameraError(
            f'the camera sends "{layout.format}", which is not among {", ".join(DECODERS)}; '
            "ask it for RGB888 or MJPEG"
        )
    if not 0 < layout.width * layout.height <= LARGEST:
        raise CameraError(f"a picture of {layout.width}x{layout.height} cannot be right")
    array = np.frombuffer(data, np.uint8) if isinstance(data, (bytes, bytearray)) else data
    if not isinstance(array, np.ndarray) or array.dtype != np.uint8:
        raise CameraError("the camera sent something that is not bytes")
    return DECODERS[layout.format](array.reshape(-1), layout)


def rows(data: Bytes, start: int, height: int, stride: int, used: int, what: str) -> Bytes:
    """`height` rows of `used` bytes; the last row may lack its padding."""
    if stride < used:
        raise CameraError(f"{what}: rows of {stride} bytes cannot hold {used}")
    needed = start + stride * (height - 1) + used
    if data.size < needed:
        raise CameraError(
            f"{what}: the buffer was cut off, {data.size} bytes instead of {needed}; "
            "check the camera's cable and power"
        )
    return np.lib.stride_tricks.as_strided(
        data[start:], (height, used), (stride, 1), writeable=False
    )


def packed(channels: int, order: tuple[int, int, int]) -> Callable[[Bytes, Layout], Picture]:
    """A decoder of interleaved colours, `order` being where blue, green and red lie."""

    def read(data: Bytes, layout: Layout) -> Picture:
        plane = rows(data, 0, layout.height, layout.stride, layout.width * channels, layout.format)
        pixels = plane.reshape(layout.height, layout.width, channels)
        return np.ascontiguousarray(pixels[..., list(order)])

    return read


def yuv420(data: Bytes, layout: Layout) -> Picture:
    """Three planes; the colours' rows are half as long, their stride too."""
    width, height, stride = layout.width, layout.height, layout.stride
    half_w, half_h, half_stride = (width + 1) // 2, (height + 1) // 2, stride // 2
    luma = rows(data, 0, height, stride, width, layout.format)
    first = stride * height
    blue = rows(data, first, half_h, half_stride, half_w, layout.format)
    red = rows(data, first + half_stride * half_h, half_h, half_stride, half_w, layout.format)
    return coloured(luma, blue, red, layout)


def nv12(data: Bytes, layout: Layout) -> Picture:
    """A plane of brightness, then one of colours by pairs with the same stride."""
    width, height, stride = layout.width, layout.height, layout.stride
    half_w, half_h = (width + 1) // 2, (height + 1) // 2
    luma = rows(data, 0, height, stride, width, layout.format)
    pairs = rows(data, stride * height, half_h, stride, 2 * half_w, layout.format)
    return coloured(luma, pairs[:, 0::2], pairs[:, 1::2], layout)


def yuyv(data: Bytes, layout: Layout) -> Picture:
    """Brightness and colour by turns, colours shared by two neighbours."""
    if layout.width % 2:
        raise CameraError(f"YUYV pictures are an even number wide, not {layout.width}")
    plane = rows(data, 0, layout.height, layout.stride, layout.width * 2, layout.format)
    return coloured(plane[:, 0::2], plane[:, 1::4], plane[:, 3::4], layout)


def coloured(luma: Bytes, blue: Bytes, red: Bytes, layout: Layout) -> Picture:
    """Brightness and two smaller planes of colour difference to blue, green, red."""
    size = (layout.width, layout.height)
    wide = [
        cv2.resize(np.ascontiguousarray(plane), size, interpolation=cv2.INTER_LINEAR)
        for plane in (blue, red)
    ]
    planes = [np.ascontiguousarray(luma), *wide]
    return np.asarray(cv2.transform(cv2.merge(planes), matrix(layout.colours)), dtype=np.uint8)


def matrix(colours: str) -> NDArray[np.float32]:
    """Three rows that turn (Y, Cb, Cr, 1) into blue, green, red."""
    if colours not in COLOURS:
        raise CameraError(f'colour space "{colours}" is none of {", ".join(COLOURS)}')
    weights, limited = COLOURS[colours]
    red, blue = WEIGHTS[weights]
    green = 1 - red - blue
    by_luma = 255 / 219 if limited else 1.0
    by_chroma = 255 / 224 if limited else 1.0
    to_red, to_blue = 2 * (1 - red) * by_chroma, 2 * (1 - blue) * by_chroma
    black = 16 * by_luma if limited else 0.0
    turn = np.array(
        [
            [by_luma, to_blue, 0.0],
            [by_luma, -to_blue * blue / green, -to_red * red / green],
            [by_luma, 0.0, to_red],
        ]
    )
    shift = -128 * (turn[:, 1] + turn[:, 2]) - black
    return np.column_stack([turn, shift]).astype(np.float32)


def mjpeg(data: Bytes, layout: Layout) -> Picture:
    """One JPEG; its header must name the size that was granted before it is unpacked."""
    raw = data.tobytes().rstrip(b"\0")
    size = jpeg_size(raw)
    if size is None or not raw.endswith(b"\xff\xd9"):
        raise CameraError("the camera sent a damaged JPEG; try another cable or a smaller picture")
    if size != (layout.width, layout.height):
        raise CameraError(
            f"the camera sent {size[0]}x{size[1]} instead of {layout.width}x{layout.height}"
        )
    picture = cv2.imdecode(np.frombuffer(raw, np.uint8), cv2.IMREAD_COLOR)
    if picture is None:
        raise CameraError("the camera sent a JPEG that cannot be unpacked")
    return np.asarray(picture, dtype=np.uint8)


def jpeg_size(raw: bytes) -> tuple[int, int] | None:
    """Width and height from a JPEG's header, None if it is none."""
    if raw[:2] != b"\xff\xd8":
        return None
    place = 2
    while place + 9 <= len(raw):
        if raw[place] != 0xFF:
            return None
        kind = raw[place + 1]
        if kind == 0xFF:
            place += 1
            continue
        length = int.from_bytes(raw[place + 2 : place + 4], "big")
        if kind in range(0xC0, 0xD0) and kind not in (0xC4, 0xC8, 0xCC):
            height = int.from_bytes(raw[place + 5 : place + 7], "big")
            width = int.from_bytes(raw[place + 7 : place + 9], "big")
            return width, height
        if kind == 0xDA or length < 2:
            return None
        place += 2 + length
    return None


# libcamera names colours from the highest byte down, so RGB888 lies in memory as blue, green, red
DECODERS: dict[str, Callable[[Bytes, Layout], Picture]] = {
    "RGB888": packed(3, (0, 1, 2)),
    "BGR888": packed(3, (2, 1, 0)),
    "XRGB8888": packed(4, (0, 1, 2)),
    "XBGR8888": packed(4, (2, 1, 0)),
    "YUV420": yuv420,
    "NV12": nv12,
    "YUYV": yuyv,
    "MJPEG": mjpeg,
}
