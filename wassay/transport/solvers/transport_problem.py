"""A transport problem as the solvers see it, and its stopping criterion."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wassay.transport.certificate import relative_gap
from wassay.transport.progress import ProgressCallback
from wassay.transport.solvers.prepared_cost import PreparedCost


@dataclass(frozen=True, eq=False)
class TransportProblem:
    """Minimise Σ_ij C_ij P_ij over plans P >= 0 with the given row and column sums.

    Attributes
    ----------
    cost : PreparedCost, shape (n, m)
        Scaled so that a typical cost is about 1.
    row_weights, column_weights : ndarray, shapes (n,) and (m,)
        Non-negative, each summing to one.
    tolerance : float
        The largest relative duality gap of a certified plan.
    max_iterations : int
        Limit on the pivots of one run of the simplex.
    progress : ProgressCallback
        Called often while the problem is being solved.
    """

    cost: PreparedCost
    row_weights: NDArray[np.float64]
    column_weights: NDArray[np.float64]
    tolerance: float
    max_iterations: int
    progress: ProgressCallback

    def allowed_gap(self, primal: float) -> float:
        """Return the largest duality gap at which a plan of this cost is certified."""
        return self.tolerance * abs(primal)

    def is_certified(self, primal: float, dual: float) -> bool:
        """Whether the bounds are within tolerance of each other; `dual` may be the larger one."""
        # If the lower bound exceeds the upper one by more than the tolerance, one of them is wrong.
        return abs(relative_gap(primal, dual)) <= self.tolerance
