"""Exact transport on a pair list by the network simplex of this package, with warm starts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from wassay.transport.solvers.certify.solver_output import Solver, SolverOutput
from wassay.transport.solvers.plan import Plan
from wassay.transport.solvers.transport_problem import TransportProblem
from wassay.version import __version__

if TYPE_CHECKING:
    from wassay.transport.solvers.sparse.network_simplex import Arcs, Tree

SOLVER = Solver("network-simplex", f"wassay {__version__}")

MASS_UNITS = 2**62
"""The total mass is about this many integer units, so that flows are exact."""

INITIAL_PAIRS_PER_POINT = 3
"""If no basis is given, a first run has only this many cheap pairs per point."""

MAX_SHARE_OF_CHEAPEST = 0.75
"""If a first run would have more than this share of the pairs, it is left out."""

EMPTY_BASIS: NDArray[np.intp] = np.empty(0, dtype=np.intp)

PIVOTS_PER_CALL = 1024
"""Pivots between two progress callbacks: tenths of a second for the largest problems."""


@dataclass(frozen=True, eq=False)
class PairList:
    """Sparse list of the pairs that may carry mass, with their costs.

    Attributes
    ----------
    rows, columns : ndarray of int, shape (l,)
        Sorted by row and column; the list admits a feasible plan.
    costs : ndarray, shape (l,)
    """

    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    costs: NDArray[np.float64]

    def only(self, indices: NDArray[np.intp]) -> PairList:
        """Return the pairs at these indices."""
        return PairList(self.rows[indices], self.columns[indices], self.costs[indices])

    def cheapest(self, n: int, m: int, number: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the indices of cheap pairs, and which of them are the cheapest of their point.

        Parameters
        ----------
        n, m : int
            Number of rows and of columns.
        number : int
            The cheapest number·(n + m) pairs of the list are returned, and the cheapest `number` of
            each point. Where costs tie, more are returned.

        Returns
        -------
        cheapest : ndarray of int
            Indices of pairs, ascending.
        nearest : ndarray of int
            Indices into `cheapest`: the cheapest pair of each point of the larger side, or all that
            tie. If n = m, the columns count as the larger side.
        """
        from wassay.transport.solvers.sparse.lowest_costs import lowest_costs

        # All pairs of a far point are costly. Without the cheapest of each point, heavy tails left
        # half of the pivots to the second run.
        last = min(number * (n + m), len(self.costs)) - 1
        of_rows = lowest_costs(self.rows, self.costs, n, number)
        of_columns = lowest_costs(self.columns, self.costs, m, number)
        limits = np.maximum(of_rows[self.rows, -1], of_columns[self.columns, -1])
        limits = np.maximum(limits, np.partition(self.costs, last)[last])
        cheapest = np.flatnonzero(self.costs <= limits)
        minima = of_columns[self.columns, 0] if n <= m else of_rows[self.rows, 0]
        return cheapest, np.flatnonzero(self.costs[cheapest] == minima[cheapest])


def solve_pair_list(
    problem: TransportProblem, pairs: PairList, basis: NDArray[np.intp]
) -> tuple[SolverOutput, NDArray[np.intp]]:
    """Solve a transport problem restricted to a pair list.

    Parameters
    ----------
    problem : TransportProblem
        Its costs are not read: `pairs` has those that are needed.
    pairs : PairList
    basis : ndarray of int
        Indices of pairs near an optimal basis; empty if none is known.

    Returns
    -------
    output : SolverOutput
    basis : ndarray of int
        Indices of the pairs of the last spanning tree.
    """
    supply = _integer_supply(problem.row_weights, problem.column_weights)
    if not len(basis):
        cheapest, nearest = pairs.cheapest(
            len(problem.row_weights), len(problem.column_weights), INITIAL_PAIRS_PER_POINT
        )
        # The first tree joins every point of the larger side to its nearest neighbour. This takes
        # fewer pivots than artificial arcs, above all if one side has few points.
        basis = cheapest[nearest]
        if len(cheapest) <= MAX_SHARE_OF_CHEAPEST * len(pairs.costs):
            basis = cheapest[_run_simplex(problem, supply, pairs.only(cheapest), nearest).basis]
    optimum = _run_simplex(problem, supply, pairs, basis)
    carrying = optimum.flow > 0
    indices = optimum.basis[carrying]
    plan = Plan(
        pairs.rows[indices],
        pairs.columns[indices],
        optimum.flow[carrying] / float(supply[: len(problem.row_weights)].sum()),
    )
    n = len(problem.row_weights)
    output = SolverOutput(
        plan, optimum.potentials[:n], -optimum.potentials[n:], optimum.finished, SOLVER
    )
    return output, optimum.basis


@dataclass(frozen=True, eq=False)
class _Basis:
    """The pairs of a spanning tree (as indices), their flow, and the potentials of all nodes."""

    basis: NDArray[np.intp]
    flow: NDArray[np.int64]
    potentials: NDArray[np.float64]
    finished: bool


def _run_simplex(
    problem: TransportProblem, supply: NDArray[np.int64], pairs: PairList, basis: NDArray[np.intp]
) -> _Basis:
    from wassay.transport.solvers.sparse.network_simplex import (
        ARTIFICIAL,
        Arcs,
        initial_tree,
        recompute_potentials,
        run_pivots,
    )

    arcs = Arcs(
        pairs.rows.astype(np.uint32),
        (pairs.columns + len(problem.row_weights)).astype(np.uint32),
        pairs.costs,
    )
    tree = initial_tree(supply, arcs, basis.astype(np.uint32))
    done = next_arc = 0
    # Every pivot updates potentials, and rounding accumulates: recompute them, then pivot again.
    for _ in range(2):
        finished = False
        while not finished and done < problem.max_iterations:
            limit = min(PIVOTS_PER_CALL, problem.max_iterations - done)
            pivots, next_arc = run_pivots(tree, arcs, next_arc, limit)
            done += pivots
            finished = pivots < limit
            problem.progress()
        recompute_potentials(tree, arcs)
    real = tree.arc != ARTIFICIAL
    return _Basis(
        tree.arc[real].astype(np.intp),
        tree.flow[real],
        _potentials(tree, arcs),
        finished,
    )


def _potentials(tree: Tree, arcs: Arcs) -> NDArray[np.float64]:
    """Return the tree's potentials as plain numbers.

    The penalty becomes the smallest number at which no pair is violated.
    """
    potential, penalty = tree.potential[:-2], tree.penalty[:-2]
    penalised = penalty[arcs.head] - penalty[arcs.tail]
    positive = penalised > 0
    tail, head = arcs.tail[positive], arcs.head[positive]
    violation = potential[tail] - potential[head] - arcs.cost[positive]
    unit = float(np.max(violation / penalised[positive], initial=0.0))
    potentials: NDArray[np.float64] = potential + unit * penalty
    return potentials


def _integer_supply(
    row_weights: NDArray[np.float64], column_weights: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Return each row's supply and each column's negated demand, as integers that sum to zero.

    If each side's weights are equal, each side's integers are equal, too.
    """
    has_mass = row_weights > 0, column_weights > 0
    n, m = (np.count_nonzero(each) for each in has_mass)
    if np.ptp(row_weights[has_mass[0]]) == 0 == np.ptp(column_weights[has_mass[1]]):
        total = MASS_UNITS // math.lcm(n, m) * math.lcm(n, m)
        return np.concatenate([has_mass[0] * (total // n), has_mass[1] * -(total // m)])
    rows, columns = (
        np.maximum(np.rint(weights * MASS_UNITS).astype(np.int64), weights > 0)
        for weights in (row_weights, column_weights)
    )
    # The total rounding error is spread over one side.
    missing = int(rows.sum()) - int(columns.sum())
    short, adjustable = (columns, has_mass[1]) if missing > 0 else (rows, has_mass[0])
    share, rest = divmod(abs(missing), np.count_nonzero(adjustable))
    short[adjustable] += share
    short[np.flatnonzero(adjustable)[:rest]] += 1
    return np.concatenate([rows, -columns])
