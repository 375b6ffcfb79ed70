"""Sites with equal numbers of stances side by side, so that all of them are weighed at once."""

from __future__ import annotations

import numpy as np

from calibration.view import Array
from vision.sites import Site


class Batch:
    """Such sites, padded to the same number of points."""

    def __init__(
        self, numbers: list[int], sites: tuple[Site, ...], masses: tuple[Array, ...], dummy: int
    ) -> None:
        self.numbers = numbers
        self.tried = [sites[n].coarse for n in numbers]
        self.spots = np.stack([sites[n].spots[sites[n].coarse] for n in numbers])
        self.mass = np.stack([masses[n][sites[n].first] for n in numbers])
        widest = max(len(sites[n].points) for n in numbers)
        self.stances = len(sites[numbers[0]].coarse)
        # a light covers its hole in every stance alike: one row of it is enough
        rows = [sites[n].first for n in numbers]
        many = len(rows[0]) - self.stances + 1
        self.points = np.full((len(numbers), widest), dummy, dtype=np.int64)
        self.cover = np.zeros((len(numbers), many, widest), dtype=np.float32)
        for row, n in enumerate(numbers):
            wide = len(sites[n].points)
            self.points[row, :wide] = sites[n].points
            self.cover[row, :, :wide] = sites[n].cover[rows[row][:many]]

    def weigh(self, evidence: Array) -> Array:
        """(sites, stances, kinds) from evidence (points + 1, kinds)."""
        weighed = np.matmul(self.cover, evidence[self.points])
        light = np.repeat(weighed[:, -1:], self.stances, axis=1)
        whole: Array = np.concatenate([weighed[:, :-1], light], axis=1)
        return whole


def batches(sites: tuple[Site, ...], masses: tuple[Array, ...], dummy: int) -> tuple[Batch, ...]:
    """`masses`: each site's covers weighed by trust; `dummy`: the number of no point."""
    by_size: dict[int, list[int]] = {}
    for n, site in enumerate(sites):
        by_size.setdefault(site.cover.shape[0], []).append(n)
    return tuple(Batch(numbers, sites, masses, dummy) for numbers in by_size.values())
