"""Sinkhorn's iteration with ε-scaling in float32, from coarse samples to all points.

The result selects the pairs with which the exact solver starts.

Reference: Schmitzer, Stabilized sparse scaling algorithms for entropy regularized transport
problems, SIAM J. Sci. Comput. 41 (2019).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from wassay.transport.solvers.clusters.clustered_cost import ClusteredCost
from wassay.transport.solvers.clusters.clustered_given_cost import WithClusters
from wassay.transport.solvers.entropic.cluster_balance import balance_clusters
from wassay.transport.solvers.entropic.cluster_extension import extend_among_clusters
from wassay.transport.solvers.entropic.cluster_pass import pass_over_clusters
from wassay.transport.solvers.entropic.sample import EntropicPlan, Sample, samples_of
from wassay.transport.solvers.entropic.two_way_extension import extend_both_ways
from wassay.transport.solvers.prepared_cost import Blocks, Panels
from wassay.transport.solvers.transport_problem import TransportProblem

# An arithmetic mean would stop too early if a few far rows have one column each.
COLUMNS_PER_ROW = 45
"""ε is small enough when rows spread their mass over this many columns, in the geometric mean."""

# Balancing gives whole clusters their mass at any ε. With a smaller ε on the samples, fewer
# iterations on all points are needed.
COLUMNS_PER_ROW_OF_CLUSTERS = 22
"""`COLUMNS_PER_ROW` for samples of clustered points."""

# Otherwise ε would be halved until float32 rounds it: 5 rows and 60,000 columns took 27 s instead
# of 2 s.
_SPREAD_FACTOR = 2
"""A row that must fill k columns may spread its mass over this multiple of k."""

COARSE_TOLERANCE = 1e-3
"""From this tolerance on, a caller wants an interval of the cost rather than an optimal plan."""

_ITERATIONS_PER_LEVEL = 2

# Potentials that are extended from a smaller sample can be wrong, as with heavy tails. Mass then
# seems concentrated, and ε stays too large until all points are iterated, which takes far longer.
_MOST_ITERATIONS, _SETTLED = 8, 0.8
"""On a sample, iteration at one ε ends once the rows' concentration settles, or after eight times.

It has settled once it is more than 0.8 times the concentration before.
"""

_MAX_LEVELS = 16
_UNCHANGED = 0.9
"""ε is quartered instead of halved if its last decrease hardly changed the rows' concentration.

The concentration before the decrease is then more than 0.9 times the concentration after it.
"""

_MIN_SQUARED_WEIGHT = np.float32(1e-11)
"""Squared weights are raised to this, so that products are not subnormal: those are slow."""

REACH = 16
"""Costs between two clusters are read if (f_i + g_j − C_ij)/ε may exceed −16 for some pair."""

# Clusters of embeddings of unit norm have about equal distances, so scans read most costs.
MIN_STORED_SHARE = 0.75
"""Costs between many clustered points are stored if scans read more than this share of them."""

_TINY, _HUGE = np.float32(1e-30), np.float32(1e30)


def scale_epsilon(problem: TransportProblem) -> EntropicPlan:
    """Run Sinkhorn's iteration on growing samples, while ε decreases.

    Parameters
    ----------
    problem : TransportProblem

    Returns
    -------
    EntropicPlan
    """
    # For large ε, potentials are smooth functions of the points, so a small sample determines them.
    smallest, *larger = samples_of(problem)
    f, g, epsilon = _initial_potentials(smallest)
    epsilon = _decrease_epsilon(smallest, f, g, epsilon)
    known = smallest
    for sample in larger:
        # At a coarse tolerance, potentials are extended to all points and not iterated. If they
        # cannot be extended so, the iteration on all points is half as long.
        coarse = problem.tolerance >= COARSE_TOLERANCE and sample.is_whole
        if coarse and not sample.clusters:
            extended = extend_both_ways(sample.cost, known, EntropicPlan(f, g, epsilon))
            if extended is not None:
                return extended
        if sample.is_whole:
            _store_if_read(sample, known, EntropicPlan(f, g, epsilon))
        f, g = _extend_potentials(sample, known.columns, g, epsilon)
        epsilon = _decrease_epsilon(sample, f, g, epsilon, 1 if coarse else _ITERATIONS_PER_LEVEL)
        known = sample
    return EntropicPlan(f, g, epsilon)


def _store_if_read(whole: Sample, known: Sample, plan: EntropicPlan) -> None:
    """Store the costs of clustered points if scans will probably read most of these costs.

    The share that scans will read is estimated from `known`, a smaller sample, and its `plan`.
    """
    if whole.cost.stored is not None:
        return
    if isinstance(whole.cost, ClusteredCost) and isinstance(known.cost, ClusteredCost):
        f, g = plan.f.astype(np.float64), plan.g.astype(np.float64)
        if known.cost.near_share(f, g, REACH * float(plan.epsilon)) > MIN_STORED_SHARE:
            whole.cost.materialize_all()


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
    """Return the potentials of all points of a sample, extended from a smaller sample's columns.

    `g` are the potentials of the smaller sample's `columns`, indices into the problem's columns.
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

    The potentials f and g are updated in place, at least `iterations` times at each ε.
    """
    # Effective number of columns, 1 / Σ b_j²: equal to m for uniform weights.
    columns = 1 / float(np.square(sample.column_weights).sum())
    sampled_clusters = sample.clusters is not None and not sample.is_whole
    columns_per_row = COLUMNS_PER_ROW_OF_CLUSTERS if sampled_clusters else COLUMNS_PER_ROW
    few = max(columns_per_row, _SPREAD_FACTOR * columns / len(sample.row_weights))
    before = 0.0
    for _ in range(_MAX_LEVELS):
        concentration = _iterate(sample, f, g, epsilon, iterations)
        if concentration * few > 1 or epsilon == 0:
            break
        epsilon = epsilon / np.float32(4 if before > _UNCHANGED * concentration else 2)
        before = concentration
    return epsilon


def _iterate(
    sample: Sample,
    f: NDArray[np.float32],
    g: NDArray[np.float32],
    epsilon: np.float32,
    iterations: int,
) -> float:
    """Update f and g in place at one ε, and return the concentration of the rows.

    There are `iterations` updates or, on a sample, more until the concentration settles.
    """
    before, concentration = 0.0, 0.0
    for done in range(_MOST_ITERATIONS):
        settled = sample.is_whole or concentration > _SETTLED * before
        if done >= iterations and settled:
            break
        before, concentration = concentration, _sinkhorn_pass(sample, f, g, epsilon)
    return concentration


def _sinkhorn_pass(
    sample: Sample, f: NDArray[np.float32], g: NDArray[np.float32], epsilon: np.float32
) -> float:
    """Update f and g in place, in one scan; return the concentration of the rows.

    The concentration is the geometric mean, over the rows, of Σ_j (share of the row's mass in
    column j)².
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
            # f is updated exactly, and g from sums of the same exponentials. These stay in range,
            # because the previous potentials are already subtracted.
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
    if isinstance(cost, WithClusters) and cost.stored is not None:
        concentration = pass_over_clusters(
            cost, cost.stored, f, g, a, b, squared_b, scale, reach, column_sums
        )
    else:
        strips = cost.map_near_float32_blocks(
            update, f.astype(np.float64), g.astype(np.float64), reach
        )
        for first, sums, partial in strips:
            # All rows of a strip are in one cluster.
            column_sums[clusters.row_labels[first] if clusters else 0] += sums
            concentration += partial
    total = column_sums[0]
    if clusters:
        total = balance_clusters(clusters, f, g, a, b, column_sums, scale, math.exp(-REACH))
    g -= epsilon * np.log(np.clip(total, _TINY, _HUGE))
    return float(np.exp(concentration / a.sum(dtype=np.float64))) * heaviest**2
