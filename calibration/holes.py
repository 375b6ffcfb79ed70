"""Where the round places really are: each hole's edge, looked for around its expected place."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.view import Array, View, sample

ANGLES = 24
REACH = 2.6  # how far from the middle one looks, in radii
STEPS = 40


@dataclass(frozen=True)
class Edges:
    """For each place: its middle in pixels, as the edge says, and how clear that edge was."""

    pixels: Array  # (N, 2)
    contrast: Array  # (N,), grey levels from inside to outside; negative where the inside is light


def find_edges(
    view: View, grey: Array, centres: Array, radii: Array, search: float, depth: float = 0.0
) -> Edges:
    """Look for circles of `radii` mm up to `search` mm away from their expected `centres`, at a
    `depth` below the board's face.
    """
    turn = 2 * np.pi * np.arange(ANGLES) / ANGLES
    ways = np.column_stack([np.cos(turn), np.sin(turn)])
    far = np.max(radii) * 1.35 + search
    out = np.linspace(0.0, far, STEPS)
    grid = centres[:, None, None, :] + out[None, None, :, None] * ways[None, :, None, :]
    pixels = view.project(below(grid.reshape(-1, 2), depth))
    seen = sample(grey, pixels)
    rays = seen.reshape(len(centres), ANGLES, STEPS).astype(np.float32)
    rise: Array = np.asarray(np.gradient(rays, axis=2))
    slope = cv2.blur(rise.reshape(-1, STEPS), (3, 1)).reshape(rays.shape)
    shift = np.arange(-search, search + 1e-6, max(0.25, search / 12))
    dx, dy = (a.ravel() for a in np.meshgrid(shift, shift))
    moved = dx[:, None] * ways[:, 0] + dy[:, None] * ways[:, 1]  # (shifts, angles)
    best = np.zeros(len(centres))
    found = np.zeros((len(centres), 2))
    for n, radius in enumerate(radii):
        table = np.zeros(len(dx))
        for scale in (0.88, 1.0, 1.12):
            place = np.clip((radius * scale + moved) / far * (STEPS - 1), 0, STEPS - 1)
            score = np.mean(
                slope[n][np.arange(ANGLES)[None, :], np.rint(place).astype(int)], axis=1
            )
            table = np.where(np.abs(score) > np.abs(table), score, table)
        table *= 1.0 - 0.15 * (dx**2 + dy**2) / (search * search)  # nearer is likelier
        peak = int(np.argmax(np.abs(table)))
        weight = np.maximum(np.abs(table) - 0.8 * abs(table[peak]), 0.0)
        near = np.hypot(dx - dx[peak], dy - dy[peak]) < radius * 0.5
        weight = weight * near + 1e-12
        found[n] = (weight @ dx / weight.sum(), weight @ dy / weight.sum())
        best[n] = table[peak] * 3.0
    return Edges(view.project(below(centres + found, depth)), best)


def below(points: Array, depth: float) -> Array:
    return np.column_stack([points, np.full(len(points), -depth)])
