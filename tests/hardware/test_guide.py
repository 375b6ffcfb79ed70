"""The build guide: every figure in it is worked out, both languages say the same, drawings hold."""

from __future__ import annotations

import math
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from firmware_bridge.command import lights
from firmware_bridge.levels import draw
from hardware import boards
from hardware.boards import Board
from hardware.firmware.limits import LIMITS
from hardware.guide import LANGUAGES, files, power, typography
from hardware.guide.camera import LENSES, Lens, mount
from hardware.guide.chain import order
from hardware.guide.parts import bores, floor, rows
from hardware.guide.power import BRIGHTNESS, USED, budget, busiest

EVERY = tuple(boards.board(name) for name in boards.names())
each = pytest.mark.parametrize("board", EVERY, ids=lambda board: board.name)
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def made() -> dict[str, str]:
    return files()


def numbers(text: str) -> list[str]:
    """The figures in the tables, whatever their decimal sign."""
    cells = [line for line in text.splitlines() if line.startswith("|")]
    return re.findall(r"\d+(?:\.\d+)?", "\n".join(cells).replace(",", "."))


def test_the_command_writes_both_languages(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert lights(["guide", "--out", str(tmp_path / "guide")]) == 0
    printed = capsys.readouterr().out.split()
    assert {Path(line).name for line in printed} == set(files())
    assert (tmp_path / "guide" / "build.fr.md").read_text(encoding="utf-8").startswith("# Cons")


def test_both_languages_have_the_same_figures_chapters_and_steps(made: dict[str, str]) -> None:
    french, english = made["build.fr.md"], made["build.en.md"]
    assert numbers(french) == numbers(english)
    for mark in (r"^## ", r"^\d+\. ", r"^- ", r"^\|"):
        assert len(re.findall(mark, french, re.M)) == len(re.findall(mark, english, re.M))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_has_a_gap_or_a_dead_link(made: dict[str, str], language: str) -> None:
    page = made[f"build.{language}.md"]
    assert not re.search(r"[{}]|None|nan", page)
    linked = set(re.findall(r"\]\((?!http)([^)]+)\)", page))
    assert linked == {name for name in made if name.endswith(f".{language}.svg")}


def test_drawings_are_sound_svg(made: dict[str, str]) -> None:
    for name, text in made.items():
        if name.endswith(".svg"):
            root = ElementTree.fromstring(text)
            assert root.tag == f"{SVG}svg"


@each
def test_the_chain_is_drawn_from_below_with_every_led(made: dict[str, str], board: Board) -> None:
    root = ElementTree.fromstring(made[f"chain-{board.name}.en.svg"])
    dots = root.findall(f".//{SVG}g[@class='leds']/{SVG}circle")
    drawn = [(float(dot.get("cx", "")), float(dot.get("cy", ""))) for dot in dots]
    mirrored = [(board.size[0] - cell.x, cell.y) for cell in order(board)]
    assert len(drawn) == board.lights
    for (x, y), (u, v) in zip(drawn, mirrored, strict=True):
        assert math.dist((x, y), (u, v)) < 0.02


@each
def test_there_are_enough_leds_and_wire(board: Board) -> None:
    counted = dict(rows((board,)))
    assert int(counted["led"][0]) >= board.lights
    assert int(counted["feeds"][0]) * 50 >= board.lights
    assert floor(board) > 3
    assert all(0 < bore <= 8 for bore in bores(board))


@each
def test_the_power_budget_is_the_firmwares(board: Board) -> None:
    need = budget(board)
    assert need.game == draw(busiest(board), BRIGHTNESS, LIMITS["CAP_LIMIT"])
    assert need.game <= need.cap <= LIMITS["CAP_LIMIT"]
    assert need.cap <= need.supply * 1000 * USED
    assert need.cap < need.fuse * 1000 <= need.supply * 1000
    assert need.drop < 0.5
    assert need.fuse <= power.THIN_CARRIES
    assert draw(((255, 255, 255, 0),) * board.lights, 255, need.cap) <= need.cap


def test_every_supply_has_its_fuse_and_its_wire(made: dict[str, str]) -> None:
    for supply, cap, _ in power.caps(EVERY[0]):
        assert cap < 1000 * power.fuse(cap) <= 1000 * supply
        assert power.fuse(cap) / power.rail(cap) <= power.AMPERES
    for language, name in (("fr", "fusible temporisé"), ("en", "fuse, slow")):
        heads = [line for line in made[f"build.{language}.md"].splitlines() if name in line]
        assert len(heads) >= 2


def test_french_is_set_as_french_is(made: dict[str, str]) -> None:
    page = typography.CODE.sub("", made["build.fr.md"])
    assert "'" not in page
    assert not re.search(r"\d\.\d", page)
    assert not re.search(r"[^\s|\u202f-][;!?](?=\s)|\w:(?=\s)| [;:!?»]|« ", page)
    assert not re.search(r"\d (mm|cm|m|A|mA|V|Ω|%|LED)\b", page)
    assert "2,5\u00a0A" in page
    assert re.search(r"\d\.\d", typography.CODE.sub("", made["build.en.md"]))


@each
@pytest.mark.parametrize("lens", LENSES, ids=lambda lens: lens.name)
def test_the_whole_board_and_its_pieces_fit_into_the_picture(board: Board, lens: Lens) -> None:
    at = mount(board, lens)
    tall = max(piece.height for piece in board.pieces)
    long, short = sorted(board.size, reverse=True)
    reach = (at.height - tall) * lens.half_width
    assert reach >= long / 2
    assert (at.height - tall) * lens.half_height >= short / 2
    lower = at.height - 25  # and not much higher than need be
    assert lower * lens.half_height < short / 2 + 40
    assert 45 < at.steepest < 90
    assert at.pixel < 1.3


def test_the_lenses_see_what_their_maker_states() -> None:
    stated = {lens.name: (lens.horizontal, round(lens.vertical)) for lens in LENSES}
    assert stated["Camera Module 3"] == (66.0, 41)
    assert stated["Camera Module 3 Wide"] == (102.0, 67)
