"""What a still board means: as it should be, a play, part of one, or something wrong."""

from __future__ import annotations

from referee import cards, events
from referee.asking import ask_card, ask_undo, ask_which
from referee.court import new_case, penalty_paid, refused
from referee.dossier import Kind, mended
from referee.game import Sight
from referee.looks import Look, agrees, alike, as_expected, counts_fit, look, returned
from referee.match import Match, played
from referee.mistakes import named, would_be
from referee.plays import CAMP, Play, Refusal, Standing, refuse
from referee.table import HISTORY, Notice, Table, notice
from referee.verdict import Fix, Verdict, fixes, verdict

PATIENCE = 1.5  # seconds of stillness before a play that could go on is taken as it stands
LONG_PATIENCE = 12.0  # seconds before somebody is reminded of an unfinished play
MANY = 5  # pieces changed beyond any play's reach: the board was disturbed
FEW_PLAYS = 200  # as many are compared one by one with a board that fits none


def on_seen(table: Table, event: events.Seen) -> Table:
    seen = look(table.match.setup, event)
    same = not table.hidden and alike(table.seen, seen)
    table = table.but(seen=seen, hidden="", camera=True, picture=event.picture)
    if table.paused:
        return table
    if same and table.stage in ("still", "wrong", "disturbed", "asking"):
        return table
    if same and table.stage in ("pending", "unfinished", "lifted", "unsure"):
        return waited(table)
    return judge_look(table, seen)


def judge_look(table: Table, seen: Look) -> Table:
    """What a still board means."""
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
    if match.phase == "move" and table.penalty is None:
        found = list(match.lookup.get(key, ())) if key is not None else plays_seen(match, seen)
        if found and not seen.astray:
            return one_of(table, found)
    if table.stage == "follow":
        return table.entering("follow", put_right=fixes(seen.sight, table.expected))
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


def calm(table: Table) -> Table:
    """The board stands as it should."""
    case, was = table.open_case, table.stage
    if case is not None:
        case = mended(case, table.at, table.severity)
        table = table.with_case(case)
    if table.penalty is not None:
        return penalty_paid(table)
    asked = table.question
    if was == "asking" and asked is not None and asked.lasting:
        return table.but(calm_picture=table.picture)
    if was == "asking":
        table = table.but(undo_asked="", agreed=())
    table = table.entering("still", calm_picture=table.picture)
    if was == "follow" and not table.history and table.match.phase == "lots":
        return table.saying(notice("board.ready"))
    if case is not None:
        return table.saying(notice("board.put-right", case.seat))
    return table


def one_of(table: Table, found: list[Play]) -> Table:
    """A legal play lies there, or more than one that look the same."""
    if len(found) > 1:
        return ask_which(table, found)
    play = found[0]
    held = bool(play.captured) and not put_away(table, play)
    if held and table.seen is not None and not table.seen.sight - table.match.sight:
        return in_hand(table, table.seen) or table  # a pawn on its way to one of its own colour
    if held or may_go_on(table.match, play):
        return table.entering("pending", pending=play, way=table.seen.sight if table.seen else None)
    return accept(table, play)


def put_away(table: Table, play: Play) -> bool:
    """Whether what a play takes is in its camp already; a hand may hold it for something else."""
    match, seen = table.match, table.seen
    if seen is None:
        return True
    board = match.game.sight(match.setup, play.position)
    return returned(match.setup.board, play.captured, board, seen) is not False


def judge_move(table: Table, seen: Look) -> Table:
    """A card is announced, or a die thrown, and the board has changed to no whole play."""
    back = put_back(table, seen)
    held = None if back else in_hand(table, seen)
    if held is not None:
        return held
    if back:
        return ask_undo(table)
    onward = on_a_stop(table, seen)
    if onward is not None:
        return onward
    said = verdict_of(table, seen)
    if said.kind == "unfinished" and not seen.astray:
        return table.entering(
            "unfinished", to_do=said.to_do, put_right=said.put_right, way=seen.sight
        ).saying(notice("play.unfinished", table.match.turn))
    return irregular(table, seen, said.reasons)


def plays_seen(match: Match, seen: Look) -> list[Play]:
    """The legal plays that lead to this board."""
    return [
        play
        for plays in match.lookup.values()
        for play in plays
        if agrees(match.game.sight(match.setup, play.position), seen)
    ]


def may_go_on(match: Match, play: Play) -> bool:
    """Whether another legal play goes on from just this board: a jump, or a drive, still open."""
    if hasattr(play.position, "tiles"):
        return may_drive_on(match, play)
    rest = None
    for other in match.jumping:
        if other.position == play.position:
            continue
        if rest is None:
            rest = play.parts
        for part in other.parts:
            for one in rest:
                n = len(one.path)
                further = len(part.path) > n and part.path[:n] == one.path
                if (
                    further
                    and part.piece == one.piece
                    and {*other.parts} - {part} == {*rest} - {one}
                ):
                    return True
    return False


def may_drive_on(match: Match, play: Play) -> bool:
    """Whether the board could also be another row pushed, the pawn not yet driven."""
    tiles, push = play.position.tiles, play.parts[0]
    if all(other.position.tiles != tiles or push in other.parts for other in match.judged.plays):
        return False
    halves = match.game.partials(match.setup, match.position, match.turn, [""], "")
    return any(half.position == play.position for half in halves)


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
        with_doubts(table, seen),
    )


def with_doubts(table: Table, seen: Look) -> Sight:
    """What is seen; cells nobody is sure of read as they should stand."""
    if not seen.unsure:
        return seen.sight
    held = Sight({one: many for one, many in table.expected.items() if one[1] in seen.unsure})
    return Sight({o: many for o, many in seen.sight.items() if o[1] not in seen.unsure}) + held


def in_hand(table: Table, seen: Look) -> Table | None:
    """Pieces are in the hand and nothing else has changed since the board was in order."""
    if seen.astray:
        return None
    sight = with_doubts(table, seen)
    for board in (table.expected, table.way):
        if board is None or sight - board:
            continue
        gone = board - sight
        in_camp = returned(table.match.setup.board, [p for p, _ in gone], sight, seen)
        if in_camp and table.match.phase != "move":
            return None
        if gone.total() == 1 and not in_camp:
            (standing,) = gone
            return table.entering(
                "lifted",
                lifted=standing,
                way=table.way,
                put_right=fixes(sight, table.expected),
            )
        if gone.total() < MANY and (board is table.way or may_be_held(table.match, gone, in_camp)):
            return table.entering(
                "unfinished",
                to_do=fixes(sight, board),
                put_right=fixes(sight, table.expected),
                way=table.way,
            )
    return None


def on_a_stop(table: Table, seen: Look) -> Table | None:
    """A piece has come to a stop of its way, what it takes perhaps gone already."""
    if seen.astray:
        return None
    match, sight = table.match, with_doubts(table, seen)
    for play in match.jumping:
        for part in play.parts:
            here = (part.piece, part.path[0])
            allowed = {here, *part.takes}
            for board in (table.expected, table.way):
                if board is None or (board - sight).keys() - allowed or here in sight - board:
                    continue
                come = list((sight - board).elements())
                if come in [[(part.piece, stop)] for stop in part.path[1:-1]]:
                    target = match.game.sight(match.setup, play.position)
                    return table.entering(
                        "unfinished",
                        to_do=fixes(sight, target),
                        put_right=fixes(sight, table.expected),
                        way=sight,
                    ).saying(notice("play.unfinished", match.turn))
    return None


def may_be_held(match: Match, gone: Sight, in_camp: bool | None) -> bool:
    """Whether one legal play moves or takes all these pieces; those in a camp it takes."""
    for play in match.judged.plays if match.phase == "move" else ():
        touched: set[Standing] = set()
        for part in play.parts:
            touched |= {*part.takes}
            if not in_camp:
                touched.add((part.piece, part.path[0]))
            if part.swap and not in_camp:
                touched.add((part.swap, part.path[1]))
        if gone.keys() <= touched:
            return True
    return False


def judge_early(table: Table, seen: Look) -> Table:
    """The board changed before a card was named: perhaps a card explains it."""
    back = put_back(table, seen)
    held = None if back else in_hand(table, seen)
    if held is not None:
        return held
    match = table.match
    if match.phase in ("turn", "extra") and match.game.deck and not table.open_case:
        asked = None if seen.astray else ask_card(table, seen, back)
        if asked is not None:
            return asked
    return ask_undo(table) if back else irregular(table, seen, None)


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
    return bool(returned(now.setup.board, [piece for piece, _ in gone], stood, seen))


def accept(table: Table, play: Play) -> Table:
    """The play counts."""
    before = table.match
    match = played(before, play)
    case = table.open_case
    if case is not None:
        table = table.with_case(mended(case, table.at, table.severity))
    told = (notice("play.done", seat=before.turn, play=play), *turn_notices(match, before))
    if play.crosses and before.known_hand is None and before.flow.last_resort:
        told += (notice("honour.cross", seat=before.turn),)
    return table.entering(
        "still",
        match=match,
        history=(*table.history[1 - HISTORY :], before),
        undo_asked="",
        agreed=(),
        calm_picture=table.picture,
        notices=told,
    )


# what is wrong with a board


def irregular(table: Table, seen: Look, reasons: tuple[Refusal, ...] | None) -> Table:
    """A board that no legal play explains: light it, say it, note it."""
    sight = with_doubts(table, seen)
    back = to_mend(table, seen, sight)
    fallen = table.stage == "disturbed" or beyond_reach(table, seen, sight)
    if fallen and not seen.astray and table.open_case is None:
        told = () if table.stage == "disturbed" else (notice("board.disturbed"),)
        return table.entering("disturbed", put_right=back).saying(*told)
    if table.open_case is not None:
        return table.entering("wrong", put_right=back)
    if seen.unsure and not waited_long(table):
        return table.entering("unsure").saying(notice("board.unsure"))
    match = table.match
    kind = named(match, Look(sight, seen.astray), reasons or (), table.expected)
    if reasons is None:
        seats = {piece for piece, _ in sight - table.expected} & set(match.setup.seats)
        turn = kind == "out-of-turn"
        reasons = tuple(
            refuse("TURN", seat=seat) if turn else refuse("BOARD", more=0, fewer=0)
            for seat in sorted(seats)[:1] or match.order[:1]
        )
    case = new_case(table, kind, reasons, match.turn)
    shown = table.with_case(case).entering("wrong", put_right=back)
    return shown.saying(notice(f"case.{kind}", case.seat), *(refused(r) for r in reasons[:2]))


def waited_long(table: Table) -> bool:
    return table.stage == "unsure" and table.at - table.since >= LONG_PATIENCE


def to_mend(table: Table, seen: Look, sight: Sight) -> tuple[Fix, ...]:
    """What to put where; a play that is right but for a pawn's camp needs only that."""
    camps = tuple(Fix(piece, cell, CAMP) for piece, cell in seen.astray)
    match = table.match
    if camps and match.phase == "move":
        key = match.game.seen_as(match.setup, sight)
        if key is not None and match.lookup.get(key):
            return camps
    return fixes(sight, table.expected) + camps


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


def waited(table: Table) -> Table:
    """Time has passed over a board that waits for something."""
    passed = table.at - table.since
    whole = table.pending if table.stage == "pending" else None
    if whole is not None and passed >= (PATIENCE if put_away(table, whole) else LONG_PATIENCE):
        return accept(table, whole)
    if table.stage in ("unfinished", "lifted") and passed >= LONG_PATIENCE:
        return table.but(since=table.at).saying(notice("play.unfinished", table.match.turn))
    if table.stage == "unsure" and passed >= LONG_PATIENCE and table.seen is not None:
        return judge_look(table, table.seen)
    return table


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


def following(table: Table) -> Table:
    """The game has moved on; the board, where one is watched, comes after."""
    if not table.camera:
        return table.but(seen=None).entering("still").saying(*table.notices)
    if table.seen is not None and as_expected(table.match, table.seen, table.expected):
        return table.entering("still").saying(*table.notices)
    back = fixes(table.seen.sight, table.expected) if table.seen is not None else ()
    return table.entering("follow", put_right=back).saying(*table.notices)


def told_turn(table: Table, before: Match) -> Table:
    told = turn_notices(table.match, before)
    return table.saying(*table.notices, *told) if told else table


def turn_notices(match: Match, before: Match) -> tuple[Notice, ...]:
    """Whose turn it has become, or that the game is over."""
    if match.phase in ("over", "seats") and before.phase not in ("over", "seats"):
        key = "game.drawn" if match.drawn_game else "game.won"
        return (notice(key, seats=" ".join(match.winners)),)
    if match.turn and match.turn != before.turn:
        return (notice("turn.yours", match.turn),)
    return ()
