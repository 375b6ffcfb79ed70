"""The JSON form of a board: written for others, read back, read from tables we never saw."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, get_args

from hardware.boards.shapes import (
    Board,
    BoardError,
    Cell,
    CellKind,
    Marker,
    Piece,
    PieceKind,
    Point,
    Zone,
)


def write(board: Board) -> dict[str, Any]:
    """The form of `arbitre board NAME --json`."""
    written: dict[str, Any] = {
        "name": board.name,
        "size": list(board.size),
        "thickness": board.thickness,
        "cells": [write_cell(cell) for cell in board.cells],
        "fiducials": {
            "dictionary": board.dictionary,
            "markers": [
                {"id": marker.id, "corners": [list(corner) for corner in marker.corners]}
                for marker in board.markers
            ],
        },
        "pieces": [write_piece(piece) for piece in board.pieces],
    }
    if board.card_zone is not None:
        zone = board.card_zone
        written["card_zone"] = {
            "x": zone.x,
            "y": zone.y,
            "width": zone.width,
            "height": zone.height,
        }
    if board.house_entry is not None:
        written["house_entry"] = board.house_entry
    return written


def write_cell(cell: Cell) -> dict[str, Any]:
    written: dict[str, Any] = {"id": cell.id, "kind": cell.kind}
    if cell.seat is not None:
        written["seat"] = cell.seat
    written |= {"x": cell.x, "y": cell.y, "shape": cell.shape}
    if cell.size is not None:
        written["size"] = list(cell.size)
    else:
        written["diameter"] = cell.diameter
    written["led"] = cell.led
    if cell.links:
        written["links"] = list(cell.links)
    return written


def write_piece(piece: Piece) -> dict[str, Any]:
    written: dict[str, Any] = {"kind": piece.kind, "name": piece.name, "srgb": list(piece.srgb)}
    if piece.seat is not None:
        written["seat"] = piece.seat
    return written | {
        "diameter": piece.diameter,
        "height": piece.height,
        "count": piece.count,
    }


def read(data: object) -> Board:
    """A board from its JSON form; whatever is wrong with it is said with its place."""
    form = mapping(data, "a board")
    size = pair(form.get("size"), "size")
    cells = tuple(read_cell(item, n) for n, item in enumerate(items(form.get("cells"), "cells")))
    if not cells:
        raise BoardError("cells: a board needs at least one cell")
    refuse_twice((cell.id for cell in cells), "cells: id")
    known = {cell.id for cell in cells}
    for n, cell in enumerate(cells):
        for link in cell.links:
            if link not in known:
                raise BoardError(f'cells[{n}].links: cell "{link}" is not on the board')
    refuse_twice((str(c.led) for c in cells if c.led is not None), "cells: led")
    fiducials = mapping(form.get("fiducials") or {}, "fiducials")
    markers = tuple(
        read_marker(item, n)
        for n, item in enumerate(items(fiducials.get("markers") or [], "fiducials.markers"))
    )
    refuse_twice((str(marker.id) for marker in markers), "fiducials.markers: id")
    dictionary = fiducials.get("dictionary")
    if markers and not isinstance(dictionary, str):
        raise BoardError("fiducials.dictionary: the markers' dictionary is missing")
    entry = form.get("house_entry")
    if entry not in (None, 16, 18) or isinstance(entry, bool):
        raise BoardError(f"house_entry: 16 or 18, not {entry!r}")
    pieces = tuple(
        read_piece(item, n) for n, item in enumerate(items(form.get("pieces") or [], "pieces"))
    )
    refuse_twice((piece.name for piece in pieces), "pieces: name")
    return Board(
        name=text(form.get("name"), "name"),
        size=size,
        thickness=number(form.get("thickness", 0.0), "thickness"),
        cells=cells,
        pieces=pieces,
        dictionary=dictionary if markers and isinstance(dictionary, str) else None,
        markers=markers,
        card_zone=read_zone(form["card_zone"]) if form.get("card_zone") else None,
        house_entry=entry,
    )


def read_cell(data: object, n: int) -> Cell:
    form = mapping(data, f"cells[{n}]")
    where = f"cells[{n}]"
    kind, shape = text(form.get("kind"), f"{where}.kind"), text(form.get("shape"), f"{where}.shape")
    if kind not in get_args(CellKind):
        raise BoardError(f'{where}.kind: "{kind}" is none of {", ".join(get_args(CellKind))}')
    if shape not in ("hole", "square"):
        raise BoardError(f'{where}.shape: "{shape}" is neither "hole" nor "square"')
    square = shape == "square"
    led = form.get("led")
    if led is not None and (not isinstance(led, int) or isinstance(led, bool) or led < 0):
        raise BoardError(f"{where}.led: an LED's place in the chain or null, not {led!r}")
    return Cell(
        id=text(form.get("id"), f"{where}.id"),
        kind=kind,  # type: ignore[arg-type]
        x=number(form.get("x"), f"{where}.x"),
        y=number(form.get("y"), f"{where}.y"),
        shape=shape,  # type: ignore[arg-type]
        diameter=None if square else positive(form.get("diameter"), f"{where}.diameter"),
        size=pair(form.get("size"), f"{where}.size") if square else None,
        led=led,
        seat=None if form.get("seat") is None else text(form["seat"], f"{where}.seat"),
        links=tuple(
            text(link, f"{where}.links")
            for link in items(form.get("links") or [], f"{where}.links")
        ),
    )


def read_marker(data: object, n: int) -> Marker:
    where = f"fiducials.markers[{n}]"
    form = mapping(data, where)
    corners = [
        pair(corner, f"{where}.corners", True) for corner in items(form.get("corners"), where)
    ]
    if len(corners) != 4:
        raise BoardError(f"{where}.corners: four are needed, {len(corners)} given")
    marker_id = form.get("id")
    if not isinstance(marker_id, int) or isinstance(marker_id, bool) or marker_id < 0:
        raise BoardError(f"{where}.id: a whole number, not {marker_id!r}")
    return Marker(marker_id, (corners[0], corners[1], corners[2], corners[3]))


def read_piece(data: object, n: int) -> Piece:
    where = f"pieces[{n}]"
    form = mapping(data, where)
    kind = text(form.get("kind", "pawn"), f"{where}.kind")
    if kind not in get_args(PieceKind):
        raise BoardError(f'{where}.kind: "{kind}" is none of {", ".join(get_args(PieceKind))}')
    srgb = [number(part, f"{where}.srgb") for part in items(form.get("srgb"), f"{where}.srgb")]
    if len(srgb) != 3 or not all(0 <= part <= 255 for part in srgb):
        raise BoardError(f"{where}.srgb: three numbers from 0 to 255")
    count = form.get("count", 4)
    if not isinstance(count, int) or isinstance(count, bool) or count < 1:
        raise BoardError(f"{where}.count: how many there are of them, not {count!r}")
    return Piece(
        kind=kind,  # type: ignore[arg-type]
        name=text(form.get("name"), f"{where}.name"),
        srgb=(round(srgb[0]), round(srgb[1]), round(srgb[2])),
        diameter=positive(form.get("diameter"), f"{where}.diameter"),
        height=positive(form.get("height"), f"{where}.height"),
        seat=None if form.get("seat") is None else text(form["seat"], f"{where}.seat"),
        count=count,
    )


def read_zone(data: object) -> Zone:
    form = mapping(data, "card_zone")
    x, y = number(form.get("x"), "card_zone.x"), number(form.get("y"), "card_zone.y")
    width = positive(form.get("width"), "card_zone.width")
    return Zone(x, y, width, positive(form.get("height"), "card_zone.height"))


def mapping(value: object, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise BoardError(f"{where}: a JSON object is needed here")
    return value


def items(value: object, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise BoardError(f"{where}: a list is needed here")
    return value


def text(value: object, where: str) -> str:
    if not isinstance(value, str) or not value:
        raise BoardError(f"{where}: a name is missing")
    if not value.isprintable():  # lone surrogates and control signs can be written to no file
        raise BoardError(f"{where}: {value!r} cannot be printed")
    return value


def number(value: object, where: str) -> float:
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not abs(value) <= 1e5:
        raise BoardError(f"{where}: a number of millimetres is needed, not {value!r}")
    return value


def positive(value: object, where: str) -> float:
    found = number(value, where)
    if not found > 0:
        raise BoardError(f"{where}: more than zero, not {value!r}")
    return found


def pair(value: object, where: str, anywhere: bool = False) -> Point:
    parts = items(value, where)
    if len(parts) != 2:
        raise BoardError(f"{where}: two numbers are needed")
    check = number if anywhere else positive
    return check(parts[0], where), check(parts[1], where)


def refuse_twice(names: Iterable[str], where: str) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise BoardError(f'{where} "{name}" stands twice')
        seen.add(name)
