"""What may be shown to whom, built from lists of what is allowed and from nothing else."""

from __future__ import annotations

from typing import Any

from referee.dossier import Case
from referee.lights import wanted
from referee.match import Match, most_to_deal
from referee.plays import HOME, Play, Refusal
from referee.table import EVERYBODY, Notice, Question, Table
from referee.verdict import Fix

SHOWN_DISCARDS = 5


def public(table: Table) -> dict[str, Any]:
    """What everybody at the table can see: the big screen's view."""
    match = table.match
    return {
        "game": match.setup.game,
        "board": match.setup.board,
        "house_entry": match.setup.house_entry,
        "teams": [list(team) for team in match.setup.teams],
        "shares": dict(match.setup.shares),
        "options": dict(match.setup.options),
        "mode": match.mode,
        "on_honour": list(match.on_honour),
        "severity": table.severity,
        "phase": match.phase,
        "turn": match.turn,
        "dealer": match.dealer,
        "order": list(match.order),
        "turns": match.turns,
        "card": match.card,
        "extra": match.extra or match.phase == "extra",
        "position": match.game.write(match.setup, match.position),
        "seats": [seat_shown(match, seat) for seat in match.order],
        "pile": len(match.pile),
        "discards": list(match.pile.discards[-SHOWN_DISCARDS:]),
        "deal": {"size": match.flow.hand, "most": deal_limit(match)},
        "points": dict(match.points),
        "games_done": match.games_done,
        "games": match.flow.games,
        "winners": list(match.champions if match.phase == "over" else match.winners),
        "drawn": match.drawn_game,
        "last": None if match.last is None else play_shown(match.last) | {"seat": match.last_seat},
        "camera": table.camera,
        "hidden": table.hidden,
        "stage": table.stage,
        "lifted": list(table.lifted) if table.lifted else None,
        "put_right": [fix_shown(fix) for fix in table.put_right],
        "to_do": [fix_shown(fix) for fix in table.to_do],
        "lights": wanted(table),
        "paused": table.paused,
        "undo": {"asked": table.undo_asked, "consent": match.revealed, "last": bool(table.history)},
        "penalty": None
        if table.penalty is None
        else {"seat": table.penalty.seat, "cell": table.penalty.cell},
        "cases": [case_shown(case) for case in table.cases],
        "votes": not table.host,
        "notices": [notice_shown(one) for one in table.notices if one.to == EVERYBODY],
        "question": question_shown(table.question, EVERYBODY),
    }


def deal_limit(match: Match) -> int:
    if not match.flow.hand:
        return 0
    return most_to_deal(match) if match.flow.chooses_deal else match.flow.hand


def seat_shown(match: Match, seat: str) -> dict[str, Any]:
    return {
        "seat": seat,
        "person": match.person(seat),
        "cards": len(match.hand(seat)),
        "declared": match.mode != "declared" or match.hand(seat).known,
        "gave": seat in match.given,
        "out": seat in match.out,
        "extra": match.bank(seat),
        "mates": list(match.setup.mates(seat)),
    }


def seat_view(table: Table, seat: str) -> dict[str, Any]:
    """One player's view: what all see, the own hand, and what may be done with it.

    Which plays are legal may hang on the mover's whole hand (`cross` as a last resort), and so
    may what is lit: that much of a hand legality itself tells the table. The plays themselves,
    and the cards that could be played, are the mover's alone.
    """
    match = table.match
    view = public(table)
    hand = match.hand(seat)
    mine = match.turn == seat
    view |= {
        "seat": seat,
        "hand": list(hand.cards),
        "blanks": hand.blanks,
        "gift": dict(match.gifts).get(seat),
        "received": dict(match.received).get(seat),
        "plays": [play_shown(play) for play in match.judged.plays] if mine else [],
        "forced": match.judged.forced if mine else None,
        "playable": playable(match, seat) if mine else [],
        "notices": [notice_shown(one) for one in table.notices if one.to in (EVERYBODY, seat)],
        "question": question_shown(table.question, seat),
        "hint": play_shown(table.hint) if mine and table.hint is not None else None,
        "can": allowed(table, seat),
    }
    return view


def playable(match: Match, seat: str) -> list[str]:
    """The cards of the own hand that can be played now."""
    if match.phase not in ("turn", "extra"):
        return []
    return [card for card in match.hand(seat).cards if match.judged_card(seat, card).plays]


def allowed(table: Table, seat: str) -> list[str]:
    """What this seat may do now, by the names of the events."""
    match, found = table.match, []
    if table.paused:
        return []
    if match.mode == "declared" and match.hand(seat).blanks:
        found.append("declared")
    if match.phase == "exchange" and match.setup.mates(seat) and seat not in match.given:
        found.append("gave")
    if match.phase in ("lots", "shuffle", "seats"):
        found.append({"lots": "lots", "shuffle": "shuffled", "seats": "seated"}[match.phase])
    if match.phase == "deal" and seat == match.dealer:
        found.append("dealt")
    if match.turn == seat:
        found += of_turn(table, seat)
    if table.history and seat == match.last_seat:
        found.append("undo-asked")
    if table.question is not None and table.question.to in (EVERYBODY, seat):
        found.append("answered")
    return [*found, "flagged"]


def of_turn(table: Table, seat: str) -> list[str]:
    match, found = table.match, []
    if match.phase in ("turn", "extra"):
        if match.game.deck:
            found.append("announced")
        elif match.game.die:
            found.append("thrown")
        if match.phase == "extra" or 0 < len(match.hand(seat)) <= match.flow.keeps:
            found.append("passed")
        if match.flow.puts_down:
            found.append("put-down")
        if match.flow.stuck and match.phase == "turn":
            found.append("discarded")
    if match.phase == "move":
        found.append("tapped")
        if match.game.deck:
            found.append("withdrawn")
            if not match.judged.plays:
                found.append("put-down" if match.flow.puts_down else "discarded")
        elif match.game.die and not match.judged.plays:
            found.append("passed")
        if match.flow.draw_by_repetition:
            found.append("claimed")
    if table.stage in ("pending", "unfinished") or table.match.phase == "move":
        found.append("confirmed")
    if table.severity != "tournament" and match.judged.plays:
        found.append("hinted")
    return found


def play_shown(play: Play) -> dict[str, Any]:
    return {
        "text": play.text,
        "card": play.card,
        "again": play.again,
        "crosses": play.crosses,
        "captured": list(play.captured),
        "parts": [
            {
                "piece": part.piece,
                "path": list(part.path),
                "takes": [list(one) for one in part.takes],
                "swap": part.swap,
            }
            for part in play.parts
        ],
    }


def fix_shown(fix: Fix) -> dict[str, str]:
    return {"piece": fix.piece, "from": fix.origin, "to": fix.to}


def case_shown(case: Case) -> dict[str, Any]:
    """A case as the table may know it; where a card was is the host's business."""
    return {
        "number": case.number,
        "kind": case.kind,
        "seat": case.seat,
        "reasons": [reason.rule for reason in case.reasons],
        "mended": case.mended is not None,
        "decision": case.decision,
        "raised_by": case.raised_by,
        "votes": [seat for seat, _ in case.votes],
    }


def host_view(table: Table) -> dict[str, Any]:
    """The host's: everything public, every case in full; no hand, since hosts play too."""
    full = [
        case_shown(case)
        | {
            "reasons": [reason_shown(reason) for reason in case.reasons],
            "opened": case.opened,
            "took": case.took(),
            "turns": case.turns,
            "before": case.before,
            "after": case.after,
        }
        for case in table.cases
    ]
    return public(table) | {"cases": full, "unsure": unsure(table)}


def unsure(table: Table) -> list[str]:
    return sorted(table.seen.unsure - {HOME}) if table.seen is not None else []


def reason_shown(reason: Refusal) -> dict[str, Any]:
    return {"rule": reason.rule, "facts": dict(reason.facts)}


def notice_shown(one: Notice) -> dict[str, Any]:
    facts = {
        key: play_shown(value) if isinstance(value, Play) else value for key, value in one.facts
    }
    return {"key": one.key, "facts": facts, "to": one.to}


def question_shown(question: Question | None, seat: str) -> dict[str, Any] | None:
    if question is None or question.to not in (EVERYBODY, seat):
        return None
    return {
        "number": question.number,
        "key": question.key,
        "choices": [{"text": one.text, "card": one.card} for one in question.choices],
    }
