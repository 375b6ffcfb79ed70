"""A house that runs, an application over it, and phones that were let in."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from web.app import create_app
from web.chance import Chance
from web.house import House
from web.journal import Journal
from web.owner import Owner
from web.reception import Reception
from web.settings import Config

PIN = "2468"


@dataclass
class Phone:
    """One device and its cookies."""

    client: FlaskClient

    def get(self, path: str) -> TestResponse:
        return self.client.get(path)

    def post(self, path: str, **body: Any) -> TestResponse:
        return self.client.post(path, json=body)

    def view(self, page: str = "player") -> dict[str, Any]:
        answer = self.get(f"/api/view?page={page}")
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.get_json()
        return found

    def says(self, event: str, **fields: Any) -> TestResponse:
        return self.post("/api/event", event=event, **fields)

    def sits(self, *seats: str) -> Phone:
        for seat in seats:
            assert self.post("/api/seat/take", seat=seat).status_code == 200
        return self


def house_in(folder: Path, seed: int = 7) -> House:
    """A table whose journal is in a folder, its chance foretold."""
    chance = Chance(random.Random(seed))
    return House(Owner(chance, lambda: Journal.open(folder / "journal.sqlite")))


@pytest.fixture
def new_house(tmp_path: Path) -> Iterator[Callable[[], House]]:
    """Makes houses over one data folder: one after the other, as the program is started again."""
    made: list[House] = []

    def begin() -> House:
        made.append(house_in(tmp_path))
        return made[-1]

    yield begin
    for one in made:
        one.stop()


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return Config(tmp_path, camera="none", serial="none")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    running = house_in(tmp_path)
    yield running
    running.stop()


@pytest.fixture
def app(house: House, config: Config) -> Flask:
    made = create_app(house, config)
    made.testing = True
    made.config["PROPAGATE_EXCEPTIONS"] = False
    house.start()
    return made


@pytest.fixture
def rooms(app: Flask) -> Reception:
    found: Reception = app.extensions["arbitre"]
    return found


@pytest.fixture
def phone(app: Flask, rooms: Reception) -> Callable[[], Phone]:
    """Makes phones that have scanned the QR."""

    def scanned() -> Phone:
        found = Phone(app.test_client())
        assert found.get(f"/join/{rooms.tickets.table}").status_code == 303
        return found

    return scanned


@pytest.fixture
def host(phone: Callable[[], Phone]) -> Phone:
    """The host, logged in."""
    found = phone()
    assert found.post("/api/host/pin", pin=PIN).status_code == 200
    return found
