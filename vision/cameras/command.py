"""`arbitre cameras`: what cameras there are, and whether one gives good pictures."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np

from hardware.parser import Parser
from vision.cameras import pi, usb
from vision.cameras.camera import Camera, CameraError, CameraFinished, Picture
from vision.cameras.source import FORMS, source

DARK, BRIGHT = 40.0, 215.0
BLURRED = 25.0  # variance of the Laplacian under which nothing is sharp


def cameras(argv: Sequence[str]) -> int:
    parser = Parser(
        prog="arbitre cameras",
        description="List the cameras, or try one and say how its pictures are.",
    )
    parser.add_argument("source", nargs="?", help=f"try this one: {FORMS}")
    parser.add_argument("--size", default="1280x960", help="picture size, 1280x960 if not said")
    parser.add_argument("--frames", type=int, default=10, help="how many frames to take")
    parser.add_argument("--out", metavar="FILE", help="keep the last picture there")
    parser.add_argument("--json", action="store_true", help="answer in JSON")
    try:
        options = parser.parse_args(list(argv))
    except SystemExit as stop:
        return 2 if stop.code else 0
    try:
        if options.source is None:
            show(listed(), options.json)
        else:
            camera = source(options.source, size_of(options.size))
            show(tried(camera, max(1, options.frames), options.out), options.json)
    except CameraError as error:
        print(f"arbitre cameras: {error}", file=sys.stderr)
        return 2
    return 0


def size_of(text: str) -> tuple[int, int]:
    wide, _, high = text.partition("x")
    if not (
        wide.isdigit() and high.isdigit() and 16 <= int(wide) <= 8192 and 16 <= int(high) <= 8192
    ):
        raise CameraError(f'"{text}" is no picture size; write it as 1280x960')
    return int(wide), int(high)


def listed() -> dict[str, Any]:
    """Every camera that shows itself, and why the Pi's do not."""
    found: list[dict[str, str]] = []
    notes: list[str] = []
    try:
        for number, info in enumerate(pi.listed()):
            found.append({"source": f"pi:{number}", "name": str(info.get("Model", "camera"))})
        if not found:
            notes.append("no Pi camera answers: check its flat cable")
    except CameraError as error:
        notes.append(str(error))
    found += [{"source": f"usb:{number}", "name": name} for number, name in usb.listed()]
    found.append({"source": "twin:tock4", "name": "the virtual table, any board"})
    return {"cameras": found, "notes": notes}


def tried(camera: Camera, frames: int, out: str | None) -> dict[str, Any]:
    """Some frames of one camera, and what is to be said of them."""
    mode = camera.open()
    try:
        began = time.monotonic()
        count, picture = 0, None
        while count < frames:
            try:
                picture = camera.frame().bgr
            except CameraFinished:
                break
            count += 1
        spent = max(1e-6, time.monotonic() - began)
    finally:
        camera.close()
    if picture is None:
        raise CameraError(f"{camera.name} gave no picture")
    if out is not None:
        try:
            kept = cv2.imwrite(out, picture)
        except cv2.error:
            kept = False
        if not kept:
            raise CameraError(f"the picture cannot be written to {out}; try a name like board.png")
    return {
        "source": camera.name,
        "mode": str(mode),
        "frames": count,
        "per_second": round(count / spent, 1),
        "notes": [*mode.notes, *remarks(picture)],
    }


def remarks(picture: Picture) -> list[str]:
    """What a person would say of the picture."""
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))
    said = []
    if grey.mean() < DARK:
        said.append("the picture is dark: more light, or a longer exposure")
    if grey.mean() > BRIGHT:
        said.append("the picture is too bright: turn a lamp away")
    if float(cv2.Laplacian(grey, cv2.CV_64F).var()) < BLURRED:
        said.append("nothing is sharp: focus the lens")
    return said


def show(answer: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print(json.dumps(answer, ensure_ascii=False))
        return
    if "cameras" in answer:
        width = max(len(entry["source"]) for entry in answer["cameras"])
        lines = [f"{entry['source']:<{width}}  {entry['name']}" for entry in answer["cameras"]]
    else:
        lines = [
            f"{answer['source']}: {answer['mode']}, {answer['frames']} frames, "
            f"{answer['per_second']} a second"
        ]
    print("\n".join([*lines, *(f"- {note}" for note in answer["notes"])]))
