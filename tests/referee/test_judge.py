"""`arbitre judge`: every line gets its answer, whatever is on it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from referee.command import LONGEST_LINE, answered, judge

TOCK: dict[str, Any] = {
    "id": 7,
    "game": "tock-fadoq",
    "board": {"name": "tock4", "house_entry": 16},
    "options": {"joker_bonus": "immediate"},
    "seats": ["a", "b", "c", "d"],
    "teams": [["a", "c"], ["b", "d"]],
    "position": {
        "pawns": {
            "a": ["camp", "a18*", "b3", "ah2"],
            "b": ["camp", "camp", "camp", "c9"],
            "c": ["camp", "camp", "camp", "camp"],
            "d": ["camp", "camp", "camp", "b6"],
        }
    },
    "turn": "a",
    "hand": ["KH", "7S", "4C"],
    "card": "7S",
    "observed": {"pawns": {"a": ["a18", "b3", "ah2"], "b": ["c9"], "c": [], "d": ["b6"]}},
}
TIJOU: dict[str, Any] = {
    "id": 8,
    "game": "tijou",
    "seats": ["a", "b", "c", "d", "e"],
    "shares": {"e": "a"},
    "options": {"king_enters": True},
    "position": {"pawns": {seat: ["camp", "5", "camp"] for seat in "abcde"}},
    "turn": "e",
    "card": "X1",
    "observed": {"pawns": {"a": ["5"], "e": ["6"]}},
}
BARRICADES: dict[str, Any] = {
    "id": 9,
    "game": "barricades",
    "seats": ["a", "c"],
    "position": {"pawns": {"a": ["camp"] * 5, "c": ["camp"] * 5}, "barricades": ["a3", "i9"]},
    "turn": "a",
    "throw": 4,
    "observed": {"pawns": {"a": ["f1"]}, "barricades": ["a3", "i9"]},
}
TRIKOLOS: dict[str, Any] = {
    "id": 10,
    "game": "trikolos",
    "seats": ["white", "black"],
    "position": {
        "pawns": {"white": ["camp", "camp", "home", "a2"], "black": ["camp", "camp", "camp", "f5"]},
        "tiles": ["GORGOR", "OGRROG", "RGOORG", "GROGRO", "OGRRGO", "GGOROR"],
        "spare": "G",
    },
    "turn": "white",
    "observed": {"pawns": {"white": ["a2"], "black": ["f5"]}},
}
REQUESTS = [TOCK, TIJOU, BARRICADES, TRIKOLOS]
ODD: list[Any] = [
    None, True, False, 0, -1, 3.5, 10**30, "", "a", "camp", "a18*", "é", "\ud800", "x" * 3000,
    [], [None], ["a"], [[]], [["a"]], ["a", "a"], [1], {}, {"a": None}, {"a": []}, {"a": ["camp"]},
    {"pawns": None}, {"name": None}, {"name": []}, [{}], {"": ""},
]  # fmt: skip


def reply(line: bytes | str) -> dict[str, Any]:
    data = line.encode() if isinstance(line, str) else line
    said = answered(data, 3)
    assert said.endswith(b"\n")
    assert said.count(b"\n") == 1
    found = json.loads(said)
    assert isinstance(found, dict)
    return found


def judged(request: dict[str, Any]) -> dict[str, Any]:
    return reply(json.dumps(request))


def test_the_answers_that_are_right() -> None:
    for request in REQUESTS:
        said = judged(request)
        assert said["id"] == request["id"]
        assert list(said)[:3] == ["id", "plays", "forced"]
        assert {"verdict", "plays_seen", "reasons", "put_right"} < said.keys()
        assert said["plays"] == sorted(said["plays"], key=lambda play: play["play"])
        for play in said["plays"]:
            assert ("card" in play) == ("card" in request)
            assert {"play", "position", "captured", "again"} <= play.keys()
            for cells in play["position"]["pawns"].values():
                assert cells == sorted(cells)
            assert play["captured"] == sorted(play["captured"])


def test_without_observed_there_is_no_verdict() -> None:
    asked = {key: value for key, value in TOCK.items() if key != "observed"}
    assert judged(asked).keys() == {"id", "plays", "forced"}


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every field of a request, however deep."""
    if path:
        yield path
    inside = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in inside:
        if isinstance(item, (dict, list)):
            yield from places(item, (*path, key))
        else:
            yield (*path, key)


def replaced(request: dict[str, Any], path: tuple[Any, ...], odd: Any) -> dict[str, Any]:
    copy = json.loads(json.dumps(request))
    inside = copy
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = odd
    return dict(copy)


def removed(request: dict[str, Any], path: tuple[Any, ...]) -> dict[str, Any]:
    copy = json.loads(json.dumps(request))
    inside = copy
    for key in path[:-1]:
        inside = inside[key]
    del inside[path[-1]]
    return dict(copy)


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda one: one["game"])
def test_any_field_may_be_anything(request_: dict[str, Any]) -> None:
    """Wrong types everywhere: an answer or an error that says what is wrong, never a traceback."""
    for path in places(request_):
        for odd in ODD:
            said = judged(replaced(request_, path, odd))
            if "error" in said:
                assert said["error"].startswith("line 3: ")
                assert "\n" not in said["error"]
                if path[0] != "id":
                    assert said["id"] == request_["id"]
        said = judged(removed(request_, path))
        assert "error" in said or "plays" in said


@pytest.mark.parametrize(
    ("line", "word"),
    [
        (b"{", "JSON"), (b"nul", "JSON"), (b"\xff\xfe{}", "UTF-8"), (b'{"id": NaN}', "NaN"),
        (b'{"id": -Infinity}', "Infinity"), (b'{"id": 1e999}', "1e999"), (b"[]", "object"),
        (b'"a"', "object"), (b"7", "object"), (b"[" * 100_000, "deep"),
        (b"1" * 5000, "digits"), (b'{"a":' * 50_000, "deep"), (b"\x00", "JSON"),
        (b'{"id": 1} {"id": 2}', "JSON"), (b"{'id': 1}", "JSON"),
        (b" " * (LONGEST_LINE + 1), "long"),
    ],
)  # fmt: skip
def test_lines_that_are_no_requests(line: bytes, word: str) -> None:
    said = reply(line)
    assert said["id"] is None
    assert word in said["error"]


def test_an_id_comes_back_as_it_was() -> None:
    for name in ("x", 1.5, None, [1, {"a": []}], "\ud800", "é", True):
        assert judged({"id": name})["id"] == name
    deep = b'{"id": ' + b"[" * 950 + b"]" * 950 + b"}"
    assert "error" in reply(deep)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"game": "chess"}, "no game 'chess'"),
        ({"board": {"name": "tock6"}}, "tock4"),
        ({"board": {"name": "tock4", "house_entry": 17}}, "16 or 18"),
        ({"options": {"house_entry": 18}}, "belongs to the board"),
        ({"options": {"shild": "fresh"}}, 'no option "shild"'),
        ({"options": {"shield": "sometimes"}}, "on_start, fresh"),
        ({"options": {"seven_partner": 1}}, "true, false"),
        ({"seats": ["a", "b", "c", "z"]}, "no seat 'z'"),
        ({"seats": ["a", "b", "c", "c"]}, "twice"),
        ({"turn": "e"}, '"turn"'),
        ({"card": "8S"}, "not in the hand"),
        ({"card": "ZZ"}, "no card 'ZZ'"),
        ({"hand": None, "card": None}, "needed"),
        ({"position": {"pawns": {seat: ["camp"] * 4 for seat in "abc"}}}, 'seat "d"'),
        ({"position": {"pawns": {seat: ["camp"] * 3 for seat in "abcd"}}}, "there are 4"),
        ({"position": {"pawns": {seat: ["a19"] * 4 for seat in "abcd"}}},
         'cell "a19" is not on tock4'),
        ({"position": {"pawns": {seat: ["b7"] * 4 for seat in "abcd"}}}, "two pawns"),
        ({"observed": {"pawns": {"a": ["z1"]}}}, 'cell "z1"'),
    ],
)  # fmt: skip
def test_errors_say_what_is_wrong_and_where(change: dict[str, Any], words: str) -> None:
    said = judged(TOCK | change)
    assert said["id"] == 7
    assert words in said["error"]
    assert said.keys() == {"id", "error"}


@pytest.mark.parametrize(
    ("request_", "change", "words"),
    [
        (TOCK, {"shares": {"b": "a"}}, "nobody shares cells in tock-fadoq"),
        (BARRICADES, {"shares": {"c": "a"}}, "nobody shares cells in barricades"),
        (BARRICADES, {"teams": [["a", "c"]]}, "everybody plays alone"),
        (TRIKOLOS, {"teams": [["white", "black"]]}, "everybody plays alone"),
        (TRIKOLOS, {"board": {"name": "trikolos", "house_entry": 18}}, "has no houses"),
        (TIJOU, {"board": {"name": "tijou", "house_entry": 18}}, "has no houses"),
        (TIJOU, {"shares": {"e": "e"}}, 'not "e"'),
        (TIJOU, {"shares": {}}, '"shares"'),
    ],
)
def test_what_a_game_has_none_of_is_an_error(
    request_: dict[str, Any], change: dict[str, Any], words: str
) -> None:
    assert words in judged(request_ | change)["error"]


@pytest.mark.parametrize(
    ("request_", "change"),
    [
        (TOCK, {"shares": {}}),
        (TOCK, {"board": {"name": "tock4", "house_entry": 18}}),
        (TOCK, {"teams": None}),
        (TOCK, {"options": {"seven_partner": True}, "teams": []}),
        (BARRICADES, {"teams": [["a"], ["c"]]}),
        (BARRICADES, {"board": {"name": "barricades", "house_entry": 16}}),
        (TRIKOLOS, {"teams": []}),
    ],
)
def test_what_changes_nothing_is_accepted(request_: dict[str, Any], change: dict[str, Any]) -> None:
    assert "error" not in judged(request_ | change)


def test_pieces_go_back_to_the_nearest_place_that_lacks_one() -> None:
    """By the steps between, not by the names of the cells."""
    pawns = {"a": ["b2", "b10", "camp", "camp"], "c": ["camp"] * 4}
    asked = {"game": "tockcitan", "position": {"pawns": pawns}, "turn": "a", "card": "8S"}
    said = judged(asked | {"observed": {"pawns": {"a": ["b11", "b3"]}}})
    assert [(fix["from"], fix["to"]) for fix in said["put_right"]] == [("b11", "b10"), ("b3", "b2")]


def test_words_that_are_not_known_are_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    for wrong in ("--nope", "nope"):
        assert judge([wrong]) == 2
        assert capsys.readouterr().err.count("\n") == 1
    assert judge(["--help"]) == 0


def test_no_jokers_in_tockcitan() -> None:
    asked = TOCK | {"game": "tockcitan-team", "options": {}, "hand": ["X1"], "card": "X1"}
    assert "without X1" in judged(asked)["error"]


def test_the_stream_goes_on_after_bad_lines() -> None:
    """The command itself: answers in order, one a line, exit status 0."""
    good = json.dumps(BARRICADES)
    lines = [
        good,
        "nonsense",
        "",
        "[" * 200_000,
        good,
        "x" * (LONGEST_LINE + 5),
        "\ufeff" + good,
        good,
    ]
    data = "\n".join(lines).encode()
    done = subprocess.run(
        [sys.executable, "-m", "web.command", "judge"], input=data, capture_output=True, timeout=60
    )
    assert done.returncode == 0
    assert done.stderr == b""
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert [("error" in one, one["id"]) for one in said] == [
        (False, 9), (True, None), (True, None), (False, 9), (True, None), (False, 9), (False, 9),
    ]  # fmt: skip
    assert said[1]["error"].startswith("line 2: ")
    assert said[-1]["plays"] == said[0]["plays"]


def test_answers_come_while_the_stream_is_open() -> None:
    talk = subprocess.Popen(
        [sys.executable, "-m", "web.command", "judge"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert talk.stdin is not None
    assert talk.stdout is not None
    with talk:
        for _ in range(3):
            talk.stdin.write(json.dumps(TRIKOLOS).encode() + b"\n")
            talk.stdin.flush()
            assert json.loads(talk.stdout.readline())["id"] == 10
        talk.stdin.close()
    assert talk.returncode == 0
