"""A few points against very many, a single point, and costs with only two values."""

import numpy as np
import ot
import pytest
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_flow

from tests.transport.samples import random_weights
from wassay.transport import Solution, solve


def drawn(kind: str, rng: np.random.Generator, shape: tuple[int, int]) -> NDArray[np.float64]:
    if kind == "sorted":
        return np.sort(rng.random(shape), axis=1)
    if kind == "integers":
        return rng.integers(0, 50, shape).astype(float)
    return -1e6 * rng.random(shape)


def assert_proven(
    found: Solution, costs: NDArray[np.float64], a: NDArray[np.float64], b: NDArray[np.float64]
) -> None:
    """Check that the plan and the potentials are feasible, and have equal values."""
    plan = np.zeros_like(costs)
    np.add.at(plan, (found.rows, found.columns), found.mass)
    np.testing.assert_allclose(plan.sum(axis=1), a, atol=1e-12)
    np.testing.assert_allclose(plan.sum(axis=0), b, atol=1e-12)
    scale = np.abs(costs).max()
    assert (costs - found.f[:, None] - found.g).min() >= -1e-12 * scale
    assert (plan * costs).sum() == pytest.approx(a @ found.f + b @ found.g, abs=1e-9 * scale)


@pytest.mark.parametrize("kind", ["negative", "sorted", "integers"])
@pytest.mark.parametrize(("weights", "rows"), [("equal", 8), ("random", 3)])
def test_a_few_points_against_many(
    kind: str, weights: str, rows: int, random: np.random.Generator
) -> None:
    columns = 260_000 // rows
    costs = drawn(kind, random, (rows, columns))
    a, b = (
        np.full(size, 1 / size) if weights == "equal" else random_weights(random, size)
        for size in costs.shape
    )
    assert_proven(solve(costs, a, b), costs, a, b)
    assert_proven(solve(costs.T, b, a), costs.T, b, a)


def test_few_points_of_unequal_weights_cost_what_pot_says(random: np.random.Generator) -> None:
    costs, b = random.random((4, 65_000)), random_weights(random, 65_000)
    a = np.full(4, 1 / 4)
    assert solve(costs, a, b).certificate.primal == pytest.approx(ot.emd2(a, b, costs, 10**7))


@pytest.mark.parametrize("size", [3, 1000, 300_000])
def test_a_single_point_has_one_plan(size: int, random: np.random.Generator) -> None:
    costs, weights = random.normal(size=(1, size)), random_weights(random, size)
    for matrix, a, b in ((costs, np.ones(1), weights), (costs.T, weights, np.ones(1))):
        found = solve(matrix, a, b)
        assert_proven(found, matrix, a, b)
        assert found.certificate.primal == pytest.approx(float(costs[0] @ weights))
        assert found.certificate.rounds == 1


@pytest.mark.parametrize("share", [0.003, 0.05, 0.5])
@pytest.mark.parametrize("values", [(0.0, 1.0), (-2.0, 7.0)])
def test_costs_of_two_values_follow_from_a_maximum_flow(
    share: float, values: tuple[float, float], random: np.random.Generator
) -> None:
    n, m = 480, 640  # 4 units of flow for each row, 3 for each column
    low = random.random((n, m)) < share
    graph = np.zeros((n + m + 2, n + m + 2), np.int32)
    graph[:n, n : n + m] = 4 * low
    graph[-2, :n], graph[n : n + m, -1] = 4, 3
    flow = maximum_flow(csr_array(graph), n + m, n + m + 1).flow_value / (4 * n)
    a, b = np.full(n, 1 / n), np.full(m, 1 / m)
    costs = np.where(low, *values)
    found = solve(costs, a, b)
    assert_proven(found, costs, a, b)
    expected = flow * values[0] + (1 - flow) * values[1]
    assert found.certificate.primal == pytest.approx(expected, abs=1e-9)


def test_labels_cost_the_mass_that_must_change_its_label(random: np.random.Generator) -> None:
    rows, columns = random.integers(0, 7, 700), random.integers(0, 5, 900)
    a, b = random_weights(random, 700), random_weights(random, 900)
    kept = np.minimum(np.bincount(rows, a, 7), np.bincount(columns, b, 7)).sum()
    costs = (rows[:, None] != columns).astype(float)
    found = solve(costs, a, b)
    assert_proven(found, costs, a, b)
    assert found.certificate.primal == pytest.approx(1 - kept)
