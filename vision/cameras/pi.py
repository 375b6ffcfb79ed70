"""The Raspberry Pi's own camera through picamera2, which is loaded only when it is wanted."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from vision.cameras.camera import CameraError, Frame, Mode, Picture
from vision.cameras.formats import DECODERS, Layout, decode
from vision.cameras.metering import held_back, shared

SETTLE = 3.0  # seconds at most until exposure and white balance must stand
STEADY = 6  # frames in a row that must agree
PATIENCE = 3.0  # seconds without a frame after which the camera counts as gone
LATE = 5  # frames until what was asked for shows
WANTED = ("RGB888", "YUV420")
COLOURS = {"Rec709": "limited-709", "Smpte170m": "limited-601", "Sycc": "full-601"}

INSTALL = (
    "on Raspberry Pi OS: sudo apt install python3-picamera2, and make the virtual environment "
    "with --system-site-packages"
)


def load() -> Any:
    """The class Picamera2, or words about why there is none."""
    try:
        from picamera2 import Picamera2
    except ImportError as error:
        missing = error.name or str(error)
        if "numpy" in str(error):
            raise CameraError(
                "picamera2 was built for another numpy: use Raspberry Pi OS trixie, 64 bit"
            ) from error
        raise CameraError(f"the Pi camera needs {missing}, which is not here; {INSTALL}") from error
    except ValueError as error:  # numpy's words about a library built for another version
        raise CameraError(
            f"picamera2 does not fit the other libraries ({error}): use Raspberry Pi OS trixie"
        ) from error
    return Picamera2


def listed() -> list[Mapping[str, Any]]:
    """The cameras libcamera knows."""
    return list(load().global_camera_info())


def slept() -> float:
    """Seconds this machine was suspended: libcamera counts them, our clock does not."""
    return max(0.0, round(time.clock_gettime(time.CLOCK_BOOTTIME) - time.monotonic(), 2))


class PiCamera:
    """One Raspberry Pi camera; `build` makes the Picamera2 object, for cameras that need more."""

    def __init__(
        self,
        number: int = 0,
        size: tuple[int, int] = (1280, 960),
        build: Callable[[int], Any] | None = None,
        clock: Callable[[], float] = time.monotonic,
        colours: str | None = None,
    ) -> None:
        self.number = number
        self.colours = colours  # for cameras that say the wrong thing of their colours
        self.wanted = size
        self.build = build
        self.clock = clock
        self.camera: Any = None
        self.layout = Layout("", 0, 0, 0)
        self.taken = 0

    @property
    def name(self) -> str:
        return f"pi:{self.number}"

    def open(self) -> Mode:
        """Configure, read back what was granted, start, settle and lock."""
        self.close()
        build = self.build or load()
        try:
            self.camera = build(self.number)
        except (RuntimeError, IndexError) as error:
            raise CameraError(self.words(error)) from error
        try:
            notes = self.configure()
            self.camera.start()
            notes += self.settle()
        except CameraError:
            self.close()
            raise
        except TimeoutError as error:
            self.close()
            raise CameraError(
                "the Pi camera starts but sends no picture: check its flat cable, then restart"
            ) from error
        except (RuntimeError, ValueError, OSError) as error:
            text = self.words(error)
            self.close()
            raise CameraError(text) from error
        return Mode(self.layout.width, self.layout.height, self.layout.format, notes)

    def words(self, error: Exception) -> str:
        """libcamera's trouble in a person's words."""
        text = f"{error} {error.__cause__ or ''}".lower()
        if any(word in text for word in ("busy", "acquire", "in use")):
            return (
                f"camera {self.number} is used by another program: close it (for example "
                "rpicam-hello or a second arbitre) and try again"
            )
        if "no camera" in text:
            return (
                f"there is no Pi camera {self.number}: check the flat cable on both ends with the "
                "power off, then try `rpicam-hello --list-cameras`"
            )
        return f"the Pi camera does not start: {error.__cause__ or error}"

    def configure(self) -> tuple[str, ...]:
        """Ask for formats we like best; what is granted is read back and must be one we know."""
        granted: Mapping[str, Any] = {}
        refused = []
        for wanted in WANTED:
            try:
                # the preview's colours are full range, a video's are not
                asked = self.camera.create_preview_configuration(
                    main={"format": wanted, "size": self.wanted}, buffer_count=4
                )
                self.camera.configure(asked)
            except (RuntimeError, ValueError) as error:
                refused.append(f"{wanted}: {error}")
                continue
            granted = self.camera.camera_configuration()
            if str(granted["main"]["format"]) in DECODERS:
                break
            refused.append(f"{wanted}: got {granted['main']['format']}")
            granted = {}
        if not granted:
            raise CameraError(f"the Pi camera grants no picture we can read ({'; '.join(refused)})")
        main = granted["main"]
        width, height = (int(part) for part in main["size"])
        space = str(granted.get("colour_space") or "")
        colours = next((ours for theirs, ours in COLOURS.items() if theirs in space), "full-601")
        self.layout = Layout(
            str(main["format"]),
            width,
            height,
            int(main.get("stride") or 0),
            self.colours or colours,
        )
        notes = []
        if (width, height) != tuple(self.wanted):
            wide, high = self.wanted
            notes.append(f"{wide}x{high} was asked, {width}x{height} was granted")
        return tuple(notes)

    def settle(self) -> tuple[str, ...]:
        """Let focus, exposure and white balance find themselves, then hold them."""
        has = self.camera.camera_controls
        notes = []
        if "AfMode" in has:
            self.focus()
        else:
            notes.append("focus is fixed by the lens: turn it until the board is sharp")
        if "AeEnable" in has:
            self.camera.set_controls({"AeEnable": True})
        if "AwbEnable" in has:
            self.camera.set_controls({"AwbEnable": True})
        found = self.watch_until_steady()
        held: dict[str, Any] = {}
        if "AeEnable" in has and {"ExposureTime", "AnalogueGain"} <= found.keys():
            held |= {
                "AeEnable": False,
                "ExposureTime": int(found["ExposureTime"]),
                "AnalogueGain": float(found["AnalogueGain"]),
            }
        else:
            notes.append("exposure cannot be held: the camera has no such control")
        if "AwbEnable" in has and "ColourGains" in found:
            held |= {
                "AwbEnable": False,
                "ColourGains": tuple(float(gain) for gain in found["ColourGains"]),
            }
        else:
            notes.append("white balance cannot be held: the camera has no such control")
        if held:
            self.camera.set_controls(held)
        if "ExposureTime" in held:
            self.hold_back(float(held["ExposureTime"]), float(held["AnalogueGain"]))
        return tuple(notes)

    def hold_back(self, time: float, gain: float) -> None:
        """Less light than the camera finds by itself where it would burn out the board."""

        def look() -> Picture:
            for _ in range(LATE):
                self.metadata()
            return self.frame().bgr

        def expose(kept: float) -> None:
            shorter, less = shared(time, gain, kept)
            self.camera.set_controls({"ExposureTime": round(shorter), "AnalogueGain": less})

        held_back(look, expose)

    def focus(self) -> None:
        """Focus once, then stay there; a search that never ends is left where it stands."""
        with suppress(TimeoutError):
            self.camera.autofocus_cycle(wait=PATIENCE)
        position = self.metadata().get("LensPosition")
        held: dict[str, Any] = {"AfMode": 0}
        if position is not None:
            held["LensPosition"] = float(position)
        self.camera.set_controls(held)

    def watch_until_steady(self) -> Mapping[str, Any]:
        """Metadata once brightness and colours have stopped moving, or time is up."""
        end = self.clock() + SETTLE
        last: tuple[float, ...] | None = None
        same = 0
        found: Mapping[str, Any] = {}
        while self.clock() < end and same < STEADY:
            found = self.metadata()
            gains = found.get("ColourGains") or (1.0, 1.0)
            exposed = float(found.get("ExposureTime") or 1) * float(found.get("AnalogueGain") or 1)
            now = (exposed, float(gains[0]), float(gains[1]))
            if last is not None and all(
                abs(a - b) <= 0.02 * max(abs(a), abs(b)) for a, b in zip(now, last, strict=True)
            ):
                same += 1
            else:
                same = 0
            last = now
        return found

    def metadata(self) -> Mapping[str, Any]:
        request = self.request()
        try:
            return dict(request.get_metadata())
        finally:
            request.release()

    def request(self) -> Any:
        """The next finished frame, or an error if none comes."""
        job = self.camera.capture_request(wait=False)
        try:
            return self.camera.wait(job, timeout=PATIENCE)
        except TimeoutError:
            # whoever waits behind this would wait for ever, stopping included
            self.camera.cancel_all_and_flush()
            raise

    def frame(self) -> Frame:
        if self.camera is None:
            raise CameraError(f"{self.name} is not open")
        try:
            request = self.request()
        except TimeoutError as error:
            raise CameraError(
                "the Pi camera sends nothing any more: check its flat cable, then restart"
            ) from error
        except RuntimeError as error:
            raise CameraError(f"the Pi camera stopped: {error}") from error
        try:
            data = request.make_buffer("main")
            stamp = request.get_metadata().get("SensorTimestamp")
        finally:
            request.release()
        self.taken += 1
        moment = self.clock() if stamp is None else stamp / 1e9 - slept()
        return Frame(decode(data, self.layout), moment, self.taken)

    def close(self) -> None:
        if self.camera is None:
            return
        camera, self.camera = self.camera, None
        try:
            camera.stop()
        finally:
            camera.close()
