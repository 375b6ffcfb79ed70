"""Which evenings the clumsy table plays: every game, every number of seats, every mode of cards."""

from __future__ import annotations

import random
from typing import NamedTuple

from referee import events
from referee.games import game as game_named

Teams = tuple[tuple[str, ...], ...]
MODES = ("real", "declared", "phone")
CROSS = {"tock4": "abcd", "tock6": "abcdef", "tock8": "abcdefgh"}


class Spec(NamedTuple):
    game: str
    board: str
    seats: str
    teams: Teams
    mode: str

    @property
    def label(self) -> str:
        paired = "+" if self.teams else ""
        return f"{self.game} {len(self.seats) if self.game != 'trikolos' else 2}{paired}"


def facing(seats: str) -> Teams:
    half = len(seats) // 2
    return tuple(zip(seats[:half], seats[half:], strict=True))


def with_cards() -> list[tuple[str, str, str, Teams]]:
    four: Teams = (("a", "c"), ("b", "d"))
    found: list[tuple[str, str, str, Teams]] = [
        ("tijou", "tijou", "ac", ()),
        ("tijou", "tijou", "abd", ()),
        ("tijou", "tijou", "abcd", four),
        ("tijou", "tijou", "abcde", ()),
        ("tijou", "tijou", "abcdef", (*four, ("e", "f"))),
        ("tockcitan", "tock4", "ac", ()),
        ("tockcitan", "tock4", "abc", ()),
        ("tockcitan", "tock4", "abcd", ()),
        ("tockcitan-team", "tock4", "abcd", four),
        ("tock-fadoq", "tock4", "abcd", four),
    ]
    for board, all_seats in CROSS.items():
        found.append(("tock-globe", board, all_seats[::2], ()))
        found.append(("tock-globe", board, all_seats, ()))
        found.append(("tock-globe", board, all_seats, facing(all_seats)))
    found.append(("tock-globe", "tock8", "aceg", facing("aceg")))
    return found


OFTEN = ("tock-fadoq", "tockcitan-team")  # one seating only, so twice
SPECS = [Spec(*one, mode) for one in with_cards() for mode in MODES]
SPECS += [spec for spec in SPECS if spec.game in OFTEN]
SPECS += [Spec("barricades", "barricades", seats, (), "real") for seats in ("ad", "abc", "abcd")]
SPECS += [Spec("trikolos", "trikolos", "wb", (), "real")] * 6


def opening(spec: Spec, rng: random.Random) -> events.Opened:
    """The first event of an evening: mostly the rules as they are, sometimes a house's own."""
    game = game_named(spec.game)
    options: tuple[tuple[str, str | bool], ...] = ()
    if rng.random() < 0.3:
        options = tuple((name, rng.choice(values)) for name, values in game.options.items())
    seats: tuple[str, ...] = tuple(spec.seats)
    tiles: tuple[str, ...] = ()
    if spec.game == "trikolos":
        seats = ("white", "black")
        bag = list("G" * 13 + "O" * 12 + "R" * 12)
        rng.shuffle(bag)
        text = "".join(bag)
        tiles = (*[text[n : n + 6] for n in range(0, 36, 6)], text[36])
    return events.Opened(
        game=spec.game,
        board=spec.board,
        seats=seats,
        house_entry=rng.choice((16, 16, 18)) if spec.board in CROSS else 16,
        teams=spec.teams,
        options=options,
        shares=shared_cells(spec, rng),
        mode=spec.mode,
        persons=tuple((seat, f"player {n}") for n, seat in enumerate(seats, 1)),
        tiles=tiles,
        host=rng.random() < 0.5,
    )


def shared_cells(spec: Spec, rng: random.Random) -> tuple[tuple[str, str], ...]:
    """Whose cells the fifth and the sixth at a Tijou table share, drawn by lot."""
    if spec.game != "tijou" or len(spec.seats) < 5:
        return ()
    if len(spec.seats) == 5:
        return (("e", rng.choice("abcd")),)
    one, other = rng.choice((("a", "c"), ("b", "d")))
    return (("e", one), ("f", other))


def seated(spec: Spec, persons: tuple[tuple[str, str], ...], rng: random.Random) -> events.Seated:
    """The next game of a match: the same persons, drawn to new seats."""
    names = [person for _, person in persons]
    rng.shuffle(names)
    drawn = tuple(zip([seat for seat, _ in persons], names, strict=True))
    return events.Seated(persons=drawn, teams=spec.teams, shares=shared_cells(spec, rng))
