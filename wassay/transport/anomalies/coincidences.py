"""Test whether points coincide: whether they are nearer to each other than chance explains."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.special
from numpy.typing import NDArray

from wassay.transport.costs.cost import MAX_BLOCK_ENTRIES

NEARER = 30.0
"""A point coincides with its k nearest points, for any k, if the next one is at least this many
times as far away as the k-th."""

CHANCE = 0.04
"""Bound on the probability that a point of a smooth distribution coincides with others: Σ_k 30⁻ᵏ in
one dimension."""

SIGNIFICANCE = 1e-6
"""Coincidences with a smaller probability in honest data are a finding."""

_NEIGHBOURS = 16
_MOST_ALIKE = 0.9
"""The share of the other points with which a point may coincide, in `thorough_rate`."""
_FOR_MEDIANS, _SAMPLED = 128, 1024
"""Medians are taken of 128 of a measure's points. `coincidence_reach` looks for the nearest points
among 1024."""
_ROUNDING_OF_SQUARES = 1e-12
"""Bound on the rounding error of a squared distance, as a share of the points' squared norms."""
_CANCELLED = 1e-12
"""Below this share of the squared norm, a squared distance from norms and a product is mostly
rounding."""
_ROUNDING = 1e-7
"""Distances below this share of the median distance from the median point are rounding errors."""


@dataclass(frozen=True)
class Coincidences:
    """How many tested points coincide with others.

    Attributes
    ----------
    examined : int
        Number of tested points.
    found : int
        Number of tested points that coincide with others.
    """

    examined: int
    found: int

    def chance(self, rate: float, others: int) -> float:
        """Bound the probability of `found` or more coincidences in honest data.

        Parameters
        ----------
        rate : float
            Bound on the probability that two given points coincide.
        others : int
            Number of points that each tested point is compared with.

        Returns
        -------
        float
        """
        # The probability that one tested point coincides is at most CHANCE for smooth data, and at
        # most 1 − (1 − rate)^others for discrete data.
        expected = max(CHANCE, float(1 - (1 - min(rate, 1.0)) ** others))
        if self.found == 0 or expected == 1:
            return 1.0
        return float(scipy.special.bdtrc(self.found - 1, self.examined, expected))


class ProbedPoints:
    """Some points of a measure, to be tested for coincidences.

    Parameters
    ----------
    points : ndarray, shape (n, c)
        The embeddings of the measure's points: their squared distances to c anchors (see `embed`).
    rows : ndarray of int, shape (q,)
        Indices of the points to test.
    """

    def __init__(self, points: NDArray[np.float64], rows: NDArray[np.intp]) -> None:
        self._points = points
        self._rows = rows
        self._near = _neighbours(points[rows], points, _NEIGHBOURS, itself=rows)

    @cached_property
    def rate(self) -> float:
        """Estimated probability that two of the points coincide, plus three standard errors.

        Unless points are equal, a tested point is compared only with the nearest few.
        """
        return self._rate(_count_coincident(self._near, np.inf))

    @cached_property
    def thorough_rate(self) -> float:
        """`rate`, or the estimate from the nearest 90 % of the other points if it is larger."""
        # This is slow: the distances to so many points are sorted.
        most = int(_MOST_ALIKE * (len(self._points) - 1))
        step = max(1, MAX_BLOCK_ENTRIES // len(self._points))
        alike = []
        for start in range(0, len(self._rows), step):
            rows = self._rows[start : start + step]
            near = _neighbours(self._points[rows], self._points, most, itself=rows)
            alike.append(_count_coincident(near, np.inf))
        return max(self.rate, self._rate(np.concatenate(alike)))

    def repetitions(self) -> Coincidences:
        """Count the tested points that coincide with others of the same measure (see `NEARER`)."""
        # For a smooth density in D dimensions, the chance of coinciding with k points is at most
        # 30^(−kD), wherever the point is and however many others there are. One point far away
        # makes all others look alike, so more than a quarter of the points must even be equal.
        alike = _count_coincident(self._near, np.inf, max(1, len(self._points) // 4))
        return Coincidences(len(alike), int(np.count_nonzero(alike)))

    def _rate(self, alike: NDArray[np.intp]) -> float:
        pairs = max(len(alike) * (len(self._points) - 1), 1)
        margin = 3 * np.sqrt(np.square(alike).sum()) + 3
        return float(alike.sum() + margin) / pairs

    def coincidences(self, others: NDArray[np.float64]) -> Coincidences:
        """Count the tested points that coincide with points of another measure (see `NEARER`).

        Parameters
        ----------
        others : ndarray, shape (k, c)
            The embeddings of the other measure's points, with the same anchors.

        Returns
        -------
        Coincidences
        """
        near = _neighbours(self._points[self._rows], others, _NEIGHBOURS)
        # All other points of a tested point's own measure must be as far away, too. Otherwise, many
        # points of a dense measure could coincide with one of a sparse measure.
        alike = _count_coincident(near, self._near.squared[:, :1] / NEARER**2)
        return Coincidences(len(alike), int(np.count_nonzero(alike)))


def coincidence_reach(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a reach for each point: points farther apart than both reaches do not coincide.

    Distances are those of embeddings.

    Parameters
    ----------
    points : ndarray, shape (n, c)
        The embeddings of a measure's points.

    Returns
    -------
    ndarray, shape (n,)
        Infinite if there is a single point.
    """
    some = points[_some_rows(points, _SAMPLED)]
    # The second nearest of some points is at least as far away as the nearest other of all points.
    squared = _neighbours(points, some, 1).squared[:, 1] / NEARER**2
    _, norms, floor = _centred(points)
    reach: NDArray[np.float64] = np.sqrt(squared + floor + _ROUNDING_OF_SQUARES * norms)
    return reach


@dataclass(frozen=True, eq=False)
class _Neighbours:
    """Squared distances from q tested points to their nearest neighbours.

    Attributes
    ----------
    squared : ndarray, shape (q, at least 2)
        For each tested point, ascending; infinite where there are no more neighbours. Values below
        `floor` are raised to it.
    floor : float
        Rounding error of the squared distances.
    coincident : ndarray, shape (q,)
        Number of neighbours at a squared distance of at most `floor`.
    """

    squared: NDArray[np.float64]
    floor: float
    coincident: NDArray[np.intp]


def _count_coincident(
    near: _Neighbours, limit: NDArray[np.float64] | float, most: int | None = None
) -> NDArray[np.intp]:
    """Return, for each tested point, how many neighbours coincide with it (see `NEARER`).

    `limit` bounds the squared distances of neighbours that coincide. More than `most` neighbours
    coincide only if they are equal to the tested point.
    """
    squared = near.squared
    jumps = (squared[:, 1:] >= NEARER**2 * squared[:, :-1]) & np.isfinite(squared[:, 1:])
    jumps &= squared[:, :-1] <= np.maximum(limit, near.floor)
    if most is not None:
        jumps[:, most:] &= squared[:, most:-1] <= near.floor
    alike = (jumps * np.arange(1, squared.shape[1])).max(axis=1)
    counted: NDArray[np.intp] = np.where(squared[:, -1] <= near.floor, near.coincident, alike)
    return counted


def _neighbours(
    probes: NDArray[np.float64],
    others: NDArray[np.float64],
    count: int,
    itself: NDArray[np.intp] | None = None,
) -> _Neighbours:
    """Find the nearest `count` + 1 points of `others` for each tested point in `probes`.

    If `others` contain the tested points, `itself` has the indices of the tested points.
    """
    centre, norms, floor = _centred(others)
    away, probing = others - centre, probes - centre
    kept = min(count + 1, len(others) - (itself is not None))
    nearest = np.full((len(probes), max(kept, 2)), np.inf)
    coincident = np.empty(len(probes), dtype=np.intp)
    step = max(1, MAX_BLOCK_ENTRIES // len(others))
    for start in range(0, len(probes), step):
        rows = slice(start, start + step)
        squared = norms - 2 * probing[rows] @ away.T
        own = np.einsum("ij,ij->i", probing[rows], probing[rows])[:, None]
        squared += own
        if itself is not None:  # no point is its own neighbour
            squared[np.arange(len(squared)), itself[rows]] = np.inf
        close = np.nonzero(squared <= np.maximum(_CANCELLED * own, floor))
        squared[close] = _squared_distances(probing[rows], away, close)
        coincident[rows] = np.bincount(close[0][squared[close] <= floor], minlength=len(squared))
        if kept:
            nearest[rows, :kept] = np.partition(squared, kept - 1, axis=1)[:, :kept]
    nearest.sort(axis=1)
    return _Neighbours(np.maximum(nearest, floor), floor, coincident)


def _squared_distances(
    points: NDArray[np.float64],
    others: NDArray[np.float64],
    pairs: tuple[NDArray[np.intp], ...],
) -> NDArray[np.float64]:
    """Return the squared distance between `points[i]` and `others[j]`, without cancellation.

    `pairs` has two arrays: the i and the j of each pair.
    """
    squared = np.empty(len(pairs[0]))
    step = MAX_BLOCK_ENTRIES // points.shape[1]
    for start in range(0, len(squared), step):
        one, other = (each[start : start + step] for each in pairs)
        offsets = points[one] - others[other]
        squared[start : start + step] = np.einsum("ij,ij->i", offsets, offsets)
    return squared


def _centred(
    points: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Return the centre of the points, their squared distances from it, and `_Neighbours.floor`."""
    # Medians, because one point far away must not make the others coincide up to rounding.
    centre = np.median(points[_some_rows(points, _FOR_MEDIANS)], axis=0)
    away = points - centre
    norms = np.einsum("ij,ij->i", away, away)
    typical = float(np.median(norms[norms > 0])) if norms.any() else 1.0
    return centre, norms, _ROUNDING**2 * typical


def _some_rows(points: NDArray[np.float64], count: int) -> NDArray[np.intp]:
    """Return the indices of at most `count` points, evenly spaced in the order of the points."""
    return np.linspace(0, len(points) - 1, min(len(points), count)).astype(np.intp)
