"""`arbitre play` as a person starts it, its settings, and learning a table from its page."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.ports import PortError
from hardware.twin.desk import Desk
from vision.cameras import CameraError, Frame
from web import settings as told
from web.learned import Learned
from web.play import configured, parser, play
from web.problems import ConflictError
from web.settings import Config, ConfigError, HostSettings, read_config
from web.sources import find_camera, find_lights
from web.wizard import Wizard

LONG = 60.0


class Running:
    """The program in a process of its own, as far as what it prints at the start."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "web.command", "play", "--port", "0", "--data", str(folder),
             "--camera", "none", "--serial", "none", "--lang", "en", *words],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
        )  # fmt: skip
        self.said = ""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said += line
            if "Ctrl+C" in line:
                break
        found = re.search(r":(\d+)/join/([\w-]+)", self.said)
        assert found is not None, self.said
        self.port, self.ticket = int(found[1]), found[2]
        self.cookie = ""

    def ask(self, path: str, form: dict[str, Any] | None = None) -> tuple[int, str]:
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LONG)
        headers = {"Cookie": self.cookie, "Content-Type": "application/json"}
        body = None if form is None else json.dumps(form)
        line.request("GET" if form is None else "POST", path, body, headers)
        answer = line.getresponse()
        self.cookie = (answer.headers["Set-Cookie"] or self.cookie).split(";")[0]
        found = answer.status, answer.read().decode()
        line.close()
        return found

    def view(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.ask("/api/view")[1])
        return found

    def stop(self, number: int = signal.SIGTERM) -> None:
        self.process.send_signal(number)
        self.process.wait(LONG)


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Running]]:
    running: list[Running] = []

    def begin(*words: str) -> Running:
        running.append(Running(tmp_path / "data", *words))
        return running[-1]

    yield begin
    for one in running:
        if one.process.poll() is None:
            one.process.kill()
        one.process.communicate()


def test_starts_without_hardware_says_so_and_goes_on_after_a_crash(
    start: Callable[..., Running], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = start("--game", "tijou")
    assert "█" in first.said  # the QR
    assert "plays are tapped" in first.said
    assert first.ask(f"/join/{first.ticket}")[0] == 303
    assert first.ask("/api/seat/take", {"seat": "a", "name": "Léa"})[0] == 200
    assert first.ask("/api/chance", {"what": "lots"})[0] == 200
    view = first.view()
    assert view["match"]["game"] == "tijou"
    assert view["health"]["camera"]["there"] is False
    assert view["health"]["journal"]["there"] is True
    first.stop(signal.SIGKILL)

    again = start("--game", "barricades")  # an evening that goes on is not interrupted
    assert "Tijou" in again.said
    again.cookie = first.cookie
    after = again.view()
    assert after["match"] == view["match"]
    assert after["you"]["seats"] == ["a"]
    assert after["boot"] != view["boot"]
    words = ["--data", str(tmp_path / "data"), "--port", "0", "--camera", "none"]
    assert play([*words, "--serial", "none"]) == 2  # two programs do not share a folder
    assert "another Arbitre" in capsys.readouterr().err
    again.stop()
    assert again.process.returncode == 0


def test_stops_cleanly_in_the_midst_of_a_picture(start: Callable[..., Running]) -> None:
    running = start("--camera", "twin")
    running.stop()
    assert running.process.returncode == 0


def test_what_cannot_be_started_is_said_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "bad.toml").write_text('port = "many"\n')
    (tmp_path / "damaged").mkdir()
    (tmp_path / "damaged" / "chairs.json").write_text("{")
    (tmp_path / "torn.toml").write_text('port = 80\ncamera = "usb')
    taken = socket.create_server(("0.0.0.0", 0))
    used = str(taken.getsockname()[1])
    data = ["--data", str(tmp_path / "data")]
    alone = [*data, "--camera", "none", "--serial", "none"]
    for words, said in (
        ([*alone, "--port", used], f"port {used} is used by another program"),
        ([*alone, "--port", "0", "--host", "here..there"], "no address"),
        ([*alone, "--port", "0", "--host", "203.0.113.9"], "not an address of this machine"),
        ([*data, "--config", str(tmp_path / "torn.toml")], "torn.toml: Unterminated string"),
        (["--data", str(tmp_path / "file")], "file"),
        ([*data, "--config", str(tmp_path / "bad.toml")], "port is a number"),
        ([*data, "--config", str(tmp_path / "none.toml")], "no file"),
        ([*data, "--camera", "nonsense"], "no camera"),
        ([*data, "--serial", "wled:"], "wled"),
        ([*data, "--port", "99999"], "arbitre play: port is 0 to 65535"),
        (["--data", str(tmp_path / "damaged"), "--camera", "none"], "chairs.json is damaged"),
        ([*data, "--game", "chess"], "chess"),
    ):
        assert play(words) == 2, words
        error = capsys.readouterr().err
        assert said in error, words
        assert error.count("\n") == 1, words
        assert "Traceback" not in error
    taken.close()


def test_the_file_that_explains_every_setting_is_true(tmp_path: Path) -> None:
    (tmp_path / told.CONFIG).write_text(told.EXAMPLE)
    assert read_config(tmp_path) == Config(tmp_path)
    described = set(re.findall(r"^(\w+) = ", told.EXAMPLE, re.MULTILINE))
    assert described == {name for name in Config.__dataclass_fields__ if name != "data"}


def test_words_on_the_command_line_win_over_the_file(tmp_path: Path) -> None:
    (tmp_path / told.CONFIG).write_text('port = 8080\nbrightness = 20\nserial = "none"\n')
    words = parser().parse_args(["--data", str(tmp_path), "--port", "9000"])
    config = configured(words)
    assert (config.port, config.brightness, config.serial) == (9000, 20, "none")


def test_settings_that_make_no_sense_are_named(tmp_path: Path) -> None:
    for text, said in (
        ("prot = 1", 'no setting "prot"'),
        ("brightness = 300", "brightness is 0 to 255"),
        ("camera_size = [1, 2, 3]", "camera_size is two numbers"),
        ('language = "de"', "language is one of fr, en, not de"),
        ("baud = 5", "baud is one of 115200, "),
        ("port = true", "port is a number"),
        ("port = ", "arbitre.toml"),
    ):
        (tmp_path / told.CONFIG).write_text(text)
        with pytest.raises(ConfigError, match=said):
            read_config(tmp_path)


def test_the_hosts_choices_survive_and_nonsense_in_their_file_does_not(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    HostSettings.load(path, "fr").change({"pictures": "week", "guests": "open"})
    path.write_text(path.read_text().replace('"fr"', '"klingon"'))
    again = HostSettings.load(path, "en")
    assert again.kept() == {"pictures": "week", "language": "en", "guests": "open"}


def test_finds_what_is_named_and_says_what_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.sources.ports.found", lambda: ())
    monkeypatch.setattr("web.sources.usb.listed", lambda: [(2, "a webcam")])
    camera, remark = find_camera(Config(tmp_path))
    assert camera is None  # somebody's webcam is not switched on unasked
    assert dict(remark.facts)["source"] == "usb:2"
    camera, _ = find_camera(Config(tmp_path, camera="twin:tijou"))
    assert camera is not None
    assert find_lights(Config(tmp_path))[0] is None
    assert find_lights(Config(tmp_path, serial="emulator://"))[0] is not None
    away = find_lights(Config(tmp_path, serial="/dev/no-such-port"))  # it may be plugged in later
    assert (away[0] is not None, away[1].key) == (True, "play.lights-away")
    with pytest.raises(PortError):
        find_lights(Config(tmp_path, serial="wled:"))
    with pytest.raises(CameraError):
        find_camera(Config(tmp_path, camera="nothing"))


def test_the_host_teaches_a_table_from_the_page(tmp_path: Path) -> None:
    desk = Desk.of("tijou", (640, 480))
    news: list[str] = []
    learned = Learned(tmp_path)
    frame = Frame(desk.picture(0), 0.0, 1)
    wizard = Wizard(
        learned, lambda: frame, lambda: news.append("kept"), lambda: news.append("learned")
    )
    with pytest.raises(ConflictError):
        wizard.take_pieces(None)
    wizard.begin("tijou")
    with pytest.raises(ConflictError):
        wizard.learn()
    wizard.take_pieces(None)
    wizard.learn()
    end = time.monotonic() + LONG
    while not news:
        assert time.monotonic() < end
        time.sleep(0.02)
    state = wizard.state()
    assert (state["stage"], state["problem"]) == ("learned", "")
    assert state["grades"]
    assert wizard.live(marked=True) != wizard.live(marked=False)
    wizard.keep()
    assert news == ["learned", "kept"]
    assert learned.knows("tijou")
    found = learned.read("tijou", frame.bgr)
    assert found is not None
    assert found[0].name == "tijou"
    assert len(found[1].pieces) > 10


def test_pictures_nothing_can_be_learned_from_are_said(tmp_path: Path) -> None:
    frame = Frame(Desk.of("tijou", (640, 480)).picture(0) * 0, 0.0, 1)
    news: list[str] = []
    wizard = Wizard(Learned(tmp_path), lambda: frame, lambda: None, lambda: news.append("learned"))
    wizard.begin("tijou")
    wizard.take_empty()
    wizard.learn()
    end = time.monotonic() + LONG
    while not news:
        assert time.monotonic() < end
        time.sleep(0.02)
    assert wizard.state()["stage"] == "failed"
    assert wizard.state()["problem"]
    with pytest.raises(ConflictError):
        wizard.keep()
