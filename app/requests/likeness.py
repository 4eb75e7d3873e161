"""What of a buyer's measure stays the same under isometries, and tells measures apart.

A buyer may ask about one dataset with measures that hardly differ, and read off what the difference
does; or with measures of a few places. References are drawn anew, so such measures differ in every
byte. What is kept of a measure is how its mass lies around its mean, in units of its own spread,
which neither an isometry nor the push towards a reference of one point changes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from app.arrays import npy
from app.arrays.contents import WEIGHT_TOLERANCE, split_weights

LEVELS = (np.arange(256) + 0.5) / 256
RESOLUTION = 1e-3
"""Points nearer than about this, in units of the measure's spread, are at one place."""

AXES = 8
"""Directions, drawn at random, in which places are told apart."""

ALIKE = 0.25
"""Measures are alike below this value of Kolmogorov's statistic √(n₁n₂/(n₁+n₂))·sup|F₁ − F₂|.

Measured: of two samples of one population, fewer than one pair in a thousand is, from fifty points
on; of a measure and itself with one point in fifty replaced, most pairs are, from 300 points on."""

ROWS_AT_ONCE = 4096


@dataclass(frozen=True)
class Likeness:
    """What is kept of a measure.

    Attributes
    ----------
    places : int
        At how many different places the mass lies: 1/Σ p² for the shares p of the places, so that
        places with next to no mass do not count.
    uniform : bool
        Whether all points that have mass weigh the same.
    radii : list of float
        Quantiles of the distance from the mean, at `LEVELS`, in units of its root mean square.
    """

    places: int
    uniform: bool
    radii: list[float]


def likeness(file: Path, *, weighted: bool) -> Likeness:
    """Look at a checked measure in a file, in blocks of bounded memory."""
    points, weights = split_weights(npy.memory_map(file), weighted=weighted)
    massive = np.flatnonzero(weights)
    weights = weights[massive]
    uniform = bool(np.ptp(weights) <= WEIGHT_TOLERANCE["<f4"] * weights[0])
    mean = sum(
        (share @ block for block, share in _blocks(points, weights, massive)),
        start=np.zeros(points.shape[1]),
    )
    radii = np.concatenate(
        [np.linalg.norm(block - mean, axis=1) for block, _ in _blocks(points, weights, massive)]
    )
    spread = float(np.sqrt(weights @ np.square(radii)))
    if spread == 0:
        return Likeness(1, uniform, [0.0] * len(LEVELS))
    random = np.random.default_rng()
    dimension = points.shape[1]
    axes = (
        np.eye(dimension)
        if dimension <= AXES
        else random.normal(scale=AXES**-0.5, size=(dimension, AXES))
    )
    shift = random.uniform(size=axes.shape[1])
    cells = [
        np.floor((block - mean) @ axes / (RESOLUTION * spread) + shift)
        for block, _ in _blocks(points, weights, massive)
    ]
    _, place = np.unique(np.concatenate(cells), axis=0, return_inverse=True)
    shares = np.bincount(place, weights=weights)
    order = np.argsort(radii)
    below = np.cumsum(weights[order]) - weights[order] / 2
    return Likeness(
        places=int(1 / np.square(shares).sum() * (1 + WEIGHT_TOLERANCE["<f8"])),
        uniform=uniform,
        radii=np.interp(LEVELS, below, radii[order] / spread).tolist(),
    )


def alike(one: Sequence[float], one_places: int, other: Sequence[float], other_places: int) -> bool:
    """Tell whether two measures are nearer to each other than two samples of one population.

    Parameters
    ----------
    one, other
        Their `Likeness.radii`.
    one_places, other_places
        Their `Likeness.places`.
    """
    places = np.concatenate([one, other])
    apart = np.max(np.abs(np.interp(places, one, LEVELS) - np.interp(places, other, LEVELS)))
    return bool(apart * np.sqrt(one_places * other_places / (one_places + other_places)) < ALIKE)


def _blocks(
    points: NDArray[np.float64], weights: NDArray[np.float64], massive: NDArray[np.intp]
) -> Iterator[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Yield the points that have mass, and their weights, some rows at a time."""
    for start in range(0, len(massive), ROWS_AT_ONCE):
        chosen = slice(start, start + ROWS_AT_ONCE)
        yield np.asarray(points[massive[chosen]], dtype=np.float64), weights[chosen]
