"""What holds in every position of every game, whatever is played or seen."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.game import Game, Position, Setup, Sight
from referee.games import game as game_named
from referee.games.trikolos import Moves
from referee.notation import (
    AmbiguousPlayError,
    IllegalPlayError,
    UnreadableError,
    board_text,
    find_play,
    read_board,
    read_play,
)
from referee.plays import CAMP, HOME, Play, RefereeError
from referee.verdict import Fix, Verdict, verdict
from web.texts import Texts, languages

Throw = Callable[[str, int], tuple[Setup, Position, random.Random]]
Deal = Callable[[Setup, random.Random], tuple[list[str], str | None]]
TEXTS = [Texts(language) for language in languages()]

some = settings(max_examples=12, deadline=None, derandomize=True)
seeds = st.integers(0, 2**20)


class Asked:
    """One question to the referee: a position, a turn, a card, and the plays there are."""

    def __init__(self, table: str, seed: int, throw: Throw, deal: Deal) -> None:
        self.setup, self.position, self.chance = throw(table, seed)
        self.game: Game = game_named(self.setup.game)
        self.seat = self.chance.choice(self.setup.seats)
        self.hand, self.card = deal(self.setup, self.chance)
        self.judged = self.game.judge(self.setup, self.position, self.seat, self.hand, self.card)
        self.before = self.game.sight(self.setup, self.position)

    def verdict(self, seen: Sight) -> Verdict:
        return verdict(
            self.game, self.setup, self.position, self.seat, self.hand, self.card,
            self.judged, seen,
        )  # fmt: skip

    @cached_property
    def halves(self) -> list[Sight]:
        """The boards from which there is a choice how to go on."""
        found = self.game.partials(self.setup, self.position, self.seat, self.hand, self.card or "")
        return [self.game.sight(self.setup, play.position) for play in found]

    def form(self, position: Position) -> dict[str, Any]:
        return self.game.write(self.setup, position)


def standing(form: dict[str, Any]) -> list[str]:
    """Every cell a piece stands on; camps and arrivals hold any number."""
    cells = [cell.rstrip("*") for own in form["pawns"].values() for cell in own]
    return [cell for cell in (*cells, *form.get("barricades", ())) if cell not in (CAMP, HOME)]


@some
@given(seed=seeds)
def test_pieces_are_conserved(table: str, seed: int, throw: Throw, deal: Deal) -> None:
    asked = Asked(table, seed, throw, deal)
    before = asked.form(asked.position)
    for play in asked.judged.plays:
        after = asked.form(play.position)
        for seat, cells in before["pawns"].items():
            assert len(after["pawns"][seat]) == len(cells)
            entered = sum(part.path[0] == CAMP for part in play.parts if part.piece == seat)
            captured = play.captured.count(seat)
            camps = after["pawns"][seat].count(CAMP) - cells.count(CAMP)
            assert camps == captured - entered, play.text
        assert len(after.get("barricades", ())) == len(before.get("barricades", ()))
        if "tiles" in before:
            assert Counter("".join(after["tiles"]) + after["spare"]) == Counter(
                "".join(before["tiles"]) + before["spare"]
            )


@some
@given(seed=seeds)
def test_one_pawn_a_hole(table: str, seed: int, throw: Throw, deal: Deal) -> None:
    asked = Asked(table, seed, throw, deal)
    if asked.setup.game == "tijou":  # there they crowd together
        return
    for play in asked.judged.plays:
        cells = standing(asked.form(play.position))
        assert len(cells) == len(set(cells)), play.text


@some
@given(seed=seeds)
def test_equal_boards_come_once_a_card(table: str, seed: int, throw: Throw, deal: Deal) -> None:
    asked = Asked(table, seed, throw, deal)
    whole = asked.game.judge(asked.setup, asked.position, asked.seat, asked.hand, None).plays
    for plays in (asked.judged.plays, whole):
        keys = [(play.card, play.position) for play in plays]
        assert len(keys) == len(set(keys))
        assert len({play.text for play in plays}) == len(plays)


@some
@given(seed=seeds)
def test_the_checks_that_explain_are_those_that_decide(
    table: str, seed: int, throw: Throw, deal: Deal
) -> None:
    """What would explain a board breaks no rule if, and only if, it is one of the plays."""
    asked = Asked(table, seed, throw, deal)
    game, setup, chance = asked.game, asked.setup, asked.chance
    plays = {game.seen(play.position) for play in asked.judged.plays}
    boards = [game.sight(setup, play.position) for play in asked.judged.plays]
    boards = chance.sample(boards, min(6, len(boards)))
    boards += [disturbed(asked, asked.before), *(disturbed(asked, board) for board in boards[:3])]
    for seen in boards:
        if seen == asked.before:
            continue
        right = [
            play
            for play in game.attempts(
                setup, asked.position, asked.seat, asked.hand, asked.card or "", seen
            )
            if not play.broken and game.sight(setup, play.position) == seen
        ]
        assert bool(right) == (game.seen_as(setup, seen) in plays), (seen - asked.before, right)


@some
@given(seed=seeds)
def test_plays_in_writing_read_back(table: str, seed: int, throw: Throw, deal: Deal) -> None:
    asked = Asked(table, seed, throw, deal)
    for play in asked.judged.plays[:200]:
        assert read_play(play.text).text == play.text
        assert find_play([play], play.text) == play
    if asked.judged.plays:
        play = asked.chance.choice(asked.judged.plays)
        assert find_play(asked.judged.plays, play.text) == play


@some
@given(seed=seeds)
def test_positions_in_writing_read_back(table: str, seed: int, throw: Throw, deal: Deal) -> None:
    asked = Asked(table, seed, throw, deal)
    for position in (asked.position, *(play.position for play in asked.judged.plays[:20])):
        assert read_board(board_text(asked.setup, position)) == (asked.setup, position)
        through = json.loads(json.dumps(asked.form(position)))
        assert asked.game.read(asked.setup, through) == position
        assert hash(asked.game.read(asked.setup, through)) == hash(position)


@some
@given(seed=seeds)
def test_every_legal_board_is_recognised(table: str, seed: int, throw: Throw, deal: Deal) -> None:
    asked = Asked(table, seed, throw, deal)
    plays = asked.judged.plays
    for play in asked.chance.sample(plays, min(20, len(plays))):
        found = asked.verdict(asked.game.sight(asked.setup, play.position))
        unseen = asked.game.seen(play.position) == asked.game.seen(asked.position)
        assert found.kind == ("unchanged" if unseen else "legal")
        assert play in found.plays
        assert found.put_right == ()
        for texts in TEXTS:
            assert texts.play(play)


@some
@given(seed=seeds)
def test_what_is_half_done_is_unfinished(table: str, seed: int, throw: Throw, deal: Deal) -> None:
    """Part of a play done, the rest said; unless what is done is a play already."""
    asked = Asked(table, seed, throw, deal)
    several = [play for play in asked.judged.plays if changes(play) > 1]
    ends = [asked.game.sight(asked.setup, play.position) for play in asked.judged.plays]
    for play in asked.chance.sample(several, min(8, len(several))):
        target = asked.game.sight(asked.setup, play.position)
        for seen in on_their_way(asked, play, target):
            if seen == asked.before:
                continue
            found = asked.verdict(seen)
            if seen in ends:
                assert found.kind == "legal", play.text
                continue
            assert found.kind == "unfinished", (play.text, found.reasons)
            assert put_right(seen, found.put_right) == asked.before
            done = put_right(seen, found.to_do)
            assert done in ends or done in asked.halves, play.text


def changes(play: Play) -> int:
    """How many things hands have to do."""
    return sum(1 + len(part.takes) + bool(part.swap) for part in play.parts)


def on_their_way(asked: Asked, play: Play, target: Sight) -> Iterator[Sight]:
    """Whole parts one after the other; what is taken still there; what is swapped in the hand."""
    if play.parts[0].path[0].startswith("push"):
        form = asked.form(play.position)
        before = Sight(one for one in asked.before.elements() if not one[0].startswith("tile"))
        if before == Sight(one for one in target.elements() if not one[0].startswith("tile")):
            return
        pushed = Moves(asked.setup, asked.position, asked.setup.seats.index(asked.seat))
        after, _ = pushed.push(int(play.parts[0].path[0].removeprefix("push")) - 1)
        assert form["tiles"] == asked.form(after)["tiles"]
        yield asked.game.sight(asked.setup, after)
        return
    takes = Sight(one for part in play.parts for one in part.takes)
    if takes and not any(part.path[0] == one[1] for part in play.parts for one in takes):
        yield target + takes
        yield target + Sight(list(takes)[:1])
    seen = Sight(asked.before)
    for part in play.parts:
        if part.swap:
            one, two = (part.piece, part.path[0]), (part.swap, part.path[1])
            yield +(seen - Sight([one]))
            yield +(seen - Sight([two]))
            yield +(seen - Sight([one, two]))
            return
        if part.path[0] != CAMP:
            seen -= Sight([(part.piece, part.path[0])])
        seen = seen - Sight(part.takes) + Sight([(part.piece, part.path[-1])])
        yield seen


def disturbed(asked: Asked, sight: Sight) -> Sight:
    """The board with one or two pieces moved, lifted or put down at random."""
    seen, chance = Sight(sight), asked.chance
    places = sorted({cell for _, cell in asked.before} | cells_of(asked))
    for _ in range(chance.choice((1, 1, 1, 2))):
        pieces = [one for one in seen.elements() if not one[0].startswith("tile")]
        what = chance.random()
        if pieces and what < 0.8:
            piece, cell = chance.choice(pieces)
            seen[piece, cell] -= 1
            if what < 0.6:
                seen[piece, chance.choice(places)] += 1
        else:
            camp = asked.form(asked.position)["pawns"]
            waiting = [seat for seat, cells in camp.items() if CAMP in cells]
            if waiting:
                seen[chance.choice(waiting), chance.choice(places)] += 1
    return +seen


def cells_of(asked: Asked) -> set[str]:
    cells = {play.parts[0].path[-1] for play in asked.judged.plays if play.parts} - {CAMP, HOME}
    return {cell for cell in cells if not cell.startswith("push")} or {
        cell for _, cell in asked.before
    }


def put_right(seen: Sight, fixes: tuple[Fix, ...]) -> Sight:
    after = Sight(seen)
    for fix in fixes:
        if fix.origin != CAMP:
            assert after[fix.piece, fix.origin] > 0, fix
            after[fix.piece, fix.origin] -= 1
        if fix.to != CAMP:
            after[fix.piece, fix.to] += 1
    return +after


@settings(max_examples=30, deadline=None, derandomize=True)
@given(seed=seeds)
def test_whatever_is_wrong_is_explained_and_put_right(
    table: str, seed: int, throw: Throw, deal: Deal
) -> None:
    asked = Asked(table, seed, throw, deal)
    plays = asked.judged.plays
    base = asked.chance.choice([asked.position, *(play.position for play in plays[:30])])
    seen = disturbed(asked, asked.game.sight(asked.setup, base))
    found = asked.verdict(seen)
    if found.kind == "illegal":
        assert found.reasons
        for texts in TEXTS:
            for reason in found.reasons:
                assert "{" not in texts.explain(reason, asked.setup)
            for fix in found.put_right:
                assert texts.fix(fix)
    else:
        assert not found.reasons
    if found.kind in ("illegal", "unfinished"):
        assert put_right(seen, found.put_right) == asked.before
    if found.kind == "unfinished":
        done = put_right(seen, found.to_do)
        assert asked.verdict(done).kind != "illegal"


@pytest.mark.parametrize(
    "wrong", ["", "b3~c5", "b3~c5~d5:c", "b3-", "8S b3-b11 -", ":a", "b3~c-5:c", "b3-c4:c"]
)
def test_nonsense_is_no_play(wrong: str) -> None:
    with pytest.raises(UnreadableError):
        read_play(wrong)


@pytest.mark.parametrize(
    "wrong",
    [
        "", "tockcitan", "chess | a:", "tockcitan | a: z9 | b:", "tockcitan | a: b3 b3 | b:",
        "tockcitan | a: b3", "tockcitan | a: | a: | b:", "tockcitan | a: | walls: a3",
        "tockcitan house_entry=17 | a: | b:", "tockcitan shield=maybe | a: | b:",
        "tockcitan teams=a,z | a: | b:", "tijou shares=e | a: | b: | e:",
        "tockcitan tock9 | a: | b:", "tockcitan | a: b3 b4 b5 b6 b7 | b:",
    ],
)  # fmt: skip
def test_nonsense_is_no_position(wrong: str) -> None:
    with pytest.raises(RefereeError):
        read_board(wrong)


def test_a_play_can_be_named_shortly_where_it_is_clear() -> None:
    setup, position = read_board("tockcitan | a: b3 c3 | b:")
    plays = game_named("tockcitan").judge(setup, position, "a", ("7S", "8S"), None).plays
    assert find_play(plays, "c3-c7 b3-b6").text == "7S b3-b6 c3-c7"
    assert find_play(plays, "b3-b11").text == "8S b3-b11"
    with pytest.raises(IllegalPlayError):
        find_play(plays, "8S b3-b12")
    both = game_named("tockcitan").judge(setup, position, "a", ("8S", "8H"), None).plays
    with pytest.raises(AmbiguousPlayError):
        find_play(both, "b3-b11")
