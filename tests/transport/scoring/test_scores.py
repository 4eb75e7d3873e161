import sys

import numpy as np
import ot
import pytest
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from tests.transport.samples import gaussian, random_weights, weighted
from wassay.transport import GivenCost, Solution, TransportError, cost_block, scores, solve
from wassay.transport.scoring import components as components_module
from wassay.transport.scoring import landmarks
from wassay.transport.scoring.components import PlanComponents
from wassay.transport.solvers.solve import MAX_DENSE_PAIRS

# `wassay.transport.scoring.scores` is also a function, so get the module by its name.
scores_module = sys.modules["wassay.transport.scoring.scores"]


def noisy_pair(
    size: int, other: int, noise: float, seed: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Draw samples of one distribution, 15 % of the first with noise; return costs and weights."""
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(size, 10)), rng.normal(size=(other, 10))
    x[: int(0.15 * size)] += noise * rng.normal(size=(int(0.15 * size), 10))
    return cost_block(x, y), np.full(size, 1 / size), np.full(other, 1 / other)


def one_sided_rate(
    cost: NDArray[np.float64],
    a: NDArray[np.float64],
    b: NDArray[np.float64],
    point: int,
    direction: int,
    step: float = 1e-5,
) -> float:
    """Return the change of POT's cost when mass moves to a point from all others, per mass."""
    n = len(a)
    shift = np.full(n, -1 / (n - 1))
    shift[point] = 1.0
    moved = a + direction * step * shift
    before = float(ot.emd2(a, b, cost, numItermax=10**7))
    after = float(ot.emd2(moved, b, cost, numItermax=10**7))
    return direction * (after - before) / step


@pytest.mark.parametrize("shape", [(25, 25), (25, 40), (30, 20), (12, 36)])
def test_scores_are_the_midpoint_of_the_one_sided_derivatives(shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(shape[1])
    cost = cost_block(rng.normal(size=(shape[0], 3)), rng.normal(size=(shape[1], 3)))
    a, b = np.full(shape[0], 1 / shape[0]), np.full(shape[1], 1 / shape[1])
    rows, columns = scores(cost, solve(cost, a, b))
    for side, matrix, own, other in ((rows, cost, a, b), (columns, cost.T.copy(), b, a)):
        for point in range(0, len(own), 3):
            gaining = one_sided_rate(matrix, own, other, point, +1)
            losing = one_sided_rate(matrix, own, other, point, -1)
            assert side.values[point] == pytest.approx((gaining + losing) / 2, abs=1e-6)
            assert side.spread[point] == pytest.approx(gaining - losing, abs=1e-6)


@pytest.mark.parametrize(("size", "noise"), [(400, 0.5), (400, 1.0), (700, 1.0)])
def test_scores_do_not_depend_on_solver_order_or_side(
    size: int, noise: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    cost, a, b = noisy_pair(size, size, noise, size)
    rows, columns = scores(cost, solve(cost, a, b))
    tolerance = 1e-9 * rows.values.std()

    transposed_columns, transposed_rows = scores(cost.T, solve(cost.T, b, a))
    np.testing.assert_allclose(transposed_rows.values, rows.values, rtol=0, atol=tolerance)
    np.testing.assert_allclose(transposed_columns.values, columns.values, rtol=0, atol=tolerance)
    np.testing.assert_allclose(transposed_rows.spread, rows.spread, rtol=0, atol=tolerance)

    order = np.random.default_rng(0).permutation(size)
    permuted, _ = scores(cost[order], solve(cost[order], a, b))
    np.testing.assert_allclose(permuted.values, rows.values[order], rtol=0, atol=tolerance)

    other_limit = 0 if size**2 <= MAX_DENSE_PAIRS else 10**9
    monkeypatch.setattr("wassay.transport.solvers.solve.MAX_DENSE_PAIRS", other_limit)
    solved_otherwise, _ = scores(cost, solve(cost, a, b))
    np.testing.assert_allclose(solved_otherwise.values, rows.values, rtol=0, atol=tolerance)


@pytest.mark.parametrize("noise", [0.5, 1.0])
def test_landmark_scores_are_close_to_exact_ones_and_as_stable(
    noise: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = 400
    cost, a, b = noisy_pair(size, size, noise, size)
    exactly, _ = scores(cost, solve(cost, a, b))
    monkeypatch.setattr(scores_module, "MAX_COMPONENTS", 100)
    rows, columns = scores(cost, solve(cost, a, b))
    assert rows.method == columns.method == "landmarks"
    assert np.corrcoef(rows.values, exactly.values)[0, 1] > 0.9999
    assert (rows.values - exactly.values).std() < 0.01 * exactly.values.std()
    assert rows.values.mean() == pytest.approx(0, abs=1e-12)

    tolerance = 1e-9 * rows.values.std()
    transposed_columns, transposed_rows = scores(cost.T, solve(cost.T, b, a))
    np.testing.assert_allclose(transposed_rows.values, rows.values, rtol=0, atol=tolerance)
    np.testing.assert_allclose(transposed_columns.values, columns.values, rtol=0, atol=tolerance)

    order = np.random.default_rng(0).permutation(size)
    permuted, _ = scores(cost[order], solve(cost[order], a, b))
    np.testing.assert_allclose(permuted.values, rows.values[order], rtol=0, atol=tolerance)

    monkeypatch.setattr("wassay.transport.solvers.solve.MAX_DENSE_PAIRS", 10**9)
    solved_otherwise, _ = scores(cost, solve(cost, a, b))
    np.testing.assert_allclose(solved_otherwise.values, rows.values, rtol=0, atol=tolerance)


def test_distances_to_landmarks_are_those_of_all_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(8)
    cost = rng.random((150, 150)) ** 4
    uniform = np.full(150, 1 / 150)
    components = PlanComponents.of(GivenCost(cost), solve(cost, uniform, uniform))
    monkeypatch.setattr(landmarks, "ARCS_PER_POINT", 1)
    chosen = landmarks.choose_landmarks(components)
    away, back = landmarks.landmark_distances(components, chosen)
    expected = dijkstra(csr_array(np.maximum(components.arcs_between(), 1e-300)))
    np.testing.assert_allclose(away, expected[chosen], rtol=0, atol=1e-13 * expected.max())
    np.testing.assert_allclose(back, expected[:, chosen].T, rtol=0, atol=1e-13 * expected.max())


@pytest.mark.parametrize("spread", [3.0, 1e3])
def test_distances_to_landmarks_lead_through_groups_of_equal_mass(spread: float) -> None:
    """Groups that exchange no mass are joined by no cheap arc, and paths between them are long."""
    rng = np.random.default_rng(2)
    size, group = 600, np.arange(600) % 6
    centres = spread * rng.normal(size=(6, 2))
    x, y = (centres[group] + 0.5 * rng.normal(size=(size, 2)) for _ in "xy")
    cost, uniform = cost_block(x, y), np.full(size, 1 / size)
    components = PlanComponents.of(GivenCost(cost), solve(cost, uniform, uniform))
    chosen = landmarks.choose_landmarks(components)
    away, back = landmarks.landmark_distances(components, chosen)
    expected = dijkstra(csr_array(np.maximum(components.arcs_between(), 1e-300)))
    np.testing.assert_allclose(away, expected[chosen], rtol=0, atol=1e-13 * expected.max())
    np.testing.assert_allclose(back, expected[:, chosen].T, rtol=0, atol=1e-13 * expected.max())


def test_one_distant_point_leaves_the_other_distances_exact() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(400, 2)), rng.normal(size=(400, 2))
    x[0] = 1e6
    cost, uniform = cost_block(x, y), np.full(400, 1 / 400)
    components = PlanComponents.of(GivenCost(cost), solve(cost, uniform, uniform))
    chosen = landmarks.choose_landmarks(components)
    away, back = landmarks.landmark_distances(components, chosen)
    expected = dijkstra(csr_array(np.maximum(components.arcs_between(), 1e-300)))
    np.testing.assert_allclose(away, expected[chosen], rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(back, expected[:, chosen].T, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("seed", [10, 26])
def test_arcs_that_matter_only_once_others_are_added_are_found(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With these costs, the second look finds such arcs: out of new tails, or into new heads."""
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(150, 1)), rng.normal(size=(150, 1))
    power = [0.5, 1, 0.25][seed % 3]
    cost = ((x - y.T) ** 2) ** power * rng.uniform(0.5, 1, (150, 150))
    uniform = np.full(150, 1 / 150)
    components = PlanComponents.of(GivenCost(cost.T), solve(cost.T, uniform, uniform))
    monkeypatch.setattr(landmarks, "ARCS_PER_POINT", 1)
    monkeypatch.setattr(components_module, "MAX_SCATTERED", 2.0)
    chosen = landmarks.choose_landmarks(components)
    away, back = landmarks.landmark_distances(components, chosen)
    expected = dijkstra(csr_array(np.maximum(components.arcs_between(), 1e-300)))
    np.testing.assert_allclose(away, expected[chosen], rtol=0, atol=1e-13 * expected.max())
    np.testing.assert_allclose(back, expected[:, chosen].T, rtol=0, atol=1e-13 * expected.max())


@pytest.mark.parametrize("most_dense_pairs", [0, 10**9])
def test_arcs_between_components_are_the_cheapest_between_points_with_mass(
    most_dense_pairs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(6)
    cost = cost_block(rng.normal(size=(40, 3)), rng.normal(size=(42, 3)))
    # Without the points of no mass, these are 35 points on both sides: every pair is a component.
    a, b = np.full(40, 1 / 35), np.full(42, 1 / 35)
    a[:5], b[-7:] = 0, 0
    solution = solve(cost, a, b)
    components = PlanComponents.of(GivenCost(cost), solution)
    expected = np.full((35, 35), np.nan)
    for row in range(5, 40):
        for column in range(35):
            ends = components.of_rows[row], components.of_columns[column]
            expected[ends] = max(cost[row, column] - solution.f[row] - solution.g[column], 0.0)
    monkeypatch.setattr(components_module, "MAX_DENSE_PAIRS", most_dense_pairs)
    np.testing.assert_allclose(components.arcs_between(), expected, rtol=0, atol=1e-15)


def test_noisy_points_have_the_highest_scores() -> None:
    cost, a, b = noisy_pair(300, 400, 3.0, 1)
    rows, _ = scores(cost, solve(cost, a, b))
    worst = np.argsort(rows.values)[-45:]
    assert np.mean(worst < 45) > 0.9


def test_where_the_plan_is_connected_the_spread_is_zero_and_the_paper_s_formula_holds() -> None:
    rng = np.random.default_rng(2)
    mu, nu = weighted(rng, 30, 3), weighted(rng, 41, 3)
    cost = cost_block(mu.points, nu.points)
    solution = solve(cost, mu.weights, nu.weights)
    rows, columns = scores(cost, solution)
    for side, potential in ((rows, solution.f), (columns, solution.g)):
        n = len(potential)
        expected = potential - (potential.sum() - potential) / (n - 1)
        np.testing.assert_allclose(side.values, expected, atol=1e-10)
        np.testing.assert_allclose(side.spread, 0, atol=1e-10)


def test_every_optimal_potential_s_score_lies_between_the_rates() -> None:
    rng = np.random.default_rng(3)
    cost = cost_block(rng.normal(size=(40, 3)), rng.normal(size=(40, 3)))
    uniform = np.full(40, 1 / 40)
    rows, _ = scores(cost, solve(cost, uniform, uniform))
    assert rows.spread.max() > 1e-3
    for matrix, own in ((cost, "u"), (cost.T.copy(), "v")):
        _, log = ot.emd([], [], matrix, log=True)
        potential = log[own]
        paper = potential - (potential.sum() - potential) / 39
        assert (np.abs(paper - rows.values) <= rows.spread / 2 + 1e-9).all()


def test_a_constant_may_be_moved_between_the_potentials() -> None:
    rng = np.random.default_rng(4)
    cost = cost_block(rng.normal(size=(20, 3)), rng.normal(size=(20, 3)))
    uniform = np.full(20, 1 / 20)
    solution = solve(cost, uniform, uniform)
    moved = Solution(
        solution.rows,
        solution.columns,
        solution.mass,
        solution.f + 5,
        solution.g - 5,
        solution.certificate,
    )
    for one, other in zip(scores(cost, solution), scores(cost, moved), strict=True):
        np.testing.assert_allclose(one.values, other.values, atol=1e-12)


def test_a_point_without_mass_gets_its_rate_of_gaining_mass() -> None:
    rng = np.random.default_rng(5)
    mu, nu = gaussian(rng, 21, 3), gaussian(rng, 20, 3)
    cost = cost_block(mu.points, nu.points)
    a = np.full(21, 1 / 20)
    a[7] = 0.0
    b = nu.weights
    rows, _ = scores(cost, solve(cost, a, b))
    step = 1e-5
    moved = a - step / 20
    moved[7] = step
    base = ot.emd2(a, b, cost, numItermax=10**7)
    rate = (ot.emd2(moved, b, cost, numItermax=10**7) - base) / step
    assert rows.values[7] == pytest.approx(rate, abs=1e-6)
    assert rows.spread[7] == 0


def test_a_single_point_has_score_zero() -> None:
    cost = np.array([[1.0, 2.0, 4.0]])
    rows, columns = scores(cost, solve(cost, [1.0], random_weights(np.random.default_rng(6), 3)))
    assert rows.values.tolist() == [0.0]
    assert rows.spread.tolist() == [0.0]
    np.testing.assert_allclose(columns.values, [1 - 3, 2 - 2.5, 4 - 1.5])


def test_scores_scale_with_the_cost() -> None:
    rng = np.random.default_rng(7)
    cost = cost_block(rng.normal(size=(20, 3)), rng.normal(size=(20, 3)))
    uniform = np.full(20, 1 / 20)
    plain, _ = scores(cost, solve(cost, uniform, uniform))
    for scale in (1e-100, 1e100):
        scaled, _ = scores(cost * scale, solve(cost * scale, uniform, uniform))
        np.testing.assert_allclose(scaled.values / scale, plain.values, rtol=1e-9, atol=1e-12)


def test_costs_of_another_shape_than_solved_are_rejected() -> None:
    with pytest.raises(TransportError, match=r"\(1, 1\), as solved, received \(1, 2\)"):
        scores([[1.0, 2.0]], solve([[1.0]], [1.0], [1.0]))
