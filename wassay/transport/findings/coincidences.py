"""Points that lie on others: so much nearer than to the next that chance hardly does it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.special
from numpy.typing import NDArray

from wassay.transport.costs.cost import MAX_BLOCK_ENTRIES

NEARER = 30.0
"""A point lies on others when it is this many times nearer to them than to the next one."""

CHANCE = 0.04
"""Of that for one point of any smooth distribution: Σ 30⁻ᵏ in one dimension, less in more."""

LEAST_LIKELY = 1e-6
"""Coincidences that are less likely than this are a finding."""

_NEIGHBOURS = 16
_ROUNDING = 1e-7
"""Distances below this share of the extent are rounding, and count as that."""


@dataclass(frozen=True)
class Coincidences:
    """How many of the points that were looked at lie on others."""

    examined: int
    found: int

    def chance(self, rate: float, others: int) -> float:
        """The probability of that many or more, in honest data.

        Parameters
        ----------
        rate : float
            How probable it is at most that two points coincide, as those of few different values
            honestly do.
        others : int
            Among how many.
        """
        expected = max(CHANCE, float(1 - (1 - min(rate, 1.0)) ** others))
        if self.found == 0 or expected == 1:
            return 1.0
        return float(scipy.special.bdtrc(self.found - 1, self.examined, expected))


@dataclass(frozen=True)
class Repetitions(Coincidences):
    """How many points of a measure lie on others of the same.

    Attributes
    ----------
    rate : float
        How probable it is at most, by these and a margin of three, that two of its points coincide.
    """

    rate: float


def repeated(points: NDArray[np.float64], probes: NDArray[np.intp]) -> Repetitions:
    """Count those of some points that lie on others of the same measure.

    The squared distances r_1 ≤ r_2 ≤ … to the others are looked through for a jump,
    r_{k+1} ≥ 30² r_k: then k of them lie where the probe lies. In a smooth density of dimension D
    that happens with probability 30^(−kD), wherever the probe is and however many the others are.

    Parameters
    ----------
    points : ndarray, shape (n, c)
    probes : ndarray of int, shape (q,)
        Which of them to look at.
    """
    near = _neighbours(points[probes], points, itself=probes)
    alike = _alike(near, np.inf)
    pairs = max(len(probes) * (len(points) - 1), 1)
    margin = 3 * np.sqrt(np.square(alike).sum()) + 3
    return Repetitions(
        len(alike), int(np.count_nonzero(alike)), float(alike.sum() + margin) / pairs
    )


def shared(
    points: NDArray[np.float64], probes: NDArray[np.intp], others: NDArray[np.float64]
) -> Coincidences:
    """Count those of some points that lie on points of another measure.

    As `repeated`; and the probe has to be 30 times nearer to them than to the next of its own
    measure, for a few points among far others are nearest to all of a dense cloud.
    """
    own = _neighbours(points[probes], points, itself=probes)
    near = _neighbours(points[probes], others)
    alike = _alike(near, own.squared[:, :1] / NEARER**2)
    return Coincidences(len(alike), int(np.count_nonzero(alike)))


@dataclass(frozen=True, eq=False)
class _Neighbours:
    """The nearest others of each probe.

    Attributes
    ----------
    squared : ndarray, shape (q, at least 2)
        Squared distances in order; infinite where there are no more others.
    floor : float
        What is mere rounding; none is below.
    on_it : ndarray, shape (q,)
        How many others are no farther than rounding.
    """

    squared: NDArray[np.float64]
    floor: float
    on_it: NDArray[np.intp]


def _alike(near: _Neighbours, limit: NDArray[np.float64] | float) -> NDArray[np.intp]:
    """How many others lie where each probe lies: up to the last jump, and within the limit."""
    squared = near.squared
    jumps = (squared[:, 1:] >= NEARER**2 * squared[:, :-1]) & np.isfinite(squared[:, 1:])
    jumps &= squared[:, :-1] <= np.maximum(limit, near.floor)
    alike = (jumps * np.arange(1, squared.shape[1])).max(axis=1)
    counted: NDArray[np.intp] = np.where(squared[:, -1] <= near.floor, near.on_it, alike)
    return counted


def _neighbours(
    probes: NDArray[np.float64],
    others: NDArray[np.float64],
    itself: NDArray[np.intp] | None = None,
) -> _Neighbours:
    centre = others.mean(axis=0)
    away, probing = others - centre, probes - centre
    norms = np.einsum("ij,ij->i", away, away)
    floor = _ROUNDING**2 * (float(norms.mean()) or 1.0)
    kept = min(_NEIGHBOURS + 1, len(others) - (itself is not None))
    nearest = np.full((len(probes), max(kept, 2)), np.inf)
    on_it = np.empty(len(probes), dtype=np.intp)
    step = max(1, MAX_BLOCK_ENTRIES // len(others))
    for start in range(0, len(probes), step):
        rows = slice(start, start + step)
        squared = norms - 2 * probing[rows] @ away.T
        squared += np.einsum("ij,ij->i", probing[rows], probing[rows])[:, None]
        if itself is not None:
            squared[np.arange(len(squared)), itself[rows]] = np.inf
        on_it[rows] = np.count_nonzero(squared <= floor, axis=1)
        if kept:
            nearest[rows, :kept] = np.partition(squared, kept - 1, axis=1)[:, :kept]
    nearest.sort(axis=1)
    return _Neighbours(np.maximum(nearest, floor), floor, on_it)
