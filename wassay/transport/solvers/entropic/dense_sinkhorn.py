"""Sinkhorn's iteration with ε-scaling in float32, from coarse samples to all points.

The result only selects the pairs with which the exact solver starts: it changes how long the solver
takes, never what the solver returns.

Reference: Schmitzer, Stabilized sparse scaling algorithms for entropy regularized transport
problems, SIAM J. Sci. Comput. 41 (2019).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wassay.transport.solvers.clusters.clustered_cost import ClusteredCost
from wassay.transport.solvers.clusters.partition import Clusters
from wassay.transport.solvers.entropic.cluster_balance import balance_clusters
from wassay.transport.solvers.entropic.cluster_extension import extend_among_clusters
from wassay.transport.solvers.entropic.cluster_pass import pass_over_clusters
from wassay.transport.solvers.prepared_cost import Blocks, Panels, PreparedCost
from wassay.transport.solvers.transport_problem import TransportProblem

COLUMNS_PER_ROW = 45
"""ε is small enough when rows spread their mass over this many columns, in the geometric mean.

An arithmetic mean would stop too early if a few far rows have one column each.
"""

COLUMNS_PER_ROW_OF_CLUSTERS = 22
"""`COLUMNS_PER_ROW` for clustered points, except at the last level, which has all points.

ε may be smaller there, because balancing gives whole clusters their mass at any ε. Fewer iterations
on all points are then needed.
"""

_SPREAD_FACTOR = 2
"""A row that must fill k columns may spread its mass over this multiple of k.

Otherwise ε would be halved until float32 rounds it: 5 rows and 60,000 columns took 27 s instead of
2 s.
"""

COARSENING = 4
"""Ratio of the sizes of a sample and of the next coarser sample."""

MIN_SAMPLED = 500
"""Minimum number of points of the smaller side in the coarsest sample."""

COARSE_TOLERANCE = 1e-3
"""At this tolerance or a larger one, the finest level is iterated half as often."""

_ITERATIONS_PER_LEVEL = 2
_MAX_LEVELS = 16
_UNCHANGED = 0.9
"""ε is quartered instead of halved if its last decrease hardly changed the rows' concentration.

That is, if the concentration before the decrease is more than this share of that after it.
"""

_MIN_SQUARED_WEIGHT = np.float32(1e-11)
"""Squared weights are raised to this, so that products are not subnormal: those are slow."""

REACH = 16
"""Costs between two clusters are read if (f_i + g_j − C_ij)/ε may exceed −16 for some pair."""

_TINY, _HUGE = np.float32(1e-30), np.float32(1e30)


@dataclass(frozen=True, eq=False)
class EntropicPlan:
    """The plan a_i b_j exp((f_i + g_j − C_ij)/ε), given by its potentials.

    Attributes
    ----------
    f, g : ndarray of float32, shapes (n,) and (m,)
    epsilon : float32
        Regularisation strength, in units of the cost.
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
        """Clusters of both sides, if there are any."""
        return self.cost.clusters if isinstance(self.cost, ClusteredCost) else None


def scale_epsilon(problem: TransportProblem) -> EntropicPlan:
    """Run Sinkhorn's iteration while ε decreases from the mean reduced cost.

    For large ε, potentials are smooth functions of the points, so a small sample determines them.
    The next larger sample takes over once ε resolves single points.

    Parameters
    ----------
    problem : TransportProblem

    Returns
    -------
    EntropicPlan
    """
    smallest, *larger = _samples(problem)
    f, g, epsilon = _initial_potentials(smallest)
    epsilon = _decrease_epsilon(smallest, f, g, epsilon)
    columns = smallest.columns
    for sample in larger:
        f, g = _extend_potentials(sample, columns, g, epsilon)
        coarse = problem.tolerance >= COARSE_TOLERANCE and sample is larger[-1]
        epsilon = _decrease_epsilon(sample, f, g, epsilon, 1 if coarse else _ITERATIONS_PER_LEVEL)
        columns = sample.columns
    return EntropicPlan(f, g, epsilon)


def _samples(problem: TransportProblem) -> list[Sample]:
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
    """Return the points at `number` equal steps of mass, and the share of the steps at each."""
    steps = (np.arange(number) + 0.5) / number
    hit = np.searchsorted(np.cumsum(weights), steps * weights.sum())
    points, counts = np.unique(np.minimum(hit, len(weights) - 1), return_counts=True)
    return points, (counts / number).astype(np.float32)


def _initial_potentials(
    sample: Sample,
) -> tuple[NDArray[np.float32], NDArray[np.float32], np.float32]:
    """Return f as the c-transform of 0, g as that of f, and the mean reduced cost."""
    a, b = sample.row_weights, sample.column_weights
    f = np.empty_like(a)

    def transform(blocks: Blocks[np.float32]) -> tuple[NDArray[np.float32], float]:
        g, mean = np.full_like(b, np.inf), 0.0
        for start, stop, block in blocks:
            f[start:stop] = block.min(axis=1)
            np.minimum(g, (block - f[start:stop, None]).min(axis=0), out=g)
            mean += float(a[start:stop] @ (block @ b))
        return g, mean

    g, mean = np.full_like(b, np.inf), 0.0
    for minimum, partial in sample.cost.map_float32_blocks(transform):
        np.minimum(g, minimum, out=g)
        mean += partial
    return f, g, np.float32(max(mean - float(a @ f) - float(b @ g), 0.0))


def _extend_potentials(
    sample: Sample,
    columns: NDArray[np.intp],
    g: NDArray[np.float32],
    epsilon: np.float32,
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Extend the potentials g of a smaller sample's columns to a larger sample.

    Each row gets Sinkhorn's update from the columns with known potentials. Each column then gets
    its c-transform of the rows' potentials.
    """
    from wassay.transport.solvers.entropic.compiled_scans import extend_potentials

    known = np.searchsorted(sample.columns, columns)
    scale = max(epsilon, _TINY)
    if isinstance(sample.cost, ClusteredCost) and sample.cost.stored is None:
        return extend_among_clusters(sample.cost, known, g, scale, REACH * float(scale))
    f = np.empty_like(sample.row_weights)

    def extend_strip(blocks: Blocks[np.float32]) -> NDArray[np.float32]:
        minima = np.full_like(sample.column_weights, np.inf)
        for start, stop, block in blocks:
            extend_potentials(block, known, g, scale, f[start:stop], minima)
        return minima

    extended = np.full_like(sample.column_weights, np.inf)
    for partial in sample.cost.map_float32_blocks(extend_strip):
        np.minimum(extended, partial, out=extended)
    return f, extended


def _decrease_epsilon(
    sample: Sample,
    f: NDArray[np.float32],
    g: NDArray[np.float32],
    epsilon: np.float32,
    iterations: int = _ITERATIONS_PER_LEVEL,
) -> np.float32:
    """Iterate and decrease ε until rows spread their mass over few columns; return the last ε.

    ε is halved, or quartered where halving changes little, such as between the scale of clusters
    and the scale of single points.
    """
    # Effective number of columns, 1 / Σ b_j²: equal to m for uniform weights.
    columns = 1 / float(np.square(sample.column_weights).sum())
    sampled_clusters = sample.clusters is not None and not sample.is_whole
    columns_per_row = COLUMNS_PER_ROW_OF_CLUSTERS if sampled_clusters else COLUMNS_PER_ROW
    few = max(columns_per_row, _SPREAD_FACTOR * columns / len(sample.row_weights))
    before = 0.0
    for _ in range(_MAX_LEVELS):
        for _ in range(iterations):
            concentration = _sinkhorn_pass(sample, f, g, epsilon)
        if concentration * few > 1 or epsilon == 0:
            break
        epsilon = epsilon / np.float32(4 if before > _UNCHANGED * concentration else 2)
        before = concentration
    return epsilon


def _sinkhorn_pass(
    sample: Sample, f: NDArray[np.float32], g: NDArray[np.float32], epsilon: np.float32
) -> float:
    """Update f and g in place; return the concentration of the rows.

    That is the geometric mean, over the rows, of Σ_j (share of the row's mass in column j)².

    One scan of the costs updates both potentials: f exactly, and g from sums of the same
    exponentials. The sums stay in range because the previous potentials are already subtracted.
    """
    from wassay.transport.solvers.entropic.compiled_scans import sinkhorn_pass

    a, b = sample.row_weights, sample.column_weights
    heaviest = float(b.max())
    squared_b = np.maximum(np.square(b / b.max()), _MIN_SQUARED_WEIGHT)
    scale = max(epsilon, _TINY)

    def update(panels: Panels[np.float32]) -> tuple[int, NDArray[np.float32], float]:
        sums, concentration, first = np.zeros_like(b), 0.0, -1
        for start, stop, some, block in panels:
            first = start if first < 0 else first
            rows = slice(start, stop)
            partial = np.zeros_like(b[some])
            concentration += sinkhorn_pass(
                block, f[rows], g[some], a[rows], b[some], squared_b[some], scale, partial
            )
            sums[some] += partial
        return first, sums, concentration

    reach = REACH * float(scale)
    clusters, cost = sample.clusters, sample.cost
    column_sums = np.zeros((clusters.number if clusters else 1, len(b)), np.float32)
    concentration = 0.0
    if isinstance(cost, ClusteredCost) and cost.stored is not None:
        concentration = pass_over_clusters(
            cost, cost.stored, f, g, a, b, squared_b, scale, reach, column_sums
        )
    else:
        strips = cost.map_near_float32_blocks(
            update, f.astype(np.float64), g.astype(np.float64), reach
        )
        for first, sums, partial in strips:
            column_sums[clusters.row_labels[first] if clusters else 0] += sums
            concentration += partial
    total = column_sums[0]
    if clusters:
        total = balance_clusters(clusters, f, g, a, b, column_sums, scale, math.exp(-REACH))
    g -= epsilon * np.log(np.clip(total, _TINY, _HUGE))
    return float(np.exp(concentration / a.sum(dtype=np.float64))) * heaviest**2
