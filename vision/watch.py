"""Pictures over time: hands, stillness, bumps, changing light; a still board when there is one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from vision.reading import Reader, Reading

State = Literal["moving", "hand", "still"]
Event = Literal["rebumped", "relit", "lost", "dark"]


@dataclass(frozen=True)
class Watched:
    """One frame's verdict; `reading` is the board of the newest still moment, None before one."""

    state: State
    reading: Reading | None
    changed: bool  # true on the frame where a new still board is first reported
    events: tuple[Event, ...]


class Watcher:
    """Follows one table; call `see` with every frame."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader

    def see(
        self,
        image: np.ndarray,
        time: float,
        lights: Mapping[str, tuple[int, int, int]] | None = None,
    ) -> Watched:
        """Take one BGR frame at `time` seconds (any clock that never runs back)."""
        raise NotImplementedError
