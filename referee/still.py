"""What a still board means: as it should be, a play, part of one, or something wrong."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import Any

from referee import events
from referee.asking import ask_card, ask_undo, ask_which
from referee.court import penalty_paid
from referee.dossier import mended
from referee.game import Sight
from referee.looks import (
    Look,
    agrees,
    alike,
    as_expected,
    counts_fit,
    doubtful,
    gone_home,
    in_hands,
    look,
)
from referee.match import Match, played
from referee.plays import Play
from referee.table import Notice, Table, notice
from referee.underway import leading_to, likely
from referee.verdict import fixes
from referee.wrong import LONG_PATIENCE, changes, irregular, verdict_of

PATIENCE = 1.5  # seconds of stillness before a play that could go on is taken as it stands
FEW_WAYS = 40  # to finish a play: of as many the nearest is lit
WAITING = ("pending", "unfinished", "lifted", "unsure")  # stages that time decides


def on_seen(table: Table, event: events.Seen) -> Table:
    seen, was, at = look(table.match.setup, event), table.seen, max(table.at, event.at)
    same = not table.hidden and alike(was, seen)
    moved = table.hidden or (table.stage == "pending" and not same)
    table = table.but(
        at=at,
        notices=(),
        seen=seen,
        picture=event.picture,
        since=at if moved else table.since,  # stillness begins anew
        hidden="",
        camera=True,
    )
    if table.paused:
        return table
    if same and table.stage in ("still", "wrong", "disturbed", "asking"):
        return table
    if same and table.stage in WAITING:
        return waited(table)
    return judge_look(table, seen, was)


def judge_look(table: Table, seen: Look, was: Look | None = None) -> Table:
    """What a still board means; where it has to catch up, beside the one before it."""
    match = table.match
    if match.phase in ("over", "seats") and not table.penalty:
        return table.entering("still")
    if seen.unsure or seen.astray or table.penalty is not None:
        right = not seen.astray and agrees(table.expected, seen) and not rather_played(table, seen)
        key = None
    else:
        key = match.game.seen_as(match.setup, seen.sight)
        right = key == match.game.seen(match.position)
    if right:
        return calm(table)
    if match.phase == "move" and table.penalty is None and table.ready:
        found = list(match.lookup.get(key, ())) if key is not None else plays_seen(match, seen)
        if found and not seen.astray:
            return in_doubt(table, seen, found) or one_of(table, found)
    if table.stage == "follow" or table.penalty is not None:
        return trailing(table, seen, was)
    return judge_move(table, seen) if match.phase == "move" else judge_early(table, seen)


def rather_played(table: Table, seen: Look) -> bool:
    """Where an unsure cell leaves it open, the camps tell whether a piece has left them."""
    match, board = table.match, table.match.setup.board
    if not seen.unsure or match.phase != "move" or counts_fit(board, table.expected, seen):
        return False
    return any(
        counts_fit(board, match.game.sight(match.setup, play.position), seen)
        for play in plays_seen(match, seen)
    )


def in_doubt(table: Table, seen: Look, found: list[Play]) -> Table | None:
    """Where nobody is sure that a piece stands there, no play is taken: a surer look is waited for.

    After long, whoever is on turn is asked.
    """
    match = table.match
    if not seen.unsure:
        return None
    boards = [match.game.sight(match.setup, play.position) for play in found]
    if not any(doubtful(table.expected, board, seen) for board in boards):
        return None
    if table.stage in WAITING and table.at - table.since >= LONG_PATIENCE:
        return ask_which(table, found, none=True)
    held = in_hand(table, seen)
    return held or table.entering("unsure").saying(notice("board.unsure"))


def calm(table: Table) -> Table:
    """The board stands as it should."""
    wrong, was = table.open_case, table.stage
    table = righted(table)
    if table.penalty is not None:
        return penalty_paid(table)
    asked = table.question
    if was == "asking" and asked is not None and asked.lasting:
        return table.but(calm_picture=table.picture)
    if was == "asking":
        table = table.but(undo_asked="", agreed=())
    first = not table.ready
    table = table.entering("still", calm_picture=table.picture, ready=True)
    if first:
        return table.saying(notice("board.ready"))
    if wrong is not None:
        return table.saying(notice("board.put-right", wrong.seat))
    return table


def righted(table: Table) -> Table:
    """What the board showed wrong is mended, now that it stands right."""
    case = table.open_case
    return table if case is None else table.with_case(mended(case, table.at, table.severity))


def one_of(table: Table, found: list[Play]) -> Table:
    """A legal play lies there, or more than one that look the same."""
    play = found[0]
    if table.history and table.seen is not None:
        seen = table.match.game.seen
        stood = seen(table.history[-1].position)
        if stood == seen(play.position) and put_back(table, table.seen):
            return ask_which(table, found, back=True)
    if len(found) > 1:
        return ask_which(table, found)
    held = bool(play.captured) and not put_away(table, play)
    if held and table.seen is not None and not table.seen.sight - table.match.sight:
        return in_hand(table, table.seen) or table  # a pawn on its way to one of its own colour
    if held or may_go_on(table, play):
        return table.entering("pending", pending=play, way=table.seen.sight if table.seen else None)
    return accept(table, play)


def put_away(table: Table, play: Play) -> bool:
    """Whether what a play takes is in its camp already; a hand may hold it for something else."""
    match, seen = table.match, table.seen
    if seen is None:
        return True
    board = match.game.sight(match.setup, play.position)
    return not in_hands(match.setup.board, board, seen).keys() & set(play.captured)


def trailing(table: Table, seen: Look, was: Look | None) -> Table:
    """The board has to catch up with the game; what moves away from that is told."""
    if table.ready and table.penalty is None and was is not None and strayed(table, seen, was):
        return irregular(table, seen, None)
    return table.entering("follow", put_right=fixes(seen.sight, table.expected))


def strayed(table: Table, seen: Look, was: Look) -> bool:
    """Whether a piece was put where it neither stood before, nor has to, nor may by a play."""
    if seen.unsure or was.unsure:
        return False
    match = table.match
    new = (seen.sight - table.expected) - (was.sight - table.expected)
    if not new:
        return False
    plays = match.touches if match.phase == "move" else ()
    return next(leading_to(match, plays, seen.sight, Counter(), was.sight), None) is None


def judge_move(table: Table, seen: Look) -> Table:
    """A card is announced, or a die thrown, and the board has changed to no whole play."""
    if put_back(table, seen):
        return ask_undo(table)
    held = in_hand(table, seen)
    if held is not None:
        return held
    said = verdict_of(table, seen)
    if said.kind == "unfinished" and not seen.astray:
        return table.entering(
            "unfinished", to_do=said.to_do, put_right=said.put_right, way=seen.sight
        ).saying(notice("play.unfinished", table.match.turn))
    return irregular(table, seen, said.reasons)


def judge_early(table: Table, seen: Look) -> Table:
    """The board changed before a card was named: perhaps a card explains it."""
    back = put_back(table, seen)
    up = None if back else lifted(table, seen)
    if up is not None:
        return up
    match = table.match
    if match.phase in ("turn", "extra") and match.game.deck and not table.open_case:
        asked = None if seen.astray else ask_card(table, seen, back)
        if asked is not None:
            return asked
    if back:
        return ask_undo(table)
    return under_way(table, seen) or irregular(table, seen, None)


def in_hand(table: Table, seen: Look) -> Table | None:
    """A piece in the hand, or a play that hands are in the middle of."""
    return lifted(table, seen) or under_way(table, seen)


def lifted(table: Table, seen: Look) -> Table | None:
    """One piece in the hand and nothing else changed, or nothing since a part was done."""
    if seen.astray:
        return None
    match = table.match
    sight = likely(match, seen, table.expected)
    home = gone_home(match.setup.board, match.sight, seen)
    for board in (table.expected, table.way):
        gone = Sight() if board is None or sight - board else board - sight
        if gone.total() == 1 and not home.keys() & {piece for piece, _ in gone}:
            (standing,) = gone
            back = fixes(sight, table.expected)
            return table.entering("lifted", lifted=standing, way=table.way, put_right=back)
    return None


def under_way(table: Table, seen: Look) -> Table | None:
    """A board that hands may leave in the middle of a legal play."""
    if seen.astray:
        return None
    match = table.match
    sight = likely(match, seen, table.expected)
    home = gone_home(match.setup.board, match.sight, seen)
    found = list(islice(leading_to(match, match.touches, sight, home), FEW_WAYS))
    if not found:
        return None
    targets = [match.game.sight(match.setup, play.position) for play in found]
    nearest = min(targets, key=lambda board: changes(sight, board))
    to_do = fixes(sight, nearest) if match.phase == "move" else ()
    back = fixes(sight, table.expected)
    waiting = table.entering("unfinished", to_do=to_do, put_right=back, way=sight)
    told = sight - table.expected and match.phase == "move"
    return waiting.saying(notice("play.unfinished", match.turn)) if told else waiting


def plays_seen(match: Match, seen: Look) -> list[Play]:
    """The legal plays that lead to this board."""
    return [
        play
        for plays in match.lookup.values()
        for play in plays
        if agrees(match.game.sight(match.setup, play.position), seen)
    ]


def may_go_on(table: Table, play: Play) -> bool:
    """Whether hands may be on their way to another legal play: a jump, or a drive, still open."""
    match, seen = table.match, table.seen
    if seen is None:
        return False
    if hasattr(play.position, "tiles"):
        return may_drive_on(match, play)
    further = [one for one in match.jumping if one.play.position != play.position]
    if not further:
        return False
    home = gone_home(match.setup.board, match.sight, seen)
    sight = likely(match, seen, table.expected)
    return next(leading_to(match, further, sight, home), None) is not None


def may_drive_on(match: Match, play: Play) -> bool:
    """Whether the board could also be another row pushed, the pawn not yet driven."""
    tiles, push = play.position.tiles, play.parts[0]
    if all(other.position.tiles != tiles or push in other.parts for other in match.judged.plays):
        return False
    halves = match.game.partials(match.setup, match.position, match.turn, [""], "")
    return any(half.position == play.position for half in halves)


def put_back(table: Table, seen: Look) -> bool:
    """Whether the pieces stand as they did before the last play, those from a camp in it."""
    if not table.history or table.open_case is not None or seen.astray:
        return False
    before, now = table.history[-1], table.match
    if before.setup != now.setup or before.game.seen(before.position) == now.game.seen(
        now.position
    ):
        return False
    stood = before.game.sight(before.setup, before.position)
    if not agrees(stood, seen):
        return False
    gone = now.sight - stood
    if stood - now.sight:
        return True
    home = gone_home(now.setup.board, now.sight, seen)
    return not Counter(piece for piece, _ in gone.elements()) - home


def accept(table: Table, play: Play) -> Table:
    """The play counts, and the board shows it."""
    stands = table.on_entering("still", calm_picture=table.picture)
    return counted(righted(table), play, **stands)


def counted(table: Table, play: Play, **changes: Any) -> Table:
    """The play counts; whether the board shows it is another question."""
    before = table.match
    match = played(before, play)
    told = (notice("play.done", seat=before.turn, play=play), *turn_notices(match, before))
    if play.crosses and before.known_hand is None and before.flow.last_resort:
        told += (notice("honour.cross", seat=before.turn),)
    return table.acting(before, match=match, notices=told, **changes)


def waited(table: Table) -> Table:
    """Time has passed over a board that waits for something, and lies open to see."""
    if table.hidden or table.paused or table.stage not in WAITING:
        return table
    passed = table.at - table.since
    whole = table.pending if table.stage == "pending" else None
    if whole is not None:
        late = passed >= (PATIENCE if put_away(table, whole) else LONG_PATIENCE)
        return accept(table, whole) if late else table
    seen = table.seen
    if passed < LONG_PATIENCE:
        return table
    named = table.match.phase == "move"
    if seen is not None and (table.stage == "unsure" or seen.unsure):
        judged = judge_look(table, seen)
        if named or judged.stage != "unfinished" or table.stage != "unfinished":
            return judged
    if seen is not None and not named and table.stage == "unfinished":
        return irregular(table, seen, None, said=True)  # nobody has named a card for it
    return table.but(since=table.at).saying(notice("play.unfinished", table.match.turn))


def due(table: Table) -> tuple[float, ...]:
    """The moments at which a table wants to be told the time."""
    if table.paused or table.hidden or table.stage not in WAITING:
        return ()
    moments = (table.since + wait for wait in (PATIENCE, LONG_PATIENCE))
    return tuple(moment for moment in moments if moment > table.at)


def following(table: Table) -> Table:
    """The game has moved on; the board, where one is watched, comes after."""
    if not table.camera:
        return table.but(seen=None).entering("still").saying(*table.notices)
    if table.seen is not None and as_expected(table.seen, table.expected):
        return righted(table).entering("still", ready=True).saying(*table.notices)
    back = fixes(table.seen.sight, table.expected) if table.seen is not None else ()
    return table.entering("follow", put_right=back).saying(*table.notices)


def told_turn(table: Table, before: Match) -> Table:
    told = turn_notices(table.match, before)
    return table.saying(*table.notices, *told) if told else table


def turn_notices(match: Match, before: Match) -> tuple[Notice, ...]:
    """Whose turn it has become, or that the game is over."""
    if match.phase in ("over", "seats") and before.phase not in ("over", "seats"):
        key = "game.drawn" if match.drawn_game else "game.won"
        told = [notice(key, seats=" ".join(match.winners))]
        if match.champions and match.flow.games > 1:
            told.append(notice("match.won", seats=" ".join(match.champions)))
        return tuple(told)
    if match.turn and match.turn != before.turn:
        return (notice("turn.yours", match.turn),)
    return ()
