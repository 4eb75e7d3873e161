"""The attack that finds planes between two groups of rows, such as the rows of a category."""

import numpy as np

from wassay.audit.attacks.column_attack import CertainCombination, Cloud, ColumnAttack, Components
from wassay.transport.inversion import Cut, emptiest_cuts


def run(cloud: Cloud) -> Components:
    """Find at most four planes between groups of rows; return each row's side of each plane.

    If chance does not explain the gap at a plane, also return each row's signed distance from it.
    """
    # A cut that chance may have made counts only if a column or a fact agrees with its sides.
    cuts = emptiest_cuts(cloud.points, cloud.least_gaussian, cloud.columns_and_facts)
    sides = [cut.side.astype(np.float64) for cut in cuts]
    across = [cut.across for cut in cuts if cut.beyond_chance]
    values = np.column_stack([np.empty((len(cloud.points), 0)), *sides, *across])
    certain = tuple(
        CertainCombination(cut.across, _why(cut), exact=False) for cut in cuts if cut.beyond_chance
    )
    return Components(values, certain=certain)


def _why(cut: Cut) -> str:
    fewer, more = cut.sizes
    return (
        f"rows separate into groups of {fewer} and {more} (the gap is {cut.emptiness:.0%} empty), "
        "and who knows one row of a group knows what all its rows have in common"
    )


GROUPS = ColumnAttack("the emptiest cuts", frozenset(), run)
