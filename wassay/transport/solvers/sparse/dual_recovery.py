"""Dual recovery: potentials of moderate size for an optimal plan that does not join all points."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import breadth_first_order, connected_components

from wassay.transport.solvers.plan import Plan

_RELATIVE_CHANGE = 4 * float(np.finfo(np.float64).eps)
"""The components' constants have converged once their relative change is below this."""


def recover_duals(
    plan: Plan,
    rows: NDArray[np.intp],
    columns: NDArray[np.intp],
    costs: NDArray[np.float64],
    shape: tuple[int, int],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Compute optimal potentials of moderate size from an optimal plan and a pair list.

    Parameters
    ----------
    plan : Plan
        Optimal among the pairs of the list.
    rows, columns : ndarray of int, shape (l,)
        The pair list, sorted by row and column; it contains the plan's pairs.
    costs : ndarray, shape (l,)
        Costs of the listed pairs.
    shape : tuple of int
        (n, m).

    Returns
    -------
    f, g : ndarray, shapes (n,) and (m,)
    """
    n, m = shape
    positions = np.searchsorted(rows * m + columns, plan.rows * m + plan.columns)
    f, g, component = _component_potentials(plan, costs[positions], n, m)
    reduced = costs - f[rows] - g[columns]
    ends, starts = component[rows], component[n + columns]
    between = ends != starts
    ends, starts, lengths = ends[between], starts[between], reduced[between]
    # Pairs without mass must join the plan's components. The large cost of a far outlier would
    # enter the potentials and round small costs away, so a component's offset is the length of a
    # shortest path to it, along reduced costs, by Bellman–Ford. There is no negative cycle, because
    # the plan is optimal.
    offset = np.zeros(int(component.max()) + 1)
    for _ in range(len(offset)):
        relaxed = offset.copy()
        np.minimum.at(relaxed, ends, offset[starts] + lengths)
        converged = bool((offset - relaxed <= _RELATIVE_CHANGE * np.abs(relaxed)).all())
        offset = relaxed
        if converged:
            break
    return f + offset[component[:n]], g - offset[component[n:]]


def _component_potentials(
    plan: Plan, costs: NDArray[np.float64], n: int, m: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.intp]]:
    """Return potentials f and g with zero reduced cost on the plan's pairs, and the components.

    The third array has the component of each row, and then of each column.
    """
    has_mass = plan.mass > 0
    row_nodes, column_nodes, costs = (
        plan.rows[has_mass],
        n + plan.columns[has_mass],
        costs[has_mass],
    )
    size = n + m
    graph = coo_array((np.ones(len(row_nodes)), (row_nodes, column_nodes)), shape=(size, size))
    count, component = connected_components(graph, directed=False)
    _, roots = np.unique(component, return_index=True)
    # From one extra node, joined to a node of every component, a single search reaches all nodes.
    tree = coo_array(
        (
            np.ones(len(row_nodes) + count),
            (np.append(row_nodes, roots), np.append(column_nodes, np.full(count, size))),
        ),
        shape=(size + 1, size + 1),
    )
    traversal, predecessors = breadth_first_order(tree.tocsr(), size, directed=False)
    pairs = zip(row_nodes.tolist(), column_nodes.tolist(), costs.tolist(), strict=True)
    pair_costs = {(row, column): cost for row, column, cost in pairs}
    potential = np.zeros(size + 1)
    for point in map(int, traversal[1:]):
        parent_node = int(predecessors[point])
        if parent_node != size:
            pair = (point, parent_node) if point < n else (parent_node, point)
            potential[point] = pair_costs[pair] - potential[parent_node]
    return potential[:n], potential[n:size], component.astype(np.intp)
