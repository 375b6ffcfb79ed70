"""How fast the page is: fifty phones listening, eight of them posting, beside a bare echo.

A post names a card, again and again: judged, written to the journal, then told. The echo is the
same server with the same streams: a number comes in and goes out on every stream. Both are measured
in turns in one run, at the same pace.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PHONES, POSTING = 50, 8
POSTS = 12  # of each posting phone in a round
PAUSE = 0.25  # seconds between two posts of one phone: eager people
PATIENCE = 20.0


def describe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--phones", type=int, default=PHONES)
    parser.add_argument("--posting", type=int, default=POSTING)


@dataclass
class Ear:
    """One phone's stream: a socket, and when each version came."""

    port: int
    cookie: str
    heard: dict[int, float] = field(default_factory=dict)
    live: float = 0.0  # when the first version came
    ended: float = 0.0
    said: str = ""
    line: socket.socket | None = None
    thread: threading.Thread | None = None

    def open(self) -> Ear:
        self.live = self.ended = 0.0
        self.thread = threading.Thread(target=self.listen, daemon=True)
        self.thread.start()
        return self

    def listen(self) -> None:
        line = self.line = socket.create_connection(("127.0.0.1", self.port), PATIENCE)
        words = f"GET /api/stream?page=player HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
        line.sendall(f"{words}Cookie: arbitre={self.cookie}\r\n\r\n".encode())
        rest = b""
        try:
            while data := line.recv(65536):
                now = time.monotonic()
                *whole, rest = (rest + data).split(b"\n\n")
                for block in whole:
                    self.hear(block.decode(), now)
        except OSError as error:
            self.said = self.said or str(error)
        self.ended = time.monotonic()

    def hear(self, block: str, now: float) -> None:
        if "event: version" in block:
            self.live = self.live or now
            self.heard.setdefault(int(block.rpartition("data: ")[2].split()[0]), now)
        elif "event: bye" in block:
            self.said = "bye"

    def close(self) -> None:
        if self.line is not None:
            self.line.close()


class Table:
    """A server in a process of its own, as people start it."""

    def __init__(self, folder: Path, phones: int) -> None:
        words = [sys.executable, "-m", "web.bench.phones_server", str(folder), str(phones)]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)  # noqa: S603
        assert self.process.stdout is not None
        told = json.loads(self.process.stdout.readline())
        self.port: int = told["port"]
        self.cookies: list[str] = told["cookies"]
        self.seat: str = told["seat"]
        self.hand: list[str] = told["hand"]

    def stop(self) -> float:
        """Seconds from TERM to the process's end."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(PATIENCE)
        return time.monotonic() - began

    def kill(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(PATIENCE)


def measure(options: dict[str, Any]) -> dict[str, Any]:
    phones, posting = options.get("phones") or PHONES, options.get("posting") or POSTING
    rounds = options.get("rounds") or 3
    with tempfile.TemporaryDirectory() as folder:
        table = Table(Path(folder), phones)
        try:
            ears = [Ear(table.port, cookie).open() for cookie in table.cookies[:phones]]
            wait_for(lambda: all(ear.live for ear in ears), "the streams do not open")
            runs = {"/bench/echo": [], "/api/event": []}  # type: dict[str, list[float]]
            for n in range(rounds):
                for path in list(runs)[:: 1 if n % 2 else -1]:
                    runs[path] += spread(table, ears, posting, path, n)
            own = [fetched(table, cookie) for cookie in table.cookies[:phones]]
            again = reconnected(ears)
            ended = table.stop()
        finally:
            table.kill()
    echo, event = (statistics.median(runs[path]) for path in ("/bench/echo", "/api/event"))
    return {
        "phones": phones,
        "posting": posting,
        "posts": len(runs["/api/event"]),
        "post_to_last_phone_ms": 1000 * event,
        "echo_to_last_phone_ms": 1000 * echo,
        "vs_echo": event / echo,
        "p99_ms": 1000 * sorted(runs["/api/event"])[int(0.99 * len(runs["/api/event"]))],
        "own_view_ms": 1000 * statistics.median(own),
        "reconnected_s": again,
        "exit_s": ended,
        "goodbyes": sum(ear.said == "bye" for ear in ears),
    }


def spread(table: Table, ears: list[Ear], posting: int, path: str, turn: int) -> list[float]:
    """For each post the seconds until the last phone knows its version, or a newer one."""
    sent: list[tuple[float, int]] = []
    for ear in ears:
        ear.heard = {}

    def speak(number: int) -> None:
        line = http.client.HTTPConnection("127.0.0.1", table.port, timeout=PATIENCE)
        words = {"Cookie": f"arbitre={table.cookies[number]}", "Content-Type": "application/json"}
        pace = random.Random(100 * turn + number)
        for _ in range(POSTS):
            time.sleep(PAUSE * (0.5 + pace.random()))
            card = pace.choice(table.hand)
            body = json.dumps({"event": "announced", "seat": table.seat, "card": card})
            began = time.monotonic()
            line.request("POST", path, body, words)
            answer = line.getresponse()
            form = json.loads(answer.read())
            if answer.status != 200:
                raise OSError(f"{path}: {form}")
            sent.append((began, form["version"]))
        line.close()

    speakers = [threading.Thread(target=speak, args=(n,)) for n in range(posting)]
    for speaker in speakers:
        speaker.start()
    for speaker in speakers:
        speaker.join()
    if len(sent) < posting * POSTS:
        raise OSError("a posting phone was refused")
    last = max(version for _, version in sent)
    wait_for(lambda: all(knows(ear, last) for ear in ears), "not every phone heard the last")
    return [last_heard(ears, version) - began for began, version in sent]


def knows(ear: Ear, version: int) -> bool:
    return max(tuple(ear.heard), default=0) >= version


def last_heard(ears: list[Ear], version: int) -> float:
    """When the slowest phone knew of this version; versions may be skipped for newer ones."""
    return max(min(at for v, at in ear.heard.items() if v >= version) for ear in ears)


def fetched(table: Table, cookie: str) -> float:
    """How long a phone's own view takes."""
    began = time.monotonic()
    line = http.client.HTTPConnection("127.0.0.1", table.port, timeout=PATIENCE)
    line.request("GET", "/api/view", headers={"Cookie": f"arbitre={cookie}"})
    line.getresponse().read()
    line.close()
    return time.monotonic() - began


def reconnected(ears: list[Ear]) -> float:
    """Every phone loses its line at once; seconds until the last is live again."""
    for ear in ears:
        ear.close()
    began = time.monotonic()
    for ear in ears:
        ear.open()
    wait_for(lambda: all(ear.live for ear in ears), "the phones do not come back")
    return max(ear.live for ear in ears) - began


def wait_for(done: Any, problem: str) -> None:
    end = time.monotonic() + PATIENCE
    while not done():
        if time.monotonic() > end:
            raise OSError(problem)
        time.sleep(0.002)


def table(figures: dict[str, Any]) -> str:
    return (
        f"{figures['phones']} phones listening, {figures['posting']} posting, "
        f"{figures['posts']} posts, {os.cpu_count()} processors\n"
        f"  post to the last phone   {figures['post_to_last_phone_ms']:8.1f} ms (median), "
        f"p99 {figures['p99_ms']:.1f} ms\n"
        f"  bare echo, same server   {figures['echo_to_last_phone_ms']:8.1f} ms\n"
        f"  ratio                    {figures['vs_echo']:8.2f}   (wanted: at most 3)\n"
        f"  own view fetched         {figures['own_view_ms']:8.1f} ms\n"
        f"  all phones live again    {figures['reconnected_s']:8.2f} s    (wanted: at most 2)\n"
        f"  end with open streams    {figures['exit_s']:8.2f} s    (wanted: at most 2), "
        f"{figures['goodbyes']} goodbyes\n"
    )
