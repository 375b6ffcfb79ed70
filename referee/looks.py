"""A still board as it is seen, in the referee's words: what stands where, what lies astray."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from hardware import boards
from referee.events import Seen
from referee.game import Setup, Sight
from referee.plays import CAMP, HOME, RefereeError, Standing

if TYPE_CHECKING:
    from referee.match import Match

ANYBODY = ""


class Look(NamedTuple):
    """What stands on the board; pieces in a wrong camp; cells the camera is not sure of."""

    sight: Sight
    astray: tuple[Standing, ...] = ()
    unsure: frozenset[str] = frozenset()
    pieces: tuple[Standing, ...] = ()  # all of it, as the camera said it
    board: str = ""


@lru_cache(maxsize=16)
def camps(board: str) -> Mapping[str, str]:
    """Whose camp each waiting place belongs to."""
    return {cell.id: cell.seat or "" for cell in boards.board(board).of_kind("camp")}


@lru_cache(maxsize=16)
def besides(board: str) -> Mapping[str, str]:
    """The places off the ways: whose camp each is, or where pawns stand that have arrived."""
    found = {**camps(board), CAMP: ANYBODY}
    arrivals = boards.board(board).of_kind("arrival")
    if len(arrivals) > len({cell.seat for cell in arrivals}):  # a place for each pawn
        found |= {cell.id: HOME for cell in arrivals}
    return found


def look(setup: Setup, seen: Seen) -> Look:
    """The camera's board without its camps, and what is wrong in them."""
    elsewhere = besides(setup.board)
    standing: dict[Standing, int] = {}
    astray: list[Standing] = []
    for one in seen.pieces:
        place = elsewhere.get(one[1])
        if place is None:
            standing[one] = standing.get(one, 0) + 1
        elif place == HOME:
            standing[one[0], HOME] = standing.get((one[0], HOME), 0) + 1
        elif place not in (one[0], ANYBODY):
            astray.append(one)
    sight, unsure = Sight(standing), frozenset(seen.unsure)
    if any(elsewhere.get(cell) == HOME for cell in unsure):
        unsure |= {HOME}  # how many have arrived is not known then
    return Look(sight, tuple(astray), unsure, seen.pieces, setup.board)


def alike(one: Look | None, other: Look) -> bool:
    """Whether the camera says the same again."""
    if one is None or one.unsure != other.unsure or dict.__ne__(one.sight, other.sight):
        return False  # mostly, and quickly
    return one.pieces == other.pieces or sorted(one.pieces) == sorted(other.pieces)


def agrees(sight: Sight, look: Look) -> bool:
    """Whether a board could be what is seen, leaving out the cells nobody is sure of."""
    if not look.unsure:  # no zero counts in either: compared as they are, quickly
        return dict.__eq__(sight, look.sight) is True
    return all(
        sight[standing] == look.sight[standing]
        for standing in sight.keys() | look.sight.keys()
        if standing[1] not in look.unsure
    )


def as_expected(look: Look, expected: Sight) -> bool:
    return not look.astray and agrees(expected, look)


def with_doubts(look: Look, expected: Sight) -> Sight:
    """What is seen; cells nobody is sure of read as they should stand.

    But no piece is there that is surely seen elsewhere.
    """
    if not look.unsure:
        return look.sight
    held = Sight({one: many for one, many in expected.items() if one[1] in look.unsure})
    sight = Sight({o: many for o, many in look.sight.items() if o[1] not in look.unsure}) + held
    camped = waiting(look.board, look)
    for piece, left in off(look.board, sight).items():
        for one in sorted(one for one in held if one[0] == piece):
            fewer = min(held[one], max(0, camped.get(piece, 0) - left))
            sight, left = sight - Sight({one: fewer}), left + fewer
    return sight


def presumed(look: Look, sight: Sight) -> Sight:
    """The same with the only piece that is nowhere on the only cell where nobody knows of one."""
    camp, standing = camps(look.board), {cell for _, cell in sight}
    doubted = {camp[cell] for cell in look.unsure if cell in camp}
    there = {piece for piece, _ in (*sight, *look.pieces)}
    nowhere = Counter({p: n for p, n in in_hands(look.board, sight, look).items() if p in there})
    free = sorted(look.unsure - standing - camp.keys() - {HOME})
    if nowhere.total() != 1 or len(free) != 1 or nowhere.keys() & doubted:
        return sight
    return sight + Sight([(next(iter(nowhere)), free[0])])


def doubtful(before: Sight, after: Sight, look: Look) -> bool:
    """Whether a piece would have come to a cell that nobody is sure of."""
    return any(cell in look.unsure for _, cell in after - before)


def waiting(board: str, look: Look) -> dict[str, int]:
    """How many of each seat are seen in their own camp."""
    own: dict[str, int] = {}
    camp = camps(board)
    for piece, cell in look.pieces:
        if camp.get(cell) == piece:
            own[piece] = own.get(piece, 0) + 1
    return own


def gone_home(board: str, stood: Sight, look: Look) -> Counter[str]:
    """Which pieces are seen in their camps that stood on the ways, not in a hand."""
    camped = waiting(board, look)
    return +Counter({seat: camped.get(seat, 0) - left for seat, left in off(board, stood).items()})


def in_hands(board: str, stood: Sight, look: Look) -> Counter[str]:
    """Which pieces are in no camp though they do not stand on the ways either.

    None, as far as anybody can tell, where the camera sees nothing in any camp.
    """
    camped = waiting(board, look)
    if not camped:
        return Counter()
    return +Counter({seat: left - camped.get(seat, 0) for seat, left in off(board, stood).items()})


def off(board: str, stood: Sight) -> dict[str, int]:
    """How many of each seat are off the ways where a board stands so."""
    out = dict(sets(board))
    for (piece, _), many in stood.items():
        if piece in out:
            out[piece] -= many
    return out


def counts_fit(board: str, sight: Sight, look: Look) -> bool:
    """Whether as many pieces would stand on the board as are gone from camps seen surely."""
    camped, camp = waiting(board, look), camps(board)
    doubted = {camp[cell] for cell in look.unsure if cell in camp}
    out = {piece for piece, _ in sight}
    return all(
        camped.get(seat, 0) == left
        for seat, left in off(board, sight).items()
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
    for seat, cells in form["pawns"].items():
        standing = [cell for (piece, cell), n in sight.items() for _ in range(n) if piece == seat]
        kept = [f"{cell}*" if f"{cell}*" in cells else cell for cell in standing]
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
