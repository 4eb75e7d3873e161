"""Find the images of a measure's points in the reference, and move the points towards them."""

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
"""How a point is pushed: towards the mean of the reference points that it sends mass to (eq. 5 of
the paper), or in parts, one towards each of these points (eq. 4)."""


@dataclass(frozen=True, eq=False)
class BarycentricProjection:
    """A measure, and the image of each of its points in the reference.

    In an exact interpolation, the points are parts: each original point is split into one part for
    each reference point that it sends mass to.

    Attributes
    ----------
    measure : Measure, n points in d dimensions
        The projected points x_i, with weights a_i.
    images : ndarray, shape (n, d)
        Image b_i of each point: the mean of the reference points that an optimal plan sends x_i to.
        The image of a part is one reference point.
    reference_mean : ndarray, shape (d,)
        Mean γ̄ of the reference.
    original_rows : ndarray of int, shape (n,), or None
        In an exact interpolation, the index of the original point of each part. None if points are
        not split, and in the projections that `blocks` yields.
    """

    measure: Measure
    images: NDArray[np.float64]
    reference_mean: NDArray[np.float64]
    original_rows: NDArray[np.intp] | None = None

    def interpolate(self, t: float) -> Measure:
        """Push each point x_i towards its image b_i, to (1 − t) x_i + t b_i (paper eq. 5, 9).

        Parameters
        ----------
        t : float
            Share of the way to the images, in [0, 1]: 0 gives the measure, 1 its images.

        Returns
        -------
        Measure, n points
            The pushed points η(t), with the measure's weights.

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
        parts = None if self.original_rows is None else self.original_rows[rows]
        return BarycentricProjection(measure, self.images[rows], self.reference_mean, parts)

    def blocks(self, most: int) -> Iterator[BarycentricProjection]:
        """Divide the points into blocks, and yield the projection of each block.

        The weights in `measure` are dropped: all points of a block weigh the same.

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
        points : ndarray, shape (n, …)
            The other coordinates of the points. If the points are parts, shape (N, …): those of the
            N points before they were split.

        Returns
        -------
        Measure, n points
        """
        return Measure(
            points if self.original_rows is None else points[self.original_rows],
            self.measure.weights,
        )

    @property
    def spread(self) -> float:
        """How far images b_i lie from the reference's mean γ̄: σ_b = (Σ_i a_i ‖b_i − γ̄‖²)^½."""
        return math.sqrt(_mean_square(self.measure, self.images - self.reference_mean))

    @property
    def quadratic_coefficient(self) -> float:
        """Mean squared distance between points and their images: A2 = Σ_i a_i ‖b_i − x_i‖².

        For p = 2, it is the coefficient of s² in the cost of a plan from η(s) to a fixed measure.
        """
        return _mean_square(self.measure, self.images - self.measure.points)


def project(
    measure: Measure, reference: Measure, interpolation: Interpolation = "barycentric"
) -> BarycentricProjection:
    """Find the images of a measure's points in a reference.

    The image of a point is the mean of the reference points that an optimal plan sends it to.

    Parameters
    ----------
    measure : Measure, n points in d dimensions
        The measure to push.
    reference : Measure, k points in d dimensions
        The reference γ.
    interpolation : {'barycentric', 'exact'}
        ``'exact'`` splits each point with mass into parts, one for each reference point that it
        sends mass to. A reference of one point splits no point.

    Returns
    -------
    BarycentricProjection
        If points are split, it has at most n + k − 1 parts, and none of points without mass.

    Raises
    ------
    TransportError
        If the measures have different dimensions.
    NotCertified
        If the plan cannot be certified.
    SolverMissing
        If the reference has several points and the extra `solver` is not installed.

    Notes
    -----
    The plan π* minimises the squared Euclidean cost. It sends mass π*_il from the point x_i, of
    weight a_i, to the reference point γ_l. So the image of x_i is b_i = (1/a_i) Σ_l π*_il γ_l. The
    image of a point without mass is where mass at this point would go.
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
    # A point without mass goes where mass at this point would go.
    for massless in np.flatnonzero(measure.weights == 0):
        prices = cost.block(int(massless), int(massless) + 1)[0] - solution.g
        images[massless] = reference.points[prices <= prices.min()].mean(axis=0)
    images.flags.writeable = False
    return BarycentricProjection(measure, images, reference.mean)


def interpolate(measure: Measure, reference: Measure, t: float) -> Measure:
    """Push each point x_i of a measure towards its image b_i in a reference (paper eq. 5, 9).

    Parameters
    ----------
    measure : Measure, n points in d dimensions
        The measure to push.
    reference : Measure, k points in d dimensions
        The reference γ.
    t : float
        Share of the way to the images, in [0, 1].

    Returns
    -------
    Measure, n points
        η(t): the points (1 − t) x_i + t b_i, with the measure's weights.

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
    """Push each point in parts, one towards each reference point that it sends mass to.

    Parameters
    ----------
    measure : Measure, n points in d dimensions
        The measure to push.
    reference : Measure, k points in d dimensions
        The reference γ.
    t : float
        Share of the way to the reference points, in [0, 1].

    Returns
    -------
    Measure
        η(t) = Σ_il π*_il δ_{(1−t) x_i + t γ_l} (paper eq. 4), where π* is an optimal plan from the
        measure to the reference. At most n + k − 1 points.

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
