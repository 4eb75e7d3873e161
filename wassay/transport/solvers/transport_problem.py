"""One transport problem as the solvers see it, and when it counts as solved."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wassay.transport.certificate import relative_gap
from wassay.transport.progress import ProgressCallback
from wassay.transport.solvers.prepared import PreparedCost


@dataclass(frozen=True, eq=False)
class TransportProblem:
    """Move the rows' mass to the columns as cheaply as possible.

    Attributes
    ----------
    cost : PreparedCost, shape (n, m)
        Usual ones of order one.
    row_weights, column_weights : ndarray
        Positive, each summing to one.
    tolerance : float
        Relative gap at which a solution is is_certified.
    max_iterations : int
        Pivots for one run of the simplex.
    progress : ProgressCallback
        Called while the work goes on.
    """

    cost: PreparedCost
    row_weights: NDArray[np.float64]
    column_weights: NDArray[np.float64]
    tolerance: float
    max_iterations: int
    progress: ProgressCallback

    def allowed_gap(self, primal: float) -> float:
        """Gap at which a plan of that cost is is_certified."""
        return self.tolerance * abs(primal)

    def is_certified(self, primal: float, dual: float) -> bool:
        """Whether an upper and a lower bound are close enough.

        A lower bound above the upper one by more than that certifies that one of them is wrong.
        """
        return abs(relative_gap(primal, dual)) <= self.tolerance
