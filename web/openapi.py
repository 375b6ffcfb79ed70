"""The machine interface described to others: made from the same declarations that are enforced."""

from __future__ import annotations

import re
from typing import Any

from web.api import DESKS
from web.forms import Route

VERSION = "3.1.0"
PROBLEMS = {
    400: "The words of the request make no sense",
    401: "This device has not been let in: scan the table's QR",
    403: "Somebody else's to say, or the host's",
    404: "No such thing",
    409: "The referee, or the state of the table, says no",
    413: "Too much",
    415: "JSON is expected",
    429: "Guessed too often: wait",
    503: "A part of the table does not answer",
}
PROBLEM = {
    "type": "object",
    "required": ["error", "key"],
    "properties": {
        "error": {"type": "string", "description": "in the language of the device"},
        "key": {"type": "string"},
        "rule": {"type": "string", "description": "the rule that says no, if one does"},
        "seconds": {"type": "integer", "description": "how long to wait"},
    },
}
WHO: dict[str, list[dict[str, list[str]]]] = {
    "anybody": [],
    "guest": [{"device": []}],
    "host": [{"device": []}],
}


def document(routes: tuple[Route, ...] | None = None) -> dict[str, Any]:
    """The whole description."""
    paths: dict[str, Any] = {}
    for route in routes or tuple(one for desk in DESKS for one in desk.routes):
        place = paths.setdefault(re.sub(r"<(\w+)>", r"{\1}", route.path), {})
        place[route.method.lower()] = operation(route)
    paths["/healthz"] = {"get": HEALTH}
    paths["/openapi.json"] = {"get": ITSELF}
    return {
        "openapi": VERSION,
        "info": {
            "title": "Arbitre",
            "version": "1",
            "description": "One table: its game, who sits at it, what is plugged in. A device is "
            "let in by a QR code or the table's code and keeps a cookie; the host has a PIN "
            "besides. Streams tell versions; each device fetches its own view.",
        },
        "paths": paths,
        "components": {
            "schemas": {"Problem": PROBLEM},
            "securitySchemes": {"device": {"type": "apiKey", "in": "cookie", "name": "arbitre"}},
        },
    }


def operation(route: Route) -> dict[str, Any]:
    described: dict[str, Any] = {
        "summary": route.says,
        "operationId": re.sub(r"\W+", "_", f"{route.method}{route.path}").strip("_").lower(),
        "security": WHO[route.who],
        "responses": {"200": answer(route.kind, route.answer)},
    }
    for status in route.problems:
        described["responses"][str(status)] = problem(status)
    if route.who == "host":
        described["description"] = "Only for a device that has logged in as the host."
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in re.findall(r"<(\w+)>", route.path)
    ]
    parameters += [
        {"name": name, "in": "query", "schema": schema} for name, schema in route.query.items()
    ]
    if parameters:
        described["parameters"] = parameters
    if route.body is not None:
        content = {"application/json": {"schema": route.body}}
        described["requestBody"] = {"required": True, "content": content}
    return described


def answer(kind: str, schema: Any) -> dict[str, Any]:
    return {"description": "Done", "content": {kind: {"schema": schema}}}


def problem(status: int) -> dict[str, Any]:
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {"description": PROBLEMS[status], "content": content}


HEALTH = {
    "summary": "Whether the table runs",
    "operationId": "healthz",
    "responses": {
        "200": answer(
            "application/json",
            {"type": "object", "required": ["ok"], "properties": {"ok": {"type": "boolean"}}},
        ),
        "503": problem(503),
    },
}
ITSELF = {
    "summary": "This description",
    "operationId": "openapi",
    "responses": {"200": answer("application/json", {"type": "object", "required": ["openapi"]})},
}
