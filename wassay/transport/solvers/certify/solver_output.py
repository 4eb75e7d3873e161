"""The output of a solver before it is certified."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wassay.transport.solvers.plan import Plan


@dataclass(frozen=True)
class Solver:
    """Name and version of a solver, as a certificate reports them."""

    name: str
    version: str


@dataclass(frozen=True, eq=False)
class SolverOutput:
    """A plan and potentials from a solver, not yet checked.

    Attributes
    ----------
    plan : Plan
    f, g : ndarray, shapes (n,) and (m,)
        Potentials of the rows and columns.
    finished : bool
        Whether the solver stopped by itself and not at its iteration limit.
    solver : Solver
    """

    plan: Plan
    f: NDArray[np.float64]
    g: NDArray[np.float64]
    finished: bool
    solver: Solver
