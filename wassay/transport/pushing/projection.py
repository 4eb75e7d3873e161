"""Barycentric projection of a measure on the reference, and moving its points to their images."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from wassay.transport.costs.point_cost import PointCost
from wassay.transport.errors import TransportError
from wassay.transport.measure import Measure

if TYPE_CHECKING:
    from wassay.transport.solvers.solution import Solution


Interpolation: TypeAlias = Literal["barycentric", "exact"]
"""Whether a point moves towards the mean of its images (paper eq. 5), or is split into parts, each
of which moves towards one image (eq. 4)."""


@dataclass(frozen=True, eq=False)
class BarycentricProjection:
    """A measure, and the barycentric images of its points in the reference.

    An exact interpolation splits each point into parts, one for each point of the reference that it
    sends mass to. Then the points here are these parts, and their images are points of the
    reference.

    Attributes
    ----------
    measure : Measure, n points in d dimensions
        The projected measure Σ_i a_i δ_{x_i}.
    images : ndarray, shape (n, d)
        b_i = (1/a_i) Σ_l π*_il γ_l, with π* an optimal plan for the squared Euclidean cost.
    reference_mean : ndarray, shape (d,)
        Mean γ̄ of the reference. It is also the weighted mean of the images of all points.
    rows : ndarray of int, shape (n,), or None
        In an exact interpolation, the index of the point that each part belongs to. None in a
        barycentric interpolation, for a reference of one point, and in the projections that
        `blocks` yields.
    """

    measure: Measure
    images: NDArray[np.float64]
    reference_mean: NDArray[np.float64]
    rows: NDArray[np.intp] | None = None

    def interpolate(self, t: float) -> Measure:
        """Return η(t), the points (1 − t) x_i + t b_i with the measure's weights (paper eq. 5, 9).

        Parameters
        ----------
        t : float
            Push-forward parameter in [0, 1]; 0 gives the measure, 1 its images.

        Returns
        -------
        Measure, n points

        Raises
        ------
        TransportError
            If t is outside [0, 1].
        """
        _require_push(t)
        return Measure((1 - t) * self.measure.points + t * self.images, self.measure.weights)

    def only(self, rows: NDArray[np.intp]) -> BarycentricProjection:
        """Return the projection of some of the points, with their weights normalised.

        Parameters
        ----------
        rows : ndarray of int
            Indices of the points.

        Returns
        -------
        BarycentricProjection
        """
        weights = self.measure.weights[rows]
        measure = Measure(self.measure.points[rows], weights / weights.sum())
        parts = None if self.rows is None else self.rows[rows]
        return BarycentricProjection(measure, self.images[rows], self.reference_mean, parts)

    def blocks(self, most: int) -> Iterator[BarycentricProjection]:
        """Divide the points into blocks of up to `most`; yield each block's projection.

        The points of a block get equal weights.

        Parameters
        ----------
        most : int
            Largest number of points in a block.

        Yields
        ------
        BarycentricProjection
        """
        for start in range(0, self.measure.size, most):
            rows = slice(start, start + most)
            points = Measure(self.measure.points[rows])
            yield BarycentricProjection(points, self.images[rows], self.reference_mean)

    def raw(self, points: NDArray[np.float64]) -> Measure:
        """Return the measure with other coordinates, such as those before a random projection.

        Parameters
        ----------
        points : ndarray, shape (N, …)
            The other coordinates of each point. If an exact interpolation split N points into n
            parts, give the coordinates of the N points: each part gets those of its point.
            Otherwise N is n.

        Returns
        -------
        Measure, n points
        """
        return Measure(points if self.rows is None else points[self.rows], self.measure.weights)

    @property
    def spread(self) -> float:
        """Spread σ_b = (Σ_i a_i ‖b_i − γ̄‖²)^½ of the images b_i around the reference's mean γ̄."""
        return math.sqrt(_mean_square(self.measure, self.images - self.reference_mean))

    @property
    def quadratic_coefficient(self) -> float:
        """A2 = Σ_i a_i ‖b_i − x_i‖², the weighted mean squared distance of points and images.

        For p = 2, a plan between η(s) and any fixed measure has a cost that is quadratic in s, and
        A2 is the coefficient of s².
        """
        return _mean_square(self.measure, self.images - self.measure.points)


def project(
    measure: Measure, reference: Measure, interpolation: Interpolation = "barycentric"
) -> BarycentricProjection:
    """Project a measure on a reference: b_i = (1/a_i) Σ_l π*_il γ_l.

    π* is an optimal plan for the squared Euclidean cost C. A point without mass is sent where mass
    placed on it would go: to the reference point γ_l with the smallest C_il − g_l, where g are
    optimal potentials, or to the mean of several such points. A reference of one point is every
    point's image, which needs no solver and splits no point.

    Parameters
    ----------
    measure : Measure, n points in d dimensions
        The measure to push.
    reference : Measure, k points in d dimensions
        The reference γ.
    interpolation : {'barycentric', 'exact'}
        ``'exact'`` splits points: a part of mass π*_il of x_i has the image γ_l. There are at most
        n + k − 1 parts; points without mass have no part.

    Returns
    -------
    BarycentricProjection

    Raises
    ------
    TransportError
        If the measures have different dimensions.
    NotCertified
        If the plan cannot be certified.
    SolverMissing
        If the reference has several points and the extra `solver` is not installed.
    """
    if measure.dimension != reference.dimension:
        raise TransportError(
            "expected measures of one dimension, received dimensions "
            f"{measure.dimension} and {reference.dimension}"
        )
    if reference.size == 1:
        only = np.broadcast_to(reference.points, measure.points.shape)
        return BarycentricProjection(measure, only, reference.mean)
    from wassay.transport.solvers.solve import solve

    cost = PointCost(measure, reference)
    solution = solve(cost, measure.weights, reference.weights)
    if interpolation == "exact":
        parts = Measure(measure.points[solution.rows], solution.mass)
        images = reference.points[solution.columns]
        return BarycentricProjection(parts, images, reference.mean, solution.rows)
    images = _images(measure, reference, solution)
    for massless in np.flatnonzero(measure.weights == 0):
        prices = cost.block(int(massless), int(massless) + 1)[0] - solution.g
        images[massless] = reference.points[prices <= prices.min()].mean(axis=0)
    images.flags.writeable = False
    return BarycentricProjection(measure, images, reference.mean)


def interpolate(measure: Measure, reference: Measure, t: float) -> Measure:
    """Return η(t), the points (1 − t) x_i + t b_i with barycentric images b_i (paper eq. 5, 9).

    Parameters
    ----------
    measure : Measure, n points in d dimensions
        The measure to push.
    reference : Measure, k points in d dimensions
        The reference γ.
    t : float
        Push-forward parameter in [0, 1].

    Returns
    -------
    Measure, n points

    Raises
    ------
    TransportError
        If t is outside [0, 1], or the measures have different dimensions.
    NotCertified
        If the plan cannot be certified.
    SolverMissing
        If the reference has several points and the extra `solver` is not installed.
    """
    return project(measure, reference).interpolate(t)


def interpolate_exact(measure: Measure, reference: Measure, t: float) -> Measure:
    """Return η(t) = Σ_il π*_il δ_{(1−t) x_i + t γ_l} (paper eq. 4).

    π* is an optimal plan from the measure's points x_i to the reference's points γ_l.

    Parameters
    ----------
    measure : Measure, n points in d dimensions
        The measure to push.
    reference : Measure, k points in d dimensions
        The reference γ.
    t : float
        Push-forward parameter in [0, 1].

    Returns
    -------
    Measure
        At most n + k − 1 points.

    Raises
    ------
    TransportError
        If t is outside [0, 1], or the measures have different dimensions.
    NotCertified
        If the plan cannot be certified.
    SolverMissing
        If the reference has several points and the extra `solver` is not installed.
    """
    return project(measure, reference, "exact").interpolate(t)


def _images(measure: Measure, reference: Measure, solution: Solution) -> NDArray[np.float64]:
    sums = np.zeros_like(measure.points)
    np.add.at(sums, solution.rows, solution.mass[:, None] * reference.points[solution.columns])
    row_mass = np.bincount(solution.rows, solution.mass, measure.size)
    return np.divide(sums, row_mass[:, None], out=sums, where=row_mass[:, None] > 0)


def _mean_square(measure: Measure, vectors: NDArray[np.float64]) -> float:
    return float(measure.weights @ np.einsum("ij,ij->i", vectors, vectors))


def _require_push(t: float) -> None:
    if not 0 <= t <= 1:
        raise TransportError(f"expected t in [0, 1], received {t}")
