"""Scores at t0, computed from those of the sweep, compared with those of the raw data."""

import numpy as np
import pytest

from wassay.client.valuation.scores import scores_at_push
from wassay.models import PointScores
from wassay.transport import (
    Constant,
    Measure,
    PointCost,
    Reference,
    interpolate,
    scores,
    solve,
)
from wassay.transport.scoring.point_scores import Scores

T0 = 0.37
SWEEP = (0.2, 0.5, 0.9)


def scored(buyer: Measure, seller: Measure) -> Scores:
    cost = PointCost(seller, buyer)
    return scores(cost, solve(cost, seller.weights, buyer.weights))[0]


def on_the_wire(s: float, found: Scores) -> PointScores:
    return PointScores(
        evaluation_id="evl_1",
        contribution_id="con_1",
        s=s,
        method=found.method,
        values=found.values.tolist(),
        spread=found.spread.tolist(),
        ranks=None,
        noisiest=[],
    )


# With equal sizes, the plan is one to one, so no spread is zero.
@pytest.mark.parametrize("size", [23, 30])
def test_with_one_reference_point_scores_and_spreads_are_those_of_the_raw_data(size: int) -> None:
    random = np.random.default_rng(5)
    buyer = Measure(random.normal(size=(30, 4)))
    seller = Measure(random.normal(0.4, 1.3, size=(size, 4)))
    gamma = Reference(1, 4, Constant(2.0), seed=0).measure()
    pushed = interpolate(buyer, gamma, T0)
    swept = {s: on_the_wire(s, scored(pushed, interpolate(seller, gamma, s))) for s in SWEEP}
    found, truth = scores_at_push(swept, T0, 2), scored(buyer, seller)
    np.testing.assert_allclose(found.values, truth.values, atol=1e-9)
    np.testing.assert_allclose(found.spread, truth.spread, atol=1e-9)
    assert bool(truth.spread.min() > 0.01) is (size == 30)
    assert found.method == "exact"


def test_no_spread_is_below_zero() -> None:
    """If plans differ over the sweep, the quadratic through the spreads may become negative."""
    flat = Scores(np.zeros(2), np.zeros(2), "exact")
    swept = {s: on_the_wire(s, flat) for s in (0.2, 0.6)}
    swept[0.9] = on_the_wire(0.9, Scores(np.zeros(2), np.array([3.0, 0.0]), "landmarks"))
    found = scores_at_push(swept, 0.4, 2)
    assert (found.spread >= 0).all()
    assert found.method == "landmarks"
