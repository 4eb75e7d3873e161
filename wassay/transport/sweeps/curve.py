"""The distance curve f(s) = W_p(η_μ(t0), η_ν(s)): solved values, fit, and certified bracket."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from wassay.transport.certificate import Certificate
from wassay.transport.costs.cost import Power
from wassay.transport.errors import NegativeRadicand, TransportError
from wassay.transport.sweeps.polynomial_fit import curve_weights, fit_weights, quadratic_weights

RADICAND_ROUNDING = 1e-12
"""Negative radicands closer to 0 than this share of the largest f² are rounding errors."""


@dataclass(frozen=True)
class Line:
    """The cost of one plan along the sweep, α + β s, without the term A2 s² that all plans share.

    Attributes
    ----------
    alpha, beta : float
    """

    alpha: float
    beta: float


@dataclass(frozen=True)
class SweepPoint:
    """The curve at one solved s.

    Attributes
    ----------
    s : float
        In (0, 1).
    cost : float
        W_p^p(η_μ(t0), η_ν(s)).
    certificate : Certificate or None
        Certificate of the cost; None if a seller states the cost.
    line : Line or None
        Line of the plan that is optimal at this s, for p = 2 only.
    mean_shift : float or None
        ‖mean η_μ(t0) − mean η_ν(s)‖²; None if only costs are known.
    """

    s: float
    cost: float
    certificate: Certificate | None
    line: Line | None = None
    mean_shift: float | None = None

    @property
    def bounds(self) -> tuple[float, float]:
        """Certified bounds of the cost; the cost itself, twice, if it has no certificate."""
        if self.certificate is None:
            return self.cost, self.cost
        # Rounding may raise the dual value above the cost.
        return min(self.certificate.dual, self.cost), max(self.certificate.primal, self.cost)


@dataclass(frozen=True)
class QuadraticFit:
    """The model f²(s) ≈ a0 + a1 s + a2 s² (paper eq. 10).

    Attributes
    ----------
    a0, a1, a2 : float
        Least-squares coefficients over the solved s.
    residual : float
        Largest |fit − f²| at the solved s, relative to the largest f². If only three s were solved,
        it is zero, and says nothing about other s.
    """

    a0: float
    a1: float
    a2: float
    residual: float

    def __call__(self, s: float) -> float:
        """Return the fitted f²(s), which may be negative.

        Parameters
        ----------
        s : float

        Returns
        -------
        float
        """
        return self.a0 + s * (self.a1 + s * self.a2)


@dataclass(frozen=True)
class DistanceCurve:
    """f(s) = W_p(η_μ(t0), η_ν(s)) from a few solved s.

    Parameters
    ----------
    p : {1, 2}
    points : tuple of SweepPoint
        At least three, s ascending and distinct in (0, 1).
    quadratic_coefficient : float or None
        For p = 2: A2, the coefficient of s² in the cost of every plan; None if plans differ in it.
        It is the weighted mean squared distance between the seller's points and their images in the
        reference.
    displacement : float or None
        For p = 1: the weighted mean distance between the seller's points and their images in the
        reference.
    rounding : float
        Bound of the rounding error of the costs at the solved s (see `cost_rounding`).

    Raises
    ------
    TransportError
        If p is not 1 or 2, if there are fewer than three points, or if s do not ascend in (0, 1).
    """

    p: Power
    points: tuple[SweepPoint, ...]
    quadratic_coefficient: float | None = None
    displacement: float | None = None
    rounding: float = 0.0

    def __post_init__(self) -> None:
        sweep = self.sweep
        if self.p not in (1, 2):
            raise TransportError(f"expected p = 1 or 2, received {self.p}")
        if len(sweep) < 3:
            raise TransportError(f"expected at least three values of s, received {len(sweep)}")
        if not (sweep[0] > 0 and sweep[-1] < 1 and all(a < b for a, b in pairwise(sweep))):
            raise TransportError(f"expected ascending s in (0, 1), received {sweep}")

    @cached_property
    def sweep(self) -> tuple[float, ...]:
        """The values of s that were solved, ascending."""
        return tuple(point.s for point in self.points)

    @cached_property
    def fit(self) -> QuadraticFit:
        """The least-squares fit of f² by a quadratic (paper eq. 11)."""
        squares = np.array([self._square(point.cost) for point in self.points])
        coefficients = fit_weights(self.sweep) @ squares
        fitted = np.vander(self.sweep, 3, increasing=True) @ coefficients
        largest = float(squares.max())
        residual = float(np.abs(fitted - squares).max()) / largest if largest > 0 else 0.0
        a0, a1, a2 = (float(a) for a in coefficients)
        return QuadraticFit(a0, a1, a2, residual)

    @cached_property
    def nearest_s(self) -> float:
        """The s within the sweep's range at which the means of η_μ(t0) and η_ν(s) are nearest.

        If only costs are known, it is the s at which the fitted f² is smallest.
        """
        # If the raw means are equal, it is t0, unless t0 is outside the range.
        shifts = [point.mean_shift for point in self.points if point.mean_shift is not None]
        if len(shifts) == len(self.points):
            _, a1, a2 = (float(a) for a in fit_weights(self.sweep) @ np.array(shifts))
        else:
            a1, a2 = self.fit.a1, self.fit.a2
        low, high = self.sweep[0], self.sweep[-1]
        vertex = min(max(-a1 / a2 / 2, low), high) if a2 > 0 else low
        return min(vertex, low, high, key=lambda s: s * (a1 + s * a2))

    def distance(self, s: float) -> float:
        """Return f(s): as solved at the s of the sweep, otherwise interpolated or extrapolated.

        If there is a `bracket`, it contains the square of the result.

        Parameters
        ----------
        s : float
            In [0, 1].

        Returns
        -------
        float
            In units of the coordinates.

        Raises
        ------
        TransportError
            If s is outside [0, 1].
        NegativeRadicand
            If the interpolated or extrapolated f² is negative.
        """
        bracket = self.bracket(s)
        point = self._solved_at(s)
        if point is None:
            square = self._interpolated_square(s, bracket)
        else:
            square = self._square(point.cost)
        if bracket is not None:
            square = min(max(square, bracket[0]), bracket[1])
        return math.sqrt(square)

    def tie_interval(self, s: float) -> tuple[float, float]:
        """Return an interval around f(s); two distances tie if their intervals overlap.

        Parameters
        ----------
        s : float
            In [0, 1].

        Returns
        -------
        tuple of float
            The square roots of the bracket's ends, in units of the coordinates. Without a bracket,
            the ends differ from `distance(s)` only by its numerical error.

        Raises
        ------
        TransportError
            If s is outside [0, 1].
        NegativeRadicand
            See `distance`.
        """
        bracket = self.bracket(s)
        if bracket is None:
            square = self.distance(s) ** 2
            largest = max(self._square(point.cost) for point in self.points)
            gap = max(self._square(high) - self._square(low) for low, high in self._bounds_by_point)
            amplification = float(np.abs(curve_weights(self.sweep, s)).sum())
            error = amplification * (gap + self._square_rounding(largest))
            bracket = (max(square - error, 0.0), square + error)
        value = self.distance(s)
        return min(math.sqrt(bracket[0]), value), max(math.sqrt(bracket[1]), value)

    @property
    def _bounds_by_point(self) -> list[tuple[float, float]]:
        return [point.bounds for point in self.points]

    def _interpolated_square(self, s: float, bracket: tuple[float, float] | None) -> float:
        """Return the interpolated f²(s), or 0 if it is negative by rounding.

        Raise `NegativeRadicand` with this `bracket` if it is negative by more.
        """
        weights = curve_weights(self.sweep, s)
        squares = np.array([self._square(point.cost) for point in self.points])
        radicand, largest = float(weights @ squares), float(squares.max())
        rounding = float(np.abs(weights).sum()) * self._square_rounding(largest)
        if radicand < -rounding - RADICAND_ROUNDING * largest:
            raise NegativeRadicand(
                f"the curve fitted to f² at s = {list(self.sweep)} is {radicand:.6g} at "
                f"s = {s:g}, and a distance needs it to be at least 0: ask for a sweep with a "
                f"value at or near {s:g}",
                s,
                radicand,
                bracket,
            )
        return max(radicand, 0.0)

    def bracket(self, s: float) -> tuple[float, float] | None:
        """Return proven bounds of the squared distance f²(s), between which `distance(s)`² lies.

        Parameters
        ----------
        s : float
            In [0, 1].

        Returns
        -------
        tuple of float, or None
            The lower and the upper bound; None if nothing is proven at s.

        Raises
        ------
        TransportError
            If s is outside [0, 1].
        """
        if not 0 <= s <= 1:
            raise TransportError(f"expected s in [0, 1], received {s}")
        bounds = self._bracket_at(s)
        if bounds is None:
            return None
        lower, upper = bounds[0], max(bounds[1], 0.0)
        point = self._solved_at(s)
        highest = upper if point is None else self._square(point.cost)
        # No plan costs less than the shift of the means.
        return min(max(lower, self.least_mean_shift(s) or 0.0), highest), upper

    def mean_shift(self, s: float) -> float | None:
        """Return ‖mean η_μ(t0) − mean η_ν(s)‖² at any s.

        Parameters
        ----------
        s : float

        Returns
        -------
        float or None
            None if only costs are known at one or more of the solved s.
        """
        shifts = [point.mean_shift for point in self.points if point.mean_shift is not None]
        if len(shifts) < len(self.points):
            return None
        # The shift is one quadratic in s, so the fit is exact.
        coefficients = fit_weights(self.sweep) @ shifts
        return max(float(np.polynomial.polynomial.polyval(s, coefficients)), 0.0)

    def least_mean_shift(self, s: float) -> float | None:
        """Return a lower bound of the mean shift at s that holds despite rounding.

        Parameters
        ----------
        s : float

        Returns
        -------
        float or None
            None if the mean shift is unknown.
        """
        shift = self.mean_shift(s)
        if shift is None:
            return None
        largest = max(point.mean_shift or 0.0 for point in self.points)
        return max(shift - self._amplification(s) * self._square_rounding(largest), 0.0)

    def _bracket_at(self, s: float) -> tuple[float, float] | None:
        point = self._solved_at(s)
        if point is not None:
            lower, upper = point.bounds
            return (
                self._square(max(lower - self.rounding, 0.0)),
                self._square(upper + self.rounding),
            )
        return self._bracket_by_lines(s) if self.p == 2 else self._bracket_by_displacement(s)

    def _bracket_by_lines(self, s: float) -> tuple[float, float] | None:
        # f²(s) = A2 s² + h(s), where h is concave: the minimum, over all plans, of lines in s. The
        # lines of solved plans bound h from above, and chords between solved s from below. Chords
        # beyond the sweep use that f² is at least the mean shift at s = 0 and s = 1.
        a2 = self.quadratic_coefficient
        lines = [point.line for point in self.points if point.line is not None]
        if a2 is None or not lines:
            return None
        a2_rounding = float(np.abs(fit_weights(self.sweep)[2]).sum()) * self.rounding

        straight = fit_weights(self.sweep, 2).T @ (1.0, s)
        bend = abs(s**2 - float(straight @ np.square(self.sweep)))
        upper = min(line.alpha + line.beta * s for line in lines) + a2 * s**2
        upper += float(np.abs(straight).sum()) * self.rounding + bend * a2_rounding

        knots = (0.0, *self.sweep, 1.0)
        solved = [point.bounds[0] for point in self.points]
        ends = (self.least_mean_shift(0.0) or 0.0, self.least_mean_shift(1.0) or 0.0)
        chord = float(np.interp(s, knots, (ends[0], *solved, ends[1])))
        sag = float(np.interp(s, knots, np.square(knots))) - s**2
        lower = chord - a2 * sag - self.rounding - sag * a2_rounding
        return lower, upper

    def _bracket_by_displacement(self, s: float) -> tuple[float, float] | None:
        if self.displacement is None:
            return None
        # |f(s) − f(s')| ≤ |s − s'| × displacement by the triangle inequality. The error of the
        # displacement is at most twice that of the costs, divided by the length of the sweep.
        speed = self.displacement + 2 * self.rounding / (self.sweep[-1] - self.sweep[0])
        steps = [speed * abs(point.s - s) for point in self.points]
        bounds = [point.bounds for point in self.points]
        lower = max(low - step for (low, _), step in zip(bounds, steps, strict=True))
        upper = min(high + step for (_, high), step in zip(bounds, steps, strict=True))
        return max(lower - self.rounding, 0.0) ** 2, (upper + self.rounding) ** 2

    def _amplification(self, s: float) -> float:
        """Return the factor by which the least-squares fit amplifies errors of solved values."""
        return float(np.abs(quadratic_weights(self.sweep, s)).sum())

    def _square_rounding(self, square: float) -> float:
        """Bound the rounding error of a squared distance f²."""
        if self.p == 2:
            return self.rounding
        return self.rounding * (2 * math.sqrt(square) + self.rounding)

    def _solved_at(self, s: float) -> SweepPoint | None:
        return next((point for point in self.points if point.s == s), None)

    def _square(self, cost: float) -> float:
        """Convert W_p^p to f²."""
        return max(cost, 0.0) if self.p == 2 else cost**2
