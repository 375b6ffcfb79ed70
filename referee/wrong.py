"""A board that no legal play explains: what it is called, whose it is, how it is put right."""

from __future__ import annotations

from referee import cards
from referee.court import new_case, refused
from referee.dossier import Kind
from referee.game import Sight
from referee.looks import Look, presumed
from referee.mistakes import named, would_be
from referee.plays import CAMP, Refusal, refuse
from referee.table import EVERYBODY, Table, notice
from referee.underway import likely
from referee.verdict import Fix, Verdict, fixes, verdict

LONG_PATIENCE = 12.0  # seconds before somebody is reminded, or what cannot be read is judged
MANY = 5  # pieces changed beyond any play's reach: the board was disturbed
FEW_PLAYS = 200  # as many are compared one by one with a board that fits none


def irregular(
    table: Table, seen: Look, reasons: tuple[Refusal, ...] | None, said: bool = False
) -> Table:
    """Light it, say it, note it: against whoever moved, whosever turn it was.

    `said`: a player said so; then no surer look is waited for.
    """
    sight = read_as(table, seen, said)
    back = to_mend(table, seen, sight)
    fallen = table.stage == "disturbed" or beyond_reach(table, seen, sight)
    if fallen and table.open_case is None:
        down = table.entering("disturbed", put_right=back)
        return down if table.stage == "disturbed" else down.saying(notice("board.disturbed"))
    if table.open_case is not None:
        return table.entering("wrong", put_right=back)
    if seen.unsure and not (said or waited_long(table)):
        return table.entering("unsure").saying(notice("board.unsure"))
    match = table.match
    kind, seat = named(match, Look(sight, seen.astray), reasons or (), table.expected)
    if reasons is None:
        out = refuse("TURN", seat=seat) if kind == "out-of-turn" else None
        reasons = (out or refuse("BOARD", more=0, fewer=0),)
    case = new_case(table, kind, reasons, seat)
    shown = table.with_case(case).entering("wrong", put_right=back)
    told = [notice(f"case.{kind}", seat)]
    if seat != match.turn:  # all have to hear that it was not who is on turn
        told = [notice(f"case.{kind}", EVERYBODY, seat=seat)]
    return shown.saying(*told, *(refused(reason) for reason in reasons[:2]))


def waited_long(table: Table) -> bool:
    return table.stage == "unsure" and table.at - table.since >= LONG_PATIENCE


def read_as(table: Table, seen: Look, said: bool = False) -> Sight:
    """The board that is judged: what is seen, and in the end what is most likely of the rest."""
    sight = likely(table.match, seen, table.expected)
    return presumed(seen, sight) if seen.unsure and (said or waited_long(table)) else sight


def to_mend(table: Table, seen: Look, sight: Sight) -> tuple[Fix, ...]:
    """What to put where; a play that is right but for a pawn's camp needs only that."""
    camps = tuple(Fix(piece, cell, CAMP) for piece, cell in seen.astray)
    match = table.match
    if camps and match.phase == "move":
        key = match.game.seen_as(match.setup, sight)
        if key is not None and match.lookup.get(key):
            return camps
    return fixes(sight, table.expected, match.setup.board) + camps


def beyond_reach(table: Table, seen: Look, sight: Sight) -> bool:
    """Whether more has moved than a play moves, whoever's, however wrongly."""
    boards = [table.expected]
    plays = table.match.judged.plays if table.match.phase == "move" else []
    if changes(sight, boards[0]) < MANY:
        return False
    if len(plays) <= FEW_PLAYS:
        match = table.match
        boards += [match.game.sight(match.setup, play.position) for play in plays]
    if min(changes(sight, board) for board in boards) < MANY:
        return False
    return not any(would_be(table.match, seat, seen) for seat in table.match.order)


def changes(one: Sight, other: Sight) -> int:
    return max((one - other).total(), (other - one).total())


def verdict_of(table: Table, seen: Look) -> Verdict:
    match = table.match
    hand = match.known_hand
    if hand is None or (match.card and match.card not in hand):
        hand = (match.card,)
    card = match.card or None
    return verdict(
        match.game,
        match.setup,
        match.position,
        match.turn,
        hand,
        card,
        match.judged,
        read_as(table, seen),
    )


def left_undone(table: Table) -> Table:
    """The player thinks the play is done; part of it is not."""
    seen = table.seen
    standing = bool(table.to_do) and {fix.to for fix in table.to_do} == {CAMP}
    kind: Kind = "left-standing" if standing else "unfinished"
    reasons: tuple[Refusal, ...] = ()
    if not standing and cards.RANK.get(table.match.card) == "7" and seen is not None:
        kind = "short-seven"
        reasons = (refuse("TOCK-SEVEN", seat=table.match.turn),)
    case = new_case(table, kind, reasons, table.match.turn)
    return table.with_case(case).saying(notice(f"case.{kind}", table.match.turn))
