"""Light on things: how bright lamps are at a place, their shine, and what stands in their way."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardware.boards import Board
from hardware.twin.looks import Lamp, Light

Floats = NDArray[Any]


@lru_cache(maxsize=256)
def kelvin_bgr(kelvin: float) -> tuple[float, float, float]:
    """The colour of a glowing body, linear, of brightness one."""
    t = kelvin / 100
    if t <= 66:
        red = 255.0
        green = 99.4708 * math.log(t) - 161.1196
    else:
        red = 329.6987 * (t - 60) ** -0.1332048
        green = 288.1222 * (t - 60) ** -0.0755148
    blue = 255.0 if t >= 66 else 138.5177 * math.log(max(t - 10, 1)) - 305.0448
    linear = [to_linear(min(255.0, max(0.0, part)) / 255) for part in (blue, green, red)]
    bright = 0.0722 * linear[0] + 0.7152 * linear[1] + 0.2126 * linear[2]
    return linear[0] / bright, linear[1] / bright, linear[2] / bright


def to_linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


LINEAR = np.array([to_linear(n / 255) for n in range(256)], np.float32)


def linear_bgr(srgb: Sequence[float]) -> Floats:
    red, green, blue = (to_linear(part / 255) for part in srgb)
    return np.array([blue, green, red], np.float32)


@dataclass(frozen=True)
class Source:
    """A lamp with its strength worked out for one board."""

    at: Floats
    reach: tuple[float, float]
    radius: float
    power: float  # lux at one millimetre, falling with the square
    colour: Floats


def sources(board: Board, light: Light) -> tuple[Source, ...]:
    middle = np.array([board.size[0] / 2, board.size[1] / 2, 0.0])
    return tuple(source(lamp, light, middle) for lamp in light.lamps)


def source(lamp: Lamp, light: Light, middle: NDArray[np.float64]) -> Source:
    way = np.array(lamp.at) - middle
    far = float(np.linalg.norm(way))
    wanted = light.lux * (1 - light.ambient) * lamp.share
    return Source(
        np.array(lamp.at, np.float32),
        lamp.reach,
        math.sqrt(lamp.reach[0] * lamp.reach[1]),
        wanted * far * far / max(0.15, way[2] / far),
        np.array(kelvin_bgr(round(lamp.kelvin)), np.float32),
    )


def ambient_colour(light: Light) -> Floats:
    return np.array(kelvin_bgr(round(light.ambient_kelvin)), np.float32) * np.float32(
        light.lux * light.ambient
    )


def towards(source: Source, points: Floats) -> tuple[Floats, Floats]:
    """Unit vectors to the lamp, and distances."""
    way = source.at - points
    far = np.sqrt(np.einsum("...i,...i->...", way, way))
    return way / far[..., None], far


def flat_lux(source: Source, x: Floats, y: Floats, z: float = 0.0) -> Floats:
    """Lux on level ground at places x, y."""
    dx, dy, high = source.at[0] - x, source.at[1] - y, source.at[2] - np.float32(z)
    square = dx * dx + dy * dy + high * high
    return np.asarray(source.power * high / (square * np.sqrt(square)), dtype=np.float32)


def lux(source: Source, points: Floats, normals: Floats) -> Floats:
    """Lux on surfaces; broad lamps reach a little around the edge."""
    way, far = towards(source, points)
    cosine = np.einsum("...i,...i->...", way, normals)
    wrap = np.float32(min(0.3, source.radius / 2500))
    cosine = np.clip((cosine + wrap) / (1 + wrap), 0, 1)
    return np.asarray(source.power * cosine / (far * far), dtype=np.float32)


def fresnel(cosine: Floats, straight: float = 0.04) -> Floats:
    return np.asarray(straight + (1 - straight) * (1 - np.clip(cosine, 0, 1)) ** 5)


def glare(
    source: Source,
    x: Floats,
    y: Floats,
    rays: Floats,
    roughness: float,
    relief: Floats | float,
    along: bool,
    height: float = 0.0,
) -> Floats:
    """The lamp mirrored in a level varnished ground, smeared by its grain; in lux."""
    high = source.at[2] - np.float32(height)
    steep = np.maximum(-rays[..., 2], 0.02)
    span = high / steep
    slope = 2 * relief * span
    qx = x + rays[..., 0] * span + (0 if along else 1) * slope
    qy = y + rays[..., 1] * span + (1 if along else 0) * slope
    smear = roughness * span
    fine, rough = (0.55, 1.3) if along else (1.3, 0.55)
    sx = np.sqrt((source.reach[0] * 0.6) ** 2 + (fine * smear) ** 2)
    sy = np.sqrt((source.reach[1] * 0.6) ** 2 + (rough * smear) ** 2)
    dx, dy = (qx - source.at[0]) / sx, (qy - source.at[1]) / sy
    spot = np.exp(-0.5 * np.minimum(dx * dx + dy * dy, 40.0)) / (2 * sx * sy)
    return np.asarray(source.power * spot * fresnel(steep), dtype=np.float32)


def shine(
    source: Source, points: Floats, normals: Floats, rays: Floats, roughness: float
) -> Floats:
    """The highlight on a painted piece, in lux."""
    way, far = towards(source, points)
    half = way - rays
    half /= np.maximum(np.linalg.norm(half, axis=-1, keepdims=True), 1e-6)
    cosine = np.clip(np.einsum("...i,...i->...", half, normals), 0, 1)
    spread = roughness * roughness + (source.radius / 2 / far) ** 2 * 0.25
    lobe = np.exp((cosine * cosine - 1) / np.maximum(cosine * cosine * spread, 1e-4)) / (4 * spread)
    facing = np.clip(np.einsum("...i,...i->...", way, normals) * 8, 0, 1)
    tilt = np.clip(-np.einsum("...i,...i->...", rays, normals), 0.05, 1)
    return np.asarray(source.power / (far * far) * lobe * facing * fresnel(tilt), dtype=np.float32)


def ball_shadow(
    source: Source, x: Floats, y: Floats, z: Floats | float, centre: Floats, radius: float
) -> Floats:
    """Share of a lamp that a ball hides from places, 0 to 1."""
    lx, ly, lz = source.at[0] - x, source.at[1] - y, source.at[2] - z
    far = np.sqrt(lx * lx + ly * ly + lz * lz)
    vx, vy, vz = centre[0] - x, centre[1] - y, centre[2] - z
    along = (vx * lx + vy * ly + vz * lz) / far
    beside = np.sqrt(np.maximum(vx * vx + vy * vy + vz * vz - along * along, 0))
    soft = np.maximum(
        source.radius * np.maximum(along, 0) / np.maximum(far - along, 1), np.float32(0.25)
    )
    edge = np.clip((radius + soft - beside) / (2 * soft), 0, 1)
    most = np.minimum(1, (radius / soft) ** 2)
    hidden = edge * edge * (3 - 2 * edge) * most
    return np.asarray(np.where(along > -0.3 * radius, hidden, 0), dtype=np.float32)


def rod_shadow(
    source: Source, x: Floats, y: Floats, z: float, a: Floats, b: Floats, ra: float, rb: float
) -> Floats:
    """Share of a lamp hidden by a rod from a to b, for hands and arms."""
    # from the place to the lamp, along the rod, and from its end to the place
    lx, ly, lz = source.at[0] - x, source.at[1] - y, float(source.at[2]) - z
    dx, dy, dz = (float(part) for part in b - a)
    rx, ry, rz = x - a[0], y - a[1], z - float(a[2])
    aa = lx * lx + ly * ly + lz * lz
    ee = dx * dx + dy * dy + dz * dz + 1e-6
    f = dx * rx + dy * ry + dz * rz
    c = lx * rx + ly * ry + lz * rz
    bb = lx * dx + ly * dy + lz * dz
    denom = np.maximum(aa * ee - bb * bb, 1e-6)
    s = np.clip((bb * f - c * ee) / denom, 0, 1)
    t = np.clip((bb * s + f) / ee, 0, 1)
    s = np.clip((bb * t - c) / aa, 0, 1)
    nx, ny, nz = rx + s * lx - t * dx, ry + s * ly - t * dy, rz + s * lz - t * dz
    beside = np.sqrt(nx * nx + ny * ny + nz * nz)
    radius = ra + (rb - ra) * t
    far = np.sqrt(aa)
    along = s * far
    soft = np.maximum(source.radius * along / np.maximum(far - along, 1), 0.5)
    edge = np.clip((radius + soft - beside) / (2 * soft), 0, 1)
    most = np.minimum(1, 1.3 * radius / soft)
    return np.asarray(edge * edge * (3 - 2 * edge) * most, dtype=np.float32)
