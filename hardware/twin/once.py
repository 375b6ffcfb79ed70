"""What was drawn once need not be drawn again: the newest results, by what they were made of."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class Once:
    """Keeps the results of calls; whoever gets one must not change it."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.kept: OrderedDict[Hashable, Any] = OrderedDict()

    def __call__(self, key: Hashable, make: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """What `make` gives of these; `key` says all in which they differ from other calls."""
        if key in self.kept:
            self.kept.move_to_end(key)
        else:
            self.kept[key] = make(*args, **kwargs)
            if len(self.kept) > self.most:
                self.kept.popitem(last=False)
        found: R = self.kept[key]
        return found
