"""A play on its way: pieces in the hand, on a stop or there already, what it takes gone or not.

Hands have no order. Of one legal play every piece may be where it stood, in the hand, on a stop
of its way or at its end; what is taken may stand, be in a hand or in its camp; nothing else moves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from referee.game import Sight
from referee.looks import Look, with_doubts
from referee.match import Match, Touch
from referee.plays import Part, Play, Standing


class Hands(NamedTuple):
    """What a play lets hands do: where its pieces come from, where each may stand, what goes."""

    leaves: Sight
    ways: tuple[tuple[str, frozenset[str]], ...]
    sends: Counter[str]  # how many of each seat go to their camp


def hands_of(match: Match, play: Play, before: Sight) -> Hands:
    leaves = Sight()
    ways: list[tuple[str, list[str]]] = []
    for part in play.parts:
        for piece, path in journeys(part):
            own = next((way for way in ways if (way[0], way[1][-1]) == (piece, path[0])), None)
            if own is not None:
                own[1].extend(path[1:])
                continue
            leaves[piece, path[0]] += 1
            ways.append((piece, list(path)))
        for taken in part.takes:
            leaves[taken] += 1
    swapped = {piece for part in play.parts if part.swap for piece in (part.piece, part.swap)}
    corners: dict[str, set[str]] = {}
    if swapped:  # where a corner sends them is not in the path
        come = match.game.sight(match.setup, play.position) - before
        corners = {one: {cell for piece, cell in come if piece == one} for one in swapped}
    reached = [(one, frozenset(way[1:]) | corners.get(one, set())) for one, way in ways]
    return Hands(leaves, tuple(reached), Counter(play.captured))


def journeys(part: Part) -> Iterator[tuple[str, tuple[str, ...]]]:
    yield part.piece, part.path
    if part.swap:
        yield part.swap, part.path[::-1]


def leading_to(
    match: Match,
    touches: Iterable[Touch],
    seen: Sight,
    home: Counter[str],
    before: Sight | None = None,
) -> Iterator[Play]:
    """The plays on whose way a board may stand.

    `home` are the pieces seen in their camps that stood on the ways before.
    """
    for board in bases(match, seen) if before is None else (before,):
        come, gone = seen - board, board - seen
        pieces, cells = {piece for piece, _ in come}, {cell for _, cell in gone}
        for touch in touches:
            if pieces <= touch.pieces and cells <= touch.cells:
                hands = hands_of(match, touch.play, board)
                strange = gone - hands.leaves or home - hands.sends
                if not strange and placed(list(come.elements()), hands.ways):
                    yield touch.play


def bases(match: Match, seen: Sight) -> Iterator[Sight]:
    """The board before; where a turn begins with a push, the pushed ones too."""
    yield match.sight
    if not match.flow.carries:
        return
    for half in match.game.partials(match.setup, match.position, match.turn, [""], ""):
        board = match.game.sight(match.setup, half.position)
        if tiles(match, board) == tiles(match, seen):
            yield board


def likely(match: Match, seen: Look, expected: Sight) -> Sight:
    """What is seen; what nobody is sure of as it should stand, or as a pushed row carried it."""
    if seen.unsure and match.flow.carries and match.phase == "move":
        sure = {one for one in tiles(match, seen.sight) if one[1] not in seen.unsure}
        halves = match.game.partials(match.setup, match.position, match.turn, [""], "")
        for board in (expected, *(match.game.sight(match.setup, half.position) for half in halves)):
            if {one for one in tiles(match, board) if one[1] not in seen.unsure} == sure:
                return with_doubts(seen, board)
    return with_doubts(seen, expected)


def tiles(match: Match, board: Sight) -> set[Standing]:
    return {one for one in board if one[0] not in match.setup.seats}


def placed(come: list[Standing], ways: Sequence[tuple[str, frozenset[str]]]) -> bool:
    """Whether each piece that has come is on the way of another piece of the play."""
    if not come:
        return True
    piece, cell = come[0]
    return any(
        piece == one and cell in stops and placed(come[1:], [*ways[:n], *ways[n + 1 :]])
        for n, (one, stops) in enumerate(ways)
    )
