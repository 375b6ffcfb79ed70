"""Live updates: a stream for each page of each device, carrying nothing but the newest version.

A page that is slow misses versions, never the newest one; a page opened twice on one device is
taken over by the newer; when the table stops, every stream says so and ends.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

POLL = 1.0  # seconds between two looks whether the phone is still there
HEARTBEAT = 15  # looks without news between two signs of life
RETRY = "retry: 1000\n\n"


class Stream:
    """One page's ear. Written to by the table, read by one of the server's threads."""

    def __init__(self, version: int) -> None:
        self._news = threading.Event()
        self._version = version
        self._end = ""
        self._news.set()

    def publish(self, version: int) -> None:
        self._version = version
        self._news.set()

    def end(self, word: str) -> None:
        self._end = word
        self._news.set()

    def words(self, gone: Callable[[], bool], poll: float = POLL) -> Iterator[str]:
        """Server-sent events until the end, or until the phone is gone."""
        yield RETRY
        quiet = 0
        while True:
            if self._news.wait(poll):
                self._news.clear()
                if self._end:
                    yield event(self._end, 0)
                    return
                quiet = 0
                yield event("version", self._version)
            elif gone():
                return
            else:
                quiet += 1
                if quiet % HEARTBEAT == 0:
                    yield ": still here\n\n"


def event(name: str, number: int) -> str:
    return f"event: {name}\ndata: {number}\n\n"


class Hub:
    """All streams that are open. Any thread."""

    def __init__(self, most: int) -> None:
        self._lock = threading.Lock()
        self._streams: dict[tuple[int, str], Stream] = {}
        self._closed = False
        self.most = most

    def open(self, device: int, page: str, version: int) -> Stream | None:
        """A stream of this page on this device, taking over from an older one; None if full."""
        with self._lock:
            older = self._streams.get((device, page))
            if self._closed or (older is None and len(self._streams) >= self.most):
                return None
            if older is not None:
                older.end("taken-over")
            stream = self._streams[device, page] = Stream(version)
            return stream

    def leave(self, device: int, page: str, stream: Stream) -> None:
        with self._lock:
            if self._streams.get((device, page)) is stream:
                del self._streams[device, page]

    def publish(self, version: int) -> None:
        for stream in self._all():
            stream.publish(version)

    def _all(self) -> tuple[Stream, ...]:
        with self._lock:
            return tuple(self._streams.values())

    def pages(self) -> dict[int, tuple[str, ...]]:
        """Which devices are listening, and with which pages."""
        found: dict[int, tuple[str, ...]] = {}
        with self._lock:
            for device, page in self._streams:
                found[device] = (*found.get(device, ()), page)
        return found

    def drop(self, device: int) -> None:
        """Ends a device's streams: what it may hear has changed or it has left."""
        with self._lock:
            gone = [key for key in self._streams if key[0] == device]
            for key in gone:
                self._streams.pop(key).end("taken-over")

    def close(self) -> None:
        """The table stops: every stream ends, no new one begins."""
        with self._lock:
            self._closed = True
            for stream in self._streams.values():
                stream.end("bye")

    @property
    def count(self) -> int:
        with self._lock:
            return len(self._streams)
