"""A hint: one sensible play for whoever asks, simply weighed. Never the best one for sure."""

from __future__ import annotations

from referee.match import Match
from referee.plays import CAMP, HOME, Play

HIT, LOST, OUT, HOMEWARD = 4, -5, 3, 6


def hint(match: Match) -> Play | None:
    """A play of the announced card or throw; before that of any card in a hand that is known."""
    plays = match.judged.plays
    if not plays:
        return None
    return max(plays, key=lambda play: (weight(match, play), -len(play.parts), play.text))


def weight(match: Match, play: Play) -> int:
    """Winning, coming home, sending enemies off, coming out: in this order, roughly."""
    own = {match.turn, *match.setup.mates(match.turn)}
    good = 100 * bool(own & set(match.game.winners(match.setup, play.position)))
    good += sum(LOST if seat in own else HIT for seat in play.captured)
    for part in play.parts:
        good += OUT * (part.path[0] == CAMP) - play.crosses
        if part.piece in own and home(part.path[-1]) and not home(part.path[0]):
            good += HOMEWARD
    return good


def home(cell: str) -> bool:
    """A house, an arrival or the goal."""
    return cell in (HOME, "goal") or cell.startswith("A-") or cell[1:2] == "h"
