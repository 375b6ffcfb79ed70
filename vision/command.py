"""`arbitre see` and `arbitre cameras`."""

from __future__ import annotations

from collections.abc import Sequence


def cameras(argv: Sequence[str]) -> int:
    from vision.cameras.command import cameras as run

    return int(run(argv))


def see(argv: Sequence[str]) -> int:
    raise NotImplementedError
