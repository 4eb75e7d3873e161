"""What potentials leave of the costs of listed pairs, as a compiled loop."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wassay.transport.solvers.compiled import compiled


@compiled
def lower_to_listed(
    rows: NDArray[np.intp],
    columns: NDArray[np.intp],
    costs: NDArray[np.float64],
    f: NDArray[np.float64],
    g: NDArray[np.float64],
    row_least: NDArray[np.float64],
    column_least: NDArray[np.float64],
) -> float:
    """Lower row_least to C_ij − g_j and column_least to C_ij − f_i, wherever a listed pair is less.

    Returns
    -------
    float
        The least C_ij − f_i − g_j; infinite where none is listed.
    """
    least = np.inf
    for place in range(len(rows)):
        row, column = rows[place], columns[place]
        left, right = costs[place] - g[column], costs[place] - f[row]
        row_least[row] = min(row_least[row], left)
        column_least[column] = min(column_least[column], right)
        least = min(least, left - f[row])
    return least
