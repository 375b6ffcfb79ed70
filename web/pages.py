"""The pages people open, and the QR that leads to them."""

from __future__ import annotations

import io
from typing import Any

import segno
from flask import Blueprint, Response, g, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from web import door
from web.guard import LANGUAGES, is_here, place, rooms, with_cookie
from web.problems import NotThereError, NotYoursError, Problem, WaitError
from web.wording import say

pages = Blueprint("pages", __name__)


JUST_IN = "in"  # asked for by whoever was let in a moment ago


def page(name: str, problem: str = "", status: int = 200) -> Response:
    return make_response(render_template(f"{name}.html", page=name, problem=problem), status)


def context() -> dict[str, Any]:
    """What every template knows."""
    lang = g.get("lang", "fr")

    def t(key: str, **facts: Any) -> str:
        return say(key, lang, **facts)

    return {
        "lang": lang,
        "t": t,
        "problem": "",
        "version": rooms().boot,
        "pin_set": rooms().pin.is_set,
        "languages": LANGUAGES,
    }


def admitted(name: str) -> AnyResponse:
    """A page for those who are in; others are let in first, here or by the table's code."""
    just_in = JUST_IN in request.args
    if g.device is not None:
        return redirect(request.path, 303) if just_in else page(name)
    if is_here(request) or rooms().settings.guests == "open":
        if just_in:
            return page("error", say("api.no-cookies", g.lang), 403)
        token, _ = door.come_in(rooms(), place())
        back = redirect(f"{request.path}?{JUST_IN}", 303)
        return with_cookie(back, token)  # type: ignore[arg-type]
    return page("join")


@pages.get("/")
def front() -> AnyResponse:
    return admitted("player")


@pages.get("/join/<ticket>")
def join(ticket: str) -> AnyResponse:
    """A QR code was scanned."""
    if request.method == "HEAD":  # a look that must not use the ticket up
        return make_response("")
    device, token = g.device, ""
    shown = door.shown(rooms(), ticket, place(), device is not None)
    if device is None:
        token, device = door.come_in(rooms(), place())
    target = url_for("pages.front")
    if shown is not None and shown.kind == "screen":
        target = url_for("pages.screen")
    elif shown is not None and shown.kind == "seat":
        rooms().chairs.take(device, shown.seat, invited=shown.hands)
    rooms().house.nudge()
    answer = redirect(target, 303)
    return with_cookie(answer, token) if token else answer  # type: ignore[arg-type]


@pages.get("/host")
def host() -> AnyResponse:
    """Once there is a PIN, it lets the host in from anywhere; to set it one has to be let in."""
    return page("host") if rooms().pin.is_set else admitted("host")


@pages.get("/screen")
def screen() -> AnyResponse:
    return admitted("screen")


@pages.get("/print")
def sheet() -> AnyResponse:
    """A sheet with the table's QR, to be printed."""
    if not g.is_host:
        return host()
    code = rooms().tickets.code
    url = f"{rooms().address}/join/{code}"
    answer = render_template(
        "print.html", page="print", url=url, code=code, qr=f"/qr.svg?ticket={code}"
    )
    return make_response(answer)


@pages.get("/qr.svg")
def qr() -> AnyResponse:
    """The way in as a picture; for those who are in, or with a ticket they know."""
    ticket = request.args.get("ticket", "")
    if not ticket and g.device is not None:
        ticket = rooms().tickets.table
    if not ticket or not (g.device is not None and rooms().tickets.known(ticket)):
        raise NotThereError("api.no-such-page")
    drawn = io.BytesIO()
    code = segno.make(f"{rooms().address}/join/{ticket}", error="m", micro=False)
    code.save(drawn, kind="svg", border=2, xmldecl=False, svgns=True, omitsize=True, dark="#000")
    return Response(drawn.getvalue(), mimetype="image/svg+xml")


def told(problem: Problem, lang: str) -> AnyResponse:
    """A problem as a page."""
    text = say(problem.key, lang, **problem.facts)
    if isinstance(problem, (NotYoursError, WaitError)) and g.get("device") is None:
        return page("join", text, problem.status)
    return make_response(
        render_template("error.html", page="error", problem=text, status=problem.status),
        problem.status,
    )
