"""The description at /openapi.json is true: what it promises is tried with made-up requests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import hypothesis
import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, Phase
from schemathesis.core.result import Ok

from referee import events
from web.reception import Reception

ENDLESS = "/api/stream"
TRIED = hypothesis.settings(
    max_examples=6,
    derandomize=True,
    deadline=None,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture
def table(host: Any, rooms: Reception) -> None:
    host.post("/api/host/open", game="tock-fadoq", mode="phone")
    rooms.say(events.Lots(seat="d"))
    rooms.say(events.Dealt(seat="d"))


@contextmanager
def allowed(rooms: Reception) -> Iterator[dict[str, str]]:
    """A device that may do everything, whatever earlier requests did."""
    token, device = rooms.chairs.admit()
    rooms.chairs.take(rooms.chairs.host_in(device), "a", invited=rooms.chairs.hands("a"))
    plain = {"Accept-Encoding": "identity"}  # the tester does not unpack
    yield plain | {"Cookie": f"arbitre={token}", "Host": "localhost"}
    rooms.chairs.forget(device)


@pytest.mark.usefixtures("table")
def test_every_route_keeps_its_word(app: Flask, rooms: Reception) -> None:
    schema = schemathesis.openapi.from_wsgi("/openapi.json", app)
    tried = 0
    for found in schema.get_all_operations():
        operation: Any = found.ok() if isinstance(found, Ok) else pytest.fail(str(found))
        if operation.path == ENDLESS:
            continue
        keep_word(operation.as_strategy(), rooms)
        tried += 1
    assert tried >= 35


def keep_word(strategy: Any, rooms: Reception) -> None:
    @TRIED
    @hypothesis.given(strategy)
    def asked(case: Any) -> None:
        with allowed(rooms) as headers:
            case.call_and_validate(headers=headers)

    asked()


def test_every_route_of_the_application_is_described(app: Flask) -> None:
    paths = app.test_client().get("/openapi.json").get_json()["paths"]
    served = {
        (rule.rule.replace("<", "{").replace(">", "}"), method.lower())
        for rule in app.url_map.iter_rules()
        for method in rule.methods or ()
        if rule.rule.startswith("/api/") and method in ("GET", "POST", "DELETE")
    }
    described = {(path, method) for path, one in paths.items() for method in one}
    assert served == {one for one in described if one[0].startswith("/api/")}


def test_the_document_is_a_valid_one(app: Flask) -> None:
    document = app.test_client().get("/openapi.json").get_json()
    assert document["openapi"].startswith("3.1")
    schemathesis.openapi.from_dict(document).validate()
