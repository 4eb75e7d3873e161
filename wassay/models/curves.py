"""Certified distances at several s, and the curves through them."""

from pydantic import Field

from wassay.models.base import Model
from wassay.models.descriptions import S


class Certificate(Model):
    """The proof of a distance W_p between pushed measures: an upper and a lower bound of W_p^p."""

    primal: float = Field(description="The upper bound: the cost of a transport plan.")
    dual: float = Field(
        description="The lower bound: the value of feasible potentials. It holds even if the "
        "solver is wrong."
    )
    gap: float = Field(description="`primal` − `dual`, or 0 if rounding makes that negative.")
    violation: float = Field(
        description="The largest f_i + g_j − C_ij of the costs C and the solver's potentials f and "
        "g, before these were made feasible to compute `dual`."
    )
    marginal_error: float = Field(
        description="The largest difference between a marginal of the plan and the weights."
    )
    solver: str
    solver_version: str
    rounds: int = Field(
        description="The number of restricted problems that column generation solved. 1 for "
        "solvers without it."
    )


class Line(Model):
    """The line alpha + beta·s: the cost of one transport plan at s, minus A2·s².

    A2 is the `quadratic_coefficient` of the curve. At every s, W_2² − A2·s² is at most the line,
    because no plan costs less than the optimal plan.
    """

    alpha: float = Field(description="The value at s = 0.")
    beta: float = Field(description="The slope in s.")


class CurvePoint(Model):
    """A solved point of a distance curve. It is certified, except in mode `scalar`."""

    s: float = Field(description=S)
    distance: float = Field(description="W_p between the pushed points.")
    cost: float = Field(description="`distance` to the power p.")
    certificate: Certificate | None = Field(
        description="Null in mode `scalar`, in which only the seller has certificates."
    )
    line: Line | None = Field(
        description="The cost of this point's plan at other s. Null if p = 1."
    )
    mean_shift: float | None = Field(
        description="‖mean η_μ(t0) − mean η_ν(s)‖² in mode `measure`. Otherwise null."
    )


class QuadraticFit(Model):
    """The least-squares fit a0 + a1·s + a2·s² to a curve's squared distances (paper Theorem 2).

    The fit misses the solved points a little. The distance curve adds what it misses, interpolated
    linearly, and so passes through them.
    """

    a0: float = Field(description="The constant.")
    a1: float = Field(description="The coefficient of s.")
    a2: float = Field(description="The coefficient of s².")
    residual: float = Field(
        description="The largest error of the fit at a solved s, divided by the largest squared "
        "distance."
    )


class Curve(Model):
    """The distance between the buyer's pushed points and sellers' points pushed to s, at every s.

    Between the solved s, `fit` estimates the distance, and the other fields bound it.
    """

    points: list[CurvePoint] = Field(description="The distance at each s that was solved.")
    fit: QuadraticFit
    quadratic_coefficient: float | None = Field(
        description="For p = 2, the coefficient A2 of s² in the cost of every transport plan. "
        "Null if p = 1, or if plans differ in it."
    )
    displacement: float | None = Field(
        description="For p = 1, the largest rate at which the distance changes with s. Null if "
        "p = 2, and in mode `cost-block`."
    )
    rounding: float = Field(
        description="A bound of the float64 errors of the costs at the solved s."
    )
