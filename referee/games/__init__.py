"""The games, found by themselves: every module here says in GAMES what it plays."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from referee.game import Game
from referee.plays import RefereeError


@cache
def games() -> dict[str, Game]:
    found: dict[str, Game] = {}
    for module in pkgutil.iter_modules(__path__, f"{__name__}."):
        for game in importlib.import_module(module.name).GAMES:
            found[game.name] = game
    return found


def game(name: str) -> Game:
    try:
        return games()[name]
    except (KeyError, TypeError):
        raise RefereeError(f"no game {name!r}; there are: {', '.join(games())}") from None
