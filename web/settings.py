"""What a table is set to: a file for what is plugged in, and the host's own choices."""

from __future__ import annotations

import os
import threading
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from firmware_bridge.drivers import Settings as LightSettings
from hardware.firmware.limits import BAUDS
from web.papers import PaperError, read_paper, write_paper
from web.photos import HOURS
from web.texts import languages

CONFIG = "arbitre.toml"
EXAMPLE = Path(__file__).with_name(CONFIG).read_text(encoding="utf-8")


class ConfigError(ValueError):
    """A configuration that cannot be used, with where and what."""


@dataclass(frozen=True)
class Config:
    """What the house has, from the file and the command's words."""

    data: Path
    port: int = 8000
    host: str = ""
    name: str = ""
    language: str = "fr"
    camera: str = "auto"
    camera_size: tuple[int, int] = (1280, 960)
    serial: str = "auto"
    brightness: int = LightSettings.brightness
    milliamps: int = LightSettings.milliamps
    baud: int = LightSettings.baud


LIMITS = {"port": (0, 65535), "brightness": (0, 255), "milliamps": (0, 60000)}
CHOICES: Mapping[str, tuple[str | int, ...]] = {"language": languages(), "baud": BAUDS}
SIDE = (16, 8192)  # pixels of a camera's picture


def data_folder() -> Path:
    """Where a table's state is kept if nobody says otherwise."""
    told = os.environ.get("XDG_DATA_HOME", "")
    share = Path(told) if told else Path.home() / ".local" / "share"
    return share / "arbitre"


def read_config(data: Path, path: Path | None = None) -> Config:
    """The file's words; a file that was named has to be there."""
    place = path or data / CONFIG
    try:
        words = tomllib.loads(place.read_text(encoding="utf-8"))
    except FileNotFoundError:
        if path is not None:
            raise ConfigError(f"there is no file {path}") from None
        return Config(data)
    except OSError as error:
        raise ConfigError(f"{place} cannot be read: {error.strerror}") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"{place.name}: {error}") from None
    return with_words(Config(data), words, place.name)


def with_words(config: Config, words: Mapping[str, Any], where: str = "") -> Config:
    """The configuration with some things changed; whatever does not fit is said."""
    where = f"{where}: " if where else ""
    known = {one.name: getattr(config, one.name) for one in fields(config) if one.name != "data"}
    given: dict[str, Any] = {}
    for name, value in words.items():
        if name not in known:
            raise ConfigError(f'{where}no setting "{name}"; there are: {", ".join(known)}')
        given[name] = fitted(name, value, known[name], where)
    return replace(config, **given)


def fitted(name: str, value: Any, default: Any, where: str) -> Any:
    if isinstance(default, tuple):
        low, high = SIDE
        good = isinstance(value, list) and len(value) == 2
        if not good or not all(type(one) is int and low <= one <= high for one in value):
            raise ConfigError(f"{where}{name} is two numbers, {low} to {high}, as [1280, 960]")
        return tuple(value)
    if type(value) is not type(default):
        kind = "a number" if isinstance(default, int) else "a text"
        raise ConfigError(f"{where}{name} is {kind}, not {value!r}")
    low, high = LIMITS.get(name, (0, 0))
    if name in LIMITS and not low <= value <= high:
        raise ConfigError(f"{where}{name} is {low} to {high}, not {value}")
    choices = CHOICES.get(name, (value,))
    if value not in choices:
        known = ", ".join(str(one) for one in choices)
        raise ConfigError(f"{where}{name} is one of {known}, not {value}")
    return value


@dataclass
class HostSettings:
    """What the host has chosen on the page. Any thread."""

    path: Path
    pictures: str = "evening"
    language: str = "fr"
    guests: str = "code"  # how one gets in: by QR or code; or "open": whoever finds the page
    lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    CHOICES = {  # noqa: RUF012 - not a field
        "pictures": tuple(HOURS),
        "language": languages(),
        "guests": ("code", "open"),
    }

    @classmethod
    def load(cls, path: Path, language: str) -> HostSettings:
        settings = cls(path, language=language)
        for name, value in read_paper(path).items():
            if isinstance(value, str) and value in cls.CHOICES.get(name, ()):
                setattr(settings, name, value)
        return settings

    def kept(self) -> dict[str, str]:
        return {name: getattr(self, name) for name in self.CHOICES}

    def change(self, words: Mapping[str, str]) -> None:
        """Already checked against CHOICES; raises OSError."""
        with self.lock:
            for name, value in words.items():
                setattr(self, name, value)
            write_paper(self.path, self.kept())


class HouseRules:
    """Rules a house plays by, saved under a name. Any thread."""

    MOST = 50

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._rules: dict[str, dict[str, Any]] = {}
        for name, rule in read_paper(path).items():
            if not isinstance(rule, dict):
                raise PaperError(f"{path.name} is damaged: move it away to begin anew")
            self._rules[name] = rule

    def names(self) -> tuple[str, ...]:
        return tuple(self._rules)

    def all(self) -> list[dict[str, Any]]:
        with self._lock:
            return [{"name": name} | rule for name, rule in sorted(self._rules.items())]

    def get(self, name: str) -> dict[str, Any] | None:
        return self._rules.get(name)

    def save(self, name: str, rule: Mapping[str, Any]) -> bool:
        """False when there are too many already; raises OSError."""
        with self._lock:
            if name not in self._rules and len(self._rules) >= self.MOST:
                return False
            changed = self._rules | {name: dict(rule)}
            write_paper(self._path, changed)
            self._rules = changed
            return True

    def delete(self, name: str) -> bool:
        with self._lock:
            if name not in self._rules:
                return False
            left = {one: rule for one, rule in self._rules.items() if one != name}
            write_paper(self._path, left)
            self._rules = left
            return True
