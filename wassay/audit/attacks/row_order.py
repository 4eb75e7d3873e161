"""Read what the order tells in which rows are sent."""

import numpy as np
from numpy.typing import NDArray

from wassay.audit.attacks.column_attack import Certain, Cloud, ColumnAttack, Components
from wassay.transport.inversion import (
    match_columns,
    row_numbers,
    runs_of_rows,
    sorting_directions,
)

_FOLLOWS = 0.9
"""Rows are ordered by a combination whose rank correlation with their numbers exceeds this."""

_APART = 0.95
"""Runs of rows are told apart if the share of pairs that are on the right side exceeds this."""


def run(cloud: Cloud) -> Components:
    """Return the numbers of rows, the directions that follow them, and the runs that rows form."""
    numbers = row_numbers(len(cloud.points))
    directions = sorting_directions(cloud.points)
    certain = [
        Certain(each, f"rows are in its order (rank correlation {order:.3f})", exact=False)
        for each, order in zip(directions.T, _orders(directions, numbers), strict=True)
        if order > _FOLLOWS
    ]
    changes = [each for each in runs_of_rows(cloud.points) if each.right > _APART]
    certain += [
        Certain(
            each.values,
            f"it tells rows before and after the first {each.boundary:.0%} apart "
            f"({each.right:.1%} of pairs), as in a table sorted by groups",
            exact=False,
        )
        for each in changes
    ]
    found = np.hstack([numbers, directions, *(each.side[:, None] for each in changes)])
    return Components(found, certain=tuple(certain))


def _orders(directions: NDArray[np.float64], numbers: NDArray[np.float64]) -> list[float]:
    matches = match_columns(directions, numbers)
    return [0.0 if match is None else match.correlation for match in matches]


ROW_ORDER = ColumnAttack("the order of rows", frozenset(), run)
