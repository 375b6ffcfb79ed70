"""Questions the umpire asks: which card, which of two plays, whether to take back."""

from __future__ import annotations

from collections.abc import Iterable

from referee import cards
from referee.looks import Look, agrees
from referee.match import Match
from referee.plays import Play
from referee.table import Choice, Question, Table, notice
from referee.verdict import fixes


def asking(table: Table, key: str, to: str, choices: tuple[Choice, ...]) -> Table:
    number = table.questions + 1
    question = Question(number, key, to, choices)
    asked = table.entering("asking", question=question, questions=number)
    return asked.saying(notice(key, to))


def ask_which(table: Table, found: list[Play], *, none: bool = False, back: bool = False) -> Table:
    """Two legal readings are never resolved in silence, nor one that cannot be seen surely.

    `back`: the board is also that before the last play, which may be meant to be taken back.
    """
    choices = tuple(Choice(play.text, play.card or "", play) for play in found)
    choices += (Choice("undo", undo=True),) if back else ()
    choices += (Choice("none"),) if none else ()
    asked = asking(table, "ask.play", table.match.turn, choices)
    return asked.but(undo_asked=table.match.last_seat, agreed=()) if back else asked


def ask_undo(table: Table) -> Table:
    """Putting the pieces back is a request to take back."""
    asked = asking(table, "ask.undo", "", (Choice("yes", undo=True), Choice("no")))
    back = (
        fixes(table.seen.sight, table.expected, table.match.setup.board)
        if table.seen is not None
        else ()
    )
    return asked.but(undo_asked=table.match.last_seat, agreed=(), put_right=back)


def ask_card(table: Table, seen: Look, back: bool) -> Table | None:
    """The board moved before a card was named: the cards that explain it are offered.

    Whether somebody is asked is known to all, so it hangs on no hand: on what any card would
    explain. Which of the own cards do is the asked player's alone, though it may be none.
    """
    if shown_by(table.match, table.match.possible, seen) is None:
        return None
    choices = explaining(table.match, seen)
    choices += (Choice("undo", undo=True),) if back else ()
    asked = asking(table, "ask.card", table.match.turn, (*choices, Choice("none")))
    return asked.but(undo_asked=table.match.last_seat if back else "", agreed=())


def explaining(match: Match, seen: Look) -> tuple[Choice, ...]:
    """The cards that would make this board a legal play, of the known hand or of the deck."""
    hand = match.hand(match.turn)
    if hand.known:
        asked = list(hand.cards)
    else:
        asked = [card for card in match.game.deck if card not in match.pile.discards]
    found, judged = [], dict[str, Play | None]()
    for card in asked:
        rank = cards.rank(card)
        if rank not in judged:
            judged[rank] = explained_by(match, card, seen)
        play = judged[rank]
        if play is not None:
            found.append(Choice(play._replace(card=card).text, card))
    return tuple(found)


def explained_by(match: Match, card: str, seen: Look) -> Play | None:
    """The play of a card that leaves this board, if there is one."""
    return shown_by(match, match.judged_card(match.turn, card).plays, seen)


def shown_by(match: Match, plays: Iterable[Play], seen: Look) -> Play | None:
    """The play that leaves this board, leaving out the cells nobody is sure of."""
    key = None if seen.unsure else match.game.seen_as(match.setup, seen.sight)
    for play in plays:
        if seen.unsure:
            if agrees(match.game.sight(match.setup, play.position), seen):
                return play
        elif key is not None and match.game.seen(play.position) == key:
            return play
    return None
