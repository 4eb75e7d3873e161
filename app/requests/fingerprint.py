"""What of a buyer's measure stays the same under isometries, and tells measures apart.

A buyer may ask about one dataset with measures that hardly differ, and read off what the difference
does; or with measures of a few places. References are drawn anew, so such measures differ in every
byte. What is kept of a measure is how its mass lies around the mean of its bulk, in units of the
bulk's spread, which neither an isometry nor the push towards a reference of one point changes, and
few points far away hardly do.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..arrays import npy
from ..arrays.contents import WEIGHT_TOLERANCE, split_weights

LEVELS = (np.arange(256) + 0.5) / 256
RESOLUTION = 1e-3
"""Points nearer than about this, in units of the measure's spread, are at one place."""

BULK, ROUNDS = 0.9, 6
"""How much of the mass says where a measure is, and how large; and how often that is looked at."""

ROUNDING = 1e-9

AXES = 8
"""Directions, drawn at random, in which places are told apart."""

ALIKE = 0.25
"""Measures are alike below this value of Kolmogorov's statistic √(n₁n₂/(n₁+n₂))·sup|F₁ − F₂|.

Measured: of two samples of one population, two pairs in a thousand are at fifty points, and fewer
than one in ten thousand from 300 points on; of a measure and itself with one point in fifty
replaced, most pairs are, from 300 points on."""

ROWS_AT_ONCE = 1024


@dataclass(frozen=True)
class Fingerprint:
    """What is kept of a measure.

    Attributes
    ----------
    places : int
        At how many different places the mass lies: 1/Σ p² for the shares p of the places, so that
        places with next to no mass do not count.
    uniform : bool
        Whether all points that have mass weigh the same.
    radii : list of float
        Quantiles of the distance from the mean of the measure's bulk, at `LEVELS`, in units of its
        root mean square there. Of the whole measure, one point far away would change them all.
    """

    places: int
    uniform: bool
    radii: list[float]


def fingerprint(file: Path, *, weighted: bool) -> Fingerprint:
    """Look at a checked measure in a file, in blocks of bounded memory."""
    points, weights = split_weights(npy.memory_map(file), weighted=weighted)
    massive = np.flatnonzero(weights)
    weights = weights[massive]
    uniform = bool(np.ptp(weights) <= WEIGHT_TOLERANCE["<f4"] * weights[0])
    mean, radii = _about_its_bulk(points, weights, massive)
    spread = _spread(radii, weights)
    if spread == 0:
        return Fingerprint(1, uniform, [0.0] * len(LEVELS))
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
    return Fingerprint(
        places=int(1 / np.square(shares).sum() * (1 + WEIGHT_TOLERANCE["<f8"])),
        uniform=uniform,
        radii=_quantiles(radii / spread, weights, LEVELS).tolist(),
    )


def alike(one: Sequence[float], one_places: int, other: Sequence[float], other_places: int) -> bool:
    """Tell whether two measures are nearer to each other than two samples of one population.

    Parameters
    ----------
    one, other
        Their `Fingerprint.radii`.
    one_places, other_places
        Their `Fingerprint.places`.
    """
    places = np.concatenate([one, other])
    apart = np.max(np.abs(np.interp(places, one, LEVELS) - np.interp(places, other, LEVELS)))
    return bool(apart * np.sqrt(one_places * other_places / (one_places + other_places)) < ALIKE)


def _about_its_bulk(
    points: NDArray[np.float64], weights: NDArray[np.float64], massive: NDArray[np.intp]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the mean of the points that lie nearest to it, `BULK` of the mass, and all radii."""
    shares = weights
    for _ in range(ROUNDS):
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
    """Tell which points are in it; ties are, whatever an isometry does to their last digits."""
    return radii <= _quantiles(radii, weights, BULK) * (1 + ROUNDING)


def _spread(radii: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    """Return the root mean square of the bulk's radii; of all, where the bulk is at one place."""
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
    """Yield the points that have mass, and their weights, some rows at a time."""
    for start in range(0, len(massive), ROWS_AT_ONCE):
        chosen = slice(start, start + ROWS_AT_ONCE)
        yield np.asarray(points[massive[chosen]], dtype=np.float64), weights[chosen]
