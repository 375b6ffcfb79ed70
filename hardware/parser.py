"""How every word of `arbitre` reads what follows it: a mistake gets one line and status 2."""

from __future__ import annotations

import argparse
from typing import Any, NoReturn


class Parser(argparse.ArgumentParser):
    """Python's own, but it neither prints its usage at a mistake nor guesses half a word."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"allow_abbrev": False} | kwargs)

    def error(self, message: str) -> NoReturn:
        line = " ".join(message.split())
        self.exit(2, f"{self.prog}: {line}; `{self.prog} --help` says more\n")
