"""Runs inside the trixie folder: our adapter, the real Picamera2, libcamera's virtual camera."""

import mmap
import os
import sys
from typing import Any

import libcamera
import numpy as np
import picamera2.picamera2
from picamera2 import Picamera2
from picamera2.allocators.allocator import Allocator

from vision.cameras.camera import CameraError, Frame
from vision.cameras.pi import PiCamera
from vision.cameras.steady import Steady, Trouble

LEFT, RIGHT = (40, 60, 200), (200, 90, 30)


class WholeBuffer:
    """Both planes of a frame at once; each has its own number for the same memory."""

    def __init__(self, allocator: object, frame: Any, write: bool) -> None:
        self.frame = frame

    def __enter__(self) -> mmap.mmap:
        length = sum(plane.bytes_used for plane in self.frame.metadata.planes)
        self.memory = mmap.mmap(self.frame.planes[0].fd, length)
        return self.memory

    def __exit__(self, *trouble: object) -> None:
        self.memory.close()


class MemoryAllocator(Allocator):  # type: ignore[misc]
    """Frame buffers in plain memory, where the kernel offers no heap for cameras."""

    needs_sync = True

    def __init__(self) -> None:
        super().__init__()
        self.sync = WholeBuffer
        self.by_stream: dict[Any, list[Any]] = {}
        self.open_files: list[int] = []

    def allocate(self, libcamera_config: Any, _: object) -> None:
        self.close()
        for stream_config in libcamera_config:
            stream, size = stream_config.stream, stream_config.frame_size
            luma = stream_config.stride * stream_config.size.height
            frames = []
            for number in range(stream_config.buffer_count):
                file = os.memfd_create(f"frame-{number}")
                os.ftruncate(file, -(-size // mmap.PAGESIZE) * mmap.PAGESIZE)
                self.open_files.append(file)
                planes = []
                for offset, length in ((0, luma), (luma, size - luma)):
                    plane = libcamera.FrameBuffer.Plane()
                    plane.fd, plane.offset, plane.length = file, offset, length
                    planes.append(plane)
                frames.append(libcamera.FrameBuffer(planes))
            self.by_stream[stream] = frames

    def buffers(self, stream: Any) -> list[Any]:
        return self.by_stream[stream]

    def close(self) -> None:
        for file in self.open_files:
            os.close(file)
        self.open_files, self.by_stream = [], {}


# closing makes a new one of these, so an argument would not be enough
picamera2.picamera2.DmaAllocator = MemoryAllocator


class VirtualPicamera2(Picamera2):  # type: ignore[misc]
    """The virtual pipeline has no raw pictures and refuses to be asked for them."""

    def _get_raw_modes(self) -> list[dict[str, Any]]:
        return [{"format": "SRGGB10", "size": (1280, 960)}]


def build(number: int) -> VirtualPicamera2:
    return VirtualPicamera2(number)


def virtual(number: int, size: tuple[int, int]) -> PiCamera:
    """Our adapter; libcamera unpacks the JPEGs to full range and calls that Rec709."""
    return PiCamera(number, size, build, colours="full-601")


def check(what: str, done: bool) -> None:
    print(("ok    " if done else "FAILS ") + what)
    if not done:
        sys.exit(1)


def near(pixel: np.ndarray, colour: tuple[int, int, int]) -> bool:
    return bool(np.abs(pixel.astype(int) - colour).max() <= 12)


def main() -> None:
    check("libcamera shows the virtual camera", len(Picamera2.global_camera_info()) == 1)
    camera = virtual(0, (1280, 960))
    mode = camera.open()
    print("      granted", mode, "stride", camera.layout.stride, camera.layout.colours, mode.notes)
    check("the configuration is read back", (mode.width, mode.height) == (1280, 960))
    check("what cannot be held is said", any("exposure" in note for note in mode.notes))
    frames = [camera.frame() for _ in range(12)]
    check("frames have the granted size", all(f.bgr.shape == (960, 1280, 3) for f in frames))
    check("colours are right", all(
        near(f.bgr[900, 600], LEFT) and near(f.bgr[900, 1200], RIGHT) for f in frames
    ))  # fmt: skip
    bars = {int(np.argmax(f.bgr[480].min(axis=1) > 230)) // 100 for f in frames}
    check(f"several pictures were seen ({sorted(bars)})", len(bars) >= 2)
    times = [f.time for f in frames]
    check("time does not stand still", times[-1] > times[0])
    try:
        virtual(0, (1280, 960)).open()
        busy = ""
    except CameraError as error:
        busy = str(error)
    check(f"a second program is told: {busy}", "another program" in busy)
    camera.close()
    mode = camera.open()
    check("it opens again", camera.frame().bgr.shape == (960, 1280, 3))
    camera.close()
    small = virtual(0, (640, 480))
    check("another size is granted", str(small.open()).startswith("640x480"))
    check("and decoded", near(small.frame().bgr[400, 300], LEFT))
    small.close()
    try:
        virtual(3, (1280, 960)).open()
        missing = ""
    except CameraError as error:
        missing = str(error)
    check(f"a missing camera is told: {missing}", "no Pi camera 3" in missing)
    camera = virtual(0, (1280, 960))
    steady = Steady(camera, sleep=lambda _: None)
    first = steady.next()
    camera.camera.stop()  # as a camera whose cable came loose: no further frames
    gone, again = steady.next(), steady.next()
    check(f"a camera that stopped is noticed: {getattr(gone, 'words', gone)}",
          isinstance(first, Frame) and isinstance(gone, Trouble))  # fmt: skip
    check(f"and opened again {getattr(again, 'words', '')}", isinstance(again, Frame))
    steady.stop()
    print("the adapter runs on the real Picamera2")


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    os._exit(0)  # libcamera's own threads are left to the system
