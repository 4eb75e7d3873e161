from collections.abc import Callable
from typing import Any

import numpy as np
import ot
import pytest
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import linear_sum_assignment, linprog
from scipy.stats import wasserstein_distance

from tests.transport.samples import gaussian, random_weights, weighted
from wassay.transport import (
    GivenCost,
    InvalidMeasure,
    Measure,
    NotCertified,
    Power,
    Solution,
    TransportError,
    cost_block,
    interpolate,
    solve,
    wasserstein,
)


def assert_certified(
    cost: ArrayLike,
    row_weights: NDArray[np.float64],
    column_weights: NDArray[np.float64],
    solution: Solution,
) -> None:
    """Recompute the certificate from the plan and the potentials, and compare."""
    cost = np.asarray(cost, dtype=np.float64)
    plan = np.zeros(cost.shape)
    np.add.at(plan, (solution.rows, solution.columns), solution.mass)
    largest = np.abs(cost).max()
    assert (plan >= 0).all()
    np.testing.assert_allclose(plan.sum(axis=1), row_weights, atol=1e-12)
    np.testing.assert_allclose(plan.sum(axis=0), column_weights, atol=1e-12)
    dual = solution.f @ row_weights + solution.g @ column_weights
    support = np.ix_(np.asarray(row_weights) > 0, np.asarray(column_weights) > 0)
    slack = (cost - solution.f[:, None] - solution.g)[support]
    assert slack.min() >= -1e-14 * largest
    primal = (plan * cost).sum()
    assert primal - dual <= 1e-9 * abs(primal) + 1e-12 * largest
    assert solution.cost == pytest.approx(primal, rel=1e-12, abs=1e-14 * largest)
    assert solution.certificate.dual <= solution.certificate.primal + 1e-14 * largest


def by_linear_programming(
    cost: NDArray[np.float64], row_weights: NDArray[np.float64], column_weights: NDArray[np.float64]
) -> float:
    """Return the optimal cost, solved by scipy as a general linear program."""
    n, m = cost.shape
    rows = np.kron(np.eye(n), np.ones(m))
    columns = np.kron(np.ones(n), np.eye(m))
    found = linprog(
        cost.ravel(),
        A_eq=np.vstack([rows, columns]),
        b_eq=np.concatenate([row_weights, column_weights]),
        method="highs",
    )
    return float(found.fun)


@pytest.mark.parametrize("shape", [(1, 1), (1, 30), (30, 1), (17, 17), (40, 25), (5, 960)])
@pytest.mark.parametrize("p", [1, 2])
def test_the_cost_is_that_of_other_exact_solvers(shape: tuple[int, int], p: Power) -> None:
    rng = np.random.default_rng(shape[0] * shape[1])
    mu, nu = weighted(rng, shape[0], 4), weighted(rng, shape[1], 4)
    cost = cost_block(mu.points, nu.points, p)
    solution = solve(cost, mu.weights, nu.weights)
    assert_certified(cost, mu.weights, nu.weights, solution)
    pot = ot.emd2(mu.weights, nu.weights, cost, numItermax=10**7)
    assert solution.cost == pytest.approx(pot, rel=1e-9)
    if cost.size < 2000:
        assert solution.cost == pytest.approx(
            by_linear_programming(cost, mu.weights, nu.weights), rel=1e-7
        )


@pytest.mark.parametrize("size", [1, 2, 3, 50, 400])
def test_equal_sizes_with_uniform_weights_are_an_assignment(size: int) -> None:
    rng = np.random.default_rng(size)
    cost = cost_block(rng.normal(size=(size, 3)), rng.normal(size=(size, 3)))
    uniform = np.full(size, 1 / size)
    solution = solve(cost, uniform, uniform)
    assert_certified(cost, uniform, uniform, solution)
    assert solution.cost == pytest.approx(cost[linear_sum_assignment(cost)].mean(), rel=1e-12)


def test_in_one_dimension_the_distance_is_that_of_the_sorted_points() -> None:
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=300), rng.gumbel(size=300)
    mu, nu = Measure(x[:, None]), Measure(y[:, None])
    expected = np.mean((np.sort(x) - np.sort(y)) ** 2) ** 0.5
    assert wasserstein(mu, nu).value == pytest.approx(expected, rel=1e-12)
    assert wasserstein(mu, nu, 1).value == pytest.approx(wasserstein_distance(x, y), rel=1e-12)


def test_in_one_dimension_with_weights_the_distance_is_that_of_the_quantile_functions() -> None:
    rng = np.random.default_rng(1)
    mu, nu = weighted(rng, 40, 1), weighted(rng, 70, 1)
    expected = wasserstein_distance(mu.points[:, 0], nu.points[:, 0], mu.weights, nu.weights)
    assert wasserstein(mu, nu, 1).value == pytest.approx(expected, rel=1e-9)


def test_an_affine_symmetric_map_of_a_measure_is_at_the_distance_of_the_map() -> None:
    # The gradient of a convex function is optimal (Brenier), so the cost is known in closed form.
    rng = np.random.default_rng(2)
    mu = weighted(rng, 60, 3)
    root = rng.normal(size=(3, 3))
    images = mu.points @ (root @ root.T + np.eye(3)) + np.array([1.0, -2.0, 0.5])
    order = rng.permutation(60)
    nu = Measure(images[order], mu.weights[order])
    expected = mu.weights @ ((images - mu.points) ** 2).sum(axis=1)
    assert solve(cost_block(mu.points, nu.points), mu.weights, nu.weights).cost == pytest.approx(
        expected, rel=1e-9
    )


def test_the_papers_unbalanced_columns() -> None:
    # N(10,2)–N(50,3) and N(100,20)–N(50,30), d = 100, 80 against 200 points: mean and standard
    # deviation over seeds by an exact solver; the paper prints 401.47 and 593.20.
    rng = np.random.default_rng(3)
    near = wasserstein(gaussian(rng, 80, 100, 10, 2), gaussian(rng, 200, 100, 50, 3)).value
    far = wasserstein(gaussian(rng, 80, 100, 100, 20), gaussian(rng, 200, 100, 50, 30)).value
    assert near == pytest.approx(401.2, abs=1.0)
    assert far == pytest.approx(593.0, abs=9.0)


@pytest.mark.parametrize(
    ("std", "dimension", "expected", "deviation"),
    [(3, 100, 37.07, 0.11), (20, 100, 247.2, 0.7), (20, 400, 530.5, 0.7)],
)
def test_the_papers_unbalanced_columns_of_equal_laws(
    std: int, dimension: int, expected: float, deviation: float
) -> None:
    rng = np.random.default_rng(dimension + std)
    mu, nu = gaussian(rng, 80, dimension, 10, std), gaussian(rng, 200, dimension, 10, std)
    assert wasserstein(mu, nu).value == pytest.approx(expected, abs=4 * deviation)


@pytest.mark.parametrize("scale", [1e-150, 1e-12, 1e12, 1e150, 1e300])
@pytest.mark.parametrize("shape", [(30, 30), (30, 41)])
def test_costs_of_any_magnitude_are_solved_alike(scale: float, shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(4)
    cost = rng.random(shape)
    a, b = np.full(shape[0], 1 / shape[0]), np.full(shape[1], 1 / shape[1])
    plain, scaled = solve(cost, a, b), solve(cost * scale, a, b)
    assert scaled.cost == pytest.approx(plain.cost * scale, rel=1e-12)
    assert_certified(cost * scale, a, b, scaled)


@pytest.mark.parametrize("spread", [12, 30])
def test_weights_may_differ_by_many_orders_of_magnitude(spread: int) -> None:
    rng = np.random.default_rng(spread)
    a, b = 10.0 ** rng.uniform(-spread, 0, 100), 10.0 ** rng.uniform(-spread, 0, 130)
    a, b = a / a.sum(), b / b.sum()
    cost = cost_block(rng.normal(size=(100, 3)), rng.normal(size=(130, 3)))
    solution = solve(cost, a, b)
    assert_certified(cost, a, b, solution)
    assert solution.cost == pytest.approx(ot.emd2(a, b, cost), rel=1e-9)


@pytest.mark.parametrize("shape", [(60, 60), (60, 90)])
@pytest.mark.parametrize("ties", ["constant", "zero", "integers", "duplicates", "rounded"])
def test_ties_do_not_affect_the_certificate(shape: tuple[int, int], ties: str) -> None:
    rng = np.random.default_rng(5)
    x, y = rng.normal(size=(shape[0], 2)), rng.normal(size=(shape[1], 2))
    cost = {
        "constant": np.full(shape, 3.0),
        "zero": np.zeros(shape),
        "integers": rng.integers(0, 3, shape).astype(float),
        "duplicates": cost_block(np.repeat(x[:10], shape[0] // 10, 0), np.repeat(x[:6], 10, 0))
        if shape[1] == 60
        else cost_block(np.repeat(x[:10], 6, 0), np.repeat(x[:10], 9, 0)),
        "rounded": np.round(cost_block(x, y), 1),
    }[ties]
    a, b = np.full(shape[0], 1 / shape[0]), np.full(shape[1], 1 / shape[1])
    solution = solve(cost, a, b)
    assert_certified(cost, a, b, solution)
    assert solution.cost == pytest.approx(by_linear_programming(cost, a, b), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("push", [0.3, 0.9, 1.0])
@pytest.mark.parametrize("k", [20, 150])
def test_measures_pushed_to_one_reference_have_many_near_ties_and_are_still_certified(
    push: float, k: int
) -> None:
    rng = np.random.default_rng(6)
    reference = gaussian(rng, k, 5)
    mu = interpolate(gaussian(rng, 150, 5), reference, push)
    nu = interpolate(gaussian(rng, 150, 5), reference, push)
    cost = cost_block(mu.points, nu.points)
    solution = solve(cost, mu.weights, nu.weights)
    assert_certified(cost, mu.weights, nu.weights, solution)


@pytest.mark.parametrize("sizes", [(80, 80), (80, 120)])
@pytest.mark.parametrize("distance", [1e2, 1e4])
def test_distances_between_clusters_do_not_round_away_those_inside(
    sizes: tuple[int, int], distance: float
) -> None:
    rng = np.random.default_rng(7)
    x, y = rng.normal(size=(sizes[0], 3)), rng.normal(size=(sizes[1], 3)) + 0.3
    x[::4] += distance
    y[::4] += distance
    cost = cost_block(x, y)
    a, b = np.full(sizes[0], 1 / sizes[0]), np.full(sizes[1], 1 / sizes[1])
    solution = solve(cost, a, b)
    inside = ot.emd2([], [], cost_block(x[::4], y[::4]), numItermax=10**7)
    others = [np.arange(size) % 4 > 0 for size in sizes]
    outside = ot.emd2([], [], cost_block(x[others[0]], y[others[1]]), numItermax=10**7)
    assert solution.cost == pytest.approx(0.25 * inside + 0.75 * outside, rel=1e-7)


@pytest.mark.parametrize(("size", "dimension"), [(80, 8), (300, 8), (300, 1)])
@pytest.mark.parametrize("distance", [1e6, 1e8, 1e10])
def test_no_wrong_distance_is_certified_for_distant_clusters(
    size: int, dimension: int, distance: float
) -> None:
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=(size, dimension)), rng.normal(size=(size, dimension))
    x[::2] += distance
    y[::2] += distance
    inside = [
        ot.emd2([], [], cost_block(x[half], y[half]), numItermax=10**7)
        for half in (slice(0, None, 2), slice(1, None, 2))
    ]
    assert_near_or_refused(cost_block(x, y), sum(inside) / 2)


@pytest.mark.parametrize("ratio", [1e12, 1e15, 1e18, 1e150])
@pytest.mark.parametrize("seed", [0, 5, 7])
def test_no_wrong_cost_is_certified_beside_far_larger_ones(ratio: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    costs = cost_block(rng.normal(size=(90, 5)), rng.normal(size=(100, 5)))
    dear = rng.random(costs.shape) < 0.5
    expected = ot.emd2([], [], np.where(dear, 1e4, costs), numItermax=10**7)
    assert_near_or_refused(np.where(dear, costs * ratio, costs), expected)


def assert_near_or_refused(cost: NDArray[np.float64], expected: float) -> None:
    """Solve with equal weights; the result is the expected cost or an interval that contains it."""
    a, b = (np.full(size, 1 / size) for size in cost.shape)
    try:
        assert solve(cost, a, b).cost == pytest.approx(expected, rel=1e-6)
    except NotCertified as refusal:
        certificate = refusal.certificate
        assert certificate.dual <= expected * (1 + 1e-9)
        assert certificate.primal >= expected * (1 - 1e-9)


@pytest.mark.parametrize("sizes", [(50, 50), (50, 70)])
def test_identical_and_translated_measures_have_known_distances(sizes: tuple[int, int]) -> None:
    rng = np.random.default_rng(8)
    mu = Measure(rng.normal(size=(sizes[0], 4)), random_weights(rng, sizes[0]))
    assert wasserstein(mu, mu).value == 0
    moved = Measure(mu.points + 3.0, mu.weights)
    assert wasserstein(mu, moved).value == pytest.approx(6.0, rel=1e-12)


def test_points_without_mass_change_nothing_and_get_the_marginal_cost_of_mass() -> None:
    rng = np.random.default_rng(9)
    mu, nu = weighted(rng, 20, 3), weighted(rng, 30, 3)
    cost = cost_block(mu.points, nu.points)
    a, b = mu.weights.copy(), nu.weights.copy()
    a[[3, 11]], b[[0, 29]] = 0, 0
    a, b = a / a.sum(), b / b.sum()
    solution = solve(cost, a, b)
    assert_certified(cost, a, b, solution)
    assert solution.cost == pytest.approx(ot.emd2(a, b, cost), rel=1e-9)
    step = 1e-7
    for row in (3, 11):
        moved = (1 - step) * a
        moved[row] += step
        rate = (ot.emd2(moved, b, cost) - solution.cost) / step
        assert solution.f[row] - solution.f @ a == pytest.approx(rate, abs=1e-5)


@pytest.mark.parametrize(
    "variant",
    [
        lambda cost: cost.astype(np.float32),
        np.asfortranarray,
        lambda cost: np.repeat(cost, 2, axis=1)[:, ::2],
        lambda cost: cost.tolist(),
        lambda cost: np.frombuffer(cost.tobytes()).reshape(cost.shape),
        GivenCost,
    ],
)
def test_any_real_matrix_is_accepted_and_not_modified(
    variant: Callable[[NDArray[np.float64]], Any],
) -> None:
    rng = np.random.default_rng(10)
    cost = rng.integers(0, 2**20, (20, 33)) / 2**20
    a, b = random_weights(rng, 20), random_weights(rng, 33)
    given = variant(cost.copy())
    kept = None if isinstance(given, GivenCost) else np.array(given)
    assert solve(given, a, b).cost == pytest.approx(solve(cost, a, b).cost, rel=1e-12)
    assert kept is None or np.array_equal(kept, given)


def test_a_simplex_stopped_at_its_limit_has_no_gap_and_still_misses_the_cost() -> None:
    rng = np.random.default_rng(0)
    cost = cost_block(rng.normal(size=(300, 10)), rng.normal(size=(300, 10)))
    with pytest.warns(UserWarning, match="numItermax"):
        plan, log = ot.emd([], [], cost, numItermax=2000, log=True)
    primal = (plan * cost).sum()
    assert primal - (log["u"].mean() + log["v"].mean()) == pytest.approx(0, abs=1e-12 * primal)
    # The gap is zero because the potentials are infeasible. Feasible ones would show the error.
    assert (log["u"][:, None] + log["v"] - cost).max() > primal / 2
    weights = np.full(300, 1 / 300)
    assert primal > 1.03 * solve(cost, weights, weights).cost


@pytest.mark.parametrize("iterations", [1, 10, 100, 400])
def test_too_few_iterations_give_an_interval_that_contains_the_cost(iterations: int) -> None:
    rng = np.random.default_rng(11)
    mu, nu = weighted(rng, 100, 3), weighted(rng, 140, 3)
    cost = cost_block(mu.points, nu.points)
    with pytest.raises(NotCertified, match="Allow more iterations") as caught:
        solve(cost, mu.weights, nu.weights, max_iterations=iterations)
    true = ot.emd2(mu.weights, nu.weights, cost, numItermax=10**7)
    certificate = caught.value.certificate
    assert certificate.dual <= true <= certificate.primal
    assert certificate.relative_gap > 1e-9
    assert certificate.marginal_error < 1e-12


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_the_first_cost_that_is_not_finite_is_named(bad: float) -> None:
    cost = np.ones((3, 4))
    cost[1, 2] = bad
    with pytest.raises(TransportError, match="row 1, column 2"):
        solve(cost, np.full(3, 1 / 3), np.full(4, 1 / 4))
    with pytest.raises(TransportError, match="row 0, column 0"):
        solve(np.full((3, 3), bad), np.full(3, 1 / 3), np.full(3, 1 / 3))


def test_costs_of_points_without_mass_must_be_finite() -> None:
    cost = np.ones((3, 3))
    cost[1] = np.nan
    with pytest.raises(TransportError, match="row 1"):
        solve(cost, [0.5, 0.0, 0.5], np.full(3, 1 / 3))
    with pytest.raises(TransportError, match="column 1"):
        solve(cost.T, np.full(3, 1 / 3), [0.5, 0.0, 0.5])


@pytest.mark.parametrize(
    ("row_weights", "message"),
    [
        ([0.5, 0.6], "sum to 1"),
        ([1.0], "shape"),
        ([-0.5, 1.5], "index 0"),
        ([0, 0], "received only zeros"),
    ],
)
def test_weights_that_do_not_fit_the_costs_are_rejected(
    row_weights: list[float] | list[int], message: str
) -> None:
    with pytest.raises(TransportError, match=message):
        solve(np.ones((2, 2)), row_weights, [0.5, 0.5])
    with pytest.raises(TransportError, match=message):
        solve(np.ones((2, 2)), [0.5, 0.5], row_weights)


def test_measures_of_different_dimensions_are_rejected() -> None:
    with pytest.raises(TransportError, match="dimensions 2 and 3"):
        wasserstein(Measure(np.zeros((1, 2))), Measure(np.zeros((1, 3))))
    assert issubclass(InvalidMeasure, TransportError)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("tolerance", float("nan")),
        ("tolerance", -1.0),
        ("max_iterations", -1),
        ("max_iterations", 0),
        ("memory_budget_bytes", -5),
    ],
)
def test_options_out_of_range_are_rejected(option: str, value: Any) -> None:
    with pytest.raises(TransportError, match="expected tolerance >= 0"):
        solve(np.ones((2, 2)), [0.5, 0.5], [0.5, 0.5], **{option: value})


@pytest.mark.parametrize("cost", [0.0, 3.0])
def test_equal_costs_need_no_simplex(cost: float) -> None:
    solution = solve(np.full((30, 40), cost), np.full(30, 1 / 30), np.full(40, 1 / 40))
    assert solution.certificate.solver == "constant"
    assert solution.cost == pytest.approx(cost, rel=1e-12)
    np.testing.assert_allclose(np.bincount(solution.rows, solution.mass), 1 / 30)
    np.testing.assert_allclose(np.bincount(solution.columns, solution.mass), 1 / 40)
