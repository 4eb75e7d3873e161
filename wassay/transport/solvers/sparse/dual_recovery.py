"""Small potentials for a plan that falls into parts, from the costs alone.

At a vertex, parts that exchange no mass are tied by pairs that carry none. Where such a pair is one
of points far from all others, potentials differ between the parts by its cost, in whose rounding
the others are lost, though they need not.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import breadth_first_order, connected_components

from wassay.transport.solvers.plan import Plan

_SETTLED = 4 * float(np.finfo(np.float64).eps)


def recover_duals(
    plan: Plan,
    rows: NDArray[np.intp],
    columns: NDArray[np.intp],
    costs: NDArray[np.float64],
    shape: tuple[int, int],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Potentials of an optimal plan over listed pairs, from the costs alone.

    Within a part the pairs that carry mass decide them. Between parts they are moved until no
    listed pair is violated: shortest paths, found by relaxing all pairs at once, of which there are
    no negative cycles because the plan is optimal.

    Parameters
    ----------
    plan : Plan
        Optimal over the listed pairs.
    rows, columns : ndarray of int, shape (l,)
        The list, by ascending row and column; the plan's pairs are on it.
    costs : ndarray, shape (l,)
    shape : tuple of int
        (n, m).
    """
    n, m = shape
    own = np.searchsorted(rows * m + columns, plan.rows * m + plan.columns)
    f, g, part = _within_parts(plan, costs[own], n, m)
    reduced = costs - f[rows] - g[columns]
    ends, starts = part[rows], part[n + columns]
    between = ends != starts
    ends, starts, lengths = ends[between], starts[between], reduced[between]
    shift = np.zeros(int(part.max()) + 1)
    for _ in range(len(shift)):
        moved = shift.copy()
        np.minimum.at(moved, ends, shift[starts] + lengths)
        settled = bool((shift - moved <= _SETTLED * np.abs(moved)).all())
        shift = moved
        if settled:
            break
    return f + shift[part[:n]], g - shift[part[n:]]


def _within_parts(
    plan: Plan, costs: NDArray[np.float64], n: int, m: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.intp]]:
    """Potentials for which the plan's pairs cost nothing, zero at one point of every part."""
    tied = plan.mass > 0
    one, other, costs = plan.rows[tied], n + plan.columns[tied], costs[tied]
    size = n + m
    graph = coo_array((np.ones(len(one)), (one, other)), shape=(size, size))
    count, part = connected_components(graph, directed=False)
    _, roots = np.unique(part, return_index=True)
    # A point more, tied to one of every part, so that one search reaches all.
    tree = coo_array(
        (
            np.ones(len(one) + count),
            (np.append(one, roots), np.append(other, np.full(count, size))),
        ),
        shape=(size + 1, size + 1),
    )
    order, before = breadth_first_order(tree.tocsr(), size, directed=False)
    price = {(int(i), int(j)): float(cost) for i, j, cost in zip(one, other, costs, strict=True)}
    potential = np.zeros(size + 1)
    for point in map(int, order[1:]):
        earlier = int(before[point])
        if earlier != size:
            pair = (point, earlier) if point < n else (earlier, point)
            potential[point] = price[pair] - potential[earlier]
    return potential[:n], potential[n:size], part.astype(np.intp)
