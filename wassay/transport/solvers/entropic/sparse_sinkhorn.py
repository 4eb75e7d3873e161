"""Going on with Sinkhorn's iteration among likely pairs, where it costs next to nothing.

Like all that is entropic it is a guess: it decides how fast the simplex ends, never what it says.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from wassay.transport.solvers.plan import Plan
from wassay.transport.solvers.problem import Problem

SHARPER = 4
"""So many times smaller than where annealing over all pairs ended is ε among the likely ones."""

_ITERATIONS = 10
_LEAST_EXPONENT, _LARGEST_EXPONENT = -200.0, 60.0
_TINY, _HUGE = 1e-100, 1e100


def sparse_sinkhorn(
    problem: Problem,
    pairs: Plan,
    costs: NDArray[np.float64],
    f: NDArray[np.float64],
    g: NDArray[np.float64],
    epsilon: float,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Potentials nearer to the optimum than those given.

    Parameters
    ----------
    problem : Problem
        Whose weights count.
    pairs : Plan
        That are likely; what they carry is not looked at.
    costs : ndarray, shape (l,)
        Of the pairs.
    f, g : ndarray, shapes (n,) and (m,)
        Potentials of the entropic problem, of this one or of a neighbour.
    epsilon : float
        Of that problem.
    """
    finer = max(epsilon / SHARPER, _TINY)
    exponent = np.clip(
        (f[pairs.rows] + g[pairs.columns] - costs) / finer, _LEAST_EXPONENT, _LARGEST_EXPONENT
    )
    kernel = csr_array((np.exp(exponent), (pairs.rows, pairs.columns)), shape=problem.cost.shape)
    row_factors, column_factors = np.ones_like(f), np.ones_like(g)
    for _ in range(_ITERATIONS):
        row_factors = _inverted(kernel @ (problem.column_weights * column_factors))
        column_factors = _inverted(kernel.T @ (problem.row_weights * row_factors))
    return f + finer * np.log(row_factors), g + finer * np.log(column_factors)


def _inverted(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """One where there is nothing to invert: that point's potential stays what it is."""
    inverted = np.ones_like(sums)
    np.divide(1.0, np.clip(sums, _TINY, _HUGE), out=inverted, where=sums > 0)
    return inverted
