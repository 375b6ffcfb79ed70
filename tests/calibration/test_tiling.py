"""Learning the kinds of tiles from boards on which not all of them lie."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.learning import learn
from hardware.boards import board
from hardware.twin import looks, positions
from hardware.twin.scene import Scene
from vision.tiles import TileLook, faces

SIZE = (960, 720)
TRIKOLOS = board("trikolos")
SIDE = TRIKOLOS.piece("tile-red").diameter


@pytest.fixture(scope="module")
def scene() -> Scene:
    table = looks.draw_table(TRIKOLOS, 403, SIZE)
    light = looks.draw_light(TRIKOLOS, 403, 600.0)
    return Scene(TRIKOLOS, looks.Look(table, light), looks.draw_camera(TRIKOLOS, table, 80.0))


def colours(scene: Scene, setup: dict[str, tuple[str, ...]], told: dict[str, tuple[str, ...]]):
    """What is learned of the tiles of a picture if so much of it is told."""
    table = learn(TRIKOLOS, [scene.picture({}, seed=1)], scene.picture(setup, seed=2), told)
    seen = [TileLook(t.name, np.array(t.colours, np.float32)) for t in table.tiles]
    return {look.name: look.colours for look in seen}, faces(seen, SIDE)


def test_kinds_are_learned_by_their_lamps_where_nobody_says_which_lie_where(scene: Scene) -> None:
    setup = {c: tuple(n) for c, n in positions.start(TRIKOLOS, np.random.default_rng(4)).items()}
    pawns = {cell: names for cell, names in setup.items() if not names[0].startswith("tile")}
    told, face = colours(scene, setup, setup)
    guessed, _ = colours(scene, setup, pawns)
    for name, seen in told.items():
        assert np.abs(guessed[name] - seen)[face.disc].mean() < 6


def test_a_kind_that_is_not_shown_is_sawn_from_the_same_wood(scene: Scene) -> None:
    setup = {c: tuple(n) for c, n in positions.start(TRIKOLOS, np.random.default_rng(4)).items()}
    fewer = {cell: names for cell, names in setup.items() if names[0] != "tile-red"}
    seen, face = colours(scene, fewer, fewer)
    assert face.wood is not None
    assert np.abs(seen["tile-red"] - seen["tile-green"])[face.body].mean() < 8
    middle = np.median(seen["tile-red"][face.disc], axis=0)
    assert middle[2] > 2 * middle[:2].max()
