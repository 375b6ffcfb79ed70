"""The referee's word on a board: legal, unchanged, unfinished, or illegal and why.

What is seen is compared with what the game's own generator yields: its plays, its plays on
their way, and its attempts, which are plays with the rules they break.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any, Literal

from hardware import boards
from referee import cards
from referee.game import Game, Judged, Position, Setup, Sight
from referee.plays import CAMP, Part, Play, Refusal, Standing
from referee.reasons import reasons

Kind = Literal["legal", "illegal", "unchanged", "unfinished"]
FAR = 1000  # steps
BARRICADE, SPARE = "barricade", "spare"  # pieces that are nobody's


@dataclass(frozen=True)
class Fix:
    """One piece to take from a cell to another."""

    piece: str
    origin: str
    to: str


@dataclass(frozen=True)
class Verdict:
    kind: Kind
    plays: tuple[Play, ...] = ()
    reasons: tuple[Refusal, ...] = ()
    put_right: tuple[Fix, ...] = ()
    to_do: tuple[Fix, ...] = ()  # what is left of an unfinished play

    def said(self) -> dict[str, Any]:
        """In the form of `arbitre judge`."""
        return {
            "verdict": self.kind,
            "plays_seen": [play.text for play in self.plays],
            "reasons": list(dict.fromkeys(reason.rule for reason in self.reasons)),
            "put_right": [
                {"seat": fix.piece, "from": fix.origin, "to": fix.to} for fix in self.put_right
            ],
        }


def verdict(
    game: Game,
    setup: Setup,
    position: Position,
    seat: str,
    hand: Sequence[str],
    card: str | None,
    judged: Judged,
    seen: Sight,
    known: dict[frozenset[tuple[Standing, int]], Verdict] | None = None,
) -> Verdict:
    """What a board is; `known` are those with some pieces put back that were judged already."""
    kept = {} if known is None else known
    key = game.seen_as(setup, seen)
    found = [play for play in judged.plays if key is not None and game.seen(play.position) == key]
    plays = tuple(sorted(found, key=lambda play: play.text))
    before = game.sight(setup, position)
    if seen == before:
        return Verdict("unchanged", plays)
    if plays:
        return Verdict("legal", plays)
    back = fixes(seen, before, setup.board)
    asked = one_a_rank(hand) if card is None else (card,)
    come, gone = (seen - before).keys(), (before - seen).keys()
    for play in candidates(game, setup, position, seat, hand, asked, judged, seen):
        if not may_lead(play, come, gone):
            continue
        target = game.sight(setup, play.position)
        if on_the_way(play, before, seen, target):
            return Verdict("unfinished", (), (), back, fixes(seen, target, setup.board))

    def again(board: Sight) -> tuple[Refusal, ...] | None:
        stands = frozenset(board.items())
        if stands not in kept:
            kept[stands] = verdict(game, setup, position, seat, hand, card, judged, board, kept)
        said = kept[stands]
        return said.reasons if said.kind == "illegal" else None

    why = reasons(game, setup, position, seat, hand, asked, seen, again)
    return Verdict("illegal", (), why, back)


def one_a_rank(hand: Sequence[str]) -> list[str]:
    """Cards of one rank do the same."""
    return list({cards.RANK.get(card, card): card for card in reversed(hand)}.values())[::-1]


def candidates(
    game: Game,
    setup: Setup,
    position: Position,
    seat: str,
    hand: Sequence[str],
    asked: Sequence[str],
    judged: Judged,
    seen: Sight,
) -> Iterator[Play]:
    yield from judged.plays
    if judged.plays:
        for card in asked:
            yield from game.partials(setup, position, seat, hand, card, seen)


def may_lead(play: Play, come: Set[Standing], gone: Set[Standing]) -> bool:
    """A quick look: whether the pieces that have moved are those of a play."""
    leaves, reaches = set[Standing](), set[Standing]()
    for part in play.parts:
        leaves.update(part.takes)
        leaves.add((part.piece, part.path[0]))
        reaches.update((part.piece, cell) for cell in part.path)
        if part.swap:  # where a corner sends them is not in the path
            leaves.add((part.swap, part.path[1]))
            reaches.update(come)
        elif part.piece == SPARE:  # a row moves whatever stands on it
            return True
    return gone <= leaves and come <= reaches


def on_the_way(play: Play, before: Sight, seen: Sight, target: Sight) -> bool:
    """Whether some of a play's changes are done and the others are not."""
    takes = Sight(taken for part in play.parts for taken in part.takes)
    if not target - seen and seen - target <= takes and (seen != target or play.left):
        return True  # all moved, something taken still stands; or so far so good
    if not seen - before and before - seen <= takes:
        return True  # only what is taken has been taken away
    return seen != target and any(seen == one for one in halfway(play, before, seen, target))


def halfway(play: Play, before: Sight, seen: Sight, target: Sight) -> Iterator[Sight]:
    """The boards a play may leave on its way where pieces make room for each other.

    Pieces that change places and what is lifted may be in the hand, a pawn that walks never.
    """
    parts = play.parts
    if not any(part.swap or part.piece == BARRICADE for part in parts):
        return
    states = [states for part in parts for states in stations(part, before, target)]
    there = {one for own in states for one in own}
    if (seen - before).keys() <= there and (before - seen).keys() <= there:
        still = before - Sight(own[0] for own in states if own[0])
        for chosen in product(*states):
            yield still + Sight(one for one in chosen if one)


def stations(part: Part, before: Sight, target: Sight) -> Iterator[tuple[Standing | None, ...]]:
    """Where each piece of a part may be meanwhile, None for in the hand or off the board."""
    here, there = part.path[0], part.path[-1]
    for taken in part.takes:
        yield taken, None
    if part.swap:
        for piece, old, new in ((part.piece, here, there), (part.swap, there, here)):
            sent = [cell for one, cell in target - before if one == piece] or [old]
            yield (piece, old), None, (piece, new), (piece, sent[0])
    elif part.piece == BARRICADE:
        yield (part.piece, here), None, (part.piece, there)
    else:
        yield None if here == CAMP else (part.piece, here), (part.piece, there)


def fixes(seen: Sight, wanted: Sight, board: str = "") -> tuple[Fix, ...]:
    """What to take where so that one board becomes another, in an order that finds room.

    Each piece goes to the nearest place along the board that lacks one of its kind.
    """
    come, gone = seen - wanted, wanted - seen
    found = []
    for piece in sorted({piece for piece, _ in come + gone}):
        here = sorted(cell for one, cell in come.elements() if one == piece)
        there = sorted(cell for one, cell in gone.elements() if one == piece)
        room = len(there) - len(here)
        here += [CAMP] * room
        there += [CAMP] * -room
        while here:
            pair = min(product(here, there), key=lambda pair: steps_between(board, *pair))
            found.append(Fix(piece, *pair))
            here.remove(pair[0])
            there.remove(pair[1])
    ordered: list[Fix] = []
    while found:
        taken = {fix.origin for fix in found}
        free = [fix for fix in found if fix.to == CAMP or fix.to not in taken] or found[:1]
        ordered += free
        found = [fix for fix in found if fix not in free]
    return tuple(ordered)


def steps_between(board: str, here: str, there: str) -> int:
    """How many steps apart two cells are; far where there is no way, as to a camp."""
    return ways_from(board, here).get(there, FAR) if board else 0


@lru_cache(maxsize=256)
def ways_from(board: str, here: str) -> Mapping[str, int]:
    """Every cell that can be reached from one, with the steps to it in any direction."""
    links: dict[str, set[str]] = {}
    for cell in boards.board(board).cells:
        for other in cell.links:
            links.setdefault(cell.id, set()).add(other)
            links.setdefault(other, set()).add(cell.id)
    found, edge = {here: 0}, [here]
    while edge:
        edge = sorted({to for cell in edge for to in links.get(cell, ()) if to not in found})
        found |= dict.fromkeys(edge, max(found.values()) + 1)
    return found
