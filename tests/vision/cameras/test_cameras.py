"""Cameras that work, cameras that fail: what is granted, what is said, how they come back."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.cameras import CameraError, Frame, Mode, Steady, Trouble, source
from vision.cameras.camera import CameraFinished
from vision.cameras.command import cameras
from vision.cameras.files import FolderCamera, VideoCamera, read_picture
from vision.cameras.metering import MANY, burnt_out, shared
from vision.cameras.pi import PiCamera
from vision.cameras.usb import UsbCamera, listed
from vision.cameras.virtual import VirtualCamera


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 0.05
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


class Device:
    """What OpenCV would give for a USB camera; `pictures` is what comes out of it."""

    def __init__(self, pictures: Any, size: tuple[int, int] = (64, 48), opened: bool = True):
        self.pictures, self.size, self.opened = pictures, size, opened
        self.held: dict[int, float] = {}
        self.released = False

    def isOpened(self) -> bool:  # noqa: N802
        return self.opened

    def set(self, what: int, value: float) -> bool:
        self.held[what] = value
        return what != cv2.CAP_PROP_AUTO_WB  # this one cannot hold its white balance

    def get(self, what: int) -> float:
        return {
            cv2.CAP_PROP_FRAME_WIDTH: float(self.size[0]),
            cv2.CAP_PROP_FRAME_HEIGHT: float(self.size[1]),
            cv2.CAP_PROP_FOURCC: float(cv2.VideoWriter.fourcc(*"MJPG")),
            cv2.CAP_PROP_FOCUS: 30.0,
            cv2.CAP_PROP_EXPOSURE: 157.0,
        }.get(what, 0.0)

    def read(self) -> tuple[bool, Any]:
        done, picture = self.pictures()
        return bool(done), picture

    def release(self) -> None:
        self.released = True


def usb(device: Device, size: tuple[int, int] = (64, 48)) -> UsbCamera:
    return UsbCamera(77, size, capture=lambda *_: device, clock=Clock())


def good() -> tuple[bool, np.ndarray]:
    return True, np.full((48, 64, 3), 90, np.uint8)


def test_usb_settles_and_then_holds_what_it_found() -> None:
    device = Device(good)
    mode = usb(device).open()
    assert str(mode) == "64x48 MJPG"
    assert device.held[cv2.CAP_PROP_AUTO_EXPOSURE] == 1
    assert device.held[cv2.CAP_PROP_EXPOSURE] == 157
    assert device.held[cv2.CAP_PROP_AUTOFOCUS] == 0
    assert mode.notes == ("white balance cannot be held: the camera has no such control",)


def test_usb_says_when_another_size_was_granted() -> None:
    mode = usb(Device(good), (640, 480)).open()
    assert "640x480 was asked, 64x48 was granted" in mode.notes


@pytest.mark.parametrize(
    ("pictures", "words"),
    [
        (lambda: (False, None), "unplugged"),
        (lambda: (True, np.zeros((20, 20, 3), np.uint8)), "sends 20x20 instead of 64x48"),
        (lambda: (True, np.zeros((48, 64), np.uint8)), "a format"),
        (lambda: (True, np.zeros((0, 0, 3), np.uint8)), "unplugged"),
    ],
)
def test_usb_failures_in_words(pictures: Any, words: str) -> None:
    device = Device(pictures)
    with pytest.raises(CameraError, match=words):
        usb(device).open()
    assert device.released


def test_usb_that_is_not_there() -> None:
    with pytest.raises(CameraError, match="there is no /dev/video77"):
        usb(Device(good, opened=False)).open()
    with pytest.raises(CameraError, match="not open"):
        usb(Device(good)).frame()


def test_usb_passes_over_a_single_bad_frame() -> None:
    turns = iter(range(10**6))
    camera = usb(Device(lambda: (False, None) if next(turns) % 3 == 0 else good()))
    camera.open()
    assert camera.frame().bgr.shape == (48, 64, 3)


def test_usb_frames_bear_the_time_at_which_the_kernel_got_them() -> None:
    """Some wait in the driver while a picture is being read."""
    device = Device(good)
    camera = usb(device)
    camera.open()
    frames = [camera.frame() for _ in range(6)]  # a driver that does not tell: any may have waited
    assert frames[-1].doubt == pytest.approx(frames[-1].time - frames[-5].time)
    held = device.get
    now = camera.clock()
    device.get = lambda what: 1000 * (now - 0.2) if what == cv2.CAP_PROP_POS_MSEC else held(what)  # type: ignore[method-assign]
    stamped = camera.frame()
    assert stamped.time == pytest.approx(now - 0.2)
    assert stamped.doubt == 0.0


def test_video_devices_are_listed_once_each(tmp_path: Path) -> None:
    for number, index, name in ((0, 0, "Cam"), (1, 1, "Cam"), (2, 0, "Other"), (10, 0, "Late")):
        folder = tmp_path / f"video{number}"
        folder.mkdir()
        (folder / "index").write_text(f"{index}\n")
        (folder / "name").write_text(f"{name}\n")
    assert listed(tmp_path) == [(0, "Cam"), (2, "Other"), (10, "Late")]
    assert listed(tmp_path / "nowhere") == []


def test_usb_takes_less_light_while_the_board_would_burn_out() -> None:
    def pictures() -> tuple[bool, np.ndarray]:
        level = min(255.0, 2.0 * device.held.get(cv2.CAP_PROP_EXPOSURE, 157.0))
        return True, np.full((48, 64, 3), level, np.uint8)

    device = Device(pictures)
    usb(device).open()
    assert device.held[cv2.CAP_PROP_EXPOSURE] == round(157 / 2**0.5)


class Request:
    def __init__(self, pi: "PiDouble") -> None:
        self.pi = pi

    def get_metadata(self) -> dict[str, Any]:
        self.pi.taken += 1
        drift = 100 if self.pi.taken < 5 else 0  # exposure moves, then stands
        return {
            "ExposureTime": 9000 + drift * self.pi.taken,
            "AnalogueGain": self.pi.gain,
            "ColourGains": (1.9, 1.6),
            "SensorTimestamp": self.pi.taken * 33_000_000,
            "LensPosition": 1.25,
        }

    def make_buffer(self, name: str) -> np.ndarray:
        assert name == "main"
        controls = self.pi.controls
        if self.pi.glowing and "ExposureTime" in controls:
            light = controls["ExposureTime"] * controls["AnalogueGain"]
            return np.full(48 * 192, min(255.0, light / self.pi.dim), np.uint8)
        return self.pi.data

    def release(self) -> None:
        self.pi.released += 1


class PiDouble:
    """Answers as Picamera2 does, for failures the real one shows only with hardware."""

    def __init__(self, grants: str = "RGB888", data: np.ndarray | None = None) -> None:
        self.grants = grants
        self.camera_controls = {"AfMode": (), "AeEnable": (), "AwbEnable": ()}
        self.data = np.full(48 * 192, 90, np.uint8) if data is None else data
        self.taken = self.released = 0
        self.gain, self.glowing, self.dim = 2.0, False, 40.0
        self.controls: dict[str, Any] = {}
        self.closed = False
        self.silent = False
        self.cancelled = False

    def create_preview_configuration(self, **asked: Any) -> dict[str, Any]:
        return asked

    def configure(self, asked: dict[str, Any]) -> None:
        self.asked = asked

    def camera_configuration(self) -> dict[str, Any]:
        return {"main": {"format": self.grants, "size": (64, 48), "stride": 192}}

    def start(self) -> None:
        pass

    def set_controls(self, controls: dict[str, Any]) -> None:
        self.controls |= controls

    def autofocus_cycle(self, wait: float) -> bool:
        raise TimeoutError

    def capture_request(self, wait: bool) -> Request:
        return Request(self)

    def wait(self, job: Request, timeout: float) -> Request:
        if self.silent:
            raise TimeoutError
        return job

    def cancel_all_and_flush(self) -> None:
        self.cancelled = True

    def stop(self) -> None:
        pass

    def close(self) -> None:
        self.closed = True


def pi(double: PiDouble) -> PiCamera:
    return PiCamera(0, (64, 48), build=lambda _: double, clock=Clock())


def test_pi_settles_then_locks_focus_exposure_and_white_balance() -> None:
    double = PiDouble()
    camera = pi(double)
    mode = camera.open()
    assert (mode.width, mode.height, mode.format) == (64, 48, "RGB888")
    assert double.controls["AeEnable"] is False
    assert double.controls["ExposureTime"] == 9000
    assert double.controls["ColourGains"] == (1.9, 1.6)
    assert double.controls["AwbEnable"] is False
    assert double.controls["AfMode"] == 0
    assert double.controls["LensPosition"] == 1.25
    frame = camera.frame()
    assert frame.bgr.shape == (48, 64, 3)
    assert double.released > 5  # every request goes back to the camera


@pytest.mark.parametrize(
    ("gain", "time", "left"),
    [(2.0, 9000, 1.0), (1.0, 9000, 1.0), (1.5, 6750, 1.0), (8.0, 9000, 2.0)],
)
def test_pi_takes_less_light_while_the_board_would_burn_out(
    gain: float, time: int, left: float
) -> None:
    double = PiDouble()
    double.gain, double.glowing = gain, True
    double.dim = 29.0 if gain == 1.5 else 40.0  # half of the light is still too much
    camera = pi(double)
    camera.open()
    assert double.controls["ExposureTime"] == pytest.approx(time, abs=1)
    assert double.controls["AnalogueGain"] == pytest.approx(left)
    assert (camera.frame().bgr < 255).all() or left == 2.0  # four times less is the most


def test_time_is_shortened_once_no_gain_is_left() -> None:
    assert shared(8000.0, 2.0, 0.5) == pytest.approx((8000.0, 1.0))
    assert shared(8000.0, 2.0, 0.25) == pytest.approx((4000.0, 1.0))
    assert shared(8000.0, 0.9, 0.5) == pytest.approx((4000.0, 0.9))


def test_a_lamp_mirrored_in_the_board_is_no_reason_to_take_less_light() -> None:
    picture = np.full((96, 128, 3), 120, np.uint8)
    picture[40:52, 50:62] = 255
    assert 0 < burnt_out(picture) < MANY
    picture[:14] = 255  # the table cloth above the board
    assert burnt_out(picture) < MANY
    picture[30:60] = 252
    assert burnt_out(picture) > MANY


def test_pi_reads_back_what_it_did_not_ask_for() -> None:
    grey = np.full(48 * 192 * 3 // 2, 128, np.uint8)
    camera = pi(PiDouble("NV12", grey))
    assert camera.open().format == "NV12"
    assert camera.frame().bgr[5, 5].tolist() == [128, 128, 128]


def test_pi_that_grants_nothing_we_know() -> None:
    with pytest.raises(CameraError, match="got SBGGR10_CSI2P"):
        pi(PiDouble("SBGGR10_CSI2P")).open()


def test_pi_whose_buffer_is_short() -> None:
    double = PiDouble(data=np.zeros(100, np.uint8))
    with pytest.raises(CameraError, match="cut off"):
        pi(double).open()
    assert double.closed


def test_pi_that_falls_silent_is_cancelled_so_that_it_can_be_closed() -> None:
    double = PiDouble()
    camera = pi(double)
    camera.open()
    double.silent = True
    with pytest.raises(CameraError, match="sends nothing any more"):
        camera.frame()
    assert double.cancelled
    camera.close()
    assert double.closed


def test_pi_used_by_another_program() -> None:
    def busy(_: int) -> None:
        raise RuntimeError("Camera __init__ sequence did not complete.") from RuntimeError(
            "Failed to acquire camera: Device or resource busy"
        )

    with pytest.raises(CameraError, match="used by another program"):
        PiCamera(0, build=busy).open()


def pictures(folder: Path, count: int = 3) -> Path:
    folder.mkdir(exist_ok=True)
    for n in range(count):
        cv2.imwrite(str(folder / f"{n}.png"), np.full((48, 64, 3), 50 * n, np.uint8))
    return folder


def test_a_folder_is_a_camera(tmp_path: Path) -> None:
    camera = FolderCamera(pictures(tmp_path / "a"))
    assert str(camera.open()) == "64x48 files"
    frames = [camera.frame() for _ in range(3)]
    assert [int(f.bgr[0, 0, 0]) for f in frames] == [0, 50, 100]
    assert frames[2].time > frames[1].time
    with pytest.raises(CameraFinished, match="last of 3"):
        camera.frame()


def test_folders_and_files_that_are_no_cameras(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match="no folder"):
        FolderCamera(tmp_path / "none").open()
    with pytest.raises(CameraError, match="no pictures"):
        FolderCamera(tmp_path).open()
    bad = tmp_path / "bad.jpg"
    for content in (b"", b"\xff\xd8\xff", b"GIF89a" + bytes(50), bytes(1000)):
        bad.write_bytes(content)
        with pytest.raises(CameraError, match=r"bad\.jpg"):
            read_picture(bad)
    (tmp_path / "film.avi").write_bytes(b"RIFF" + bytes(200))
    with pytest.raises(CameraError, match="no video"):
        VideoCamera(tmp_path / "film.avi").open()


def test_a_truncated_picture_is_an_error_and_never_half_a_board(tmp_path: Path) -> None:
    whole = pictures(tmp_path / "a", 1) / "0.png"
    raw = cv2.imencode(".jpg", np.random.default_rng(1).integers(0, 255, (48, 64, 3)))[1].tobytes()
    for name, data in (("a.png", whole.read_bytes()), ("a.jpg", raw)):
        path = tmp_path / name
        path.write_bytes(data[: len(data) * 2 // 3])
        with pytest.raises(CameraError, match=name):
            read_picture(path)


def test_a_video_is_a_camera(tmp_path: Path) -> None:
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (64, 48))
    for n in range(4):
        writer.write(np.full((48, 64, 3), 60 * n, np.uint8))
    writer.release()
    camera = VideoCamera(path)
    assert str(camera.open()) == "64x48 video"
    shades = [int(camera.frame().bgr[20, 20, 1]) for _ in range(4)]
    assert shades == sorted(shades)
    with pytest.raises(CameraFinished):
        camera.frame()


class Flaky:
    """Opens, gives two frames, goes away, comes back at the third attempt."""

    name = "flaky"

    def __init__(self) -> None:
        self.opened = self.closed = self.given = 0

    def open(self) -> Mode:
        self.opened += 1
        self.given = 0
        if self.opened in (2, 3):
            raise CameraError("nobody home")
        return Mode(4, 4, "made up")

    def frame(self) -> Frame:
        self.given += 1
        if self.given > 2:
            raise CameraError("gone")
        return Frame(np.zeros((4, 4, 3), np.uint8), 0.0, self.given)

    def close(self) -> None:
        self.closed += 1


def test_a_camera_that_fails_is_told_waited_for_and_opened_again() -> None:
    waits: list[float] = []
    steady = Steady(Flaky(), sleep=waits.append)
    story = [steady.next() for _ in range(7)]
    said = [part.words if isinstance(part, Trouble) else "frame" for part in story]
    assert said == ["frame", "frame", "gone", "nobody home", "nobody home", "frame", "frame"]
    assert waits == [1.0, 2.0, 4.0]  # ever longer, and anew after a good frame
    assert steady.pause == 1.0


def test_what_people_write(tmp_path: Path) -> None:
    assert source("pi:1").name == "pi:1"
    assert source("usb").name == "usb:0"
    assert source("/dev/video4").name == "usb:4"
    assert isinstance(source(str(pictures(tmp_path / "a"))), FolderCamera)
    for text in ("pi:x", "webcam", str(tmp_path / "a" / "0.png"), "twin:nowhere"):
        with pytest.raises(CameraError):
            source(text)


def test_the_virtual_table_is_a_camera() -> None:
    camera = source("twin:tock4", (320, 240))
    assert isinstance(camera, VirtualCamera)
    camera.clock = clock = Clock()
    camera.sleep = clock.sleep
    with pytest.raises(CameraError, match="not open"):
        camera.frame()
    assert str(camera.open()) == "320x240 drawn"
    before = camera.frame().bgr.astype(int)
    camera.desk.move("ac1", "a9")
    after = camera.frame().bgr.astype(int)
    assert np.abs(after - before).max() > 60


def test_the_command_lists_tries_and_refuses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cameras(["--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["cameras"][-1]["source"] == "twin:tock4"
    folder = pictures(tmp_path / "a")
    out = tmp_path / "last.png"
    assert cameras([str(folder), "--json", "--out", str(out)]) == 0
    tried = json.loads(capsys.readouterr().out)
    assert tried["frames"] == 3
    assert tried["mode"] == "64x48 files"
    assert any("sharp" in note for note in tried["notes"])
    assert out.is_file()
    for words in (["nothing"], [str(folder), "--size", "big"], [str(folder), "--out", "/no/x"]):
        assert cameras(words) == 2
        assert capsys.readouterr().err.startswith("arbitre cameras: ")
