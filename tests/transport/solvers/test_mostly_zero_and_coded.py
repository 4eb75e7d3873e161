"""Data of mostly zeros or codes, as in real tables, compared with exact integer results.

If most costs are 0, or a code such as 999999 is far above the rest, no typical cost sets a scale.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from tests.transport.integers import KINDS, Points, exact_cost, squared_distances
from wassay.transport import (
    Certificate,
    Measure,
    NotCertified,
    PointCost,
    Power,
    SellerCosts,
    evaluate,
    pair_subproblems,
    pairwise_distances,
    solve,
    solve_batch,
    solve_pair,
    wasserstein,
)
from wassay.transport.solvers import batch

SIZES = {
    "10 equal": (10, 10, 10),
    "200 equal": (200, 200, 200),
    "20 and 30": (20, 30, 60),
    "200 and 300": (200, 300, 600),
    "unequal weights": (100, 150, 600),
    "600 equal": (600, 600, 600),
}


def drawn(kind: str, sizes: str, seed: int = 0) -> tuple[Points, Points, Points, Points]:
    """Draw points of both sides, with their integer multiplicities."""
    rng = np.random.default_rng(seed)
    n, m, total = SIZES[sizes]
    x, y = KINDS[kind](rng, n), KINDS[kind](rng, m)
    if sizes == "unequal weights":
        x_times, y_times = (1 + rng.multinomial(total - k, np.full(k, 1 / k)) for k in (n, m))
    else:
        x_times, y_times = (np.full(k, total // k) for k in (n, m))
    return x, y, x_times, y_times


def assert_exact(
    certificate: Certificate, expected: Fraction | float, tolerance: float = 1e-9
) -> None:
    assert certificate.relative_gap <= tolerance
    assert certificate.primal == pytest.approx(float(expected), rel=tolerance, abs=0)
    assert certificate.dual <= float(expected) * (1 + 1e-9)


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("kind", KINDS)
def test_the_cost_is_that_of_exact_integers(kind: str, sizes: str) -> None:
    x, y, x_times, y_times = drawn(kind, sizes)
    expected = exact_cost(x, y, x_times, y_times)
    weights = x_times / x_times.sum(), y_times / y_times.sum()
    points = PointCost(Measure(x.astype(np.float64)), Measure(y.astype(np.float64)))
    for cost in (points, squared_distances(x, y)):
        assert_exact(solve(cost, *weights).certificate, expected)


@pytest.mark.parametrize("kind", KINDS)
def test_column_generation_and_coarse_tolerances_contain_the_exact_cost(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    x, y, x_times, y_times = drawn(kind, "unequal weights", seed=1)
    expected = exact_cost(x, y, x_times, y_times)
    weights = x_times / x_times.sum(), y_times / y_times.sum()
    monkeypatch.setattr("wassay.transport.solvers.solve.MAX_DENSE_PAIRS", 0)
    for tolerance in (1e-9, 1e-2):
        found = solve(squared_distances(x, y), *weights, tolerance=tolerance).certificate
        assert_exact(found, expected, tolerance)


@pytest.mark.parametrize("kind", KINDS)
def test_batches_of_weights_contain_the_exact_cost(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    x, y, x_times, y_times = drawn(kind, "unequal weights", seed=2)
    monkeypatch.setattr(batch, "MAX_DENSE_PAIRS", 0)
    b = y_times / y_times.sum()
    others = np.roll(x_times, 1)
    found = solve_batch(
        squared_distances(x, y), [(times / times.sum(), b) for times in (x_times, others)]
    )
    for solution, times in zip(found, (x_times, others), strict=True):
        assert_exact(solution.certificate, exact_cost(x, y, times, y_times))


@pytest.mark.parametrize("code", [0, 999_999, 10**8])
@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize("sizes", [(60, 40), (600, 400), (600, 599), (600, 600)])
def test_amounts_on_a_line_meet_in_order(sizes: tuple[int, int], p: Power, code: int) -> None:
    rng = np.random.default_rng(3)
    x, y = (np.where(rng.random(k) < 0.8, 0, rng.integers(0, 100, k)) for k in sizes)
    if code:
        x[: sizes[0] // 20], y[: sizes[1] // 20] = code, code
    whole = math.lcm(*sizes)
    one, other = (np.sort(np.repeat(each, whole // len(each))) for each in (x, y))
    apart, times = np.unique(np.abs(one - other), return_counts=True)
    expected = sum(int(d) ** p * int(count) for d, count in zip(apart, times, strict=True)) / whole
    mu, nu = (Measure(each[:, None].astype(np.float64)) for each in (x, y))
    certificate = wasserstein(mu, nu, p).certificate
    assert_exact(certificate, expected)
    assert certificate.solver == "sorting"


@pytest.fixture
def two_coded_records() -> tuple[Measure, Measure]:
    """Two measures of ten records with W_2² = 0.4: most records are zero, and one is a code."""
    x, y = np.zeros((10, 2)), np.zeros((10, 2))
    x[0] = y[0] = 1e7
    x[6], x[9] = (1, 2), (0, 2)
    y[6], y[8] = (1, 0), (0, 2)
    return Measure(x), Measure(y)


def test_most_costs_are_zero_and_one_is_huge(two_coded_records: tuple[Measure, Measure]) -> None:
    expected = 0.4
    found = wasserstein(*two_coded_records)
    assert_exact(found.certificate, expected)
    root = math.sqrt(expected)
    assert pairwise_distances(two_coded_records)[0, 1] == pytest.approx(root, rel=1e-12)
    (problem,) = pair_subproblems(["one", "other"], 0.5)
    assert_exact(solve_pair(problem, *two_coded_records).point.certificate, expected)


def test_an_evaluation_contains_the_exact_cost(two_coded_records: tuple[Measure, Measure]) -> None:
    seller, buyer = two_coded_records
    sweep = (0.25, 0.5, 0.75)
    costs = [
        SellerCosts.from_measures(name, dict.fromkeys(sweep, seller), buyer) for name in ("a", "b")
    ]
    found = evaluate(buyer.weights, costs, sweep)
    curves = [found.grand_coalition, *found.singleton.values(), *found.leave_one_out.values()]
    for point in (point for curve in curves for point in curve.points):
        assert point.certificate is not None
        assert_exact(point.certificate, 0.4)


@pytest.mark.parametrize("copies", [1, 3])
def test_equal_measures_are_at_distance_zero_for_any_code(copies: int) -> None:
    rng = np.random.default_rng(4)
    for kind in KINDS.values():
        x = kind(rng, 60).astype(np.float64)
        repeated = Measure(np.repeat(x, copies, axis=0))
        certificate = wasserstein(Measure(x), repeated).certificate
        assert (certificate.primal, certificate.dual) == (0, 0)


def test_costs_that_cancel_are_rejected_with_advice() -> None:
    cost = np.array([[-1.0, 3.0, 3.0], [3.0, -1.0, 3.0], [3.0, 3.0, 2.0]]) / 3
    even = np.full(3, 1 / 3)
    with pytest.raises(NotCertified, match="none is negative") as caught:
        solve(cost, even, even)
    assert caught.value.certificate.relative_gap > 1e-9
    assert solve(cost + 1, even, even).cost == pytest.approx(1, rel=1e-12)


@pytest.mark.parametrize("tolerance", [0.0, 1e-17])
def test_a_tolerance_that_float64_cannot_reach_is_the_cause_and_not_the_data(
    tolerance: float,
) -> None:
    rng = np.random.default_rng(5)
    cost = rng.random((30, 40))
    weights = np.full(30, 1 / 30), np.full(40, 1 / 40)
    with pytest.raises(NotCertified, match="tolerance of at least 1e-12"):
        solve(cost, *weights, tolerance=tolerance)
    assert solve(cost, *weights, tolerance=1e-12).certificate.relative_gap <= 1e-12


def test_a_cost_lost_in_rounding_is_rejected_and_names_the_outlier() -> None:
    """The cost of moving a tiny mass is below the rounding errors of costs between clusters."""
    rng = np.random.default_rng(6)
    x, y = rng.normal(size=(40, 3)), rng.normal(size=(40, 3))
    x[:20] += 1e9
    y[:20] += 1e9
    x[7] *= 2
    even = np.full(40, 1 / 40)
    uneven = even.copy()
    uneven[[0, 39]] += 1e-12, -1e-12
    y[0] = x[7]
    with pytest.raises(NotCertified, match=r"scale the columns.*farthest is in row 7") as caught:
        wasserstein(Measure(x, even), Measure(y, uneven))
    assert "iterations" not in str(caught.value)
    assert caught.value.certificate.relative_gap > 1e-9
