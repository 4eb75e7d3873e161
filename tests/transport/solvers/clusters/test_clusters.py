"""Clusters of points: their bounds hold for every pair, and scans that skip pairs prove as much."""

from collections.abc import Iterator
from typing import Literal

import numpy as np
import ot
import pytest
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from wassay.transport import Measure, PointCost, StackedCost, solve
from wassay.transport.progress import ProgressCallback
from wassay.transport.solvers.certify.check_dual_feasibility import check_dual_feasibility
from wassay.transport.solvers.certify.dual_potentials import DualPotentials
from wassay.transport.solvers.clusters import clustered_cost
from wassay.transport.solvers.clusters.clustered_cost import ClusteredCost
from wassay.transport.solvers.clusters.clustered_points import ClusteredPoints
from wassay.transport.solvers.clusters.farthest_points import farthest_points
from wassay.transport.solvers.clusters.partition import find_clusters
from wassay.transport.solvers.entropic.cluster_balance import balancing_factors
from wassay.transport.solvers.prepared_cost import PreparedCost
from wassay.transport.solvers.transport_problem import TransportProblem
from wassay.transport.thread_pool import ThreadPool

N, M, DIMENSION, CLUSTERS = 600, 700, 6, 12
Points = NDArray[np.float64]


def clouds(rng: np.random.Generator, n: int = N, m: int = M) -> tuple[Points, Points]:
    """Draw points in clusters; no column is in the last three clusters."""
    centres = 10 * rng.normal(size=(CLUSTERS, DIMENSION))
    rows, columns = (
        centres[rng.integers(count, size=size)] + rng.normal(size=(size, DIMENSION))
        for count, size in ((CLUSTERS, n), (CLUSTERS - 3, m))
    )
    return rows, columns


@pytest.fixture
def threads() -> Iterator[ThreadPool]:
    with ThreadPool(ProgressCallback(lambda: None)) as pool:
        yield pool


def clustered(
    rng: np.random.Generator, threads: ThreadPool, p: Literal[1, 2]
) -> tuple[ClusteredCost, NDArray[np.float64]]:
    rows, columns = clouds(rng)
    cost = PointCost(Measure(rows), Measure(columns), p)
    ordered = ClusteredPoints.ordered(cost, np.arange(N), np.arange(M))
    assert ordered is not None
    points, row_order, column_order = ordered
    prepared = ClusteredCost.normalised(points, None, threads)
    np.testing.assert_allclose(
        np.ldexp(prepared.matrix(), prepared.exponent),
        cost.block(0, N)[np.ix_(row_order, column_order)],
    )
    return prepared, prepared.matrix()


def test_separated_clusters_are_found_and_others_are_not(random: np.random.Generator) -> None:
    rows, columns = clouds(random)
    found = find_clusters(rows, columns)
    assert found is not None
    assert found.number == CLUSTERS
    assert len(np.unique(found.column_labels)) == CLUSTERS - 3
    assert find_clusters(random.normal(size=(N, 50)), random.normal(size=(M, 50))) is None
    assert find_clusters(random.standard_t(2.5, (N, 50)), random.standard_t(2.5, (M, 50))) is None
    assert find_clusters(np.zeros((N, 2)), np.zeros((M, 2))) is None
    one_point_apart = np.append(random.normal(size=(N, 6)), np.full((1, 6), 100.0), axis=0)
    assert find_clusters(one_point_apart, one_point_apart) is None


def test_classes_of_unit_norm_are_found_though_the_distance_to_the_next_centre_hardly_drops(
    random: np.random.Generator,
) -> None:
    centres = random.normal(size=(20, 50))
    labels = [random.integers(20, size=size) for size in (N, M)]
    clouds = [centres[of] + 0.7 * random.normal(size=(len(of), 50)) for of in labels]
    rows, columns = (cloud / np.linalg.norm(cloud, axis=1, keepdims=True) for cloud in clouds)
    found = find_clusters(rows, columns)
    assert found is not None
    assert 18 <= found.number <= 24
    assert len(set(zip(labels[0], found.row_labels, strict=True))) <= 26
    plane = random.normal(size=(N, 3)), random.normal(size=(M, 3))
    assert find_clusters(*plane) is None


@pytest.mark.parametrize("p", [1, 2])
def test_a_scan_leaves_out_only_pairs_beyond_its_reach(
    p: Literal[1, 2], random: np.random.Generator, threads: ThreadPool
) -> None:
    cost, matrix = clustered(random, threads, p)
    f = matrix.min(axis=1) + 0.01 * random.normal(size=N)
    g = (matrix - f[:, None]).min(axis=0)
    for reach in (0.0, 0.1):
        read = np.zeros((N, M), bool)

        def scan(panels):  # type: ignore[no-untyped-def]
            for start, stop, columns, block in panels:
                read[start:stop, columns] = True  # noqa: B023
                np.testing.assert_allclose(block, matrix[start:stop, columns], atol=1e-5)

        list(cost.map_near_blocks(scan, f, g, reach))
        list(cost.map_near_float32_blocks(scan, f, g, reach))
        assert (matrix - f[:, None] - g)[~read].min() >= reach
        assert read.mean() < 0.7


@pytest.mark.parametrize("p", [1, 2])
def test_a_cluster_bounds_the_potentials_of_points_from_above(
    p: Literal[1, 2], random: np.random.Generator, threads: ThreadPool
) -> None:
    cost, matrix = clustered(random, threads, p)
    f, g = random.random(N), random.random(M)
    assert (cost.ceiling_of_rows(g) >= (matrix - g).min(axis=1) - 1e-12).all()
    assert (cost.ceiling_of_columns(f) >= (matrix - f[:, None]).min(axis=0) - 1e-12).all()


@pytest.mark.parametrize("p", [1, 2])
def test_the_bound_between_two_clusters_holds_for_each_of_their_pairs(
    p: Literal[1, 2], random: np.random.Generator, threads: ThreadPool
) -> None:
    cost, matrix = clustered(random, threads, p)
    f, g = 0.1 * random.normal(size=N), 0.1 * random.normal(size=M)
    bounds = cost.bounds.least_reduced_costs(f, g)
    reduced = matrix - f[:, None] - g
    of_pairs = bounds[np.ix_(cost.clusters.row_labels, cost.clusters.column_labels)]
    assert (of_pairs <= reduced).all()
    assert (reduced - of_pairs).min() < 0.1 * np.median(reduced)  # and is no trivial one
    empty = np.setdiff1d(np.arange(cost.clusters.number), cost.clusters.column_labels)
    assert len(empty)
    assert np.isinf(bounds[:, empty]).all()


@pytest.mark.parametrize("p", [1, 2])
def test_every_two_clusters_are_connected_by_the_points_that_are_cheapest_to_the_other_centre(
    p: Literal[1, 2], random: np.random.Generator, threads: ThreadPool
) -> None:
    cost, _ = clustered(random, threads, p)
    clusters, points = cost.clusters, cost._points
    f, g = 0.1 * random.normal(size=N), 0.1 * random.normal(size=M)
    unit = 2.0**-cost.exponent
    of_rows = cdist(points.row_points, clusters.centres) ** p * unit - f[:, None]
    of_columns = cdist(points.column_points, clusters.centres) ** p * unit - g[:, None]
    found = set(
        zip(*(each.tolist() for each in cost.bounds.connecting_pairs(f, g, 2)), strict=True)
    )
    expected = set()
    for one in range(clusters.number):
        for other in range(clusters.number):
            rows = np.flatnonzero(clusters.row_labels == one)
            columns = np.flatnonzero(clusters.column_labels == other)
            rows = rows[np.argsort(of_rows[rows, other])][:2].tolist()
            columns = columns[np.argsort(of_columns[columns, one])][:2].tolist()
            expected |= {(row, column) for row in rows[:1] for column in columns}
            expected |= {(row, column) for row in rows for column in columns[:1]}
    assert found == expected


@pytest.mark.parametrize(("tolerance", "rounding"), [(1e-12, 1e-12), (1e-3, 1e-6)])
def test_far_clusters_change_no_proof(
    tolerance: float, rounding: float, random: np.random.Generator, threads: ThreadPool
) -> None:
    cost, matrix = clustered(random, threads, 2)
    everything = PreparedCost.normalised(cost._cost, None, threads)
    f = matrix.min(axis=1)
    g = (matrix - f[:, None]).min(axis=0)
    for shift in (0.0, 1e-3):  # the shift violates the constraints of some pairs
        bounds = [
            check_dual_feasibility(
                each,
                [
                    DualPotentials(
                        TransportProblem(
                            each,
                            np.full(N, 1 / N),
                            np.full(M, 1 / M),
                            tolerance,
                            1,
                            ProgressCallback(lambda: None),
                        ),
                        f + shift * np.arange(N) / N,
                        g,
                        1.0,
                        -1e-13,
                    )
                ],
            )[0]
            for each in (cost, everything)
        ]
        assert bounds[0].dual == pytest.approx(bounds[1].dual, abs=1e-6)
        shifted = f + shift * np.arange(N) / N
        exact = max(
            shifted.mean() + (matrix - shifted[:, None]).min(axis=0).mean(),
            (matrix - g).min(axis=1).mean() + g.mean(),
        )
        assert all(each.dual <= exact + 1e-15 for each in bounds)
        assert bounds[0].violation == pytest.approx(bounds[1].violation, abs=1e-6)
        reduced = matrix - shifted[:, None] - g
        for each in bounds:
            violated = np.zeros((N, M), bool)
            violated[each.rows, each.columns] = True
            assert violated[reduced < -rounding].all()
            assert (reduced[violated] < rounding).all()


@pytest.mark.parametrize(("p", "stored"), [(1, 10**6), (2, 10**6), (2, 0)])
def test_clusters_cost_what_pot_says_in_few_rounds(
    p: Literal[1, 2], stored: int, random: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clustered_cost, "MAX_STORED_PAIRS", stored)
    monkeypatch.setattr(clustered_cost, "MAX_READ_WHOLE", 0)
    rows, columns = clouds(random)
    a, b = random.random(N), random.random(M)
    a[:5], b[:7] = 0, 0
    a, b = a / a.sum(), b / b.sum()
    blocks = [PointCost(Measure(part), Measure(columns), p) for part in (rows[:200], rows[200:])]
    found = solve(StackedCost(blocks), a, b)
    costs = np.vstack([block.block(0, block.shape[0]) for block in blocks])
    assert found.certificate.primal == pytest.approx(ot.emd2(a, b, costs, 10**7), rel=1e-9)
    assert found.certificate.relative_gap < 1e-9
    assert found.certificate.rounds <= 3
    plan = np.zeros((N, M))
    plan[found.rows, found.columns] = found.mass
    np.testing.assert_allclose(plan.sum(axis=1), a, atol=1e-12)
    np.testing.assert_allclose(plan.sum(axis=0), b, atol=1e-12)
    assert (costs - found.f[:, None] - found.g)[a > 0][:, b > 0].min() > -1e-9


def test_factors_give_an_aggregated_plan_its_marginals(random: np.random.Generator) -> None:
    plan = np.exp(5 * random.normal(size=(8, 6)))
    a, b = random.random(8), random.random(6)
    plan[:, 0], b[0] = 0, 0
    a, b = a / a.sum(), b / b.sum()
    rows, columns = balancing_factors(plan, a, b, 1e-7)
    balanced = rows[:, None] * np.maximum(plan, 1e-7 * np.outer(a, b)) * columns
    assert np.abs(balanced.sum(axis=1) - a).sum() < 1e-2
    assert np.abs(balanced.sum(axis=0) - b).sum() < 1e-2
    assert columns[0] == 1


def test_each_chosen_point_is_the_farthest_from_those_before_it(
    random: np.random.Generator,
) -> None:
    points = random.normal(size=(200, 5)).astype(np.float32)
    chosen, distances = farthest_points(np.ascontiguousarray(points.T), 20, np.float32(1e-7))
    between = cdist(points, points)
    for number, distance in enumerate(distances, start=1):
        nearest = between[chosen[:number]].min(axis=0)
        assert distance == pytest.approx(nearest.max(), rel=1e-5)
        if number < len(chosen):
            assert nearest[chosen[number]] == pytest.approx(nearest.max(), rel=1e-5)
    equal = np.repeat(points[:3], 4, axis=0)
    chosen, distances = farthest_points(np.ascontiguousarray(equal.T), 20, np.float32(1e-7))
    assert len(chosen) == len(distances) == 3
    assert distances[-1] == 0


def test_the_share_of_near_pairs_is_what_scans_read(
    random: np.random.Generator, threads: ThreadPool
) -> None:
    cost, matrix = clustered(random, threads, 2)
    f = matrix.min(axis=1)
    g = (matrix - f[:, None]).min(axis=0)
    for reach in (0.0, 0.1, 10.0):
        counts = cost.map_near_blocks(
            lambda panels: sum(each[-1].size for each in panels), f, g, reach
        )
        assert cost.near_share(f, g, reach) == pytest.approx(sum(counts) / matrix.size)
    assert cost.near_share(f, g, matrix.max()) == 1
    cost.materialize_all()
    assert cost.stored is not None
    np.testing.assert_allclose(cost.stored, matrix, atol=1e-5)
