"""Check dual feasibility in float64 on the few pairs that a scan in float32 does not rule out.

A pair is ruled out if its reduced cost in float32 exceeds a threshold: the larger of `SLACK` and
the level below which pairs count as violated, plus the error of float32. Near the optimum, about as
many pairs remain as a basis has.
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
from wassay.transport.solvers.plan import sorted_unique
from wassay.transport.solvers.prepared_cost import Panels, PreparedCost

MAX_PAIRS_PER_POINT = 32
"""If more pairs remain than this for each point, reading all in float64 is no slower."""

MAX_REACH = 1.0
"""Limit on the reduced costs to look for, because `float32_error` is a bound up to this only."""

Pairs = tuple[NDArray[np.intp], NDArray[np.intp]]


def check_cheap_pairs(
    cost: PreparedCost, batch: Sequence[DualPotentials]
) -> list[DualFeasibility] | None:
    """Check the potentials of several problems over the same costs, after one scan in float32.

    Parameters
    ----------
    cost : PreparedCost
    batch : sequence of DualPotentials

    Returns
    -------
    list of DualFeasibility or None
        None if a point has no mass, if float32 is too imprecise to rule pairs out, or if too many
        pairs remain to be read in float64.
    """
    from wassay.transport.solvers.entropic.tile_scans import rare_indices

    reaches = [max(SLACK, each.level) + each.float32_error() for each in batch]
    if max(reaches) > MAX_REACH or not all(_all_have_mass(each) for each in batch):
        return None
    limits = [
        (each.f + reach).astype(np.float32) for each, reach in zip(batch, reaches, strict=True)
    ]
    potentials = [each.g.astype(np.float32) for each in batch]
    all_columns = np.arange(cost.shape[1])
    most = MAX_PAIRS_PER_POINT * sum(cost.shape)

    def cheap(panels: Panels[np.float32]) -> list[list[Pairs]]:
        found: list[list[Pairs]] = [[] for _ in batch]
        left = [most] * len(batch)
        for start, stop, some_columns, block in panels:
            for number, (pairs, limit, g) in enumerate(zip(found, limits, potentials, strict=True)):
                indices = rare_indices(block, g[some_columns], limit[start:stop])
                rows, columns = np.divmod(indices, block.shape[1])
                pairs.append((rows + start, all_columns[some_columns][columns]))
                left[number] -= len(rows)
            if min(left) < 0:
                break
        return found

    collected: list[list[Pairs]] = [[] for _ in batch]
    left = [most] * len(batch)
    for strip in cost.map_near_float32_tiles(cheap, *highest_potentials(batch), SLACK):
        for number, pairs in enumerate(strip):
            collected[number] += pairs
            left[number] -= sum(len(rows) for rows, _ in pairs)
        if min(left) < 0:
            return None
    return [
        _feasibility(each, *(np.concatenate(side) for side in zip(*pairs, strict=True)))
        for each, pairs in zip(batch, collected, strict=True)
    ]


def _all_have_mass(potentials: DualPotentials) -> bool:
    problem = potentials.problem
    return bool((problem.row_weights > 0).all() and (problem.column_weights > 0).all())


def _feasibility(
    potentials: DualPotentials, rows: NDArray[np.intp], columns: NDArray[np.intp]
) -> DualFeasibility:
    """Check potentials, given the only pairs (rows[k], columns[k]) that can violate them.

    By these potentials, every other pair must have a reduced cost of at least `SLACK` and of at
    least `potentials.level`.
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
