"""Certified distances at several s, and the curves through them."""

from pydantic import Field

from wassay.models.base import Model


class Certificate(Model):
    """The proof of a distance W_p between pushed measures: an upper and a lower bound of W_p^p.

    `primal` is the upper bound, the cost of a transport plan. `dual` is the lower bound, which
    holds even if the solver is wrong. `gap` is primal − dual. `violation` is the largest f_i + g_j
    − C_ij for the costs C and the solver's potentials f and g, which are made feasible to compute
    `dual`. `marginal_error` is the largest difference between a marginal of the plan and the
    measures' weights. `rounds` is the number of restricted problems that column generation solved;
    1 for solvers without it.
    """

    primal: float
    dual: float
    gap: float
    violation: float
    marginal_error: float
    solver: str
    solver_version: str
    rounds: int


class Line(Model):
    """The line alpha + beta·s: the cost of one transport plan at s, minus A2·s².

    A2 is the `quadratic_coefficient` of the curve. The line bounds W_2² − A2·s² from above at every
    s, because no plan costs less than the optimal plan.
    """

    alpha: float
    beta: float


class CurvePoint(Model):
    """A solved point of a distance curve. It is certified, except in mode `scalar`.

    `cost` is `distance` to the power p. `line` is null for p = 1.
    """

    s: float
    distance: float
    cost: float
    certificate: Certificate | None = Field(
        description="Null in mode scalar, in which only the seller has certificates."
    )
    line: Line | None
    mean_shift: float | None = Field(description="‖mean η_μ(t0) − mean η_ν(s)‖², in mode measure.")


class QuadraticFit(Model):
    """The least-squares fit a0 + a1·s + a2·s² to a curve's squared distances (paper Theorem 2).

    `residual` is the largest error of the fit at a solved s, divided by the largest squared
    distance. The distance curve adds the errors of the fit, interpolated linearly, and so passes
    through the solved points.
    """

    a0: float
    a1: float
    a2: float
    residual: float


class Curve(Model):
    """The distance between the buyer's pushed points and sellers' points pushed to s, at every s.

    `points` has the distance at each s that was solved. At every other s, `fit` estimates the
    distance, and the other fields bound it. For p = 2, `quadratic_coefficient` is the factor A2 of
    s² in the cost of every transport plan. For p = 1, `displacement` is the largest rate at which
    the distance changes with s; it is unknown in mode `cost-block`. `rounding` bounds the float64
    error of the costs at the solved s.
    """

    points: list[CurvePoint]
    fit: QuadraticFit
    quadratic_coefficient: float | None
    displacement: float | None
    rounding: float
