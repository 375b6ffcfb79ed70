"""What a host can choose when a match begins: games, boards, seats, options, each in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.dossier import SEVERITIES
from referee.game import Game, Value
from referee.games import games
from referee.match import MODES
from web.appearance import pieces
from web.opening import facing, usual
from web.wording import Voice

# the best known first; a game that is not among them comes after
SHELF = (
    "tijou",
    "tock-globe",
    "tock-fadoq",
    "tockcitan",
    "tockcitan-team",
    "barricades",
    "trikolos",
)


def shelf() -> list[Game]:
    """The games in the order in which people find them on every page."""
    known = {name: place for place, name in enumerate(SHELF)}
    return sorted(games().values(), key=lambda game: (known.get(game.name, len(known)), game.name))


def choices(rules: Sequence[dict[str, Any]], voice: Voice) -> dict[str, Any]:
    return {
        "games": [of_game(game, voice) for game in shelf()],
        "modes": [{"mode": one, "text": voice.say(f"mode.{one}")} for one in MODES],
        "severities": [
            {"severity": one, "text": voice.say(f"severity.{one}")} for one in SEVERITIES
        ],
        "rules": list(rules),
    }


def of_game(game: Game, voice: Voice) -> dict[str, Any]:
    return {
        "game": game.name,
        "name": voice.say(f"game.{game.name}"),
        "boards": [of_board(game, board) for board in game.boards],
        "cards": len(game.deck),
        "die": game.die,
        "partners": game.partners,
        "house_entry": of_option(game.name, "house_entry", game.house_entries, voice)
        if game.house_entries
        else None,
        "options": [
            of_option(game.name, name, values, voice) for name, values in game.options.items()
        ],
    }


def of_board(game: Game, board: str) -> dict[str, Any]:
    seated = [
        {"seats": list(seats), "teams": [list(pair) for pair in facing(board, seats)]}
        for seats in game.seatings[board]
    ]
    return {
        "board": board,
        "seatings": seated,
        "usual": list(usual(game, board)),
        "pieces": pieces(board),
    }


def of_option(game: str, name: str, values: Sequence[Value | int], voice: Voice) -> dict[str, Any]:
    """One option: the question, its values, and what the rule sheet says of it."""
    return {
        "option": name,
        "question": voice.say(f"option.{name}.question"),
        "default": values[0],
        "values": [
            {"value": value, "text": voice.say(f"option.{name}.{written(value)}")}
            for value in values
        ],
        "sheet": voice.say(f"option.{name}.sheet.{game}"),
    }


def written(value: Value | int) -> str:
    return str(value).lower()
