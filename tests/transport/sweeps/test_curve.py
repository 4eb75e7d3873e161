from collections.abc import Iterable, Sequence

import numpy as np
import pytest

from tests.transport.samples import gaussian, weighted
from wassay.transport import (
    BarycentricProjection,
    Certificate,
    DistanceCurve,
    GivenCost,
    Measure,
    NegativeRadicand,
    PointCost,
    Power,
    SweepPoint,
    TransportError,
    distance_curve,
    project,
    solve,
    wasserstein,
)

SWEEP = (0.25, 0.5, 0.75)


def solved_curve(
    mu: Measure,
    nu: Measure,
    reference: Measure,
    push: float,
    sweep: Sequence[float] = SWEEP,
    p: Power = 2,
) -> tuple[DistanceCurve, BarycentricProjection, Measure]:
    """Return the curve of two measures, the seller's projection and the buyer's pushed measure."""
    eta = project(mu, reference).interpolate(push)
    projection = project(nu, reference)
    measures = {s: projection.interpolate(s) for s in sweep}
    costs = {s: PointCost(measure, eta, p) for s, measure in measures.items()}
    solutions = {s: solve(cost, nu.weights, eta.weights) for s, cost in costs.items()}
    shifts = {s: float(((m.mean - eta.mean) ** 2).sum()) for s, m in measures.items()}
    velocity = np.linalg.norm(projection.images - nu.points, axis=1)
    curve = distance_curve(
        p, costs, solutions, mean_shifts=shifts, displacement=float(nu.weights @ velocity)
    )
    return curve, projection, eta


def made_curve(squares: Iterable[float], sweep: Sequence[float] = SWEEP) -> DistanceCurve:
    return DistanceCurve(
        2,
        tuple(
            SweepPoint(s, f2, Certificate(f2, f2, 0.0, 0.0, "given", "1", 1))
            for s, f2 in zip(sweep, squares, strict=True)
        ),
    )


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("push", [0.1, 0.6])
def test_the_bracket_holds_the_true_curve_everywhere(seed: int, push: float) -> None:
    rng = np.random.default_rng(seed)
    mu, nu = gaussian(rng, 20, 3), weighted(rng, 26, 3)
    curve, projection, eta = solved_curve(mu, nu, gaussian(rng, 9, 3, std=2.0), push)
    for s in np.linspace(0, 1, 21):
        true = wasserstein(projection.interpolate(s), eta).value ** 2
        bracket = curve.bracket(s)
        assert bracket is not None
        lower, upper = bracket
        assert lower <= true * (1 + 1e-9) + 1e-12
        assert true <= upper * (1 + 1e-9) + 1e-12


@pytest.mark.parametrize("seed", range(5))
def test_the_bracket_of_the_first_distance_holds_the_true_curve(seed: int) -> None:
    rng = np.random.default_rng(seed)
    mu, nu = gaussian(rng, 15, 3), weighted(rng, 21, 3)
    curve, projection, eta = solved_curve(mu, nu, gaussian(rng, 9, 3), 0.3, p=1)
    assert curve.quadratic_coefficient is None
    for s in np.linspace(0, 1, 21):
        true = wasserstein(projection.interpolate(s), eta, 1).value ** 2
        bracket = curve.bracket(s)
        assert bracket is not None
        lower, upper = bracket
        assert lower - 1e-9 <= true <= upper + 1e-9


def test_more_solved_values_narrow_the_bracket() -> None:
    rng = np.random.default_rng(1)
    mu, nu, reference = gaussian(rng, 20, 3), gaussian(rng, 26, 3), gaussian(rng, 9, 3)
    few, _, _ = solved_curve(mu, nu, reference, 0.3)
    many, _, _ = solved_curve(mu, nu, reference, 0.3, tuple(np.linspace(0.05, 0.95, 19)))
    widths = []
    for curve in (few, many):
        bracket = curve.bracket(0.33)
        assert bracket is not None
        lower, upper = bracket
        widths.append(upper - lower)
    assert widths[1] < 0.2 * widths[0]


def test_at_solved_values_the_bracket_is_the_certificate_and_what_rounding_may_hide() -> None:
    rng = np.random.default_rng(2)
    curve, _, _ = solved_curve(gaussian(rng, 10, 2), gaussian(rng, 12, 2), gaussian(rng, 5, 2), 0.3)
    for point in curve.points:
        bracket = curve.bracket(point.s)
        assert bracket is not None
        lower, upper = bracket
        assert point.certificate is not None
        assert lower < point.certificate.dual <= point.certificate.primal < upper
        assert upper - lower < 1e-12


def test_the_quadratic_coefficient_needs_no_word_of_the_seller() -> None:
    rng = np.random.default_rng(3)
    curve, projection, _ = solved_curve(
        gaussian(rng, 20, 3), weighted(rng, 26, 3), gaussian(rng, 9, 3), 0.3
    )
    assert curve.quadratic_coefficient == pytest.approx(projection.quadratic_coefficient, rel=1e-10)


def test_the_mean_shift_is_known_between_solved_values() -> None:
    rng = np.random.default_rng(4)
    curve, projection, eta = solved_curve(
        gaussian(rng, 20, 3), weighted(rng, 26, 3), gaussian(rng, 9, 3), 0.3
    )
    for s in (0.0, 0.1, 0.6, 1.0):
        expected = ((projection.interpolate(s).mean - eta.mean) ** 2).sum()
        assert curve.mean_shift(s) == pytest.approx(expected, abs=1e-12)


def test_while_the_plan_does_not_change_the_fit_is_exact() -> None:
    # Two far pairs: the plan is the same for every s, so f² is one quadratic.
    mu, nu = Measure([[-50.0, 0.0], [50.0, 1.0]]), Measure([[-49.0, 2.0], [52.0, 0.0]])
    curve, projection, eta = solved_curve(mu, nu, Measure([[0.0, 3.0], [1.0, -3.0]]), 0.4)
    for s in (0.05, 0.4, 0.9):
        true = wasserstein(projection.interpolate(s), eta).value
        assert curve.distance(s) == pytest.approx(true, rel=1e-9)
        bracket = curve.bracket(s)
        assert bracket is not None
        lower, upper = bracket
        assert upper == pytest.approx(true**2, rel=1e-9)
        assert lower <= true**2


def test_the_fit_is_linear_least_squares_of_the_squared_distance() -> None:
    sweep = (0.1, 0.3, 0.5, 0.7, 0.9)
    squares = np.array([4.0, 3.0, 2.5, 2.6, 3.5])
    fit = made_curve(squares, sweep).fit
    expected = np.polynomial.polynomial.polyfit(sweep, squares, 2)
    np.testing.assert_allclose([fit.a0, fit.a1, fit.a2], expected, rtol=1e-10)
    worst = np.abs(np.polynomial.polynomial.polyval(sweep, expected) - squares).max()
    assert fit.residual == pytest.approx(worst / 4.0)


def test_extrapolating_past_a_change_of_plan_can_end_below_zero_and_the_bracket_still_holds() -> (
    None
):
    # y = ±(1, 0) is equally far from both points of γ = ±(0, 1), so either image is optimal; the
    # one that crosses makes the plan change between s = 0 and the sweep.
    push, nu = 0.05, Measure([[1.0, 0.0], [-1.0, 0.0]])
    eta = Measure([[0.95, -0.05], [-0.95, 0.05]])
    measures = {s: Measure([[1 - s, s], [s - 1, -s]]) for s in SWEEP}
    costs = {s: PointCost(measure, eta) for s, measure in measures.items()}
    solutions = {s: solve(cost, nu.weights, eta.weights) for s, cost in costs.items()}
    curve = distance_curve(2, costs, solutions)
    true = wasserstein(Measure([[0.95, 0.05], [-0.95, -0.05]]), eta).value ** 2
    bracket = curve.bracket(push)
    assert bracket is not None
    lower, upper = bracket
    assert lower <= true <= upper + 1e-12


def test_a_negative_radicand_is_an_error_that_says_where_and_how_far() -> None:
    curve = made_curve([4.0, 0.5, 0.1])
    assert curve.fit(0.6) < 0
    with pytest.raises(NegativeRadicand, match=r"s = 0\.6") as caught:
        curve.distance(0.6)
    assert caught.value.s == 0.6
    assert caught.value.radicand == pytest.approx(curve.fit(0.6))
    assert caught.value.bracket is None


def test_identical_measures_have_a_curve_of_zeros_at_their_push() -> None:
    rng = np.random.default_rng(5)
    mu, reference = gaussian(rng, 12, 3), gaussian(rng, 5, 3)
    curve, _, _ = solved_curve(mu, mu, reference, 0.5)
    assert curve.points[1].cost == pytest.approx(0, abs=1e-14)
    assert curve.distance(0.5) == pytest.approx(0, abs=1e-6)


def test_costs_that_are_not_quadratic_in_s_prove_nothing_between_solved_values() -> None:
    rng = np.random.default_rng(6)
    uniform = np.full(8, 1 / 8)
    costs = {s: GivenCost(rng.random((8, 8))) for s in SWEEP}
    solutions = {s: solve(cost, uniform, uniform) for s, cost in costs.items()}
    curve = distance_curve(2, costs, solutions)
    assert curve.quadratic_coefficient is None
    assert curve.bracket(0.6) is None
    assert curve.bracket(0.5) is not None


@pytest.mark.parametrize(
    "sweep",
    [(0.25, 0.5), (0.0, 0.5, 0.75), (0.25, 0.5, 1.0), (0.5, 0.25, 0.75), (0.25, 0.25, 0.75)],
)
def test_a_sweep_that_cannot_be_fitted_is_refused(sweep: tuple[float, ...]) -> None:
    with pytest.raises(TransportError):
        made_curve([1.0] * len(sweep), sweep)


def test_a_curve_ends_at_zero_and_one() -> None:
    with pytest.raises(TransportError, match=r"\[0, 1\]"):
        made_curve([1.0, 1.0, 1.0]).bracket(1.2)
