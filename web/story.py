"""A match in words, line by line, in French or English: what happened, who did it, and when.

Of a match under way only what everybody saw is told; of one that is over the hands as well.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from referee import events
from referee.events import Event
from referee.match import Match
from referee.plays import Play
from referee.table import Table
from web.states import Step, steps
from web.texts import Texts

Telling = Callable[["Teller", Step, Any], Iterable[str]]


def play_shown(play: Play, card: str, texts: Texts) -> str:
    """Short, as in a column of moves: `R♥  camp→a18`."""
    words = play.text.split()
    if play.card:
        words = words[1:]
    ways = [word.replace("-", "→").replace("~", "⇄") for word in words]
    return "  ".join(filter(None, [texts.index(card), ", ".join(ways)]))


def clean(name: str) -> str:
    """A name without anything that could upset a terminal or a file."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in name)


def called(person: str, seat: str, texts: Texts) -> str:
    """A player's name with the seat; nobody's name is the colour of the pieces."""
    name = clean(person)
    if not name.strip() or name == seat:
        name = texts.colour(seat)
    return f"{name} ({seat})"


def clock_shown(seconds: float) -> str:
    whole = max(0, int(seconds))
    return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"


def told(
    happened: Iterable[Event], lang: str, running: bool, started: float | None = None
) -> Iterator[str]:
    """The lines of a match."""
    teller: Teller | None = None
    for one in steps(happened):
        if teller is None:
            teller = Teller(one.table, lang, whole=not running)
            yield from teller.heading(one.table, started)
        at = clock_shown(one.table.at - teller.began)
        for line in teller.lines(one):
            yield f"{at:>9}  {line}"
    if teller is not None and running:
        yield teller.say("under-way")


class Teller:
    """Turns steps into lines."""

    def __init__(self, table: Table, lang: str, whole: bool) -> None:
        self.texts = Texts(lang, table.match.setup.board)
        self.whole = whole
        self.began = table.at

    def say(self, key: str, **facts: Any) -> str:
        return self.texts.say(f"record.{key}", **facts)

    def who(self, match: Match, seat: str) -> str:
        return called(match.person(seat), seat, self.texts)

    def everybody(self, match: Match, seats: Iterable[str]) -> str:
        return ", ".join(self.who(match, seat) for seat in seats)

    def open(self, laid: Iterable[str]) -> str:
        """Cards as their corners show them; one that nobody named is a question mark."""
        return " ".join(clean(self.texts.index(card)) or "?" for card in laid)

    def heading(self, table: Table, started: float | None) -> Iterator[str]:
        match = table.match
        game = self.texts.say(f"game.{match.setup.game}")
        when = "" if started is None else time.strftime(self.say("date"), time.localtime(started))
        yield " · ".join(filter(None, [game, when]))
        yield self.say("seats", who=self.everybody(match, match.order))
        if match.setup.teams:
            teams = [
                " + ".join(self.who(match, seat) for seat in team) for team in match.setup.teams
            ]
            yield self.say("teams", teams=", ".join(teams))
        if match.game.deck:
            yield self.say(f"mode.{match.mode}")
        yield ""

    def lines(self, one: Step) -> Iterator[str]:
        if one.before is None:
            return
        play = played(one)
        if play is not None:
            yield self.of_play(one.before.match, *play)
        telling = TELLINGS.get(type(one.event))
        if telling is not None:
            yield from telling(self, one, one.event)
        yield from self.of_cases(one.before, one.table)
        yield from self.of_intents(one)

    def of_play(self, match: Match, seat: str, play: Play) -> str:
        way = play_shown(play, play.card or match.card, self.texts)
        facts = {"who": self.who(match, seat), "play": way}
        if play.captured:
            return self.say("played-hit", **facts, whom=self.everybody(match, play.captured))
        return self.say("played", **facts)

    def of_cases(self, before: Table, after: Table) -> Iterator[str]:
        known = {case.number: case for case in before.cases}
        for case in after.cases:
            was = known.get(case.number)
            number, who = case.number, self.who(after.match, case.seat)
            if was is None:
                kind = self.say(f"kind.{case.kind}")
                yield self.say("case", number=number, who=who, kind=kind)
            took = case.took()
            if took is not None and (was is None or was.mended is None) and took > 0:
                yield self.say("righted", number=number, seconds=round(took))
            if case.decision and (was is None or was.decision != case.decision):
                decision = self.say(f"decision.{case.decision}")
                yield self.say("decided", number=number, decision=decision)

    def of_intents(self, one: Step) -> Iterator[str]:
        match = one.table.match
        for intent in one.intents:
            facts = dict(intent.notice.facts)
            if intent.notice.key == "penalty.paid":
                yield self.say("penalty", who=self.who(match, facts["seat"]), cell=facts["cell"])
            elif intent.notice.key == "undo.done":
                yield self.say("undone")
        assert one.before is not None
        before = one.before.match
        if match.games_done > before.games_done:
            yield self.say("won", who=self.everybody(match, match.winners))
            if match.flow.games > 1:
                points = ", ".join(f"{clean(name)} {n}" for name, n in match.points)
                yield self.say("points", points=points)
                if match.champions:
                    yield self.say("match-won", who=self.everybody(match, match.champions))
        if match.drawn_game and not before.drawn_game:
            yield self.say("drawn")

    def hands(self, before: Match, after: Match) -> Iterator[str]:
        """Everybody's cards once a deal is ready to be played; only when the match is over."""
        if not self.whole or after.phase not in ("turn", "move") or before.phase == after.phase:
            return
        for seat in after.order:
            hand = after.hand(seat)
            if hand.cards:
                yield self.say("hand", who=self.who(after, seat), cards=self.open(hand.cards))


def played(one: Step) -> tuple[str, Play] | None:
    """Who played what, where an event completed a play."""
    for intent in one.intents:
        if intent.notice.key == "play.done":
            facts = dict(intent.notice.facts)
            return str(facts["seat"]), facts["play"]
    return None


def on_lots(teller: Teller, one: Step, event: events.Lots) -> Iterator[str]:
    key = "begins" if one.table.match.game.die else "deals"
    yield teller.say(key, who=teller.who(one.table.match, event.seat))


def on_shuffled(teller: Teller, one: Step, event: events.Shuffled) -> Iterator[str]:
    yield teller.say("shuffled")


def on_dealt(teller: Teller, one: Step, event: events.Dealt) -> Iterator[str]:
    assert one.before is not None
    match = one.before.match
    yield teller.say("dealt", who=teller.who(match, match.dealer))
    yield from teller.hands(match, one.table.match)


def on_gave(teller: Teller, one: Step, event: events.Gave) -> Iterator[str]:
    assert one.before is not None
    who = teller.who(one.table.match, event.seat)
    if teller.whole and event.card:
        yield teller.say("gave-card", who=who, card=teller.open([event.card]))
    else:
        yield teller.say("gave", who=who)
    yield from teller.hands(one.before.match, one.table.match)


def on_discarded(teller: Teller, one: Step, event: events.Discarded) -> Iterator[str]:
    if taken(one):
        who = teller.who(one.table.match, event.seat)
        yield teller.say("discarded", who=who, cards=teller.open(event.cards))


def on_put_down(teller: Teller, one: Step, event: events.PutDown) -> Iterator[str]:
    if taken(one):
        who = teller.who(one.table.match, event.seat)
        yield teller.say("put-down", who=who, card=teller.open([event.card]))


def on_passed(teller: Teller, one: Step, event: events.Passed) -> Iterator[str]:
    if taken(one):
        yield teller.say("passed", who=teller.who(one.table.match, event.seat))


def on_seated(teller: Teller, one: Step, event: events.Seated) -> Iterator[str]:
    match = one.table.match
    yield teller.say("next-game", who=teller.everybody(match, match.order))


def on_camera(teller: Teller, one: Step, event: events.Camera) -> Iterator[str]:
    yield teller.say("camera-back" if event.works else "camera-lost")


def on_paused(teller: Teller, one: Step, event: events.Paused) -> Iterator[str]:
    yield teller.say("paused" if event.on else "goes-on")


def on_adopted(teller: Teller, one: Step, event: events.Adopted) -> Iterator[str]:
    yield teller.say("adopted")


def on_ended(teller: Teller, one: Step, event: events.Ended) -> Iterator[str]:
    yield teller.say("ended")


def taken(one: Step) -> bool:
    """Whether the match took the event as meant: otherwise it was an irregularity."""
    return one.before is not None and one.table.match is not one.before.match


TELLINGS: dict[type[Event], Telling] = {
    events.Lots: on_lots,
    events.Shuffled: on_shuffled,
    events.Dealt: on_dealt,
    events.Gave: on_gave,
    events.Discarded: on_discarded,
    events.PutDown: on_put_down,
    events.Passed: on_passed,
    events.Seated: on_seated,
    events.Camera: on_camera,
    events.Paused: on_paused,
    events.Adopted: on_adopted,
    events.Ended: on_ended,
}
