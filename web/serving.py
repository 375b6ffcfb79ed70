"""The web server: one process, waitress's threads, and an end within two seconds."""

from __future__ import annotations

import errno
import logging
import signal
import threading
import time
from types import FrameType

from flask import Flask
from waitress.server import create_server

from web.reception import THREADS, Reception

log = logging.getLogger(__name__)
logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # a short queue is no news

LARGEST = 1024 * 1024  # bytes of a request, before Flask looks at it
GOODBYE = 0.6  # seconds that streams have to say so


class AddressTakenError(Exception):
    """Nobody can listen at this address: what to do."""


def refused(error: OSError, host: str, port: int) -> str:
    """Why the doors do not open."""
    if error.errno == errno.EADDRINUSE:
        return f"port {port} is used by another program, perhaps another table: --port NUMBER"
    if error.errno == errno.EACCES:
        return f"port {port} is for the system's own programs: --port 8000, or any above 1023"
    if error.errno == errno.EADDRNOTAVAIL:
        return f'"{host}" is not an address of this machine'
    return f"port {port}: {error.strerror}"


class Server:
    """One application on one port."""

    def __init__(self, app: Flask, host: str = "", port: int = 8000) -> None:
        self._rooms: Reception = app.extensions["arbitre"]
        try:
            self._server = create_server(
                app,
                host=host or "0.0.0.0",  # noqa: S104 - phones are elsewhere
                port=port,
                threads=THREADS,
                channel_request_lookahead=1,
                connection_limit=400,
                channel_timeout=60,
                max_request_body_size=LARGEST,
                asyncore_loop_timeout=1,  # whole seconds: half a one would be none, and never rest
                ident=None,
            )
        except OSError as error:
            raise AddressTakenError(refused(error, host, port)) from None
        except ValueError:  # a name that leads nowhere, or a number no network has
            raise AddressTakenError(f'no address "{host}": an IP address of this machine') from None
        self.port = int(self._server.effective_port)
        self._rooms.port = self.port
        self._thread: threading.Thread | None = None
        self._ended = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def ended(self) -> bool:
        return self._ended.is_set()

    def run(self) -> None:
        """In the main thread, until a signal or `stop`."""
        self._server.run()
        self._ended.set()

    def start(self) -> Server:
        """In a thread of its own."""
        self._thread = threading.Thread(target=self.run, name="web", daemon=True)
        self._thread.start()
        return self

    def stop(self, patience: float = 2.0) -> None:
        """Every stream says goodbye, then the doors close. Any thread but the server's."""
        self.farewell()
        self._server.task_dispatcher.shutdown(timeout=0.5)
        self._server.trigger.pull_trigger(self._close)
        self._ended.wait(patience)

    def _close(self) -> None:
        for channel in list(self._server._map.values()):
            if channel is not self._server.trigger:
                channel.close()
        self._server.trigger.close()

    def farewell(self) -> None:
        self._rooms.hub.close()
        end = time.monotonic() + GOODBYE
        while self._rooms.hub.count and time.monotonic() < end:
            time.sleep(0.01)

    def stop_on_signals(self) -> None:
        """TERM and INT end it as `stop` does; a second one at once."""

        def stop(number: int, frame: FrameType | None) -> None:
            for either in (signal.SIGTERM, signal.SIGINT):
                signal.signal(either, signal.SIG_DFL)
            threading.Thread(target=self.stop, name="stop", daemon=True).start()

        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, stop)
