"""The bench of vision counts rightly, says what is wrong, and runs on a small share."""

import json
from pathlib import Path

import numpy as np
import pytest

from hardware.boards import board
from hardware.twin import positions
from vision.reading import Reading, Seen
from web.bench import bench
from web.bench.vision import enduring, hardest, still_jobs, tables, watching
from web.bench.vision.outside import measure_folder
from web.bench.vision.tally import Tally, coverage_against_error, judge, merged, wilson

OPTIONS = {"seed": 1, "split": "train", "lights": "dimmed", "failures": None}


def reading(*pieces: tuple[str, str, float], unsure: tuple[str, ...] = ()) -> Reading:
    return Reading(tuple(Seen(*piece) for piece in pieces), unsure, False, (), 1.0)


def test_only_claims_are_judged() -> None:
    tock = board("tock4")
    truth = {"a9": ("red",), "b3": ("blue",), "c2": ("green",)}
    read = reading(("a9", "red", 0.99), ("b3", "green", 0.6), ("d1", "red", 0.9), unsure=("c2",))
    verdict = judge(tock, read, truth)
    assert verdict.claimed == len(tock.cells) - 1
    assert {cell: found for cell, _, found in verdict.wrong} == {
        "b3": ("green",),
        "d1": ("red",),
    }
    assert verdict.confidences == ((0.99, True), (0.6, False), (0.9, False))
    assert not verdict.perfect


def test_several_pieces_in_one_cell_are_counted_in_any_order() -> None:
    tijou = board("tijou")
    read = reading(("5", "blue", 0.9), ("5", "red", 0.9))
    assert judge(tijou, read, {"5": ("red", "blue")}).perfect
    assert judge(tijou, read, {"5": ("red",)}).wrong


def test_sums_over_tables() -> None:
    tock = board("tock4")
    one, other = Tally(), Tally()
    one.add(judge(tock, reading(("a9", "red", 1.0)), {"a9": ("red",)}))
    other.add(judge(tock, reading(), {"a9": ("red",)}))
    other.refuse(2)
    found = merged([one, other]).figures()
    assert (found["pictures"], found["refused"], found["wrong"]) == (4, 2, 1)
    assert found["boards_perfect"] == 0.5
    assert found["boards_perfect_of_all"] == 0.25


def test_the_tables_that_carry_most_are_named_first() -> None:
    tock = board("tock4")
    truth = {"a9": ("red",)}
    readings = {
        "right": reading(("a9", "red", 1.0)),
        "open": reading(unsure=("a9", "b3")),
        "wrong": reading(("a9", "blue", 1.0)),
        "worse": reading(("a9", "blue", 1.0), unsure=("b3",)),
    }
    results = [tables.Result("tock4", name) for name in readings]
    for result in results:
        result.tally.add(judge(tock, readings[result.table], truth))
    assert list(hardest(results)) == ["worse", "wrong", "open"]


def test_ranges_hold_the_share_and_shrink() -> None:
    assert wilson(0, 0) is None
    narrow, wide = wilson(9900, 10000), wilson(99, 100)
    assert narrow is not None
    assert wide is not None
    assert wide[0] < narrow[0] < 0.99 < narrow[1] < wide[1]
    assert wilson(100, 100)[1] == 1.0  # type: ignore[index]


def test_errors_fall_as_coverage_falls_when_confidence_means_something() -> None:
    rng = np.random.default_rng(1)
    claims = [(float(c), bool(rng.random() < c)) for c in rng.uniform(0.5, 1, 5000)]
    errors = [point["error"] for point in coverage_against_error(claims)]
    assert errors[0] > errors[-1]


def test_jobs_cover_every_board_and_keep_to_their_split() -> None:
    names = ["tock4", "tijou"]
    jobs = still_jobs(names, 101, OPTIONS)
    plain = [job for job in jobs if job.view == "usual"]
    assert sum(job.pictures for job in plain) == 101
    assert {job.board for job in plain} == set(names)
    assert all(job.number % 2 for job in jobs)
    test = still_jobs(names, 101, OPTIONS | {"split": "test"})
    assert not {job.number for job in jobs} & {job.number for job in test}
    assert {job.alone for job in plain} == {True, False}
    many = still_jobs(names, 400, OPTIONS)
    for view in ("far", "bold"):
        assert {job.alone for job in many if job.view == view} == {True, False}


def test_a_board_made_as_few_are_is_counted_apart() -> None:
    job = tables.Job("tock4", 20013, "train", 1, 2, 2, True, "dimmed", "bold")
    result = tables.run(job)
    assert not result.unlearned
    assert result.bold.pictures == 2
    assert result.tally.pictures == 0


def test_one_table_is_drawn_learned_and_read(tmp_path: Path) -> None:
    job = tables.Job("tock4", 20013, "train", 1, 3, 2, False, "dimmed", "usual", str(tmp_path))
    result = tables.run(job)
    found = result.tally.figures()
    assert not result.unlearned
    assert result.table == "tock4 20013, empty and start"
    assert found["pictures"] == 3
    assert found["cells_right"] > 0.98
    assert sum(tally.pictures for tally in result.groups["glow"].values()) == 3
    assert result.groups["glow"]["on"].pictures == 1
    assert {way: tally.pictures for way, tally in result.lit.items()} == dict.fromkeys(
        tables.WAYS, 1
    )
    assert result.lit["dimmed"].figures() == result.groups["glow"]["on"].figures()
    assert len(list(tmp_path.glob("*.json"))) == (found["wrong"] > 0)


@pytest.mark.parametrize("kind", watching.KINDS)
def test_a_visit_of_a_hand_ends_with_a_free_board(kind: str) -> None:
    tock = board("tock4")
    rng = np.random.default_rng(3)
    before = positions.start(tock, rng)
    story = watching.story(tock, kind, before, rng)
    assert story[0].hand is not None
    assert story[-1].hand is None
    assert story[-1].frames > watching.AFTER
    counts = {sum(map(len, moment.position.values())) for moment in story}
    assert counts <= {16, 15}  # at most one is carried
    carried = [m for m in story if m.hand is not None and m.hand.carries is not None]
    assert bool(carried) == (kind == "moves")


def test_what_cannot_be_measured_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in (["nothing"], ["vision", "--board", "atlantis"], ["vision", "--split", "all"]):
        assert bench(words) == 2
        assert capsys.readouterr().err
    with pytest.raises(ValueError, match="no table in"):
        measure_folder(tmp_path, None)
    with pytest.raises(ValueError, match="no folder"):
        measure_folder(tmp_path / "gone", None)


def test_the_form_others_rely_on(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["vision", "--board", "tock4", "--pictures", "0", "--rounds", "1", "--json"]
    assert bench([*words, "--split", "train"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {"pictures", "cells_right", "boards_perfect", "abstained", "vs_lab"} <= found["boards"][
        "tock4"
    ].keys()
    assert {"hands", "false_commits"} <= found.keys()
    assert found["lights"] == "dimmed"
    assert set(found["lit"]) == {"dimmed", "told", "untold"}


def test_memory_stays_as_it_is_while_frames_go_by() -> None:
    found = enduring.run(enduring.Job("tock4", 2001, 120))
    assert found["frames"] == 120
    assert found["boards_reported"] >= 4
    assert len(found["memory_mb"]) == enduring.MARKS
    assert found["second_half_mb"] < 8.0
