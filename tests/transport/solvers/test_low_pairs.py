"""Pairs with low reduced costs, compared with numpy on all pairs."""

import numpy as np
import pytest

from wassay.transport import Measure, PointCost
from wassay.transport.progress import ProgressCallback
from wassay.transport.solvers.clusters import clustered_cost
from wassay.transport.solvers.clusters.clustered_cost import ClusteredCost
from wassay.transport.solvers.clusters.clustered_points import ClusteredPoints
from wassay.transport.solvers.clusters.compiled_ranges import low_pairs_of_clusters, near_ranges
from wassay.transport.solvers.low_pairs import Search, joined, map_low_pairs
from wassay.transport.solvers.prepared_cost import PreparedCost
from wassay.transport.thread_pool import ThreadPool

CLUSTERS, N, M = 6, 300, 350


def clouds(random: np.random.Generator) -> PointCost:
    centres = 8 * random.normal(size=(CLUSTERS, 5))
    rows, columns = (
        centres[random.integers(CLUSTERS, size=size)] + random.normal(size=(size, 5))
        for size in (N, M)
    )
    return PointCost(Measure(rows), Measure(columns))


def test_ranges_cover_the_columns_of_near_clusters_and_no_others(
    random: np.random.Generator,
) -> None:
    starts = np.array([0, 4, 4, 9, 20, 21])
    near = random.random((5, 5)) < 0.5
    near[2] = False
    ranges = near_ranges(near, starts)
    labels = np.repeat(np.arange(5), np.diff(starts))
    for cluster in range(5):
        covered = np.zeros(21, int)
        for of, first, stop in ranges:
            covered[first:stop] += of == cluster
        assert covered.tolist() == near[cluster][labels].astype(int).tolist()


@pytest.mark.parametrize("most", [10**6, 40])
def test_low_pairs_of_near_clusters_are_those_that_numpy_finds(
    most: int, random: np.random.Generator
) -> None:
    costs, g = random.random((60, 300)).astype(np.float32), random.random(300).astype(np.float32)
    limit = random.random(60).astype(np.float32) - np.float32(0.3)
    row_starts, column_starts = np.array([0, 20, 20, 60]), np.array([0, 100, 250, 300])
    near = np.array([[True, False, True], [True, True, True], [False, True, True]])
    low = costs - g <= limit[:, None]
    low &= np.repeat(np.repeat(near, np.diff(row_starts), 0), np.diff(column_starts), 1)
    expected_rows, expected_columns = np.nonzero(low)
    if most < len(expected_rows):  # the search ends after the row in which it found too many
        ends = np.cumsum(low.sum(axis=1))
        number = int(ends[np.argmax(ends > most)])
        expected_rows, expected_columns = expected_rows[:number], expected_columns[:number]
    rows, columns, values = low_pairs_of_clusters(
        costs, g, limit, row_starts, near_ranges(near, column_starts), 0, 3, most
    )
    assert rows.tolist() == expected_rows.tolist()
    assert columns.tolist() == expected_columns.tolist()
    assert values.tolist() == costs[expected_rows, expected_columns].tolist()


def test_stored_clusters_have_the_low_pairs_that_all_pairs_have(
    random: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clustered_cost, "MAX_READ_WHOLE", 0)
    ordered = ClusteredPoints.ordered(clouds(random), np.arange(N), np.arange(M))
    assert ordered is not None
    points, _, _ = ordered
    with ThreadPool(ProgressCallback(lambda: None)) as threads:
        clustered = ClusteredCost.normalised(points, None, threads)
        everything = PreparedCost.normalised(points, None, threads)
        matrix = everything.matrix()
        f = matrix.min(axis=1)
        g = (matrix - f[:, None]).min(axis=0)
        searches = [
            Search(g.astype(np.float32), (f + reach).astype(np.float32), N * M)
            for reach in (1e-3, 0.05)
        ]
        found = []
        for cost, stored in ((clustered, False), (clustered, True), (everything, False)):
            if stored:
                cost.materialize()
            strips = list(map_low_pairs(cost, list, searches, f, g, 0.1))
            found.append([joined(pairs) for pairs in zip(*strips, strict=True)])
    for number, reach in enumerate((1e-3, 0.05)):
        reduced = matrix - f[:, None] - g
        for pairs in (each[number] for each in found):
            low = np.zeros((N, M), bool)
            low[pairs.rows, pairs.columns] = True
            assert low[reduced < reach - 1e-5].all()
            assert not low[reduced > reach + 1e-5].any()
            assert pairs.costs == pytest.approx(matrix[pairs.rows, pairs.columns], abs=1e-5)
