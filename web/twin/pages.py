"""The page of the virtual table."""

from __future__ import annotations

from flask import Blueprint, current_app, g
from werkzeug.wrappers import Response

from web.pages import front, page
from web.problems import NotThereError

pages = Blueprint("twin-page", __name__)


@pages.get("/twin")
def twin() -> Response:
    if "arbitre-twin" not in current_app.extensions:
        raise NotThereError("api.no-twin")
    if g.device is None:
        return front()
    return page("twin")
