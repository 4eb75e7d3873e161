"""What an attack gives back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Reconstruction:
    """Somebody's records as a receiver can compute them.

    Attributes
    ----------
    points : ndarray, shape (n, d)
        One reconstructed record for each row that was sent, in the order in which it was sent.
        Where not all directions are determined, their projection on those that are.
    method : str
        The attack, in a few words.
    residual : float
        The certificate: how far optimal transport of the reconstruction is from reproducing what
        was seen, as a share of what was seen; about 1e-12 where the reconstruction is exact.
    rank : int
        In how many directions of the space the points are determined; d for all.
    rest : ndarray, shape (n,)
        How far each record lies from its projection, known even where its direction is not; zero
        where all directions are determined.
    solves : int
        Transport problems that the attacker solves.
    queries : int
        Answers that the attacker has to ask for; 1 where one message is enough.
    """

    points: NDArray[np.float64]
    method: str
    residual: float
    rank: int
    rest: NDArray[np.float64]
    solves: int
    queries: int

    @property
    def complete(self) -> bool:
        """Whether nothing of the records is left undetermined."""
        extent = np.linalg.norm(self.points - self.points.mean(axis=0), axis=1)
        return self.rank == self.points.shape[1] or bool(
            self.rest.max() <= NEGLIGIBLE * max(float(extent.max()), np.finfo(np.float64).tiny)
        )


NEGLIGIBLE = 1e-6
"""A rest below this share of the records' extent is rounding: it is the root of a difference."""
