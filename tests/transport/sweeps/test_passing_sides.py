"""The s at which two sides pass each other, and the scores there."""

import numpy as np
import pytest

from tests.transport.sweeps.test_curve import SWEEP, made_curve, solved_curve
from wassay.transport import Measure, SellerCosts, SweepPoint, curve_weights, evaluate
from wassay.transport.sweeps.curve import DistanceCurve


@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize("push", [0.3, 0.61])
def test_sides_of_one_mean_pass_each_other_at_t0(push: float, p: int) -> None:
    rng = np.random.default_rng(3)
    mu, nu = rng.normal(size=(12, 3)), rng.normal(scale=4.0, size=(17, 3))
    nu += mu.mean(axis=0) - nu.mean(axis=0)
    curve, _, _ = solved_curve(
        Measure(mu), Measure(nu), Measure(rng.normal(size=(1, 3))), push, p=1 if p == 1 else 2
    )
    assert curve.nearest_s == pytest.approx(push)


def test_sides_whose_costs_alone_are_known_pass_where_the_distance_is_smallest() -> None:
    assert made_curve([(s - 0.4) ** 2 + 1 for s in SWEEP]).nearest_s == pytest.approx(0.4)


@pytest.mark.parametrize(
    ("squares", "nearest"),
    [([3, 2, 1], 0.75), ([1, 2, 3], 0.25), ([1, 2, 2], 0.25), ([4, 2, 1], 0.75)],
)
def test_sides_that_do_not_pass_within_the_sweep_are_nearest_at_its_end(
    squares: list[float], nearest: float
) -> None:
    shifted = DistanceCurve(
        2,
        tuple(
            SweepPoint(s, 1.0, None, mean_shift=square)
            for s, square in zip(SWEEP, squares, strict=True)
        ),
    )
    assert shifted.nearest_s == made_curve(squares).nearest_s == nearest


def test_spoilt_rows_have_the_highest_scores_where_the_sides_pass_each_other() -> None:
    """In the middle of the sweep, rows at one side of the cloud have higher scores."""
    rng = np.random.default_rng(7)
    needed, offered = rng.normal(size=(150, 8)), rng.normal(0.5, 1.0, size=(200, 8))
    offered[:10] += rng.normal(0.0, 6.0, size=(10, 8))
    far = np.full(8, 16.0)
    buyer = Measure(0.65 * needed + 0.35 * far)
    pushed = {s: Measure((1 - s) * offered + s * far) for s in SWEEP}
    found = evaluate(buyer.weights, [SellerCosts.from_measures("one", pushed, buyer)], SWEEP)
    swept = np.array([found.seller_scores["one"][s].values for s in SWEEP])

    def spoilt_among_the_ten_highest(s: float) -> int:
        return int((np.argsort(curve_weights(SWEEP, s) @ swept)[-10:] < 10).sum())

    assert spoilt_among_the_ten_highest(found.grand_coalition.nearest_s) == 10
    assert spoilt_among_the_ten_highest(0.5) < 8
