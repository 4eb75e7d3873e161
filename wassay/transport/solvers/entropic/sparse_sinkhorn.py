"""Sinkhorn's iteration on likely pairs only, whose result speeds up the simplex.

Reference: Thibault, Chizat, Dossal, Papadakis, Overrelaxed Sinkhorn–Knopp algorithm for regularized
optimal transport, Algorithms 14 (2021).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from wassay.transport.solvers.clusters.clustered_given_cost import WithClusters
from wassay.transport.solvers.plan import Plan
from wassay.transport.solvers.sparse.pair_list import PairList
from wassay.transport.solvers.transport_problem import TransportProblem

# Heavy tails need the second attempt. Clustered points get none: few listed pairs connect two
# clusters, so the clusters' potentials would drift apart.
EPSILON_DIVISORS = ((4,), (1, 2, 4))
"""The first attempt iterates at ε/4. If it does not converge, a second one iterates at ε, ε/2, ε/4.
"""

MIN_ITERATIONS, MAX_ITERATIONS = 20, 50
"""The first attempt makes 20 iterations.

At each ε, the second attempt makes 20 to 50, until it converges.
"""

MAX_ERROR = 0.01
"""The iteration has converged if the errors of all rows' mass add up to less than this."""

OVERRELAXATION = 1.7
"""Each step moves a potential this many times as far as Sinkhorn's update, which halves the pivots.
"""

_EXACT_AT_START = 2
"""This many iterations at the start have no overrelaxation, and neither has the last iteration."""

_MIN_EXPONENT, _MAX_EXPONENT = -200.0, 60.0
_TINY, _HUGE = 1e-100, 1e100


@dataclass(frozen=True, eq=False)
class SharperPlan:
    """The result of Sinkhorn's iteration on listed pairs.

    Attributes
    ----------
    f, g : ndarray, shapes (n,) and (m,)
        Improved potentials.
    plan : Plan
        The listed pairs, with the mass that f and g give them.
    epsilon : float
        The last ε.
    was_gradual : bool
        Whether ε was decreased in steps, because the first attempt did not converge.
    """

    f: NDArray[np.float64]
    g: NDArray[np.float64]
    plan: Plan
    epsilon: float
    was_gradual: bool


def sparse_sinkhorn(
    problem: TransportProblem,
    pairs: PairList,
    f: NDArray[np.float64],
    g: NDArray[np.float64],
    epsilon: float,
) -> SharperPlan:
    """Improve entropic potentials by iterating on likely pairs only.

    Parameters
    ----------
    problem : TransportProblem
        Its costs are not read: `pairs` has those that are needed.
    pairs : PairList
        Likely pairs, each once.
    f, g : ndarray, shapes (n,) and (m,)
        Entropic potentials of this problem, or of one with similar weights.
    epsilon : float
        The ε of these potentials.

    Returns
    -------
    SharperPlan
    """
    a = problem.row_weights
    for divisors, iterations in zip(
        EPSILON_DIVISORS, (MIN_ITERATIONS, MAX_ITERATIONS), strict=True
    ):
        better_f, better_g = f, g
        for divisor in divisors:
            better_f, better_g, plan = iterate_on_pairs(
                problem, pairs, better_f, better_g, epsilon / divisor, iterations
            )
        error = np.abs(np.bincount(plan.rows, plan.mass, len(a)) - a).sum()
        if error < MAX_ERROR or isinstance(problem.cost, WithClusters):
            break
    return SharperPlan(
        better_f, better_g, plan, epsilon / divisor, was_gradual=divisors != EPSILON_DIVISORS[0]
    )


def iterate_on_pairs(
    problem: TransportProblem,
    pairs: PairList,
    f: NDArray[np.float64],
    g: NDArray[np.float64],
    epsilon: float,
    iterations: int,
) -> tuple[NDArray[np.float64], NDArray[np.float64], Plan]:
    """Run Sinkhorn's iteration on a pair list at one ε.

    Parameters
    ----------
    problem : TransportProblem
        Its costs are not read: `pairs` has those that are needed.
    pairs : PairList
    f, g : ndarray, shapes (n,) and (m,)
        Potentials to begin with.
    epsilon : float
    iterations : int
        Limit on the iterations.

    Returns
    -------
    f, g : ndarray, shapes (n,) and (m,)
    plan : Plan
        The pairs, with the mass that f and g give them.
    """
    a, b = problem.row_weights, problem.column_weights
    epsilon = max(epsilon, _TINY)
    kernel = _kernel(pairs, f, g, epsilon)
    starts = np.searchsorted(pairs.rows, np.arange(len(a) + 1))
    row_factors, column_factors = _iterate(
        csr_array((kernel, pairs.columns, starts), shape=(len(a), len(b))), a, b, iterations
    )
    kernel *= (a * row_factors)[pairs.rows]
    kernel *= (b * column_factors)[pairs.columns]
    return (
        f + epsilon * np.log(row_factors),
        g + epsilon * np.log(column_factors),
        Plan(pairs.rows, pairs.columns, kernel),
    )


def _kernel(
    pairs: PairList, f: NDArray[np.float64], g: NDArray[np.float64], epsilon: float
) -> NDArray[np.float64]:
    """Return exp((f_i + g_j − C_ij)/ε) of every pair."""
    kernel: NDArray[np.float64] = f[pairs.rows]
    kernel += g[pairs.columns]
    kernel -= pairs.costs
    kernel /= epsilon
    np.clip(kernel, _MIN_EXPONENT, _MAX_EXPONENT, out=kernel)
    return np.exp(kernel, out=kernel)


def _iterate(
    kernel: csr_array, a: NDArray[np.float64], b: NDArray[np.float64], most: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return factors of the rows and columns, with which the kernel nearly has the marginals.

    `a` and `b` are the marginals, and `most` is the limit on the iterations.
    """
    # With row factors r and column factors c, the plan is a_i·r_i·K_ij·c_j·b_j.
    row_factors, column_factors = np.ones_like(a), np.ones_like(b)
    transposed = kernel.T
    for iteration in range(most):
        sent = kernel @ (b * column_factors)
        last = iteration == most - 1 or (
            iteration >= MIN_ITERATIONS and np.abs(row_factors * sent - 1) @ a < MAX_ERROR
        )
        power = 1.0 if last or iteration < _EXACT_AT_START else OVERRELAXATION
        row_factors = _overrelaxed(row_factors, _safe_inverse(sent), power)
        received = transposed @ (a * row_factors)
        column_factors = _overrelaxed(column_factors, _safe_inverse(received), power)
        if last:
            break
    return row_factors, column_factors


def _overrelaxed(
    before: NDArray[np.float64], after: NDArray[np.float64], power: float
) -> NDArray[np.float64]:
    """Return before·(after/before)^power, clipped to prevent overflow."""
    if power == 1:
        return after
    factors: NDArray[np.float64] = np.clip(before ** (1 - power) * after**power, _TINY, _HUGE)
    return factors


def _safe_inverse(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return 1/sums, but 1 for a sum of zero, so that the point keeps its potential."""
    inverted = np.ones_like(sums)
    np.divide(1.0, np.clip(sums, _TINY, _HUGE), out=inverted, where=sums > 0)
    return inverted
