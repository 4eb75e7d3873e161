"""Advise the caller what to do when a cost could not be certified."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from wassay.transport.solvers.certify.candidate import Candidate
from wassay.transport.solvers.transport_problem import TransportProblem

MIN_TOLERANCE = 1e-12
"""Relative gaps below this are mostly rounding, for any data."""

_SAMPLED = 50


def advice(problem: TransportProblem, candidate: Candidate, rows: NDArray[np.intp]) -> str:
    """Return one or two sentences on how to get a certified cost.

    Parameters
    ----------
    problem : TransportProblem
    candidate : Candidate
        Result whose gap exceeds the tolerance.
    rows : ndarray of int
        Indices of the problem's rows in the caller's costs.

    Returns
    -------
    str
    """
    if not candidate.finished:
        return (
            f"The simplex stopped at its limit of {problem.max_iterations} pivots. "
            "Allow more iterations or a larger tolerance"
        )
    if problem.tolerance < MIN_TOLERANCE:
        return f"float64 rounds by about as much. Choose a tolerance of at least {MIN_TOLERANCE:g}"
    if problem.cost.lowest < 0:
        return (
            "Costs of both signs cancel until only rounding is left. Add a constant to all of them "
            "so that none is negative, and subtract it from the result"
        )
    largest = math.ldexp(problem.cost.largest, problem.cost.exponent)
    paid = math.ldexp(candidate.primal, problem.cost.exponent)
    return (
        f"Costs of up to {largest:.1g} are too large for float64 beside the {paid:.1g} that the "
        "plan pays on average. Centre and scale the columns, and leave out records far from all "
        "others, such as codes like 999999 for missing values; the farthest is in row "
        f"{rows[_farthest_row(problem)]}"
    )


def _farthest_row(problem: TransportProblem) -> int:
    """Return the index of the row with the largest median cost to a sample of columns."""
    n, m = problem.cost.shape
    columns = np.linspace(0, m - 1, min(m, _SAMPLED)).astype(np.intp)
    rows = np.repeat(np.arange(n), len(columns))
    costs = problem.cost.at(rows, np.tile(columns, n)).reshape(n, len(columns))
    return int(np.median(costs, axis=1).argmax())
