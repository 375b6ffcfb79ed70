"""What the known number of pieces says of places that cannot be told by themselves."""

import math
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.conftest import Desk
from vision.census import (
    SWAPPED,
    Set,
    as_likely,
    ask_unsure,
    sets,
    without_altered,
    without_forced,
    without_its_kind,
    without_surplus,
    without_swapped,
    without_too_many,
)
from vision.claims import Seen, claimed
from vision.dealing import left_of, most_of, told_together
from vision.doubts import SURE, Judge, Said, ahead
from vision.explain import Standing
from vision.missing import GONE, Close, cannot_be, look_closely, look_for, occupied
from vision.presence import Presence
from vision.reading import Reader
from web.bench.vision.tally import judge as judged


def test_what_is_missing_is_where_it_is_likeliest() -> None:
    likely, hardly, never = occupied([0.5, -5.0, -9.0], lost=1)
    assert likely > 1.5
    assert hardly < -2.3
    assert never < hardly


def test_two_places_share_one_missing_piece() -> None:
    one, other = occupied([1.0, 1.0], lost=1)
    assert one == other
    assert -0.5 < one < 0.5
    both = occupied([1.0, 1.0], lost=2)
    assert min(both) > 1.5


def test_a_missing_piece_may_lie_on_the_floor() -> None:
    (alone,) = occupied([-6.0], lost=1)
    assert alone < -1.0  # a place that looks quite empty is not the only one it can be at
    (doubtful,) = occupied([0.0], lost=1)
    assert doubtful == pytest.approx(-math.log(GONE))


def test_of_too_many_the_least_sure_are_left_open() -> None:
    said = [(Seen(cell, "red", sure),) for cell, sure in zip("abcde", (9, 5, 8, 7, 6), strict=True)]
    left = without_too_many([*said, None, ()], {"red": Set(4, 4)})
    assert [own is None for own in left] == [False, True, False, False, False, True, False]
    assert without_too_many(list(said), {"red": Set(5, 5)}) == said
    assert without_too_many(list(said), {}) == said  # nobody knows how many there are


def test_one_too_many_is_rather_one_of_two_in_one_place() -> None:
    two, alone = (Seen("a", "red", 0.99), Seen("a", "red", 0.98)), (Seen("b", "red", 0.6),)
    assert without_too_many([two, alone], {"red": Set(2, 2)}) == [None, alone]
    other = (Seen("a", "red", 0.99), Seen("a", "blue", 0.98))
    third = (Seen("c", "red", 0.9),)
    assert without_too_many([other, alone, third], {"red": Set(2, 2)}) == [other, None, third]


def test_far_too_many_are_none_of_them_believed() -> None:
    said = [(Seen(str(n), "red", 0.9 - 0.01 * n),) for n in range(7)]
    assert without_too_many(list(said), {"red": Set(4, 4)}) == [None] * 7


def test_while_a_piece_is_missing_a_field_that_changed_is_left_open() -> None:
    red = (Seen("5", "red", 0.99),)
    assert without_altered((), 0.3, 0.0, nowhere=False) == ()
    assert without_altered((), 0.3, 0.0, nowhere=True) is None
    assert without_altered((), 0.9, 0.0, nowhere=False) is None
    assert without_altered(red, 0.9, 0.0, nowhere=False) == red  # a piece has a shadow beside it
    assert without_altered(red, 0.9, 0.0, nowhere=True) is None
    assert without_altered(red, 0.99, 0.0, nowhere=False) is None
    assert without_altered(red, 0.0, 0.9, nowhere=False) is None  # what is strange may be it


def weighed(desk: Desk, position: dict[str, tuple[str, ...]]) -> tuple[Reader, Judge, Presence]:
    """A picture of a position, before anything is said of it."""
    reader = Reader(desk.table)
    sight = reader.sight(desk.scene.picture(position, seed=4))
    return reader, sight.judge, sight.presence


def without(start: dict[str, tuple[str, ...]], *names: str) -> dict[str, tuple[str, ...]]:
    """The start position without the first piece of some kinds in its camp."""
    left = dict(start)
    for name in names:
        del left[next(cell for cell, own in left.items() if own == (name,))]
    return left


def test_a_missing_piece_that_nobody_found_is_seen_when_one_looks_closely(squares: Desk) -> None:
    reader, judge, there = weighed(squares, {**without(squares.start, "white"), "20": ("white",)})
    sites, names = reader.outlook.sites.sites, reader.learned.kinds.names
    n, kind = [site.cell.id for site in sites].index("20"), names.index("white")
    judge.explained.keep(n, [])  # as if its colour had been taken for the field's
    there = there.holding(n, np.zeros(0))
    said = [judge.say(m, there) for m in range(len(sites))]
    said[n] = None
    close = look_closely(reader.learned, {kind: 1}, said, judge)
    odds, standing = close.found[kind][n]
    assert odds > 0
    assert close.found[kind].keys() == {n}
    assert standing.kind == kind
    assert not close.cleared(n, [kind])
    after = look_for(kind, 1, said, there, judge, close)
    assert [(one.cell, one.name) for one in said[n] or ()] == [("20", "white")]
    assert len(after.others[n][0]) == 1


def test_a_missing_piece_is_looked_for_beside_others(squares: Desk) -> None:
    position = {**without(squares.start, "white", "blue"), "20": ("white", "blue")}
    reader, judge, there = weighed(squares, position)
    sites, names = reader.outlook.sites.sites, reader.learned.kinds.names
    n, kind = [site.cell.id for site in sites].index("20"), names.index("white")
    other = [one for one in judge.explained.found[n] if one.kind != kind]
    assert len(other) == 1
    judge.explained.keep(n, other)  # as if nobody had found the white one
    there = there.holding(n, np.array([9.0]))
    said = [judge.say(m, there) for m in range(len(sites))]
    assert [one.name for one in said[n] or ()] == ["blue"]
    close = look_closely(reader.learned, {kind: 1}, said, judge)
    assert close.before[n] == tuple(other)
    assert close.found[kind].keys() == {n}
    after = look_for(kind, 1, said, there, judge, close)
    assert sorted(one.name for one in said[n] or ()) == ["blue", "white"]
    found = list(judge.explained.found[n])
    judge.explained.keep(n, found[1:])  # as many as before, but not the same
    look_for(kind, 1, said, after, judge, close)
    assert judge.explained.found[n] == found[1:]


def test_nothing_is_claimed_where_nothing_looks_like_the_missing_piece(squares: Desk) -> None:
    reader, judge, there = weighed(squares, without(squares.start, "white"))
    names = reader.learned.kinds.names
    kind, cells = names.index("white"), [site.cell.id for site in reader.outlook.sites.sites]
    said = [judge.say(n, there) for n in range(len(cells))]
    said[cells.index("20")] = None
    close = look_closely(reader.learned, {kind: 1}, said, judge)
    assert close.found == {kind: {}}
    assert close.cleared(cells.index("20"), [kind])
    assert not close.cleared(cells.index("20"), [kind, names.index("red")])  # not looked for
    before = list(said)
    look_for(kind, 1, said, there, judge, close)
    assert said == before


def test_what_comes_near_in_colour_or_shape_may_be_the_missing_piece() -> None:
    far, near = (Standing(0, 0, 0.0, mean, 0.0) for mean in (-3.0, -1.0))
    assert [cannot_be(odds, far) for odds in (-7.0, -5.0, -4.0)] == [True, True, False]
    assert [cannot_be(odds, near) for odds in (-7.0, -5.0, -4.0)] == [True, False, False]


def test_an_open_place_where_it_may_stand_speaks_against_the_others() -> None:
    at = {2: (-1.0, Standing(0, 0, 0.0, -1.0, 0.0))}
    close = Close({}, {}, {5: at, 6: at, 7: at})
    said: list[Said] = [None, None, None, None, None, None, None, ()]
    assert close.beside(2, said, {6}) == [5]
    assert close.beside(1, said, {6}) == []
    assert occupied([-5.0, -1.0], 1)[0] < occupied([-5.0], 1)[0]


@pytest.mark.parametrize(
    ("rival", "most", "open_still"), [(0.1, 9, True), (3.0, 9, False), (3.0, 4, True)]
)
def test_a_missing_piece_may_be_what_looks_like_another_kind_that_is_spent(
    tock: Desk, rival: float, most: int, open_still: bool
) -> None:
    reader, judge, there = weighed(tock, without(tock.start, "red"))
    cells, names = [site.cell.id for site in reader.outlook.sites.sites], judge.kinds.names
    n, kind, other = cells.index("a9"), names.index("red"), names.index("blue")
    judge.kinds.exist[other] = most
    best = Standing(other, judge.explained.scores[n].best.stance, -9.0, -1.0, rival)
    judge.explained.scores[n] = judge.explained.scores[n]._replace(best=best)
    holes = there.holes.copy()
    holes[n] = -3.0  # as if something dark were in it
    there = replace(there, holes=holes)
    said: list[Said] = [judge.say(m, there) for m in range(len(cells))]
    assert said[n] == ()
    look_for(kind, 1, said, there, judge, Close({}, {}, {}))
    assert (said[n] is None) == open_still


def test_one_that_was_found_does_not_hide_another_that_is_missing(tock: Desk) -> None:
    reader, judge, there = weighed(tock, without(tock.start, "red"))
    cells, names = [site.cell.id for site in reader.outlook.sites.sites], judge.kinds.names
    one, other, kind = cells.index("a9"), cells.index("a5"), names.index("red")
    holes = there.holes.copy()
    for n, odds, likest in ((one, 8.0, kind), (other, -3.0, names.index("blue"))):
        best = Standing(
            likest, judge.explained.scores[n].best.stance, 90.0, 2.0, 0.1 + 2 * (n == one)
        )
        judge.explained.scores[n] = judge.explained.scores[n]._replace(best=best)
        holes[n] = odds
    there = replace(there, holes=holes)
    said: list[Said] = [judge.say(m, there) for m in range(len(cells))]
    said[one] = None
    look_for(kind, 2, said, there, judge, Close({}, {}, {}))
    assert [seen.name for seen in said[one] or ()] == ["red"]
    assert said[other] is None


def test_a_piece_that_may_be_of_a_missing_kind_is_left_open_and_no_other(tock: Desk) -> None:
    reader, judge, there = weighed(tock, tock.start)
    cells, names = [site.cell.id for site in reader.outlook.sites.sites], judge.kinds.names
    said: list[Said] = [judge.say(n, there) for n in range(len(cells))]
    red, blue = names.index("red"), names.index("blue")
    assert without_swapped(said, judge, {red: 1}) == said  # all are clearly what they are
    n = next(n for n, own in enumerate(said) if own and own[0].name == "blue")
    kinds = judge.explained.kinds
    site, standing = judge.explained.sites[n], judge.explained.found[n][0]
    assert ahead(judge.explained, n, standing)[red] > SWAPPED
    kinds[site.points, red] = kinds[site.points, blue] - 0.2  # as red could it be
    left = without_swapped(said, judge, {red: 1})
    assert [m for m, own in enumerate(left) if own != said[m]] == [n]
    assert without_swapped(said, judge, {names.index("green"): 1}) == said
    judge.explained.owner_away[site.points] = 0.0  # something nearer hides it: that tells nothing
    assert ahead(judge.explained, n, standing)[red] == np.inf


def piece_of(said: list[Said], name: str, which: int = 0) -> int:
    """The site of one of the pieces of a kind that are said to stand somewhere."""
    return [n for n, own in enumerate(said) if own and own[0].name == name][which]


def test_what_was_forced_upon_a_piece_is_weighed_against_what_it_displaced(tock: Desk) -> None:
    _, judge, there = weighed(tock, tock.start)
    names, explained = judge.kinds.names, judge.explained
    said: list[Said] = [judge.say(n, there) for n in range(len(explained.sites))]
    assert without_forced(said, judge) == said
    red, blue = names.index("red"), names.index("blue")
    one, other = piece_of(said, "red"), piece_of(said, "blue")
    at = explained.sites[one].points
    explained.kinds[at, blue] = explained.kinds[at, red] + 0.5  # looks more like a blue one
    explained.barred[one, blue] = -np.inf  # of which there were enough
    assert without_forced(said, judge) == said  # but no blue one could be red
    at = explained.sites[other].points
    explained.kinds[at, red] = explained.kinds[at, blue] - 0.3
    left = without_forced(said, judge)
    assert [n for n, own in enumerate(left) if own != said[n]] == sorted([one, other])
    assert left[one] is None
    assert left[other] is None


def test_of_what_lies_over_the_board_no_pieces_beside_it_are_told(tock: Desk) -> None:
    _, judge, there = weighed(tock, tock.start)
    said: list[Said] = [judge.say(n, there) for n in range(len(judge.explained.sites))]
    one, other, *hidden = (piece_of(said, "red", n) for n in range(4))
    assert without_its_kind(said, judge) == said
    judge.cover.beside[[one, piece_of(said, "blue")]] = True
    judge.cover = replace(judge.cover, cells=frozenset(hidden))  # two pieces a hand touches
    assert without_its_kind(said, judge) == said
    third = piece_of(said, "green")
    judge.explained.found[third] = judge.explained.found[other]
    judge.cover = replace(judge.cover, cells=frozenset({*hidden, third}))  # a red sleeve
    left = without_its_kind(said, judge)
    assert [n for n, own in enumerate(left) if own != said[n]] == [one]
    assert left[other] == said[other]  # that is far from it


@pytest.mark.parametrize(
    ("odds", "more", "even"), [(1.5, 0, True), (-4.0, 0, False), (9.0, 0, False), (1.5, 1, False)]
)
def test_of_holes_that_are_as_likely_none_gets_the_last_piece(
    tock: Desk, odds: float, more: int, even: bool
) -> None:
    _, judge, there = weighed(tock, tock.start)
    said: list[Said] = [judge.say(n, there) for n in range(len(judge.explained.sites))]
    one, other, third = (piece_of(said, "red", n) for n in range(3))
    holes = there.holes.copy()
    holes[one], holes[third], holes[other] = odds, odds - 0.2, SURE + 0.1
    there, said[one], said[third] = replace(there, holes=holes), None, None
    known = {"red": Set(2, claimed(said)["red"] + more)}
    assert as_likely(said, there, judge, known) == ({one, other, third} if even else set())
    holes[other] = SURE + 9.0
    assert as_likely(said, there, judge, known) == set()


def opened(judge: Judge, said: list[Said], sites: tuple[int, int], odds: float) -> list[Said]:
    """Two pieces that are each but `odds` likelier to be of their kind than of the other's."""
    explained, (one, other) = judge.explained, sites
    own, its = (explained.found[n][0].kind for n in sites)
    for n, kind, rival in ((one, own, its), (other, its, own)):
        at = explained.sites[n].points
        explained.kinds[at, rival] = explained.kinds[at, kind] - odds
    left = list(said)
    left[one] = left[other] = None
    return left


@pytest.mark.parametrize(("odds", "told"), [(0.3, True), (0.1, False), (-0.3, False)])
def test_two_pieces_are_told_by_what_is_left_of_their_kinds(
    tock: Desk, odds: float, told: bool
) -> None:
    reader, judge, there = weighed(tock, tock.start)
    every: list[Said] = [judge.say(n, there) for n in range(len(judge.explained.sites))]
    one, other = piece_of(every, "red"), piece_of(every, "blue")
    said = opened(judge, every, (one, other), odds)
    left = left_of({name: own.most for name, own in sets(reader.learned).items()}, said, judge)
    assert sorted(judge.kinds.names[kind] for kind in left) == ["blue", "red"]
    found = told_together(said, there, judge, left, [one, other])
    seen = [tuple(piece.name for piece in found[n] or ()) for n in (one, other)]
    assert seen == ([("red",), ("blue",)] if told else [(), ()])
    if told:
        assert told_together(said, there, judge, {}, [one, other]) == said
        assert told_together(said, there, judge, left, [one]) == said  # by itself it tells less
        third = piece_of(every, "red", 1)
        said[third] = None  # so may this one
        assert told_together(said, there, judge, left, [one, other])[one] is None
        said[third] = every[third]
        judge.explained.owner_away[judge.explained.sites[one].points] = 0.0  # nothing is seen of it
        assert told_together(said, there, judge, left, [one, other])[one] is None


def test_kinds_nobody_has_shown_may_stand_where_nothing_is_said(tock: Desk) -> None:
    reader, judge, there = weighed(tock, tock.start)
    every: list[Said] = [judge.say(n, there) for n in range(len(judge.explained.sites))]
    known = {name: own.most for name, own in sets(reader.learned).items() if name != "green"}
    left = left_of(known, every, judge)
    assert not left  # all that exist stand there
    green = judge.kinds.names.index("green")
    judge.kinds.exist[green] = np.inf
    assert left_of(known, every, judge)[green] == np.inf


@pytest.mark.parametrize("strange", [0.0, 0.9])
def test_where_its_one_kind_is_spent_a_field_is_empty_unless_it_is_strange(
    squares: Desk, strange: float
) -> None:
    reader, judge, there = weighed(squares, squares.start)
    cells, names = [site.cell.id for site in reader.outlook.sites.sites], judge.kinds.names
    said = [judge.say(n, there) for n in range(len(cells))]
    n, red = cells.index("7"), names.index("red")
    said[n] = None
    others = [kind for kind in range(len(names)) if kind != red]
    judge.explained.barred[n, others] = -np.inf  # no other kind can be there
    judge.__dict__["strange"] = np.full(len(cells), strange)
    known = {"red": Set(0, claimed(said)["red"])}
    say = judge.say
    judge.__dict__["say"] = lambda m, its: None if m == n else say(m, its)
    ask_unsure(reader.learned, judge, there, said, known)
    assert judge.explained.vain(n)
    assert said[n] == (None if strange else ())


def test_a_light_beside_a_piece_on_a_field_is_no_piece(squares: Desk) -> None:
    reader = Reader(squares.table)
    position = {**without(squares.start, "white"), "20": ("white",)}
    lights = {"20": (0, 255, 0), "31": (255, 0, 0)}
    for seed in range(3, 9):
        image = squares.scene.picture(position, lights, seed=seed)
        assert not judged(squares.board, reader.read(image, lights), position).wrong


def test_what_was_found_is_nothing_strange_any_more(squares: Desk) -> None:
    position = {**without(squares.start, "white"), "20": ("white",)}
    reader, judge, _ = weighed(squares, position)
    n = [site.cell.id for site in reader.outlook.sites.sites].index("20")
    (standing,) = judge.explained.found[n]
    judge.explained.keep(n, [])
    judge.forget()
    before = float(judge.strange[n])
    judge.explained.accept(n, standing)
    judge.forget()
    assert judge.strange[n] < max(before, 0.1)


def test_kinds_are_dealt_out_in_the_likeliest_way() -> None:
    likely = np.array([[0.0, -0.5, -np.inf], [0.0, -0.2, -3.0]])
    assert most_of(likely, [2, 0, 0]) == 0.0
    assert most_of(likely, [1, 1, 1]) == pytest.approx(-0.2)
    assert most_of(likely, [0, 1, 1]) == -np.inf
    assert most_of(np.zeros((0, 3)), [0, 0, 0]) == 0.0


def test_on_an_open_field_no_more_is_thought_of_than_is_left(squares: Desk) -> None:
    position = {**without(squares.start, "red", "red"), "20": ("red", "red")}
    reader, judge, there = weighed(squares, position)
    cells = [site.cell.id for site in reader.outlook.sites.sites]
    n = cells.index("20")
    assert len(there.others[n][0]) == 2
    said = [judge.say(m, there) for m in range(len(cells))]
    said[n] = None
    same = without_surplus(said, there, judge, {"red": Set(3, 3)})
    assert len(same.others[n][0]) == len(judge.explained.found[n]) == 2
    one = without_surplus(said, there, judge, {"red": Set(2, 2)})
    assert len(one.others[n][0]) == len(judge.explained.found[n]) == 1
    assert one.others[n][0][0] == there.others[n][0].max()


@pytest.mark.parametrize("more", [0, 1])
def test_where_no_kind_is_left_an_open_place_is_empty(squares: Desk, more: int) -> None:
    reader, judge, there = weighed(squares, {**without(squares.start, "white"), "20": ("white",)})
    cells = [site.cell.id for site in reader.outlook.sites.sites]
    said = [judge.say(n, there) for n in range(len(cells))]
    counts = claimed(said)
    known = {name: Set(0, counts[name] + more) for name in reader.learned.kinds.names}
    camp = next(cell for cell, own in squares.start.items() if own == ("white",))
    places = [cells.index(camp), cells.index("7")]
    for n in places:
        said[n] = None
    ask_unsure(reader.learned, judge, there, said, known)
    assert [judge.explained.vain(n) for n in places] == [not more, not more]
    assert [said[n] for n in places] == [(), ()]
