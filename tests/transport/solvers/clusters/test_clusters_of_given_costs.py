"""Clusters found in given costs: a solve uses them, and proves its result for every pair."""

from collections.abc import Iterator
from typing import Literal

import numpy as np
import ot
import pytest
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from wassay.transport import solve
from wassay.transport.costs.given_cost import GivenCost
from wassay.transport.progress import ProgressCallback
from wassay.transport.solvers.clusters import clustered_given_cost
from wassay.transport.solvers.clusters.clustered_given_cost import ClusteredGivenCost
from wassay.transport.solvers.clusters.partition_by_costs import clusters_by_costs
from wassay.transport.solvers.prepared_cost import PreparedCost
from wassay.transport.thread_pool import ThreadPool

N, M, DIMENSION, CLUSTERS = 600, 700, 6, 12
Reals = NDArray[np.float64]
Labels = NDArray[np.intp]


def clustered_costs(rng: np.random.Generator, p: Literal[1, 2]) -> tuple[Reals, Labels, Labels]:
    """Return costs between points in clusters, and their labels; three clusters have no column."""
    centres = 20 * np.vstack([np.eye(DIMENSION), -np.eye(DIMENSION)])
    row_labels, column_labels = rng.integers(CLUSTERS, size=N), rng.integers(CLUSTERS - 3, size=M)
    rows, columns = (
        centres[labels] + rng.normal(size=(len(labels), DIMENSION))
        for labels in (row_labels, column_labels)
    )
    return cdist(rows, columns) ** p, row_labels, column_labels


def squared_distances(rows: Reals, columns: Reals) -> GivenCost:
    return GivenCost(cdist(rows, columns, "sqeuclidean"))


@pytest.fixture
def threads() -> Iterator[ThreadPool]:
    with ThreadPool(ProgressCallback(lambda: None)) as pool:
        yield pool


@pytest.fixture
def few_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look for clusters in small costs, too."""
    monkeypatch.setattr(clustered_given_cost, "MIN_PAIRS", 0)


@pytest.mark.parametrize("p", [1, 2])
def test_costs_show_the_clusters_of_both_sides(
    p: Literal[1, 2], random: np.random.Generator
) -> None:
    costs, row_labels, column_labels = clustered_costs(random, p)
    found = clusters_by_costs(GivenCost(costs))
    assert found is not None
    # Distances, unlike their squares, may show neighbouring clusters as one.
    assert found.number == CLUSTERS if p == 2 else CLUSTERS // 2 < found.number <= CLUSTERS
    pairs = set(zip(found.row_labels, row_labels, strict=True))
    assert len(pairs) == CLUSTERS  # none is divided
    # A column is in the cluster of the rows that are around the same centre.
    assert set(zip(found.column_labels, column_labels, strict=True)) < pairs


def test_classes_of_unit_norm_are_found_in_costs(random: np.random.Generator) -> None:
    centres = random.normal(size=(20, 50))
    labels = [random.integers(20, size=size) for size in (1000, 1100)]
    clouds = [centres[of] + 0.7 * random.normal(size=(len(of), 50)) for of in labels]
    rows, columns = (cloud / np.linalg.norm(cloud, axis=1, keepdims=True) for cloud in clouds)
    found = clusters_by_costs(squared_distances(rows, columns))
    assert found is not None
    most_frequent = [
        np.bincount(labels[0][found.row_labels == each]).max()
        for each in np.unique(found.row_labels)
    ]
    assert sum(most_frequent) >= 0.9 * len(labels[0])


def test_costs_between_other_points_show_no_clusters(random: np.random.Generator) -> None:
    for dimension in (3, 50):
        rows, columns = random.normal(size=(N, dimension)), random.normal(size=(M, dimension))
        assert clusters_by_costs(squared_distances(rows, columns)) is None
    rows, columns = random.standard_t(2.5, (N, 50)), random.standard_t(2.5, (M, 50))
    assert clusters_by_costs(squared_distances(rows, columns)) is None
    for shape in ((N, M), (1, M), (5, 10_000), (20, 40), (N, 1)):
        assert clusters_by_costs(GivenCost(np.zeros(shape))) is None
        assert clusters_by_costs(GivenCost(random.random(shape))) is None
    assert clusters_by_costs(GivenCost(np.arange(N)[:, None] + np.arange(M))) is None


@pytest.mark.usefixtures("few_are_enough")
def test_ordered_costs_are_the_same_costs(random: np.random.Generator, threads: ThreadPool) -> None:
    costs, _, _ = clustered_costs(random, 2)
    rows, columns = np.flatnonzero(random.random(N) < 0.9), np.flatnonzero(random.random(M) < 0.9)
    given = GivenCost(costs).only(rows, columns)
    prepared = PreparedCost.normalised(given, None, threads)
    ordered = ClusteredGivenCost.ordered(given, prepared, rows, columns)
    assert ordered is not None
    cost, row_order, column_order = ordered
    np.testing.assert_array_equal(np.sort(row_order), rows)
    np.testing.assert_array_equal(np.sort(column_order), columns)
    assert (np.diff(cost.clusters.row_labels) >= 0).all()
    assert (np.diff(cost.clusters.column_labels) >= 0).all()
    expected = np.ldexp(costs[np.ix_(row_order, column_order)], -cost.exponent)
    np.testing.assert_array_equal(cost.matrix(), expected)
    cost.materialize()
    np.testing.assert_array_equal(cost.stored, expected.astype(np.float32))
    some, others = np.arange(3, 500, 7), np.arange(2, 600, 5)
    sample = cost.sample(some, others)
    np.testing.assert_array_equal(sample.matrix(), expected[np.ix_(some, others)])
    np.testing.assert_array_equal(sample.clusters.row_labels, cost.clusters.row_labels[some])
    assert (cost.lowest, cost.largest) == (prepared.lowest, prepared.largest)


@pytest.mark.usefixtures("few_are_enough")
@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize("budget", [None, 0])
def test_given_costs_of_clusters_cost_what_pot_says(
    p: Literal[1, 2], budget: int | None, random: np.random.Generator
) -> None:
    costs, _, _ = clustered_costs(random, p)
    a, b = random.random(N), random.random(M)
    a[:5], b[:7] = 0, 0
    a, b = a / a.sum(), b / b.sum()
    found, again = (solve(costs, a, b, memory_budget_bytes=budget) for _ in range(2))
    assert found.certificate.primal == pytest.approx(ot.emd2(a, b, costs, 10**7), rel=1e-9)
    assert found.certificate.relative_gap < 1e-9
    assert budget is not None or found.certificate.rounds <= 3
    plan = np.zeros((N, M))
    plan[found.rows, found.columns] = found.mass
    np.testing.assert_allclose(plan.sum(axis=1), a, atol=1e-12)
    np.testing.assert_allclose(plan.sum(axis=0), b, atol=1e-12)
    assert (plan * costs).sum() == pytest.approx(found.certificate.primal, rel=1e-12)
    assert (costs - found.f[:, None] - found.g)[a > 0][:, b > 0].min() > -1e-9
    assert a @ found.f + b @ found.g == pytest.approx(found.certificate.dual, rel=1e-9)
    for name in ("rows", "columns", "mass", "f", "g"):
        np.testing.assert_array_equal(getattr(found, name), getattr(again, name))


@pytest.mark.usefixtures("few_are_enough")
def test_clusters_in_costs_that_mean_something_else_change_no_result(
    random: np.random.Generator,
) -> None:
    """Rows and columns have groups, but costs grow with likeness, and columns do not match."""
    groups = random.normal(size=(10, 14))
    costs = -groups[random.integers(10, size=N)][:, random.integers(14, size=M)]
    costs += 0.1 * random.random((N, M))
    a, b = np.full(N, 1 / N), np.full(M, 1 / M)
    assert clusters_by_costs(GivenCost(costs)) is not None
    found = solve(costs, a, b)
    assert found.certificate.primal == pytest.approx(ot.emd2(a, b, costs, 10**7), rel=1e-9)
    assert found.certificate.relative_gap < 1e-9
    assert (costs - found.f[:, None] - found.g).min() > -1e-9
