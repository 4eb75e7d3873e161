"""Estimates that the buyer's machine computes from costs with noise."""

from pathlib import Path

import numpy as np
import pytest

from wassay import NoisedResult, models
from wassay.client.buyer.private_push import PrivatePush

SWEEP = (0.2, 0.5, 0.8)
T0 = 0.4


def costs(square: float, scale: float, noise: float = 0.0) -> list[models.NoisedCost]:
    """Return costs f²(s) on a quadratic that has the value (1 − t0)² · `square` at t0."""
    values = (1 - T0) ** 2 * square + 0.7 * (np.array(SWEEP) - T0) + 2 * (np.array(SWEEP) - T0) ** 2
    return [
        models.NoisedCost(s=s, cost=value + noise, scale=scale, interval=(value - 1, value + 1))
        for s, value in zip(SWEEP, values, strict=True)
    ]


def result(scale: float, noise: float = 0.0) -> NoisedResult:
    squares = {"far": 9.0, "near": 4.0}
    document = models.NoisedResult(
        evaluation_id="evl_1",
        request_id="req_1",
        order=2,
        sweep=list(SWEEP),
        buyer_points=10,
        epsilon=0.5,
        radius=3.0,
        confidence=0.95,
        grand_coalition=costs(6.25, scale, noise),
        sellers=[
            models.NoisedSeller(
                contribution_id=f"con_{name}",
                account_id="acc_1",
                label=name,
                points=5,
                weight=0.5,
                singleton=costs(square, scale, noise),
            )
            for name, square in squares.items()
        ],
        software={},
    )
    return NoisedResult(document, PrivatePush(T0, 0.0))


def test_without_noise_the_distances_are_exact_and_the_nearest_comes_first() -> None:
    found = result(0.0).estimates()
    assert found.grand_coalition.value == pytest.approx(2.5)
    assert found.grand_coalition.interval == pytest.approx((2.5, 2.5))
    assert {name: each.value for name, each in found.sellers.items()} == pytest.approx(
        {"con_near": 2.0, "con_far": 3.0}
    )
    assert list(found.sellers) == ["con_near", "con_far"]
    assert "epsilon = 0.5" in str(found)
    str(found).encode("latin-1")  # on such terminals it is printed, too


def test_intervals_contain_the_truth_as_often_as_promised() -> None:
    scale, square = 0.05, ((1 - T0) * 2.5) ** 2
    low, high = ((1 - T0) * np.array(result(scale).estimates().grand_coalition.interval)) ** 2
    assert high - square == pytest.approx(square - low)
    noise = np.random.default_rng(4).laplace(scale=scale, size=(len(SWEEP), 20_000))
    strayed = np.array([np.polyval(np.polyfit(SWEEP, noise, 2), T0)])
    assert np.mean(np.abs(strayed) <= high - square) == pytest.approx(0.95, abs=0.01)


def test_a_square_that_noise_made_negative_is_distance_zero() -> None:
    found = result(1.0, noise=-100.0).estimates()
    assert found.grand_coalition.value == 0
    assert found.grand_coalition.interval[0] == 0


def test_noised_costs_are_drawn(tmp_path: Path) -> None:
    result(0.1).plot(tmp_path / "noised.png")
    assert (tmp_path / "noised.png").read_bytes().startswith(b"\x89PNG")
    assert '"epsilon": 0.5' in result(0.1).to_json()
