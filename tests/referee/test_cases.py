"""The rules as a sheet: three lines a case, in cases/*.txt.

    # TOCK-PASS  nobody walks past a pawn that has just come out
    tock-globe | a: a10 | b: b18*
    10S a10-b2
    ! TOCK-PASS TOCK-SHIELD

The board; what is done (by the first seat, unless it says `b:`; `holding` other cards than the
one played; in Barricades the throw comes first); then the board after it. Or `! …` the rules
that forbid it; `...` it is legal so far; `=` nothing is to be seen; `- …` what must be done
because nothing can be played. In what is done a pawn takes whoever stands where it ends, unless
it is put down beside them (`b3-b11+`). After a comma comes what hands do besides: `b5-camp` takes
a piece away, `camp-f2@white` brings one.
"""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from referee.game import Position, Setup, Value
from referee.games import game as game_named
from referee.games import games
from referee.judging import answer
from referee.notation import find_play, position_text, read_board, read_play, read_position
from referee.plays import CAMP
from web.texts import Texts

CASES = Path(__file__).parent / "cases"
GENERAL = {"TURN", "OWN", "CARD", "BOARD"}
NOT_ON_A_BOARD = {"DECK"}  # about cards that cannot be where they are
ROUND_THE_TABLE = {"recycle", "joker_bonus"}  # nothing a board shows: see turns.txt
# these say what follows or what one may do: nobody can break them on a board
NEVER_FORBID = {
    "TOCK-LAP",
    "TOCK-MUST",
    "TOCK-JOKER",
    "TIJOU-MUST",
    "TIJOU-HOLD",
    "TIJOU-EXCHANGE",
    "TIJOU-PENALTY",
    "BAR-MUST",
    "TRI-DRAW",
}


class Case(NamedTuple):
    where: str
    about: str
    board: str
    done: str
    result: str


def read_cases() -> list[Case]:
    found = []
    for path in sorted(CASES.glob("*.txt")):
        about, lines, first = "", [], 0
        for number, line in enumerate([*path.read_text("utf-8").splitlines(), ""], start=1):
            if line.startswith("#"):
                about = line.lstrip("# ")
            elif line.strip():
                first = first or number
                lines.append(line.strip())
            elif lines:
                assert len(lines) == 3, f"{path.name}:{first}: three lines a case"
                found.append(Case(f"{path.name}:{first}", about, *lines))
                lines, first = [], 0
    return found


def request_of(setup: Setup, position: Position, done: str) -> tuple[dict[str, Any], str]:
    """The question `arbitre judge` would be asked, and the play in writing."""
    request: dict[str, Any] = {
        "game": setup.game,
        "board": {"name": setup.board, "house_entry": setup.house_entry},
        "options": dict(setup.options),
        "seats": list(setup.seats),
        "teams": [list(team) for team in setup.teams],
        "shares": dict(setup.shares),
        "position": game_named(setup.game).write(setup, position),
        "turn": setup.seats[0],
    }
    turn = re.match(r"(\w+): ", done)
    if turn:
        request["turn"], done = turn[1], done[turn.end() :]
    done, _, holding = done.partition(" holding ")
    words = done.split()
    if game_named(setup.game).die:
        request["throw"] = int(words.pop(0))
    elif game_named(setup.game).deck:
        request["card"] = words[0]
        request["hand"] = [words[0], *holding.split()]
    return request, " ".join(words)


def moved(setup: Setup, form: dict[str, Any], turn: str, words: list[str]) -> dict[str, Any]:
    """The board once hands have done as written, right or wrong."""
    shared = setup.game == "tijou"
    pawns = {seat: [cell.rstrip("*") for cell in cells] for seat, cells in form["pawns"].items()}
    form = {**form, "pawns": pawns}
    before = ""
    for word in words:
        word, _, whose = word.partition("@")
        beside = word.endswith("+")
        word = word.rstrip("+")
        if word.startswith("push"):
            push(form, int(word[4:]))
            continue
        (step,) = read_play(word).steps
        origin, to = step.path[0], step.path[-1]
        if origin == before and origin in form.get("barricades", ()):
            form["barricades"] = [to if cell == origin else cell for cell in form["barricades"]]
            form["barricades"] = [cell for cell in form["barricades"] if cell != CAMP]
            continue
        owners = [seat for seat, cells in pawns.items() if origin in cells]
        seat = whose or (turn if turn in owners else (owners or ["barricade"])[0])
        if step.swap:
            pawns[step.swap].remove(to)
            pawns[step.swap].append(origin)
        elif not (shared or beside) and any(to in cells for cells in pawns.values()):
            for cells in pawns.values():
                cells[:] = [CAMP if cell == to and cell != "home" else cell for cell in cells]
        if seat == "barricade":
            walls = [to if cell == origin else cell for cell in form["barricades"]]
            form["barricades"] = [cell for cell in walls if cell != CAMP]
        else:
            pawns[seat].remove(origin)
            pawns[seat].append(to)
        before = to
    return form


def push(form: dict[str, Any], row: int) -> None:
    """Trikolos: the spare goes in at f; a pawn that falls out at a is in the hand."""
    tiles = list(form["tiles"])
    falls = tiles[row - 1][0]
    tiles[row - 1] = tiles[row - 1][1:] + form["spare"]
    form["tiles"], form["spare"] = tiles, falls
    columns = " abcdef"
    for cells in form["pawns"].values():
        for n, cell in enumerate(cells):
            if cell[1:] == str(row):
                cells[n] = columns[columns.index(cell[0]) - 1] + str(row)
        cells[:] = [CAMP if cell[0] == " " else cell for cell in cells]


def turned(case: Case) -> Case:
    """The same case a quarter further round the board, where nobody's place is another's."""
    letters, ring = dict(zip("abcd", "bcda", strict=True)), 36

    def cell(found: re.Match[str]) -> str:
        word = found[0]
        if word.isdecimal():
            return str((int(word) + 8) % ring + 1)
        return (
            word[:-1] + letters[word[-1]] if word.startswith("A-") else letters[word[0]] + word[1:]
        )

    def told(text: str, cells: str) -> str:
        text = re.sub(r"(?<=[:@])[a-d]\b|\b[a-d](?=:)", lambda one: letters[one[0]], text)
        return re.sub(cells, cell, text)

    square = case.board.startswith("tijou")
    cells = r"\bA-[a-d]\b|\b\d+\b" if square else r"\b[a-d]h?\d+\b"
    head, bar, standing = case.board.partition("|")
    head = re.sub(r"(?<=shares=e,)[a-d]", lambda one: letters[one[0]], head)
    first, _, rest = case.done.partition(" ") if not re.match(r"\w: ", case.done) else ("", "", "")
    done = f"{first} {told(rest, cells)}".strip() or told(case.done, cells)
    result = case.result if case.result[0] in "!-.=" else told(case.result, cells)
    return Case(case.where, case.about, head + bar + told(standing, cells), done, result)


def every_case() -> list[Any]:
    cases = read_cases()
    found = [pytest.param(case, id=case.where) for case in cases]
    found += [
        pytest.param(turned(case), id=f"{case.where} turned")
        for case in cases
        if re.match(r"tijou|tock", case.board) and " holding " not in case.done
    ]
    return found


@pytest.mark.parametrize("case", every_case())
def test_case(case: Case) -> None:
    setup, position = read_board(case.board)
    request, text = request_of(setup, position, case.done)
    kind, _, said = case.result.partition(" ")
    if kind == "-":
        judged = answer(request)
        assert (judged["plays"], judged["forced"]) == ([], said)
        return
    words = [word for word in text.replace(",", "").split() if word != request.get("card")]
    request["observed"] = moved(setup, request["position"], request["turn"], words)
    judged = answer(request)
    if kind == "!":
        assert judged["verdict"] == "illegal", judged["verdict"]
        assert judged["reasons"] == said.split()
        assert request["observed"] != request["position"]
    elif kind == "...":
        assert judged["verdict"] == "unfinished", judged["reasons"]
    else:
        game = game_named(setup.game)
        seat, hand = request["turn"], request.get("hand", [str(request.get("throw", ""))])
        plays = game.judge(setup, position, seat, hand, request.get("card")).plays
        play = find_play(plays, re.sub(r"@\w+", "", text.partition(",")[0]))
        if kind == "=":
            assert play.position == position
            assert judged["verdict"] == "unchanged"
        else:
            after = read_position(setup, case.result)
            assert position_text(setup, play.position) == position_text(setup, after)
            seen = game.seen(play.position) != game.seen(position)
            assert judged["verdict"] == ("legal" if seen else "unchanged"), judged["reasons"]
        assert play.text in judged["plays_seen"]


def rule_ids() -> set[str]:
    """Every rule the house can explain."""
    keys = Texts("fr").keys
    return {key.split(".")[1] for key in keys if key.startswith("rule.")} - NOT_ON_A_BOARD


def test_every_rule_is_shown_by_a_legal_case() -> None:
    shown = defaultdict(list)
    for case in read_cases():
        if not case.result.startswith("!"):
            shown[case.about.split()[0]].append(case.where)
    assert rule_ids() - GENERAL - shown.keys() == set()


def test_every_rule_that_can_forbid_does_so_in_a_case() -> None:
    broken = {
        rule
        for case in read_cases()
        if case.result.startswith("!")
        for rule in case.result.split()[1:]
    }
    assert rule_ids() - NEVER_FORBID - broken == set()
    assert broken <= rule_ids()


def test_every_value_of_every_option_is_shown_in_its_game() -> None:
    shown: dict[tuple[str, str], set[Value]] = defaultdict(set)
    for case in read_cases():
        setup, _ = read_board(case.board)
        for name, value in setup.options:
            shown[setup.game, name].add(value)
    for game in games().values():
        for name, values in game.options.items():
            if name not in ROUND_THE_TABLE:
                assert shown[game.name, name] == set(values), (game.name, name)


def test_an_extra_pawn_is_no_pawn_of_the_game() -> None:
    """More than there are in the box: nobody can have tried that."""
    for line, card, more in (
        ("barricades | a: c1 d1 e1 f1 g1 | b:", 3, {"a": ["h1"]}),
        ("barricades | a: c1 | b: c3 d3 f3 g3 h3", 3, {"a": ["f1"], "b": ["p1"]}),
        ("tijou | a: 5 6 7 | c:", "8S", {"a": ["20"]}),
        ("tockcitan | a: b3 b4 b5 b6 | b:", "8S", {"a": ["b14"]}),
        ("tockcitan | a: b3 | b: c3 c4 c5 c6", "8S", {"b": ["d14"]}),
    ):
        setup, position = read_board(line)
        request, _ = request_of(setup, position, f"{card} a1-b1")
        seen = {seat: [*cells] for seat, cells in request["position"]["pawns"].items()}
        for seat, cells in more.items():
            seen[seat] = [cell for cell in seen[seat] if cell != CAMP] + cells
        judged = answer(request | {"observed": {"pawns": seen}})
        assert (judged["verdict"], judged["reasons"][0]) == ("illegal", "BOARD"), line
