"""Light that falls on the pieces from another side than on the board."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.view import Array
from vision.cast import INNER, Cast, cast, dealt, without_cast
from vision.colour import likelihoods, likelihoods_full, opponent, unopponent
from vision.evidence import Evidence
from vision.light import levels, linear
from vision.reading import Reader, Sight


@pytest.fixture(scope="module")
def reader(tock) -> Reader:
    return Reader(tock.table)


@pytest.fixture(scope="module")
def sight(tock, reader: Reader) -> Sight:
    return reader.sight(tock.scene.picture(tock.start, seed=2))


NOTHING = np.zeros(3)


def lit(evidence: Evidence, light: Array, added: Array = NOTHING) -> Evidence:
    seen = levels((linear(evidence.paint) * light + added).astype(np.float32))
    return replace(evidence, paint=seen)


def test_opponent_colours_lead_back() -> None:
    colours = np.random.default_rng(5).uniform(0, 255, (50, 3)).astype(np.float32)
    assert unopponent(opponent(colours)) == pytest.approx(colours, abs=1e-3)


def test_no_cast_is_found_in_the_light_in_which_the_pieces_were_learned(
    reader: Reader, sight: Sight
) -> None:
    judge = sight.judge
    assert cast(reader.learned.kinds, judge.evidence, judge.explained) is None


def test_a_cast_of_most_pieces_is_found_and_taken_away(reader: Reader, sight: Sight) -> None:
    judge, kinds = sight.judge, reader.learned.kinds
    dusk = np.array([0.35, 0.4, 0.5])
    seen = lit(judge.evidence, dusk)
    found = cast(kinds, seen, judge.explained)
    assert found is not None
    # a third of what so few pieces say is left out, and dark colours hardly tell
    assert (np.log(found.gain) > 0.4 * -np.log(dusk)).all()
    assert (np.log(found.gain) < 1.1 * -np.log(dusk)).all()
    held = [
        (site.points[site.cover[own[0].stance] > INNER], own[0].kind)
        for site, own in zip(judge.explained.sites, judge.explained.found, strict=True)
        if own
    ]
    better = without_cast(kinds, seen, found)
    dim = without_cast(kinds, seen, Cast(np.ones(3), NOTHING))
    gains = [np.mean(better.chances[p, k] - dim.chances[p, k]) for p, k in held]
    assert np.mean(gains) > 0.15
    assert np.mean(np.array(gains) > 0) > 0.7


def test_light_that_comes_from_a_red_table_is_found_and_taken_away(
    reader: Reader, sight: Sight
) -> None:
    judge, kinds = sight.judge, reader.learned.kinds
    seen = lit(judge.evidence, np.ones(3), np.array([0.0, 0.0, 0.06]))
    found = cast(kinds, seen, judge.explained)
    assert found is not None
    assert found.added == pytest.approx([0.0, 0.0, 0.06], abs=0.025)
    assert found.gain == pytest.approx(np.ones(3), abs=0.3)


def test_two_colours_do_not_tell_what_was_added(tock, reader: Reader) -> None:
    two = {cell: own for cell, own in tock.start.items() if own[0] in ("red", "blue")}
    judge, kinds = reader.sight(tock.scene.picture(two, seed=3)).judge, reader.learned.kinds
    seen = lit(judge.evidence, np.ones(3), np.array([0.0, 0.0, 0.06]))
    found = cast(kinds, seen, judge.explained)
    assert found is None or not found.added.any()


def test_light_is_not_thought_to_be_beyond_reason() -> None:
    one = Cast(np.ones(3), NOTHING)
    assert one.likely
    assert not replace(one, gain=np.full(3, 5.0)).likely
    assert not replace(one, added=np.array([0.0, 0.0, 0.3])).likely
    assert not replace(one, added=np.array([0.0, -0.2, 0.0])).likely


def test_few_pieces_are_not_believed(tock, reader: Reader) -> None:
    three = dict(list(tock.start.items())[:3])
    judge = reader.sight(tock.scene.picture(three, seed=3)).judge
    seen = lit(judge.evidence, np.array([0.3, 0.3, 0.3]))
    assert cast(reader.learned.kinds, seen, judge.explained) is None


def test_kinds_are_dealt_out_as_there_are_pieces_of_them() -> None:
    likes = np.array([[0.0, -1.0], [-0.1, -0.3], [-0.2, -2.0]])  # all look like the first kind
    assert dealt(likes, np.array([3, 3])).tolist() == [0, 0, 0]
    assert dealt(likes, np.array([2, 3])).tolist() == [0, 1, 0]
    assert dealt(likes, np.array([2, np.inf])).tolist() == [0, 1, 0]
    far = likes - [0.0, 9.0]  # what is nothing like the other kind is not taken for it
    assert dealt(far, np.array([2, 3])).tolist() == [0, 0, 0]


def test_a_cast_is_told_by_the_colours_that_are_not_burnt_out(reader: Reader, sight: Sight) -> None:
    judge, kinds = sight.judge, reader.learned.kinds
    bright = np.array([1.8, 1.8, 1.8])
    seen = lit(judge.evidence, bright)
    flat = seen.paint.copy()
    flat[:, 2] = np.minimum(flat[:, 2], 120.0)  # the sensor tells no more of red
    full = np.zeros(flat.shape, dtype=bool)
    full[:, 2] = flat[:, 2] >= 120.0
    held = replace(seen, paint=flat, full=full)
    found, misled = (
        cast(kinds, own, judge.explained) for own in (held, replace(held, full=full & False))
    )
    assert found is not None
    assert found.gain[2] < 0.85
    assert misled is None or misled.gain[2] > found.gain[2]


def test_what_is_burnt_out_may_be_more_of_that_colour(reader: Reader) -> None:
    tables, names = reader.learned.kinds.tables, reader.learned.kinds.names
    red = names.index("red")
    paint = levels(reader.learned.kinds.light[red][None])
    cut = paint * [[1.0, 1.0, 0.78]]  # as a sensor shows it whose red is full
    none, its = np.zeros((1, 3), dtype=bool), np.array([[False, False, True]])
    known = likelihoods(tables, opponent(cut))
    assert likelihoods_full(tables, cut, none) == pytest.approx(known)
    more = likelihoods_full(tables, cut, its)
    assert more[0, red] - known[0, red] >= max(more[0] - known[0]) - 1e-6
