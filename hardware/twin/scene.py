"""A table with pieces, lights and hands on it, photographed: `Scene.picture`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from hardware.boards import Board, Piece
from hardware.twin.camera import Bump, CameraPose
from hardware.twin.cards import LyingCard, draw_card
from hardware.twin.film import Picture, develop, exposure
from hardware.twin.glow import add_glow
from hardware.twin.ground import Ground, Materials, lay, materials
from hardware.twin.hand import Hand, draw_hand, shade_by_hand
from hardware.twin.looks import Light, Look, bumped_light
from hardware.twin.once import Once
from hardware.twin.pieces import Patch, balls_of, draw_piece
from hardware.twin.shade import Floats, Source, ball_shadow
from hardware.twin.standing import Standing, shoved, stand
from hardware.twin.tiles import draw_tile, plate

Pieces = Mapping[str, Sequence[str]]
Lights = Mapping[str, tuple[int, int, int]]
Window = tuple[slice, slice]
Aside = tuple[tuple[str, tuple[float, float]], ...]  # by cell: millimetres off it, in x and y
STILL = Bump()
OFTEN = 200  # patches and shadows that are kept: those of a full board, and as many beside


class Scene:
    """One table under one light, seen by one camera."""

    def __init__(
        self,
        board: Board,
        look: Look,
        camera: CameraPose,
        bump: Bump = STILL,
        stuff: Materials | None = None,
    ) -> None:
        self.board = board
        self.look = look
        self.bump = bump
        self.first_camera = camera
        self.stuff = stuff or materials(board, look.table)
        middle = (board.size[0] / 2, board.size[1] / 2)
        self.camera = camera.bumped(bump, middle)
        light = bumped_light(look.light, bump, middle)
        self.ground: Ground = lay(self.stuff, self.camera, light, bump)
        side = max((p.diameter for p in board.pieces if p.kind == "tile"), default=0.0)
        self.sheet = plate(look.table.pieces, side) if side else np.zeros((1, 1, 3), np.float32)
        self.locked: float | None = None
        self.kept: tuple[object, list[Floats]] | None = None
        self.once = Once(OFTEN)
        self.hand = Once(2)  # the newest and its shadow, while it stays
        shaded = self.ground.layers[0][self.ground.on_board] / self.ground.ambient
        self.under = shaded.mean(axis=0) if len(shaded) else np.full(3, 0.4, np.float32)

    def relit(self, light: Light) -> Scene:
        """The same table at another hour."""
        return Scene(
            self.board, Look(self.look.table, light), self.first_camera, self.bump, self.stuff
        )

    def bumped(self, bump: Bump) -> Scene:
        """The same table after somebody knocked against it."""
        return Scene(self.board, self.look, self.first_camera, bump, self.stuff)

    def lock(self, pieces: Pieces | None = None) -> None:
        """Keep the exposure this board has now, as a camera that was settled and locked."""
        self.locked = exposure(total(self.layers(pieces or {}, {}, 0, ())), self.look.light)

    def picture(
        self,
        pieces: Pieces,
        lights: Lights | None = None,
        hand: Hand | None = None,
        *,
        seed: int = 0,
        frame: int = 0,
        cards: Sequence[LyingCard] = (),
        blur: float | None = None,
        aside: Aside = (),
    ) -> Picture:
        """What the camera sees. `seed` places the pieces, `frame` is new noise on the same."""
        return self.expose(
            self.linear(pieces, lights, hand, seed, cards, aside), seed * 7919 + frame, blur
        )

    def linear(
        self,
        pieces: Pieces,
        lights: Lights | None = None,
        hand: Hand | None = None,
        seed: int = 0,
        cards: Sequence[LyingCard] = (),
        aside: Aside = (),
    ) -> Floats:
        """The light that arrives at the lens; frames of a thing that stays share it."""
        layers = self.layers(pieces, lights or {}, seed, cards, aside)
        if hand is not None:
            layers = [layer.copy() for layer in layers]
            self.reach_in(layers, hand)
        return total(layers)

    def expose(self, linear: Floats, noise: int, blur: float | None = None) -> Picture:
        """A picture of that light with noise of its own; `linear` is used up."""
        return develop(linear, self.look.table, self.look.light, noise, self.locked, blur)

    def layers(
        self,
        pieces: Pieces,
        lights: Lights,
        seed: int,
        cards: Sequence[LyingCard],
        aside: Aside = (),
    ) -> list[Floats]:
        """Light by source: from everywhere, from each lamp, from the LEDs."""
        key = (
            tuple((cell, tuple(names)) for cell, names in sorted(pieces.items())),
            tuple(sorted(lights.items())),
            seed,
            tuple(cards),
            aside,
        )
        if self.kept is not None and self.kept[0] == key:
            return self.kept[1]
        ground, table = self.ground, self.look.table
        layers = [layer.copy() for layer in ground.layers]
        layers.append(np.zeros_like(layers[0]))
        for card in cards:
            blend(layers, draw_card(card, self.camera, ground))
        placed = shoved(stand(self.board, table, pieces, seed), dict(aside))
        glowing = {cell: rgb for cell, rgb in lights.items() if any(rgb)}
        plugged = {item.cell for item in placed}
        add_glow(layers[-1], self.board, table, self.camera, ground, glowing, plugged)
        self.place(layers, placed, glowing)
        self.kept = (key, layers)
        return layers

    def place(
        self,
        layers: list[Floats],
        placed: list[Standing],
        lights: Mapping[str, tuple[int, int, int]],
    ) -> None:
        """Shadows first, then the pieces from the farthest to the nearest."""
        table, board, ground = self.look.table, self.board, self.ground
        kinds = {piece.name: piece for piece in board.pieces}
        tiles = [item for item in placed if kinds[item.name].kind == "tile"]
        upright = [item for item in placed if kinds[item.name].kind != "tile"]
        lit = {cell: led_light(rgb, table.led_lux) for cell, rgb in lights.items()}
        eye = np.array(self.camera.eye)

        def far(item: Standing) -> float:
            return -float(np.hypot(item.x - eye[0], item.y - eye[1]))

        for item in tiles:
            self.shadow(layers, item, (), kinds[item.name])
        for item in sorted(tiles, key=far):
            patch = self.once(
                (item, lights.get(item.cell)),
                draw_tile, item, kinds[item.name], table, self.camera, ground.lamps,
                ground.ambient, self.sheet, lit.get(item.cell),
            )  # fmt: skip
            blend(layers, patch)
        balls = {
            item: self.once(("balls", item), balls_of, item, kinds[item.name], table.pieces)
            for item in upright
        }
        for item, own in balls.items():
            self.shadow(layers, item, own, kinds[item.name])
        for item in sorted(upright, key=far):
            piece = kinds[item.name]
            near = [
                other
                for other in balls
                if other is not item
                and math.hypot(other.x - item.x, other.y - item.y) < 3.0 * piece.height
            ]
            # every second ball is enough of a piece for a shadow on another
            others = [ball for other in near for ball in balls[other][::2]]
            patch = self.once(
                (item, lights.get(item.cell), tuple(near)),
                draw_piece, item, piece, table, self.camera, ground.lamps, ground.ambient,
                self.under, others, lit.get(item.cell),
            )  # fmt: skip
            blend(layers, patch)

    def shadow(
        self,
        layers: list[Floats],
        item: Standing,
        balls: Sequence[tuple[Floats, float]],
        piece: Piece,
    ) -> None:
        """A piece's shadow on what already lies under it."""
        for layer, part, left in self.once(("shade", item), self.shades, item, balls, piece):
            layers[layer][part] *= left

    def shades(
        self, item: Standing, balls: Sequence[tuple[Floats, float]], piece: Piece
    ) -> list[tuple[int, Window, Floats]]:
        """What a piece leaves of each layer's light, and where."""
        ground, diameter = self.ground, piece.diameter
        found: list[tuple[int, Window, Floats]] = []
        tall = max((float(ball[0][2] + ball[1]) for ball in balls), default=piece.height)
        level = max(0.0, item.z) if balls else 0.0
        for n, lamp in enumerate(ground.lamps):
            way = (np.array([item.x, item.y]) - lamp.at[:2]) * (tall / (lamp.at[2] - tall))
            spread = diameter * 0.75 + lamp.radius * tall / lamp.at[2] + 1
            part = self.window(item.x, item.y, way, spread)
            if part is None:
                continue
            x, y = ground.x[part], ground.y[part]
            if balls:
                dark = np.zeros(x.shape, np.float32)
                for centre, radius in balls:
                    dark = np.maximum(dark, ball_shadow(lamp, x, y, level, centre, radius))
            else:
                dark = tile_shadow(lamp, x, y, item, diameter / 2, tall)
            found.append((1 + n, part, (1 - 0.97 * dark)[..., None]))
        part = self.window(item.x, item.y, np.zeros(2), diameter * 1.1)
        if part is not None:
            far = np.hypot(ground.x[part] - item.x, ground.y[part] - item.y)
            near = np.clip(1 - (far - diameter / 2) / (0.45 * diameter), 0, 1)
            found.append((0, part, (1 - 0.45 * near)[..., None]))
        return found

    def window(self, x: float, y: float, way: NDArray[np.float64], spread: float) -> Window | None:
        ends = [(x, y), (x + way[0], y + way[1])]
        corners = [
            (ex + sx * spread, ey + sy * spread, 0.0)
            for ex, ey in ends
            for sx in (-1, 1)
            for sy in (-1, 1)
        ]
        spots = self.camera.project(corners)
        low = np.maximum(np.floor(spots.min(axis=0)), 0).astype(int)
        high = np.minimum(np.ceil(spots.max(axis=0)) + 1, self.camera.size).astype(int)
        if (low >= high).any():
            return None
        return slice(low[1], high[1]), slice(low[0], high[0])

    def reach_in(self, layers: list[Floats], hand: Hand) -> None:
        """A hand over everything else, with its shadow and what it carries."""
        left = self.hand(("shade", hand), shade_by_hand, self.ground, hand)
        for layer, part in zip(layers, left, strict=False):  # the LEDs shine from below
            layer *= part
        if hand.carries is not None:
            name, (x, y, z) = hand.carries
            blend(layers, self.carried(Standing("", name, x, y, z, (0.1, 0.1))))
        patch = self.hand(("hand", hand), draw_hand, hand, self.camera, self.ground, self.under)
        blend(layers, patch)

    def carried(self, item: Standing) -> Patch | None:
        """What is in a hand."""
        piece, table, ground = self.board.piece(item.name), self.look.table, self.ground
        about = (item, piece, table, self.camera, ground.lamps, ground.ambient)
        if piece.kind == "tile":
            return draw_tile(*about, self.sheet)
        return draw_piece(*about, self.under)


def led_light(rgb: tuple[int, int, int], full: float) -> Floats:
    """Lux of a light as blue, green, red; a light's steps are even in light, not to the eye."""
    return np.array(rgb[::-1], np.float32) * np.float32(full / 255)


def tile_shadow(
    lamp: Source, x: Floats, y: Floats, item: Standing, half: float, height: float
) -> Floats:
    up = height / lamp.at[2]
    qx, qy = x + (lamp.at[0] - x) * up - item.x, y + (lamp.at[1] - y) * up - item.y
    inside = half - np.maximum(np.abs(qx), np.abs(qy))
    soft = max(0.5, lamp.radius * up)
    return np.asarray(np.clip(inside / (2 * soft) + 0.5, 0, 1), dtype=np.float32)


def blend(layers: Sequence[Floats], patch: Patch | None) -> None:
    if patch is None:
        return
    height, width = patch.cover.shape
    part = (slice(patch.top, patch.top + height), slice(patch.left, patch.left + width))
    leave = (1 - patch.cover)[..., None]
    for layer, own in zip(layers, patch.layers, strict=True):
        layer[part] = layer[part] * leave + own


def total(layers: Sequence[Floats]) -> Floats:
    result = layers[0] + layers[1]
    for layer in layers[2:]:
        result += layer
    return result
