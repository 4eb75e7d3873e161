"""Column generation on a pair list gives the same results as a solver over all pairs."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import ot
import pytest
from numpy.typing import NDArray

from tests.transport.samples import gaussian, random_weights
from tests.transport.solvers.test_solve import assert_certified
from wassay.transport import (
    GivenCost,
    Measure,
    NotCertified,
    PointCost,
    Power,
    StackedCost,
    TransportError,
    cost_block,
    interpolate,
    solve,
    wasserstein,
)


@pytest.fixture(autouse=True)
def list_pairs_at_any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wassay.transport.solvers.solve.MAX_DENSE_PAIRS", 0)


@pytest.mark.parametrize(
    "shape", [(1, 1), (1, 50), (50, 1), (2, 2), (120, 120), (90, 160), (5, 960)]
)
@pytest.mark.parametrize("dimension", [1, 2, 50])
@pytest.mark.parametrize("uniform", [True, False])
def test_it_agrees_with_an_outside_solver(
    shape: tuple[int, int], dimension: int, uniform: bool
) -> None:
    rng = np.random.default_rng(shape[0] + shape[1] + dimension)
    x, y = rng.normal(size=(shape[0], dimension)), rng.normal(size=(shape[1], dimension))
    a, b = (np.full(n, 1 / n) if uniform else random_weights(rng, n) for n in shape)
    cost = cost_block(x, y)
    solution = solve(cost, a, b)
    assert_certified(cost, a, b, solution)
    assert solution.cost == pytest.approx(ot.emd2(a, b, cost, numItermax=10**7), rel=1e-9)


@pytest.mark.parametrize("shape", [(80, 80), (80, 120)])
@pytest.mark.parametrize(
    "make",
    [
        lambda rng, shape: np.full(shape, 2.0),
        lambda rng, shape: np.zeros(shape),
        lambda rng, shape: rng.integers(0, 3, shape).astype(float),
        lambda rng, shape: 1 + 1e-12 * rng.random(shape),
        lambda rng, shape: rng.random(shape) * 1e150,
        lambda rng, shape: rng.random(shape) * 1e-150,
        lambda rng, shape: rng.random(shape) - 0.5,
        lambda rng, shape: 10.0 ** rng.uniform(-9, 0, shape),
    ],
)
def test_ties_and_costs_of_any_magnitude_are_solved(
    shape: tuple[int, int],
    make: Callable[[np.random.Generator, tuple[int, int]], NDArray[np.float64]],
) -> None:
    cost = make(np.random.default_rng(0), shape)
    a, b = (np.full(n, 1 / n) for n in shape)
    solution = solve(cost, a, b)
    assert_certified(cost, a, b, solution)
    largest = np.abs(cost).max()
    expected = largest * ot.emd2(a, b, cost / largest, numItermax=10**7) if largest else 0.0
    assert solution.cost == pytest.approx(expected, rel=1e-8, abs=1e-13 * largest)


@pytest.mark.parametrize("spread", [12, 30])
def test_weights_may_differ_by_many_orders_of_magnitude(spread: int) -> None:
    rng = np.random.default_rng(spread)
    a, b = 10.0 ** rng.uniform(-spread, 0, 100), 10.0 ** rng.uniform(-spread, 0, 130)
    a, b = a / a.sum(), b / b.sum()
    cost = cost_block(rng.normal(size=(100, 3)), rng.normal(size=(130, 3)))
    solution = solve(cost, a, b)
    assert_certified(cost, a, b, solution)


@pytest.mark.parametrize("distance", [1e2, 1e4])
def test_clusters_far_apart_are_solved_to_the_same_digits(distance: float) -> None:
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(90, 3)), rng.normal(size=(135, 3)) + 0.3
    x[::3] += distance
    y[::3] += distance
    a, b = np.full(90, 1 / 90), np.full(135, 1 / 135)
    inside = ot.emd2([], [], cost_block(x[::3], y[::3]), numItermax=10**7)
    others = [np.arange(len(points)) % 3 > 0 for points in (x, y)]
    outside = ot.emd2([], [], cost_block(x[others[0]], y[others[1]]), numItermax=10**7)
    expected = inside / 3 + 2 * outside / 3
    assert solve(cost_block(x, y), a, b).cost == pytest.approx(expected, rel=1e-7)


@pytest.mark.parametrize("far", [1e4, 1e6, 1e8])
@pytest.mark.parametrize("few_pairs", [0, 10**9])
def test_outliers_in_both_measures_cost_no_digit(
    far: float, few_pairs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Records such as 999999 for missing values match each other; the others are unaffected."""
    monkeypatch.setattr("wassay.transport.solvers.solve.MAX_DENSE_PAIRS", few_pairs)
    rng = np.random.default_rng(4)
    x, y = rng.normal(size=(120, 3)), rng.normal(size=(120, 3))
    x[:2] = [[far, 0, 0], [0, far, 0]]
    y[:2] = x[:2]
    expected = ot.emd2([], [], cost_block(x[2:], y[2:]), numItermax=10**7) * 118 / 120
    certificate = wasserstein(Measure(x), Measure(y)).certificate
    assert certificate.primal == pytest.approx(expected, rel=1e-12)
    assert certificate.dual == pytest.approx(expected, rel=1e-9)


def test_costs_of_too_many_orders_of_magnitude_are_certified_or_rejected() -> None:
    rng = np.random.default_rng(0)
    for spread in (3, 6, 10, 20):
        cost = np.exp(spread * rng.normal(size=(60, 80)))
        a, b = np.full(60, 1 / 60), np.full(80, 1 / 80)
        try:
            certificate = solve(cost, a, b).certificate
        except NotCertified as error:
            assert error.certificate.relative_gap > 1e-9
        else:
            assert certificate.relative_gap <= 1e-9


@pytest.mark.parametrize("push", [0.3, 0.9, 1.0])
@pytest.mark.parametrize("k", [20, 200])
def test_near_ties_of_pushed_measures_are_certified(push: float, k: int) -> None:
    rng = np.random.default_rng(2)
    reference = gaussian(rng, k, 5)
    mu = interpolate(gaussian(rng, 200, 5), reference, push)
    nu = interpolate(gaussian(rng, 200, 5), reference, push)
    cost = cost_block(mu.points, nu.points)
    assert_certified(cost, mu.weights, nu.weights, solve(cost, mu.weights, nu.weights))


def test_costs_larger_than_the_memory_budget_give_the_same_result(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    mu, nu = gaussian(rng, 700, 10), gaussian(rng, 900, 10)
    matrix = cost_block(mu.points, nu.points)
    np.save(tmp_path / "cost.npy", matrix)
    mapped = np.load(tmp_path / "cost.npy", mmap_mode="r")
    halves = [Measure(mu.points[:400]), Measure(mu.points[400:])]
    expected = ot.emd2([], [], matrix, numItermax=10**7)
    for cost in (
        PointCost(mu, nu),
        GivenCost(mapped),
        StackedCost([PointCost(half, nu) for half in halves]),
    ):
        solution = solve(cost, mu.weights, nu.weights, memory_budget_bytes=0)
        assert solution.cost == pytest.approx(expected, rel=1e-9)
        assert_certified(matrix, mu.weights, nu.weights, solution)


@pytest.mark.parametrize("scale", [1e-300, 1e-60, 1e60, 1e300])
def test_costs_of_any_magnitude_are_read_in_blocks(scale: float) -> None:
    rng = np.random.default_rng(8)
    cost = rng.random((60, 80))
    a, b = np.full(60, 1 / 60), np.full(80, 1 / 80)
    expected = ot.emd2(a, b, cost, numItermax=10**7)
    solution = solve(cost * scale, a, b, memory_budget_bytes=0)
    assert solution.cost == pytest.approx(expected * scale, rel=1e-9)


def test_points_without_mass_are_left_out_of_blocks() -> None:
    rng = np.random.default_rng(4)
    mu, nu = gaussian(rng, 300, 4), gaussian(rng, 260, 4)
    a, b = random_weights(rng, 300), random_weights(rng, 260)
    a[:50], b[::7] = 0, 0
    a, b = a / a.sum(), b / b.sum()
    matrix = cost_block(mu.points, nu.points)
    expected = solve(matrix, a, b)
    streamed = solve(PointCost(mu, nu), a, b, memory_budget_bytes=0)
    assert_certified(matrix, a, b, streamed)
    assert streamed.cost == pytest.approx(ot.emd2(a, b, matrix, numItermax=10**7), rel=1e-9)
    assert streamed.cost == pytest.approx(expected.cost, rel=1e-9)


@pytest.mark.parametrize("iterations", [1, 30, 300])
def test_too_few_iterations_give_an_interval_that_contains_the_cost(iterations: int) -> None:
    rng = np.random.default_rng(5)
    cost = cost_block(rng.normal(size=(300, 5)), rng.normal(size=(400, 5)))
    a, b = np.full(300, 1 / 300), np.full(400, 1 / 400)
    with pytest.raises(NotCertified) as caught:
        solve(cost, a, b, max_iterations=iterations)
    true = ot.emd2(a, b, cost, numItermax=10**7)
    assert caught.value.certificate.dual <= true <= caught.value.certificate.primal


def test_the_first_invalid_cost_of_a_later_block_is_named() -> None:
    cost = np.ones((4000, 300))
    cost[3500, 7] = np.nan
    with pytest.raises(TransportError, match="row 3500, column 7"):
        solve(cost, np.full(4000, 1 / 4000), np.full(300, 1 / 300))


@pytest.mark.parametrize("p", [1, 2])
def test_both_orders_are_certified(p: Power) -> None:
    rng = np.random.default_rng(6)
    mu, nu = gaussian(rng, 150, 3), gaussian(rng, 210, 3)
    expected = ot.emd2([], [], cost_block(mu.points, nu.points, p), numItermax=10**7) ** (1 / p)
    assert wasserstein(mu, nu, p).value == pytest.approx(expected, rel=1e-9)


def test_few_rows_and_many_columns_need_one_round() -> None:
    n, m = 10, 26_000
    cost = np.random.default_rng(0).random((n, m))
    a, b = np.full(n, 1 / n), np.full(m, 1 / m)
    solution = solve(cost, a, b)
    assert solution.certificate.rounds == 1  # the first pair list contains all pairs that matter
    assert solution.certificate.relative_gap <= 1e-9


@pytest.mark.parametrize("noise", [1e-8, 1e-6, 1e-4])
def test_a_plan_cost_far_below_the_costs_is_certified_to_its_own_digits(noise: float) -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(100, 2))
    y = np.repeat(x, 2, axis=0) + noise * rng.normal(size=(200, 2))
    certificate = solve(cost_block(x, y), np.full(100, 1 / 100), np.full(200, 1 / 200)).certificate
    assert 0 < certificate.primal < 3 * noise**2
    assert certificate.relative_gap <= 1e-9


def test_costs_beyond_the_range_of_float32_are_read_in_blocks() -> None:
    rng = np.random.default_rng(0)
    cost = rng.random((60, 60)) * np.where(rng.random((60, 60)) < 0.3, 1e42, 1e17)
    a = np.full(60, 1 / 60)
    solution = solve(cost, a, a, memory_budget_bytes=0)
    assert solution.cost == pytest.approx(solve(cost, a, a).cost, rel=1e-9)


@pytest.mark.parametrize("name", ["heavy tails", "clusters"])
def test_the_first_pair_list_nearly_suffices_where_points_are_far_from_others(name: str) -> None:
    rng, sizes = np.random.default_rng(0), (1000, 1300)
    if name == "clusters":  # the columns have points in 20 of them only
        centres = 3 * rng.normal(size=(25, 20))
        x, y = (
            centres[rng.integers(25 - 5 * side, size=size)] + 0.5 * rng.normal(size=(size, 20))
            for side, size in enumerate(sizes)
        )
    else:
        x, y = (rng.standard_t(2.5, size=(size, 20)) for size in sizes)
    a, b = (np.full(size, 1 / size) for size in sizes)
    solution = solve(PointCost(Measure(x), Measure(y)), a, b)
    assert_certified(cost_block(x, y), a, b, solution)
    assert solution.certificate.rounds <= 3


def test_pairs_that_became_likely_for_far_points_are_in_the_first_pair_list() -> None:
    sizes, rounds = (1200, 1500), 0
    a, b = (np.full(size, 1 / size) for size in sizes)
    for seed in range(4):
        rng = np.random.default_rng(seed)
        x, y = (rng.standard_t(2, size=(size, 50)) for size in sizes)
        solution = solve(PointCost(Measure(x), Measure(y)), a, b)
        assert_certified(cost_block(x, y), a, b, solution)
        rounds += solution.certificate.rounds
    assert rounds <= 6  # without these pairs it takes two or three rounds each
