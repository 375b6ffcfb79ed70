"""A table that plays by itself on its phones: any legal event, as the dice fall.

Also with a camera that reads whatever board is right, so that journals hold boards too.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, replace

from hardware import boards
from referee import events
from referee.events import Event
from referee.games import game as game_named
from referee.match import Match, most_to_deal
from referee.plays import CAMP, HOME
from referee.table import Table
from referee.umpire import step

Teams = tuple[tuple[str, ...], ...]
FACING: Teams = (("a", "c"), ("b", "d"))


@dataclass(frozen=True)
class Company:
    """A game with who sits around it."""

    game: str
    board: str
    seats: tuple[str, ...]
    teams: Teams = ()


COMPANIES = (
    Company("tijou", "tijou", ("a", "b", "c", "d"), FACING),
    Company("tockcitan", "tock4", ("a", "c")),
    Company("tockcitan-team", "tock4", ("a", "b", "c", "d"), FACING),
    Company("tock-fadoq", "tock4", ("a", "b", "c", "d"), FACING),
    Company("tock-globe", "tock4", ("a", "c")),
    Company("barricades", "barricades", ("a", "b", "c")),
    Company("trikolos", "trikolos", ("white", "black")),
)


def opening(company: Company, dice: random.Random, camera: bool = False) -> events.Opened:
    """The first event of a match."""
    deck = game_named(company.game).deck
    mode = dice.choice(("phone", "declared", "real")) if deck else "real"
    return events.Opened(
        game=company.game,
        board=company.board,
        seats=company.seats,
        teams=company.teams,
        mode=mode,
        persons=tuple((seat, f"Zoé {seat}") for seat in company.seats),
        camera=camera,
    )


def evening(opened: Event, dice: random.Random, many: int) -> list[Event]:
    """A match, whole or its first events."""
    found = [opened]
    table, _ = step(None, opened)
    while len(found) < many and table.match.phase != "over":
        found.append(following(table, dice))
        table, _ = step(table, found[-1])
    return found


def following(table: Table, dice: random.Random) -> Event:
    """Something that may happen now, a second after the last."""
    return replace(any_event(table, dice), at=table.at + 1 + dice.randrange(9))


def any_event(table: Table, dice: random.Random) -> Event:
    match = table.match
    seat = match.turn
    if table.camera and table.stage == "follow":
        return events.Seen(pieces=standing(match), picture=f"{table.at:.0f}.jpg")
    if table.question is not None:
        return events.Answered(seat=table.question.to, question=table.question.number)
    if table.stage == "pending":
        return events.Confirmed(seat=seat)
    if table.history and dice.random() < 0.02:
        return events.Undone(consent=True)
    if dice.random() < 0.02:
        return events.Tick()
    if match.phase in ("turn", "extra", "move"):
        return of_turn(table, dice)
    return between(match, dice)


def between(match: Match, dice: random.Random) -> Event:
    """Lots, shuffles, deals, exchanges, the next game."""
    if match.phase == "lots":
        return events.Lots(seat=dice.choice(match.order))
    if match.phase == "shuffle":
        cards = list(match.pile.cards + match.pile.discards) if match.phone_deck else []
        dice.shuffle(cards)
        return events.Shuffled(cards=tuple(cards))
    if match.phase == "deal":
        choosing = match.flow.chooses_deal and match.deals
        size = dice.randint(1, most_to_deal(match)) if choosing else 0
        return events.Dealt(seat=match.dealer, size=size)
    if match.phase == "exchange":
        seat = next(s for s in match.order if match.setup.mates(s) and s not in match.given)
        return events.Gave(seat=seat, card=dice.choice(match.hand(seat).cards or ("",)))
    return events.Seated(persons=match.persons, teams=match.setup.teams, shares=match.setup.shares)


def of_turn(table: Table, dice: random.Random) -> Event:
    """What whose turn it is does."""
    match = table.match
    seat, hand = match.turn, match.hand(match.turn)
    if match.phase == "move":
        return a_move(table, dice)
    if match.game.die:
        return events.Thrown(seat=seat, value=dice.randint(1, 6))
    if hand.blanks:
        return declaring(match, seat, dice)
    playable = [card for card in hand.cards if match.judged_card(seat, card).plays]
    if playable:
        return events.Announced(seat=seat, card=dice.choice(playable))
    if match.phase == "extra" or not hand.cards:
        return events.Passed(seat=seat)
    if match.flow.puts_down:
        return events.PutDown(seat=seat, card=dice.choice(hand.cards))
    whole = match.judged.forced == "discard_hand"
    return events.Discarded(seat=seat, cards=hand.cards if whole else (dice.choice(hand.cards),))


def a_move(table: Table, dice: random.Random) -> Event:
    match = table.match
    plays = match.judged.plays
    if not plays:
        if match.game.die:
            return events.Passed(seat=match.turn)
        return events.Withdrawn(seat=match.turn)
    play = dice.choice(plays)
    if not table.camera or match.game.seen(play.position) == match.game.seen(match.position):
        return events.Tapped(seat=match.turn, play=play.text)
    if dice.random() < 0.1:  # a piece nudged on the way
        return events.Seen(pieces=standing(match, nudged=dice), picture=f"{table.at:.0f}n.jpg")
    moved = match.but(position=play.position)
    return events.Seen(pieces=standing(moved), picture=f"{table.at:.0f}m.jpg")


def declaring(match: Match, seat: str, dice: random.Random) -> Event:
    """Blanks filled with cards that can be there: declared, or with a real deck announced."""
    elsewhere = {card for _, hand in match.hands for card in hand.cards}
    free = [c for c in match.game.deck if c not in elsewhere and c not in match.pile.discards]
    hand = match.hand(seat)
    if match.mode == "declared":
        new = dice.sample(free, hand.blanks)
        return events.Declared(seat=seat, cards=(*hand.cards, *new))
    playable = [card for card in free if match.judged_card(seat, card).plays]
    if playable and dice.random() < 0.8:
        return events.Announced(seat=seat, card=dice.choice(playable))
    idle = [card for card in free if card not in playable]
    if match.flow.puts_down and idle:
        return events.PutDown(seat=seat, card=dice.choice(idle))
    if match.phase == "extra" or match.flow.puts_down:
        return events.Passed(seat=seat) if match.phase == "extra" else any_card(match, seat, dice)
    whole = match.setup.chosen.get("no_play") == "discard_hand"
    many = len(hand) if whole else 1
    if len(idle) >= many:
        return events.Discarded(seat=seat, cards=tuple(dice.sample(idle, many)))
    return any_card(match, seat, dice)


def any_card(match: Match, seat: str, dice: random.Random) -> Event:
    held = {card for _, hand in match.hands for card in hand.cards}
    free = [c for c in match.game.deck if c not in held and c not in match.pile.discards]
    return events.Announced(seat=seat, card=dice.choice(free))


def standing(match: Match, nudged: random.Random | None = None) -> tuple[tuple[str, str], ...]:
    """Every piece where a camera would see it."""
    board = boards.board(match.setup.board)
    pieces = list(match.sight.elements())
    out = Counter(piece for piece, _ in pieces)
    camps: dict[str, list[str]] = {}
    for cell in board.of_kind("camp"):
        camps.setdefault(cell.seat or "", []).append(cell.id)
    form = match.game.write(match.setup, match.position)["pawns"]
    for seat, cells in form.items():
        pieces += [(seat, cell) for cell in camps.get(seat, ())[: len(cells) - out[seat]]]
    homes = [cell.id for cell in board.of_kind("arrival")]
    if match.setup.board == "trikolos":
        pieces = [
            (p, next(c for c in homes if c[0] == p[0]) if c == HOME else c) for p, c in pieces
        ]
    if nudged is not None:
        ring = {cell.id for cell in board.of_kind("ring")} - {cell for _, cell in pieces}
        moving = [n for n, (_, cell) in enumerate(pieces) if cell != CAMP]
        if ring and moving:
            n = nudged.choice(moving)
            pieces[n] = (pieces[n][0], nudged.choice(sorted(ring)))
    return tuple(sorted(pieces))
