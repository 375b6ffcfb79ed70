"""Frozen values that change often: a quick copy that forgets what was worked out from the old."""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar, Self


class Value:
    """For frozen dataclasses of many fields, where `dataclasses.replace` costs most of a step."""

    derived: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        cls.derived = tuple(n for n, one in vars(cls).items() if isinstance(one, cached_property))

    def but(self, **changes: Any) -> Self:
        """The same value with some fields changed."""
        state = self.__dict__ | changes
        many = len(self.__dataclass_fields__)  # type: ignore[attr-defined]
        if len(state) > many:
            for name in self.derived:
                state.pop(name, None)
            if len(state) > many:  # every field was there before
                raise TypeError(f"no such fields: {', '.join(changes)}")
        copy = object.__new__(type(self))
        object.__setattr__(copy, "__dict__", state)
        return copy
