"""The curve has the solved distance at every solved s, and is inside its proven bracket."""

import itertools
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from tests.transport.samples import gaussian, weighted
from tests.transport.sweeps.test_curve import made_curve, solved_curve
from wassay.transport import (
    Certificate,
    DistanceCurve,
    Estimate,
    Measure,
    NegativeRadicand,
    Power,
    SellerCosts,
    SweepPoint,
    estimate,
    evaluate,
    project,
    wasserstein,
)

SWEEP = (0.25, 0.5, 0.75)
SWEEPS = (SWEEP, (0.1, 0.2, 0.9), (0.2, 0.35, 0.5, 0.65, 0.8), (0.04, 0.05, 0.5, 0.6))


def asked(
    buyer: Measure,
    seller: Measure,
    reference: Measure,
    push: float,
    sweep: Sequence[float] = SWEEP,
    p: Power = 2,
) -> tuple[Estimate, DistanceCurve]:
    """Evaluate a request; return its estimate and its curve."""
    own, theirs = project(buyer, reference), project(seller, reference)
    pushed = own.interpolate(push)
    costs = SellerCosts.from_measures("s", {s: theirs.interpolate(s) for s in sweep}, pushed, p)
    curve = evaluate(pushed.weights, [costs], sweep, p=p).grand_coalition
    found = estimate(curve, push, buyer_spread=own.spread, seller_spread=theirs.spread)
    return found, curve


def exact_cost(xs: Sequence[float], ys: Sequence[float], p: int) -> Fraction:
    """Return the exact W_p^p of equally heavy numbers: mass moves in ascending order."""
    x, y = sorted(map(Fraction, xs)), sorted(map(Fraction, ys))
    cost, done, i, j = Fraction(0), Fraction(0), 0, 0
    while done < 1:
        until = min(Fraction(i + 1, len(x)), Fraction(j + 1, len(y)))
        cost += (until - done) * abs(x[i] - y[j]) ** p
        i += until == Fraction(i + 1, len(x))
        j += until == Fraction(j + 1, len(y))
        done = until
    return cost


def assert_consistent(found: Estimate, curve: DistanceCurve, push: float) -> None:
    """Check that the value is in the bracket, this in the interval, and that solved s are exact."""
    assert found.bracket is not None
    assert found.interval is not None
    assert found.bracket[0] <= found.value <= found.bracket[1]
    assert found.interval[0] <= found.bracket[0] <= found.bracket[1] <= found.interval[1]
    assert found.value == curve.distance(push) / (1 - push)
    for point in curve.points:
        assert curve.distance(point.s) == pytest.approx(point.cost ** (1 / curve.p), rel=1e-15)
        bracket = curve.bracket(point.s)
        assert bracket is not None
        lower, upper = bracket
        assert lower <= curve.distance(point.s) ** 2 * (1 + 1e-15)
        assert curve.distance(point.s) ** 2 <= upper * (1 + 1e-15)


@pytest.mark.parametrize("scale", [1e6, 1e7, 1e8])
def test_far_from_the_origin_the_first_distance_is_the_solved_one_at_a_push_of_the_sweep(
    scale: float,
) -> None:
    rng = np.random.default_rng(0)
    buyer = Measure(scale + rng.normal(size=(30, 2)))
    seller = Measure(scale + 1 + rng.normal(size=(25, 2)))
    found, curve = asked(buyer, seller, Measure(rng.normal(size=(1, 2))), 0.5, p=1)
    assert found.value == pytest.approx(wasserstein(buyer, seller, 1).value, rel=1e-14 * scale)
    assert_consistent(found, curve, 0.5)


def test_the_first_distance_before_the_sweep_lies_in_its_interval() -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        buyer = Measure(rng.normal(6, 2, (20, 3)))
        seller = Measure(rng.normal(8, 2, (24, 3)) + 3)
        found, curve = asked(buyer, seller, Measure(rng.normal(size=(1, 3))), 0.1, p=1)
        assert_consistent(found, curve, 0.1)


def test_the_second_distance_lies_in_its_bracket_with_three_reference_points() -> None:
    rng = np.random.default_rng(1)
    for _ in range(40):
        buyer = Measure(rng.normal(size=(12, 3)))
        seller = Measure(rng.normal(0.3, 1, (15, 3)))
        found, curve = asked(buyer, seller, Measure(rng.normal(size=(3, 3))), 0.1)
        assert_consistent(found, curve, 0.1)


@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize("k", [1, 4])
def test_values_and_intervals_are_consistent_whatever_is_asked(p: Power, k: int) -> None:
    rng = np.random.default_rng(10 * p + k)
    for number in range(12):
        scale, offset = 10.0 ** rng.integers(-4, 7, size=2)
        d = int(rng.integers(1, 4))
        buyer = Measure(scale * rng.normal(size=(int(rng.integers(2, 14)), d)) + offset)
        seller = Measure(scale * weighted(rng, int(rng.integers(2, 14)), d).points + offset)
        reference = Measure(rng.normal(size=(k, d)) * scale)
        sweep = SWEEPS[number % len(SWEEPS)]
        push = float(rng.choice([*sweep, *rng.uniform(0.01, 0.95, 3)]))
        try:
            found, curve = asked(buyer, seller, reference, push, sweep, p)
        except NegativeRadicand as error:
            assert error.bracket is not None
            continue
        assert_consistent(found, curve, push)
        for s in np.linspace(0, 1, 21):
            bracket = curve.bracket(s)
            assert bracket is not None
            lower, upper = bracket
            try:
                assert lower <= curve.distance(s) ** 2 * (1 + 1e-15)
                assert curve.distance(s) ** 2 <= upper * (1 + 1e-15)
            except NegativeRadicand as error:
                assert error.bracket == (lower, upper)


@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize("k", [1, 3])
def test_the_interval_holds_the_exact_distance_on_a_line(p: Power, k: int) -> None:
    rng = np.random.default_rng(100 * p + k)
    for number in range(30):
        scale, offset = 10.0 ** rng.integers(-3, 8, size=2)
        xs = scale * rng.normal(size=int(rng.integers(2, 9))) + offset
        ys = scale * rng.normal(size=int(rng.integers(2, 9))) + offset
        if number % 3 == 0:
            ys[0] = xs[0]
        reference = Measure(rng.normal(size=(k, 1)) * scale)
        push = float(rng.choice([*SWEEP, *rng.uniform(0.01, 0.95, 3)]))
        try:
            found, _ = asked(Measure(xs[:, None]), Measure(ys[:, None]), reference, push, p=p)
        except NegativeRadicand:
            continue
        assert found.interval is not None
        low, high = map(Fraction, found.interval)
        # Allow for the rounding of the root and of the division.
        slack = 1 + Fraction(1, 2**50)
        assert (low / slack) ** p <= exact_cost(xs, ys, p) <= (high * slack) ** p


def test_three_solved_values_leave_the_papers_quadratic() -> None:
    curve = made_curve([4.0, 3.0, 3.5])
    for s in np.linspace(0, 1, 11):
        assert curve.distance(s) ** 2 == pytest.approx(curve.fit(s), rel=1e-12)


def test_through_more_values_the_curve_is_continuous_and_meets_them_all() -> None:
    sweep = (0.1, 0.3, 0.5, 0.7, 0.9)
    curve = made_curve([4.0, 3.0, 2.5, 2.6, 3.5], sweep)
    s = np.linspace(0, 1, 4001)
    values = np.array([curve.distance(each) for each in s])
    assert np.abs(np.diff(values)).max() < 2e-3
    for point in curve.points:
        assert curve.distance(point.s) ** 2 == pytest.approx(point.cost, rel=1e-15)


def test_more_values_that_lie_on_one_quadratic_give_it_everywhere() -> None:
    sweep = np.array([0.1, 0.3, 0.5, 0.7, 0.9])
    curve = made_curve(5 - 3 * sweep + 2 * sweep**2, tuple(sweep))
    for s in np.linspace(0, 1, 11):
        assert curve.distance(s) ** 2 == pytest.approx(5 - 3 * s + 2 * s**2, rel=1e-12)


def test_where_nothing_is_solved_the_curve_stays_in_the_bracket() -> None:
    # The quadratic through these costs leaves the bracket, because it changes too fast.
    certificates = [Certificate(c, c, 0.0, 0.0, "given", "1", 1) for c in (3.0, 2.0, 3.0)]
    points = tuple(SweepPoint(s, c.primal, c) for s, c in zip(SWEEP, certificates, strict=True))
    curve = DistanceCurve(1, points, displacement=5.0)
    assert curve.fit(0.0) > 9.0 * 2
    assert curve.distance(0.0) == pytest.approx(3.0 + 0.25 * 5.0)


@pytest.mark.parametrize("p", [1, 2])
def test_the_order_of_rows_changes_nothing(p: Power) -> None:
    rng = np.random.default_rng(7)
    buyer, seller, reference = gaussian(rng, 14, 3), weighted(rng, 17, 3), gaussian(rng, 1, 3)
    order = rng.permutation(17)
    one, _ = asked(buyer, seller, reference, 0.3, p=p)
    other, _ = asked(
        buyer, Measure(seller.points[order], seller.weights[order]), reference, 0.3, p=p
    )
    assert one.value == pytest.approx(other.value, rel=1e-12)


@pytest.mark.parametrize("dual", [1.0 + 1e-15, 1.0])
def test_a_dual_value_that_rounding_raised_does_not_shut_the_value_out(dual: float) -> None:
    certificate = Certificate(1.0, dual, 0.0, 0.0, "given", "1", 1)
    curve = DistanceCurve(2, tuple(SweepPoint(s, 1.0, certificate) for s in SWEEP))
    bracket = curve.bracket(0.5)
    assert bracket is not None
    assert bracket[0] <= 1.0 == curve.distance(0.5)


def test_a_mean_shift_that_rounding_raised_does_not_shut_the_value_out() -> None:
    certificate = Certificate(1.0, 1.0, 0.0, 0.0, "given", "1", 1)
    points = tuple(SweepPoint(s, 1.0, certificate, mean_shift=1.0 + 1e-9) for s in SWEEP)
    curve = DistanceCurve(2, points)
    found = estimate(curve, 0.5, buyer_spread=0.0, seller_spread=0.0)
    assert found.value == 2.0
    assert found.bracket is not None
    assert found.interval is not None
    assert found.interval[0] <= found.bracket[0] <= 2.0


def test_the_first_distance_is_exact_at_every_solved_push_of_two_lone_points() -> None:
    reference = Measure([[1.0, 2.0]])
    for push in SWEEP:
        found, curve = asked(Measure([[0.0, 0.0]]), Measure([[3.0, 4.0]]), reference, push, p=1)
        assert found.value == pytest.approx(5.0, rel=1e-14)
        assert_consistent(found, curve, push)


def test_solved_curves_of_both_kinds_are_met_at_their_solved_values() -> None:
    rng = np.random.default_rng(8)
    for p in (1, 2):
        curve, projection, eta = solved_curve(
            gaussian(rng, 9, 2), weighted(rng, 11, 2), gaussian(rng, 4, 2), 0.3, SWEEPS[2], p
        )
        for s in curve.sweep:
            true = wasserstein(projection.interpolate(s), eta, p).value
            assert curve.distance(s) == pytest.approx(true, rel=1e-12)


@pytest.mark.parametrize("sweep", [SWEEP, (0.1, 0.3, 0.6, 0.7, 0.9)])
def test_two_lone_points_have_the_first_distance_of_their_segment_at_every_push(
    sweep: tuple[float, ...],
) -> None:
    # ‖(1 − s) y + s γ − η‖² is one quadratic in s.
    x, y, gamma = np.array([4.0, -1.0]), np.array([1.0, 2.0]), np.array([-2.0, 3.0])
    curve, _, eta = solved_curve(Measure([x]), Measure([y]), Measure([gamma]), 0.3, sweep, p=1)
    for s in np.linspace(0, 1, 21):
        true = np.linalg.norm((1 - s) * y + s * gamma - eta.points[0])
        assert curve.distance(s) == pytest.approx(true, rel=1e-12)
        assert curve.fit(s) == pytest.approx(true**2, rel=1e-12)


def bracket_of_a_line(s: float, error: float, start: float = 2.0) -> tuple[float, float]:
    """Return the bracket of W_1 = start + 4 s, if all costs and the speed have errors."""
    speed, rounding = 4.0, 2.0**-6
    points = tuple(SweepPoint(each, start + speed * each + error, None) for each in SWEEP)
    worst = 2 * rounding / (SWEEP[-1] - SWEEP[0])
    curve = DistanceCurve(1, points, displacement=speed - worst, rounding=rounding)
    bracket = curve.bracket(s)
    assert bracket is not None
    return bracket


def test_costs_and_speeds_wrong_by_their_rounding_leave_the_first_distance_in_the_bracket() -> None:
    # All numbers are multiples of powers of two, so the worst case is reached exactly.
    assert bracket_of_a_line(1.0, error=-(2.0**-6))[1] == 6.0**2
    assert bracket_of_a_line(0.0, error=2.0**-6)[0] == 2.0**2
    assert bracket_of_a_line(0.5, error=2.0**-6)[0] == 4.0**2
    assert bracket_of_a_line(0.5, error=-(2.0**-6))[1] == 4.0**2


def test_a_bracket_of_the_first_distance_does_not_go_below_zero() -> None:
    assert bracket_of_a_line(0.1, error=0.0, start=-0.75)[0] == 0.0


def test_without_a_bracket_the_first_distance_is_known_within_the_rounding_of_its_costs() -> None:
    rounding = 1e-6
    points = tuple(
        SweepPoint(s, cost, None) for s, cost in zip(SWEEP, (2.0, 2.0, 2.0), strict=True)
    )
    curve = DistanceCurve(1, points, rounding=rounding)
    assert curve.bracket(0.4) is None
    low, high = curve.tie_interval(0.4)
    moved = [
        DistanceCurve(
            1,
            tuple(
                SweepPoint(point.s, point.cost + sign * rounding, None)
                for point, sign in zip(points, signs, strict=True)
            ),
        ).distance(0.4)
        for signs in itertools.product((-1, 1), repeat=3)
    ]
    assert low <= min(moved) < max(moved) <= high
    assert high - low == pytest.approx(max(moved) - min(moved), rel=1e-5)
