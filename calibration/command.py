"""`arbitre calibrate`: learn one table, or one lens, from pictures."""

from __future__ import annotations

from collections.abc import Sequence


def calibrate(argv: Sequence[str]) -> int:
    raise NotImplementedError
