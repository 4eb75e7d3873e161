"""Sinkhorn's iteration on a sparse set of likely pairs, at a smaller ε.

The potentials only speed up the simplex, and do not affect the result.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from wassay.transport.solvers.plan import Plan
from wassay.transport.solvers.transport_problem import TransportProblem

EPSILON_DIVISOR = 4
"""ε is divided by this for the sparse iteration."""

_ITERATIONS = 10
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
    row_factors, column_factors = np.ones_like(f), np.ones_like(g)
    for _ in range(_ITERATIONS):
        row_factors = _safe_inverse(kernel @ (problem.column_weights * column_factors))
        column_factors = _safe_inverse(kernel.T @ (problem.row_weights * row_factors))
    sent = (problem.row_weights * row_factors)[pairs.rows]
    received = (problem.column_weights * column_factors)[pairs.columns]
    return (
        f + smaller_epsilon * np.log(row_factors),
        g + smaller_epsilon * np.log(column_factors),
        Plan(pairs.rows, pairs.columns, sent * entries * received),
    )


def _safe_inverse(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return 1/sums; 1 for a sum of zero, which leaves that point's potential unchanged."""
    inverted = np.ones_like(sums)
    np.divide(1.0, np.clip(sums, _TINY, _HUGE), out=inverted, where=sums > 0)
    return inverted
