"""Certified intervals contain the true distance exactly, without a tolerance in the test."""

import math
from collections.abc import Sequence

import numpy as np
import ot
import pytest

from wassay.transport import (
    Measure,
    Normal,
    Reference,
    SellerCosts,
    cost_block,
    estimate,
    evaluate,
    project,
)

SWEEP = (0.25, 0.5, 0.75)


def true_distance(mu: Measure, nu: Measure, scale: float) -> float:
    """Return W_2 by POT, on differences divided by the scale, so that no digits are lost."""
    differences = (mu.points[:, None] - nu.points) / scale
    costs = np.square(differences).sum(axis=2)
    return scale * math.sqrt(ot.emd2(mu.weights, nu.weights, costs))


def interval_of(
    mu: Measure,
    nu: Measure,
    size: int,
    mode: str,
    sweep: Sequence[float] = SWEEP,
    push: float = 0.35,
    seed: int = 0,
) -> tuple[float, float]:
    reference = Reference(size, mu.dimension, Normal(), seed).measure()
    buyer, seller = project(mu, reference), project(nu, reference)
    eta = buyer.interpolate(push)
    measures = {s: seller.interpolate(s) for s in sweep}
    if mode == "measure":
        costs = SellerCosts.from_measures("one", measures, eta)
    else:
        blocks = {s: cost_block(each.points, eta.points) for s, each in measures.items()}
        costs = SellerCosts.from_blocks("one", blocks, nu.weights, eta)
    curve = evaluate(eta.weights, [costs], sweep).grand_coalition
    found = estimate(curve, push, buyer_spread=buyer.spread, seller_spread=seller.spread)
    assert found.interval is not None
    return found.interval


@pytest.mark.parametrize("mode", ["measure", "cost-block"])
@pytest.mark.parametrize("offset", [0.0, 1e2, 1e4, 1e6])
@pytest.mark.parametrize("scale", [1e-7, 1e-6, 1e-4, 1e-2, 1.0, 1e3, 1e6])
@pytest.mark.parametrize("size", [1, 20])
def test_the_interval_contains_the_distance_at_any_scale(
    mode: str, offset: float, scale: float, size: int
) -> None:
    for seed in range(2):
        random = np.random.default_rng(seed)
        mu = Measure(offset + scale * random.normal(size=(20, 3)))
        nu = Measure(offset + scale * (0.5 + random.normal(size=(25, 3))))
        low, high = interval_of(mu, nu, size, mode, seed=seed)
        assert low <= true_distance(mu, nu, scale) <= high


@pytest.mark.parametrize("mode", ["measure", "cost-block"])
@pytest.mark.parametrize(
    "sweep",
    [
        (0.5, 0.501, 0.502),
        (0.5, 0.50001, 0.50002),
        (0.5, 0.5 + 1e-7, 0.5 + 2e-7),
        (0.1, 0.101, 0.9),
    ],
)
def test_the_interval_contains_the_distance_for_any_sweep(
    mode: str, sweep: tuple[float, float, float]
) -> None:
    for seed in range(3):
        random = np.random.default_rng(seed)
        mu = Measure(random.normal(size=(20, 3)))
        nu = Measure(0.5 + random.normal(size=(25, 3)))
        low, high = interval_of(mu, nu, 1, mode, sweep, seed=seed)
        assert low <= true_distance(mu, nu, 1.0) <= high


@pytest.mark.parametrize("size", [1, 5, 20])
def test_the_interval_of_a_measure_to_itself_contains_zero_at_every_push(size: int) -> None:
    for seed in range(20):
        random = np.random.default_rng(seed)
        shape = (int(random.integers(1, 30)), int(random.integers(1, 6)))
        mu = Measure(random.normal(size=shape))
        low, high = interval_of(mu, mu, size, "measure", push=random.uniform(0.05, 0.95), seed=seed)
        assert low == 0.0
        assert high >= 0.0


def test_intervals_of_ordinary_data_have_nine_digits() -> None:
    random = np.random.default_rng(1)
    mu, nu = Measure(random.normal(size=(40, 8))), Measure(random.normal(1.0, 1.0, size=(60, 8)))
    low, high = interval_of(mu, nu, 1, "cost-block")
    assert (high - low) / high < 1e-9
