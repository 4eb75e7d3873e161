"""Choose the pairs to which an entropic plan gives mass: the exact solver's first pair list."""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from wassay.transport.solvers.clusters.clustered_cost import ClusteredCost
from wassay.transport.solvers.entropic.cheapest_pairs import cheapest_of_columns, cheapest_of_rows
from wassay.transport.solvers.entropic.sample import EntropicPlan
from wassay.transport.solvers.low_pairs import LowPairs, Search, map_low_pairs
from wassay.transport.solvers.plan import sorted_unique
from wassay.transport.solvers.transport_problem import TransportProblem

MIN_SHARE = 1 / 200
"""Pairs with less than this share of both their row's and their column's mass are not likely."""

# Otherwise the only pair of a point may be far from optimal. Its cost would then set the potentials
# of many points.
FEWEST_PAIRS, PAIRS_OF_FAR_POINTS = 10, 20
"""A point with fewer than ten likely pairs, such as a far one, gets its twenty cheapest, too."""

# If two clusters have no listed pair, mass between them moves by a detour or a costly pair. The
# potentials of whole clusters are then wrong.
PAIRS_OF_CLUSTERS = 3
"""Between two clusters, the best row gets the best three columns, and the best column three rows.
"""

_POINTS_PER_CHEAPEST_PAIR = 100
"""A point gets at most one cheapest pair per this many points of the other side."""

Pairs: TypeAlias = tuple[NDArray[np.intp], NDArray[np.intp]]
"""Rows and columns of pairs."""

_TINY = np.float32(1e-30)
_MIN_LOG_SHARE = np.float32(np.log(MIN_SHARE))


def likely_pairs(problem: TransportProblem, entropic: EntropicPlan) -> NDArray[np.intp]:
    """Return the pairs to which an entropic plan gives much mass.

    Cheap pairs of points with few such pairs, and cheap pairs between clusters, are returned, too.

    Parameters
    ----------
    problem : TransportProblem
    entropic : EntropicPlan

    Returns
    -------
    ndarray of int
        The pairs as keys i·m + j, ascending, each once.
    """
    rows, columns = significant_pairs(problem, entropic)
    return sorted_unique(
        rows * problem.cost.shape[1] + columns,
        _pairs_of_far_points(problem, rows, columns, entropic),
        _pairs_between_clusters(problem, entropic),
    )


def significant_pairs(problem: TransportProblem, entropic: EntropicPlan) -> Pairs:
    """Return the pairs with at least `MIN_SHARE` of their row's or column's mass.

    Parameters
    ----------
    problem : TransportProblem
    entropic : EntropicPlan

    Returns
    -------
    rows, columns : ndarray of int, shape (l,)
    """
    log_a = np.log(problem.row_weights).astype(np.float32)
    log_b = np.log(problem.column_weights).astype(np.float32)
    epsilon = max(entropic.epsilon, _TINY)
    heaviest = np.maximum(log_a, log_b.max())
    limits = entropic.f + epsilon * (heaviest - _MIN_LOG_SHARE)

    def significant(found: list[LowPairs]) -> Pairs:
        rows, columns = found[0].rows, found[0].columns
        share = (entropic.f[rows] + entropic.g[columns] - found[0].costs) / epsilon
        share += np.maximum(log_a[rows], log_b[columns])
        selected = np.flatnonzero(share >= _MIN_LOG_SHARE)
        return rows[selected].astype(np.intp), columns[selected].astype(np.intp)

    strips = map_low_pairs(
        problem.cost,
        significant,
        [Search(entropic.g, limits, math.prod(problem.cost.shape))],
        entropic.f.astype(np.float64),
        entropic.g.astype(np.float64),
        float((limits - entropic.f).max()),
    )
    rows, columns = (np.concatenate(side) for side in zip(*strips, strict=True))
    return rows, columns


def _pairs_of_far_points(
    problem: TransportProblem,
    listed_rows: NDArray[np.intp],
    listed_columns: NDArray[np.intp],
    entropic: EntropicPlan,
) -> NDArray[np.intp]:
    """Return the cheapest pairs of each point that has few listed pairs, as keys i·m + j."""
    n, m = problem.cost.shape
    limits = m // _POINTS_PER_CHEAPEST_PAIR, n // _POINTS_PER_CHEAPEST_PAIR
    fewest_of_row, fewest_of_column = (min(FEWEST_PAIRS, limit) for limit in limits)
    of_row, of_column = (min(PAIRS_OF_FAR_POINTS, limit) for limit in limits)
    rows = np.flatnonzero(np.bincount(listed_rows, minlength=n) < fewest_of_row)
    columns = np.flatnonzero(np.bincount(listed_columns, minlength=m) < fewest_of_column)
    cheapest = cheapest_of_rows(problem.cost, rows, np.arange(m), entropic.g, of_row).joined(
        cheapest_of_columns(problem.cost, np.arange(n), columns, entropic.f, of_column)
    )
    keys: NDArray[np.intp] = cheapest.rows * m + cheapest.columns
    return keys


def _pairs_between_clusters(problem: TransportProblem, entropic: EntropicPlan) -> NDArray[np.intp]:
    """Return a few cheap pairs between each two clusters, as keys i·m + j."""
    cost = problem.cost
    if not isinstance(cost, ClusteredCost):
        return np.empty(0, np.intp)
    rows, columns = cost.bounds.connecting_pairs(
        entropic.f.astype(np.float64), entropic.g.astype(np.float64), PAIRS_OF_CLUSTERS
    )
    keys: NDArray[np.intp] = rows * cost.shape[1] + columns
    return keys
