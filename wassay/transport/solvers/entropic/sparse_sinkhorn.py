"""Sinkhorn's iteration on a sparse set of likely pairs, at a smaller ε.

The potentials only speed up the simplex, and do not affect the result.

Reference: Thibault, Chizat, Dossal, Papadakis, Overrelaxed Sinkhorn–Knopp algorithm for regularized
optimal transport, Algorithms 14 (2021).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from wassay.transport.solvers.plan import Plan
from wassay.transport.solvers.transport_problem import TransportProblem

EPSILON_DIVISOR = 4
"""ε is divided by this for the sparse iteration."""

ITERATIONS = 20

OVERRELAXATION = 1.7
"""Each step moves a potential this many times as far; without it, twice as many pivots follow."""

_EXACT_AT_START = 2
"""Number of iterations without overrelaxation at the start; the last one has none either."""

_MIN_EXPONENT, _MAX_EXPONENT = -200.0, 60.0
_TINY, _HUGE = 1e-100, 1e100


def sparse_sinkhorn(
    problem: TransportProblem,
    pairs: Plan,
    costs: NDArray[np.float64],
    f: NDArray[np.float64],
    g: NDArray[np.float64],
    epsilon: float,
) -> tuple[NDArray[np.float64], NDArray[np.float64], Plan]:
    """Improve entropic potentials by iterating on likely pairs only.

    Parameters
    ----------
    problem : TransportProblem
        Only its weights are used.
    pairs : Plan
        Likely pairs, each once; their mass is ignored.
    costs : ndarray, shape (l,)
        Costs of the pairs.
    f, g : ndarray, shapes (n,) and (m,)
        Entropic potentials of this problem or of a neighbouring one.
    epsilon : float
        Regularisation of the given potentials.

    Returns
    -------
    f, g : ndarray, shapes (n,) and (m,)
    plan : Plan
        The pairs with the mass that the improved potentials give them.
    """
    smaller_epsilon = max(epsilon / EPSILON_DIVISOR, _TINY)
    exponent = np.clip(
        (f[pairs.rows] + g[pairs.columns] - costs) / smaller_epsilon, _MIN_EXPONENT, _MAX_EXPONENT
    )
    entries = np.exp(exponent)
    kernel = csr_array((entries, (pairs.rows, pairs.columns)), shape=problem.cost.shape)
    transposed = kernel.T.tocsr()
    row_factors, column_factors = np.ones_like(f), np.ones_like(g)
    for iteration in range(ITERATIONS):
        relaxed = _EXACT_AT_START <= iteration < ITERATIONS - 1
        power = OVERRELAXATION if relaxed else 1.0
        sent = kernel @ (problem.column_weights * column_factors)
        row_factors = _overrelaxed(row_factors, _safe_inverse(sent), power)
        received = transposed @ (problem.row_weights * row_factors)
        column_factors = _overrelaxed(column_factors, _safe_inverse(received), power)
    from_rows = (problem.row_weights * row_factors)[pairs.rows]
    to_columns = (problem.column_weights * column_factors)[pairs.columns]
    return (
        f + smaller_epsilon * np.log(row_factors),
        g + smaller_epsilon * np.log(column_factors),
        Plan(pairs.rows, pairs.columns, from_rows * entries * to_columns),
    )


def _overrelaxed(
    before: NDArray[np.float64], after: NDArray[np.float64], power: float
) -> NDArray[np.float64]:
    """Return before·(after/before)^power within bounds, which prevent overflow."""
    if power == 1:
        return after
    factors: NDArray[np.float64] = np.clip(before ** (1 - power) * after**power, _TINY, _HUGE)
    return factors


def _safe_inverse(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return 1/sums; 1 for a sum of zero, which leaves that point's potential unchanged."""
    inverted = np.ones_like(sums)
    np.divide(1.0, np.clip(sums, _TINY, _HUGE), out=inverted, where=sums > 0)
    return inverted
