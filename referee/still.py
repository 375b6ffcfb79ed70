"""What a still board means: as it should be, a play, part of one, or something wrong."""

from __future__ import annotations

from referee import cards, events
from referee.court import new_case, penalty_paid, refused
from referee.dossier import Kind, mended
from referee.game import Sight
from referee.looks import Look, agrees, counts_fit, look
from referee.match import Match, played
from referee.plays import Play, Refusal, refuse
from referee.table import HISTORY, Choice, Notice, Question, Table, notice
from referee.verdict import Fix, Verdict, fixes, verdict

PATIENCE = 1.5  # seconds of stillness before a play that could go on is taken as it stands
LONG_PATIENCE = 12.0  # seconds before somebody is reminded of an unfinished play
MANY = 5  # pieces changed beyond any play's reach: the board was disturbed


def on_seen(table: Table, event: events.Seen) -> Table:
    seen = look(table.match.setup, event)
    same = table.seen == seen and not table.hidden
    table = table.but(seen=seen, hidden="", camera=True, picture=event.picture)
    if same and table.stage in ("still", "wrong", "disturbed", "asking", "lifted"):
        return table
    if same and table.stage in ("pending", "unfinished"):
        return waited(table)
    return judge_look(table, seen)


def judge_look(table: Table, seen: Look) -> Table:
    """What a still board means."""
    if table.match.phase in ("over", "seats") and not table.penalty:
        return table.entering("still")
    if not seen.astray and agrees(table.expected, seen) and not rather_played(table, seen):
        return calm(table)
    if table.stage == "follow":
        return table.entering("follow", put_right=fixes(seen.sight, table.expected))
    if table.match.phase == "move":
        return judge_move(table, seen)
    return judge_early(table, seen)


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
    table = table.entering("still", calm_picture=table.picture)
    if was == "follow" and not table.history and table.match.phase == "lots":
        return table.saying(notice("board.ready"))
    if case is not None:
        return table.saying(notice("board.put-right", case.seat))
    return table


def judge_move(table: Table, seen: Look) -> Table:
    """A card is announced, or a die thrown, and the board has changed."""
    found = plays_seen(table.match, seen)
    if len(found) > 1:
        return ask_which(table, found)
    if found and not seen.astray:
        if may_go_on(table.match, found[0]) and not table.open_case:
            return table.entering("pending", pending=found[0])
        return accept(table, found[0])
    held = lifted(table, seen)
    if held is not None:
        return held
    if not found and put_back(table, seen):
        return ask_undo(table)
    said = verdict_of(table, seen)
    if said.kind == "unfinished" and not seen.astray:
        return table.entering("unfinished", to_do=said.to_do, put_right=said.put_right).saying(
            notice("play.unfinished", table.match.turn)
        )
    return irregular(table, seen, said)


def plays_seen(match: Match, seen: Look) -> list[Play]:
    """The legal plays that lead to this board."""
    if not seen.unsure:
        key = match.game.seen_as(match.setup, seen.sight)
        return list(match.lookup.get(key, ())) if key is not None else []
    return [
        play
        for plays in match.lookup.values()
        for play in plays
        if agrees(match.game.sight(match.setup, play.position), seen)
    ]


def may_go_on(match: Match, play: Play) -> bool:
    """Whether another legal play begins just like this one: a jump that is still open."""
    (part,) = play.parts[-1:]
    others = match.stops.get((part.piece, part.path), ())
    return any(other.position != play.position for other in others)


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
        seen.sight,
    )


def lifted(table: Table, seen: Look) -> Table | None:
    """One piece is in the hand and nothing else has moved."""
    gone = table.expected - seen.sight
    if seen.sight - table.expected or gone.total() != 1 or seen.astray:
        return None
    (standing,) = gone
    return table.entering("lifted", lifted=standing)


def judge_early(table: Table, seen: Look) -> Table:
    """The board changed before a card was named: perhaps a card explains it."""
    found = lifted(table, seen)
    if found is not None:
        return found
    match = table.match
    back = put_back(table, seen)
    if match.phase in ("turn", "extra") and match.game.deck and not table.open_case:
        choices = explaining(match, seen)
        if choices and not seen.astray:
            takes = (Choice("undo", undo=True),) if back else ()
            return asking(table, "ask.card", match.turn, choices + takes)
    return ask_undo(table) if back else irregular(table, seen, None)


def put_back(table: Table, seen: Look) -> bool:
    """Whether the pieces stand as they did before the last play."""
    if not table.history or table.open_case is not None or seen.astray:
        return False
    before = table.history[-1]
    if before.game.seen(before.position) == before.game.seen(table.match.position):
        return False
    return agrees(before.game.sight(before.setup, before.position), seen)


def ask_undo(table: Table) -> Table:
    """Putting the pieces back is a request to take back."""
    asked = asking(table, "ask.undo", "", (Choice("yes", undo=True), Choice("no")))
    back = fixes(table.seen.sight, table.expected) if table.seen is not None else ()
    return asked.but(undo_asked=table.match.last_seat, put_right=back)


def asking(table: Table, key: str, to: str, choices: tuple[Choice, ...]) -> Table:
    number = table.questions + 1
    question = Question(number, key, to, choices)
    asked = table.entering("asking", question=question, questions=number)
    return asked.saying(notice(key, to))


def explaining(match: Match, seen: Look) -> tuple[Choice, ...]:
    """The cards that would make this board a legal play, of the known hand or of the deck."""
    hand = match.hand(match.turn)
    asked = hand.cards if hand.known else tuple(one_a_rank(match))
    found = []
    for card in asked:
        judged = match.judged_card(match.turn, card)
        for play in judged.plays:
            if agrees(match.game.sight(match.setup, play.position), seen):
                found.append(Choice(play.text, card))
                break
    return tuple(found)


def one_a_rank(match: Match) -> list[str]:
    """A card of each rank of which some may still be in a hand."""
    out = set(match.pile.discards)
    ranks: dict[str, str] = {}
    for card in match.game.deck:
        if card not in out:
            ranks.setdefault(cards.rank(card), card)
    return list(ranks.values())


def ask_which(table: Table, found: list[Play]) -> Table:
    """Two legal readings are never resolved in silence."""
    choices = tuple(Choice(play.text, play.card or "", play) for play in found)
    return asking(table, "ask.play", table.match.turn, choices)


def accept(table: Table, play: Play) -> Table:
    """The play counts."""
    before = table.match
    match = played(before, play)
    case = table.open_case
    if case is not None:
        table = table.with_case(mended(case, table.at, table.severity))
    return table.entering(
        "still",
        match=match,
        history=(*table.history[1 - HISTORY :], before),
        undo_asked="",
        calm_picture=table.picture,
        notices=(notice("play.done", seat=before.turn, play=play), *turn_notices(match, before)),
    )


# what is wrong with a board


def irregular(table: Table, seen: Look, said: Verdict | None) -> Table:
    """A board that no legal play explains: light it, say it, note it."""
    back = fixes(seen.sight, table.expected)
    come, gone = seen.sight - table.expected, table.expected - seen.sight
    if not seen.astray and max(come.total(), gone.total()) >= MANY:
        return table.entering("disturbed", put_right=back).saying(notice("board.disturbed"))
    if said is None:
        said = between_turns(table, seen)
    kind = kind_of(table, seen, said, come, gone)
    if table.open_case is not None:
        return table.entering("wrong", put_right=back)
    case = new_case(table, kind, said.reasons, table.match.turn)
    back += tuple(Fix(piece, cell, "camp") for piece, cell in seen.astray)
    shown = table.with_case(case).entering("wrong", put_right=back)
    return shown.saying(notice(f"case.{kind}", case.seat), *(refused(r) for r in said.reasons[:2]))


def between_turns(table: Table, seen: Look) -> Verdict:
    """Nothing was to be moved: whose move this would be, if anybody's."""
    match = table.match
    for seat in match.order:
        if seat != match.turn and match.turn and would_be(match, seat, seen):
            return Verdict("illegal", (), (refuse("TURN", seat=seat),))
    return Verdict("illegal", (), (refuse("BOARD", more=0, fewer=0),))


def would_be(match: Match, seat: str, seen: Look) -> bool:
    """Whether a board is what a legal play of another seat would leave."""
    asked = match.game.deck and one_a_rank(match)
    if match.game.die:
        asked = [str(n) for n in range(1, 7)]
    key = match.game.seen_as(match.setup, seen.sight)
    for card in asked or [""]:
        judged = match.game.judge(match.setup, match.position, seat, [card], card or None)
        if any(match.game.seen(play.position) == key for play in judged.plays):
            return True
    return False


def kind_of(table: Table, seen: Look, said: Verdict, come: Sight, gone: Sight) -> Kind:
    """What to call it: the name of the mistake, for people and for the record."""
    rules = [reason.rule for reason in said.reasons]
    movers = {piece for piece, _ in come}
    turn = table.match.turn
    if seen.astray:
        return "wrong-camp"
    if not come:
        return "missing"
    if rules == ["BOARD"] and table.match.phase != "move":
        return "moved-between"
    if "TURN" in rules and turn not in movers:
        return "out-of-turn"
    if turn and turn not in movers and movers <= set(table.match.setup.seats):
        return "others-pawn"
    if "CARD" in rules and holds_fitting(table.match, said, rules):
        return "wrong-card"
    if come.total() > 1 and "TOCK-SEVEN" not in rules:
        return "two-moved"
    if set(rules) & {"TOCK-EXACT", "TOCK-SEVEN", "TIJOU-WALK", "BAR-STEP"}:
        return "wrong-count"
    return "illegal-move"


def holds_fitting(match: Match, said: Verdict, rules: list[str]) -> bool:
    """Whether the move is rather another card's than a miscount of this one's."""
    counted = set(rules) & {"TOCK-EXACT", "TOCK-SEVEN", "TIJOU-WALK", "BAR-STEP"}
    hand = match.known_hand
    if not counted or match.game.die:
        return not counted
    fits = [str(dict(reason.facts)["fits"]) for reason in said.reasons if reason.rule == "CARD"]
    held = {cards.rank(card) for card in hand or () if card != match.card}
    return bool(held & set(" ".join(fits).split()))


def waited(table: Table) -> Table:
    """Time has passed over a board that waits for something."""
    passed = table.at - table.since
    if table.stage == "pending" and table.pending is not None and passed >= PATIENCE:
        return accept(table, table.pending)
    if table.stage in ("unfinished", "lifted") and passed >= LONG_PATIENCE:
        return table.but(since=table.at).saying(notice("play.unfinished", table.match.turn))
    return table


def left_undone(table: Table) -> Table:
    """The player thinks the play is done; part of it is not."""
    seen = table.seen
    standing = {fix.to for fix in table.to_do} == {"camp"}
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
    if table.seen is not None and agrees(table.expected, table.seen):
        return table.entering("still").saying(*table.notices)
    back = fixes(table.seen.sight, table.expected) if table.seen is not None else ()
    return table.entering("follow", put_right=back).saying(*table.notices)


def told_turn(table: Table, before: Match) -> Table:
    told = turn_notices(table.match, before)
    return table.saying(*told) if told else table


def turn_notices(match: Match, before: Match) -> tuple[Notice, ...]:
    """Whose turn it has become, or that the game is over."""
    if match.phase == "over" and before.phase != "over":
        key = "game.drawn" if match.drawn_game else "game.won"
        return (notice(key, seats=" ".join(match.winners)),)
    if match.turn and match.turn != before.turn:
        return (notice("turn.yours", match.turn),)
    return ()
