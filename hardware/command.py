"""The command `arbitre board`: one board as data, picture, workshop drawing, markers to print."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from hardware import boards
from hardware.board_files import load
from hardware.boards import Board, BoardError
from hardware.parser import Parser

CHART = "chart"
EPILOG = """\
FILE may be left out or be "-": then the drawing goes to the standard output.
examples:
  arbitre board tijou --svg tijou.svg
  arbitre board tock4 --house-entry 18 --cut tock4.dxf --markers tock4.pdf
  arbitre board our-own-board.json --svg
  arbitre board chart --pdf chart.pdf    the chart that calibrates a camera's lens
"""


def parser() -> Parser:
    found = Parser(
        prog="arbitre board",
        description="One board as data, picture, workshop drawing, markers to print.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    found.add_argument(
        "name", nargs="?", metavar="NAME", help="a board, a board's JSON file, or chart"
    )
    found.add_argument("--list", action="store_true", help="name all boards")
    found.add_argument("--json", action="store_true", help="everything physical, in millimetres")
    for option, what in (
        ("--svg", "the picture"),
        ("--cut", "the drawing for the workshop, .dxf or .svg"),
        ("--markers", "the markers at true size, .svg or .pdf"),
        ("--pdf", "only with chart: the calibration chart at true size, A4"),
    ):
        found.add_argument(option, nargs="?", const="-", metavar="FILE", help=what)
    found.add_argument("--house-entry", type=int, metavar="16|18", help="on Tock boards")
    found.add_argument(
        "--pieces",
        metavar="none|start|FILE",
        help='what stands in the picture; in a file: {"a18": "red", "5": ["red", "blue"]}',
    )
    found.add_argument("--seat", help="turn the picture so that this seat's side is below")
    return found


def board(argv: list[str]) -> int:
    try:
        return answer(parser().parse_args(argv))
    except BoardError as error:
        print(error, file=sys.stderr)
        return 2
    except SystemExit as stop:  # argparse has shown its help
        return int(stop.code or 0)


def answer(asked: argparse.Namespace) -> int:
    if asked.list:
        print("\n".join(boards.names()))
        return 0
    if asked.name is None:
        raise BoardError(f"which board? There are: {', '.join(boards.names())}, and {CHART}")
    if asked.name == CHART:
        return print_chart(asked)
    if asked.pdf is not None:
        raise BoardError("--pdf is for the chart; for a board: --svg, --cut or --markers FILE.pdf")
    for option in ("pieces", "seat"):
        if getattr(asked, option) is not None and asked.svg is None:
            raise BoardError(f"--{option} says how the picture looks: --svg is missing")
    found = chosen(asked.name, asked.house_entry)
    outputs: list[tuple[str, Callable[[], str | bytes]]] = []
    if asked.json:
        outputs.append(("-", lambda: json.dumps(boards.write(found), ensure_ascii=False) + "\n"))
    if asked.svg is not None:
        outputs.append((asked.svg, lambda: drawn(found, asked.pieces or "none", asked.seat)))
    if asked.cut is not None:
        outputs.append((asked.cut, lambda: cut(found, asked.cut)))
    if asked.markers is not None:
        outputs.append((asked.markers, lambda: markers(found, asked.markers)))
    if [name for name, _ in outputs].count("-") > 1:
        raise BoardError(
            "only one of these can go to the standard output; name files for the others"
        )
    for name, content in [(name, make()) for name, make in outputs]:
        put(name, content)
    if not outputs:
        print(summary(found))
    return 0


def chosen(name: str, house_entry: int | None) -> Board:
    if house_entry is None:
        return load(name)
    if name not in boards.names():
        raise BoardError('--house-entry: a board file says it itself, as "house_entry"')
    if house_entry not in (16, 18):
        raise BoardError(f"--house-entry: 16 or 18, not {house_entry}")
    if boards.board(name).house_entry is None:
        raise BoardError(f"--house-entry: {name} has no houses to enter")
    return boards.board(name, house_entry)


def ending(name: str, allowed: tuple[str, ...], option: str) -> str:
    """What a file is to be, by how its name ends; the first allowed on the standard output."""
    if name == "-":
        return allowed[0]
    suffix = Path(name).suffix.lower()
    if suffix not in allowed:
        raise BoardError(f'{option}: "{name}" ends neither in {" nor in ".join(allowed)}')
    return suffix


def drawn(found: Board, pieces: str, seat: str | None) -> str:
    from hardware.drawings import plan
    from hardware.drawings.picture import picture
    from hardware.drawings.setting import laid, waiting

    if seat is not None and seat not in plan.seats(found):
        seats = ", ".join(plan.seats(found)) or "none"
        raise BoardError(f'--seat: no seat "{seat}" on {found.name}; there are: {seats}')
    if pieces == "start":
        return picture(found, laid(found) | waiting(found), turned=seat)
    standing = laid(found) if pieces == "none" else placed(pieces)
    return picture(found, standing, turned=seat)


def placed(path: str) -> dict[str, tuple[str, ...]]:
    """Pieces by cell from a file; the picture itself says when one of them is unknown."""
    try:
        form: Any = json.loads(Path(path).read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise BoardError(f"--pieces: {path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise BoardError(f"--pieces: {path}: not a JSON file: {error}") from None
    if not isinstance(form, Mapping):
        raise BoardError(f'--pieces: {path}: {{"cell": "piece"}} is needed')
    found = {}
    for cell, names in form.items():
        names = [names] if isinstance(names, str) else names
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise BoardError(f'--pieces: {path}: cell "{cell}": a name or a list of names')
        found[cell] = tuple(names)
    return found


def cut(found: Board, name: str) -> str:
    from hardware.drawings import workshop

    kind = ending(name, (".dxf", ".svg"), "--cut")
    return workshop.dxf(found) if kind == ".dxf" else workshop.cut_svg(found)


def markers(found: Board, name: str) -> str | bytes:
    from hardware.drawings import sheet
    from hardware.drawings.markers import pages

    kind = ending(name, (".svg", ".pdf"), "--markers")
    printed = pages(found)
    return sheet.as_svg(printed) if kind == ".svg" else sheet.as_pdf(printed, found.name)


def print_chart(asked: argparse.Namespace) -> int:
    from hardware.drawings import chart, sheet

    other = ("json", "cut", "markers", "house_entry", "pieces", "seat")
    if any(getattr(asked, option) not in (None, False) for option in other):
        raise BoardError(
            "the chart is only printed: arbitre board chart --pdf FILE (or --svg FILE)"
        )
    if asked.pdf is None and asked.svg is None:
        print(
            f"chart: {chart.COLUMNS} × {chart.ROWS} squares of {chart.SQUARE:g} mm, "
            f"{chart.DICTIONARY}; print it with --pdf FILE, at 100 %"
        )
        return 0
    if asked.pdf is not None:
        put(asked.pdf, sheet.as_pdf([chart.page()], "chart"))
    if asked.svg is not None:
        put(asked.svg, sheet.as_svg([chart.page()]))
    return 0


def put(name: str, content: str | bytes) -> None:
    data = content.encode("utf-8") if isinstance(content, str) else content
    if name == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    try:
        Path(name).write_bytes(data)
    except OSError as error:
        raise BoardError(f"{name}: cannot be written: {error.strerror}") from None


def summary(found: Board) -> str:
    width, height = found.size
    kinds = dict.fromkeys(cell.kind for cell in found.cells)
    counts = ", ".join(f"{len(found.of_kind(kind))} {kind}" for kind in kinds)
    sets = ", ".join(f"{piece.count} {piece.name}" for piece in found.pieces)
    ids = ", ".join(str(marker.id) for marker in found.markers)
    rows = [
        f"{found.name}: {width:g} × {height:g} × {found.thickness:g} mm",
        f"cells    {len(found.cells)} ({counts})",
        f"LEDs     {sum(cell.led is not None for cell in found.cells)}",
        f"pieces   {sets or 'none'}",
        f"markers  {ids} of {found.dictionary}" if found.markers else "markers  none",
    ]
    if found.card_zone is not None:
        rows.append(f"cards    {found.card_zone.width:g} × {found.card_zone.height:g} mm")
    if found.house_entry is not None:
        rows.append(f"entry    {found.house_entry}")
    return "\n".join(rows)
