"""What goes wrong at a table: boards that no legal play leaves, and what they ought to be called.

Each mishap is a board that a clumsy hand leaves in the place of the right one, with the kinds
of case that would be right for it. What the board cannot tell is said with the reason.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import NamedTuple

from hardware import boards
from hardware.boards.barricades import neighbours
from referee import cards
from referee.game import Sight
from referee.match import Match
from referee.plays import CAMP, HOME, Play
from web.bench.pretended import carried_out, waiting_places, without

STEPS = {"A": 1, "4": -4, "Q": 12, "K": 13} | {str(n): n for n in (2, 3, 5, 6, 7, 8, 9, 10)}
CLOSE = 2  # steps: a miscount and another card's move look the same within them


class Mishap(NamedTuple):
    name: str
    sight: Sight
    kinds: frozenset[str]
    astray: tuple[tuple[str, str], ...] = ()
    card: str = ""  # announced in the place of the one that is played
    play: Play | None = None


def rank_of(card: str) -> str:
    return cards.rank(card) if card in cards.RANK else card


def ways_on(match: Match) -> dict[str, list[str]]:
    """The next cells of each cell of the ways."""
    setup = match.setup
    if setup.game == "barricades":
        net = [cell.id for cell in boards.board("barricades").of_kind("ring")]
        return {cell: [one for one in neighbours(cell) if one != "goal"] for cell in net}
    if setup.game == "trikolos":
        return {f"{c}{r}": [f"{c}{r + 1}"] for c in "abcdef" for r in range(1, 6)}
    ring = [cell.id for cell in boards.board(setup.board, setup.house_entry).of_kind("ring")]
    return {cell: [ring[(n + 1) % len(ring)]] for n, cell in enumerate(ring)}


def free(match: Match, board: Sight, cell: str) -> bool:
    """Whether a hand may put a piece there without touching another."""
    if match.setup.game == "tijou":
        return True
    return not any(at == cell and not piece.startswith("tile-") for piece, at in board)


def pawns(match: Match, board: Sight) -> list[tuple[str, str]]:
    found = [one for one in board if one[0] in match.setup.seats and one[1] in ways_on(match)]
    return sorted(found)


def own_seats(match: Match) -> set[str]:
    return {match.turn, *match.setup.mates(match.turn)}


# with a card announced


def too_far(match: Match, play: Play, rng: random.Random) -> Iterator[Mishap]:
    """One or two steps more, or one less."""
    (part,) = play.parts if len(play.parts) == 1 else (None,)
    if part is None or part.swap or part.path[-1] not in ways_on(match):
        return
    rank = rank_of(match.card)
    if rank in ("7", "J", cards.JOKER) or part.path[0] == CAMP:
        return
    on = ways_on(match)
    beyond = on[part.path[-1]]
    far = [two for one in beyond for two in on.get(one, [])] if rng.random() < 0.3 else beyond
    short = [cell for cell, nexts in on.items() if part.path[-1] in nexts]
    to = rng.choice(sorted(set(far if rng.random() < 0.7 else short)) or [""])
    if not to or to in part.path or not free(match, match.sight, to):
        return
    wrong = without(match.sight, (part.piece, part.path[0])) + Sight([(part.piece, to)])
    yield Mishap("too far", wrong, frozenset(("wrong-count", "wrong-card")))


def left_standing(match: Match, play: Play, rng: random.Random) -> Iterator[Mishap]:
    takes = [taken for part in play.parts for taken in part.takes]
    final = match.game.sight(match.setup, play.position)
    if takes and not any(part.swap for part in play.parts):
        wrong = final + Sight([rng.choice(takes)])
        yield Mishap("captured left standing", wrong, frozenset(("left-standing",)))


def neighbour(match: Match, play: Play, rng: random.Random) -> Iterator[Mishap]:
    """Somebody else's pawn walks in the place of one's own."""
    others = [one for one in pawns(match, match.sight) if one[0] not in own_seats(match)]
    if not others:
        return
    piece, cell = rng.choice(others)
    on, to = ways_on(match), cell
    for _ in range(rng.randint(1, 6)):
        to = rng.choice(on.get(to) or [to])
    if to != cell and free(match, match.sight, to):
        wrong = without(match.sight, (piece, cell)) + Sight([(piece, to)])
        yield Mishap("neighbour's pawn", wrong, stranger_kinds(match))


def stranger_kinds(match: Match) -> frozenset[str]:
    kinds = {"others-pawn", "out-of-turn"}
    if match.setup.game in ("tock-fadoq", "tock-globe"):
        kinds.add("wrong-card")  # a five would have moved it
        if rank_of(match.card) == "5":
            kinds |= {"wrong-count", "illegal-move"}  # and may, though not that far
    if rank_of(match.card) in ("J", cards.JOKER):
        kinds.add("unfinished")  # where it comes to another, it looks like a swap that has begun
    return frozenset(kinds)


def short_seven(match: Match, play: Play, rng: random.Random) -> Iterator[Mishap]:
    """One part of a seven walked a step too short."""
    if rank_of(match.card) != "7":
        return
    part = play.parts[-1]
    before = [cell for cell, nexts in ways_on(match).items() if part.path[-1] in nexts]
    if part.takes or not before or before[0] == part.path[0]:
        return
    final = match.game.sight(match.setup, play.position)
    if free(match, final, before[0]):
        wrong = without(final, (part.piece, part.path[-1])) + Sight([(part.piece, before[0])])
        jumped = match.setup.game == "tijou" or len(part.path) > 2  # then it may look too far
        kinds = ("short-seven", "wrong-count") if jumped else ("short-seven",)
        yield Mishap("seven too short", wrong, frozenset(kinds))


def wrong_camp(match: Match, play: Play, rng: random.Random) -> Iterator[Mishap]:
    """A captured pawn goes into somebody else's camp."""
    seats = [seat for seat in match.setup.seats if seat not in play.captured]
    if not play.captured or not seats:
        return
    final = match.game.sight(match.setup, play.position)
    camp = waiting_places(match.setup.board)[rng.choice(seats)]
    astray = ((rng.choice(play.captured), camp[-1]),)
    yield Mishap("wrong camp", final, frozenset(("wrong-camp",)), astray)


def two_moved(match: Match, play: Play, rng: random.Random) -> Iterator[Mishap]:
    """The right move, and another pawn besides."""
    pushed_only = match.setup.game == "trikolos" and len(play.parts) < 2
    if pushed_only or rank_of(match.card) in ("7", "J", cards.JOKER):
        return
    final = match.game.sight(match.setup, play.position)
    still = [one for one in pawns(match, final) if one in match.sight and final[one] == 1]
    if not still:
        return
    piece, cell = rng.choice(still)
    to = rng.choice(ways_on(match)[cell] or [""])
    if to and free(match, final, to) and free(match, match.sight, to):
        wrong = without(final, (piece, cell)) + Sight([(piece, to)])
        stood = pushed(match, play, rng) if match.flow.carries else match.sight
        if (wrong - stood).total() < 2:
            return  # one stands where the other stood: it looks like a single move
        yield Mishap("two moved at once", wrong, frozenset(("two-moved",)))


def pushed(match: Match, play: Play, rng: random.Random) -> Sight:
    """The board once the row is pushed, before the move."""
    return carried_out(match, play._replace(way=(None, play.parts[:1])), rng, slow=True)[0]


def two_driven(match: Match, play: Play, rng: random.Random) -> Iterator[Mishap]:
    """Trikolos: after the push a pawn is driven two tiles, or another one."""
    if match.setup.game != "trikolos" or len(play.parts) < 2 or HOME in play.parts[1].path:
        return
    driven = pushed(match, play, rng)
    for piece, cell in pawns(match, driven):
        to = cell[0] + str(int(cell[1]) + rng.choice((2, 3)) * (1 if piece == "white" else -1))
        if ("tile-green", to) in driven and free(match, driven, to):
            wrong = without(driven, (piece, cell)) + Sight([(piece, to)])
            strange = {"others-pawn", "out-of-turn"} if piece != match.turn else {"illegal-move"}
            row = play.parts[0].path[0].removeprefix("push")
            if any(at == f"a{row}" for _, at in pawns(match, match.sight)):
                strange |= {"illegal-move", "unfinished"}  # so might a fallen pawn have come there
            yield Mishap("too far", wrong, frozenset(strange))


WITH_CARD: tuple[Callable[[Match, Play, random.Random], Iterator[Mishap]], ...] = (
    too_far,
    left_standing,
    left_standing,
    neighbour,
    short_seven,
    wrong_camp,
    two_moved,
    two_driven,
)


def alike(one: str, other: str) -> bool:
    """Whether a miscount of one card could be the move of the other."""
    if one not in STEPS or other not in STEPS:
        return False
    return abs(abs(STEPS[one]) - abs(STEPS[other])) <= CLOSE


def another_card(said: str, meant: str) -> frozenset[str]:
    """What a move is called that was right for another card than the one that lies there."""
    kinds = {"wrong-card"}
    if alike(rank_of(said), rank_of(meant)) or cards.JOKER in (rank_of(said), rank_of(meant)):
        kinds.add("wrong-count")
    if rank_of(said) == "7":
        kinds |= {"short-seven", "wrong-count"}
    if rank_of(said) in ("J", cards.JOKER):
        kinds.add("unfinished")  # a capture looks like a swap that has begun
    return frozenset(kinds)


# between turns


def nudged(match: Match, rng: random.Random) -> Iterator[Mishap]:
    """A sleeve takes a pawn along."""
    standing = pawns(match, match.sight)
    if not standing:
        return
    piece, cell = rng.choice(standing)
    on = ways_on(match)
    near = on[cell] + [one for one, nexts in on.items() if cell in nexts]
    to = rng.choice(sorted(near) or [""])
    if to and free(match, match.sight, to):
        wrong = without(match.sight, (piece, cell)) + Sight([(piece, to)])
        yield Mishap("nudged between turns", wrong, frozenset(("moved-between",)))


def too_early(match: Match, rng: random.Random, seat: str, plays: list[Play]) -> Iterator[Mishap]:
    """Somebody plays who is not to play."""
    fair = [play for play in plays if {part.piece for part in play.parts} == {seat}]
    fair = [play for play in fair if not any(part.swap for part in play.parts)]
    if fair:
        play = rng.choice(fair)
        wrong = match.game.sight(match.setup, play.position)
        yield Mishap("out of turn", wrong, frozenset(("out-of-turn",)))


def moved_pieces(board: Sight, wrong: Sight) -> set[str]:
    return {piece for piece, _ in wrong - board}
