"""Extend the potentials of a sample to more points, without reading costs between far clusters."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wassay.transport.solvers.clusters.clustered_cost import ClusteredCost
from wassay.transport.solvers.prepared_cost import Panels


def extend_among_clusters(
    cost: ClusteredCost,
    known: NDArray[np.intp],
    g: NDArray[np.float32],
    epsilon: np.float32,
    reach: float,
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Compute the potentials of all rows and columns from those of some columns.

    Parameters
    ----------
    cost : ClusteredCost, shape (n, m)
    known : ndarray of int, shape (l,)
        Columns with known potentials.
    g : ndarray, shape (l,)
        The potentials of the columns in `known`.
    epsilon : float
    reach : float
        A row may leave out columns whose C_ij − g_j exceeds the row's smallest by this much.

    Returns
    -------
    f, g : ndarray, shapes (n,) and (m,)
    """
    from wassay.transport.solvers.entropic.compiled_scans import extend_potentials

    n, m = cost.shape
    f = np.empty(n, np.float32)

    # Rows get Sinkhorn's update from the known columns.
    def extend_rows(panels: Panels[np.float32]) -> None:
        for start, stop, columns, block in panels:
            unused = np.full(block.shape[1], np.inf, np.float32)
            all_columns = np.arange(block.shape[1])
            extend_potentials(block, all_columns, g[columns], epsilon, f[start:stop], unused)

    to_known = cost.sample(np.arange(n), known)
    exact_g = g.astype(np.float64)
    ceiling = to_known.ceiling_of_rows(exact_g)
    for _ in to_known.map_near_float32_blocks(extend_rows, ceiling, exact_g, reach):
        pass

    # Columns get the c-transform of the rows' potentials.
    def transform(panels: Panels[np.float32]) -> NDArray[np.float32]:
        minima = np.full(m, np.inf, np.float32)
        for start, stop, columns, block in panels:
            lowest = (block - f[start:stop, None]).min(axis=0)
            minima[columns] = np.minimum(minima[columns], lowest)
        return minima

    exact_f = f.astype(np.float64)
    extended = cost.ceiling_of_columns(exact_f)
    for minima in cost.map_near_float32_blocks(transform, exact_f, extended, 0.0):
        extended = np.minimum(extended, minima)
    return f, extended.astype(np.float32)
