"""Where frames come from and where lights go: what is plugged in, found or named by somebody.

This is the seam at which a virtual table takes the place of a real one: `Sources` is all that the
running table knows of cameras, controllers and calibrations.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from firmware_bridge import ports
from firmware_bridge.drivers import Driver, Settings
from hardware.boards import Board
from referee import events
from vision.cameras import Camera, CameraError, Steady, pi, source, usb
from web.eyes import Eyes, Tables
from web.house import House
from web.lamps import Lamps
from web.learned import Learned
from web.photos import Photos
from web.reception import Fittings
from web.settings import Config, HostSettings
from web.wizard import Wizard


@dataclass(frozen=True)
class Remark:
    """Something to say about what was found: a text's key with its facts."""

    key: str
    facts: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True)
class Sources:
    """A camera, a way to make a driver for a board's lights, and the boards that were learned."""

    tables: Tables
    board_of: Callable[[str, int], Board]
    camera: Camera | None = None
    driver: Callable[[Board], Driver] | None = None
    learned: Learned | None = None  # where the wizard keeps what it learns
    remarks: tuple[Remark, ...] = ()


def found(config: Config) -> Sources:
    """What this machine has; CameraError or PortError for a name that makes no sense."""
    learned = Learned(config.data / "tables")
    camera, seen = find_camera(config)
    driver, lit = find_lights(config)
    return Sources(learned, learned.board, camera, driver, learned, (seen, lit))


def find_camera(config: Config) -> tuple[Camera | None, Remark]:
    if config.camera == "none":
        return None, Remark("play.camera-off")
    if config.camera != "auto":
        camera = source(config.camera, config.camera_size)
        return camera, Remark("play.camera", (("name", camera.name),))
    try:
        if pi.listed():
            camera = source("pi", config.camera_size)
            return camera, Remark("play.camera", (("name", camera.name),))
    except CameraError:
        # no Pi, or no libcamera on it: another camera may be there
        others = usb.listed()
    else:
        others = usb.listed()
    if others:  # perhaps somebody's webcam: it is not switched on unasked
        number, name = others[0]
        return None, Remark("play.camera-usb", (("name", name), ("source", f"usb:{number}")))
    return None, Remark("play.camera-none")


def find_lights(config: Config) -> tuple[Callable[[Board], Driver] | None, Remark]:
    if config.serial == "none":
        return None, Remark("play.lights-off")
    if config.serial == "auto" and not any(port.likely for port in ports.found()):
        return None, Remark("play.lights-none")
    ports.driver(config.serial, light_settings(config, 1))  # a name that makes no sense is said now

    def make(board: Board) -> Driver:
        return ports.driver(config.serial, light_settings(config, max(1, board.lights)))

    path = config.serial.removeprefix("wled:")
    away = path.startswith("/") and not Path(path).exists()
    return make, Remark("play.lights-away" if away else "play.lights", (("name", config.serial),))


def light_settings(config: Config, leds: int) -> Settings:
    return Settings(leds, config.brightness, config.milliamps, config.baud)


def confirming(house: House) -> Callable[[int], None]:
    """What a button on the board's edge says: whoever's turn it is has moved.

    Where nothing can be confirmed the table refuses it, and nobody need hear of that.
    """

    def pressed(button: int) -> None:
        del button  # one at each edge: they say the same
        table = house.now.table
        if table is not None:
            house.tell(events.Confirmed(seat=table.match.turn))

    return pressed


def assemble(house: House, config: Config, sources: Sources, settings: HostSettings) -> Fittings:
    """What is plugged in, wired to the table; nothing runs yet but the lights' own thread."""
    photos = Photos(config.data / "pictures", lambda: settings.pictures)
    lamps = None
    if sources.driver is not None:
        lamps = Lamps(sources.driver, sources.board_of, confirming(house), house.nudge)
    if sources.camera is None:
        return Fittings(None, lamps, photos, None)
    eyes = Eyes(
        Steady(sources.camera),
        house,
        sources.tables,
        keep=photos.put,
        lights=lamps,
    )
    wizard = None
    if sources.learned is not None:
        wizard = Wizard(sources.learned, lambda: eyes.newest, eyes.relearn, house.nudge)
    return Fittings(eyes, lamps, photos, wizard)
