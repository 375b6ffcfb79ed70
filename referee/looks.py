"""A still board as it is seen, in the referee's words: what stands where, what lies astray."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from hardware import boards
from referee.events import Seen
from referee.game import Setup, Sight
from referee.plays import CAMP, HOME, RefereeError, Standing

if TYPE_CHECKING:
    from referee.match import Match

SIDES = {"w": "white", "b": "black"}


@dataclass(frozen=True)
class Look:
    """What stands on the board; pieces in a wrong camp; cells the camera is not sure of."""

    sight: Sight
    astray: tuple[Standing, ...] = ()
    unsure: frozenset[str] = field(default_factory=frozenset)
    camped: tuple[tuple[str, int], ...] = ()  # how many of each seat wait in a camp


@lru_cache(maxsize=16)
def camps(board: str) -> Mapping[str, str]:
    """Whose camp each waiting place belongs to."""
    return {cell.id: cell.seat or "" for cell in boards.board(board).of_kind("camp")}


@lru_cache(maxsize=16)
def homes(board: str) -> frozenset[str]:
    """Places off the ways where arrived Trikolos pawns stand."""
    if board != "trikolos":
        return frozenset()
    return frozenset(cell.id for cell in boards.board(board).of_kind("arrival"))


def look(setup: Setup, seen: Seen) -> Look:
    """The camera's board without its camps, and what is wrong in them."""
    waiting, arrived = camps(setup.board), homes(setup.board)
    sight = Sight()
    astray = []
    camped: dict[str, int] = {}
    for piece, cell in seen.pieces:
        if cell in waiting:
            if waiting[cell] == piece:
                camped[piece] = camped.get(piece, 0) + 1
            else:
                astray.append((piece, cell))
        elif cell != CAMP:
            sight[piece, HOME if cell in arrived else cell] += 1
    return Look(sight, tuple(astray), frozenset(seen.unsure), tuple(sorted(camped.items())))


def agrees(sight: Sight, look: Look) -> bool:
    """Whether a board could be what is seen, leaving out the cells nobody is sure of."""
    if not look.unsure:
        return (
            dict.__eq__(sight, look.sight) is True
        )  # no zero counts in either: compared as they are
    return all(
        sight[standing] == look.sight[standing]
        for standing in sight.keys() | look.sight.keys()
        if standing[1] not in look.unsure
    )


def counts_fit(board: str, sight: Sight, look: Look) -> bool:
    """Whether as many pieces would stand on the board as are gone from camps seen surely."""
    camped, waiting = dict(look.camped), camps(board)
    doubted = {waiting[cell] for cell in look.unsure if cell in waiting}
    out: dict[str, int] = {}
    for (piece, _), count in sight.items():
        out[piece] = out.get(piece, 0) + count
    return all(
        out.get(seat, 0) + camped.get(seat, 0) == total
        for seat, total in sets(board)
        if seat not in doubted and (seat in camped or seat in out)
    )


@lru_cache(maxsize=16)
def sets(board: str) -> tuple[tuple[str, int], ...]:
    """How many pawns each seat has."""
    pieces = boards.board(board).pieces
    return tuple((piece.seat, piece.count) for piece in pieces if piece.seat is not None)


def adopted(match: Match, sight: Sight) -> Any:
    """The position that stands there, as far as it is one; None where no game stands like that."""
    form = match.game.write(match.setup, match.position)
    was = {text for cells in form["pawns"].values() for text in cells}
    for seat, cells in form["pawns"].items():
        standing = [cell for (piece, cell), n in sight.items() for _ in range(n) if piece == seat]
        kept = [f"{cell}*" if f"{cell}*" in was else cell for cell in standing]
        form["pawns"][seat] = kept + [CAMP] * (len(cells) - len(kept))
    other = {cell: piece for piece, cell in sight if piece not in form["pawns"]}
    if "barricades" in form:
        form["barricades"] = sorted(other)
    if "tiles" in form:
        letters = {cell: piece.removeprefix("tile-")[0].upper() for cell, piece in other.items()}
        rows = [[letters.get(f"{column}{row}", "") for column in "abcdef"] for row in range(1, 7)]
        form |= {"tiles": ["".join(row) for row in rows], "spare": letters.get("spare", "")}
    try:
        return match.game.read(match.setup, form)
    except RefereeError:
        return None
