"""Tijou positions as people write them and as they are seen: names to numbers and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from hardware.boards.tijou import RING, arrival_name
from referee.form import pawns_of, written
from referee.game import Setup, Sight
from referee.plays import CAMP, RefereeError

PIECES = 3
OFF, ARRIVED = 0, RING + 1  # beside the ring's 1 to 36
RING_NAMES = {str(n): n for n in range(1, RING + 1)}
ARRIVALS = tuple(arrival_name(seat) for seat in "abcd")

Arrivals = Sequence[str]  # of each seat, in their order


class Places(NamedTuple):
    """Where everybody's three pieces are, in the order of the seats, lowest first."""

    places: tuple[tuple[int, ...], ...]

    def but(self, seat: int, own: tuple[int, ...]) -> Places:
        """The same with one seat's pieces elsewhere."""
        return Places((*self.places[:seat], own, *self.places[seat + 1 :]))


def moved(pieces: tuple[int, ...], piece: int, to: int) -> tuple[int, ...]:
    left = list(pieces)
    left[left.index(piece)] = to
    return tuple(sorted(left))


def name_of(arrival: str, place: int) -> str:
    return {OFF: CAMP, ARRIVED: arrival}.get(place, str(place))


def read_square(setup: Setup, arrivals: Arrivals, form: Mapping[str, Any]) -> Places:
    places = []
    for arrival, (seat, cells) in zip(arrivals, pawns_of(setup, form, PIECES).items(), strict=True):
        places.append(tuple(sorted(place_of(seat, arrival, name) for name in cells)))
    return Places(tuple(places))


def place_of(seat: str, arrival: str, name: str) -> int:
    if name == CAMP:
        return OFF
    if name == arrival:
        return ARRIVED
    if name in RING_NAMES:
        return RING_NAMES[name]
    if name in ARRIVALS:
        raise RefereeError(f'"{name}" is not the arrival of seat "{seat}"')
    raise RefereeError(f'cell "{name}" is not on tijou')


def write_square(setup: Setup, arrivals: Arrivals, position: Places) -> dict[str, Any]:
    each = zip(setup.seats, arrivals, position.places, strict=True)
    return written({seat: [name_of(arrival, one) for one in own] for seat, arrival, own in each})


def sight_of_square(setup: Setup, arrivals: Arrivals, position: Places) -> Sight:
    return Sight(
        (seat, name_of(arrival, place))
        for seat, arrival, own in zip(setup.seats, arrivals, position.places, strict=True)
        for place in own
        if place != OFF
    )


def places_of_sight(setup: Setup, arrivals: Arrivals, sight: Sight) -> Places | None:
    """What is seen as places; None where pieces stand that cannot stand there."""
    found: dict[str, list[int]] = {seat: [] for seat in setup.seats}
    own_arrival = dict(zip(setup.seats, arrivals, strict=True))
    for (piece, name), many in sight.items():
        own = found.get(piece)
        place = RING_NAMES.get(name, ARRIVED)
        if own is None or (place == ARRIVED and name != own_arrival[piece]):
            return None
        own += [place] * many
    places = []
    for own in found.values():
        if len(own) > PIECES:
            return None
        places.append(tuple(sorted([*own, *[OFF] * (PIECES - len(own))])))
    return Places(tuple(places))
