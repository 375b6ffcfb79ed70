"""The Flask application: pages and API over one running table."""

from __future__ import annotations

import importlib
import logging
from typing import Any

from flask import Flask, Response, g, jsonify, request
from werkzeug.exceptions import HTTPException

from referee.match import NotNowError
from referee.plays import RefereeError
from web import wording
from web.api import DESKS
from web.guard import guard, rooms
from web.house import BusyError, House
from web.openapi import document
from web.pages import context, pages, told
from web.problems import AwayError, BadFormError, NotThereError, Problem
from web.reception import Fittings, Reception
from web.settings import Config, HostSettings
from web.windows import voice_of

log = logging.getLogger(__name__)

# of other rooms: "module:name"
BLUEPRINTS: tuple[str, ...] = ("web.rulesbook:pages", "web.twin.pages:pages")
LARGEST = 64 * 1024  # bytes of a request
KEYS = {400: "api.bad-json", 403: "api.host-only", 404: "api.no-such-page", 405: "api.no-such-page",
        413: "api.too-much", 415: "api.json-only"}  # fmt: skip


def create_app(
    house: House,
    settings: Config,
    fittings: Fittings | None = None,
    chosen: HostSettings | None = None,
) -> Flask:
    """An application for a house that is not yet started; `chosen` is what the host has set."""
    app = Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = LARGEST
    app.config["MAX_FORM_MEMORY_SIZE"] = LARGEST
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.json.ensure_ascii = False  # type: ignore[attr-defined]
    app.extensions["arbitre"] = Reception(house, settings, fittings, chosen)
    guard(app)
    app.context_processor(context)
    app.register_blueprint(pages)
    for desk in DESKS:
        app.register_blueprint(desk.blueprint)
    for name in BLUEPRINTS:
        module, thing = name.split(":")
        app.register_blueprint(getattr(importlib.import_module(module), thing))
    app.add_url_rule("/healthz", view_func=healthz)
    app.add_url_rule("/openapi.json", view_func=openapi)
    app.register_error_handler(Problem, on_problem)
    app.register_error_handler(RefereeError, on_refusal)
    app.register_error_handler(BusyError, on_busy)
    app.register_error_handler(HTTPException, on_http)
    app.register_error_handler(Exception, on_fault)
    return app


def healthz() -> Response:
    """Whether the table answers."""
    rooms().house.ask(lambda owner: owner.version, 1.0)
    return jsonify({"ok": True, "version": rooms().house.now.version, "boot": rooms().boot})


def openapi() -> Response:
    return jsonify(document())


def for_machines() -> bool:
    return request.path.startswith(("/api/", "/healthz", "/openapi.json", "/qr.svg"))


def problem_answer(problem: Problem, rule: str = "") -> Any:
    lang = g.get("lang", "fr")
    if not for_machines():
        return told(problem, lang)
    body = {"error": wording.say(problem.key, lang, **problem.facts), "key": problem.key}
    if rule:
        body["rule"] = rule
    answer = jsonify(body | {k: v for k, v in problem.facts.items() if k == "seconds"})
    answer.status_code = problem.status
    if "seconds" in problem.facts:
        answer.headers["Retry-After"] = str(problem.facts["seconds"])
    return answer


def on_problem(problem: Problem) -> Any:
    return problem_answer(problem)


def on_refusal(error: RefereeError) -> Any:
    """The referee says no: 409 where it is not the moment, 400 where it makes no sense."""
    voice = voice_of(rooms(), rooms().house.now, g.get("lang", "fr"))
    status = 409 if isinstance(error, NotNowError) else 400
    text, key, rule = wording.refusal(error, voice)
    body = {"error": text, "key": key} | ({"rule": rule} if rule else {})
    answer = jsonify(body)
    answer.status_code = status
    return answer


def on_busy(error: BusyError) -> Any:
    log.error("%s", error)
    return problem_answer(AwayError("api.busy"))


def on_http(error: HTTPException) -> Any:
    """Flask's own refusals, in our words."""
    status = error.code or 500
    if status < 400:
        return error
    problem: Problem = NotThereError(KEYS[404])
    if status in KEYS:
        problem = BadFormError(KEYS[status])
    problem.status = status
    answer = problem_answer(problem)
    if status == 405:
        answer.headers["Allow"] = ", ".join(sorted(getattr(error, "valid_methods", None) or ()))
    return answer


def on_fault(error: Exception) -> Any:
    """A fault of ours: logged whole, told in a word."""
    asked = request.url_rule or request.path  # without the ticket that may be in it
    log.exception("%s %s failed", request.method, asked, exc_info=error)
    problem = Problem("api.fault")
    return problem_answer(problem)
