"""What players of a clumsy evening may do and seldom do: move before the card, take a play back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee import events
from referee.game import Sight
from referee.match import Match
from referee.plays import Play
from web.bench import mishaps

if TYPE_CHECKING:
    from web.bench.clumsy import Evening


def played_first(evening: Evening, seat: str, card: str, play: Play) -> bool:
    """The move is made before its card is announced: the umpire asks for the card."""
    before = evening.match
    last = before.game.sight(before.setup, play.position)
    if last == before.sight:
        return False
    evening.wood.stand(last)
    evening.lay(before, card)
    evening.look()
    question = evening.table.question
    if question is None and evening.left_open:
        evening.must(events.Announced(seat=seat, card=card))
        evening.look()
        settle_early(evening, before, play)
        return True
    if question is None or question.to != seat:
        raise evening.lost(f"{play.text} was played first, and nobody asked for its card")
    ranks = [mishaps.rank_of(one.card) for one in question.choices]
    if mishaps.rank_of(card) not in ranks:
        raise evening.lost(f"{card} is not offered for {play.text}: {ranks}")
    number = ranks.index(mishaps.rank_of(card))
    if evening.rng.random() < 0.5 or question.choices[number].card != card:
        evening.must(events.Announced(seat=seat, card=card))
    else:
        evening.must(events.Answered(seat=seat, question=question.number, choice=number))
    settle_early(evening, before, play)
    return True


def settle_early(evening: Evening, before: Match, play: Play) -> None:
    evening.settle(evening.match if evening.match.phase == "move" else before, play)
    if evening.match.position != play.position:
        raise evening.lost(f"{play.text} was read as {evening.match.last}")


def take_back(evening: Evening, before: Match) -> None:
    """The pieces are put back as they stood: a request to take back."""
    if evening.undo is None or evening.match.phase not in ("turn", "move"):
        return
    deck, board = evening.undo
    played = Sight(evening.match.sight)
    if board == played:
        return
    evening.wood.stand(board)
    evening.look()
    if evening.table.question is None and evening.left_open:
        evening.must(events.UndoAsked(seat=before.turn))
    question = evening.table.question
    if question is None:
        raise evening.lost("the pieces were put back, and nobody asked whether to take back")
    undo = [n for n, choice in enumerate(question.choices) if choice.undo]
    if not undo:
        raise evening.lost("the pieces were put back, and taking back is not offered")
    if evening.rng.random() < 0.6 or question.lasting:
        agree(evening)
        evening.deck = deck
        if evening.match.position != before.position:
            raise evening.lost("not taken back")
        evening.undo = None
    else:
        evening.wood.stand(played)
        evening.look()
    if evening.table.stage != "still":
        raise evening.lost("taken back, or not, and the board is still not right")


def agree(evening: Evening) -> None:
    """Everybody is asked until it is taken back."""
    for seat in (evening.match.turn, *evening.match.order):
        question = evening.table.question
        if question is None:
            return
        undo = [n for n, choice in enumerate(question.choices) if choice.undo]
        evening.send(events.Answered(seat=seat, question=question.number, choice=undo[0]))
