"""The attack that reads columns from the order in which rows are sent."""

import numpy as np
from numpy.typing import NDArray

from wassay.audit.attacks.column_attack import CertainCombination, Cloud, ColumnAttack, Components
from wassay.transport.inversion import (
    match_columns,
    row_numbers,
    runs_of_rows,
    sorting_directions,
)

_FOLLOWS = 0.9
"""Rows are sorted by a combination if its rank correlation with the row numbers exceeds this."""

_APART = 0.95
"""A combination separates the rows at a boundary if its `ordered_share` exceeds this."""


def run(cloud: Cloud) -> Components:
    """Return the row numbers, and components that follow or divide the order of the rows."""
    numbers = row_numbers(len(cloud.points))
    directions = sorting_directions(cloud.points)
    certain = [
        CertainCombination(
            each, f"rows are in its order (rank correlation {order:.3f})", exact=False
        )
        for each, order in zip(directions.T, _orders(directions, numbers), strict=True)
        if order > _FOLLOWS
    ]
    changes = [each for each in runs_of_rows(cloud.points) if each.ordered_share > _APART]
    certain += [
        CertainCombination(
            each.values,
            f"it tells rows before and after the first {each.boundary:.0%} apart "
            f"({each.ordered_share:.1%} of pairs), as in a table sorted by groups",
            exact=False,
        )
        for each in changes
    ]
    # The row numbers, at most two combinations that follow them, and one component for each
    # boundary between runs: −1 before it, 1 after, and 0 outside the two runs.
    found = np.hstack([numbers, directions, *(each.side[:, None] for each in changes)])
    return Components(found, certain=tuple(certain))


def _orders(directions: NDArray[np.float64], numbers: NDArray[np.float64]) -> list[float]:
    matches = match_columns(directions, numbers)
    return [0.0 if match is None else match.correlation for match in matches]


ROW_ORDER = ColumnAttack("the order of rows", frozenset(), run)
