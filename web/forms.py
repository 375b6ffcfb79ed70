"""Forms and routes: each is declared once, checked by its schema and described by it to others."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from flask import Blueprint, Response, g, jsonify, request

from web.problems import BadFormError, NotYoursError, StrangerError

Schema = Mapping[str, Any]
Who = Literal["anybody", "guest", "host"]
Answer = dict[str, Any] | Response

TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
}

PLAIN = {  # for people, who know of no types
    "object": "api.not-object",
    "array": "api.not-array",
    "string": "api.not-string",
    "integer": "api.not-integer",
    "number": "api.not-number",
    "boolean": "api.not-boolean",
}


def text(most: int = 200, **more: Any) -> Schema:
    return {"type": "string", "maxLength": most, **more}


def one_of(*values: str) -> Schema:
    return {"type": "string", "enum": list(values)}


def whole(least: int, most: int) -> Schema:
    return {"type": "integer", "minimum": least, "maximum": most}


def many(items: Schema, most: int = 60) -> Schema:
    return {"type": "array", "items": items, "maxItems": most}


def form(needed: Mapping[str, Schema], free: Mapping[str, Schema] | None = None) -> Schema:
    """An object with just these fields."""
    return {
        "type": "object",
        "properties": {**needed, **(free or {})},
        "required": list(needed),
        "additionalProperties": False,
    }


def table_of(values: Schema, most: int = 60) -> Schema:
    """An object with any names."""
    return {"type": "object", "additionalProperties": values, "maxProperties": most}


SEAT = text(12)
FLAG: Schema = {"type": "boolean"}


def fit(schema: Schema, value: Any, where: str = "") -> None:
    """BadFormError where a value does not fit its schema."""
    kinds = schema.get("type")
    if kinds is not None and not any(is_a(value, kind) for kind in listed(kinds)):
        raise BadFormError(PLAIN[listed(kinds)[0]], name=where or "JSON")
    if "enum" in schema and value not in schema["enum"]:
        choices = ", ".join(map(str, schema["enum"]))
        raise BadFormError("api.bad-field", name=where or "JSON", choices=choices)
    if isinstance(value, str):
        fit_text(schema, value, where)
    elif isinstance(value, dict):
        fit_object(schema, value, where)
    elif isinstance(value, list):
        if len(value) > schema.get("maxItems", len(value)):
            raise BadFormError("api.too-many", name=where or "JSON", most=schema["maxItems"])
        for n, item in enumerate(value):
            fit(schema.get("items", {}), item, f"{where}[{n}]")
    elif is_a(value, "number"):
        low, high = schema.get("minimum", value), schema.get("maximum", value)
        if not low <= value <= high:
            raise BadFormError("api.out-of-range", name=where or "JSON", low=low, high=high)


def fit_text(schema: Schema, value: str, where: str) -> None:
    if len(value) > schema.get("maxLength", len(value)):
        raise BadFormError("api.too-long", name=where, most=schema["maxLength"])
    if len(value) < schema.get("minLength", 0):
        raise BadFormError("api.too-short", name=where, least=schema["minLength"])
    if "pattern" in schema and not re.search(schema["pattern"], value):
        raise BadFormError("api.other-form", name=where)
    try:
        value.encode()
    except UnicodeEncodeError:  # half a character
        raise BadFormError("api.other-form", name=where) from None


def fit_object(schema: Schema, value: Mapping[str, Any], where: str) -> None:
    properties = schema.get("properties", {})
    others = schema.get("additionalProperties", True)
    for name in schema.get("required", ()):
        if name not in value:
            raise BadFormError("api.missing-field", name=name)
    if len(value) > schema.get("maxProperties", len(value)):
        raise BadFormError("api.too-many", name=where or "JSON", most=schema["maxProperties"])
    for name, item in value.items():
        fit_text(schema.get("propertyNames", {"maxLength": 60}), name, where or "?")
        if name in properties:
            fit(properties[name], item, f"{where}.{name}" if where else name)
        elif others is False:
            raise BadFormError("api.unknown-field", name=name[:40])
        elif isinstance(others, Mapping):
            fit(others, item, f"{where}.{name}" if where else name)


def listed(kinds: str | Sequence[str]) -> Sequence[str]:
    return [kinds] if isinstance(kinds, str) else kinds


def is_a(value: Any, kind: str) -> bool:
    if kind in ("integer", "number") and isinstance(value, bool):
        return False
    return isinstance(value, TYPES[kind])


# routes


@dataclass(frozen=True)
class Route:
    """One way of asking, as it is described to others."""

    method: str
    path: str
    says: str
    who: Who
    body: Schema | None
    query: Mapping[str, Schema]
    answer: Schema
    kind: str  # of the answer: a media type
    problems: tuple[int, ...]


class Desk:
    """A blueprint whose routes are declared with their forms."""

    def __init__(self, name: str) -> None:
        self.blueprint = Blueprint(name, __name__)
        self.routes: list[Route] = []

    def route(
        self,
        method: str,
        path: str,
        says: str,
        *,
        who: Who = "guest",
        body: Schema | None = None,
        query: Mapping[str, Schema] | None = None,
        answer: Schema | None = None,
        kind: str = "application/json",
        problems: tuple[int, ...] = (),
    ) -> Callable[[Callable[..., Answer]], Callable[..., Answer]]:
        """Declares a view; `problems` are its own statuses besides those of its forms."""
        if body is None and method == "POST":
            body = form({})
        described = {"type": "object"} if answer is None else answer
        declared = Route(
            method, path, says, who, body, query or {}, described, kind,
            tuple(sorted({*problems, *usual(who, body, query)})),
        )  # fmt: skip

        def declare(view: Callable[..., Answer]) -> Callable[..., Answer]:
            def answered(**words: str) -> Response:
                let_in(who)
                if declared.query:
                    g.asked = asked(declared.query)
                if body is not None:
                    g.form = received(body)
                given = view(**words)
                return given if isinstance(given, Response) else jsonify(given)

            self.routes.append(declared)
            self.blueprint.add_url_rule(
                path, endpoint=view.__name__, view_func=answered, methods=[method]
            )
            return view

        return declare


def usual(who: Who, body: Schema | None, query: object) -> set[int]:
    found = {401} if who != "anybody" else set()
    if who == "host":
        found.add(403)
    if body is not None:
        found |= {400, 403, 413, 415}
    return found | ({400} if query else set())


def let_in(who: Who) -> None:
    if who != "anybody" and g.device is None:
        raise StrangerError("api.stranger")
    if who == "host" and not g.is_host:
        raise NotYoursError("api.host-only")


def received(schema: Schema) -> dict[str, Any]:
    """The JSON of the request, if it fits."""
    try:
        value = request.get_json()
    except RecursionError:
        raise BadFormError("api.bad-json") from None
    fit(schema, value)
    found: dict[str, Any] = value
    return found


def asked(schemas: Mapping[str, Schema]) -> dict[str, str]:
    """The words after the question mark; whatever else is there is not looked at."""
    found = {}
    for name, schema in schemas.items():
        value = request.args.get(name)
        if value is not None:
            fit(schema, value, name)
            found[name] = value
        elif schema.get("needed"):
            raise BadFormError("api.missing-field", name=name)
    return found
