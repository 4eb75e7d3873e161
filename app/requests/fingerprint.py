"""Fingerprints of buyers' measures, which stay the same after isometries and small changes.

A buyer could upload nearly the same dataset to several requests, and learn from the results what
the small difference does. Or a buyer could upload a measure that is concentrated on few points.
Each request draws its own reference, so digests cannot recognise such uploads. The fingerprint is
the distribution of the points' distances from the mean of the bulk (most of the mass), in units of
the spread of the bulk. Isometries do not change that distribution, nor does the push towards a
reference of one point. A few distant points hardly change it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..arrays import npy
from ..arrays.entry_validation import WEIGHT_TOLERANCE, split_weights

LEVELS = (np.arange(256) + 0.5) / 256
"""The levels at which quantiles of the radial distribution are stored."""

RESOLUTION = 1e-3
"""The width of the grid cells in which points count as one, in units of the measure's spread."""

BULK_MASS = 0.9
"""The share of the mass that is the bulk: the part nearest to the centre."""

BULK_ITERATIONS = 6
"""How often the bulk and its mean are computed from each other."""

ROUNDING = 1e-9

MAX_AXES = 8
"""In more dimensions, points are projected on this many random directions, which are then gridded.
"""

NEAR_DUPLICATE_STATISTIC = 0.25
"""Two measures count as near duplicates below this Kolmogorov-Smirnov statistic.

The statistic is √(n₁n₂/(n₁+n₂))·sup|F₁ − F₂|. In trials, the share of pairs of samples from one
population that fell below was 0.2 % at 50 points, and under 0.01 % from 300 points on. Of pairs of
a measure and the same measure with 2 % of the points replaced, most fell below from 300 points on.
"""

BLOCK_ROWS = 1024


class Fingerprinted(Protocol):
    """Anything with the two fields of a `Fingerprint` that `are_near_duplicates` reads."""

    @property
    def effective_support(self) -> int:
        """The effective number of distinct points."""

    @property
    def radii(self) -> list[float]:
        """The quantiles of the radial distribution."""


@dataclass(frozen=True)
class Fingerprint:
    """The radial distribution of a measure, and how many distinct points it has.

    Attributes
    ----------
    effective_support : int
        The effective number of distinct points, 1/Σ p², where p is the mass at each point. Points
        with almost no mass hardly count.
    uniform : bool
        Whether all points that have mass have the same weight.
    radii : list of float
        Quantiles, at `LEVELS`, of the distance from the mean of the bulk, in units of the bulk's
        root mean square distance. With the spread of the whole measure as the unit, a single
        distant point would change all quantiles.
    """

    effective_support: int
    uniform: bool
    radii: list[float]


def fingerprint(file: Path, *, weighted: bool, labelled: bool = False) -> Fingerprint:
    """Compute the fingerprint of a checked measure in a file, in bounded memory.

    If the measure is `labelled`, its last column is the class of each point, not a coordinate.
    """
    points, weights = split_weights(npy.memory_map(file), weighted=weighted)
    if labelled:
        points = points[:, :-1]
    massive = np.flatnonzero(weights)
    weights = weights[massive]
    uniform = bool(np.ptp(weights) <= WEIGHT_TOLERANCE["<f4"] * weights[0])
    mean, radii = _bulk_mean_and_radii(points, weights, massive)
    spread = _spread(radii, weights)
    if spread == 0:
        return Fingerprint(1, uniform, [0.0] * len(LEVELS))
    random = np.random.default_rng()
    dimension = points.shape[1]
    axes = (
        np.eye(dimension)
        if dimension <= MAX_AXES
        else random.normal(scale=MAX_AXES**-0.5, size=(dimension, MAX_AXES))
    )
    shift = random.uniform(size=axes.shape[1])
    cells = [
        np.floor((block - mean) @ axes / (RESOLUTION * spread) + shift)
        for block, _ in _blocks(points, weights, massive)
    ]
    shares = _masses_of_cells(np.concatenate(cells), weights)
    return Fingerprint(
        effective_support=int(1 / np.square(shares).sum() * (1 + WEIGHT_TOLERANCE["<f8"])),
        uniform=uniform,
        radii=_quantiles(radii / spread, weights, LEVELS).tolist(),
    )


def _masses_of_cells(
    cells: NDArray[np.float64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the mass in each cell that contains points.

    Sort with `numpy.lexsort`, which lets other threads work. `numpy.unique` of rows would hold the
    interpreter's lock while it sorts.
    """
    order = np.lexsort(cells.T)
    ordered = cells[order]
    begins = np.append(True, (ordered[1:] != ordered[:-1]).any(axis=1))
    return np.add.reduceat(weights[order], np.flatnonzero(begins))


def are_near_duplicates(one: Fingerprinted, other: Fingerprinted) -> bool:
    """Return whether two measures are closer than two samples of one population would be.

    Apply the two-sample Kolmogorov-Smirnov test to the radial distributions, with the effective
    numbers of distinct points as sample sizes.
    """
    radii = np.concatenate([one.radii, other.radii])
    distance = np.max(
        np.abs(np.interp(radii, one.radii, LEVELS) - np.interp(radii, other.radii, LEVELS))
    )
    n1, n2 = one.effective_support, other.effective_support
    return bool(distance * np.sqrt(n1 * n2 / (n1 + n2)) < NEAR_DUPLICATE_STATISTIC)


def _bulk_mean_and_radii(
    points: NDArray[np.float64], weights: NDArray[np.float64], massive: NDArray[np.intp]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the mean of the bulk, and the distance of every point from it.

    In each iteration, the next bulk is the part of the mass (`BULK_MASS`) that is nearest to the
    mean of the last bulk.
    """
    shares = weights
    for _ in range(BULK_ITERATIONS):
        mean = sum(
            (share @ block for block, share in _blocks(points, shares, massive)),
            start=np.zeros(points.shape[1]),
        )
        radii = np.concatenate(
            [np.linalg.norm(block - mean, axis=1) for block, _ in _blocks(points, shares, massive)]
        )
        shares = np.where(_in_bulk(radii, weights), weights, 0.0)
        shares /= shares.sum()
    return mean, radii


def _in_bulk(radii: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Mark the points in the bulk, including all points at its edge up to rounding errors."""
    return radii <= _quantiles(radii, weights, BULK_MASS) * (1 + ROUNDING)


def _spread(radii: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    """Return the root mean square radius of the bulk or, if that is zero, of all points."""
    bulk = _in_bulk(radii, weights)
    spread = float(np.sqrt(np.average(np.square(radii[bulk]), weights=weights[bulk])))
    return spread or float(np.sqrt(weights @ np.square(radii)))


def _quantiles(
    radii: NDArray[np.float64], weights: NDArray[np.float64], levels: NDArray[np.float64] | float
) -> NDArray[np.float64]:
    order = np.argsort(radii)
    below = np.cumsum(weights[order]) - weights[order] / 2
    return np.asarray(np.interp(levels, below, radii[order]), dtype=np.float64)


def _blocks(
    points: NDArray[np.float64], weights: NDArray[np.float64], massive: NDArray[np.intp]
) -> Iterator[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Yield the points that have mass, and their weights, in blocks of rows."""
    for start in range(0, len(massive), BLOCK_ROWS):
        rows = slice(start, start + BLOCK_ROWS)
        yield np.asarray(points[massive[rows]], dtype=np.float64), weights[rows]
