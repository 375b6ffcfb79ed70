"""The virtual table in the running program: seen, played at, and things pulled out of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from referee.table import Table
from vision.cameras import Steady
from web.app import create_app
from web.eyes import Eyes
from web.house import House
from web.opening import laid, opening
from web.reception import Fittings, Reception
from web.settings import Config
from web.twin.hands import Hands
from web.twin.setting import Setting, players, virtual_sources
from web.twin.table import TwinTables


@dataclass
class Room:
    """A table with its virtual camera, one frame at a time."""

    house: House
    eyes: Eyes
    setting: Setting
    rooms: Reception
    tables: TwinTables
    time: list[float]
    client: FlaskClient  # at the table's own machine, let in

    @property
    def table(self) -> Table:
        found = self.house.now.table
        assert found is not None
        return found

    def looks(self, until: Callable[[Table], bool], most: int = 40) -> Table:
        for _ in range(most):
            self.eyes.step()
            self.time[0] += 0.2
            if until(self.table):
                return self.table
        raise AssertionError(f"not after {most} frames: {self.table.stage} {self.eyes.sight}")

    def text(self, part: str) -> str:
        return self.rooms.health(self.house.now)[part].key


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is learned of the desk, kept for all tests here."""
    return tmp_path_factory.mktemp("learned")


@pytest.fixture
def enter(house: House, tmp_path: Path, learned: Path) -> Callable[[str], Room]:
    """Opens the room with a game in it."""

    def entered(game: str) -> Room:
        config = Config(tmp_path, camera="twin", serial="none")
        table, camera, sources = virtual_sources(config, house)
        sources.tables.folder = learned  # type: ignore[attr-defined]
        time = [0.0]
        camera._clock = lambda: time[0]
        camera._sleep = lambda seconds: None
        steady = Steady(camera, lambda: time[0], lambda seconds: None)
        eyes = Eyes(steady, house, sources.tables)
        app = create_app(house, config, Fittings(eyes=eyes))
        rooms: Reception = app.extensions["arbitre"]
        setting = players(house, table, camera, rooms, game)
        setting.hands = Hands(lambda seconds: None)
        app.extensions["arbitre-twin"] = setting
        house.start()
        house.say(opening({"game": game, "mode": "phone"}, rooms.chance, camera=True))
        setting.demo.lay(house.now)
        client = app.test_client()
        client.get("/")
        assert isinstance(sources.tables, TwinTables)
        return Room(house, eyes, setting, rooms, sources.tables, time, client)

    return entered


@pytest.fixture
def room(enter: Callable[[str], Room]) -> Room:
    return enter("tijou")


def test_the_camera_unplugged_and_plugged_in_again(room: Room) -> None:
    room.looks(lambda table: table.stage == "still")
    assert room.text("camera") == "camera.watching"

    room.setting.camera.plugged = False
    room.looks(lambda table: not table.camera)
    assert room.text("camera") == "camera.trouble"
    room.house.say(room.rooms.chance.lots(room.table.match))  # play goes on
    assert room.table.match.phase in ("shuffle", "deal")

    room.setting.camera.plugged = True
    room.looks(lambda table: table.camera and table.stage == "still")
    assert room.text("camera") == "camera.watching"


def test_what_was_learned_of_the_desk_and_cannot_be_read_is_learned_again(room: Room) -> None:
    room.looks(lambda table: table.stage == "still")
    kept = room.tables.path("tijou")
    good = kept.read_bytes()
    kept.write_bytes(good[: len(good) // 2])
    room.eyes.relearn()
    room.looks(lambda table: room.text("camera") == "camera.watching")
    assert len(kept.read_bytes()) > len(good) // 2


def test_a_piece_dragged_on_the_page_is_seen_by_the_camera(room: Room) -> None:
    room.looks(lambda table: table.stage == "still")
    state = room.client.get("/api/twin").get_json()
    assert state["pieces"]["ac1"] == ["red"]

    reached = room.client.post("/api/twin/reach", json={"x": 200, "y": 200, "piece": "red"})
    assert reached.status_code == 200
    room.looks(lambda table: table.hidden == "hand")
    moved = {"from": "ac1", "to": "5", "piece": "red"}
    assert room.client.post("/api/twin/move", json=moved).status_code == 200
    room.setting.table.desk.reach(None)
    seen = room.looks(lambda table: table.stage == "wrong")
    assert ("a", "5") in seen.seen.pieces  # type: ignore[union-attr]
    assert room.client.post("/api/twin/move", json=moved).status_code == 409

    for _ in range(2):  # the second time all is in order already
        assert room.client.post("/api/twin/do", json={"what": "tidy"}).status_code == 200
    room.looks(lambda table: table.stage == "still")
    picture = room.client.get("/api/twin/picture.jpg")
    assert picture.mimetype == "image/jpeg"
    assert picture.data[:2] == b"\xff\xd8"


def test_a_row_pushed_on_the_page_is_seen_by_the_camera(enter: Callable[[str], Room]) -> None:
    room = enter("trikolos")
    room.looks(lambda table: table.stage == "still")
    assert room.client.post("/api/twin/push", json={"row": 4}).status_code == 200
    room.setting.table.desk.reach(None)
    seen = room.looks(lambda table: table.stage in ("unfinished", "pending", "wrong"))
    assert seen.stage == "unfinished"  # a pawn has to enter
    lying = room.setting.table.desk.standing()
    assert (
        {(names[0], cell) for cell, names in lying.items() if cell[1:] == "4"}
        == {
            one
            for one in seen.seen.pieces  # type: ignore[union-attr]
            if one[1][1:] == "4"
        }
    )
    assert room.client.post("/api/twin/push", json={"row": 7}).status_code == 400

    assert room.client.post("/api/host/pin", json={"pin": "2468"}).status_code == 200
    opened = room.client.post("/api/host/open", json={"game": "trikolos"})
    assert opened.status_code == 200, opened.text  # a new game, on the tiles as they lie now
    match = room.table.match
    form = match.game.write(match.setup, match.position)
    on_desk = laid((name, cell) for cell, names in lying.items() for name in names)
    assert (*form["tiles"], form["spare"]) == on_desk
    assert room.table.camera

    room.setting.table.desk.take("spare")
    refused = room.client.post("/api/twin/push", json={"row": 1})
    assert refused.status_code == 409
    assert "1" in refused.get_json()["error"]


def test_lamps_knocks_cards_and_plugs(room: Room) -> None:
    room.looks(lambda table: table.stage == "still")
    client = room.client
    for what in ("bump", "topple", "cards", "no-cards", "bump", "tidy", "let-go"):
        assert client.post("/api/twin/do", json={"what": what}).status_code == 200
    assert client.post("/api/twin/lamp", json={"lamp": "evening"}).get_json()["lamp"] == "evening"
    room.looks(lambda table: table.stage == "still")
    for what in ("camera", "players"):
        told = client.post("/api/twin/plug", json={"what": what, "in": False}).get_json()
        assert told["camera" if what == "camera" else "playing"] is False
    assert 1 <= client.post("/api/twin/die", json={}).get_json()["value"] <= 6
    assert client.post("/api/twin/do", json={"what": "explode"}).status_code == 400
    page = client.get("/twin")
    assert page.status_code == 200
    assert "twin.js" in page.text


def test_a_real_table_has_no_virtual_one(house: House, config: Config) -> None:
    client = create_app(house, config).test_client()
    assert client.get("/twin").status_code == 404
