"""Our network simplex over listed pairs, which can start from a basis that is known."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from wassay.transport.solvers.certify.vertex import Solver, Vertex
from wassay.transport.solvers.plan import Plan, merged
from wassay.transport.solvers.problem import Problem
from wassay.version import __version__

if TYPE_CHECKING:
    from wassay.transport.solvers.sparse.network_simplex import Arcs, Tree

SOLVER = Solver("network-simplex", f"wassay {__version__}")

UNITS = 2**62
"""Mass is counted in whole units, of which there are about so many: flow is exact."""

FIRST_PAIRS = 3
"""Without a basis the cheapest pairs, so many for each point, are solved first, to have one; they
begin with every point at its nearest, which is fewer pivots than from nothing, most where a side
has few points."""

NOTHING_KNOWN: NDArray[np.intp] = np.empty(0, dtype=np.intp)

PIVOTS_AT_ONCE = 1024
"""Between two calls of the progress: tenths of a second for the largest problems."""


@dataclass(frozen=True, eq=False)
class Listed:
    """Pairs that may carry mass, and what they cost.

    Attributes
    ----------
    rows, columns : ndarray of int, shape (l,)
        By ascending row and column; there is a plan among them.
    costs : ndarray, shape (l,)
    """

    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    costs: NDArray[np.float64]

    def only(self, places: NDArray[np.intp]) -> Listed:
        """Some of the pairs."""
        return Listed(self.rows[places], self.columns[places], self.costs[places])

    def nearest(self, n: int, m: int) -> NDArray[np.intp]:
        """Places of the cheapest pairs of every column, or of every row where there are more."""
        points = self.columns if n <= m else self.rows
        least = np.full(max(n, m), np.inf)
        np.minimum.at(least, points, self.costs)
        return np.flatnonzero(self.costs == least[points])


def solve_listed_pairs(
    problem: Problem, listed: Listed, basis: NDArray[np.intp]
) -> tuple[Vertex, NDArray[np.intp]]:
    """Solve over the listed pairs only.

    Parameters
    ----------
    problem : Problem
        Its costs are not looked at.
    listed : Listed
    basis : ndarray of int
        Places on the list where an optimum is thought to be near; empty when nothing is known.

    Returns
    -------
    vertex : Vertex
    basis : ndarray of int
        Places of the pairs in the last spanning tree.
    """
    supply = _whole_units(problem.row_weights, problem.column_weights)
    if not len(basis):
        nearest = listed.nearest(len(problem.row_weights), len(problem.column_weights))
        number = min(FIRST_PAIRS * len(supply), len(listed.costs))
        cheapest = merged(nearest, np.argpartition(listed.costs, number - 1)[:number])
        begun = np.searchsorted(cheapest, nearest)
        basis = cheapest[_optimised(problem, supply, listed.only(cheapest), begun).basis]
    optimum = _optimised(problem, supply, listed, basis)
    carrying = optimum.flow > 0
    places = optimum.basis[carrying]
    plan = Plan(
        listed.rows[places],
        listed.columns[places],
        optimum.flow[carrying] / float(supply[: len(problem.row_weights)].sum()),
    )
    n = len(problem.row_weights)
    vertex = Vertex(plan, optimum.potentials[:n], -optimum.potentials[n:], optimum.finished, SOLVER)
    return vertex, optimum.basis


@dataclass(frozen=True, eq=False)
class _Optimum:
    """Places of a spanning tree's pairs, the flow on them, and the potentials of all nodes."""

    basis: NDArray[np.intp]
    flow: NDArray[np.int64]
    potentials: NDArray[np.float64]
    finished: bool


def _optimised(
    problem: Problem, supply: NDArray[np.int64], listed: Listed, basis: NDArray[np.intp]
) -> _Optimum:
    from wassay.transport.solvers.sparse.network_simplex import (
        UNLISTED,
        Arcs,
        improve,
        initial_tree,
        reprice,
    )

    arcs = Arcs(
        listed.rows.astype(np.uint32),
        (listed.columns + len(problem.row_weights)).astype(np.uint32),
        listed.costs,
    )
    tree = initial_tree(supply, arcs, basis.astype(np.uint32))
    done = place = 0
    # Rounding adds up in potentials that every pivot adds to, so that the last pivots are made
    # again from fresh ones.
    for _ in range(2):
        finished = False
        while not finished and done < problem.max_iterations:
            most = min(PIVOTS_AT_ONCE, problem.max_iterations - done)
            pivots, place = improve(tree, arcs, place, most)
            done += pivots
            finished = pivots < most
            problem.progress()
        reprice(tree, arcs)
    listed_arcs = tree.arc != UNLISTED
    return _Optimum(
        tree.arc[listed_arcs].astype(np.intp),
        tree.flow[listed_arcs],
        _potentials(tree, arcs),
        finished,
    )


def _potentials(tree: Tree, arcs: Arcs) -> NDArray[np.float64]:
    """In numbers: a penalty is worth no more than what keeps every listed pair from violating."""
    price, penalty = tree.price[:-2], tree.penalty[:-2]
    dearer = penalty[arcs.head] - penalty[arcs.tail]
    kept_apart = dearer > 0
    tail, head = arcs.tail[kept_apart], arcs.head[kept_apart]
    short = price[tail] - price[head] - arcs.cost[kept_apart]
    worth = float(np.max(short / dearer[kept_apart], initial=0.0))
    potentials: NDArray[np.float64] = price + worth * penalty
    return potentials


def _whole_units(
    row_weights: NDArray[np.float64], column_weights: NDArray[np.float64]
) -> NDArray[np.int64]:
    """What rows send and, negative, columns take, in whole units that add up to zero.

    Equal weights stay equal, so that parts of the rows and columns that balance still do. What is
    rounded is spread over one side.
    """
    massive = row_weights > 0, column_weights > 0
    n, m = (np.count_nonzero(each) for each in massive)
    if np.ptp(row_weights[massive[0]]) == 0 == np.ptp(column_weights[massive[1]]):
        least = UNITS // math.lcm(n, m) * math.lcm(n, m)
        return np.concatenate([massive[0] * (least // n), massive[1] * -(least // m)])
    rows, columns = (
        np.maximum(np.rint(weights * UNITS).astype(np.int64), weights > 0)
        for weights in (row_weights, column_weights)
    )
    missing = int(rows.sum()) - int(columns.sum())
    short, able = (columns, massive[1]) if missing > 0 else (rows, massive[0])
    share, rest = divmod(abs(missing), np.count_nonzero(able))
    short[able] += share
    short[np.flatnonzero(able)[:rest]] += 1
    return np.concatenate([rows, -columns])
