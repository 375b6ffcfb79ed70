"""Which seats have a phone that listens, told when it has changed and not at every hiccup."""

from __future__ import annotations

import threading
from collections.abc import Callable

from web.chairs import Chairs
from web.streams import Hub


class Presence:
    """Tells the views that seats came or went, once things have settled down."""

    SETTLED = 1.0

    def __init__(self, hub: Hub, chairs: Chairs, news: Callable[[], None]) -> None:
        self._hub = hub
        self._chairs = chairs
        self._news = news
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None
        self._shown = self._now()

    def _now(self) -> frozenset[str]:
        listening = self._hub.pages()
        seated = (one for one in self._chairs.devices() if one.number in listening)
        return frozenset(seat for device in seated for seat in device.seats)

    def changed(self) -> None:
        with self._lock:
            if self._timer is None:
                self._timer = threading.Timer(self.SETTLED, self._settled)
                self._timer.daemon = True
                self._timer.start()

    def _settled(self) -> None:
        with self._lock:
            self._timer = None
            before, self._shown = self._shown, self._now()
            news = before != self._shown
        if news:
            self._news()
