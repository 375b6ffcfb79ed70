"""Releases side by side: a new one beside the old, a link that says which one runs, a way back."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

FOLDER, CURRENT, PREVIOUS, READY = "releases", "current", "previous", ".ready"
KEPT = 3
ROOMS = ("calibration", "firmware_bridge", "hardware", "referee", "vision", "web")
LEFT_OUT = shutil.ignore_patterns(".venv", "build", ".git", "__pycache__", ".*_cache", "*.egg-info")


class ReleaseError(Exception):
    """A release that cannot be made or found; says what to do."""


def run(*words: str | Path, cwd: Path | None = None) -> None:
    """A step of making one; what it prints is shown where it fails."""
    told = [str(word) for word in words]
    try:
        done = subprocess.run(  # noqa: S603 - our own words
            told, cwd=cwd, capture_output=True, text=True, errors="replace", check=False
        )
    except OSError as error:
        raise ReleaseError(f"{told[0]}: {error.strerror}") from None
    if done.returncode:
        lines = (done.stderr.strip() or done.stdout.strip()).splitlines()
        raise ReleaseError(f"{' '.join(told[:4])} … failed: {lines[-1] if lines else 'no words'}")


def furnish(release: Path, python: str) -> None:
    """An environment that sees the system's libcamera, with everything else in its own."""
    # picamera2 and libcamera exist only as the system's packages; what of theirs was compiled for
    # the system's older numpy is compiled again for ours
    venv = release / ".venv"
    run(python, "-m", "venv", "--system-site-packages", venv)
    pip: list[str | Path] = [venv / "bin" / "pip", "install", "--disable-pip-version-check", "-q"]
    run(*pip, "-c", release / "constraints.txt", "-e", release)
    if older_numpy(python):
        run(*pip, "--ignore-installed", "--no-deps", "simplejpeg", "pidng")
    made = "from hardware.firmware.build import built; built('lights.hex'); built('emulator.so')"
    run(venv / "bin" / "python", "-c", made, cwd=release)
    rooms = [release / one for one in ROOMS]
    run(venv / "bin" / "python", "-m", "compileall", "-q", *rooms)  # the service may not write here
    run(venv / "bin" / "arbitre", "board", "--list", cwd=release)


def older_numpy(python: str) -> bool:
    """Whether the system's own libraries were compiled for a numpy before 2 (bookworm)."""
    asked = [python, "-I", "-c", "import numpy; print(numpy.__version__)"]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)  # noqa: S603
    return done.returncode == 0 and done.stdout.startswith(("0.", "1."))


@dataclass(frozen=True)
class Releases:
    """A folder of releases, such as /opt/arbitre."""

    prefix: Path

    def link(self, name: str) -> Path | None:
        """Where `current` or `previous` points."""
        place = self.prefix / name
        return place.resolve() if place.is_symlink() and place.exists() else None

    def all(self) -> list[Path]:
        """The ones that were finished, the oldest first."""
        return sorted(one.parent for one in (self.prefix / FOLDER).glob(f"*/{READY}"))

    def stage(self, source: Path, fit: Callable[[Path], None]) -> Path:
        """A copy of the source as it was last committed, made ready by `fit`; or nothing at all."""
        name = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
        release = self.prefix / FOLDER / f"{name}-{version(source)}"
        try:
            release.mkdir(parents=True)
            copy(source, release)
            fit(release)
            (release / READY).touch()
        except OSError as error:
            shutil.rmtree(release, ignore_errors=True)
            raise ReleaseError(f"{error.filename or release}: {error.strerror}") from None
        except BaseException:
            shutil.rmtree(release, ignore_errors=True)
            raise
        return release

    def switch(self, release: Path) -> None:
        """From now on this one; the one before stays as the way back."""
        before = self.link(CURRENT)
        self._point(CURRENT, release)
        if before is not None and before != release:
            self._point(PREVIOUS, before)

    def back(self) -> Path:
        """The previous one again; a second time undoes the first."""
        previous = self.link(PREVIOUS)
        if previous is None or not (previous / READY).exists():
            raise ReleaseError(f"there is no earlier release in {self.prefix} to go back to")
        self.switch(previous)
        return previous

    def tidy(self) -> None:
        """The oldest away, never the current one nor the way back."""
        needed = {self.link(CURRENT), self.link(PREVIOUS)}
        spare = [one for one in self.all() if one.resolve() not in needed]
        for release in spare[: max(0, len(self.all()) - KEPT)]:
            shutil.rmtree(release)

    def _point(self, name: str, release: Path) -> None:
        """Another target at one stroke: a power cut leaves the old link or the new one."""
        fresh = self.prefix / f".{name}.new"
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(os.path.relpath(release, self.prefix))
        fresh.replace(self.prefix / name)
        folder = os.open(self.prefix, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def git(source: Path, *words: str) -> bytes | None:
    """What git says of a clone, whoever owns it; None where it is none."""
    asked = ["git", "-c", f"safe.directory={source}", "-C", str(source), *words]
    try:
        done = subprocess.run(asked, capture_output=True, check=False)  # noqa: S603
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None


def version(source: Path) -> str:
    """The commit's short name, where there is one."""
    told = git(source, "rev-parse", "--short", "HEAD")
    return told.decode().strip() if told else "copy"


def copy(source: Path, release: Path) -> None:
    packed = git(source, "archive", "--format=tar", "HEAD")
    if packed is None:  # not a clone: an unpacked archive
        shutil.copytree(source, release, ignore=LEFT_OUT, dirs_exist_ok=True)
        return
    words = ["tar", "-x", "-C", str(release)]
    done = subprocess.run(words, input=packed, capture_output=True, check=False)  # noqa: S603
    if done.returncode:
        raise ReleaseError(f"{release} cannot be written: {done.stderr.decode().strip()[-200:]}")
