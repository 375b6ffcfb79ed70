"""Plays and positions in writing, for people and for tests, and back again.

A play: its card, then each piece's way: `7S b3-b7 c1-c4`, `JH b3~c5:c`, `b12-a3 a3-f7`.
A position: its game and what differs from how it is usually set up, then everybody's pieces
that are out: `tock-globe tock8 cross=never | a: b3 ah2 | e: e18*`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from referee import cards
from referee.game import Game, Position, Setup
from referee.games import game as game_named
from referee.judging import read_setup
from referee.plays import CAMP, Play, RefereeError

BAR = "|"


class UnreadableError(RefereeError):
    """Not a play or a position in writing."""


class IllegalPlayError(RefereeError):
    """A play in writing that is none of the legal ones."""


class AmbiguousPlayError(RefereeError):
    """A play in writing that could be several."""


class Step(NamedTuple):
    """One piece's way from cell to cell; `swap` is the seat of the piece it changes with."""

    path: tuple[str, ...]
    swap: str = ""

    @property
    def text(self) -> str:
        if self.swap:
            return f"{self.path[0]}~{self.path[1]}:{self.swap}"
        return "-".join(self.path)


class Written(NamedTuple):
    """A play as it is written down."""

    card: str | None
    steps: tuple[Step, ...]

    @property
    def text(self) -> str:
        card = [self.card] if self.card else []
        return " ".join(card + [step.text for step in self.steps])


def read_play(text: str) -> Written:
    words = text.split()
    card = words[0] if words and words[0] in cards.RANK else None
    steps = tuple(read_step(word) for word in words[card is not None :])
    if not (card or steps):
        raise UnreadableError("a play is a card and ways, like 8S b3-b11")
    return Written(card, steps)


def read_step(word: str) -> Step:
    cells, colon, seat = word.partition(":")
    if "~" in cells:
        one, _, two = cells.partition("~")
        if not (one and two and seat) or "~" in two or "-" in one + two:
            raise UnreadableError(f'"{word}": a swap is written b3~c5:c')
        return Step((one, two), seat)
    path = tuple(joined_cells(cells.split("-")))
    if colon or not all(path):
        raise UnreadableError(f'"{word}": a way is written b3-b11')
    return Step(path)


def joined_cells(pieces: Sequence[str]) -> list[str]:
    """Cells may have a hyphen of their own: A-a is one."""
    found: list[str] = []
    for piece in pieces:
        if found and found[-1] == "A":
            found[-1] = f"A-{piece}"
        else:
            found.append(piece)
    return found


def find_play(plays: Sequence[Play], text: str) -> Play:
    """The one of these plays that is meant; the card may be left out where it is clear."""
    written = read_play(text)
    exact = [play for play in plays if play.text == written.text]
    steps = sorted(step.text for step in written.steps)
    alike = exact or [
        play
        for play in plays
        if written.card in (None, play.card)
        and sorted(step.text for step in read_play(play.text).steps) == steps
    ]
    if not alike:
        raise IllegalPlayError(f'"{written.text}" is not a legal play here')
    if len(alike) > 1:
        several = ", ".join(play.text for play in alike)
        raise AmbiguousPlayError(f'"{written.text}" could be {several}')
    return alike[0]


def setup_text(setup: Setup) -> str:
    """The game, and whatever is not as usual about it."""
    game = game_named(setup.game)
    words = [setup.game] + [setup.board] * (setup.board != game.boards[0])
    if setup.house_entry != 16:
        words.append(f"house_entry={setup.house_entry}")
    if setup.teams:
        words.append("teams=" + "+".join(",".join(team) for team in setup.teams))
    if setup.shares:
        words.append("shares=" + "+".join(",".join(pair) for pair in setup.shares))
    for name, value in setup.options:
        if value != game.options[name][0]:
            words.append(f"{name}={str(value).lower() if isinstance(value, bool) else value}")
    return " ".join(words)


def position_text(setup: Setup, position: Position) -> str:
    """Everybody's pieces but those in a camp, then whatever else stands or lies there."""
    form = game_named(setup.game).write(setup, position)
    groups = [
        " ".join([f"{seat}:", *(cell for cell in form["pawns"][seat] if cell != CAMP)])
        for seat in setup.seats
    ]
    groups += [" ".join([f"{name}:", *form[name]]) for name in form if name != "pawns"]
    return f" {BAR} ".join(groups)


def board_text(setup: Setup, position: Position) -> str:
    return f"{setup_text(setup)} {BAR} {position_text(setup, position)}"


def read_board(text: str) -> tuple[Setup, Position]:
    """What `board_text` wrote. Pieces that are not named stand in their camp."""
    head, bar, rest = text.partition(BAR)
    words = head.split()
    if not words or not bar:
        raise UnreadableError("a position is a game and pieces: tockcitan | a: b3 | b:")
    game = game_named(words[0])
    request: dict[str, Any] = {"game": words[0], "options": {}, "board": {"name": game.boards[0]}}
    for word in words[1:]:
        name, equals, value = word.partition("=")
        if not equals:
            request["board"]["name"] = word
        elif name == "house_entry":
            request["board"]["house_entry"] = int(value) if value.isdecimal() else value
        elif name == "teams":
            request["teams"] = [team.split(",") for team in value.split("+")]
        elif name == "shares":
            request["shares"] = dict(pair_of(pair) for pair in value.split("+"))
        else:
            request["options"][name] = {"true": True, "false": False}.get(value, value)
    groups = read_groups(rest)
    request["seats"] = [name for name in groups if name in game.seats]
    setup = read_setup(game, request)
    return setup, from_groups(game, setup, groups)


def read_position(setup: Setup, text: str) -> Position:
    """What `position_text` wrote."""
    return from_groups(game_named(setup.game), setup, read_groups(text))


def from_groups(game: Game, setup: Setup, groups: Mapping[str, list[str]]) -> Position:
    form = game.write(setup, game.start(setup))
    for name, words in groups.items():
        if name in form["pawns"]:
            camp = [CAMP] * (len(form["pawns"][name]) - len(words))
            form["pawns"][name] = words + camp
        elif name in form and name != "pawns":
            form[name] = "".join(words) if isinstance(form[name], str) else words
        else:
            raise UnreadableError(f'"{name}:" is neither a seat nor something on this board')
    return game.read(setup, form)


def read_groups(text: str) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for group in text.split(BAR):
        name, colon, cells = group.partition(":")
        if not colon or name.strip() in groups:
            raise UnreadableError(f'"{group.strip()}": pieces are written a: b3 ah2, once a seat')
        groups[name.strip()] = cells.split()
    return groups


def pair_of(text: str) -> tuple[str, str]:
    guest, _, host = text.partition(",")
    return guest, host
