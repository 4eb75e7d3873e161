"""Certificates of optimality for transport costs, and certified distances."""

from __future__ import annotations

import math
from dataclasses import dataclass

from wassay.transport.errors import TransportError


@dataclass(frozen=True)
class Certificate:
    """Bounds that certify a transport cost, and how they were computed.

    The true cost lies in [dual, primal]. Anyone can recompute both bounds from the plan and the
    potentials.

    Attributes
    ----------
    primal : float
        Cost Σ_ij C_ij P_ij of the transport plan: an upper bound.
    dual : float
        Value Σ_i a_i f_i + Σ_j b_j g_j of feasible potentials, f_i + g_j <= C_ij: a lower bound.
    violation : float
        Largest f_i + g_j − C_ij of the solver's own potentials. If it is well above zero, the
        solver stopped early.
    marginal_error : float
        Largest difference between the plan's marginals and the weights.
    solver, solver_version : str
        Name and version of the solver.
    rounds : int
        How many smaller problems the solver solved one after the other; 1 if it solves the whole
        problem at once.
    """

    primal: float
    dual: float
    violation: float
    marginal_error: float
    solver: str
    solver_version: str
    rounds: int

    @property
    def gap(self) -> float:
        """Duality gap, primal − dual; zero if rounding makes it negative."""
        return max(self.primal - self.dual, 0.0)

    @property
    def relative_gap(self) -> float:
        """The gap divided by |primal|; at most the tolerance for a certified result."""
        return max(relative_gap(self.primal, self.dual), 0.0)


def relative_gap(primal: float, dual: float) -> float:
    """Return (primal − dual) / |primal|.

    Parameters
    ----------
    primal, dual : float

    Returns
    -------
    float
        0 if both are equal. If only `primal` is 0: −∞ if `dual` is positive, else ∞.
    """
    if primal == dual:
        return 0.0
    return (primal - dual) / abs(primal) if primal else math.copysign(math.inf, -dual)


@dataclass(frozen=True)
class Distance:
    """A p-Wasserstein distance with its certificate.

    Attributes
    ----------
    value : float
        The p-th root of the certificate's primal value, in units of the coordinates.
    certificate : Certificate
        Certificate of W_p^p.
    tie_interval : tuple of float
        Lower and upper bound of the exact distance. Distances whose intervals overlap are ties.

    Raises
    ------
    TransportError
        If the value is negative or not a number.
    """

    value: float
    certificate: Certificate
    tie_interval: tuple[float, float]

    @classmethod
    def from_certificate(cls, certificate: Certificate, p: int, rounding: float) -> Distance:
        """Take the p-th root of a certified cost.

        Parameters
        ----------
        certificate : Certificate
            Certificate of W_p^p.
        p : {1, 2}
        rounding : float
            Bound on the rounding error of W_p^p, in units of the cost.

        Returns
        -------
        Distance
        """
        cost = max(certificate.primal, 0.0)
        lowest = max(min(certificate.dual, cost) - rounding, 0.0)
        return cls(cost ** (1 / p), certificate, (lowest ** (1 / p), (cost + rounding) ** (1 / p)))

    def __post_init__(self) -> None:
        if not self.value >= 0:
            raise TransportError(f"expected a distance >= 0, received {self.value}")
