"""Dots on pieces, what they tell, and the nets that are asked whether something stands there."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.vision.conftest import Desk
from vision.aspect import (
    COMPARED,
    MARKS,
    MARKS_ON_FIELDS,
    MARKS_ON_TILES,
    beside_others,
    median,
    of_most,
)
from vision.dots import DOTS, NEAR, PLUS, WAYS
from vision.explain import Standing
from vision.lanes import MOST, ordered
from vision.net import net_of, read_net
from vision.presence import (
    AKIN,
    DISHES,
    FIELDS,
    HOLES,
    NO_LIGHT,
    SIGNS,
    TILES,
    candidates,
    disguise,
    hints,
    hints_elsewhere,
    presence,
)
from vision.reading import Reader
from web.bench.presence import judged, table
from web.bench.presence.drawn import of_holes, of_others
from web.bench.presence.training import Lessons, joined, mirrored, slopes, train, write


def test_dots_lie_on_the_piece_and_within_its_place(tock: Desk) -> None:
    reader = Reader(tock.table)
    dots, view = reader.outlook.dots, reader.outlook.view
    assert len(dots.holes) == len(tock.board.cells)
    pixels = np.vstack([dots.sites.pixels, [(-1000, -1000)]])
    for row, n in enumerate(dots.holes[::9]):
        site = dots.sites.sites[n]
        upright = dots.every[dots.row[n]][0]
        assert upright.shape == (DOTS, len(PLUS))
        under = upright[WAYS[:, 2] == 0][:1]
        spot = view.project(np.array([[site.cell.x, site.cell.y]]))[0]
        own = pixels[under.ravel()]
        assert np.hypot(*(own - spot).T).min() < 2.5, row
        assert site.cell.id not in {dots.sites.sites[dots.holes[m]].cell.id for m in
                                    dots.beside[dots.row[n]]}  # fmt: skip
    assert dots.beside.shape == (len(dots.holes), NEAR)


def test_what_is_the_same_everywhere_makes_no_difference() -> None:
    seen = np.ones((12, DOTS, MARKS), dtype=np.float32)
    beside = np.array([[(n + m) % 12 for m in range(1, NEAR + 1)] for n in range(12)])
    assert not beside_others(seen, of_most(seen), beside, np.arange(12)).any()
    seen[3, 5, COMPARED[0]] = 1.5
    apart = beside_others(seen, of_most(seen), beside, np.arange(12))
    assert apart.shape == (12, DOTS, 2 * len(COMPARED))
    assert apart[3, 5, :2] == pytest.approx([1.0, 1.0])
    assert not np.delete(apart, 3, axis=0).any()
    hidden = seen.copy()
    hidden[3, 5, -1] = 0.0  # what cannot be seen tells nothing
    assert not beside_others(hidden, of_most(hidden), beside, np.arange(12)).any()


def test_a_median_leaves_out_what_is_missing() -> None:
    values = np.array([[1.0, np.inf, 5.0, 2.0], [np.inf] * 4, [3.0, 1.0, np.inf, np.inf]]).T
    assert median(np.sort(values, axis=0)) == pytest.approx([2.0, np.inf, 2.0])


@pytest.mark.parametrize("many", range(1, MOST + 1))
def test_lanes_are_put_in_order(many: int) -> None:
    lanes = np.random.default_rng(5).random((many, 200))
    assert np.array_equal(ordered(list(lanes)), np.sort(lanes, axis=0))


def test_more_lanes_than_the_exchanges_are_made_for_are_refused() -> None:
    with pytest.raises(ValueError, match="9 lanes"):
        ordered(list(np.zeros((9, 4))))


def test_pieces_in_holes_are_likelier_than_none(tock: Desk) -> None:
    reader = Reader(tock.table)
    sight = reader.sight(tock.scene.picture(tock.start, seed=9))
    cells = [site.cell.id for site in reader.outlook.sites.sites]
    there = np.array([cell in tock.start for cell in cells])
    assert ((sight.presence.holes > 0) == there).all()
    lessons, dishes = of_holes(reader, sight, tock.start)
    assert len(dishes) == 0
    assert of_others(reader, sight, tock.start) == []  # all of its places are holes
    assert int(lessons.truth.sum()) == len(tock.start)
    assert lessons.seen.shape[1:] == (DOTS, MARKS + 2 * len(COMPARED))
    judge = sight.judge
    outlook, there_now = reader.outlook, sight.presence
    told, _, seen, signs = hints(
        reader.learned,
        outlook,
        judge.evidence,
        judge.explained,
        outlook.dots.holes,
        lessons.seen[:0],
    )
    assert np.array_equal(told, there_now.told)
    some = outlook.dots.holes[3:9]
    again = presence(reader.learned, outlook, judge.evidence, judge.explained, there_now, some)
    assert again.holes == pytest.approx(there_now.holes, abs=1e-4)
    assert np.isfinite(seen).all()
    assert np.isfinite(signs).all()
    assert signs.shape[1] == 10 + len(SIGNS)


def test_pieces_in_squares_are_weighed_one_by_one(squares: Desk) -> None:
    reader = Reader(squares.table)
    position = {**squares.start, "3": ("red", "blue"), "20": ("white",)}
    sight = reader.sight(squares.scene.picture(position, seed=4))
    judge = sight.judge
    names = reader.learned.kinds.names
    where, own = candidates(reader.learned, judge.explained, reader.outlook.others)
    seen, signs = hints_elsewhere(
        reader.learned, reader.outlook, judge.evidence, judge.explained, where, own
    )
    assert len(seen) == len(signs) == len(where)
    cells = [reader.outlook.sites.sites[n].cell.id for n, _ in where]
    found = sorted(
        (cell, names[s.kind]) for cell, (_, s), mine in zip(cells, where, own, strict=True) if mine
    )
    assert found == [("20", "white"), ("3", "blue"), ("3", "red")]
    for n, (odds, more) in sight.presence.others.items():
        assert (odds > 0).all(), reader.outlook.sites.sites[n].cell.id
        assert more < 0, reader.outlook.sites.sites[n].cell.id
    [lessons] = of_others(reader, sight, position)
    assert int(lessons.truth.sum()) == 3


def test_on_a_field_of_its_own_colour_a_piece_needs_less(squares: Desk) -> None:
    outlook = Reader(squares.table).outlook
    names = outlook.kinds.names
    homes = [n for n, site in enumerate(outlook.sites.sites) if site.cell.id.startswith("A-")]
    akin = [{names[k] for k in np.flatnonzero(outlook.akin[n])} for n in homes]
    assert all(len(own) <= 2 for own in akin)
    assert not outlook.akin[:, [names.index("white"), names.index("black")]].any()
    painted = [n for n in homes if outlook.akin[n].any()]
    assert painted
    n = painted[0]
    kind = int(np.flatnonzero(outlook.akin[n])[0])
    where = [(n, Standing(kind, 0, 0.0, 0.0, 0.0)), (n, Standing(names.index("white"), 0, 0, 0, 0))]
    explained: Any = SimpleNamespace(found=[[] for _ in outlook.sites.sites])
    no = np.zeros(2, dtype=bool)
    assert disguise(outlook, explained, where, no).tolist() == [AKIN, 0.0]
    explained.found[n].append(where[0][1])  # one more beside it is as unlikely as ever
    assert disguise(outlook, explained, where, no).tolist() == [0.0, 0.0]
    assert disguise(outlook, explained, where, ~no).tolist() == [AKIN, 0.0]


def lessons(many: int, seed: int) -> Lessons:
    """Something stands where the first mark of some dots is high."""
    chance = np.random.default_rng(seed)
    seen = chance.standard_normal((many, DOTS, 3)).astype(np.float32)
    truth = (chance.random(many) < 0.5).astype(np.float32)
    seen[:, :15, 0] += 2.0 * truth[:, None]
    return Lessons(seen, np.zeros((many, 2), dtype=np.float32), truth)


def test_a_net_learns_and_is_written_and_read(tmp_path: Path) -> None:
    *_, net = train(lessons(1200, 1), 12, seed=1)
    asked = lessons(300, 2)
    right = (net.odds(asked.seen, asked.signs) > 0) == (asked.truth > 0.5)
    assert right.mean() > 0.85
    write(net, tmp_path / "net.npz")
    again = read_net(str(tmp_path / "net.npz"))
    both = net.odds(asked.seen, asked.signs), again.odds(asked.seen, asked.signs)
    assert both[0] == pytest.approx(both[1], abs=0.05)


def test_two_nets_in_one_say_the_mean_of_both() -> None:
    taught = lessons(60, 3)
    (*_, one), (*_, other) = train(taught, 1, 1), train(taught, 1, 2)
    both = joined(one, other)
    each = [net.odds(taught.seen, taught.signs) for net in (one, other, both)]
    assert each[2] == pytest.approx((each[0] + each[1]) / 2, abs=1e-4)
    again = joined(both, one).odds(taught.seen, taught.signs)
    assert again == pytest.approx((each[2] + each[0]) / 2, abs=1e-4)
    mostly = joined(one, other, 0.25).odds(taught.seen, taught.signs)
    assert mostly == pytest.approx(0.25 * each[0] + 0.75 * each[1], abs=1e-4)


def test_slopes_are_those_of_the_error() -> None:
    some = lessons(40, 3)
    *_, net = train(some, 1, seed=2)
    parts = {"dot": net.dot.astype(float), "dot_start": net.dot_start.astype(float)}
    for n, (weights, start) in enumerate(net.layers, 1):
        parts |= {f"weights{n}": weights.astype(float), f"start{n}": start.astype(float)}

    def error() -> float:
        odds = net_of(parts).odds(some.seen.astype(float), some.signs.astype(float))
        held = sum((parts[name] ** 2).sum() for name in parts if "start" not in name)
        return float(np.logaddexp(0, -odds * (2 * some.truth - 1)).mean() + 1e-4 * held)

    found = slopes(parts, some, np.ones((1, 1)))
    for name, part in parts.items():
        place = tuple(size // 2 for size in part.shape)
        part[place] += 1e-5
        high = error()
        part[place] -= 2e-5
        low = error()
        part[place] += 1e-5
        assert found[name][place] == pytest.approx((high - low) / 2e-5, abs=2e-4), name


def test_a_mirrored_dot_is_across_the_line_of_sight() -> None:
    other = mirrored()
    assert np.array_equal(other[other], np.arange(DOTS))
    assert WAYS[other] == pytest.approx(WAYS * (-1.0, 1.0, 1.0), abs=1e-9)


def test_figures_of_held_back_tables() -> None:
    odds = np.array([9.0, -8.0, 5.0, -1.0, 0.5])
    figures = judged(odds, np.array([True, False, True, False, False]))
    assert (figures["places"], figures["wrong"], figures["sure_and_wrong"]) == (5, 1, 0)
    assert figures["unsure"] == pytest.approx(0.4)
    assert figures["open_for"]["0.0001"] == pytest.approx(0.2)
    shown = table({"tables": 4, "seed": 1, "holes": figures})
    assert "5 places, 1 wrong" in shown


def test_nets_that_were_learned_fit_what_is_asked_of_them() -> None:
    assert HOLES.dot.shape[:2] == DISHES.dot.shape[:2] == (DOTS, MARKS + 2 * len(COMPARED))
    assert FIELDS.dot.shape[:2] == (DOTS, MARKS_ON_FIELDS)
    assert TILES.dot.shape[:2] == (DOTS, MARKS_ON_TILES)


def test_a_square_asked_again_in_which_nothing_is_left_is_forgotten(squares: Desk) -> None:
    reader = Reader(squares.table)
    sight = reader.sight(squares.scene.picture({**squares.start, "3": ("red",)}, seed=4))
    judge, there = sight.judge, sight.presence
    explained = judge.explained
    n = [site.cell.id for site in reader.outlook.sites.sites].index("3")
    assert len(there.others[n][0]) == 1
    explained.barred[n] = 0.0  # as if nobody knew which lights burn
    explained.ask_again(n, ~judge.kinds.flat)
    assert judge.kinds.flat[explained.foremost(n).kind]
    again = presence(reader.learned, reader.outlook, judge.evidence, explained, there, [n])
    odds, more = again.others[n]
    assert (len(odds), more) == (0, NO_LIGHT)
    assert again.others.keys() == there.others.keys()
    judge.say(n, again)
