"""`arbitre lights emulate`: the emulated controller behind a pseudo-terminal, in real time."""

from __future__ import annotations

import array
import ctypes
import fcntl
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
import tty
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from firmware_bridge.errors import LinkLostError
from hardware.firmware.machine import Machine

PR_SET_PDEATHSIG = 1
SLICE = 0.002
BEHIND = 0.25  # a computer that slept does not catch up
TCGETS2 = 0x802C542A  # termios with the rate as a number
WORDS = 11  # unsigned ints in struct termios2: flags 0-3, characters, input rate, output rate


def end_with(parent: int) -> None:
    """The kernel tells us when the one who started us ends, however that happens.

    It also tells us when only the thread that started us ends; then we go on.
    """

    def look(number: int, frame: FrameType | None) -> None:
        if os.getppid() != parent:
            raise KeyboardInterrupt

    signal.signal(signal.SIGUSR1, look)
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGUSR1)
    if os.getppid() != parent:
        raise SystemExit(0)


def rate(terminal: int) -> int:
    """The baud rate the program at the other end has set."""
    settings = array.array("I", [0] * WORDS)
    fcntl.ioctl(terminal, TCGETS2, settings, True)
    return settings[WORDS - 1]


class Desk:
    """One machine and the master end of a pseudo-terminal."""

    def __init__(self, leds: int) -> None:
        self.machine = Machine(leds=leds)
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave, termios.TCSANOW)
        os.set_blocking(self._master, False)
        self.path = os.ttyname(self._slave)

    def turn(self, seconds: float) -> None:
        """What the host has written in, that much time, what the controller says out."""
        ready, _, _ = select.select([self._master], [], [], 0)
        if ready:
            self.machine.baud(max(50, rate(self._slave)))
            self.machine.send(os.read(self._master, 4096))
        self.machine.run(seconds)
        said = self.machine.take(4096)
        if said:
            with suppress(BlockingIOError):  # nobody reads: a real line loses bytes too
                os.write(self._master, said)

    def close(self) -> None:
        os.close(self._master)
        os.close(self._slave)
        self.machine.close()


def emulate(leds: int, parent: int | None = None, link: str | None = None) -> int:
    """Runs until interrupted; says the port's path on the first line."""
    if parent is not None:
        end_with(parent)

    def stop(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, stop)
    desk = Desk(leds)
    shortcut = Path(link) if link else None
    try:
        if shortcut:
            if shortcut.is_symlink() and str(shortcut.readlink()).startswith("/dev/pts/"):
                shortcut.unlink()  # left behind by one like us
            shortcut.symlink_to(desk.path)
        print(desk.path, flush=True)
        begun, now = time.monotonic() - desk.machine.now, 0.0
        while True:
            time.sleep(SLICE)
            now = time.monotonic() - begun
            if now - desk.machine.now > BEHIND:
                begun += now - desk.machine.now - SLICE
                now = desk.machine.now + SLICE
            desk.turn(max(1e-6, now - desk.machine.now))
    except KeyboardInterrupt:
        return 0
    finally:
        if shortcut and shortcut.is_symlink() and str(shortcut.readlink()) == desk.path:
            shortcut.unlink()
        desk.close()


@dataclass
class Emulated:
    """A controller in a process of its own, for a table without hardware."""

    process: subprocess.Popen[str]
    path: str

    @staticmethod
    def start(board: str) -> Emulated:
        words = [sys.executable, "-m", "web.command", "lights", "emulate", "--board", board]
        process = subprocess.Popen(  # noqa: S603
            [*words, "--with-parent", str(os.getpid())],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        assert process.stderr is not None
        path = process.stdout.readline().strip()
        if not path:
            problem = process.stderr.read().strip().splitlines()
            process.wait()
            raise LinkLostError(problem[-1] if problem else "the emulated lights did not start")
        return Emulated(process, path)

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(10)
        for stream in (self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()
