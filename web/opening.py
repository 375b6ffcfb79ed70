"""How a match begins: the seatings each game knows, and an opening made of what the host chose."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hardware.boards.trikolos import COLUMNS, ROWS, SPARE
from referee import events
from referee.events import read_event
from referee.game import Game
from referee.games import game as game_named
from referee.games.trikolos import COLOURS
from web.chance import SIDES, Chance

Teams = tuple[tuple[str, ...], ...]

BRANCHES = {"tock4": "abcd", "tock6": "abcdef", "tock8": "abcdefgh"}


def usual(game: Game, board: str) -> tuple[str, ...]:
    """The seats of a full table of the commonest kind: everybody has cells of their own."""
    return [seats for seats in game.seatings[board] if not {*seats} & {*game.guests}][-1]


def facing(board: str, seats: Sequence[str]) -> Teams:
    """The pairs that face each other; none where somebody faces nobody."""
    ring = BRANCHES.get(board, SIDES)
    half = len(ring) // 2
    pairs = [tuple(pair) for pair in zip(ring[:half], ring[half:], strict=True)]
    full = tuple(pair for pair in pairs if set(pair) <= set(seats))
    return full if len(full) * 2 == len([seat for seat in seats if seat in ring]) else ()


def partners(game: Game, board: str, seats: Sequence[str]) -> Teams:
    """The teams where partners are the rule; guests are a pair of their own, or break all up."""
    guests = tuple(seat for seat in seats if seat in game.guests)
    if game.partners != "always" or len(seats) < 4 or len(guests) == 1:
        return ()
    return (*facing(board, seats), *([guests] if guests else []))


def opening(chosen: Mapping[str, Any], chance: Chance, camera: bool) -> events.Opened:
    """The event that begins a match; RefereeError for what does not fit together."""
    game = game_named(chosen.get("game", ""))
    board = chosen.get("board") or game.boards[0]
    seats = tuple(chosen.get("seats") or ())
    shares = tuple((guest, host) for guest, host in (chosen.get("shares") or {}).items())
    if not seats:
        seats = usual(game, board) if board in game.boards else game.seats
    if {*seats} & {*game.guests} and not shares:
        _, shares = chance.tijou_seats(len(seats))
    if chosen.get("teams") is None:
        teams = partners(game, board, seats)
    else:
        teams = tuple(tuple(team) for team in chosen["teams"])
    names = chosen.get("names") or {}
    form = {
        "event": "opened",
        "game": game.name,
        "board": board,
        "seats": list(seats),
        "teams": [list(team) for team in teams],
        "shares": [list(pair) for pair in shares],
        "options": [list(pair) for pair in (chosen.get("options") or {}).items()],
        "house_entry": chosen.get("house_entry", 16),
        "mode": chosen.get("mode") or ("phone" if game.deck and not camera else "real"),
        "severity": chosen.get("severity") or "friendly",
        "persons": [list(pair) for pair in persons(seats, names)],
        "tiles": list(chosen.get("tiles") or (chance.tiles() if game.bag else ())),
        "camera": camera,
        "host": not chosen.get("votes", False),
    }
    event = read_event(form)
    assert isinstance(event, events.Opened)
    return event


def persons(seats: Sequence[str], names: Mapping[str, str]) -> events.Pairs:
    """Points follow the person: by name where everybody has one of their own, else by seat."""
    called = [names.get(seat) or seat for seat in seats]
    if len(set(called)) < len(called):
        return ()
    return tuple(zip(seats, called, strict=True))


def laid(lying: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Trikolos: six rows and the spare, of pieces and their cells; nothing where a tile lacks."""
    letters = {cell: COLOURS[piece] for piece, cell in lying if piece in COLOURS}
    rows = ["".join(letters.get(f"{column}{row}", "") for column in COLUMNS) for row in ROWS]
    tiles = (*rows, letters.get(SPARE, ""))
    return tiles if len("".join(tiles)) == len(COLUMNS) * len(ROWS) + 1 else ()
