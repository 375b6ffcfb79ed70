"""The rules book: for each game a page for people, and the boards' pictures for every page."""

from __future__ import annotations

from flask import Blueprint, Response, abort, request

from hardware import boards
from web.rulesbook.flat import flat

pages = Blueprint("rulesbook", __name__, url_prefix="/rules")


@pages.get("/board/<name>.svg")
def board(name: str) -> Response:
    """A board drawn with few strokes; it never changes while the program runs."""
    entry = request.args.get("entry", "16")
    if name not in boards.names() or entry not in ("16", "18"):
        abort(404)
    drawn = Response(flat(name, int(entry)), mimetype="image/svg+xml")
    drawn.add_etag()
    drawn.cache_control.no_cache = True
    return drawn.make_conditional(request)
