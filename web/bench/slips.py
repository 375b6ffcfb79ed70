"""What goes wrong on an evening: carried out, shown to the camera, and put right again.

Before each one the rules are asked whether anybody could tell; what cannot be told is counted
with the reason, and the umpire has to stay calm about it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee import events
from referee.events import Event
from referee.game import Sight
from referee.match import Match
from referee.mistakes import one_a_rank, rank_cards
from referee.plays import Play
from referee.wrong import LONG_PATIENCE
from web.bench import mishaps
from web.bench.mishaps import Mishap
from web.bench.players import best

if TYPE_CHECKING:
    from web.bench.clumsy import Evening

OTHER_CARD = frozenset(("wrong-card", "wrong-count"))  # another card would explain it just so


def misplay(evening: Evening, mishap: Mishap, play: Play | None) -> bool:
    """A wrong board with a card announced; then it is put right, or the right play follows.

    True where putting it right has finished the play.
    """
    match = evening.match
    why = unseeable(evening, match, mishap)
    if why:
        evening.note(mishap.name, f"unseeable: {why}")
        return False
    if match.game.deck and leads_to(evening, match.turn, tuple(rank_cards(match)), mishap.sight):
        mishap = mishap._replace(kinds=mishap.kinds | OTHER_CARD)
    if taken_still_stands(match, mishap.sight):
        mishap = mishap._replace(kinds=mishap.kinds | {"left-standing"})
    evening.expect(mishap)
    show(evening, mishap)
    if evening.table.stage in ("unfinished", "lifted", "pending"):
        begun = mishap.kinds | {"unfinished", "left-standing"}  # it looks like a play on its way
        evening.expect(mishap._replace(kinds=begun))
        hurried(evening)
    evening.settled_expectation("the board stood")
    if evening.match is not match:
        raise evening.lost(f"{mishap.name} was taken for {evening.match.last}")
    if mishap.astray and play is not None:
        evening.lay(match, match.card)
        evening.wood.mend(tuple((f.piece, f.origin, f.to) for f in evening.table.put_right))
        evening.look()
        evening.settle(match, play)
        return True
    put_right(evening, play)
    return False


def taken_still_stands(match: Match, sight: Sight) -> bool:
    """Whether a play of the announced card would leave this but for what it takes."""
    for play in match.judged.plays:
        target = match.game.sight(match.setup, play.position)
        takes = Sight(taken for part in play.parts for taken in part.takes)
        if not target - sight and not (sight - target) - takes:
            return True
    return False


def show(evening: Evening, mishap: Mishap) -> None:
    evening.wood.stand(mishap.sight)
    evening.wood.astray = list(mishap.astray)
    evening.look()


def hurried(evening: Evening) -> None:
    """The next player already plays, or the mover says that this was it."""
    match = evening.match
    following = match.next_seat(match.turn)
    hand = evening.hand(following) if match.game.deck else ()
    if hand and evening.rng.random() < 0.5:
        evening.send(events.Announced(seat=following, card=evening.rng.choice(hand)))
    else:
        evening.send(events.Confirmed(seat=match.turn))


def put_right(evening: Evening, play: Play | None) -> None:
    """By the lights, piece by piece; or by going on to the right play."""
    if play is not None and evening.rng.random() < 0.4:
        evening.wood.stand(evening.match.sight)
        return
    fixes = tuple((fix.piece, fix.origin, fix.to) for fix in evening.table.put_right)
    evening.wood.mend(fixes)
    evening.look()
    right = evening.table.stage in ("still", "pending") or evening.wood.sight != evening.match.sight
    if not right or evening.wood.astray:
        raise evening.lost(f"put right by {fixes}, and still not right")
    evening.wood.stand(evening.match.sight)
    evening.look()


def unseeable(evening: Evening, match: Match, mishap: Mishap) -> str:
    """Why the umpire cannot know, if it cannot; by the rules and what has been declared."""
    key = match.game.seen_as(match.setup, mishap.sight)
    if mishap.astray:
        return ""
    impossible = evening.cannot_stand(mishap.sight)
    if impossible:
        return impossible
    if mishap.sight == match.sight:
        return "nothing has changed"
    if any(match.game.seen(play.position) == key for play in match.judged.plays):
        return "it is another legal play of the card"
    return like_before(evening, mishap.sight)


def like_before(evening: Evening, sight: Sight) -> str:
    if evening.table.history:
        before = evening.table.history[-1]
        if before.game.sight(before.setup, before.position) == sight:
            return "it looks like taking back"
    return ""


def leads_to(evening: Evening, seat: str, asked: tuple[str, ...], sight: Sight) -> bool:
    match = evening.match
    key = match.game.seen_as(match.setup, sight)
    for card in asked:
        hand = match.hand(seat)
        mine = seat == match.turn and hand.known and card in hand.cards
        held = hand.cards if mine else (card,)
        judged = match.game.judge(match.setup, match.position, seat, held, card or None)
        if any(match.game.seen(play.position) == key for play in judged.plays):
            return True
    return False


def possible(evening: Evening, seat: str) -> tuple[str, ...]:
    """The cards, or throws, a seat may have as far as the table knows."""
    match = evening.match
    if match.game.die:
        return tuple("123456")
    if not match.game.deck:
        return ("",)
    hand = match.hand(seat)
    known = seat == match.turn and hand.known
    return hand.cards if known else tuple(one_a_rank(match))


def between_turns(evening: Evening, seat: str) -> None:
    """Something happens while nothing is to be moved."""
    match = evening.match
    roll = evening.rng.random()
    if roll < 0.15:
        speak_early(evening, seat)
        return
    if roll < 0.2:
        topple(evening)
        return
    other = evening.rng.choice([one for one in match.order if one != seat])
    found = list(mishaps.nudged(match, evening.rng))
    if roll < 0.6:
        asked = possible(evening, other) if not match.game.deck else evening.hand(other)
        plays = [
            play
            for card in asked
            for play in match.game.judge(
                match.setup, match.position, other, (card,), card or None
            ).plays
        ]
        found = list(mishaps.too_early(match, evening.rng, other, plays))
    for mishap in found[:1]:
        moved_between(evening, seat, mishap)


def moved_between(evening: Evening, seat: str, mishap: Mishap) -> None:
    match = evening.match
    why = like_before(evening, mishap.sight)
    if mishap.sight == match.sight:
        why = "nothing has changed"
    if why:
        evening.note(mishap.name, f"unseeable: {why}")
    else:
        others = mishaps.moved_pieces(match.sight, mishap.sight) - {seat}
        others &= set(match.setup.seats)
        out = seat not in mishaps.moved_pieces(match.sight, mishap.sight) and any(
            leads_to(evening, other, possible(evening, other), mishap.sight) for other in others
        )
        kind = "moved-between" if mishap.sight - match.sight else "missing"
        evening.expect(mishap._replace(kinds=frozenset(("out-of-turn" if out else kind,))))
    show(evening, mishap)
    if not why:
        denied(evening, seat)
    evening.settled_expectation("the board stood")
    evening.wood.mend(tuple((f.piece, f.origin, f.to) for f in evening.table.put_right))
    evening.wood.stand(match.sight)
    evening.look()
    if evening.table.stage != "still":
        raise evening.lost("put back, and still not right")


def denied(evening: Evening, seat: str) -> None:
    """It could have been a play: the player says that it was none, or names no card for it."""
    question = evening.table.question
    if question is not None and question.to == seat:
        none = [n for n, choice in enumerate(question.choices) if choice.text == "none"]
        evening.must(events.Answered(seat=seat, question=question.number, choice=none[0]))
    elif evening.table.stage in ("lifted", "unfinished"):
        evening.must(events.Tick(), LONG_PATIENCE + 1)
    if evening.table.stage == "unsure":
        evening.look()  # a surer look is waited for, somewhere on the board


def speak_early(evening: Evening, seat: str) -> None:
    """A card announced out of turn is refused."""
    others = [one for one in evening.match.order if one != seat]
    other = evening.rng.choice(others)
    hand = evening.hand(other) if evening.match.game.deck else ()
    heard: Event = events.Thrown(seat=other, value=3)
    if hand:
        heard = events.Announced(seat=other, card=evening.rng.choice(hand))
    elif evening.match.game.deck:
        return
    refused = not evening.send(heard)
    evening.note("announced out of turn", "right" if refused else "missed: taken")


def topple(evening: Evening) -> None:
    """The board falls; it is set up again by the lights."""
    standing = list(evening.match.sight.elements())
    movable = [one for one in standing if not one[0].startswith("tile-")]
    if len(movable) < 6:
        return
    fallen = evening.rng.sample(movable, evening.rng.randint(5, len(movable)))
    evening.wood.stand(Sight(one for one in standing if one not in fallen))
    evening.look()
    if evening.table.stage != "disturbed":
        raise evening.lost("the board has fallen, and nobody noticed")
    rebuilt = [one for one in fallen if evening.rng.random() < 0.5]
    evening.wood.stand(evening.wood.sight + Sight(rebuilt))
    evening.look()
    evening.follow()


def impossible_card(evening: Evening, seat: str) -> bool:
    """A card is announced that lies among the discards, or is in no such hand."""
    match = evening.match
    out = list(match.pile.discards)
    elsewhere = [card for card in match.game.deck if card not in evening.hand(seat)]
    hand = match.hand(seat)
    card = evening.rng.choice(out if out and evening.rng.random() < 0.6 else elsewhere)
    known = {one for _, held in match.hands for one in held.cards}
    if card not in out and not hand.known and card not in known:
        evening.note("impossible card", "unseeable: hands are not known")
        return False
    evening.expect(Mishap("impossible card", Sight(), frozenset(("impossible-card",))))
    evening.send(events.Announced(seat=seat, card=card))
    evening.settled_expectation("the card was taken")
    return False


def must_play(
    evening: Evening, seat: str, hand: tuple[str, ...], plays: dict[str, list[Play]]
) -> bool:
    """Giving up a card though something can be played."""
    match = evening.match
    if match.phase != "turn":
        return False
    if match.phone_deck:
        card = evening.rng.choice(list(plays))
        event: Event = events.Discarded(seat=seat, cards=(card,))
        if match.flow.puts_down:
            event = events.PutDown(seat=seat, card=card)
        evening.note("gave up too early", "missed: taken" if evening.send(event) else "right")
        return False
    evening.expect(Mishap("gave up too early", Sight(), frozenset(("must-play",))))
    if match.flow.puts_down:
        evening.put_down(seat, evening.rng.choice(list(plays)))
        evening.settled_expectation("it was taken")
        return False
    whole = match.setup.chosen["no_play"] == "discard_hand"
    cards = hand if whole else (evening.rng.choice(hand),)
    known, shown = match.hand(seat).known, (*match.hand(seat).cards, *cards)
    if not known and not match.game.judge(match.setup, match.position, seat, shown, None).plays:
        evening.note("gave up too early", "unseeable: hands are not known")
        evening.expected = None
    gone = evening.laying(seat, events.Discarded(seat=seat, cards=cards), cards)
    evening.settled_expectation("it was taken")
    return gone


def another_card(evening: Evening, seat: str, said: str, plays: dict[str, list[Play]]) -> bool:
    """One card is announced and another one moved."""
    meant = [card for card in plays if mishaps.rank_of(card) != mishaps.rank_of(said)]
    if not meant:
        return False
    card = evening.rng.choice(meant)
    play = best(evening.match, seat, plays[card], evening.rng)
    kinds = mishaps.another_card(said, card)
    sight = evening.match.game.sight(evening.match.setup, play.position)
    if seat not in mishaps.moved_pieces(evening.match.sight, sight):
        kinds |= {"out-of-turn", "others-pawn"}  # a five: its owner may have moved it
    mishap = Mishap("moved for another card", sight, kinds)
    evening.must(events.Announced(seat=seat, card=said))
    why = unseeable(evening, evening.match, mishap)
    if why:
        evening.note(mishap.name, f"unseeable: {why}")
    else:
        misplay(evening, mishap, None if evening.rng.random() < 0.5 else play)
    evening.wood.stand(evening.match.sight)
    evening.look()
    evening.lying = None
    evening.must(events.Withdrawn(seat=seat))
    evening.must(events.Announced(seat=seat, card=card))
    evening.move(play)
    return True
