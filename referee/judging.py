"""One request of `arbitre judge`, as data, to its answer, as data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee import cards
from referee.game import Game, Judged, Setup, check_setup, chosen_options
from referee.games import game as game_named
from referee.plays import RefereeError
from referee.verdict import verdict

Request = Mapping[str, Any]


def answer(request: object) -> dict[str, Any]:
    """What the referee says; RefereeError for a request that makes no sense."""
    if not isinstance(request, dict):
        raise RefereeError("a request is a JSON object")
    said: dict[str, Any] = {"id": request.get("id")}
    game = game_named(request.get("game", ""))
    setup = read_setup(game, request)
    if not isinstance(request.get("position"), dict):
        raise RefereeError('"position" is missing')
    position = game.read(setup, request["position"])
    seat = request.get("turn")
    if seat not in setup.seats:
        raise RefereeError(f'"turn" is one of the seats {", ".join(setup.seats)}, not {seat!r}')
    hand, card = read_cards(game, request)
    judged = game.judge(setup, position, seat, hand, card)
    said["plays"] = written(game, setup, judged)
    said["forced"] = judged.forced
    if request.get("observed") is not None:
        if not isinstance(request["observed"], dict):
            raise RefereeError('"observed" is a board: {"pawns": {…}}')
        seen = game.read_sight(setup, request["observed"], position)
        said |= verdict(game, setup, position, seat, hand, card, judged, seen).said()
    return said


def written(game: Game, setup: Setup, judged: Judged) -> list[dict[str, Any]]:
    rows = []
    for play in judged.plays:
        row: dict[str, Any] = {} if play.card is None or game.die else {"card": play.card}
        row["play"] = play.text
        row["position"] = game.write(setup, play.position)
        row["captured"] = sorted(play.captured)
        row["again"] = play.again
        rows.append(row)
    return sorted(rows, key=by_text)


def by_text(row: dict[str, Any]) -> str:
    return str(row["play"])


def read_setup(game: Game, request: Request) -> Setup:
    board = request.get("board")
    name, entry = None, 16
    if board is not None:
        if not isinstance(board, dict):
            raise RefereeError('"board" is {"name": …, "house_entry": …}')
        name, entry = board.get("name"), board.get("house_entry", 16)
        if type(entry) is not int:
            raise RefereeError(f'"house_entry" is 16 or 18, not {entry!r}')
    if name is None:
        if len(game.boards) > 1:
            raise RefereeError(f"{game.name} needs a board: {', '.join(game.boards)}")
        name = game.boards[0]
    if name not in game.boards:
        raise RefereeError(f"{game.name} is played on {', '.join(game.boards)}, not on {name!r}")
    options = request.get("options")
    if options is None:
        options = {}
    if not isinstance(options, dict):
        raise RefereeError('"options" is an object')
    setup = Setup(
        game=game.name,
        board=name,
        seats=read_seats(game, request),
        house_entry=entry,
        teams=read_teams(request),
        options=chosen_options(game, options),
        shares=read_shares(request),
    )
    check_setup(game, setup)
    return setup


def read_seats(game: Game, request: Request) -> tuple[str, ...]:
    given = request.get("seats")
    if given is None:
        position = request.get("position")
        pawns = position.get("pawns") if isinstance(position, dict) else None
        given = list(pawns) if isinstance(pawns, dict) else []
    if not isinstance(given, list) or not given:
        raise RefereeError('"seats" is a list of seats')
    for seat in given:
        if seat not in game.seats:
            raise RefereeError(f"no seat {seat!r}; there are: {', '.join(game.seats)}")
    if len(set(given)) < len(given):
        raise RefereeError('"seats": a seat is named twice')
    if len(given) < 2:
        raise RefereeError('"seats": at least two play')
    return tuple(given)


def read_teams(request: Request) -> tuple[tuple[str, ...], ...]:
    teams = request.get("teams")
    if teams is None:
        return ()
    if not isinstance(teams, list) or not all(isinstance(team, list) for team in teams):
        raise RefereeError('"teams" is a list of lists of seats')
    members = [seat for team in teams for seat in team]
    if not all(isinstance(seat, str) for seat in members) or len(set(members)) < len(members):
        raise RefereeError('"teams": every seat is in one team at most')
    return tuple(tuple(team) for team in teams)


def read_shares(request: Request) -> tuple[tuple[str, str], ...]:
    shares = request.get("shares")
    if shares is None:
        return ()
    if not isinstance(shares, dict) or not all(isinstance(seat, str) for seat in shares.values()):
        raise RefereeError('"shares" names for each guest the seat whose cells are shared')
    return tuple(sorted(shares.items()))


def read_cards(game: Game, request: Request) -> tuple[list[str], str | None]:
    """The hand, and the card that is asked about. A die's throw counts as a card."""
    card, hand = request.get("card"), request.get("hand")
    if game.die:
        throw = request.get("throw")
        if type(throw) is not int or not 1 <= throw <= 6:
            raise RefereeError(f'"throw" is a number from 1 to 6, not {throw!r}')
        return [str(throw)], str(throw)
    if not game.deck:
        return [""], None
    for one in [card] if card is not None else []:
        known(game, one)
    if hand is None:
        if card is None:
            raise RefereeError('"card" or "hand" is needed')
        return [str(card)], str(card)
    if not isinstance(hand, list):
        raise RefereeError('"hand" is a list of cards')
    for one in hand:
        known(game, one)
    if card is not None and card not in hand:
        raise RefereeError(f'card "{card}" is not in the hand')
    return list(dict.fromkeys(hand)), card


def known(game: Game, card: object) -> None:
    if not isinstance(card, str) or card not in cards.RANK:
        raise RefereeError(f"no card {card!r}; cards are like KH, 10S, X1")
    if card not in game.deck:
        raise RefereeError(f"{game.name} is played without {card}")
