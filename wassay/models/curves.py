"""Certified distances at several s, and the curves through them."""

from pydantic import Field

from wassay.models.base import Model


class Certificate(Model):
    """The proof of a distance: the cost of a plan, and a lower bound from feasible potentials.

    Costs are W_p^p of the pushed measures. `primal` is the cost of the plan, and bounds W_p^p from
    above. `dual` bounds W_p^p from below, whatever the solver did. `gap` is primal − dual.
    `violation` is the largest f_i + g_j − C_ij of the solver's potentials, before they were made
    feasible. `marginal_error` is the largest difference between the plan's marginals and the
    weights.
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
    """The line alpha + beta·s = ⟨C(s), P⟩ − A2·s² of a fixed plan P.

    The line is an upper bound of W_2² − A2·s² at every s.
    """

    alpha: float
    beta: float


class CurvePoint(Model):
    """The distance at one s: certified or, in mode `scalar`, the seller's claim."""

    s: float
    distance: float
    cost: float
    certificate: Certificate | None = Field(
        description="Null in mode scalar, in which only the seller has certificates."
    )
    line: Line | None
    mean_shift: float | None = Field(description="‖mean η_μ(t0) − mean η_ν(s)‖², in mode measure.")


class QuadraticFit(Model):
    """The fit f²(s) ≈ a0 + a1·s + a2·s² (paper Theorem 2), and its largest residual.

    To pass through the solved points, the distance curve adds the residuals to the fit. Between the
    solved s, residuals are interpolated linearly.
    """

    a0: float
    a1: float
    a2: float
    residual: float


class Curve(Model):
    """The distance curve W_p(η_μ(t0), η_ν(s)): solved points, their fit, and data for the bracket.

    For p = 2, `quadratic_coefficient` is A2. For p = 1, `displacement` is Σ b_j ‖b_ν,j − y_j‖, a
    Lipschitz constant of the curve, which is unknown in mode `cost-block`. `rounding` bounds the
    float64 error of the costs at the solved s.
    """

    points: list[CurvePoint]
    fit: QuadraticFit
    quadratic_coefficient: float | None
    displacement: float | None
    rounding: float
