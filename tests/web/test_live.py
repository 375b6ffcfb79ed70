"""Live updates over the real server: fifty phones, takeovers, goodbyes.

How long things take is measured by `arbitre bench phones`; here nobody waits for ever.
"""

from __future__ import annotations

import http.client
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator

import pytest
from flask import Flask

from referee import events
from web.reception import Reception
from web.serving import AddressTakenError, Server
from web.streams import Hub, Stream

LONG = 20.0  # seconds nobody waits for where things work


@pytest.fixture
def server(app: Flask) -> Iterator[Server]:
    running = Server(app, "127.0.0.1", 0).start()
    yield running
    running.stop()


class Ear:
    """A stream over a socket of its own."""

    def __init__(self, server: Server, cookie: str, page: str = "player") -> None:
        self.line = socket.create_connection(("127.0.0.1", server.port), LONG)
        asked = f"GET /api/stream?page={page} HTTP/1.0\r\nHost: localhost\r\n"
        self.line.sendall(f"{asked}Cookie: arbitre={cookie}\r\n\r\n".encode())
        self.heard = b""

    def hear(self, word: str) -> str:
        """Everything up to and with a word."""
        while word.encode() not in self.heard:
            data = self.line.recv(65536)
            assert data, f"the stream ended before {word!r}: {self.heard!r}"
            self.heard += data
        before, _, self.heard = self.heard.partition(word.encode())
        return before.decode() + word

    def ended(self) -> bool:
        while data := self.line.recv(65536):
            self.heard += data
        return True


def cookie(rooms: Reception, *seats: str) -> str:
    token, device = rooms.chairs.admit()
    for seat in seats:
        rooms.chairs.take(device, seat, invited=rooms.chairs.hands(seat))
    return token


def until(done: Callable[[], bool]) -> None:
    end = time.monotonic() + LONG
    while not done():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_stream_begins_with_the_newest_version_and_tells_of_each_newer_one(
    server: Server, rooms: Reception
) -> None:
    ear = Ear(server, cookie(rooms))
    ear.hear(f"event: version\ndata: {rooms.house.now.version}\n\n")
    rooms.house.nudge()
    until(lambda: rooms.house.now.version > 1)
    ear.hear("event: version\ndata: 2\n\n")


def test_streams_carry_numbers_only(server: Server, rooms: Reception) -> None:
    ear = Ear(server, cookie(rooms, "a"))
    ear.hear("event: version\n")
    rooms.say(
        events.Opened(game="tijou", board="tijou", seats=("a", "c"), mode="phone", camera=False)
    )
    rooms.say(events.Lots(seat="a"))
    rooms.say(events.Dealt(seat="a"))
    last = rooms.house.now.version
    words = ear.hear(f"data: {last}\n\n")
    assert set(words.split()) <= {"event:", "version", "data:"} | {str(n) for n in range(last + 1)}


def test_fifty_phones_hear_and_come_back_at_once(server: Server, rooms: Reception) -> None:
    cookies = [cookie(rooms) for _ in range(50)]
    ears = [Ear(server, one) for one in cookies]
    for ear in ears:
        ear.hear("event: version\n")
    rooms.house.nudge()
    for ear in ears:
        ear.hear("data: 2\n\n")
    for ear in ears:
        ear.line.close()
    again = [Ear(server, one) for one in cookies]
    for ear in again:
        ear.hear("event: version\n")
    line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=LONG)
    line.request("GET", "/healthz")  # there are threads left for questions
    assert line.getresponse().status == 200


def test_the_same_page_opened_twice_is_taken_over(server: Server, rooms: Reception) -> None:
    token = cookie(rooms)
    first = Ear(server, token)
    first.hear("event: version\n")
    second = Ear(server, token)
    second.hear("event: version\n")
    first.hear("event: taken-over")
    assert first.ended()
    other_page = Ear(server, token, "screen")
    other_page.hear("event: version\n")
    assert rooms.hub.count == 2


def test_a_phone_that_vanishes_leaves_its_thread(
    server: Server, rooms: Reception, monkeypatch: pytest.MonkeyPatch
) -> None:
    ear = Ear(server, cookie(rooms))
    ear.hear("event: version\n")
    assert rooms.hub.count == 1
    ear.line.close()
    until(lambda: rooms.hub.count == 0)


def test_more_phones_than_streams_are_told_to_ask_instead(server: Server, rooms: Reception) -> None:
    rooms.hub.most = 1
    Ear(server, cookie(rooms)).hear("event: version\n")
    ear = Ear(server, cookie(rooms))
    assert " 503 " in ear.hear("\r\n")


def test_the_end_is_said_on_every_stream(app: Flask, rooms: Reception) -> None:
    server = Server(app, "127.0.0.1", 0).start()
    ears = [Ear(server, cookie(rooms)) for _ in range(20)]
    for ear in ears:
        ear.hear("event: version\n")
    server.stop(LONG)
    assert server.ended
    for ear in ears:
        ear.hear("event: bye")
        assert ear.ended()


def test_a_second_signal_of_either_kind_ends_it_at_once(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = Server(app, "127.0.0.1", 0).start()
    answers: dict[int, object] = {}
    monkeypatch.setattr("web.serving.signal.signal", answers.__setitem__)
    server.stop_on_signals()
    first = answers[signal.SIGINT]
    assert callable(first)
    first(signal.SIGINT, None)
    assert answers == {signal.SIGINT: signal.SIG_DFL, signal.SIGTERM: signal.SIG_DFL}
    until(lambda: server.ended)


def test_a_port_that_is_taken_is_said(server: Server, app: Flask) -> None:
    with pytest.raises(AddressTakenError, match=str(server.port)):
        Server(app, "127.0.0.1", server.port)


def test_a_server_nobody_asks_rests(server: Server) -> None:
    assert server._thread is not None
    clock = time.pthread_getcpuclockid(server._thread.ident or 0)
    before = time.clock_gettime(clock)
    time.sleep(0.5)
    assert time.clock_gettime(clock) - before < 0.1


def test_presence_is_told_once_things_have_settled(
    server: Server, rooms: Reception, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.presence.Presence.SETTLED", 0.05)
    rooms.say(
        events.Opened(game="tijou", board="tijou", seats=("a", "c"), mode="phone", camera=False)
    )
    version = rooms.house.now.version
    Ear(server, cookie(rooms, "a")).hear("event: version\n")
    until(lambda: rooms.house.now.version > version)


def test_a_slow_page_misses_versions_but_never_the_newest() -> None:
    stream = Stream(1)
    words = stream.words(lambda: False, poll=LONG)
    next(words)
    for version in range(2, 100):
        stream.publish(version)
    assert next(words) == "event: version\ndata: 99\n\n"
    stream.end("bye")
    assert next(words) == "event: bye\ndata: 0\n\n"
    assert next(words, None) is None


def test_a_quiet_stream_gives_signs_of_life_until_the_phone_is_gone() -> None:
    gone = [False] * 20 + [True]
    words = list(Stream(1).words(lambda: gone.pop(0), poll=0.0))
    assert words.count(": still here\n\n") == 1
    assert words[1] == "event: version\ndata: 1\n\n"


def test_after_the_end_no_stream_begins() -> None:
    hub = Hub(10)
    hub.close()
    assert hub.open(1, "player", 1) is None


def test_many_threads_open_and_leave_streams() -> None:
    hub = Hub(50)

    def visit(device: int) -> None:
        for version in range(50):
            stream = hub.open(device, "player", version)
            hub.publish(version)
            if stream is not None:
                hub.leave(device, "player", stream)

    threads = [threading.Thread(target=visit, args=(n % 8,)) for n in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert hub.count == 0
