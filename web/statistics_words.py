"""The figures of a match as a table for people, and as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from referee.games import game as game_named
from web.statistics import MatchFigures, SeatFigures
from web.story import called, clock_shown
from web.texts import Texts


def as_form(figures: MatchFigures) -> dict[str, Any]:
    """JSON."""
    form = asdict(figures)
    for shown, seat in zip(form["seats"], figures.seats, strict=True):
        shown["idle_share"] = seat.idle_share
    return form | {
        "irregularities": dict(figures.irregularities),
        "winners": list(figures.winners),
        "points": dict(figures.points),
    }


def rows(figures: MatchFigures, lang: str) -> list[tuple[str, ...]]:
    """What to call each figure, then one cell a seat; what says nothing is left out."""
    say = Texts(lang).say
    die = game_named(figures.game).die
    shown = [
        ("plays", [str(seat.plays) for seat in figures.seats]),
        ("captures", [str(seat.captures) for seat in figures.seats]),
        ("suffered", [str(seat.suffered) for seat in figures.seats]),
        ("laps", ["" if seat.laps is None else str(seat.laps) for seat in figures.seats]),
        ("mean-throw" if die else "mean-card", [number(s.mean_card, lang) for s in figures.seats]),
        ("idle", [percent(seat.idle_share) for seat in figures.seats]),
        ("time", [clock_shown(seat.seconds) for seat in figures.seats]),
        ("longest", [clock_shown(seat.longest) for seat in figures.seats]),
        ("irregularities", [str(seat.irregularities) for seat in figures.seats]),
        ("taken-back", [str(seat.taken_back) for seat in figures.seats]),
    ]
    return [(say(f"statistics.{key}"), *cells) for key, cells in shown if any(cells)]


def number(value: float | None, lang: str) -> str:
    if value is None:
        return ""
    return f"{value:.1f}".replace(".", "," if lang == "fr" else ".")


def percent(share: float | None) -> str:
    return "" if share is None else f"{share:.0%}"


def seat_name(seat: SeatFigures, board: str, lang: str) -> str:
    return called(seat.person, seat.seat, Texts(lang, board))


def told(figures: MatchFigures, lang: str) -> list[str]:
    """The table in plain text."""
    say = Texts(lang).say
    names = (seat_name(seat, figures.board, lang) for seat in figures.seats)
    whole = [("", *names), *rows(figures, lang)]
    widths = [max(map(len, column)) for column in zip(*whole, strict=True)]
    lines = []
    for first, *cells in whole:
        padded = (cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=True))
        lines.append("  ".join([first.ljust(widths[0]), *padded]).rstrip())
    lines.append(say("statistics.duration", time=clock_shown(figures.seconds)))
    if figures.irregularities:
        kinds = (f"{say(f'record.kind.{kind}')} {many}" for kind, many in figures.irregularities)
        lines.append(say("statistics.kinds", kinds=", ".join(kinds)))
    return lines
