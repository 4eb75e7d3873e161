"""The proof that travels with a transport cost."""

from __future__ import annotations

import math
from dataclasses import dataclass

from wassay.transport.errors import TransportError


@dataclass(frozen=True)
class Certificate:
    """Why a transport cost may be believed, in numbers that anybody can recompute.

    Attributes
    ----------
    primal : float
        Cost of the transport plan: an upper bound of the true value.
    dual : float
        Value of *feasible* potentials (f_i + g_j <= C_ij everywhere): a lower bound.
    violation : float
        Largest f_i + g_j − C_ij of the solver's raw potentials; well above zero, it shows that the
        solver stopped early, which the solver's own duality gap does not.
    marginal_error : float
        Largest difference between the plan's marginals and the weights.
    solver, solver_version : str
        Who computed it.
    rounds : int
        How often restricted problems were solved until no pair violated the potentials; 1 where
        the whole problem was solved at once.
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
        """Width of the interval [dual, primal]; rounding below zero counts as zero."""
        return max(self.primal - self.dual, 0.0)

    @property
    def relative_gap(self) -> float:
        """The gap as a share of the primal value; no result has one above its tolerance."""
        return max(relative_gap(self.primal, self.dual), 0.0)


def relative_gap(primal: float, dual: float) -> float:
    """What an upper bound is above a lower one, as a share of it; infinite for a share of zero."""
    if primal == dual:
        return 0.0
    return (primal - dual) / abs(primal) if primal else math.copysign(math.inf, -dual)


@dataclass(frozen=True)
class Distance:
    """W_p of two measures with its proof.

    Attributes
    ----------
    value : float
        The p-th root of the certificate's primal value, in units of the coordinates.
    certificate : Certificate
        Of W_p^p.
    resolution : tuple of float
        The interval that the distance is known to lie in: from the certificate, and what float64
        may have rounded. Distances whose resolutions overlap are ties.
    """

    value: float
    certificate: Certificate
    resolution: tuple[float, float]

    @classmethod
    def from_certificate(cls, certificate: Certificate, p: int, rounding: float) -> Distance:
        """Take the root of a certified cost that float64 may have moved by so much."""
        cost = max(certificate.primal, 0.0)
        lowest = max(min(certificate.dual, cost) - rounding, 0.0)
        return cls(cost ** (1 / p), certificate, (lowest ** (1 / p), (cost + rounding) ** (1 / p)))

    def __post_init__(self) -> None:
        if not self.value >= 0:
            raise TransportError(f"a distance is not negative, got {self.value}")
