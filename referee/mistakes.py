"""What a wrong board is called: the name of the mistake, for people and for the record.

Only what the whole table knows is asked, never a hand, so that a name gives no card away.
"""

from __future__ import annotations

from referee import cards
from referee.dossier import Kind
from referee.game import Sight
from referee.looks import Look
from referee.match import Match
from referee.plays import Refusal

CLOSE = 2  # steps: within them a move right for another card is rather a miscount
COUNTED = {"TOCK-EXACT", "TOCK-BACK", "TOCK-SEVEN", "TIJOU-WALK", "BAR-STEP"}
STRANGE = {"OWN", "TURN", "TOCK-PARTNER", "BOARD"}


def named(
    match: Match, seen: Look, reasons: tuple[Refusal, ...], expected: Sight
) -> tuple[Kind, str]:
    """The kind of case, from what moved and the rules it breaks; and whose it is."""
    rules = {reason.rule for reason in reasons}
    come = seen.sight - expected
    moved = {piece for piece, _ in come} & set(match.setup.seats)
    if seen.astray:
        return "wrong-camp", match.turn
    moving = match.phase == "move"
    strangers = moved - {match.turn}
    theirs = bool(moved) and strangers == moved and (not moving or bool(rules & STRANGE))
    for seat in sorted(moved) if match.turn and theirs else ():
        if would_be(match, seat, seen):
            return "out-of-turn", seat
    if not moving:
        return "moved-between" if come else "missing", match.turn
    return of_a_move(match, seen, reasons, come), match.turn


def of_a_move(match: Match, seen: Look, reasons: tuple[Refusal, ...], come: Sight) -> Kind:
    """What was wrong with the move of an announced card or a throw."""
    rules = {reason.rule for reason in reasons}
    seven = cards.RANK.get(match.card) == "7"  # which several pieces may walk
    if seven and "TOCK-SEVEN" in rules and steps(reasons, "moved") < 7 and "OWN" not in rules:
        return "short-seven"
    fits = [reason for reason in reasons if reason.rule == "CARD"]
    if fits and any(is_play_of(match, str(dict(one.facts).get("fits", "")), seen) for one in fits):
        close = rules & COUNTED and "OWN" not in rules and off_by(match, reasons) <= CLOSE
        return "wrong-count" if close else "wrong-card"
    if not come:  # one's own piece may have been taken
        return "wrong-card" if would_be(match, match.turn, seen) else "missing"
    if pieces_moved(match, seen, come) > 1 and not seven:
        return "two-moved"
    if "OWN" in rules or untouched(match, come):
        return "others-pawn"
    return "wrong-count" if rules & COUNTED else "illegal-move"


def untouched(match: Match, come: Sight) -> bool:
    """Whether a pawn of the other side was driven on tiles that nobody pushed."""
    others = set(match.setup.seats) - {match.turn}
    return match.flow.carries and {piece for piece, _ in come} <= others


def pieces_moved(match: Match, seen: Look, come: Sight) -> int:
    """How many pawns moved by hand; pushed tiles carry theirs along."""
    if not match.flow.carries:
        return pawns(match, come)
    halves = match.game.partials(match.setup, match.position, match.turn, [""], "")
    boards = [match.game.sight(match.setup, play.position) for play in halves]
    beyond = [seen.sight - board for board in boards]
    by_hand = [one for one in beyond if pawns(match, one) == one.total()]  # the tiles as they lie
    return min((one.total() for one in by_hand), default=1)


def pawns(match: Match, come: Sight) -> int:
    return sum(many for (piece, _), many in come.items() if piece in match.setup.seats)


def off_by(match: Match, reasons: tuple[Refusal, ...]) -> int:
    """By how many steps a move missed what the card is worth."""
    moved = steps(reasons, "moved")
    worths = [7] if cards.RANK.get(match.card) == "7" else []
    for reason in reasons:
        said = str(dict(reason.facts).get("worth", ""))
        worths += [int(one) for one in said.replace(",", " ").split() if one.isdigit()]
    return min((abs(abs(moved) - worth) for worth in worths), default=CLOSE + 1)


def steps(reasons: tuple[Refusal, ...], fact: str) -> int:
    for reason in reasons:
        if reason.rule in COUNTED and fact in dict(reason.facts):
            return int(dict(reason.facts)[fact])
    return 0


def is_play_of(match: Match, ranks: str, seen: Look) -> bool:
    """Whether a card of these ranks, or throw, would have made this board."""
    held = set(ranks.split())
    if match.game.die:
        return bool(held) and leads_to(match, match.turn, sorted(held), seen)
    asked = [card for card in rank_cards(match) if cards.rank(card) in held]
    return leads_to(match, match.turn, asked, seen)


def would_be(match: Match, seat: str, seen: Look) -> bool:
    """Whether a board is what a legal play of another seat would leave."""
    asked = one_a_rank(match) if match.game.deck else [""]
    if match.game.die:
        asked = [str(n) for n in range(1, 7)]
    return leads_to(match, seat, asked, seen)


def leads_to(match: Match, seat: str, asked: list[str], seen: Look) -> bool:
    key = match.game.seen_as(match.setup, seen.sight)
    if key is None:
        return False
    for card in asked:
        judged = match.game.judge(match.setup, match.position, seat, [card], card or None)
        if any(match.game.seen(play.position) == key for play in judged.plays):
            return True
    return False


def rank_cards(match: Match) -> list[str]:
    """One card of each rank of the deck."""
    return list({cards.rank(card): card for card in match.game.deck}.values())


def one_a_rank(match: Match) -> list[str]:
    """A card of each rank of which some may still be in a hand."""
    out = set(match.pile.discards)
    ranks: dict[str, str] = {}
    for card in match.game.deck:
        if card not in out:
            ranks.setdefault(cards.rank(card), card)
    return list(ranks.values())
