"""Pushing a measure towards the reference: barycentric projection and interpolation."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from wassay.transport.costs.point_cost import PointCost
from wassay.transport.errors import TransportError
from wassay.transport.measure import Measure

if TYPE_CHECKING:
    from wassay.transport.solvers.solution import Solution


@dataclass(frozen=True, eq=False)
class BarycentricProjection:
    """A measure together with the images of its points in the reference.

    Attributes
    ----------
    measure : Measure
        The measure that was projected, n points.
    images : ndarray, shape (n, d)
        b_i = (1/a_i) Σ_l π*_il γ_l, with π* an optimal plan for the squared Euclidean cost.
    reference_mean : ndarray, shape (d,)
        γ̄, which is also the mean of the images.
    """

    measure: Measure
    images: NDArray[np.float64]
    reference_mean: NDArray[np.float64]

    def interpolate(self, t: float) -> Measure:
        """η(t): the points (1 − t) x_i + t b_i with the measure's weights (paper eq. 5 and 8).

        Raises
        ------
        TransportError
            When t is outside [0, 1].
        """
        _require_push(t)
        return Measure((1 - t) * self.measure.points + t * self.images, self.measure.weights)

    def only(self, rows: NDArray[np.intp]) -> BarycentricProjection:
        """Some of the points with their images, their weights in proportion."""
        weights = self.measure.weights[rows]
        measure = Measure(self.measure.points[rows], weights / weights.sum())
        return BarycentricProjection(measure, self.images[rows], self.reference_mean)

    @property
    def spread(self) -> float:
        """σ_b = (Σ a_i ‖b_i − γ̄‖²)^½, the one scalar that the interval B0 needs of a party."""
        return math.sqrt(_mean_square(self.measure, self.images - self.reference_mean))

    @property
    def quadratic_coefficient(self) -> float:
        """A2 = Σ a_i ‖b_i − x_i‖², the coefficient of s² in W_2²(·, η(s))."""
        return _mean_square(self.measure, self.images - self.measure.points)


def project(measure: Measure, reference: Measure) -> BarycentricProjection:
    """Project a measure on the reference.

    A point without mass is sent where mass placed there would go first: to the reference points
    that are cheapest for it after the potentials (their mean, where several are equally cheap).
    A reference of one point takes no solving: it is everybody's image.

    Parameters
    ----------
    measure : Measure, n points
    reference : Measure, k points

    Raises
    ------
    TransportError
        When the two do not live in one space.
    NotCertified
        When the plan could not be proven optimal.
    SolverMissing
        If the reference has several points and the extra `solver` is not installed.
    """
    cost = PointCost(measure, reference)
    if reference.size == 1:
        only = np.broadcast_to(reference.points, measure.points.shape)
        return BarycentricProjection(measure, only, reference.mean)
    from wassay.transport.solvers.exact import solve

    solution = solve(cost, measure.weights, reference.weights)
    images = _images(measure, reference, solution)
    for massless in np.flatnonzero(measure.weights == 0):
        prices = cost.block(int(massless), int(massless) + 1)[0] - solution.g
        images[massless] = reference.points[prices <= prices.min()].mean(axis=0)
    images.flags.writeable = False
    return BarycentricProjection(measure, images, reference.mean)


def interpolate(measure: Measure, reference: Measure, t: float) -> Measure:
    """η(t) by barycentric projection: as many points as the measure (paper eq. 5 and 8)."""
    return project(measure, reference).interpolate(t)


def interpolate_exact(measure: Measure, reference: Measure, t: float) -> Measure:
    """η(t) = Σ π*_il δ_{(1−t) x_i + t γ_l}: at most n + k − 1 points (paper eq. 4).

    Raises
    ------
    TransportError
        When t is outside [0, 1] or the two measures do not live in one space.
    SolverMissing
        If the extra `solver` is not installed.
    """
    _require_push(t)
    from wassay.transport.solvers.exact import solve

    solution = solve(PointCost(measure, reference), measure.weights, reference.weights)
    points = (1 - t) * measure.points[solution.rows] + t * reference.points[solution.columns]
    return Measure(points, solution.mass)


def _images(measure: Measure, reference: Measure, solution: Solution) -> NDArray[np.float64]:
    sums = np.zeros_like(measure.points)
    np.add.at(sums, solution.rows, solution.mass[:, None] * reference.points[solution.columns])
    received = np.bincount(solution.rows, solution.mass, measure.size)
    return np.divide(sums, received[:, None], out=sums, where=received[:, None] > 0)


def _mean_square(measure: Measure, vectors: NDArray[np.float64]) -> float:
    return float(measure.weights @ np.einsum("ij,ij->i", vectors, vectors))


def _require_push(t: float) -> None:
    if not 0 <= t <= 1:
        raise TransportError(f"a push t lies in [0, 1], got {t}")
