"""Seven steps shared out among pawns, by what the board looks like, not by the order of parts.

Pawns that cannot come near each other within the seven steps are shared out apart, and what
each group can do is then combined: few boards are looked at where sequences would explode.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from referee.plays import Part, Play, Way
from referee.track import HOUSE, Pawns, bits

if TYPE_CHECKING:
    from referee.games.tock import Moves

SEVEN = 7

State = tuple[tuple[int, ...], int, int, bool]  # masks, fresh, pawns done walking, crossed
Layer = dict[State, Way | None]
# what a group did: its pawns' cells as a difference, what it hit, who is fresh no more,
# whose pawns it captured, whether it crossed, and by what parts
Deed = tuple[int, int, int, tuple[str, ...], bool, tuple[Part, ...]]
Deeds = tuple[int, int, int, tuple[str, ...], bool, Way | None]


def sevens(moves: Moves, card: str) -> Iterator[Play]:
    """Every whole seven, each resulting board once."""
    groups = groups_of(moves)
    if len(groups) == 1:
        layers = explored(moves, moves.movers[0], groups[0], 0, whole=one_each(moves))
        for state, way in layers[0].items():
            yield spent(moves, card, state, way, 0)
        return
    (seat,) = moves.movers
    shared: list[list[Deeds]] = [[] for _ in range(SEVEN + 1)]
    shared[0].append((0, 0, 0, (), False, None))
    for group in groups:
        shared = combined(shared, deeds(moves, seat, group), last=group is groups[-1])
    masks, fresh = moves.before
    low, own, high = masks[:seat], masks[seat], masks[seat + 1 :]
    for change, hits, faded, gone, crosses, way in shared[SEVEN]:
        if hits:
            left = [mask & ~hits for mask in masks]
            left[seat] = own ^ change
            after = Pawns(tuple(left), fresh & ~faded)
        else:
            after = Pawns((*low, own ^ change, *high), fresh & ~faded)
        yield Play(card, way, after, tuple(sorted(gone)) if gone else (), False, crosses)


def combined(shared: list[list[Deeds]], more: list[list[Deed]], *, last: bool) -> list[list[Deeds]]:
    """What the groups so far and one more can do together, by the steps they spend."""
    found: list[list[Deeds]] = [[] for _ in range(SEVEN + 1)]
    for used, before in enumerate(shared):
        if not last:
            found[used] += before
        elif used == SEVEN:
            found[SEVEN] += before
        for steps in range(SEVEN - used if last else 1, SEVEN - used + 1):
            if steps == 0:
                continue
            found[used + steps] += [
                (
                    change ^ change2,
                    hits | hits2,
                    faded | faded2,
                    gone + gone2,
                    crosses or crosses2,
                    (way, parts),
                )
                for change, hits, faded, gone, crosses, way in before
                for change2, hits2, faded2, gone2, crosses2, parts in more[steps]
            ]
    return found


def deeds(moves: Moves, seat: int, group: int) -> list[list[Deed]]:
    """What one group of pawns can do, by the steps it spends."""
    masks, fresh = moves.before
    own, occupied = masks[seat], moves.occupied
    found: list[list[Deed]] = []
    for layer in reversed(explored(moves, seat, group, own & ~group)):
        best: dict[tuple[int, int], Deed] = {}
        for (after, now, _, crosses), way in layer.items():
            hits = 0
            if after[:seat] != masks[:seat] or after[seat + 1 :] != masks[seat + 1 :]:
                standing = 0
                for mask in (*after[:seat], *after[seat + 1 :]):
                    standing |= mask
                hits = occupied & ~own & ~standing
            key = after[seat], hits
            if key not in best or (best[key][4] and not crosses):
                fewer = hits or after[seat].bit_count() < own.bit_count()
                gone = captured(moves, after) if fewer else ()
                change = own ^ after[seat]
                best[key] = (change, hits, fresh & ~now, gone, crosses, parts_of(way))
        found.append(list(best.values()))
    return found


def explored(moves: Moves, seat: int, group: int, idle: int, *, whole: bool = False) -> list[Layer]:
    if lonely(moves, seat, group):
        return walked_once(moves, idle)
    return spread(moves, idle, whole=whole)


def one_each(moves: Moves) -> bool:
    """Whether every part is another pawn's, and all of them one seat's."""
    laws = moves.laws
    partners = len(moves.movers) > 1 or (laws.seven_partner and laws.mates[moves.player])
    return not (laws.many_parts or partners)


def lonely(moves: Moves, seat: int, group: int) -> bool:
    """Whether a group is one pawn that gains nothing by stopping but to jump."""
    laws, track = moves.laws, moves.laws.track
    if not group or group & (group - 1):
        return False
    if not laws.many_parts:
        return True
    reach = track.reach(seat, group.bit_length() - 1, SEVEN, laws.jumps)
    return not reach & moves.occupied & ~group


def walked_once(moves: Moves, idle: int) -> list[Layer]:
    """What one pawn can do in a single part, or jumping between two, by the steps left then."""
    layers: list[Layer] = [{} for _ in range(SEVEN + 1)]
    start: State = (*moves.before, 0, False)
    jumped: list[tuple[int, State, Way]] = []
    for steps, after, step in moves.parts(start, SEVEN, idle, once=True):
        left = SEVEN - steps
        way: Way = (None, (moves.part(*step),))
        layers[left][after] = way
        if left and moves.laws.many_parts and len(step[2].path) > 1:
            jumped.append((left, after, way))
    for left, state, way in jumped:
        for steps, after, step in moves.parts(state, left, idle, once=True):
            layers[left - steps].setdefault(after, (way, (moves.part(*step),)))
    moves.stand(*moves.before)
    return layers


def parts_of(way: Way | None) -> tuple[Part, ...]:
    parts: tuple[Part, ...] = ()
    while way is not None:
        way, last = way
        parts = last + parts
    return parts


def spread(moves: Moves, idle: int = 0, *, whole: bool = False) -> list[Layer]:
    """Boards on the way of a seven, by the steps that are left; idle pawns stand still.

    `whole` leaves out those from which the seven cannot be spent.
    """
    layers: list[Layer] = [{} for _ in range(SEVEN + 1)]
    layers[SEVEN][(*moves.before, 0, False)] = None
    for left in range(SEVEN, 0, -1):
        for state, way in layers[left].items():
            for steps, after, step in moves.parts(state, left, idle, whole=whole):
                layer = layers[left - steps]
                if after not in layer:
                    layer[after] = (way, (moves.part(*step),))
    moves.stand(*moves.before)
    return layers


def spent(moves: Moves, card: str, state: State, way: Way | None, left: int) -> Play:
    masks, fresh, _, crosses = state
    return Play(card, way, Pawns(masks, fresh), captured(moves, masks), False, crosses, left)


def captured(moves: Moves, after: tuple[int, ...]) -> tuple[str, ...]:
    """The seat of every pawn that is no longer there."""
    gone: list[str] = []
    for seat, (was, now) in enumerate(zip(moves.before.masks, after, strict=True)):
        if was != now:
            gone += moves.letter(seat) * (was.bit_count() - now.bit_count())
    return tuple(gone)


def unspent(moves: Moves, card: str, whole: Collection[Pawns]) -> Iterator[Play]:
    """A seven on its way: whole parts walked, from where one of the whole ones can still come."""
    layers = spread(moves)
    alive = {state for state in layers[0] if Pawns(*state[:2]) in whole}
    for left in range(1, SEVEN):
        for state, way in layers[left].items():
            if any(after in alive for _, after, _ in moves.parts(state, left)):
                alive.add(state)
                yield spent(moves, card, state, way, left)
    moves.stand(*moves.before)


def groups_of(moves: Moves) -> list[int]:
    """The player's pawns in groups that cannot meet within seven steps."""
    laws = moves.laws
    if len(moves.movers) > 1:
        return [0]
    (seat,) = moves.movers
    own = moves.masks[seat]
    if laws.seven_partner and laws.mates[seat] and may_come_home(moves, seat):
        return [0]
    groups: list[tuple[int, int]] = []
    for cell, bit in bits(own):
        reach = laws.track.reach(seat, cell, SEVEN, laws.jumps)
        apart = []
        for pawns, cells in groups:
            if cells & reach:
                bit, reach = bit | pawns, reach | cells
            else:
                apart.append((pawns, cells))
        groups = [*apart, (bit, reach)]
    return [pawns for pawns, _ in groups] or [0]


def may_come_home(moves: Moves, seat: int) -> bool:
    """Whether the last pawn could come home before the seven is spent."""
    track, own = moves.laws.track, moves.masks[seat]
    if own.bit_count() < HOUSE:
        return False
    return all(
        any(walk.to >= track.ring for steps in range(1, SEVEN) for walk in lane[steps])
        for lane in (track.lane(seat)[cell] for cell, _ in bits(own & track.ring_mask))
    )
