"""Where an exact solver stopped: a plan, potentials, and who found them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wassay.transport.solvers.plan import Plan


@dataclass(frozen=True)
class Solver:
    """What a certificate says of who computed it."""

    name: str
    version: str


@dataclass(frozen=True, eq=False)
class Vertex:
    """Anything, unless the solver finished, and to be checked in any case."""

    plan: Plan
    f: NDArray[np.float64]
    g: NDArray[np.float64]
    finished: bool
    solver: Solver
