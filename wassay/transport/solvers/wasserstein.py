"""The p-Wasserstein distance of two measures."""

from __future__ import annotations

from wassay.transport.certificate import Distance
from wassay.transport.costs.cost import Power
from wassay.transport.costs.point_cost import PointCost
from wassay.transport.costs.rounding import Extent
from wassay.transport.measure import Measure
from wassay.transport.solvers.solve import solve


def wasserstein(mu: Measure, nu: Measure, p: Power = 2) -> Distance:
    """Compute the exact p-Wasserstein distance of two measures, with its certificate.

    This is (min_P Σ_ij P_ij ‖x_i − y_j‖^p)^(1/p) over all plans P with marginals μ and ν.

    Parameters
    ----------
    mu, nu : Measure, n and m points in d dimensions
        The measures.
    p : {1, 2}
        Order of the distance.

    Returns
    -------
    Distance
        In units of the coordinates.

    Raises
    ------
    TransportError
        If the measures have different dimensions, or p is neither 1 nor 2.
    NotCertified
        If the cost cannot be certified to a relative gap of 1e-9.
    """
    cost = PointCost(mu, nu, p)
    solution = solve(cost, mu.weights, nu.weights)
    return Distance.from_certificate(
        solution.certificate, p, solution.rounding(cost, Extent.of(nu), p)
    )
