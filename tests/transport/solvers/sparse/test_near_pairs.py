"""Bounds from the low-cost pairs of a neighbouring problem never exceed those from all pairs."""

import numpy as np
import pytest
from numpy.typing import NDArray

from wassay.transport.costs.given_cost import GivenCost
from wassay.transport.progress import ProgressCallback
from wassay.transport.solvers.certify.check_dual_feasibility import check_dual_feasibility
from wassay.transport.solvers.certify.dual_feasibility import DualFeasibility
from wassay.transport.solvers.certify.dual_potentials import DualPotentials
from wassay.transport.solvers.prepared_cost import PreparedCost
from wassay.transport.solvers.sparse import near_pairs
from wassay.transport.solvers.sparse.near_pairs import NearPairs
from wassay.transport.solvers.transport_problem import TransportProblem
from wassay.transport.thread_pool import ThreadPool

N, M = 60, 80


def near_pairs_of(
    rng: np.random.Generator, cost: NDArray[np.float64]
) -> tuple[TransportProblem, NearPairs]:
    f = rng.normal(size=N)
    g = (cost - f[:, None]).min(axis=0)
    beat = ProgressCallback(lambda: None)
    prepared = PreparedCost(
        GivenCost(cost), 0, float(cost.min()), float(cost.max()), None, ThreadPool(beat)
    )
    a, b = np.full(N, 1 / N), np.full(M, 1 / M)
    a[:7], b[:5] = 0, 0
    problem = TransportProblem(prepared, a / a.sum(), b / b.sum(), 1e-9, 10**6, beat)
    return problem, NearPairs.collect(prepared, f, g)


def lower_bounds(
    potentials: DualPotentials, near: NearPairs
) -> tuple[DualFeasibility, DualFeasibility]:
    cost = potentials.problem.cost
    return near.check(cost, [potentials])[0], check_dual_feasibility(cost, [potentials])[0]


@pytest.mark.parametrize("kind", ["plain", "ties"])
def test_nearby_potentials_get_the_same_bounds_as_on_all_pairs(
    kind: str, random: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(near_pairs, "PAIRS_PER_POINT", 12)
    monkeypatch.setattr(near_pairs, "MAX_MOVED", 2)
    plain, ties = random.random((N, M)) * 5, random.integers(0, 5, (N, M)).astype(float)
    cost = plain if kind == "plain" else ties
    problem, near = near_pairs_of(random, cost)
    assert len(near.costs) < N * M
    for size in (0.0, 0.05, 0.1):
        f = near.f + size * random.random(N)
        g = (cost - f[:, None]).min(axis=0)
        result, expected = lower_bounds(DualPotentials(problem, f, g, 1.0, -1e-13), near)
        assert result.dual == pytest.approx(expected.dual, abs=1e-13)
        assert result.violation == pytest.approx(expected.violation, abs=1e-13)


def test_distant_potentials_never_get_a_larger_bound(
    random: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(near_pairs, "PAIRS_PER_POINT", 4)
    monkeypatch.setattr(near_pairs, "MAX_MOVED", 2)
    for _ in range(100):
        cost = random.random((N, M)) * 5
        problem, near = near_pairs_of(random, cost)
        f = near.f + random.normal(size=N) * random.choice([0.1, 1.0, 10.0])
        g = near.g + random.normal(size=M) * random.choice([0.1, 1.0, 10.0])
        result, expected = lower_bounds(DualPotentials(problem, f, g, 1.0, -1e-13), near)
        a, b = problem.row_weights, problem.column_weights
        assert result.dual <= expected.dual + 1e-13
        rows, columns = a > 0, b > 0
        slack = (cost - result.f[:, None] - result.g)[rows][:, columns]
        assert slack.min() >= -1e-12
        value = a[rows] @ result.f[rows] + b[columns] @ result.g[columns]
        assert result.dual <= max(value, cost.min()) + 1e-12
