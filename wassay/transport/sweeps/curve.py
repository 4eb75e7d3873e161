"""The distance curve f(s) = W_p(η_μ(t0), η_ν(s)): what is solved, fitted and proven."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from wassay.transport.certificate import Certificate
from wassay.transport.costs.cost import Power
from wassay.transport.errors import NegativeRadicand, TransportError
from wassay.transport.sweeps.quadratic import curve_weights, fit_weights, quadratic_weights

RADICAND_ROUNDING = 1e-12
"""A radicand this little below zero, as a share of the largest f², is zero up to rounding."""


@dataclass(frozen=True)
class Line:
    """α + β s: the cost of one plan along the sweep, less the term A2 s² that all plans share."""

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
        Its proof; None where somebody says so without one.
    line : Line or None
        Of the plan that is optimal here; p = 2 only.
    mean_shift : float or None
        ‖mean η_μ(t0) − mean η_ν(s)‖², known where the measures are and not only their costs.
    """

    s: float
    cost: float
    certificate: Certificate | None
    line: Line | None = None
    mean_shift: float | None = None

    @property
    def bounds(self) -> tuple[float, float]:
        """The certified bounds of the cost; without a certificate, the cost as it was said.

        They hold the cost: a dual value that rounding raised above the primal one counts as equal.
        """
        if self.certificate is None:
            return self.cost, self.cost
        return min(self.certificate.dual, self.cost), max(self.certificate.primal, self.cost)


@dataclass(frozen=True)
class QuadraticFit:
    """The paper's model f²(s) ≈ a0 + a1 s + a2 s² (paper eq. 10).

    Attributes
    ----------
    a0, a1, a2 : float
        Coefficients by linear least squares over the solved s.
    residual : float
        Largest |fit − f²| at the solved s, as a share of the largest f². With three solved s the
        fit passes through all of them and this is zero: it then says nothing about other s.
    """

    a0: float
    a1: float
    a2: float
    residual: float

    def __call__(self, s: float) -> float:
        """The fitted f²(s), which may be negative."""
        return self.a0 + s * (self.a1 + s * self.a2)


@dataclass(frozen=True)
class DistanceCurve:
    """f(s) = W_p(η_μ(t0), η_ν(s)) from a few solved s.

    Attributes
    ----------
    p : {1, 2}
    points : tuple of SweepPoint
        At least three, s ascending and distinct in (0, 1).
    quadratic_coefficient : float or None
        A2 = Σ b_j ‖b_ν,j − y_j‖², p = 2. Known when the costs are, as they have to be, quadratic
        in s with one s² term for every plan.
    displacement : float or None
        Σ b_j ‖b_ν,j − y_j‖, p = 1: how fast η_ν(s) can move with s.
    rounding : float
        How far float64 may have moved the costs at the solved s (see `cost_rounding`).

    Raises
    ------
    TransportError
        When the points are too few, unsorted, or outside (0, 1).
    """

    p: Power
    points: tuple[SweepPoint, ...]
    quadratic_coefficient: float | None = None
    displacement: float | None = None
    rounding: float = 0.0

    def __post_init__(self) -> None:
        sweep = self.sweep
        if self.p not in (1, 2):
            raise TransportError(f"p must be 1 or 2, got {self.p}")
        if len(sweep) < 3:
            raise TransportError(f"a curve needs at least three values of s, got {len(sweep)}")
        if not (sweep[0] > 0 and sweep[-1] < 1 and all(a < b for a, b in pairwise(sweep))):
            raise TransportError(f"the sweep must ascend within (0, 1), got {sweep}")

    @property
    def sweep(self) -> tuple[float, ...]:
        """The solved s."""
        return tuple(point.s for point in self.points)

    @cached_property
    def fit(self) -> QuadraticFit:
        """Linear least squares of f² in a0, a1, a2 (paper eq. 11); never of f itself."""
        squares = np.array([self._square(point.cost) for point in self.points])
        coefficients = fit_weights(self.sweep) @ squares
        fitted = np.vander(self.sweep, 3, increasing=True) @ coefficients
        largest = float(squares.max())
        residual = float(np.abs(fitted - squares).max()) / largest if largest > 0 else 0.0
        a0, a1, a2 = (float(a) for a in coefficients)
        return QuadraticFit(a0, a1, a2, residual)

    def distance(self, s: float) -> float:
        """The distance at s: what tables, pictures and reports show.

        At a solved s it is the solved distance. Elsewhere f² is the fit plus what the fit misses at
        the solved s, linearly between these and constant beyond, clipped to the bracket.

        Raises
        ------
        TransportError
            If s is outside [0, 1].
        NegativeRadicand
            If f² is negative there before it is clipped: f² is one quadratic only while the optimal
            plan stays the same, and extrapolating past a change of plan can end below zero.
        """
        bracket = self.bracket(s)
        point = self._solved_at(s)
        square = self._between(s, bracket) if point is None else self._square(point.cost)
        if bracket is not None:
            square = min(max(square, bracket[0]), bracket[1])
        return math.sqrt(square)

    def resolution(self, s: float) -> tuple[float, float]:
        """The interval that f(s) is known to lie in, which holds `distance(s)`.

        The bracket, or where nothing is proven, what gaps and rounding leave of the distance.
        """
        bracket = self.bracket(s)
        if bracket is None:
            square = self.distance(s) ** 2
            largest = max(self._square(point.cost) for point in self.points)
            gap = max(self._square(high) - self._square(low) for low, high in self._all_bounds)
            amplification = float(np.abs(curve_weights(self.sweep, s)).sum())
            stray = amplification * (gap + self._square_rounding(largest))
            bracket = (max(square - stray, 0.0), square + stray)
        value = self.distance(s)
        return min(math.sqrt(bracket[0]), value), max(math.sqrt(bracket[1]), value)

    @property
    def _all_bounds(self) -> list[tuple[float, float]]:
        return [point.bounds for point in self.points]

    def _between(self, s: float, bracket: tuple[float, float] | None) -> float:
        """The interpolated f² at s, at least 0."""
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
        """A proven interval of f²(s) that holds `distance(s)`², or None where nothing is proven.

        For p = 2, f²(s) = A2 s² + h(s) with h the minimum over all plans of lines in s, hence
        concave. The lines of the solved plans bound h from above; the chords between solved s, and
        between them and h(0) >= 0 and h(1) >= −A2, bound it from below. Where the shift of the
        means is known it raises the lower bound everywhere, since no transport is cheaper than
        the shift. Both ends allow for rounding, amplified as far as s is from the sweep.

        For p = 1, |f(s) − f(s')| <= |s − s'| times the displacement, by the triangle inequality.
        Allowed for is the rounding of the costs, and of the displacement: points that are rounded
        at the ends of the sweep move it by twice that over the sweep's length.

        Raises
        ------
        TransportError
            If s is outside [0, 1].
        """
        if not 0 <= s <= 1:
            raise TransportError(f"a curve is defined for s in [0, 1], got {s}")
        bounds = self._bracket_at(s)
        if bounds is None:
            return None
        lower, upper = bounds[0], max(bounds[1], 0.0)
        point = self._solved_at(s)
        highest = upper if point is None else self._square(point.cost)
        return min(max(lower, self.least_mean_shift(s) or 0.0), highest), upper

    def mean_shift(self, s: float) -> float | None:
        """‖mean η_μ(t0) − mean η_ν(s)‖² at any s, exactly: it is one quadratic in s."""
        shifts = [point.mean_shift for point in self.points if point.mean_shift is not None]
        if len(shifts) < len(self.points):
            return None
        coefficients = fit_weights(self.sweep) @ shifts
        return max(float(np.polynomial.polynomial.polyval(s, coefficients)), 0.0)

    def least_mean_shift(self, s: float) -> float | None:
        """The mean shift less what rounding may have added to it."""
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
        speed = self.displacement + 2 * self.rounding / (self.sweep[-1] - self.sweep[0])
        steps = [speed * abs(point.s - s) for point in self.points]
        bounds = [point.bounds for point in self.points]
        lower = max(low - step for (low, _), step in zip(bounds, steps, strict=True))
        upper = min(high + step for (_, high), step in zip(bounds, steps, strict=True))
        return max(lower - self.rounding, 0.0) ** 2, (upper + self.rounding) ** 2

    def _amplification(self, s: float) -> float:
        """How much larger an error at the solved s can be in the quadratic at s."""
        return float(np.abs(quadratic_weights(self.sweep, s)).sum())

    def _square_rounding(self, square: float) -> float:
        """The rounding of a squared distance."""
        if self.p == 2:
            return self.rounding
        return self.rounding * (2 * math.sqrt(square) + self.rounding)

    def _solved_at(self, s: float) -> SweepPoint | None:
        return next((point for point in self.points if point.s == s), None)

    def _square(self, cost: float) -> float:
        """f² from W_p^p."""
        return max(cost, 0.0) if self.p == 2 else cost**2
