"""Checking the pairs that float32 cannot rule out gives the same as checking all in float64."""

from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from wassay.transport import Cost, GivenCost, Measure, PointCost
from wassay.transport.progress import ProgressCallback
from wassay.transport.solvers.certify.doubtful_pairs import check_doubtful_pairs
from wassay.transport.solvers.certify.dual_potentials import DualPotentials
from wassay.transport.solvers.entropic.sparse_sinkhorn import sparse_sinkhorn
from wassay.transport.solvers.prepared_cost import PreparedCost
from wassay.transport.solvers.sparse.pair_list import PairList
from wassay.transport.solvers.transport_problem import TransportProblem
from wassay.transport.thread_pool import ThreadPool

N, M = 150, 190


@pytest.fixture
def threads() -> Iterator[ThreadPool]:
    with ThreadPool(ProgressCallback(lambda: None)) as pool:
        yield pool


def problem_of(cost: Cost, threads: ThreadPool) -> TransportProblem:
    prepared = PreparedCost.normalised(cost, None, threads)
    prepared.materialize()
    a, b = np.full(N, 1 / N), np.full(M, 1 / M)
    return TransportProblem(prepared, a, b, 1e-9, 1, ProgressCallback(lambda: None))


def costs_of(kind: str, rng: np.random.Generator) -> Cost:
    if kind == "given":
        return GivenCost(rng.random((N, M)) * 7)
    if kind == "far outlier":
        return GivenCost(np.where(rng.random((N, M)) < 0.01, 1e4, rng.random((N, M))))
    scale = 1e-20 if kind == "tiny points" else 1.0
    rows, columns = rng.normal(size=(N, 5)) * scale, rng.normal(size=(M, 5)) * scale
    return PointCost(Measure(rows), Measure(columns), 1 if kind == "distances" else 2)


@pytest.mark.parametrize("kind", ["given", "far outlier", "points", "tiny points", "distances"])
@pytest.mark.parametrize("shift", [0.0, 1e-9, 1e-5, 0.02])
def test_the_bound_and_the_violated_pairs_are_those_of_all_pairs(
    kind: str, shift: float, random: np.random.Generator, threads: ThreadPool
) -> None:
    problem = problem_of(costs_of(kind, random), threads)
    matrix = problem.cost.at(*np.divmod(np.arange(N * M), M)).reshape(N, M)
    f = matrix.min(axis=1)
    g = (matrix - f[:, None]).min(axis=0)
    f = (matrix - g).min(axis=1) + shift * random.random(N)
    checked = check_doubtful_pairs(problem.cost, [DualPotentials(problem, f, g, 1.0, -1e-13)])
    assert checked is not None
    rows, columns = (matrix - g).min(axis=1), (matrix - f[:, None]).min(axis=0)
    exact = max(rows.mean() + g.mean(), f.mean() + columns.mean())
    assert checked[0].dual <= exact
    assert checked[0].dual == pytest.approx(exact, abs=1e-6)
    slack = matrix - checked[0].f[:, None] - checked[0].g
    assert slack.min() >= -1e-15 * np.abs(matrix).max()
    violated = np.argwhere(matrix - f[:, None] - g < -1e-13)
    assert set(zip(checked[0].rows, checked[0].columns, strict=True)) == set(map(tuple, violated))


def test_many_ties_and_points_without_mass_are_left_to_a_scan_of_all(
    random: np.random.Generator, threads: ThreadPool
) -> None:
    ties = problem_of(GivenCost(random.integers(0, 2, (N, M)).astype(float)), threads)
    no_potentials = np.zeros(N), np.zeros(M)
    assert check_doubtful_pairs(ties.cost, [DualPotentials(ties, *no_potentials, 1.0, 0.0)]) is None
    a = np.full(N, 1 / (N - 1))
    a[7] = 0
    cost = problem_of(costs_of("given", random), threads).cost
    problem = TransportProblem(cost, a, ties.column_weights, 1e-9, 1, ties.progress)
    low = np.full(N, -1.0), np.zeros(M)
    assert check_doubtful_pairs(cost, [DualPotentials(problem, *low, 1.0, 0.0)]) is None


def test_single_entries_of_large_costs_are_distances(random: np.random.Generator) -> None:
    one, other = random.normal(size=(500, 7)), random.normal(size=(501, 7))
    rows, columns = random.integers(500, size=2000), random.integers(501, size=2000)
    for p, metric in ((1, "euclidean"), (2, "sqeuclidean")):
        cost = PointCost(Measure(one), Measure(other), p)  # type: ignore[arg-type]
        expected: NDArray[np.float64] = cdist(one, other, metric)
        assert cost.at(rows, columns) == pytest.approx(expected[rows, columns], rel=1e-13)
    assert PointCost(Measure(one), Measure(one)).at(rows % 500, rows % 500).max() == 0


def test_overrelaxed_iterations_reach_the_marginals(
    random: np.random.Generator, threads: ThreadPool
) -> None:
    problem = problem_of(costs_of("points", random), threads)
    rows, columns = np.divmod(np.arange(N * M), M)
    pairs = PairList(rows, columns, problem.cost.at(rows, columns))
    sharper = sparse_sinkhorn(problem, pairs, np.zeros(N), np.zeros(M), 0.5)
    sent = np.bincount(sharper.plan.rows, sharper.plan.mass, N)
    assert np.abs(sent - 1 / N).sum() < 1e-3
    assert sharper.epsilon == 0.125
    exponent = (sharper.f[rows] + sharper.g[columns] - pairs.costs) / 0.125
    assert sharper.plan.mass == pytest.approx(np.exp(exponent) / (N * M), rel=1e-6)
