"""`arbitre board`: what it prints, what it writes, and one line for every mistake."""

from __future__ import annotations

import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from ezdxf.filemanagement import readfile

from hardware.boards import board as made
from hardware.boards import names, read, write
from hardware.command import board

SVG = "{http://www.w3.org/2000/svg}"


def said(capsys: pytest.CaptureFixture[str], *argv: str, status: int = 0) -> str:
    """What the command prints when it goes well."""
    assert board(list(argv)) == status
    out, err = capsys.readouterr()
    assert err == ""
    return out


def refused(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    """The one line on stderr when it does not."""
    assert board(list(argv)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    (line,) = err.splitlines()
    return line


@pytest.fixture
def own(tmp_path: Path) -> str:
    """A board that is none of ours, as a file."""
    form = write(made("tock4")) | {"name": "à nous"}
    path = tmp_path / "own.json"
    path.write_text(json.dumps(form), encoding="utf-8")
    return str(path)


def test_the_list_names_six_boards() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "web.command", "board", "--list"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.split() == ["tijou", "tock4", "tock6", "tock8", "barricades", "trikolos"]
    assert done.stderr == ""


@pytest.mark.parametrize("name", names())
def test_json_is_the_board(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    out = said(capsys, name, "--json")
    assert read(json.loads(out)) == made(name)
    assert out.count("\n") == 1


def test_the_entry_of_the_houses_can_be_chosen(capsys: pytest.CaptureFixture[str]) -> None:
    form = json.loads(said(capsys, "tock6", "--house-entry", "18", "--json"))
    assert form["house_entry"] == 18
    (entry,) = [cell["id"] for cell in form["cells"] if "bh1" in cell.get("links", ())]
    assert entry == "b18"


def test_a_board_file_goes_wherever_a_name_goes(
    own: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert json.loads(said(capsys, own, "--json"))["name"] == "à nous"
    assert said(capsys, own).startswith("à nous: 500 × 500 × 18 mm\n")
    files = [str(tmp_path / name) for name in ("own.svg", "own.dxf", "own.pdf")]
    said(capsys, own, "--svg", files[0], "--cut", files[1], "--markers", files[2])
    assert ET.parse(files[0]).getroot().tag == f"{SVG}svg"
    assert len(readfile(files[1]).modelspace().query('CIRCLE[layer=="HOLES"]')) == 104
    assert Path(files[2]).read_bytes().startswith(b"%PDF-")


@pytest.mark.parametrize(
    ("argv", "begins"),
    [
        (["--svg"], "<svg "),
        (["--svg", "-"], "<svg "),
        (["--cut"], "  0\nSECTION"),
        (["--markers"], "<svg "),
    ],
)
def test_without_a_file_it_goes_to_the_standard_output(
    argv: list[str], begins: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said(capsys, "tock4", *argv).startswith(begins)


def test_files_are_what_their_names_say(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for option, name, begins in (
        ("--cut", "a.svg", b"<svg "),
        ("--cut", "A.DXF", b"  0\nSECTION"),
        ("--markers", "m.svg", b"<svg "),
        ("--markers", "m.pdf", b"%PDF-"),
    ):
        said(capsys, "tijou", option, str(tmp_path / name))
        assert (tmp_path / name).read_bytes().startswith(begins)


def pieces_in(drawing: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for group in ET.fromstring(drawing).iter(f"{SVG}g"):
        if "data-piece" in group.attrib:
            found.setdefault(group.attrib["data-on"], []).append(group.attrib["data-piece"])
    return found


def test_the_picture_shows_the_pieces_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert pieces_in(said(capsys, "tijou", "--svg")) == {}
    assert len(pieces_in(said(capsys, "tijou", "--svg", "--pieces", "start"))) == 18
    setup = tmp_path / "setup.json"
    setup.write_text('{"5": ["red", "blue"], "A-a": "red"}', encoding="utf-8")
    drawing = said(capsys, "tijou", "--svg", "--pieces", str(setup), "--seat", "c")
    assert pieces_in(drawing) == {"5": ["red", "blue"], "A-a": ["red"]}
    assert 'transform="rotate(-180 ' in drawing


def test_tiles_lie_in_the_picture_even_before_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert len(pieces_in(said(capsys, "trikolos", "--svg"))) == 37


def test_the_chart_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "chart.pdf"
    said(capsys, "chart", "--pdf", str(path))
    assert path.read_bytes().startswith(b"%PDF-")
    assert said(capsys, "chart", "--svg").startswith("<svg ")
    assert said(capsys, "chart").startswith("chart: 7 × 9 squares of 26 mm")


def test_the_chart_goes_through_a_pipe() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "web.command", "board", "chart", "--pdf"],
        capture_output=True, check=True,
    )  # fmt: skip
    assert done.stdout.startswith(b"%PDF-")
    assert done.stdout.endswith(b"%%EOF\n")


def test_help_is_no_mistake(capsys: pytest.CaptureFixture[str]) -> None:
    assert "--markers" in said(capsys, "--help")


@pytest.mark.parametrize(
    ("argv", "line"),
    [
        ([], "which board? There are: tijou, tock4"),
        (["tock5"], 'no board "tock5" and no such file; ours: tijou'),
        (["tock4", "--paint"], "arbitre board: unrecognized arguments: --paint"),
        (["tock4", "--house-entry", "17"], "--house-entry: 16 or 18, not 17"),
        (
            ["tock4", "--house-entry", "late"],
            "arbitre board: argument --house-entry: invalid int value",
        ),
        (["tijou", "--house-entry", "18"], "--house-entry: tijou has no houses to enter"),
        (["tock4", "--cut", "board.png"], '--cut: "board.png" ends neither in .dxf nor in .svg'),
        (["tock4", "--markers", "m"], '--markers: "m" ends neither in .svg nor in .pdf'),
        (["tock4", "--svg", "--cut"], "only one of these can go to the standard output"),
        (["tock4", "--json", "--svg"], "only one of these can go to the standard output"),
        (["tock4", "--svg", "/nowhere/a.svg"], "/nowhere/a.svg: cannot be written: No such file"),
        (["tock4", "--svg", "--seat", "z"], '--seat: no seat "z" on tock4; there are: a, b, c, d'),
        (["tock4", "--json", "--seat", "a"], "--seat says how the picture looks: --svg is missing"),
        (["tock4", "--svg", "--pieces", "none.json"], "--pieces: none.json: No such file"),
        (["tock4", "--pdf", "a.pdf"], "--pdf is for the chart"),
        (["chart", "--json"], "the chart is only printed"),
        (["chart", "--pdf", "/nowhere/c.pdf"], "/nowhere/c.pdf: cannot be written"),
    ],
)
def test_a_mistake_is_one_line(
    argv: list[str], line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert refused(capsys, *argv).startswith(line)


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("{", "not a JSON file"),
        ("[]", '{"cell": "piece"} is needed'),
        ('{"a1": 3}', 'cell "a1": a name or a list of names'),
        ('{"z1": "red"}', 'cell "z1" is not on tock4'),
        ('{"a1": "pink"}', 'no piece "pink" on tock4'),
    ],
)
def test_a_bad_file_of_pieces_is_one_line(
    content: str, line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "pieces.json"
    path.write_text(content, encoding="utf-8")
    assert line in refused(capsys, "tock4", "--svg", "--pieces", str(path))


def test_a_bad_board_file_is_one_line_with_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    form: dict[str, Any] = write(made("tock4"))
    form["cells"][2]["x"] = "here"
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(form), encoding="utf-8")
    told = refused(capsys, str(path), "--svg")
    assert told == "bad.json: cells[2].x: a number of millimetres is needed, not 'here'"


def test_nothing_is_written_when_one_of_the_drawings_fails(
    own: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    form = json.loads(Path(own).read_text(encoding="utf-8"))
    form["fiducials"]["dictionary"] = "DICT_NONE"
    Path(own).write_text(json.dumps(form), encoding="utf-8")
    cut = tmp_path / "own.dxf"
    told = refused(capsys, own, "--cut", str(cut), "--svg", str(tmp_path / "own.svg"))
    assert told.startswith('fiducials.dictionary: OpenCV knows no "DICT_NONE"')
    assert not cut.exists()
