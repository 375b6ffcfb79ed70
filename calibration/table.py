"""What was learned of one table, as a file: board, lens, pose, empty look, looks of the pieces."""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calibration.view import Lens, Pose, View, read_lens, read_pose
from hardware.boards import Board, BoardError
from hardware.boards import read as read_board
from hardware.boards import write as write_board
from vision.solids import SHAPES

VERSION = 3


class TableError(ValueError):
    """A table file that cannot be used, with what to do about it."""


@dataclass(frozen=True)
class Grade:
    """How well one part was learned: 0 (useless) to 1 (nothing to better), and advice in words."""

    part: str
    value: float
    finding: str
    advice: str = ""


@dataclass(frozen=True)
class PieceLook:
    """One kind of piece as this camera sees it; `palette` under the light of the empty look."""

    name: str
    diameter: float
    height: float
    palette: tuple[tuple[int, int, int], ...]  # blue, green, red
    shown: int  # how many stood there when it was learned; 0: only its nominal colour is known
    shape: str = "turned"


@dataclass(frozen=True)
class TilePatch:
    """What one kind of tile looks like, point by point, under the light of the empty look."""

    name: str
    colours: tuple[tuple[int, int, int], ...]  # blue, green, red; rows of a square


@dataclass(frozen=True)
class EmptyLook:
    """A picture of the empty table, and the cells whose empty look in it is guessed."""

    picture: bytes  # an encoded image; what is guessed in it is transparent
    unknown: tuple[str, ...]
    pose: Pose  # the table's when it was taken


@dataclass(frozen=True)
class Table:
    """One calibrated table."""

    board: Board
    lens: Lens
    pose: Pose
    empty: EmptyLook
    pieces: tuple[PieceLook, ...]
    tiles: tuple[TilePatch, ...] = ()
    grades: tuple[Grade, ...] = ()
    alike: tuple[str, ...] = ()  # cells that look empty even with a piece on them
    mode: str = ""  # the camera's mode it was learned in
    made: str = ""  # ISO date
    version: int = VERSION

    @property
    def view(self) -> View:
        return View(self.lens, self.pose)

    def save(self, path: Path | str) -> None:
        written = json.dumps(write(self), ensure_ascii=False)
        Path(path).write_text(written + "\n", encoding="utf-8")

    @staticmethod
    def load(path: Path | str) -> Table:
        name = Path(path).name
        try:
            data = json.loads(Path(path).read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise TableError(f'no table file "{path}"; `arbitre calibrate` writes one') from None
        except OSError as error:
            raise TableError(f"{name}: cannot be read: {error.strerror}") from None
        except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
            raise TableError(f"{name}: not a JSON file: {error}") from None
        try:
            return read(data)
        except (BoardError, TableError) as error:
            raise TableError(f"{name}: {error}") from None


def write(table: Table) -> dict[str, Any]:
    return {
        "version": table.version,
        "made": table.made,
        "mode": table.mode,
        "board": write_board(table.board),
        "lens": table.lens.write(),
        "pose": table.pose.write(),
        "grades": [
            {"part": g.part, "value": g.value, "finding": g.finding, "advice": g.advice}
            for g in table.grades
        ],
        "pieces": [
            {
                "name": look.name,
                "diameter": look.diameter,
                "height": look.height,
                "shown": look.shown,
                "shape": look.shape,
                "palette": [list(colour) for colour in look.palette],
            }
            for look in table.pieces
        ],
        "alike": list(table.alike),
        "tiles": [
            {"name": tile.name, "colours": [list(colour) for colour in tile.colours]}
            for tile in table.tiles
        ],
        "empty": {
            "unknown": list(table.empty.unknown),
            "pose": table.empty.pose.write(),
            "picture": base64.b64encode(table.empty.picture).decode("ascii"),
        },
    }


def read(data: object) -> Table:
    """A table from its JSON form."""
    if not isinstance(data, dict):
        raise TableError("not a table file; `arbitre calibrate` writes one")
    if data.get("version") != VERSION:
        raise TableError(
            f"made by another version ({data.get('version')!r}, now {VERSION}): calibrate again"
        )
    board = read_board(data.get("board"))
    try:
        looks = tuple(
            PieceLook(
                str(item["name"]),
                float(item["diameter"]),
                float(item["height"]),
                tuple(read_colour(colour) for colour in item["palette"]),
                int(item["shown"]),
                read_shape(item.get("shape", "turned")),
            )
            for item in data["pieces"]
        )
        grades = tuple(
            Grade(str(g["part"]), float(g["value"]), str(g["finding"]), str(g["advice"]))
            for g in data["grades"]
        )
        empty = EmptyLook(
            base64.b64decode(data["empty"]["picture"], validate=True),
            tuple(str(cell) for cell in data["empty"]["unknown"]),
            read_pose(data["empty"]["pose"]),
        )
        return Table(
            board=board,
            lens=read_lens(data["lens"]),
            pose=read_pose(data["pose"]),
            empty=empty,
            pieces=looks,
            tiles=tuple(
                TilePatch(str(t["name"]), tuple(read_colour(c) for c in t["colours"]))
                for t in data["tiles"]
            ),
            grades=grades,
            alike=tuple(str(cell) for cell in data["alike"]),
            mode=str(data.get("mode", "")),
            made=str(data.get("made", "")),
        )
    except KeyError as error:
        raise TableError(f"damaged: {error} is missing; calibrate again") from None
    except (TypeError, ValueError, AttributeError, binascii.Error) as error:
        raise TableError(f"damaged: {error}; calibrate again") from None


def read_shape(data: Any) -> str:
    if data not in SHAPES:
        raise ValueError(f"no pieces of the shape {data!r} are known")
    return str(data)


def read_colour(data: Any) -> tuple[int, int, int]:
    blue, green, red = (int(v) for v in data)
    if not all(0 <= v <= 255 for v in (blue, green, red)):
        raise ValueError("a colour's parts lie between 0 and 255")
    return blue, green, red
