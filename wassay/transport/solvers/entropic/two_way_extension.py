"""Extend the potentials of a sample of both sides to all points, without a scan of all pairs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wassay.transport.solvers.entropic.sample import EntropicPlan, Sample
from wassay.transport.solvers.prepared_cost import Blocks, PreparedCost

_TINY = np.float32(1e-30)


def extend_both_ways(cost: PreparedCost, sample: Sample, plan: EntropicPlan) -> EntropicPlan | None:
    """Compute all rows' potentials from the sample's columns, and all columns' from its rows.

    Parameters
    ----------
    cost : PreparedCost
        All costs.
    sample : Sample
    plan : EntropicPlan
        That of the sample.

    Returns
    -------
    EntropicPlan or None
        At the same ε, over all points; None if the costs do not come from points.
    """
    n, m = cost.shape
    from_rows = cost.sample(sample.rows, np.arange(m)).transposed()
    if from_rows is None:
        return None
    g = _soft_minima(from_rows, sample.row_weights, plan.f, plan.epsilon)
    from_columns = cost.sample(np.arange(n), sample.columns)
    f = _soft_minima(from_columns, sample.column_weights, plan.g, plan.epsilon)
    return EntropicPlan(f, g, plan.epsilon)


def _soft_minima(
    cost: PreparedCost,
    weights: NDArray[np.float32],
    g: NDArray[np.float32],
    epsilon: np.float32,
) -> NDArray[np.float32]:
    """Return −ε log Σ_j b_j exp((g_j − C_ij)/ε) for every row."""
    from wassay.transport.solvers.entropic.compiled_scans import extend_potentials

    f = np.empty(cost.shape[0], np.float32)
    all_columns, no_minima = np.arange(len(g)), np.empty(0, np.float32)
    scale = max(epsilon, _TINY)
    weighted = g + scale * np.log(weights * np.float32(len(g)))

    def extend(blocks: Blocks[np.float32]) -> None:
        for start, stop, block in blocks:
            extend_potentials(block, all_columns, weighted, scale, f[start:stop], no_minima)

    for _ in cost.map_float32_blocks(extend):
        pass
    return f
