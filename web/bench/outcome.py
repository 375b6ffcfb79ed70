"""Who has won, by the wood alone: counted without the referee, to hold its word against."""

from __future__ import annotations

from collections import Counter

from referee.match import Match
from referee.plays import HOME
from web.bench.pretended import Wood

AT_HOME = {"tijou": 3, "barricades": 1}  # pieces that end a game; elsewhere all four


def winners(match: Match, wood: Wood) -> set[str]:
    """The seats that have won the game that stands there."""
    setup = match.setup
    ends = dict.fromkeys(setup.seats, 0)
    for (piece, cell), many in wood.sight.items():
        if cell in (HOME, "goal") or cell.startswith("A-") or cell[1:2] == "h":
            ends[piece] = ends.get(piece, 0) + many
    done = {seat for seat in setup.seats if ends[seat] == AT_HOME.get(setup.game, 4)}
    team = {seat: {seat, *setup.mates(seat)} for seat in setup.seats}
    if setup.game == "tijou":
        return {mate for seat in done for mate in team[seat]}
    return {seat for seat in done if team[seat] <= done}


def rightly_told(match: Match, wood: Wood, points: Counter[str]) -> bool:
    """Whether the referee tells the same winners, of the game and of the match; points counted."""
    won = set() if match.drawn_game else winners(match, wood)
    for seat in won:
        points[match.person(seat)] += 1
    if won != set(match.winners) or not (won or match.drawn_game):
        return False
    if match.phase != "over" or match.drawn_game:
        return True
    best = {person for person, many in points.items() if many == max(points.values())}
    told = {match.person(seat) for seat in match.champions}
    return best == told and +points == +Counter(dict(match.points))
