"""A batch has the same solutions as its problems solved separately."""

import threading
from collections.abc import Sequence

import numpy as np
import ot
import pytest
from numpy.typing import NDArray

from tests.transport.samples import gaussian, random_weights
from tests.transport.solvers.test_solve import assert_certified
from wassay.transport import (
    Cancelled,
    NotCertified,
    PointCost,
    SellerCosts,
    Solution,
    cost_block,
    evaluate,
)
from wassay.transport.solvers import batch
from wassay.transport.solvers.batch import solve_batch


@pytest.fixture(autouse=True)
def side_by_side_at_any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wassay.transport.solvers.solve.MAX_DENSE_PAIRS", 0)
    monkeypatch.setattr(batch, "MAX_DENSE_PAIRS", 0)


def left_out_once(sizes: Sequence[int]) -> list[NDArray[np.float64]]:
    owner = np.repeat(np.arange(len(sizes)), sizes)
    return [(owner != left) / np.count_nonzero(owner != left) for left in range(len(sizes))]


def assert_each_is_right(
    cost: NDArray[np.float64],
    weights: Sequence[tuple[NDArray[np.float64], NDArray[np.float64]]],
    solutions: Sequence[Solution],
) -> None:
    for (a, b), solution in zip(weights, solutions, strict=True):
        assert_certified(cost, a, b, solution)
        expected = ot.emd2(a, b, cost, numItermax=10**7)
        assert solution.cost == pytest.approx(expected, rel=1e-9)
        assert (solution.mass > 0).all()
        # The potential of a point without mass is the cost that adding mass there would have.
        present, taking = a > 0, b > 0
        np.testing.assert_allclose(
            solution.f[~present], (cost - solution.g)[~present][:, taking].min(axis=1), atol=1e-9
        )
        np.testing.assert_allclose(
            solution.g[~taking],
            (cost - solution.f[:, None])[present][:, ~taking].min(axis=0),
            atol=1e-9,
        )


@pytest.mark.parametrize("apart", [0.0, 30.0])
@pytest.mark.parametrize("budget", [None, 0])
def test_leave_one_out_batches_match_single_solves_near_and_far(
    apart: float, budget: int | None
) -> None:
    rng = np.random.default_rng(1)
    sizes = [40, 55, 30, 60]
    x = rng.normal(size=(sum(sizes), 6))
    x[:, 0] += apart * np.repeat(np.arange(len(sizes)), sizes)
    cost = cost_block(x, rng.normal(size=(140, 6)))
    uniform = np.full(140, 1 / 140)
    weights = [(a, uniform) for a in left_out_once(sizes)]
    assert_each_is_right(cost, weights, solve_batch(cost, weights, memory_budget_bytes=budget))


def test_batches_with_any_weights_and_ties_match_single_solves() -> None:
    rng = np.random.default_rng(2)
    cost = np.round(cost_block(rng.normal(size=(90, 2)), rng.normal(size=(110, 2))), 1)
    cost[10:20] = cost[:10]
    weights = []
    for row in range(4):
        a, b = random_weights(rng, 90), 10.0 ** rng.uniform(-12, 0, 110)
        a[rng.random(90) < 0.3], b[rng.random(110) < 0.2] = 0, 0
        a[row] = 0
        weights.append((a / a.sum(), b / b.sum()))
    assert_each_is_right(cost, weights, solve_batch(cost, weights))


def test_an_uncertified_solution_reports_the_interval_reached() -> None:
    rng = np.random.default_rng(3)
    cost = cost_block(rng.normal(size=(200, 5)), rng.normal(size=(260, 5)))
    weights = [(random_weights(rng, 200), random_weights(rng, 260)) for _ in range(3)]
    with pytest.raises(NotCertified) as caught:
        solve_batch(cost, weights, max_iterations=5)
    true = ot.emd2(*weights[0], cost, numItermax=10**7)
    assert caught.value.certificate.dual <= true <= caught.value.certificate.primal


def test_numbers_do_not_depend_on_how_many_threads_there_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(4)
    cost = cost_block(rng.normal(size=(300, 8)), rng.normal(size=(340, 8)))
    weights = [(a, np.full(340, 1 / 340)) for a in left_out_once([100, 100, 100])]
    result = []
    for number in ("1", "3"):
        monkeypatch.setenv("OMP_NUM_THREADS", number)
        result.append(solve_batch(cost, weights))
    for one, three in zip(*result, strict=True):
        assert one.certificate == three.certificate
        assert np.array_equal(one.f, three.f)
        assert np.array_equal(one.mass, three.mass)


def test_no_simplex_runs_on_after_cancellation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    rng = np.random.default_rng(5)
    mu, nu = gaussian(rng, 4000, 20), gaussian(rng, 4400, 20)
    weights = [(a, nu.weights) for a in left_out_once([1000] * 4)]

    def cancel() -> None:
        raise Cancelled

    before = set(threading.enumerate())
    with pytest.raises(Cancelled):
        solve_batch(PointCost(mu, nu), weights, progress=cancel)
    assert set(threading.enumerate()) <= before  # threads of earlier tests may have ended


def test_an_evaluation_solves_leave_one_out_coalitions_as_a_batch() -> None:
    rng = np.random.default_rng(6)
    buyer = gaussian(rng, 50, 4)
    sweep = (0.25, 0.5, 0.75)
    sizes = {"a": 30, "b": 20, "c": 25}
    sellers = {
        name: {s: gaussian(rng, size, 4, mean=s) for s in sweep} for name, size in sizes.items()
    }
    result = evaluate(
        buyer.weights,
        [SellerCosts.from_measures(name, measures, buyer) for name, measures in sellers.items()],
        sweep,
    )
    for left in sellers:
        for point in result.leave_one_out[left].points:
            points = np.concatenate([sellers[n][point.s].points for n in sellers if n != left])
            expected = ot.emd2([], [], cost_block(points, buyer.points))
            assert point.cost == pytest.approx(expected, rel=1e-9)
