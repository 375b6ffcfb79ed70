"""Another system's files stand for a computer: what is written, renewed, and brought back."""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from web.machine import releases as made
from web.machine.computer import Computer
from web.machine.install import (
    InstallError,
    answers,
    check,
    install,
    know_itself,
    port_of,
    settle,
    wifi_of,
    write_files,
)
from web.machine.levers import wifi_words
from web.machine.releases import ReleaseError, Releases

BOOKWORM = 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nVERSION_CODENAME=bookworm\n'


@pytest.fixture
def computer(tmp_path: Path) -> Computer:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc" / "os-release").write_text(BOOKWORM)
    return Computer(tmp_path)


@pytest.fixture
def source(tmp_path: Path) -> Callable[[str], Path]:
    """A clone with one more commit at each call."""
    folder = tmp_path / "clone"
    folder.mkdir()
    git = ["git", "-c", "user.name=x", "-c", "user.email=x@example.org", "-C", str(folder)]
    subprocess.run([*git, "init", "-q"], check=True)

    def committed(text: str) -> Path:
        (folder / "page").write_text(text)
        subprocess.run([*git, "add", "page"], check=True)
        subprocess.run([*git, "commit", "-q", "-m", text], check=True)
        (folder / "page").write_text("not committed")
        return folder

    return committed


def test_files_are_written_and_a_second_time_changes_neither_settings_nor_password(
    computer: Computer,
) -> None:
    check(computer)
    write_files(computer, "arbitre")
    settle(computer, "arbitre")
    wifi, settings = wifi_of(computer), computer.file("/etc/arbitre/arbitre.toml")
    assert wifi is not None
    assert len(wifi.password) >= 12
    assert f"S:{wifi.name};" in wifi_words(wifi)
    assert port_of(settings) == 80
    settings.write_text("port = 8080\n")
    write_files(computer, "arbitre")
    assert (wifi_of(computer), port_of(settings)) == (wifi, 8080)
    announced = computer.text("/etc/avahi/services/arbitre.service")
    assert "<port>8080</port>" in announced
    secret = computer.file("/etc/NetworkManager/system-connections/arbitre-hotspot.nmconnection")
    assert secret.stat().st_mode & 0o777 == 0o600
    wants = computer.file("/etc/systemd/system/multi-user.target.wants/arbitre.service")
    assert wants.readlink() == Path("/etc/systemd/system/arbitre.service")


@pytest.mark.parametrize(("own", "name"), [("raspberrypi", "arbitre"), ("ludo", "ludo")])
def test_a_computer_that_has_a_name_keeps_it(computer: Computer, own: str, name: str) -> None:
    computer.file("/etc/hostname").write_text(f"{own}\n")
    write_files(computer, "arbitre")
    assert f'name = "{name}.local"' in computer.text("/etc/arbitre/arbitre.toml")


def test_a_renamed_computer_knows_itself(computer: Computer) -> None:
    computer.file("/etc/hosts").write_text("127.0.0.1\tlocalhost\n127.0.1.1\traspberrypi\n")
    know_itself(computer, "arbitre")
    lines = computer.text("/etc/hosts").splitlines()
    assert lines == ["127.0.0.1\tlocalhost", "127.0.1.1\tarbitre"]


def test_a_release_is_what_was_committed(tmp_path: Path, source: Callable[[str], Path]) -> None:
    releases = Releases(tmp_path / "opt")
    release = releases.stage(source("one"), lambda place: None)
    assert (release / "page").read_text() == "one"
    assert not (release / ".git").exists()


def test_a_new_release_replaces_the_old_and_there_is_a_way_back(
    tmp_path: Path, source: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    releases, hours = Releases(tmp_path / "opt"), iter(range(10, 24))
    monkeypatch.setattr(time, "strftime", lambda form, at: f"20260101-{next(hours)}0000")
    staged = []
    for text in ("one", "two", "three", "four", "five"):
        staged.append(releases.stage(source(text), lambda place: None))
        releases.switch(staged[-1])
        releases.tidy()
    shown = tmp_path / "opt" / "current" / "page"
    assert shown.read_text() == "five"
    assert releases.all() == staged[2:]
    assert releases.back() == staged[3].resolve()
    assert shown.read_text() == "four"
    releases.tidy()
    releases.back()
    assert shown.read_text() == "five"


def test_what_fails_half_way_leaves_nothing(tmp_path: Path, source: Callable[[str], Path]) -> None:
    releases = Releases(tmp_path / "opt")

    def fails(place: Path) -> None:
        made.run("false", place)

    with pytest.raises(ReleaseError, match="false"):
        releases.stage(source("one"), fails)
    assert list((tmp_path / "opt" / "releases").iterdir()) == []
    with pytest.raises(ReleaseError, match="no earlier release"):
        releases.back()


def test_an_unpacked_archive_is_copied_too(tmp_path: Path) -> None:
    folder = tmp_path / "unpacked"
    (folder / "build").mkdir(parents=True)
    (folder / "page").write_text("one")
    release = Releases(tmp_path / "opt").stage(folder, lambda place: None)
    assert sorted(path.name for path in release.iterdir()) == [".ready", "page"]


def test_what_stands_in_the_way_is_one_line(
    computer: Computer, capsys: pytest.CaptureFixture[str]
) -> None:
    root = ["--root", str(computer.root)]
    assert install(["rollback", *root]) == 2
    assert "no earlier release" in capsys.readouterr().err
    computer.file("/etc/os-release").write_text("VERSION_CODENAME=bullseye\n")
    assert install(["install", *root]) == 2
    said = capsys.readouterr().err
    assert "bullseye" in said
    assert said.count("\n") == 1
    with pytest.raises(InstallError):
        check(computer)


def test_a_table_that_answers_is_noticed_and_one_that_does_not(tmp_path: Path) -> None:
    class Healthy(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path == "/healthz" else 404)
            self.end_headers()

        def log_message(self, form: str, *words: object) -> None:
            del form, words

    server = HTTPServer(("127.0.0.1", 0), Healthy)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    port = server.server_port
    try:
        assert answers(port, 5.0)
    finally:
        server.shutdown()
        server.server_close()
    assert not answers(port, 0.2)
