"""What the lights should mean now: a meaning for each cell that is lit."""

from __future__ import annotations

from functools import lru_cache

from hardware import boards
from referee.game import Sight
from referee.plays import CAMP, HOME, Part, Play
from referee.table import Table
from referee.verdict import Fix

MAY_MOVE, MAY_GO, CAPTURE = "may-move", "may-go", "capture"
CAME_FROM, PUT_BACK, WRONG = "came-from", "put-back", "wrong"
YOUR_TURN, BEST_PLACED, CONFIRMED = "your-turn", "best-placed", "confirmed"
HINT = "hint"


@lru_cache(maxsize=16)
def camp_cells(board: str) -> dict[str, tuple[str, ...]]:
    """The waiting places of each seat, and where those who arrived stand."""
    found: dict[str, tuple[str, ...]] = {}
    for cell in boards.board(board).of_kind("camp"):
        found[cell.seat or ""] = (*found.get(cell.seat or "", ()), cell.id)
    return found


@lru_cache(maxsize=16)
def own_place(board: str) -> dict[str, tuple[str, ...]]:
    """The cells that say whose turn it is: a seat's own on the ways, or its camp."""
    marked: dict[str, tuple[str, ...]] = {}
    for cell in boards.board(board).of_kind("ring"):
        if cell.seat is not None:
            marked[cell.seat] = (*marked.get(cell.seat, ()), cell.id)
    return camp_cells(board) | marked


def wanted(table: Table) -> dict[str, str]:
    """Cells to light, each with its meaning; everything else is dark."""
    if table.penalty is not None:
        return {table.penalty.cell: BEST_PLACED}
    if table.put_right and table.stage in ("wrong", "follow", "disturbed", "asking"):
        return to_mend(table, table.put_right)
    match = table.match
    if table.stage == "unfinished" and table.to_do and table.severity != "tournament":
        return to_finish(table)
    if table.stage == "lifted" and table.lifted is not None:
        return targets(table, table.lifted)
    if table.hint is not None and table.stage == "still":
        return hinted(table, table.hint)
    if match.phase == "move" and table.severity != "tournament":
        return movable(table)
    if match.phase in ("turn", "move", "extra"):
        return whose_turn(table)
    return {}


def at(table: Table, piece: str, cell: str) -> str:
    """The light of a cell; for a camp the seat's first waiting place."""
    if cell not in (CAMP, HOME):
        return cell
    return camp_cells(table.match.setup.board).get(piece, ("",))[0]


def to_mend(table: Table, fixes: tuple[Fix, ...]) -> dict[str, str]:
    lit = {}
    for fix in fixes:
        lit[at(table, fix.piece, fix.to)] = PUT_BACK
    for fix in fixes:
        if fix.origin != CAMP:
            lit[at(table, fix.piece, fix.origin)] = WRONG
    lit.pop("", None)
    return lit


def to_finish(table: Table) -> dict[str, str]:
    lit = {}
    for fix in table.to_do:
        if fix.to == CAMP:
            lit[fix.origin] = CAPTURE
        else:
            lit[at(table, fix.piece, fix.origin)] = MAY_MOVE
            lit[at(table, fix.piece, fix.to)] = MAY_GO
    lit.pop("", None)
    return lit


def targets(table: Table, standing: tuple[str, str]) -> dict[str, str]:
    """Where the lifted piece may go, what it would capture, where it came from."""
    piece, cell = standing
    lit = {cell: CAME_FROM}
    if table.severity == "tournament" or table.match.phase != "move":
        return lit  # before a card is named, targets would tell of the hand
    done = table.way if table.way is not None and table.way[standing] else None
    for play in table.match.judged.plays:
        parts = play.parts
        if done is not None and not goes_on(table, parts, done, standing):
            continue
        for part in parts:
            if part.path[0] == cell and part.piece == piece:
                lit |= reached(part)
            elif part.swap == piece and part.path[1] == cell:
                lit[part.path[0]] = MAY_GO
    return lit


def goes_on(table: Table, parts: tuple[Part, ...], done: Sight, standing: tuple[str, str]) -> bool:
    """Whether a play begins with the parts that are done already, one piece being lifted now."""
    before = table.match.sight
    reached_by = {(part.piece, cell) for part in parts for cell in part.path[1:]}
    left_by = {(part.piece, part.path[0]) for part in parts}
    taken = {one for part in parts for one in part.takes}
    gone = (before - done).keys()
    return (done - before).keys() <= reached_by and gone <= left_by | taken and standing in left_by


def reached(part: Part) -> dict[str, str]:
    lit = {}
    for stop in part.path[1:]:
        if stop not in (CAMP, HOME):
            lit[stop] = MAY_GO
    for _, cell in part.takes:
        lit[cell] = CAPTURE
    return lit


def movable(table: Table) -> dict[str, str]:
    lit = {}
    for play in table.match.judged.plays:
        for part in play.parts[:1]:
            if len(part.path) > 1:
                lit[at(table, part.piece, part.path[0])] = MAY_MOVE
            if part.swap:
                lit[part.path[1]] = CAPTURE
    lit.pop("", None)
    return lit or whose_turn(table)


def hinted(table: Table, play: Play) -> dict[str, str]:
    """The pieces of a play and where they would go; nothing that would tell of a hidden card."""
    if table.match.game.deck and table.match.phase != "move":
        return whose_turn(table)
    lit = {}
    for part in play.parts:
        for cell in (part.path[0], part.path[-1]):
            lit[at(table, part.piece, cell)] = HINT
    lit.pop("", None)
    return {cell: meaning for cell, meaning in lit.items() if not cell.startswith("push")}


def whose_turn(table: Table) -> dict[str, str]:
    """The seat's own cell, and where the last play came from and went."""
    match = table.match
    lit = {}
    if match.last is not None:
        for part in match.last.parts:
            if len(part.path) > 1:
                lit[at(table, part.piece, part.path[0])] = CAME_FROM
                lit[at(table, part.piece, part.path[-1])] = CONFIRMED
    for cell in own_place(match.setup.board).get(match.turn, ())[:1]:
        lit[cell] = YOUR_TURN
    lit.pop("", None)
    return lit
