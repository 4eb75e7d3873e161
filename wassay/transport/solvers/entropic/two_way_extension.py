"""Extend the potentials of a sample of both sides to all points, without a scan of all pairs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wassay.transport.solvers.entropic.sample import EntropicPlan, Sample
from wassay.transport.solvers.prepared_cost import Panels, PreparedCost

_TINY, _LARGEST = np.float32(1e-30), np.float32(np.finfo(np.float32).max)


def extend_both_ways(cost: PreparedCost, sample: Sample, plan: EntropicPlan) -> EntropicPlan | None:
    """Compute the potentials of all rows and columns from those of a sample of both sides.

    Rows get their potentials from the sample's columns, and columns from the sample's rows.

    Parameters
    ----------
    cost : PreparedCost
        All costs.
    sample : Sample
    plan : EntropicPlan
        The plan of the sample.

    Returns
    -------
    EntropicPlan or None
        Over all points, at the same ε; None if the costs are not between points.
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
    """Return −ε log Σ_j b_j exp((g_j − C_ij)/ε) for every row; b are the columns' `weights`."""
    from wassay.transport.solvers.entropic.compiled_scans import add_soft_minima

    scale = max(epsilon, _TINY)
    weighted = (g + scale * np.log(weights)).astype(np.float32)
    minima = np.full(cost.shape[0], _LARGEST)
    totals = np.zeros_like(minima)

    def extend(panels: Panels[np.float32]) -> None:
        for start, stop, columns, panel in panels:
            rows = slice(start, stop)
            add_soft_minima(panel, weighted[columns], scale, minima[rows], totals[rows])

    anywhere = np.zeros(cost.shape[0]), np.zeros(cost.shape[1]), np.inf
    for _ in cost.map_near_float32_tiles(extend, *anywhere):
        pass
    return (minima - scale * np.log(totals)).astype(np.float32)
