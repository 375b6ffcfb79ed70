"""The umpire: an event in, the table's new state out. Pure, and the only one who decides.

A board that comes to rest is compared with the board that should stand, then with the plays
that may be played; what is neither is explained by the same rules, lit, and told.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from referee import court, events
from referee.asking import ask_undo
from referee.course import apply, opened
from referee.court import new_case, on_flagged, on_voted, refused
from referee.dossier import SEVERITIES, Kind, mended
from referee.events import Event
from referee.hint import hint
from referee.looks import adopted, as_expected
from referee.match import Match, NotNowError, need, taken_back, won
from referee.plays import HOME, Play, RefereeError, refuse
from referee.still import (
    accept,
    counted,
    following,
    judge_look,
    on_seen,
    told_turn,
    turn_notices,
    waited,
)
from referee.table import Choice, Notice, Table, notice
from referee.wrong import irregular, left_undone


class Intent(NamedTuple):
    """What the outside is to do: say something to a seat, or to everybody."""

    notice: Notice


def open_table(event: events.Opened) -> Table:
    if event.severity not in SEVERITIES:
        raise RefereeError(f"severity is {', '.join(SEVERITIES)}, not {event.severity!r}")
    return Table(
        opened(event),
        stage="follow" if event.camera else "still",
        severity=event.severity,
        camera=event.camera,
        host=event.host,
        at=event.at,
        since=event.at,
    )


def step(table: Table | None, event: Event) -> tuple[Table, tuple[Intent, ...]]:
    """The table after an event, and what to tell. NotNowError leaves everything as it was."""
    if isinstance(event, events.Opened):
        begun = open_table(event)
        return begun, ()
    if table is None:
        raise NotNowError("no match has been opened")
    if isinstance(event, events.Seen):  # the commonest: copied once, with its time
        after = on_seen(table, event)
    else:
        now = table.but(at=max(table.at, event.at), notices=())
        after = HANDLERS.get(type(event), on_match_event)(now, event)
    return after, tuple(Intent(one) for one in after.notices)


# the cards and the course of the match


def on_match_event(table: Table, event: Event) -> Table:
    """Whatever the match itself understands."""
    need(not table.paused, "the game is paused")
    need(table.penalty is None, "a penalty is to be paid first")
    need(table.ready or not table.camera, "the board has to be set up first, as it is shown")
    if table.stage in ("unfinished", "lifted", "pending") and moved_on(table, event):
        whole = table.pending or looks_like(table)
        if whole is None:
            return left_undone(table)
        table = accept(table, whole)
    need(not isinstance(event, STANDING) or settled(table), "the board has to be put right first")
    before = table.match
    try:
        match = apply(before, event)
    except NotNowError as error:
        return misfit(table, event, error)
    if isinstance(event, ACTS):
        after = table.acting(before, match=match)
    else:
        after = table.but(match=match, hint=None)
    if isinstance(event, events.Discarded) and not before.hand(event.seat).known:
        after = after.saying(notice("honour.discard", seat=event.seat))
    if isinstance(event, events.Gave):
        after = after.saying(*after.notices, *gifts_told(match, before))
    if isinstance(event, events.Announced):
        return announced(after)
    if isinstance(event, events.Seated):  # another game: nothing of the last is taken back
        after = after.but(history=(), ready=False)
    if match.position is not before.position:
        return following(after)
    return told_turn(after, before)


def gifts_told(match: Match, before: Match) -> tuple[Notice, ...]:
    """To each who has just got a card: which one; of a real deck only the hand knows it."""
    return tuple(
        notice("gift.received", seat, card=card, by=match.setup.mates(seat)[0])
        for seat, card in match.received
        if card and (seat, card) not in before.received
    )


# what can be taken back; and what is only done while the board stands as the game has it
ACTS = (events.Discarded, events.PutDown, events.Passed)
STANDING = (*ACTS, events.Thrown, events.Withdrawn, events.Claimed)


def settled(table: Table) -> bool:
    """Whether the board, where one is watched, stands as the game has it."""
    seen = table.seen
    return not table.camera or seen is None or as_expected(seen, table.expected)


def looks_like(table: Table) -> Play | None:
    """The one legal play that leaves this board, though a piece may be in the hand."""
    match, seen = table.match, table.seen
    if table.stage != "lifted" or match.phase != "move" or seen is None or seen.astray:
        return None
    found = match.lookup.get(match.game.seen_as(match.setup, seen.sight), ())
    return found[0] if len(found) == 1 else None


def moved_on(table: Table, event: Event) -> bool:
    """Somebody else plays a card while the last play is not finished."""
    late = isinstance(event, (events.Announced, events.Thrown, events.Discarded, events.PutDown))
    other = getattr(event, "seat", "") != table.match.turn
    return late and other and table.open_case is None and table.match.phase == "move"


def misfit(table: Table, event: Event, error: NotNowError) -> Table:
    """An event the match refuses; where a rule was broken it is a case, otherwise just not now."""
    kinds: dict[str, Kind] = {"DECK": "impossible-card"}
    kinds |= dict.fromkeys(("TOCK-MUST", "TIJOU-MUST", "BAR-MUST"), "must-play")
    if error.refusal is None or error.refusal.rule not in kinds:
        raise error
    if before_it_happened(table, event):
        raise error
    seat = getattr(event, "seat", table.match.turn)
    case = new_case(table, kinds[error.refusal.rule], (error.refusal,), seat)
    case = mended(case, table.at, table.severity)  # nothing happened: it was refused
    return table.with_case(case).saying(refused(error.refusal, seat))


def before_it_happened(table: Table, event: Event) -> bool:
    """On a phone a card that must be played is simply not given up: nobody need hear of it."""
    return table.match.phone_deck and isinstance(event, (events.Discarded, events.PutDown))


def announced(table: Table) -> Table:
    """A card lies open: what stands may already be its play."""
    table = table.but(question=None)
    if not table.match.lookup:  # built now, so that a board is only looked up
        table = table.saying(notice("card.nothing", table.match.turn, card=table.match.card))
    if table.camera and table.seen is not None and table.stage != "follow":
        return judge_look(table, table.seen)
    return table


# time, and answers


def on_tick(table: Table, event: Event) -> Table:
    return waited(table)


def on_confirmed(table: Table, event: events.Confirmed) -> Table:
    """That was my move, says the player."""
    need(event.seat == table.match.turn, "it is not your turn")
    need(not table.paused, "the game is paused")
    if table.stage == "pending" and table.pending is not None:
        return accept(table, table.pending)
    whole = looks_like(table)
    if whole is not None:
        return accept(table, whole)
    begun = table.stage in ("unfinished", "lifted") and table.match.phase == "move"
    if begun and table.open_case is None:
        return left_undone(table)
    idle = [play for play in table.match.judged.plays if changes_nothing(table.match, play)]
    if table.stage == "still" and table.match.phase == "move" and idle:
        return accept(table, idle[0])  # two of one's own have changed places
    raise NotNowError("nothing to confirm")


def changes_nothing(match: Match, play: Play) -> bool:
    return match.game.seen(play.position) == match.game.seen(match.position)


def on_answered(table: Table, event: events.Answered) -> Table:
    question = table.question
    need(question is not None and question.number == event.question, "nobody asks that now")
    assert question is not None
    need(not table.paused, "the game is paused")
    need(event.seat in (question.to, "") or not question.to, "somebody else is asked")
    need(0 <= event.choice < len(question.choices), "there is no such answer")
    choice = question.choices[event.choice]
    if choice.undo:
        return agreeing(table, event)
    cleared = table.but(question=None)
    if question.key == "ask.undo":
        return following(cleared).but(undo_asked="", agreed=())
    if choice == Choice("none") and table.seen is not None:
        if question.key == "ask.play":  # a surer look is waited for
            return cleared.entering("unsure")
        return irregular(cleared, table.seen, None, said=True)
    if choice.play is not None:
        return accept(cleared, choice.play)
    heard = events.Announced(at=event.at, seat=question.to, card=choice.card)
    return on_match_event(cleared.but(stage="still"), heard)


def on_tapped(table: Table, event: events.Tapped) -> Table:
    """A play chosen on a page; a board that is watched has to follow."""
    need(not table.paused and table.penalty is None, "not now")
    need(table.ready or not table.camera, "the board has to be set up first, as it is shown")
    if event.seat != table.match.turn:
        raise NotNowError("not your turn", refuse("TURN", seat=event.seat))
    need(table.match.phase == "move", "which card?")
    for play in table.match.judged.plays:
        if play.text == event.play:
            return following(counted(table, play))
    raise NotNowError("no such play now")


def on_hinted(table: Table, event: events.Hinted) -> Table:
    """One sensible play for whoever asks: their own secret as far as it tells of their cards."""
    need(event.seat == table.match.turn, "it is not your turn")
    need(table.severity != "tournament", "nobody is helped in a tournament")
    need(not table.paused and table.penalty is None and table.stage == "still", "not now")
    found = hint(table.match)
    need(found is not None, "which card?" if table.match.game.deck else "not now")
    return table.but(hint=found)


def on_hidden(table: Table, event: events.Hidden) -> Table:
    return table.but(hidden=event.why, since=table.at)  # stillness begins anew after it


def on_camera(table: Table, event: events.Camera) -> Table:
    if event.works:
        return following(table.but(camera=True, hidden=""))
    calm = table.but(camera=False, seen=None, hidden="").entering("still")
    return calm.saying(notice("camera.lost"))


def on_adopted(table: Table, event: Event) -> Table:
    """The host takes what stands for true."""
    need(table.seen is not None, "no board has been seen")
    assert table.seen is not None
    match, unsure = table.match, sorted(table.seen.unsure - {HOME})
    need(match.phase not in ("over", "seats"), "the game is over")
    need(table.penalty is None, "a penalty is to be paid first")
    need(not unsure, f"the camera is not sure of {', '.join(unsure)}")
    position = adopted(match, table.seen.sight)
    need(position is not None, "this board cannot be played on")
    winners = match.game.winners(match.setup, position)
    need(not winners or match.phase in ("turn", "move", "extra"), "this board is won already")
    taken = match.but(position=position)
    taken = won(taken.but(last=None), winners) if winners else taken
    after = table.acting(match, match=taken, ready=True)
    case = after.open_case
    if case is not None:
        after = after.with_case(case.but(mended=after.at, decision=case.decision or "nothing"))
    told = (notice("board.adopted"), *turn_notices(taken, match))
    return after.entering("still").saying(*told)


# going back


def on_undo_asked(table: Table, event: events.UndoAsked) -> Table:
    need(bool(table.history), "there is nothing to take back")
    need(table.penalty is None, "a penalty is to be paid first")
    need(table.stage in ("still", "follow", "wrong", "lifted"), "the board is busy")
    asked = ask_undo(table)
    assert asked.question is not None
    question = replace(asked.question, lasting=True)
    asked = asked.but(question=question, undo_asked=event.seat or "host")
    return asked.saying(notice("undo.asked", seat=event.seat), *asked.notices)


def agreeing(table: Table, event: events.Answered) -> Table:
    """One more who agrees to take back; where nobody has seen a card since, one is enough."""
    match, agreed = table.match, tuple(sorted({*table.agreed, event.seat}))
    others = [seat for seat in match.setup.seats if seat != match.last_seat]
    many = sum(seat in others for seat in agreed)
    if not match.revealed or "" in agreed or many * 2 > len(others):
        return on_undone(table.but(question=None), events.Undone(at=event.at, consent=True))
    said = notice("undo.agreed", seat=event.seat)
    if table.question is not None and table.question.to:  # so far only one seat was asked
        asked = ask_undo(table)
        return asked.but(agreed=agreed).saying(said, *asked.notices)
    return table.but(agreed=agreed).saying(said)


def on_undone(table: Table, event: events.Undone) -> Table:
    need(bool(table.history), "there is nothing to take back")
    need(table.penalty is None, "a penalty is to be paid first")
    need(
        event.consent or not table.match.revealed,
        "cards have been seen since: the table has to agree",
    )
    *earlier, before = table.history
    after = table.but(
        match=taken_back(before, table.match),
        history=tuple(earlier),
        question=None,
        undo_asked="",
        agreed=(),
    )
    return following(after.saying(notice("undo.done")))


def on_ruled(table: Table, event: events.Ruled) -> Table:
    after = court.on_ruled(table, event)
    if table.penalty is not None and after.penalty is None and table.camera:
        return following(after)  # the piece stays
    return after


def on_severity(table: Table, event: events.Severity) -> Table:
    need(event.severity in SEVERITIES, f"severity is one of {', '.join(SEVERITIES)}")
    return table.but(severity=event.severity)


def on_paused(table: Table, event: events.Paused) -> Table:
    """While the game is paused the board is not judged; afterwards it has to stand again."""
    after = table.but(paused=event.on)
    return after if event.on or not table.paused else following(after)


def on_ended(table: Table, event: Event) -> Table:
    if table.match.phase == "over":
        return table
    match = table.match.but(phase="over", turn="")
    final = table.but(match=match, penalty=None, history=(), undo_asked="", agreed=())
    return final.entering("still").saying(notice("game.ended"))


HANDLERS: dict[type[Event], Callable[[Table, Any], Table]] = {
    events.Hinted: on_hinted,
    events.Hidden: on_hidden,
    events.Camera: on_camera,
    events.Tick: on_tick,
    events.Tapped: on_tapped,
    events.Confirmed: on_confirmed,
    events.Answered: on_answered,
    events.Adopted: on_adopted,
    events.UndoAsked: on_undo_asked,
    events.Undone: on_undone,
    events.Flagged: on_flagged,
    events.Ruled: on_ruled,
    events.Voted: on_voted,
    events.Severity: on_severity,
    events.Paused: on_paused,
    events.Ended: on_ended,
}
