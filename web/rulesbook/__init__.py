"""The rules book: for each game a page for people, and the boards' pictures for every page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from flask import Blueprint, Response, abort, g, render_template, request
from markupsafe import Markup

from hardware import boards
from referee.game import Value
from referee.games import games
from web.choices import shelf as in_order
from web.guard import rooms
from web.rulesbook.chapters import Item, book
from web.rulesbook.diagram import Diagram, draw, shapes
from web.rulesbook.flat import flat
from web.texts import Texts

pages = Blueprint("rulesbook", __name__, url_prefix="/rules")
SUITS = "SHDC"


@pages.get("/board/<name>.svg")
def board(name: str) -> Response:
    """A board drawn with few strokes; it never changes while the program runs."""
    entry = request.args.get("entry", "16")
    if name not in boards.names() or entry not in ("16", "18"):
        abort(404)
    drawn = Response(flat(name, int(entry)), mimetype="image/svg+xml")
    drawn.add_etag()
    drawn.cache_control.no_cache = True
    return drawn.make_conditional(request)  # type: ignore[return-value]


@pages.get("")
def shelf() -> str:
    found = [
        {"game": game.name, "board": game.boards[0], "players": players(game.name)}
        for game in in_order()
    ]
    return render_template("rules.html", page="rules", games=found)


def players(name: str) -> str:
    """How many may play: 2 to 6."""
    counts = {len(seats) for many in games()[name].seatings.values() for seats in many}
    return "–".join(str(count) for count in sorted({min(counts), max(counts)}))


@pages.get("/<game>")
def page(game: str) -> str:
    if game not in games():
        abort(404)
    texts = Texts(g.get("lang", "fr"))
    chosen, here = in_force(game)
    name = games()[game].boards[0]
    return render_template(
        "rules_game.html",
        page="rules",
        game=game,
        board=name,
        here=here,
        shapes=Markup(shapes(boards.board(name))),  # noqa: S704 - drawn by us
        sections=[
            (title, [told(item, chosen, texts, name) for item in items])
            for title, items in book(games()[game])
        ],
        options=list(options(game, chosen, texts)),
    )


def in_force(game: str) -> tuple[dict[str, Value], bool]:
    """The options of the match under way if it is this game, else the usual ones."""
    usual = {name: values[0] for name, values in games()[game].options.items()}
    table = rooms().house.now.table
    if table is None or table.match.setup.game != game:
        return usual, False
    return usual | dict(table.match.setup.options), True


def told(item: Item, chosen: Mapping[str, Value], texts: Texts, name: str) -> dict[str, Any]:
    key = f"book.{item.text}"
    if item.option in chosen:
        key += f".{str(chosen[item.option]).lower()}"
    elif item.option:
        key = ""  # a game without that choice says nothing of it
    return {
        "text": texts.say(key) if key else "",
        "cards": [
            (texts.index(rank + SUITS[n % 4])[:-1] if rank != "X" else "★", SUITS[n % 4])
            for n, rank in enumerate(item.cards)
        ],
        "names": texts.listed([texts.rank(rank) for rank in item.cards], "and")
        if item.cards
        else "",
        "drawing": picture(name, item.drawing) if item.drawing else "",
    }


def picture(name: str, diagram: Diagram) -> Markup:
    return Markup(draw(name, diagram))  # noqa: S704 - drawn by us


def options(game: str, chosen: Mapping[str, Value], texts: Texts) -> Iterator[dict[str, Any]]:
    for name, values in games()[game].options.items():
        value = chosen[name]
        yield {
            "question": texts.say(f"option.{name}.question"),
            "answer": texts.say(f"option.{name}.{str(value).lower()}"),
            "sheet": texts.say(f"option.{name}.sheet.{game}"),
            "usual": value == values[0],
        }
