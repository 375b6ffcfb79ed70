"""The guide's pages: prose from the templates, every figure from the boards and the firmware."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from firmware_bridge.flash import command
from hardware import boards
from hardware.boards import Board
from hardware.firmware.limits import LIMITS
from hardware.guide import chain, parts, power, wiring
from hardware.guide.camera import LENSES, PIXELS, ROOM, mount
from hardware.guide.typography import set_in

HERE = Path(__file__).parent
LANGUAGES = ("fr", "en")


def all_boards() -> tuple[Board, ...]:
    return tuple(boards.board(name) for name in boards.names())


def words(language: str) -> Mapping[str, Any]:
    text = (HERE / f"words.{language}.json").read_text(encoding="utf-8")
    found: Mapping[str, Any] = json.loads(set_in(language, text))
    return found


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---", *("--:" for _ in head[1:])], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _number(value: float, digits: int, language: str) -> str:
    text = f"{value:.{digits}f}"
    return text.replace(".", ",") if language == "fr" else text


def _short(value: float, language: str) -> str:
    return f"{value:g}".replace(".", "," if language == "fr" else ".")


def _parts(said: Mapping[str, Any], every: tuple[Board, ...]) -> str:
    rows = [[said["parts"][name], *counts] for name, counts in parts.rows(every)]
    return _table([said["part"], *(board.name for board in every)], rows)


def _power(said: Mapping[str, Any], language: str, every: tuple[Board, ...]) -> str:
    needs = [power.budget(board) for board in every]

    def row(name: str, values: Iterable[str]) -> list[str]:
        return [said["power"][name], *values]

    rows = [
        row("leds", (str(need.leds) for need in needs)),
        row("idle", (f"{need.idle} mA" for need in needs)),
        row("game", (f"{need.game} mA" for need in needs)),
        row("white", (_number(need.white / 1000, 1, language) + " A" for need in needs)),
        row("cap", (f"**{need.cap} mA**" for need in needs)),
        row("white_share", (f"{100 * need.white_share:.0f} %" for need in needs)),
        row("supply", (f"{need.supply:g} A" for need in needs)),
        row("fuse", (f"{need.fuse:g} A" for need in needs)),
        row("feeds", (str(need.feeds) for need in needs)),
        row("drop", (_number(need.drop, 2, language) + " V" for need in needs)),
    ]
    return _table([said["board"], *(board.name for board in every)], rows)


def _supplies(said: Mapping[str, Any], every: tuple[Board, ...]) -> str:
    columns = [list(power.caps(board)) for board in every]
    rows = [
        [
            f"{supply:g} A",
            f"{columns[0][n][1]} mA",
            f"{power.fuse(columns[0][n][1]):g} A",
            f"{power.rail(columns[0][n][1]):g} mm²",
            *(f"{100 * column[n][2]:.0f} %" for column in columns),
        ]
        for n, (supply, _, _) in enumerate(columns[0])
    ]
    power_words = (said["power"][name] for name in ("supply", "cap", "fuse", "rail"))
    head = [*power_words, *(board.name for board in every)]
    return _table(head, rows)


def _cameras(said: Mapping[str, Any], language: str, every: tuple[Board, ...]) -> str:
    rows = []
    for board in every:
        for lens in LENSES:
            at = mount(board, lens)
            rows.append(
                [
                    board.name,
                    lens.name,
                    f"{_short(lens.horizontal, language)}° × {lens.vertical:.0f}°",
                    f"**{at.height / 10:.0f} cm**",
                    f"{at.seen[0] / 10:.0f} × {at.seen[1] / 10:.0f} cm",
                    _number(at.pixel, 2, language) + " mm",
                    f"{at.steepest:.0f}°",
                    f"{at.hidden:.0f} mm",
                ]
            )
    return _table(said["camera"], rows)


def _drill(said: Mapping[str, Any], language: str, every: tuple[Board, ...]) -> str:
    def millimetres(values: Iterable[float]) -> str:
        return " / ".join(_short(value, language) for value in sorted(set(values), reverse=True))

    rows = []
    for board in every:
        holes = [cell.diameter for cell in board.cells if cell.diameter]
        rows.append(
            [
                board.name,
                str(board.lights),
                millimetres(holes) if holes else "–",
                millimetres(parts.bores(board)),
                f"{parts.POCKET[0]:g}",
                f"{parts.HOLE:g}",
                f"{parts.floor(board):g}",
                f"{parts.POCKET[1]:g}",
            ]
        )
    return _table(said["drill"], rows)


def page(language: str) -> str:
    said, every = words(language), all_boards()
    figures = {
        "parts": _parts(said, every),
        "power": _power(said, language, every),
        "supplies": _supplies(said, every),
        "cameras": _cameras(said, language, every),
        "drill": _drill(said, language, every),
        "chains": "\n".join(
            f"- [{board.name}](chain-{board.name}.{language}.svg)" for board in every
        ),
        "capacity": LIMITS["LED_CAPACITY"],
        "channel": LIMITS["CHANNEL_MILLIAMPS"],
        "three": 3 * LIMITS["CHANNEL_MILLIAMPS"],
        "cap_default": LIMITS["CAP_DEFAULT"],
        "cap_limit": _number(LIMITS["CAP_LIMIT"] / 1000, 1, language),
        "patience": f"{LIMITS['GONE_TICKS'] * LIMITS['TICK_US'] / 1e6:g}",
        "fed": power.FED,
        "used": f"{100 * power.USED:.0f}",
        "wire": _number(power.WIRE, 2, language),
        "thin": _number(power.THIN, 2, language),
        "thin_carries": f"{power.THIN_CARRIES:g}",
        "part_fuse": f"{power.PART_FUSE:g}",
        "pocket": f"{parts.POCKET[0]:g}",
        "hole": f"{parts.HOLE:g}",
        "room": f"{ROOM:g}",
        "pixels": PIXELS,
        "flash": " ".join(command("/dev/ttyUSB0", "build/firmware/lights.hex")),
    }
    text = (HERE / f"guide.{language}.md").read_text(encoding="utf-8")
    return set_in(language, text.format_map(figures))


def files(languages: Sequence[str] = LANGUAGES) -> dict[str, str]:
    """Every file of the guide by name."""
    made = {}
    for language in languages:
        said = words(language)
        made[f"build.{language}.md"] = page(language)
        made[f"wiring.{language}.svg"] = wiring.drawing(said["wiring"])
        for board in all_boards():
            made[f"chain-{board.name}.{language}.svg"] = chain.drawing(
                board, power.FED, said["chain"]
            )
    return made
