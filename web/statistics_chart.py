"""The figures of a match drawn: a row of bars for each figure, in the colours of the pieces."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from hardware import boards
from referee.games import game as game_named
from web.statistics import MatchFigures, SeatFigures
from web.statistics_words import number, percent, seat_name
from web.story import clock_shown
from web.texts import Texts

WIDTH, LEFT, RIGHT = 640, 150, 70
BAR, GAP, HEAD = 16, 4, 34
INK, QUIET, PAPER = "#222222", "#6b6b6b", "#ffffff"
Value = Callable[[SeatFigures], float | None]
Shown = Callable[[float], str]


def drawn(figures: MatchFigures, lang: str) -> str:
    """An SVG picture."""
    parts: list[str] = []
    top = 8.0
    for title, value, shown in panels(figures, lang):
        values = [value(seat) for seat in figures.seats]
        if all(one is None for one in values):
            continue
        parts.append(words(8, top + 18, title, INK, "bold"))
        top += HEAD
        most = max((one for one in values if one is not None), default=0) or 1
        for seat, one in zip(figures.seats, values, strict=True):
            name = seat_name(seat, figures.board, lang)
            parts += bar(name, one, most, top, shown, colour(figures.board, seat.seat))
            top += BAR + GAP
        top += 10
    heading = escape(Texts(lang).say("statistics.title"))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top:.0f}" role="img" '
        f'aria-label="{heading}" font-family="sans-serif" font-size="14">'
        f'<rect width="{WIDTH}" height="{top:.0f}" fill="{PAPER}"/>{"".join(parts)}</svg>\n'
    )


def panels(figures: MatchFigures, lang: str) -> list[tuple[str, Value, Shown]]:
    """What is worth looking at: its title, the value of a seat, how it is written."""
    mean = "mean-throw" if game_named(figures.game).die else "mean-card"

    def title(key: str) -> str:
        return Texts(lang).say(f"statistics.{key}")

    return [
        (title("captures"), lambda seat: seat.captures, whole),
        (title("suffered"), lambda seat: seat.suffered, whole),
        (title("laps"), lambda seat: seat.laps, whole),
        (title(mean), lambda seat: seat.mean_card, lambda value: number(value, lang)),
        (title("idle"), lambda seat: seat.idle_share, percent),
        (title("time"), lambda seat: seat.seconds, clock_shown),
    ]


def whole(value: float) -> str:
    return f"{value:.0f}"


def bar(
    name: str, value: float | None, most: float, top: float, shown: Shown, fill: str
) -> list[str]:
    label = name if len(name) <= 18 else f"{name[:17]}…"
    found = [words(LEFT - 8, top + 13, label, INK, anchor="end")]
    if value is not None:
        length = max(1.0, value / most * (WIDTH - LEFT - RIGHT))
        found.append(
            f'<rect x="{LEFT}" y="{top:.0f}" width="{length:.1f}" height="{BAR}" rx="2" '
            f'fill="{fill}" stroke="{QUIET}"/>'
        )
        found.append(words(LEFT + length + 6, top + 13, shown(value), QUIET))
    return found


def words(
    x: float, y: float, said: str, fill: str, weight: str = "normal", anchor: str = "start"
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" fill="{fill}" font-weight="{weight}" '
        f'text-anchor="{anchor}">{escape(said)}</text>'
    )


def colour(board: str, seat: str) -> str:
    """That of the seat's pieces."""
    for piece in boards.board(board).pieces:
        if piece.seat == seat:
            return "#{:02x}{:02x}{:02x}".format(*piece.srgb)
    return QUIET
