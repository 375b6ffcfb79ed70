"""Learning the weights of the nets that reading asks whether something stands there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from calibration.view import Array
from vision.dots import DOTS, WAYS
from vision.net import GENTLE, Net, gently, net_of

SEEN, WIDE, NARROW = 4, 32, 12  # what is kept of each dot, and of all together
BATCH, RATE, WARM = 512, 2e-3, 200  # pieces a step, its size, steps until it has that size
STEADY, GRADUAL = 0.9, 0.999  # how long slopes and their sizes are remembered
DROPPED, SHAKEN, SMALL = 0.15, 0.08, 1e-4  # against learning by heart

Parts = dict[str, Array]


@dataclass(frozen=True)
class Lessons:
    """Pieces that stand or might: what their dots show, signs besides, whether they do stand."""

    seen: Array  # (N, DOTS, marks)
    signs: Array  # (N, signs)
    truth: Array  # (N,) 0 or 1

    def __getitem__(self, chosen: Array) -> Lessons:
        return Lessons(self.seen[chosen], self.signs[chosen], self.truth[chosen])

    def __len__(self) -> int:
        return len(self.truth)


def mirrored() -> Array:
    """For each dot the one on the other side of the line of sight."""
    other = WAYS * (-1.0, 1.0, 1.0)
    apart = np.abs(other[:, None] - WAYS[None]).sum(axis=2)
    # dots of a piece and of its place may lie alike: the same group keeps its order
    apart += 1e-3 * np.abs(np.arange(DOTS)[:, None] - np.arange(DOTS))
    found: Array = apart.argmin(axis=1)
    return found


def begun(marks: int, signs: int, chance: np.random.Generator) -> Parts:
    def drawn(*shape: int) -> Array:
        scale = np.sqrt(1.6 / shape[-2])
        found: Array = (scale * chance.standard_normal(shape)).astype(np.float32)
        return found

    def zeros(*shape: int) -> Array:
        return np.zeros(shape, dtype=np.float32)

    return {
        "dot": drawn(DOTS, marks, SEEN), "dot_start": zeros(DOTS, SEEN),
        "weights1": drawn(DOTS * SEEN + signs, WIDE), "start1": zeros(WIDE),
        "weights2": drawn(WIDE, NARROW), "start2": zeros(NARROW),
        "weights3": drawn(NARROW, 1), "start3": zeros(1),
    }  # fmt: skip


def slopes(parts: Parts, some: Lessons, kept: Array) -> Parts:
    """How the mean error of some lessons changes with every part; `kept`: what is not dropped."""
    many = len(some)
    dots = some.seen.transpose(1, 0, 2)
    each = np.matmul(dots, parts["dot"]) + parts["dot_start"][:, None]
    rows = gently(each).transpose(1, 0, 2).reshape(many, -1)
    every = np.concatenate([rows, some.signs], axis=1) * kept
    wide = every @ parts["weights1"] + parts["start1"]
    narrow = gently(wide) @ parts["weights2"] + parts["start2"]
    odds = (gently(narrow) @ parts["weights3"] + parts["start3"])[:, 0]
    away = ((1.0 / (1.0 + np.exp(-np.clip(odds, -30, 30))) - some.truth) / many)[:, None]
    away = away.astype(np.float32)
    found: Parts = {"weights3": gently(narrow).T @ away, "start3": away.sum(axis=0)}
    back = (away @ parts["weights3"].T) * passing(narrow)
    found |= {"weights2": gently(wide).T @ back, "start2": back.sum(axis=0)}
    back = (back @ parts["weights2"].T) * passing(wide)
    found |= {"weights1": every.T @ back, "start1": back.sum(axis=0)}
    back = ((back @ parts["weights1"].T) * kept)[:, : rows.shape[1]]
    back = back.reshape(many, DOTS, SEEN).transpose(1, 0, 2) * passing(each)
    found |= {"dot": np.matmul(dots.transpose(0, 2, 1), back), "dot_start": back.sum(axis=1)}
    for name in ("dot", "weights1", "weights2", "weights3"):
        found[name] = found[name] + 2.0 * SMALL * parts[name]
    return found


def passing(sums: Array) -> Array:
    found: Array = np.where(sums > 0, np.float32(1.0), np.float32(GENTLE))
    return found


def train(lessons: Lessons, epochs: int, seed: int) -> Iterator[Net]:
    """The net after each time all lessons were gone through."""
    chance = np.random.default_rng(seed)
    parts = begun(lessons.seen.shape[2], lessons.signs.shape[1], chance)
    drift = {name: np.zeros_like(part) for name, part in parts.items()}
    size = {name: np.zeros_like(part) for name, part in parts.items()}
    batch = max(min(BATCH, len(lessons) // 4), 1)
    a_round = max(len(lessons) // batch, 1)
    step, other, warm = 0, mirrored(), min(WARM, epochs * a_round // 10 + 1)
    for _ in range(epochs):
        order = chance.permutation(len(lessons))
        for n in range(a_round):
            step += 1
            some = lessons[order[n * batch : (n + 1) * batch]]
            turned = chance.random(len(some)) < 0.5
            seen = np.where(turned[:, None, None], some.seen[:, other], some.seen)
            seen = seen + SHAKEN * chance.standard_normal(seen.shape, dtype=np.float32)
            shape = (len(some), DOTS * SEEN + some.signs.shape[1])
            kept = (chance.random(shape, dtype=np.float32) > DROPPED) / np.float32(1 - DROPPED)
            slope = slopes(parts, Lessons(seen, some.signs, some.truth), kept)
            rate = RATE * min(1.0, step / warm)
            rate *= 0.5 * (1.0 + np.cos(np.pi * step / (epochs * a_round)))
            for name, part in parts.items():
                drift[name] = STEADY * drift[name] + (1 - STEADY) * slope[name]
                size[name] = GRADUAL * size[name] + (1 - GRADUAL) * slope[name] ** 2
                way = drift[name] / (1 - STEADY**step)
                part -= rate * way / (np.sqrt(size[name] / (1 - GRADUAL**step)) + 1e-8)
        yield net_of(parts)


def joined(one: Net, other: Net, share: float = 0.5) -> Net:
    """One net that says the mean of what two say, which were learned from different tables; `share`
    of it is the first one's.
    """
    told = one.dot.shape[2], other.dot.shape[2]
    (first, start), (its_first, its_start) = one.layers[0], other.layers[0]
    signs = len(first) - DOTS * told[0]

    def of_dots(weights: Array, many: int) -> Array:
        return weights[:-signs].reshape(DOTS, many, -1)

    wide, its_wide = first.shape[1], its_first.shape[1]
    dots = np.zeros((DOTS, sum(told), wide + its_wide), dtype=np.float32)
    dots[:, : told[0], :wide] = of_dots(first, told[0])
    dots[:, told[0] :, wide:] = of_dots(its_first, told[1])
    both = np.hstack([first[-signs:], its_first[-signs:]])
    layers = [(np.vstack([dots.reshape(-1, wide + its_wide), both]), np.hstack([start, its_start]))]
    for (own, begin), (its, its_begin) in zip(one.layers[1:-1], other.layers[1:-1], strict=True):
        block = np.zeros((len(own) + len(its), own.shape[1] + its.shape[1]), dtype=np.float32)
        block[: len(own), : own.shape[1]] = own
        block[len(own) :, own.shape[1] :] = its
        layers.append((block, np.hstack([begin, its_begin])))
    (last, end), (its_last, its_end) = one.layers[-1], other.layers[-1]
    rest = 1.0 - share
    layers.append((np.vstack([share * last, rest * its_last]), share * end + rest * its_end))
    return Net(
        np.concatenate([one.dot, other.dot], axis=2),
        np.hstack([one.dot_start, other.dot_start]),
        tuple(layers),
    )


def write(net: Net, path: Path) -> None:
    parts: Parts = {"dot": net.dot, "dot_start": net.dot_start}
    for n, (weights, start) in enumerate(net.layers, 1):
        parts |= {f"weights{n}": weights, f"start{n}": start}
    half = {name: part.astype(np.float16) for name, part in parts.items()}
    with path.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **half)
