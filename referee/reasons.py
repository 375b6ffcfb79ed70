"""Why a board is wrong: the rules broken by what was most probably tried.

What a game's own pieces could have done comes from its generator, run tolerantly; what holds in
every game, other people's pieces and other cards, is told here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Sized
from itertools import chain, combinations, islice, product

from referee import cards
from referee.game import Game, Position, Setup, Sight
from referee.plays import Refusal, refuse

Reasons = tuple[Refusal, ...]
GENERAL = ("CARD", "OWN", "TURN", "BOARD")  # said after the rules of the game itself
ANOTHERS = ("OWN", "TOCK-PARTNER")  # nothing is wrong but whose piece it is
PUT_BACK = 6  # ways to put others' pieces back that are tried
FEW_APART = 4  # others' pieces of which one may be put back without the rest


def reasons(
    game: Game,
    setup: Setup,
    position: Position,
    seat: str,
    hand: Sequence[str],
    asked: Sequence[str],
    seen: Sight,
    again: Callable[[Sight], Reasons | None],
) -> Reasons:
    """The rules broken by whatever breaks the fewest.

    `again` judges another board: its reasons if it is wrong, None if it could stand.
    """
    before = game.sight(setup, position)
    come, gone = seen - before, before - seen
    movers = {piece for piece, _ in come}
    others = movers & set(setup.seats) - {seat}
    board = (refuse("BOARD", more=come.total(), fewer=gone.total()),)
    if crowded(game.write(setup, position)["pawns"], before, seen):
        return board
    found = [
        play.broken
        for card in asked
        for play in game.attempts(setup, position, seat, hand, card, seen)
        if play.broken
    ]
    if found:  # what partners' pieces may do is the game's business
        others -= set(setup.mates(seat))
    if others and (len(movers) > 1 or not found):
        found += strangers(before, seen, others, again)
    if not found:
        return board
    best = min(found, key=likelihood)
    if not any(fault.rule == "BOARD" for fault in best):
        only = all(fault.rule in ANOTHERS for fault in best)
        owners = {str(fact) for fault in best for name, fact in fault.facts if name == "seat"}
        best += elsewhere(game, setup, position, seat, asked, seen, owners if only else set())
    return tuple(sorted(dict.fromkeys(best), key=lambda one: one.rule in GENERAL))


def crowded(pawns: Mapping[str, Sized], before: Sight, seen: Sight) -> bool:
    """Whether there are more pieces of a kind than there were in the box."""
    there = Counter(piece for piece, _ in seen.elements())
    box = Counter(piece for piece, _ in before.elements())
    return any(
        many > (len(pawns[one]) if one in pawns else box[one]) for one, many in there.items()
    )


def strangers(
    before: Sight, seen: Sight, others: set[str], again: Callable[[Sight], Reasons | None]
) -> Iterator[Reasons]:
    """Others' pieces were moved besides: what is wrong but for that."""
    own = tuple(refuse("OWN", seat=piece) for piece in sorted(others))
    here = Sight(one for one in (seen - before).elements() if one[0] in others)
    there = [one for one in (before - seen).elements() if one[0] in others]
    whole = ((here, back) for back in combinations(there, min(here.total(), len(there))))
    # one alone, where the others may ride on their tiles or have been sent there
    apart = product(here, there) if 1 < here.total() <= FEW_APART else ()
    single = ((Sight([came]), (back,)) for came, back in apart if came[0] == back[0])
    for came, back in chain(islice(whole, PUT_BACK), islice(single, PUT_BACK)):
        mended = seen - came + Sight(back)
        rest = () if mended == before else again(mended)
        yield (*own, *(rest or ()))


def elsewhere(
    game: Game,
    setup: Setup,
    position: Position,
    seat: str,
    asked: Sequence[str],
    seen: Sight,
    others: set[str],
) -> Reasons:
    """Whose play, or what other card's, it would have been."""
    found: Reasons = ()
    if len(others) == 1:
        found = tuple(
            refuse("TURN", seat=other)
            for other in others
            if fitting(game, setup, position, other, seen)
        )
    fits = fitting(game, setup, position, seat, seen, asked)
    return (*found, refuse("CARD", card=asked[0], fits=" ".join(fits))) if fits else found


def fitting(
    game: Game,
    setup: Setup,
    position: Position,
    seat: str,
    seen: Sight,
    but: Sequence[str] = (),
) -> list[str]:
    """The other ranks, or throws, with which a player could have left this board."""
    played = {named(card) for card in but}
    key = game.seen_as(setup, seen)
    if key is None:
        return []
    asked = list({cards.RANK[card]: card for card in game.deck}.values()) or [""]
    if game.die:
        asked = [str(n) for n in range(1, 7)]
    return [
        named(card)
        for card in asked
        if named(card) not in played
        and any(
            game.seen(play.position) == key
            for play in game.judge(setup, position, seat, [card], card or None).plays
        )
    ]


def named(card: str) -> str:
    return cards.RANK.get(card, card)


def likelihood(broken: Reasons) -> tuple[int, int, int]:
    """Few faults come first; of as many, those of the player whose turn it is; then small slips.

    That a piece should have vanished by itself is as unlikely as two faults.
    """
    lost = sum(fault.rule == "BOARD" for fault in broken)
    others = sum(fault.rule in ("OWN", "TURN") for fault in broken)
    return len(broken) + lost, others, min(map(slip, broken))


def slip(fault: Refusal) -> int:
    """By how many steps a walk missed what it is worth, if that is what is wrong."""
    facts = dict(fault.facts)
    moved, worth = facts.get("moved"), str(facts.get("worth", ""))
    if not isinstance(moved, int) or not worth:
        return 0
    return min(abs(abs(moved) - int(one)) for one in worth.split())
