"""Each step of reading on made-up arrays."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from calibration.table import PieceLook
from hardware.boards import board
from tests.vision.conftest import WOOD, bgr
from vision.batches import batches
from vision.colour import against, density, likelihoods, opponent
from vision.cover import near_cards
from vision.doubts import dazzled
from vision.explain import Explanation, Standing
from vision.fields import (
    ALL_OF_FIELD,
    TINTED,
    altered,
    as_they_lie,
    hardly_empty,
    shadows,
    tinge,
    unevenness,
    without_whole,
)
from vision.glow import burning, shone_upon
from vision.grid import Grid
from vision.light import lattice, levels, linear
from vision.likeness import likeness, outlined
from vision.looks import out_of_shade, solid_of
from vision.motion import change
from vision.relit import rows_of
from vision.sites import Site, sharing
from vision.solids import SHAPES, Solid, Stance, coverage, stances_in_hole, stances_in_square

RED, BLUE = (40, 40, 200), (190, 70, 40)


def test_a_colour_is_likelier_in_its_own_table_in_shade_and_in_sun() -> None:
    rng = np.random.default_rng(2)
    red, blue = (density(bgr(c, 80) + rng.normal(0, 5, (80, 3))) for c in (RED, BLUE))
    tables = np.stack([red, blue], axis=1)
    for shade in (0.6, 0.8, 1.0, 1.15):
        chance = likelihoods(tables, opponent(bgr(RED) * shade))[0]
        assert chance[0] > chance[1] + 2


def test_a_shadow_on_wood_is_still_wood_but_paint_is_not() -> None:
    wood = opponent(bgr(WOOD))
    slack = np.zeros(1)
    same, shaded, red = (
        float(against(opponent(bgr(c)), wood, slack)[0])
        for c in (WOOD, tuple(v * 0.65 for v in WOOD), RED)
    )
    assert same > shaded > red


def test_a_solid_leans_away_from_the_camera_in_the_planes_above_the_board() -> None:
    grid = np.stack(np.meshgrid(np.arange(-20.0, 21), np.arange(-20.0, 21)), axis=-1).reshape(-1, 2)
    solid = Solid(12.0, 25.0)
    high = np.array([part * solid.height for part, _ in solid.profile])
    planes = grid[None] - 0.5 * high[:, None, None] * np.array([1.0, 0.0])  # seen from the left
    upright = coverage(planes, solid, (Stance(0.0, 0.0),), 1.0)[0]
    assert upright[(grid == (0, 0)).all(axis=1)][0] == 1.0
    assert upright[(grid == (11, 0)).all(axis=1)][0] > 0.5
    assert upright[(grid == (-11, 0)).all(axis=1)][0] == 0.0


def test_shine_adds_light_and_takes_none() -> None:
    nothing = np.full(2, -17.0)
    seen = np.vstack([bgr((200, 220, 240)), bgr((30, 160, 200))])
    expected = bgr(WOOD, 2)
    lifted = shone_upon(nothing, seen, expected, np.ones(2, dtype=bool))
    assert lifted[0] > -14
    assert lifted[1] == -17.0


def test_only_burnt_out_holes_count_as_lit_when_nobody_told() -> None:
    raw = np.array([[255, 200, 255]] * 4 + [[90, 90, 90]] * 4, dtype=np.uint8)
    assert list(burning(raw, np.array([[0, 1, 2, 3], [4, 5, 6, 7]]))) == [True, False]


def made_up_site(points: list[int], away: float, near: tuple[int, ...]) -> Site:
    cell = board("tock4").cell("a1")
    whole = np.ones((1, len(points)), dtype=np.float32)
    cover = np.concatenate([whole, np.zeros_like(whole)])
    return Site(
        cell, np.array(points), (Stance(0, 0),), cover, cover.sum(axis=1) + 1e-6,
        np.array([away]), np.zeros(1, dtype=np.int64), 1, near,
    )  # fmt: skip


def explained(kinds: np.ndarray) -> Explanation:
    """Two cells: the far one's points are half hidden by what stands on the near one."""
    near, far = list(range(0, 20)), list(range(10, 30))
    sites = (made_up_site(near, 100.0, (1,)), made_up_site(far, 120.0, (0,)))
    whole = np.column_stack([kinds, np.full(30, -17.0)])
    masses = tuple(s.cover.sum(axis=1) for s in sites)
    found = Explanation(
        sites, batches(sites, masses, 30), whole, np.full(30, -13.0),
        np.array([[True, False], [False, True]]), np.array([12.0, 6.0]),
        np.array([False, True]), np.ones(30, dtype=np.float32),
        masses, np.array([[False, True], [False, True]]),
    )  # fmt: skip
    found.pursue()
    return found


def test_a_near_piece_explains_what_it_hides_of_a_far_cell() -> None:
    only_near = np.where(np.arange(30) < 20, -11.0, -17.0)
    found = explained(only_near)
    assert len(found.verdict(0).pieces) == 1
    assert found.verdict(1).pieces == ()
    assert found.verdict(1).next_mean < -1


def test_both_are_found_where_both_stand() -> None:
    found = explained(np.full(30, -11.0))
    assert len(found.verdict(0).pieces) == len(found.verdict(1).pieces) == 1


def test_noise_and_an_even_change_of_light_are_no_motion_but_a_pawn_is() -> None:
    rng = np.random.default_rng(8)
    mask = np.ones((120, 160), np.float32)
    base = np.full((120, 160), 120.0, np.float32)

    def frame() -> np.ndarray:
        return base + rng.normal(0, 3, base.shape).astype(np.float32)

    assert change(frame(), frame(), mask).still
    assert change(frame(), frame() * 1.08, mask).still
    moved = frame()
    moved[40:46, 60:63] += 60
    assert not change(frame(), moved, mask).still


def test_in_a_dish_a_piece_may_stand_anywhere_and_in_its_hole_only_lean() -> None:
    wide = {(round(s.x, 1), round(s.y, 1)) for s in stances_in_hole(0.0, 0.0, 5.0)}
    assert max(np.hypot(*spot) for spot in wide) > 4.0
    assert max(np.hypot(s.x, s.y) for s in stances_in_hole(0.0, 0.0, 0.5)) < 1.0
    assert all(shape[0][0] == 0.0 and shape[-1][0] == 1.0 for shape in SHAPES.values())


def test_in_a_square_places_are_tried_coarsely_and_told_apart_finely() -> None:
    fine, coarse = stances_in_square(10.0, 20.0, 12.0, 2.4)
    steps = {round(b.x - a.x, 6) for a, b in pairwise(fine) if a.y == b.y}
    assert len(steps) == 1
    assert max(steps) <= 2.4
    assert [(fine[n].x, fine[n].y) for n in (coarse[0], coarse[-1])] == [(-2.0, 8.0), (22.0, 32.0)]
    assert fine[coarse[1]].x - fine[coarse[0]].x == pytest.approx(2 * max(steps))


def test_a_card_at_the_edge_of_its_zone_is_no_arm() -> None:
    made = board("barricades")
    place = lattice(made)
    zone = made.card_zone
    assert zone is not None
    cards = near_cards(place, zone).ravel()
    middle = (zone.x + zone.width / 2, zone.y + zone.height / 2)
    away = np.abs(place.points - middle)
    assert cards[(away < (44.0, 44.0)).all(axis=1)].all()
    assert not cards[place.points[:, 1] > made.size[1] / 2].any()
    assert not near_cards(place, None).any()


def test_where_all_is_burnt_out_nothing_is_claimed_of_it() -> None:
    site = made_up_site(list(range(20)), 100.0, ())
    inside = np.arange(20) < 6
    assert dazzled(site, (), np.arange(20) < 16, inside)
    assert not dazzled(site, (), np.arange(20) < 8, inside)
    half = np.concatenate([np.ones((1, 8)), np.zeros((1, 12))], axis=1)
    piece = Standing(0, 0, 20.0, 2.0, 2.0)
    stands = replace(site, cover=np.concatenate([half, 0 * half]))
    assert dazzled(stands, (piece,), np.arange(20) >= 4, inside)
    assert not dazzled(stands, (piece,), np.arange(20) >= 8, inside)


def test_patterns_alike_in_other_light_are_alike() -> None:
    one = np.array([[10.0, 50.0, 90.0, 20.0], [10.0, 50.0, 90.0, 20.0]])
    other = np.array([[30.0, 110.0, 190.0, 50.0], [90.0, 50.0, 10.0, 80.0]])
    found = likeness(one, other, np.ones((2, 4)))
    assert found.match == pytest.approx([1.0, -1.0], abs=1e-3)


def test_where_light_is_even_little_is_still_the_same() -> None:
    wood = opponent(bgr((60, 60, 60), 2))
    seen = opponent(np.array([[58.0, 58, 58], [32, 32, 32]], dtype=np.float32))
    usual, strict = (against(seen, wood, np.ones(2), ease) for ease in (1.0, 0.3))
    assert strict[1] - strict[0] < 2.0 * (usual[1] - usual[0]) < 0
    assert altered(seen, wood, np.ones(2), 0.02).tolist() == [False, True]
    assert altered(seen, wood, np.ones(2), 0.2).tolist() == [False, False]


def test_a_veil_over_a_whole_field_is_no_piece_but_a_spot_on_it_is_seen() -> None:
    fields = np.stack([np.arange(40), 40 + np.arange(40)])
    wanted = opponent(bgr(WOOD, 80))
    seen = wanted + np.array([12.0, -3.0, 4.0], dtype=np.float32)
    seen[:8] -= np.array([90.0, 0.0, 0.0], dtype=np.float32)
    under = as_they_lie(seen, wanted, fields)
    away = altered(seen, under, np.ones(80, dtype=np.float32), 0.01)
    assert np.flatnonzero(away).tolist() == list(range(8))
    assert without_whole(away, fields).tolist() == away.tolist()
    away[:30] = True
    assert not without_whole(away, fields).any()
    assert without_whole(away, fields, ALL_OF_FIELD).tolist() == away.tolist()
    away[:36] = True
    assert not without_whole(away, fields, ALL_OF_FIELD).any()
    covered = opponent(bgr((20, 20, 20), 80))  # so much is no veil
    assert as_they_lie(covered, wanted, fields) == pytest.approx(wanted)
    assert as_they_lie(seen, wanted, fields[:0]) is wanted


@pytest.mark.parametrize(
    ("paint", "haze", "veil"), [(RED, 0.12, True), (BLUE, 0.1, True), (RED, 0.4, False)]
)
def test_a_veil_may_be_strong_if_all_it_adds_is_white(
    paint: tuple[int, int, int], haze: float, veil: bool
) -> None:
    now = opponent(bgr(paint, 20))
    then = opponent(levels(linear(bgr(paint, 20)) + np.float32(haze)))
    fields = np.arange(20)[None]
    assert (as_they_lie(now, then, fields) == pytest.approx(now, abs=1.5)) == veil
    skin = opponent(bgr((110, 140, 200), 20))
    assert as_they_lie(skin, then, fields) == pytest.approx(then)


def test_a_shadow_is_told_from_paint_even_if_what_is_left_comes_from_another_lamp() -> None:
    wood = opponent(bgr(WOOD, 4))
    shadow = 0.6 * np.array(WOOD)
    cold = shadow * np.array((1.12, 1.0, 0.92))
    seen = opponent(np.stack([shadow, cold, np.array(RED), 1.1 * shadow / 0.6]).astype(np.float32))
    slack = np.ones(4, dtype=np.float32)
    assert shadows(seen, wood, slack).tolist() == [True, False, False, False]
    assert shadows(seen, wood, slack, TINTED).tolist() == [True, True, False, False]
    usual = np.full(4, -11.0, dtype=np.float32)
    assert hardly_empty(usual, seen, wood, slack).tolist() == [-12.0, -13.5, -13.5, -13.5]


def test_how_uneven_a_field_is_is_asked_of_that_field() -> None:
    rng = np.random.default_rng(7)
    fields = np.stack([np.arange(50), 50 + np.arange(50)])
    wanted = np.full((110, 3), 150.0, dtype=np.float32)
    marks = wanted + np.repeat([0.0, 12.0, 3.0], [50, 50, 10])[:, None] * rng.normal(0, 1, (110, 3))
    found = unevenness(marks, wanted, fields, 0.05)
    assert found[:50] == pytest.approx(0.0)
    assert 0.03 < found[60] <= 0.05
    assert found[100:] == pytest.approx(0.05)
    assert unevenness(marks, wanted, fields[:0], 0.05) == pytest.approx(0.05)


def test_the_colour_of_the_light_is_told_by_most_fields() -> None:
    fields = np.arange(90).reshape(3, 30)
    expected = bgr((120.0, 150.0, 180.0), 90)
    seen = expected * np.array([0.9, 1.0, 1.1], dtype=np.float32)
    seen[60:] = RED  # a card lies on one of them
    assert tinge(seen, expected, fields) == pytest.approx([1 / 0.9, 1.0, 1 / 1.1], rel=0.01)
    assert tinge(0.5 * expected, expected, fields).max() < 1.2


def dim_beside(
    ground: np.ndarray, spots: np.ndarray, way: np.ndarray, half: float = 5.0
) -> np.ndarray:
    """Where pieces at these spots throw shadows 36 mm long and twice `half` wide."""
    steps = np.linspace(0.0, 36.0, 19)[:, None] * way
    away = ground[:, None, None] - (spots[:, None] + steps)
    dim: np.ndarray = (np.hypot(*away.transpose(3, 0, 1, 2)) < half).any(axis=(1, 2))
    return dim


def test_shadows_are_known_by_what_lies_beside_most_pieces() -> None:
    ground = np.stack(np.meshgrid(np.arange(0, 300, 3.0), np.arange(0, 300, 3.0)), axis=-1)
    ground, way = ground.reshape(-1, 2), np.array([0.8, 0.6])
    spots = np.array([(x, y) for x in (50.0, 130.0, 210.0) for y in (60.0, 150.0, 230.0)])
    fields, stain = np.ones(len(ground), dtype=bool), np.array([[280.0, 20.0]])
    shadow = dim_beside(ground, spots, way)
    dim = shadow | (np.hypot(*(ground - stain[0]).T) < 8.0)
    found = Grid(ground, fields, 4.0).thrown(dim, spots, 12.0)
    nearest = np.hypot(*(ground[:, None] - spots).transpose(2, 0, 1)).min(axis=1)
    core = dim_beside(ground, spots, way, 3.0) & (nearest > 12.0) & (nearest < 32.0)
    assert found[core].mean() > 0.95
    assert not found[~shadow].any()
    assert not Grid(ground, fields, 4.0).thrown(dim, spots[:2], 12.0).any()
    assert not Grid(ground, ~fields, 4.0).thrown(dim, spots, 12.0).any()
    asked = np.arange(len(spots)) != 4  # the others are believed to throw shadows as these do
    assert Grid(ground, fields, 4.0).thrown(shadow, spots, 12.0, asked)[core].mean() > 0.9
    assert not Grid(ground, fields, 4.0).thrown(shadow, spots, 12.0, asked & ~asked).any()


def test_a_piece_that_waits_in_a_hole_shows_less_of_itself() -> None:
    look = PieceLook("red", 12.0, 22.0, ((40, 40, 200),), 3)
    piece = board("tijou").pieces[0]
    on_field = solid_of(look, replace(piece, height=25.0), True)
    assert (on_field.height, on_field.waiting.height) == (25.0, 22.0)
    assert solid_of(look, replace(piece, height=40.0), True).height == 25.5
    assert solid_of(look, replace(piece, height=20.0), True).height == 22.0
    assert solid_of(look, replace(piece, height=25.0), False).height == 22.0


def test_places_of_groups_fill_rows() -> None:
    rows = rows_of(np.array([-1, 2, 0, 2, 2, -1]))
    assert rows.tolist() == [[2, 2, 2], [1, 3, 4]]
    assert rows_of(np.full(4, -1)).shape == (0, 1)


def test_a_light_kind_is_known_by_what_is_out_of_the_shade() -> None:
    white, shade = np.full((20, 3), 200.0), np.full((5, 3), 60.0)
    assert len(out_of_shade(np.concatenate([white, shade]))) == 20
    black = np.array([[20.0, 20, 20]] * 9 + [[60.0, 60, 60]] * 9)
    assert len(out_of_shade(black)) == 18


def test_the_edge_of_a_hole_is_seen_darker_or_lighter_but_not_under_a_sleeve() -> None:
    """One hole, seen three ways."""
    site = made_up_site(list(range(40)), 100.0, ())
    inside = np.arange(40) < 15
    noise = np.random.default_rng(5).normal(0, 3, 40)
    sleeve = 90.0 + 8.0 * noise

    ready = batches((site,), (site.mass,), 40)

    def seen(lightness: np.ndarray) -> float:
        chances = np.full((40, 1), -12.0)
        explained = Explanation(
            (site,), ready, chances, np.full(40, -9.0), np.ones((1, 1)), np.array([12.0]),
            np.array([False]), np.ones(40, dtype=np.float32),
            (site.mass,), np.zeros((1, 1), dtype=bool),
        )  # fmt: skip
        return float(outlined(explained, ready, lightness, inside)[0])

    dark, light = np.where(inside, 40.0, 120.0), np.where(inside, 120.0, 40.0)
    assert min(seen(dark + noise), seen(light + noise)) > 0.9
    assert seen(sleeve) < 0.5


def test_sites_that_share_points_are_near_each_other() -> None:
    points = [np.array([0, 1, 2]), np.array([2, 3]), np.array([4])]
    assert sharing(points, 5) == [(1,), (0,), ()]
