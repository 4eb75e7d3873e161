"""Choose the pairs to which an entropic plan gives mass: the exact solver's first pair list."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from wassay.transport.solvers.clusters.clustered_cost import ClusteredCost
from wassay.transport.solvers.entropic.cheapest_pairs import cheapest_of_columns, cheapest_of_rows
from wassay.transport.solvers.entropic.sample import EntropicPlan
from wassay.transport.solvers.low_pairs import LowPairs, Search, map_low_pairs
from wassay.transport.solvers.plan import Plan, sorted_unique
from wassay.transport.solvers.transport_problem import TransportProblem

MIN_SHARE = 1 / 200
"""Pairs with less than this share of both their row's and their column's mass are not likely."""

FEWEST_PAIRS, PAIRS_OF_FAR_POINTS = 10, 20
"""A point with fewer than ten likely pairs, such as a far one, gets its twenty cheapest, too.

Otherwise its only pair may have no relation to the optimum, and the cost of this pair would set the
potentials of many points.
"""

PAIRS_OF_CLUSTERS = 3
"""Between two clusters, the best row gets the best three columns, and the best column three rows.

Otherwise mass that has to move between clusters without any pair in the list moves by a detour, or
by a pair without relation to the optimum, and the potentials of whole clusters are wrong.
"""

_POINTS_PER_CHEAPEST_PAIR = 100
"""A point gets at most one cheapest pair per this many points of the other side."""

_TINY = np.float32(1e-30)
_MIN_LOG_SHARE = np.float32(np.log(MIN_SHARE))


def likely_pairs(problem: TransportProblem, entropic: EntropicPlan) -> Plan:
    """Return the entropic plan on its significant pairs (see `significant_pairs`).

    A point with few such pairs also gets its cheapest pairs, and every two clusters get some. These
    carry no mass.
    """
    log_a = np.log(problem.row_weights).astype(np.float32)
    log_b = np.log(problem.column_weights).astype(np.float32)
    epsilon = max(entropic.epsilon, _TINY)
    heaviest = np.maximum(log_a, log_b.max())
    limits = entropic.f + epsilon * (heaviest - _MIN_LOG_SHARE)

    def significant(found: list[LowPairs]) -> Plan:
        rows, columns = found[0].rows.astype(np.intp), found[0].columns.astype(np.intp)
        exponent = (entropic.f[rows] + entropic.g[columns] - found[0].costs) / epsilon
        return significant_pairs(rows, columns, exponent, log_a, log_b)

    everything = math.prod(problem.cost.shape)
    plans = list(
        map_low_pairs(
            problem.cost,
            significant,
            [Search(entropic.g, limits, everything)],
            entropic.f.astype(np.float64),
            entropic.g.astype(np.float64),
            float((limits - entropic.f).max()),
        )
    )
    found = Plan(
        np.concatenate([plan.rows for plan in plans]),
        np.concatenate([plan.columns for plan in plans]),
        np.concatenate([plan.mass for plan in plans]),
    )
    further = np.concatenate(
        [
            _pairs_of_far_points(problem, found, entropic),
            _pairs_between_clusters(problem, entropic),
        ]
    )
    keys = sorted_unique(further)
    m = problem.cost.shape[1]
    keys = keys[~np.isin(keys, found.rows * m + found.columns, assume_unique=True)]
    return found.joined(Plan(*np.divmod(keys, m), np.zeros(len(keys))))


def significant_pairs(
    rows: NDArray[np.intp],
    columns: NDArray[np.intp],
    exponent: NDArray[np.float32],
    log_a: NDArray[np.float32],
    log_b: NDArray[np.float32],
) -> Plan:
    """Select the pairs with at least `MIN_SHARE` of their row's or column's mass.

    Parameters
    ----------
    rows, columns : ndarray of int, shape (l,)
    exponent : ndarray, shape (l,)
        (f_i + g_j − C_ij)/ε.
    log_a, log_b : ndarray, shapes (n,) and (m,)
        Logarithms of the weights.

    Returns
    -------
    Plan
        The selected pairs, with their mass.
    """
    share = exponent + np.maximum(log_a[rows], log_b[columns])
    significant = share >= _MIN_LOG_SHARE
    rows, columns, exponent = rows[significant], columns[significant], exponent[significant]
    mass = np.exp(np.minimum(exponent + log_a[rows] + log_b[columns], 0, dtype=np.float64))
    return Plan(rows, columns, mass)


def _pairs_of_far_points(
    problem: TransportProblem, found: Plan, entropic: EntropicPlan
) -> NDArray[np.intp]:
    """Return the cheapest pairs of the points that have few pairs in `found`, as keys i·m + j."""
    n, m = problem.cost.shape
    limits = m // _POINTS_PER_CHEAPEST_PAIR, n // _POINTS_PER_CHEAPEST_PAIR
    fewest_of_row, fewest_of_column = (min(FEWEST_PAIRS, limit) for limit in limits)
    of_row, of_column = (min(PAIRS_OF_FAR_POINTS, limit) for limit in limits)
    rows = np.flatnonzero(np.bincount(found.rows, minlength=n) < fewest_of_row)
    columns = np.flatnonzero(np.bincount(found.columns, minlength=m) < fewest_of_column)
    cheapest = cheapest_of_rows(problem.cost, rows, np.arange(m), entropic.g, of_row).joined(
        cheapest_of_columns(problem.cost, np.arange(n), columns, entropic.f, of_column)
    )
    keys: NDArray[np.intp] = cheapest.rows * m + cheapest.columns
    return keys


def _pairs_between_clusters(problem: TransportProblem, entropic: EntropicPlan) -> NDArray[np.intp]:
    """Return a few cheap pairs between every two clusters of points, as keys i·m + j."""
    cost = problem.cost
    if not isinstance(cost, ClusteredCost):
        return np.empty(0, np.intp)
    rows, columns = cost.bounds.connecting_pairs(
        entropic.f.astype(np.float64), entropic.g.astype(np.float64), PAIRS_OF_CLUSTERS
    )
    keys: NDArray[np.intp] = rows * cost.shape[1] + columns
    return keys
