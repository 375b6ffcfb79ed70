"""The course of a match: what each event that is not a board does to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from referee import events
from referee.dealing import on_dealt, on_declared, on_gave, on_lots, on_shuffled
from referee.events import Event
from referee.game import Setup, check_setup, chosen_options
from referee.games import game as game_named
from referee.match import (
    MODES,
    NOBODY,
    Match,
    NotNowError,
    drawing,
    end_turn,
    forfeited,
    fresh_deck,
    laying,
    need,
    refuse_elsewhere,
    repeated,
    thrown,
    turn_of,
    whose_turn,
    withdrawn,
)
from referee.plays import RefereeError, refuse


def opened(event: events.Opened) -> Match:
    """A match as it begins."""
    game = game_named(event.game)
    if event.mode not in MODES:
        raise RefereeError(f'cards are "real", "declared" or "phone", not {event.mode!r}')
    if event.board not in game.boards:
        raise RefereeError(f"{game.name} is played on {', '.join(game.boards)}")
    setup = Setup(
        game.name,
        event.board,
        event.seats,
        event.house_entry,
        event.teams,
        chosen_options(game, dict(event.options)),
        event.shares,
    )
    persons = tuple((seat, dict(event.persons).get(seat, seat)) for seat in event.seats)
    check_seating(setup, persons)
    if set(dict(event.persons)) - set(event.seats):
        raise RefereeError('"persons": somebody sits where nobody plays')
    match = Match(
        setup,
        event.mode,
        game.start(setup),
        persons,
        points=tuple((person, 0) for _, person in persons),
    )
    if event.tiles:
        need(hasattr(match.position, "tiles"), f"{game.name} is played without tiles")
        form = game.write(setup, match.position)
        form |= {"tiles": list(event.tiles[:-1]), "spare": event.tiles[-1]}
        match = match.but(position=game.read(setup, form))
    return fresh_deck(match) if game.flow.begins_by != "first seat" else begun(match)


def check_seating(setup: Setup, persons: tuple[tuple[str, str], ...]) -> None:
    """Whether these can sit so: at the first game of a match, and again at each that follows."""
    game = game_named(setup.game)
    if len(set(setup.seats)) < max(2, len(setup.seats)):
        raise RefereeError("at least two seats play, each once")
    for seat in setup.seats:
        if seat not in game.seats:
            raise RefereeError(f"no seat {seat!r} in {game.name}")
    if len({person for _, person in persons}) < len(persons):
        raise RefereeError("two players have one name, and points follow the person")
    together = [seat for team in setup.teams for seat in team]
    if len(set(together)) < len(together):
        raise RefereeError('"teams": nobody plays in two teams')
    check_setup(game, setup)


def begun(match: Match) -> Match:
    """A game nobody draws lots for: the first seat begins."""
    return repeated(turn_of(match, match.order[0]), match.order[0])


PLAYED = (events.Announced, events.Discarded, events.PutDown, events.Passed)


def apply(match: Match, event: Event) -> Match:
    """The match after an event; NotNowError when it does not fit."""
    handler = HANDLERS.get(type(event))
    if handler is None:
        raise NotNowError(f'"{event.kind}" is not for the match')
    after = handler(match, event)
    return looked_at(after, event.seat) if isinstance(event, PLAYED) else after


def looked_at(match: Match, seat: str) -> Match:
    """Whoever plays has looked at what came in the exchange."""
    if not match.received:
        return match
    return match.but(received=tuple(one for one in match.received if one[0] != seat))


def on_announced(match: Match, event: events.Announced) -> Match:
    whose_turn(match, event.seat)
    need(
        match.phase in ("turn", "move", "extra") and bool(match.game.deck), "no card is played now"
    )
    hand = match.hand(event.seat)
    if not hand.may_hold(event.card):
        raise NotNowError(
            f"{event.card} is not in the hand",
            refuse("DECK", card=event.card, where=stands(match, event.card)),
        )
    refuse_elsewhere(match, event.seat, event.card)
    extra = match.extra or match.phase == "extra"
    return match.but(card=event.card, phase="move", extra=extra, revealed=True)


def stands(match: Match, card: str) -> str:
    """Where all can see that a card is; nobody is told in which hand."""
    return "discards" if card in match.pile.discards else "elsewhere"


def on_withdrawn(match: Match, event: events.Withdrawn) -> Match:
    whose_turn(match, event.seat)
    need(
        match.phase == "move" and bool(match.card) and bool(match.game.deck), "nothing to take back"
    )
    return withdrawn(match)


def on_thrown(match: Match, event: events.Thrown) -> Match:
    whose_turn(match, event.seat)
    need(match.game.die and match.phase == "turn", "the die is not thrown now")
    need(1 <= event.value <= 6, "a die shows 1 to 6")
    return thrown(match, str(event.value))


def on_discarded(match: Match, event: events.Discarded) -> Match:
    """Cards given up: one, or the whole hand; never while something can be played."""
    whose_turn(match, event.seat)
    need(match.phase in ("turn", "move") and not match.extra, "nothing is discarded now")
    how, hand = match.flow.stuck, match.hand(event.seat)
    need(how != "", "nothing is discarded in this game")
    many = len(hand) if how == "discard_hand" else 1
    need(len(event.cards) == many and len(hand) > 0, f"{many} cards are to be discarded")
    for card in event.cards:
        need(hand.may_hold(card), f"{card} is not in the hand")
    refuse_elsewhere(match, event.seat, *filter(None, event.cards))
    asked = tuple(dict.fromkeys(card for card in (*hand.cards, *event.cards) if card))
    if asked:
        judged = match.game.judge(match.setup, match.position, event.seat, asked, None)
        must_play(not judged.plays, "TOCK-MUST", event.seat)
    laid = match.but(**laying(match, event.seat, event.cards), last=None, revealed=False, card="")
    draws = {"never": 0, "before": match.flow.hand if many > 1 else 0, "after": many}
    owed = ((event.seat, draws[match.flow.draws]),) if draws[match.flow.draws] else ()
    return drawing(laid.but(owed=owed, extra_used=True), "settle")


def on_put_down(match: Match, event: events.PutDown) -> Match:
    """A card that cannot be carried out is laid down all the same."""
    whose_turn(match, event.seat)
    need(match.flow.puts_down and match.phase in ("turn", "move"), "no card is put down now")
    need(match.hand(event.seat).may_hold(event.card), f"{event.card} is not in the hand")
    refuse_elsewhere(match, event.seat, event.card)
    judged = match.game.judge(match.setup, match.position, event.seat, (event.card,), event.card)
    must_play(not judged.plays, "TIJOU-MUST", event.seat)
    down = match.but(**laying(match, event.seat, (event.card,)))
    return end_turn(down.but(card="", last=None, revealed=False))


def on_passed(match: Match, event: events.Passed) -> Match:
    whose_turn(match, event.seat)
    if match.phase == "extra":
        return end_turn(forfeited(match))
    if match.flow.keeps and match.phase == "turn":
        need(len(match.hand(event.seat)) <= match.flow.keeps, "too many cards left to pass")
        kept = match.but(out=(*match.out, event.seat), revealed=False)
        return end_turn(kept.but(last=None))
    need(match.game.die and match.phase == "move", "nobody passes now")
    must_play(not match.judged.plays, "BAR-MUST", event.seat)
    return end_turn(match.but(last=None, revealed=False))


def on_claimed(match: Match, event: events.Claimed) -> Match:
    need(event.seat in match.setup.seats and match.phase == "move", "nothing to claim now")
    seen = dict(match.seen_before).get((match.position, match.turn), 0)
    need(match.flow.draw_by_repetition and seen >= 3, "the position has not stood three times")
    return match.but(phase="over", drawn_game=True, turn=NOBODY)


def on_seated(match: Match, event: events.Seated) -> Match:
    """The next game of a match, teams drawn anew."""
    need(match.phase == "seats", "seats are not drawn now")
    everybody = sorted(person for _, person in match.persons)
    need(sorted(person for _, person in event.persons) == everybody, "everybody keeps playing")
    setup = replace(
        match.setup,
        seats=tuple(seat for seat, _ in event.persons),
        teams=event.teams,
        shares=event.shares,
    )
    check_seating(setup, event.persons)
    sizes = [sorted(map(len, teams)) for teams in (match.setup.teams, event.teams)]
    need(sizes[0] == sizes[1], "as many play together as before")
    again = Match(
        setup,
        match.mode,
        match.game.start(setup),
        event.persons,
        points=match.points,
        games_done=match.games_done,
    )
    return fresh_deck(again)


def must_play(holds: bool, rule: str, seat: str) -> None:
    if not holds:
        raise NotNowError("something can be played", refuse(rule, seat=seat))


HANDLERS: dict[type[Event], Callable[[Match, Any], Match]] = {
    events.Lots: on_lots,
    events.Shuffled: on_shuffled,
    events.Dealt: on_dealt,
    events.Declared: on_declared,
    events.Gave: on_gave,
    events.Announced: on_announced,
    events.Withdrawn: on_withdrawn,
    events.Thrown: on_thrown,
    events.Discarded: on_discarded,
    events.PutDown: on_put_down,
    events.Passed: on_passed,
    events.Claimed: on_claimed,
    events.Seated: on_seated,
}
