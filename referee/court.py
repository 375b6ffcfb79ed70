"""Cases before the host or the table: opened, decided, and the penalty paid."""

from __future__ import annotations

from referee import events
from referee.dossier import DECISIONS, Case, Kind, voted
from referee.match import NotNowError, need
from referee.plays import Refusal, refuse
from referee.table import Notice, Penalty, Table, notice
from referee.verdict import fixes


def new_case(
    table: Table, kind: Kind, reasons: tuple[Refusal, ...], seat: str, raised_by: str = ""
) -> Case:
    return Case(
        number=len(table.cases) + 1,
        kind=kind,
        seat=seat,
        reasons=reasons,
        opened=table.at,
        turns=table.match.turns,
        before=table.calm_picture,
        after=table.picture,
        raised_by=raised_by,
    )


def refused(reason: Refusal, to: str = "") -> Notice:
    return Notice(f"rule.{reason.rule}", reason.facts, to)


def on_flagged(table: Table, event: events.Flagged) -> Table:
    need(event.against in table.match.setup.seats, "against whom?")
    reasons = (refuse(event.rule),) if event.rule else ()
    case = new_case(table, "by-hand", reasons, event.against, event.seat or "host")
    return table.with_case(case).saying(notice("case.by-hand", seat=event.against))


def on_ruled(table: Table, event: events.Ruled) -> Table:
    """The host decides; only a penalty that is not paid yet may be ruled otherwise."""
    due = table.penalty
    if due is not None and due.case == event.case and event.decision != "penalty":
        case = the_case(table, event.case, event.decision, closed=True)
        table = table.but(penalty=None)
    else:
        case = the_case(table, event.case, event.decision)
    return decided(table, case.but(decision=event.decision))


def on_voted(table: Table, event: events.Voted) -> Table:
    need(not table.host, "the host decides at this table")
    case = the_case(table, event.case, event.decision)
    voters = [seat for seat in table.match.setup.seats if seat != case.seat]
    need(event.seat in voters, "the accused does not vote")
    return decided(table, voted(case, event.seat, event.decision, len(voters)))


def the_case(table: Table, number: int, decision: str, *, closed: bool = False) -> Case:
    need(decision in DECISIONS, f"the decision is one of {', '.join(DECISIONS)}")
    for case in table.cases:
        if case.number == number:
            need(case.open or closed, f"case {number} is decided: {case.decision}")
            need(decision != "penalty" or table.penalty is None, "a penalty is to be paid first")
            return case
    raise NotNowError(f"there is no case {number}")


def decided(table: Table, case: Case) -> Table:
    table = table.with_case(case)
    if case.open:
        return table
    said = notice(f"decision.{case.decision}", seat=case.seat)
    match = table.match
    playing = match.phase not in ("over", "seats")
    lost = match.game.penalties(match.setup, match.position, case.seat) if playing else ()
    if case.decision != "penalty" or not lost:
        return table.saying(said)
    cell, position = lost[0]
    due = table.but(penalty=Penalty(case.number, case.seat, cell, position))
    if not table.camera:
        return penalty_paid(due)
    back = (
        fixes(due.seen.sight, due.expected, due.match.setup.board) if due.seen is not None else ()
    )
    return due.entering("follow", put_right=back).saying(
        said, notice("penalty.due", case.seat, cell=cell)
    )


def penalty_paid(table: Table) -> Table:
    """The piece is off the board."""
    assert table.penalty is not None
    paid = table.penalty
    match = table.match.but(position=paid.position)
    after = table.but(match=match, penalty=None, history=()).entering("still")
    return after.saying(notice("penalty.paid", seat=paid.seat, cell=paid.cell))
