"""Check dual feasibility in float64 on the few pairs that a scan in float32 does not rule out.

A pair is ruled out if its reduced cost in float32 is above the error of float32.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from wassay.transport.solvers.certify.dual_feasibility import DualFeasibility
from wassay.transport.solvers.certify.dual_potentials import (
    MAX_VIOLATED_PER_POINT,
    SLACK,
    DualPotentials,
    highest_potentials,
)
from wassay.transport.solvers.low_pairs import LowPairs, Search, joined, map_low_pairs
from wassay.transport.solvers.plan import sorted_unique
from wassay.transport.solvers.prepared_cost import PreparedCost

MAX_PAIRS_PER_POINT = 32
"""If more pairs remain than this for each point, reading all in float64 is no slower."""

MAX_REACH = 1.0
"""Limit on the reduced costs to look for, because `float32_error` is a bound up to this only."""


def check_doubtful_pairs(
    cost: PreparedCost, batch: Sequence[DualPotentials]
) -> list[DualFeasibility] | None:
    """Check the potentials of several problems over the same costs, reading few pairs in float64.

    Parameters
    ----------
    cost : PreparedCost
    batch : sequence of DualPotentials

    Returns
    -------
    list of DualFeasibility or None
        None if, in any of the problems, a point has no mass, float32 is too imprecise, or too
        many pairs are doubtful.
    """
    reaches = [max(SLACK, each.level) + each.float32_error() for each in batch]
    if max(reaches) > MAX_REACH or not all(_all_have_mass(each) for each in batch):
        return None
    most = MAX_PAIRS_PER_POINT * sum(cost.shape)
    searches = [
        Search(each.g.astype(np.float32), (each.f + reach).astype(np.float32), most)
        for each, reach in zip(batch, reaches, strict=True)
    ]
    collected: list[list[LowPairs]] = []
    remaining = np.full(len(batch), most)
    for found in map_low_pairs(cost, list, searches, *highest_potentials(batch), SLACK):
        collected.append(found)
        remaining -= [len(pairs.rows) for pairs in found]
        if remaining.min() < 0:
            return None
    found_by_search = [joined(pairs) for pairs in zip(*collected, strict=True)]
    collected.clear()
    return [
        _feasibility(each, pairs.rows.astype(np.intp), pairs.columns.astype(np.intp))
        for each, pairs in zip(batch, found_by_search, strict=True)
    ]


def _all_have_mass(potentials: DualPotentials) -> bool:
    problem = potentials.problem
    return bool((problem.row_weights > 0).all() and (problem.column_weights > 0).all())


def _feasibility(
    potentials: DualPotentials, rows: NDArray[np.intp], columns: NDArray[np.intp]
) -> DualFeasibility:
    """Check potentials on the pairs (rows[k], columns[k]) only.

    All other pairs must have reduced costs of at least `SLACK` and `potentials.level`.
    """
    from wassay.transport.solvers.sparse.reduced_costs import lower_to_pairs

    f, g = potentials.f, potentials.g
    costs = potentials.problem.cost.at(rows, columns)
    row_minima, column_minima = f + SLACK, g + SLACK
    lower_to_pairs(rows, columns, costs, f, g, row_minima, column_minima)
    reduced = costs - f[rows] - g[columns]
    violated = np.flatnonzero(reduced < potentials.level)
    per_row = MAX_VIOLATED_PER_POINT * max(1.0, len(g) / len(f))
    limit = math.ceil(per_row * len(sorted_unique(rows[violated])))
    if len(violated) > limit:
        violated = violated[np.argpartition(reduced[violated], limit)[:limit]]
    return DualFeasibility.from_c_transforms(
        potentials, row_minima, column_minima, rows[violated], columns[violated]
    )
