"""Samples of a problem's points, and entropic plans as pairs of potentials."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wassay.transport.solvers.clusters.clustered_given_cost import WithClusters
from wassay.transport.solvers.clusters.partition import Clusters
from wassay.transport.solvers.prepared_cost import PreparedCost
from wassay.transport.solvers.transport_problem import TransportProblem

COARSENING = 4
"""Ratio of the sizes of a sample and of the next coarser sample."""

MIN_SAMPLED = 500
"""Minimum number of points of the smaller side in the coarsest sample."""


@dataclass(frozen=True, eq=False)
class EntropicPlan:
    """An entropic plan, given by potentials and ε: a_i b_j exp((f_i + g_j − C_ij)/ε).

    Attributes
    ----------
    f, g : ndarray of float32, shapes (n,) and (m,)
        Potentials of the rows and columns.
    epsilon : float32
        The regularisation ε, in units of the cost.
    """

    f: NDArray[np.float32]
    g: NDArray[np.float32]
    epsilon: np.float32


@dataclass(frozen=True, eq=False)
class Sample:
    """A subsample of both sides with the costs between them.

    Attributes
    ----------
    cost : PreparedCost
    rows, columns : ndarray of int
        Indices of the sampled points.
    row_weights, column_weights : ndarray of float32
        Mass that each sampled point represents.
    is_whole : bool
        Whether this is the whole problem.
    """

    cost: PreparedCost
    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    row_weights: NDArray[np.float32]
    column_weights: NDArray[np.float32]
    is_whole: bool = False

    @property
    def clusters(self) -> Clusters | None:
        """Clusters of both sides; None if the points have none."""
        return self.cost.clusters if isinstance(self.cost, WithClusters) else None


def samples_of(problem: TransportProblem) -> list[Sample]:
    """Return samples of increasing size; the last is the whole problem."""
    n, m = problem.cost.shape
    cost, a, b = problem.cost, problem.row_weights, problem.column_weights
    single_a, single_b = a.astype(np.float32), b.astype(np.float32)
    samples = [Sample(cost, np.arange(n), np.arange(m), single_a, single_b, is_whole=True)]
    while min(n, m) >= COARSENING * MIN_SAMPLED:
        n, m = n // COARSENING, m // COARSENING
        rows, row_weights = _quantiles(a, n)
        columns, column_weights = _quantiles(b, m)
        cost = problem.cost.sample(rows, columns)
        cost.materialize()
        samples.append(Sample(cost, rows, columns, row_weights, column_weights))
    return samples[::-1]


def _quantiles(
    weights: NDArray[np.float64], number: int
) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    """Sample points at `number` equal steps of mass; return their indices and new weights.

    The new weight of a point is the share of the steps that fall on it.
    """
    steps = (np.arange(number) + 0.5) / number
    hit = np.searchsorted(np.cumsum(weights), steps * weights.sum())
    points, counts = np.unique(np.minimum(hit, len(weights) - 1), return_counts=True)
    return points, (counts / number).astype(np.float32)
