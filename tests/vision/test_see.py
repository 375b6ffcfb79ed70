"""`arbitre calibrate` and `arbitre see` as other programs use them."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from web.command import main


@pytest.fixture(scope="module")
def folder(tock, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("see")
    cv2.imwrite(str(path / "empty.png"), tock.empty)
    cv2.imwrite(str(path / "start.png"), tock.scene.picture(tock.start, seed=2))
    cv2.imwrite(str(path / "black.png"), np.zeros((720, 960, 3), np.uint8))
    (path / "torn.png").write_bytes((path / "start.png").read_bytes()[:20_000])
    cv2.imwrite(str(path / "small.png"), np.zeros((300, 400, 3), np.uint8))
    (path / "text.png").write_text("no picture")
    (path / "setup.json").write_text(json.dumps({c: list(who) for c, who in tock.start.items()}))
    tock.table.save(path / "table.json")
    return path


def test_calibrate_writes_a_table_that_see_reads_by(
    folder: Path, tock, capsys: pytest.CaptureFixture[str]
) -> None:
    table = str(folder / "own.json")
    words = ["calibrate", "--board", "tock4", "--empty", str(folder / "empty.png")]
    words += ["--pieces", str(folder / "start.png"), "--setup", str(folder / "setup.json")]
    assert main([*words, "--out", table]) == 0
    assert "place:" in capsys.readouterr().err
    assert main(["see", "--table", table, str(folder / "start.png")]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert {p["cell"]: (p["name"],) for p in answer["pieces"]} == tock.start
    assert set(answer) == {"image", "pieces", "unsure", "blocked", "warnings", "ms"}


def test_bad_pictures_get_an_error_line_and_the_next_is_served(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ["black.png", "torn.png", "small.png", "text.png", "none.png", "start.png"]
    images = [str(folder / name) for name in names]
    assert main(["see", "--table", str(folder / "table.json"), *images]) == 2
    out = capsys.readouterr().out
    lines = [json.loads(line) for line in out.splitlines()]
    assert [Path(line["image"]).name for line in lines] == names
    assert ["error" in line for line in lines] == [True] * 5 + [False]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--board", "tock4"], "no picture"),
        (["--board", "nothing"], "no board"),
        ([], "which board"),
        (["--board", "tock4", "--empty", "text.png"], "not a picture"),
        (["--board", "tock4", "--pieces", "start.png", "--setup", "text.png"], "not a JSON"),
        (["--board", "tock4", "--empty", "empty.png", "--points", "setup.json"], "two numbers"),
        (["--board", "tock4", "--empty", "empty.png", "--lens", "text.png"], "not a JSON"),
        (["--lens-from", "."], "arbitre board chart"),
        (["--board", "tock4", "--pieces", "start.png", "--pieces", "start.png"], "2 times"),
        (["--board", "tock4", "--empty", "empty.png", "--empty", "text.png"], "text.png: not a"),
    ],
)
def test_calibrate_says_in_one_line_what_is_wrong(
    folder: Path, words: list[str], said: str, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(folder)
    assert main(["calibrate", *words, "--out", "out.json"]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


def test_a_table_that_is_none(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["see", "--table", str(folder / "setup.json"), "x.png"]) == 2
    assert "another version" in capsys.readouterr().err
