"""One computer as its files and programs show it; another root stands for another computer."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

PROGRAMS = ("usr/local/sbin", "usr/local/bin", "usr/sbin", "usr/bin", "sbin", "bin")
PATIENCE = 10.0


@dataclass(frozen=True)
class Computer:
    """The root of its files; its programs are looked for below it."""

    root: Path = Path("/")

    @property
    def here(self) -> bool:
        """Whether it is the one this program runs on."""
        return self.root == Path("/")

    def file(self, path: str) -> Path:
        return self.root / path.lstrip("/")

    def text(self, path: str) -> str:
        """A small file's text; empty where it cannot be read."""
        try:
            return self.file(path).read_bytes().decode("utf-8", "replace").replace("\0", "").strip()
        except OSError:
            return ""

    def there(self, path: str) -> bool:
        return self.file(path).exists()

    def program(self, name: str) -> str | None:
        folders = [str(self.file(folder)) for folder in PROGRAMS]
        if self.here:
            folders.append(os.environ.get("PATH", ""))
        return shutil.which(name, path=os.pathsep.join(folders))

    def ask(self, name: str, *words: str) -> str | None:
        """What a program prints; None where there is none, or it fails or takes too long."""
        program = self.program(name)
        if program is None:
            return None
        try:
            done = subprocess.run(  # noqa: S603 - our own words
                [program, *words],
                capture_output=True,
                text=True,
                errors="replace",
                timeout=PATIENCE,
                check=False,
                env=os.environ | {"LC_ALL": "C"},
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        return done.stdout.strip() if done.returncode == 0 else None
