from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.transport.inversion.records import normal_reference, records
from tests.transport.samples import random_weights
from wassay.transport import (
    Measure,
    SellerCosts,
    TransportError,
    evaluate,
    project,
    wasserstein,
)
from wassay.transport.inversion import (
    extrapolate,
    reconstruct_from_distances,
    reconstruct_from_scores,
    relative_error,
)

SWEEP = (0.25, 0.5, 0.75)


@pytest.mark.parametrize("weighted", [False, True])
def test_scores_of_evaluations_give_a_sellers_records_with_d_plus_one_requests(
    weighted: bool,
) -> None:
    truth = records("gaussian", 30)
    weights = random_weights(np.random.default_rng(9), 30) if weighted else None
    projection = project(Measure(truth, weights), normal_reference(20, 10).measure())
    measures = {s: projection.interpolate(s) for s in SWEEP}
    asked: list[float] = []

    def ask(s: float) -> Callable[[Measure], tuple[float, NDArray[np.float64]]]:
        def request(buyer: Measure) -> tuple[float, NDArray[np.float64]]:
            asked.append(s)
            seller = SellerCosts.from_measures("sel", measures, buyer)
            valuation = evaluate(buyer.weights, [seller], SWEEP)
            costs = {point.s: point.cost for point in valuation.grand_coalition.points}
            return costs[s], valuation.seller_scores["sel"][s].values

        return request

    first, last = (
        reconstruct_from_scores(ask(s), projection.measure.weights, 10) for s in (0.25, 0.75)
    )
    assert first.queries == asked.count(0.25) == 11
    one, other = (Measure(found.points, projection.measure.weights) for found in (first, last))
    assert relative_error(measures[0.25].points, first.points) <= 1e-9
    assert relative_error(truth, extrapolate(one, other, 0.25, 0.75).points) <= 1e-9


def test_one_record_is_found_from_distances_where_scores_say_nothing() -> None:
    truth = np.array([[1.0, -2.0, 3.0]])
    found = reconstruct_from_scores(
        lambda buyer: (wasserstein(Measure(truth), buyer).certificate.primal, np.zeros(1)), [1.0], 3
    )
    np.testing.assert_allclose(found.points, truth, atol=1e-12)


@pytest.mark.parametrize(("n", "d"), [(1, 2), (5, 3), (8, 2)])
def test_distances_alone_give_all_records_with_n_times_d_plus_one_requests_and_one(
    n: int, d: int
) -> None:
    rng = np.random.default_rng(10)
    truth = rng.normal(size=(n, d))
    asked: list[int] = []

    def ask(buyer: Measure) -> float:
        asked.append(buyer.size)
        return wasserstein(Measure(truth), buyer).certificate.primal

    found = reconstruct_from_distances(ask, n, d, rng.normal(size=d))
    assert len(asked) == found.queries == n * (d + 1) + 1
    assert max(asked) <= 2
    assert relative_error(truth, found.points) <= 1e-9
    assert found.residual <= 1e-9


def test_points_with_equal_projections_are_not_told_apart() -> None:
    truth = Measure([[0.0, 1.0], [0.0, 2.0]])
    with pytest.raises(TransportError, match="choose another"):
        reconstruct_from_distances(
            lambda buyer: wasserstein(truth, buyer).certificate.primal, 2, 2, np.array([1.0, 0.0])
        )
