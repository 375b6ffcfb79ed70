"""How a match begins: the seatings each game knows, and an opening made of what the host chose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from referee import events
from referee.events import read_event
from referee.games import game as game_named
from web.chance import GUESTS, SIDES, Chance

Teams = tuple[tuple[str, ...], ...]

BRANCHES = {"tock4": "abcd", "tock6": "abcdef", "tock8": "abcdefgh"}
# whether the facing seats are partners: always, never, or as the host likes
PARTNERS = {
    "tijou": "always",
    "tockcitan-team": "always",
    "tock-fadoq": "always",
    "tock-globe": "choice",
}


def seatings(game: str, board: str) -> tuple[str | tuple[str, ...], ...]:
    """The seats that may be filled, fewest players first."""
    if game == "tijou":
        return ("ac", "abc", "abcd", "abcde", "abcdef")
    if game == "trikolos":
        return (("white", "black"),)
    if game == "barricades":
        return ("ac", "abc", "abcd")
    if game in ("tockcitan-team", "tock-fadoq"):
        return ("abcd",)
    if game == "tockcitan":
        return ("ac", "abc", "abcd")
    ring = BRANCHES[board]
    return (ring[::2], ring)


def usual(game: str, board: str) -> tuple[str, ...]:
    """The seats of a full table of the commonest kind."""
    known = seatings(game, board)
    return tuple(known[2] if game == "tijou" else known[-1])


def facing(board: str, seats: Sequence[str]) -> Teams:
    """The pairs that face each other; none where somebody faces nobody."""
    ring = BRANCHES.get(board, SIDES)
    half = len(ring) // 2
    pairs = [tuple(pair) for pair in zip(ring[:half], ring[half:], strict=True)]
    full = tuple(pair for pair in pairs if set(pair) <= set(seats))
    return full if len(full) * 2 == len([seat for seat in seats if seat in ring]) else ()


def partners(game: str, board: str, seats: Sequence[str]) -> Teams:
    """The teams where partners are the rule."""
    if PARTNERS.get(game) != "always" or (game == "tijou" and len(seats) not in (4, 6)):
        return ()
    teams = facing(board, seats)
    return (*teams, tuple(GUESTS)) if game == "tijou" and len(seats) == 6 else teams


def opening(chosen: Mapping[str, Any], chance: Chance, camera: bool) -> events.Opened:
    """The event that begins a match; RefereeError for what does not fit together."""
    game = game_named(chosen.get("game", ""))
    board = chosen.get("board") or game.boards[0]
    seats = tuple(chosen.get("seats") or ())
    shares = tuple((guest, host) for guest, host in (chosen.get("shares") or {}).items())
    if not seats:
        seats = usual(game.name, board) if board in game.boards else game.seats
    if game.name == "tijou" and not shares and len(seats) > len(SIDES):
        _, shares = chance.tijou_seats(len(seats))
    if chosen.get("teams") is None:
        teams = partners(game.name, board, seats)
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
        "tiles": list(chosen.get("tiles") or (chance.tiles() if game.name == "trikolos" else ())),
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


def with_tiles(event: events.Opened, seen: Mapping[str, str]) -> events.Opened:
    """Trikolos on a table that is watched: the tiles as they lie, if all of them are seen."""
    rows = ["".join(seen.get(f"{column}{row}", "") for column in "abcdef") for row in range(1, 7)]
    tiles = (*rows, seen.get("spare", ""))
    return replace(event, tiles=tiles) if len("".join(tiles)) == 37 else event
