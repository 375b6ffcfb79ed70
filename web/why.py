"""Why not? A move somebody thinks of, judged by the same rules as a move that was made."""

from __future__ import annotations

from hardware import boards
from referee.game import Judged, Sight
from referee.match import Match
from referee.plays import CAMP
from referee.verdict import Verdict, verdict
from web.problems import BadFormError, ConflictError, NotYoursError


def held_card(match: Match, seat: str, card: str) -> str:
    """A card this seat holds, or may hold; for a die its eyes; else nothing."""
    if match.game.die:
        if card not in tuple("123456"):
            raise BadFormError("api.which-card")
        return card
    if not match.game.deck:
        return ""
    if card not in match.game.deck:
        raise BadFormError("api.which-card")
    if not match.hand(seat).may_hold(card):
        raise NotYoursError("api.not-in-hand", card=card)
    return card


def judged(match: Match, seat: str, card: str) -> Judged:
    """The plays of a card, or of everything this seat is known to hold."""
    if match.phase in ("over", "seats"):
        return Judged([], None)
    if card or not match.game.deck:
        named = held_card(match, seat, card)
        if not named:
            return match.game.judge(match.setup, match.position, seat, [""], None)
        return match.judged_card(seat, named)
    hand = match.hand(seat)
    if not hand.cards or not hand.known:
        raise BadFormError("api.which-card")
    return match.game.judge(match.setup, match.position, seat, hand.cards, None)


def move(match: Match, seat: str, card: str, piece: str, origin: str, to: str) -> Verdict:
    """The referee's word on one piece going from a cell to another."""
    if match.phase in ("over", "seats"):
        raise ConflictError("api.not-now")
    named = held_card(match, seat, card)
    can = judged(match, seat, named)
    hand = match.hand(seat).cards if match.hand(seat).known else ()
    asked = hand if named in hand else (named,)
    found = [
        verdict(match.game, match.setup, match.position, seat, asked, named or None, can, board)
        for board in seen(match, piece, origin, to)
    ]
    for one in found:
        if one.kind in ("legal", "unfinished"):
            return Verdict("legal", one.plays)
    return found[0]


def seen(match: Match, piece: str, origin: str, to: str) -> list[Sight]:
    """The boards that would be seen: with what stood there taken off, and with it left."""
    before = match.sight
    if origin != CAMP and not before[piece, origin]:
        raise BadFormError("api.no-piece-there", cell=origin)
    moved = Sight(before)
    if origin != CAMP:
        moved[piece, origin] -= 1
    if to != CAMP:
        moved[piece, to] += 1
    others = [(one, cell) for one, cell in before if cell == to and one != piece]
    taken = +(moved - Sight(others))
    both = [taken, +moved] if others else [+moved]
    known = {cell for _, cell in before}
    if to != CAMP and to not in known and not on_board(match, to):
        raise BadFormError("api.no-such-cell", cell=to)
    return both


def on_board(match: Match, cell: str) -> bool:
    return cell in boards.board(match.setup.board).by_id
