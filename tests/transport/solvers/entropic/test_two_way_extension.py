"""Potentials of a sample are extended to all points by Sinkhorn's update."""

from collections.abc import Iterator

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from scipy.special import logsumexp

from wassay.transport import GivenCost, Measure, PointCost
from wassay.transport.progress import ProgressCallback
from wassay.transport.solvers.entropic.sample import EntropicPlan, Sample
from wassay.transport.solvers.entropic.two_way_extension import extend_both_ways
from wassay.transport.solvers.prepared_cost import PreparedCost
from wassay.transport.thread_pool import ThreadPool

N, M = 90, 130


@pytest.fixture
def threads() -> Iterator[ThreadPool]:
    with ThreadPool(ProgressCallback(lambda: None)) as pool:
        yield pool


def sample_of(cost: PreparedCost, random: np.random.Generator) -> tuple[Sample, EntropicPlan]:
    rows, columns = np.arange(0, N, 4), np.arange(1, M, 3)
    a, b = random.random(len(rows)), random.random(len(columns))
    plan = EntropicPlan(
        random.random(len(rows)).astype(np.float32),
        random.random(len(columns)).astype(np.float32),
        np.float32(0.05),
    )
    singles = (a / a.sum()).astype(np.float32), (b / b.sum()).astype(np.float32)
    return Sample(cost.sample(rows, columns), rows, columns, *singles), plan


def test_every_point_gets_its_update_from_the_sample(
    random: np.random.Generator, threads: ThreadPool
) -> None:
    points, others = random.normal(size=(N, 4)), random.normal(size=(M, 4))
    cost = PreparedCost.normalised(PointCost(Measure(points), Measure(others)), 0, threads)
    sample, plan = sample_of(cost, random)
    extended = extend_both_ways(cost, sample, plan)
    assert extended is not None
    matrix = np.ldexp(cdist(points, others, "sqeuclidean"), -cost.exponent)
    epsilon = float(plan.epsilon)
    f = -epsilon * logsumexp(
        (plan.g - matrix[:, sample.columns]) / epsilon, b=sample.column_weights, axis=1
    )
    g = -epsilon * logsumexp(
        (plan.f[:, None] - matrix[sample.rows]) / epsilon, b=sample.row_weights[:, None], axis=0
    )
    assert extended.f == pytest.approx(f, abs=1e-5)
    assert extended.g == pytest.approx(g, abs=1e-5)
    assert extended.epsilon == plan.epsilon


def test_costs_without_points_are_not_extended(
    random: np.random.Generator, threads: ThreadPool
) -> None:
    cost = PreparedCost.normalised(GivenCost(random.random((N, M))), 0, threads)
    assert extend_both_ways(cost, *sample_of(cost, random)) is None
