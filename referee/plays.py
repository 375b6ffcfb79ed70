"""What a play is: the parts a hand carries out, what they take, where they lead, or why not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

Facts = Mapping[str, str | int]
Standing = tuple[str, str]  # a piece (its seat, "barricade", "tile-green" …) and its cell

CAMP = "camp"
HOME = "home"


class RefereeError(ValueError):
    """Something asked of the referee that makes no sense; the message says what and where."""


class Refusal(NamedTuple):
    """A rule that says no, with the numbers and names of the case."""

    rule: str
    facts: tuple[tuple[str, str | int], ...] = ()


def refuse(rule: str, **facts: str | int) -> Refusal:
    return Refusal(rule, tuple(facts.items()))


class Part(NamedTuple):
    """One piece taken along a path; what it takes on the way leaves the board.

    With `swap` two pieces change places: the path is the two cells, `swap` the other's seat.
    """

    piece: str
    path: tuple[str, ...]
    takes: tuple[Standing, ...] = ()
    swap: str = ""


Way = tuple["Way | None", tuple[Part, ...]]  # the parts of a play, the last ones outermost


class Play(NamedTuple):
    """A whole play, or with `left` steps still to walk a part of one.

    `broken` is empty for a legal play; otherwise the rules it breaks, most specific first.
    """

    card: str | None
    way: Way | None
    position: Any
    captured: tuple[str, ...] = ()
    again: bool = False
    crosses: bool = False
    left: int = 0
    broken: tuple[Refusal, ...] = ()

    @property
    def parts(self) -> tuple[Part, ...]:
        """In the order they are carried out; idle stops of one pawn are left out."""
        found: list[Part] = []
        way = self.way
        while way is not None:
            way, parts = way
            for part in reversed(parts):
                if found and joined(part, found[-1]):
                    after = found[-1]
                    found[-1] = after._replace(path=(*part.path[:-1], *after.path[1:]))
                else:
                    found.append(part)
        return tuple(reversed(found))

    @property
    def text(self) -> str:
        """The play in writing; it reads back with `notation.read_play`."""
        words = [part_text(part) for part in merged(self.parts)]
        return " ".join(([self.card] if self.card else []) + words)


def joined(part: Part, after: Part) -> bool:
    """Whether one pawn merely went on, having taken nothing and not jumped."""
    return (
        part.path[-1] == after.path[0]
        and part.piece == after.piece
        and not (part.takes or part.swap or after.swap)
        and len(part.path) == 2
    )


def merged(parts: Iterable[Part]) -> list[Part]:
    """Parts of one pawn that follow each other as one path with its stops."""
    found: list[Part] = []
    for part in parts:
        before = found[-1] if found else part._replace(piece="")
        goes_on = before.path[-1] == part.path[0] and before.piece == part.piece
        if goes_on and not (before.swap or part.swap):
            path = (*before.path, *part.path[1:])
            found[-1] = part._replace(path=path, takes=before.takes + part.takes)
        else:
            found.append(part)
    return found


def part_text(part: Part) -> str:
    if part.swap:
        return f"{part.path[0]}~{part.path[1]}:{part.swap}"
    return "-".join(part.path)


def once(plays: Iterable[Play]) -> list[Play]:
    """Each resulting position once a card; a way that crosses nothing is preferred."""
    all_plays = list(plays)
    if len(all_plays) < 2:
        return all_plays
    found: dict[tuple[str | None, Any], Play] = {}
    for play in all_plays:
        key = play.card, play.position
        if key not in found or (found[key].crosses and not play.crosses):
            found[key] = play
    return list(found.values())
