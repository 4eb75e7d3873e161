"""The result of an attack."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Reconstruction:
    """Records as a receiver can reconstruct them.

    Attributes
    ----------
    points : ndarray, shape (n, d)
        One record for each row that was sent, in the same order unless the attack says otherwise.
        If not all directions are determined, the records' projections on those that are.
    method : str
        The attack in a few words.
    residual : float
        Relative error, as the attack defines it; about 1e-12 if the reconstruction is exact.
    rank : int
        Number of determined directions; d if all are determined.
    span_distances : ndarray, shape (n,)
        Distance of each record from its projection in `points`; 0 if all directions are determined.
    solves : int
        Number of transport problems solved.
    queries : int
        Number of messages or answers that the attacker needs.
    """

    points: NDArray[np.float64]
    method: str
    residual: float
    rank: int
    span_distances: NDArray[np.float64]
    solves: int
    queries: int

    @property
    def complete(self) -> bool:
        """Whether `points` are the whole records, not only projections."""
        extent = np.linalg.norm(self.points - self.points.mean(axis=0), axis=1)
        return self.rank == self.points.shape[1] or bool(
            self.span_distances.max()
            <= NEGLIGIBLE * max(float(extent.max()), np.finfo(np.float64).tiny)
        )


NEGLIGIBLE = 1e-6
"""Span distances below this share of the records' extent are rounding errors."""
