"""Points that lie on others: so much nearer than to the next that chance hardly does it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.stats
from numpy.typing import NDArray

NEARER = 30.0
"""A point lies on others when it is this many times nearer to them than to the next one."""

CHANCE = 0.04
"""Of that for one point of any smooth distribution: Σ 30⁻ᵏ in one dimension, less in more."""

LEAST_LIKELY = 1e-6
"""Coincidences that are less likely than this are a finding."""

_NEIGHBOURS = 16
_ROUNDING = 1e-7
"""Distances below this share of the extent are rounding, and count as that."""
_PAIRS_AT_ONCE = 2**22


@dataclass(frozen=True)
class Coincidences:
    """How many of the points that were looked at lie on others."""

    examined: int
    found: int

    def chance(self, expected: float) -> float:
        """The probability of that many or more, where one point has the chance `expected`."""
        return float(scipy.stats.binom.sf(self.found - 1, self.examined, expected))

    def expected_among(self, times: float) -> float:
        """What one point's chance is among `times` as many others, by these and a safe margin.

        Data of few different values coincide honestly: the buyer's own show how much.
        """
        share = (self.found + 2 * np.sqrt(self.found)) / max(self.examined, 1)
        return max(CHANCE, float(1 - (1 - min(share, 1.0)) ** max(times, 1.0)))


def repeated(points: NDArray[np.float64], probes: NDArray[np.intp]) -> Coincidences:
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
    nearest, floor = _neighbours(points[probes], points, itself=probes)
    return _counted(nearest, floor, np.inf)


def shared(
    points: NDArray[np.float64], probes: NDArray[np.intp], others: NDArray[np.float64]
) -> Coincidences:
    """Count those of some points that lie on points of another measure.

    As `repeated`; and the probe has to be 30 times nearer to them than to the next of its own
    measure, for a few points among far others are nearest to all of a dense cloud.
    """
    own, _ = _neighbours(points[probes], points, itself=probes)
    nearest, floor = _neighbours(points[probes], others)
    return _counted(nearest, floor, own[:, :1] / NEARER**2)


def _counted(
    nearest: NDArray[np.float64], floor: float, limit: NDArray[np.float64] | float
) -> Coincidences:
    jumps = (nearest[:, 1:] >= NEARER**2 * nearest[:, :-1]) & np.isfinite(nearest[:, 1:])
    near = nearest[:, :-1] <= np.maximum(limit, floor)
    all_on_it = nearest[:, -1] <= floor
    found = (jumps & near).any(axis=1) | all_on_it
    return Coincidences(len(nearest), int(np.count_nonzero(found)))


def _neighbours(
    probes: NDArray[np.float64],
    others: NDArray[np.float64],
    itself: NDArray[np.intp] | None = None,
) -> tuple[NDArray[np.float64], float]:
    """Squared distances to the nearest others in order, and which of them are mere rounding.

    Where there are no two others, the missing ones are infinitely far.
    """
    centre = others.mean(axis=0)
    away, probing = others - centre, probes - centre
    norms = np.einsum("ij,ij->i", away, away)
    floor = _ROUNDING**2 * (float(norms.mean()) or 1.0)
    kept = min(_NEIGHBOURS + 1, len(others) - (itself is not None))
    nearest = np.full((len(probes), max(kept, 2)), np.inf)
    step = max(1, _PAIRS_AT_ONCE // len(others))
    for start in range(0, len(probes), step):
        part = probing[start : start + step]
        squared = norms - 2 * part @ away.T
        squared += np.einsum("ij,ij->i", part, part)[:, None]
        if itself is not None:
            squared[np.arange(len(part)), itself[start : start + step]] = np.inf
        if kept:
            smallest = np.partition(squared, kept - 1, axis=1)[:, :kept]
            nearest[start : start + step, :kept] = smallest
    nearest.sort(axis=1)
    return np.maximum(nearest, floor), floor
