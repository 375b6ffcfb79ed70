"""The page of the virtual table."""

from __future__ import annotations

from flask import Blueprint, current_app
from werkzeug.wrappers import Response

from web.pages import admitted
from web.problems import NotThereError

pages = Blueprint("twin-page", __name__)


@pages.get("/twin")
def twin() -> Response:
    if "arbitre-twin" not in current_app.extensions:
        raise NotThereError("api.no-twin")
    return admitted("twin")
